//! The files on which a result depends, and which of them have been saved.
//!
//! Directories are watched, not files: editors write a new file beside the old one and rename it. A
//! file counts as saved if its content has changed, so other files in its directory and saves
//! without a change are ignored. Where the operating system reports no events, the files' times are
//! polled.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use sha2::{Digest, Sha256};

/// Files count as saved after this time without an event: an editor writes in several steps, and
/// saves several files one after the other.
const SETTLED: Duration = Duration::from_millis(60);

/// The longest wait for such a pause.
const IMPATIENT: Duration = Duration::from_secs(1);

/// How often the times of the files are polled, with or without events.
const LOOK: Duration = Duration::from_millis(700);

/// Modification time and length; `None` if the file does not exist.
type Stamp = Option<(SystemTime, u64)>;

/// The state of a file when it was last read.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    stamp: Stamp,
    digest: Option<Vec<u8>>,
}

/// The watched files.
pub struct Watched {
    /// The files named on the command line.
    named: BTreeSet<PathBuf>,
    files: BTreeMap<PathBuf, Seen>,
    /// The source of events; `None` if the operating system offers none.
    watcher: Option<RecommendedWatcher>,
    events: Receiver<()>,
    directories: BTreeSet<PathBuf>,
    looked: Instant,
}

impl Watched {
    /// Watches these files. Without events from the operating system, their times are polled.
    pub fn of(named: Vec<PathBuf>) -> Watched {
        let (tell, events) = mpsc::channel();
        let watcher = notify::recommended_watcher(move |_| {
            // Sending fails when the receiver is gone, at the end.
            let _ = tell.send(());
        });
        let mut watched = Watched {
            named: named.into_iter().collect(),
            files: BTreeMap::new(),
            watcher: watcher.ok(),
            events,
            directories: BTreeSet::new(),
            looked: Instant::now(),
        };
        watched.depends_on(Vec::new(), SystemTime::now());
        watched
    }

    /// Watches the files of the command line and `others`, which a verification began to read at
    /// `since`. A newly watched file that was written after `since` counts as saved.
    pub fn depends_on(&mut self, others: Vec<PathBuf>, since: SystemTime) {
        let wanted: BTreeSet<PathBuf> = self.named.iter().cloned().chain(others).collect();
        self.files.retain(|path, _| wanted.contains(path));
        let later = |stamp: Stamp| stamp.is_some_and(|(time, _)| time > since);
        for path in wanted {
            self.watch_directory(&path);
            let read = |path: &Path| match seen(path) {
                seen if later(seen.stamp) => Seen {
                    stamp: None,
                    digest: None,
                },
                seen => seen,
            };
            let entry = self.files.entry(path.clone());
            entry.or_insert_with(|| read(&path));
        }
    }

    fn watch_directory(&mut self, path: &Path) {
        let directory = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if self.directories.insert(directory.to_path_buf()) {
            if let Some(watcher) = &mut self.watcher {
                // If this fails, polling still finds the changes.
                let _ = watcher.watch(directory, RecursiveMode::NonRecursive);
            }
        }
    }

    /// The watched files, in order.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Waits until files are saved and returns them; `None` if this process was told to end.
    pub fn next(&mut self) -> Option<Vec<PathBuf>> {
        while backend::interrupted().is_none() {
            if let Some(saved) = self.saved_within(Duration::from_millis(50)) {
                return Some(saved);
            }
        }
        None
    }

    /// The files whose content has changed, if an event or a poll within `time` reports a change.
    pub fn saved_within(&mut self, time: Duration) -> Option<Vec<PathBuf>> {
        let happened = match self.events.recv_timeout(time) {
            Ok(()) => true,
            Err(RecvTimeoutError::Timeout) => false,
            // Without a watcher, `recv_timeout` returns at once.
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(time);
                false
            }
        };
        if !happened && !self.looks_changed() {
            return None;
        }
        let start = Instant::now();
        while start.elapsed() < IMPATIENT && self.events.recv_timeout(SETTLED).is_ok() {}
        self.changed()
    }

    /// Whether the time or length of some file has changed; polls at most once per `LOOK`.
    fn looks_changed(&mut self) -> bool {
        if self.looked.elapsed() < LOOK {
            return false;
        }
        self.looked = Instant::now();
        let mut all = self.files.iter();
        all.any(|(path, seen)| stamp(path) != seen.stamp)
    }

    /// The files whose content has changed. A missing file may be about to be renamed into place:
    /// it counts when it exists again.
    fn changed(&mut self) -> Option<Vec<PathBuf>> {
        let mut saved = Vec::new();
        for (path, before) in &mut self.files {
            let now = seen(path);
            if now.digest.is_some() && now.digest != before.digest {
                saved.push(path.clone());
            }
            if now.digest.is_some() {
                *before = now;
            }
        }
        (!saved.is_empty()).then_some(saved)
    }
}

fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

fn seen(path: &Path) -> Seen {
    let stamp = stamp(path);
    let content = std::fs::read(path).ok();
    Seen {
        stamp,
        digest: content.map(|bytes| Sha256::digest(bytes).to_vec()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Waits until a file is saved, for 20 seconds at most.
    fn next(watched: &mut Watched) -> Vec<PathBuf> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(20) {
            if let Some(saved) = watched.saved_within(Duration::from_millis(50)) {
                return saved;
            }
        }
        Vec::new()
    }

    #[test]
    fn a_save_is_a_new_content_however_it_comes() {
        let dir = tempfile::tempdir().unwrap();
        let (file, other) = (dir.path().join("a.c"), dir.path().join("a.h"));
        std::fs::write(&file, "1").unwrap();
        std::fs::write(&other, "1").unwrap();
        for told in [true, false] {
            let mut watched = Watched::of(vec![file.clone()]);
            watched.depends_on(vec![other.clone()], SystemTime::now());
            if !told {
                watched.watcher = None;
            }
            std::fs::write(&file, format!("in place {told}")).unwrap();
            assert_eq!(next(&mut watched), std::slice::from_ref(&file));
            // Editors rename a new file over the old one.
            let new = dir.path().join(".a.h.swp");
            std::fs::write(&new, format!("renamed {told}")).unwrap();
            std::fs::rename(&new, &other).unwrap();
            assert_eq!(next(&mut watched), std::slice::from_ref(&other));
            // Another file's save is ignored, and so is a save that changes nothing.
            std::fs::write(dir.path().join("b.c"), "1").unwrap();
            std::fs::write(&file, format!("in place {told}")).unwrap();
            assert_eq!(watched.saved_within(Duration::from_millis(900)), None);
            assert_eq!(watched.saved_within(Duration::from_millis(900)), None);
        }
    }
}
