//! Runs an external program with limits, and reads its output while it is written.
//!
//! The child gets its own process group. Whatever ends the run (its own exit, the time limit, the
//! output limit, cancellation, a signal to this process), the whole group is killed before the run
//! returns, so nothing that the child started remains. The group is killed while its leader is dead
//! but not reaped, so that its number cannot belong to another group.

mod live;
mod memory;
mod pipe;
mod tether;

pub use live::{end_by_itself, interrupted};

use crate::answer::{Failure, Usage};
use crate::scratch::Scratch;
use crate::text::{quote, HeadTail};
use live::Group;
use memory::Resident;
use pipe::Pipe;
use rustix::process::{waitid, Pid, Signal, WaitId, WaitIdOptions};
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{mpsc, Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tether::{Tether, FRONT};

/// Ends runs from another thread. Clones share their state.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    own: Arc<AtomicBool>,
    /// Flags whose cancellation ends these runs, too.
    above: Vec<Arc<AtomicBool>>,
}

impl Cancel {
    /// Not cancelled.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// A handle for a part of the runs: cancelling this one cancels the part, not the reverse.
    pub fn part(&self) -> Cancel {
        let mut above = self.above.clone();
        above.push(Arc::clone(&self.own));
        Cancel {
            own: Arc::default(),
            above,
        }
    }

    /// A handle that is cancelled when either of two is.
    pub fn or(&self, other: &Cancel) -> Cancel {
        let mut both = self.part();
        both.above.extend(other.part().above);
        both
    }

    /// Ends all runs with this handle, a clone or a part of it, now and later.
    pub fn cancel(&self) {
        self.own.store(true, Ordering::SeqCst);
    }

    /// Whether [`Cancel::cancel`] was called, or this process received a signal to end.
    pub fn is_cancelled(&self) -> bool {
        let mut all = self.above.iter().chain([&self.own]);
        all.any(|flag| flag.load(Ordering::SeqCst)) || interrupted().is_some()
    }
}

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub timeout: Option<Duration>,
    /// Address space of each process of the run, and the resident memory of all that run at a time, in MiB: if those have more,
    /// the largest one ends.
    pub memory_mib: Option<u64>,
    /// The time between SIGTERM and SIGKILL after a time-out.
    pub grace: Duration,
    /// Bytes on standard output.
    pub max_output: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            timeout: None,
            memory_mib: None,
            grace: Duration::from_millis(500),
            max_output: 8 << 30,
        }
    }
}

/// A program and its arguments.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The program's path.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Arguments that the program gets in place of others, which the command line for people has.
    pub instead: Vec<(OsString, OsString)>,
    /// Environment variables besides this process's.
    pub envs: Vec<(String, OsString)>,
    /// Whether the reader of standard output also gets standard error, in the order of writing.
    pub merged: bool,
    /// Whether the program reads this process's standard input (unless that is a terminal, which
    /// belongs to the foreground) and writes to its standard error.
    pub interactive: bool,
    /// Whether the program gets its own directory for temporary files, removed with the run: a
    /// killed program leaves its files behind.
    pub scratch: bool,
    /// The limits.
    pub limits: Limits,
}

impl Invocation {
    /// `program` without arguments and limits.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Invocation {
            program: program.into(),
            args: Vec::new(),
            instead: Vec::new(),
            envs: Vec::new(),
            merged: false,
            interactive: false,
            scratch: false,
            limits: Limits::default(),
        }
    }

    /// Adds an argument.
    pub fn arg(&mut self, argument: impl AsRef<OsStr>) -> &mut Self {
        self.args.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(&mut self, arguments: impl IntoIterator<Item = A>) -> &mut Self {
        self.args
            .extend(arguments.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable.
    pub fn env(&mut self, name: &str, value: impl AsRef<OsStr>) -> &mut Self {
        self.envs.push((name.to_owned(), value.as_ref().to_owned()));
        self
    }

    /// The command line, quoted for a shell.
    pub fn shell(&self) -> String {
        let words = std::iter::once(self.program.as_os_str()).chain(self.args.iter().map(|a| &**a));
        words
            .map(|w| quote(&w.to_string_lossy()))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The command, inside a shell that sets the limits and ends the program if this process is
    /// killed. POSIX `ulimit` is used because the alternatives need unsafe code between fork and
    /// exec.
    fn command(&self, tether: &Tether, scratch: Option<&Path>) -> Command {
        let (memory, timeout) = (self.limits.memory_mib, self.limits.timeout);
        let mut command = Command::new("sh");
        let merge = if self.merged { "exec 2>&1\n" } else { "" };
        command.arg("-c").arg(format!("{merge}{FRONT}")).arg("sh");
        command.arg(memory.map_or("-".into(), |m| m.saturating_mul(1024).to_string()));
        command.arg(timeout.map_or("-".into(), |t| cpu_seconds(t).to_string()));
        command.arg(tether.number().to_string());
        command.arg(scratch.unwrap_or(Path::new("-")));
        command.arg(&self.program);
        command.args(self.args.iter().map(|argument| {
            let other = self.instead.iter().find(|(shown, _)| shown == argument);
            other.map_or(argument, |(_, given)| given)
        }));
        let (stdin, stderr) = match self.interactive {
            true if std::io::stdin().is_terminal() => (Stdio::null(), Stdio::inherit()),
            true => (Stdio::inherit(), Stdio::inherit()),
            false => (Stdio::null(), Stdio::piped()),
        };
        let envs = self.envs.iter().map(|(name, value)| (name, value));
        command
            .envs(envs)
            .envs(scratch.map(|path| ("TMPDIR", path)))
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(stderr);
        command
    }
}

/// A limit of processor time in case this process is killed and nobody enforces the time-out: well
/// above the wall-clock limit, because a program with threads uses several processors.
fn cpu_seconds(timeout: Duration) -> u64 {
    timeout.as_secs().saturating_mul(4).saturating_add(60)
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program exited by itself.
    Exited(ExitStatus),
    /// The time limit was reached.
    TimedOut,
    /// It was cancelled, or this process was interrupted.
    Cancelled,
    /// The program wrote more than the limit.
    TooMuchOutput,
    /// It was the largest of programs that together had more memory than the limit, or than the machine has.
    OutOfMemory {
        /// The limit, if that is what was passed.
        mib: Option<u64>,
    },
}

/// A finished run.
#[derive(Debug)]
pub struct Ran<T> {
    /// How it ended.
    pub end: End,
    /// The value that the reader returned.
    pub value: T,
    /// The beginning and the end of standard error.
    pub stderr: String,
    /// Wall-clock time from start to exit.
    pub elapsed: Duration,
    /// Greatest resident size seen of the child or one of its children, in KiB.
    pub max_rss_kib: Option<u64>,
}

/// Starts the program and waits for its end. `read` gets standard output while it is written, in
/// another thread; it may stop early. Standard input is empty unless the invocation is interactive.
///
/// # Errors
/// If the program cannot be started. Every later end is an [`End`].
pub fn run<T, F>(invocation: &Invocation, cancel: &Cancel, read: F) -> io::Result<Ran<T>>
where
    T: Send,
    F: FnOnce(&mut dyn Read) -> T + Send,
{
    live::watch_signals()?;
    // Through the shell, a missing program would only show as exit code 127.
    if invocation.program.components().count() > 1 {
        check_executable(&invocation.program)?;
    }
    let start = Instant::now();
    let scratch = match invocation.scratch {
        true => Some(Scratch::new()?),
        false => None,
    };
    let tether = Tether::new()?;
    let command = &mut invocation.command(&tether, scratch.as_ref().map(Scratch::path));
    let (mut child, group) = Group::spawn(command)?;
    let tether = tether.hold();
    let stderr = Stderr::collect(child.stderr.take());
    let pipe = Pipe::open(child.stdout.take(), invocation.limits.max_output);
    let mut source = pipe.reader();
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || read(&mut source));
        let watched = watch(&mut child, &group, &pipe, &invocation.limits, cancel, start);
        let watched = watched.inspect_err(|_| group.signal(Signal::KILL));
        drop(group);
        pipe.finish();
        let value = reader
            .join()
            .map_err(|_| io::Error::other("reading the output failed"))?;
        drop(tether);
        let (end, elapsed, max_rss_kib) = watched?;
        Ok(Ran {
            end,
            value,
            stderr: stderr.text(),
            elapsed,
            max_rss_kib,
        })
    })
}

fn check_executable(program: &Path) -> io::Result<()> {
    let metadata = std::fs::metadata(program)?;
    let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions());
    if metadata.is_dir() || mode & 0o111 == 0 {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is not executable",
        ));
    }
    Ok(())
}

/// Waits until the child has ended or must be ended, then kills the rest of its group and reaps the
/// child.
fn watch(
    child: &mut Child,
    group: &Group,
    pipe: &Pipe,
    limits: &Limits,
    cancel: &Cancel,
    start: Instant,
) -> io::Result<(End, Duration, Option<u64>)> {
    let mut rss = None;
    let mut pause = Duration::from_millis(1);
    let ended_by = loop {
        if has_exited(group.pid())? {
            break None;
        }
        let resident = Resident::of(group.pid().as_raw_nonzero().get());
        rss = rss.max(resident.peak);
        if let Some(mib) = memory::is_over(group, resident.now, limits.memory_mib) {
            break Some(End::OutOfMemory { mib });
        }
        if cancel.is_cancelled() {
            break Some(End::Cancelled);
        }
        if pipe.overflowed() {
            break Some(End::TooMuchOutput);
        }
        let left = limits.timeout.map(|t| t.saturating_sub(start.elapsed()));
        if left == Some(Duration::ZERO) {
            break Some(End::TimedOut);
        }
        // Most programs end when they have written everything.
        pause = match pipe.wait(pause.min(left.unwrap_or(pause))) {
            true => Duration::from_millis(1),
            false => (pause * 2).min(Duration::from_millis(20)),
        };
    };
    if ended_by.is_some() {
        group.leaves();
        group.signal(Signal::TERM);
        let deadline = Instant::now() + limits.grace;
        while Instant::now() < deadline && !has_exited(group.pid())? {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    let elapsed = start.elapsed();
    group.signal(Signal::KILL);
    let status = child.wait()?;
    // The program may have ended because the signal to this process reached it, too.
    let cancelled = cancel.is_cancelled() && !status.success();
    let end = match ended_by {
        None if cancelled => End::Cancelled,
        None if pipe.overflowed() => End::TooMuchOutput,
        None => End::Exited(status),
        Some(end) => end,
    };
    Ok((end, elapsed, rss))
}

/// Runs a program like [`run`], and adds its usage; `runs` is the number of backend runs that it
/// counts as.
///
/// # Errors
/// If the program cannot be started.
pub(crate) fn measured<T, F>(
    invocation: &Invocation,
    cancel: &Cancel,
    (runs, usage): (u32, &mut Usage),
    read: F,
) -> Result<Ran<T>, Failure>
where
    T: Send,
    F: FnOnce(&mut dyn Read) -> T + Send,
{
    let ran = run(invocation, cancel, read).map_err(|e| Failure::Spawn {
        program: invocation.program.display().to_string(),
        message: e.to_string(),
    })?;
    usage.add(Usage {
        seconds: ran.elapsed.as_secs_f64(),
        max_rss_kib: ran.max_rss_kib,
        runs,
    });
    Ok(ran)
}

/// The exit status of a run that exited by itself; any other end is a failure.
///
/// # Errors
/// The failure for any other end. `timeout` is the limit of the whole job.
pub(crate) fn exit_status<T>(
    ran: &Ran<T>,
    timeout: Option<Duration>,
) -> Result<ExitStatus, Failure> {
    let limit = timeout.unwrap_or_default();
    match ran.end {
        // The limit of processor time in [`FRONT`] ended the process.
        End::Exited(status) if status.signal() == Some(SIGXCPU) => Err(Failure::Timeout { limit }),
        End::Exited(status) => Ok(status),
        End::TimedOut => Err(Failure::Timeout { limit }),
        End::Cancelled => Err(Failure::Cancelled),
        End::TooMuchOutput => Err(Failure::unparsable("it writes without end")),
        End::OutOfMemory { mib } => Err(Failure::MemoryOut { mib }),
    }
}

const SIGXCPU: i32 = 24;

/// The failure of a program that a signal ended or that could not be executed.
pub(crate) fn crash(status: ExitStatus, stderr: &str) -> Option<Failure> {
    let hint = match (status.signal(), status.code()) {
        (Some(9), _) => ", perhaps because the system has no memory left",
        (Some(_), _) | (_, Some(126 | 127 | 134 | 139)) => "",
        _ => return None,
    };
    Some(Failure::Crashed {
        status: format!("{status}{hint}"),
        stderr: stderr.to_owned(),
    })
}

/// Whether the process has ended; it is not reaped, so its number stays in use.
fn has_exited(pid: Pid) -> io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(pid), options) {
        Ok(status) => Ok(status.is_some()),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The sum of the peaks of all running backends, in KiB, for progress reports.
pub fn running_kib() -> u64 {
    let leaders = live::leaders().into_iter();
    leaders.filter_map(|pid| Resident::of(pid).peak).sum()
}

/// Collects standard error in a thread of its own, so that the child never blocks on it.
struct Stderr {
    kept: Arc<Mutex<HeadTail>>,
    /// Disconnected when there is no more.
    rest: mpsc::Receiver<()>,
}

impl Stderr {
    fn collect(stream: Option<impl Read + Send + 'static>) -> Self {
        let kept = Arc::new(Mutex::new(HeadTail::new(32 * 1024)));
        let (reading, rest) = mpsc::channel();
        if let Some(mut stream) = stream {
            let kept = Arc::clone(&kept);
            std::thread::spawn(move || {
                let _reading = reading;
                let mut buffer = [0u8; 8192];
                while let Ok(n @ 1..) = stream.read(&mut buffer) {
                    kept.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(&buffer[..n]);
                }
            });
        }
        Stderr { kept, rest }
    }

    /// The text so far; waits a moment for the rest, but not for a foreign process that holds the
    /// pipe.
    fn text(&self) -> String {
        let _ = self.rest.recv_timeout(Duration::from_secs(1));
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .text()
    }
}

#[cfg(test)]
mod tests;
