//! The running process groups, so that a signal to this process can end them all.

use rustix::process::{kill_process_group, Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::collections::BTreeMap;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The leaders of the running groups, with the memory that their processes have, in KiB; none for one that is being ended.
static GROUPS: Mutex<BTreeMap<i32, Option<u64>>> = Mutex::new(BTreeMap::new());
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Whether this process ends by itself after a signal.
static ORDERLY: AtomicBool = AtomicBool::new(false);

/// The signal (SIGINT, SIGTERM or SIGHUP) that told this process to end, if one came while a
/// backend was running. All running backends are then killed and no new one starts; the process has
/// a second to clean up before the signal takes its usual effect.
pub fn interrupted() -> Option<i32> {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(signal),
    }
}

/// The leaders of the running groups.
pub(super) fn leaders() -> Vec<i32> {
    let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
    groups.keys().copied().collect()
}

/// A running process group; removed from the list with this value.
pub(super) struct Group {
    pid: Pid,
}

impl Group {
    /// Starts the command as the leader of a group. The lock delays the handling of a signal until
    /// the group is in the list, so the signal cannot miss it.
    pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, Self)> {
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.process_group(0).spawn()?;
        let pid = Pid::from_child(&child);
        groups.insert(pid.as_raw_nonzero().get(), Some(0));
        Ok((child, Group { pid }))
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Records what memory its processes have, in KiB. If no group has more and that of all is too much, this one must end: of
    /// two with the same, only one. None must while another that is being ended still has its memory.
    pub(super) fn must_end<T>(&self, kib: u64, too_much: impl Fn(u64) -> Option<T>) -> Option<T> {
        let own = self.pid.as_raw_nonzero().get();
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        groups.insert(own, Some(kib));
        let mut all: Vec<(u64, i32)> = Vec::new();
        for (pid, kib) in groups.iter() {
            all.push(((*kib)?, *pid));
        }
        let sum = all
            .iter()
            .fold(0u64, |sum, (kib, _)| sum.saturating_add(*kib));
        let reason = (all.into_iter().max() == Some((kib, own))).then(|| too_much(sum))??;
        groups.insert(own, None);
        Some(reason)
    }

    /// It is being ended: its memory will be free soon.
    pub(super) fn leaves(&self) {
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        groups.insert(self.pid.as_raw_nonzero().get(), None);
    }

    /// Sends a signal to each process of the group. An empty group is no error.
    pub(super) fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.pid, signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        groups.remove(&self.pid.as_raw_nonzero().get());
    }
}

/// Starts the thread that waits for signals, once. Without a running backend a signal has its usual
/// effect.
pub(super) fn watch_signals() -> io::Result<()> {
    static STARTED: OnceLock<Result<(), io::ErrorKind>> = OnceLock::new();
    let start = || -> io::Result<()> {
        let ignored = ignored_signals();
        let wanted = [SIGINT, SIGTERM, SIGHUP]
            .into_iter()
            .filter(|s| ignored >> (s - 1) & 1 == 0);
        let mut signals = signal_hook::iterator::Signals::new(wanted)?;
        let work = move || signals.forever().for_each(on_signal);
        std::thread::Builder::new()
            .name("signals".into())
            .spawn(work)?;
        Ok(())
    };
    let started = STARTED.get_or_init(|| start().map_err(|e| e.kind()));
    started.map_err(io::Error::from)
}

/// The signals, as a mask, that this process was started to ignore (by `nohup`, or as a background
/// job of a script); they stay ignored. 0 if the system does not tell.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok())
        .unwrap_or(0)
}

/// From now on, a first signal is recorded by [`interrupted`] and ends running backends like a
/// cancellation, but not this process, which ends by itself after cleaning up. A second one ends it
/// at once.
///
/// # Errors
/// If signals cannot be watched.
pub fn end_by_itself() -> io::Result<()> {
    ORDERLY.store(true, Ordering::SeqCst);
    watch_signals()
}

fn on_signal(signal: i32) {
    if ORDERLY.load(Ordering::SeqCst) && SIGNAL.swap(signal, Ordering::SeqCst) == 0 {
        return;
    }
    let running = {
        // Set under the lock: a group that is entered later is ended by its own runner, which
        // checks the signal before it waits.
        let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        let again = SIGNAL.swap(signal, Ordering::SeqCst) != 0;
        for pid in groups.keys().filter_map(|g| Pid::from_raw(*g)) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        !groups.is_empty() && !again
    };
    if running {
        std::thread::sleep(Duration::from_secs(1));
    }
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}
