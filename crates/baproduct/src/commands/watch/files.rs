//! The files that a result depends on, and what is saved among them.
//!
//! Directories are watched, not files: editors write a new file beside the old one and rename it. What tells is
//! the content, so that files that come and go beside them and saves without a change are nobody's business. Where
//! the system tells nothing, a look at the files' times does.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use sha2::{Digest, Sha256};

/// So long nothing happens any more before files count as saved: an editor writes in several steps, and saves
/// several files one after the other.
const SETTLED: Duration = Duration::from_millis(60);

/// At most so long that is waited for.
const IMPATIENT: Duration = Duration::from_secs(1);

/// How often the times of files are looked at, whatever the system tells.
const LOOK: Duration = Duration::from_millis(700);

/// Time of the last change and length; nothing for a file that is not there.
type Stamp = Option<(SystemTime, u64)>;

/// A file as it was.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    stamp: Stamp,
    digest: Option<Vec<u8>>,
}

/// The files.
pub struct Watched {
    /// Those of the command line.
    named: BTreeSet<PathBuf>,
    files: BTreeMap<PathBuf, Seen>,
    /// What the system tells of; nothing where it cannot.
    watcher: Option<RecommendedWatcher>,
    events: Receiver<()>,
    directories: BTreeSet<PathBuf>,
    looked: Instant,
}

impl Watched {
    /// Watches these files. Where the system cannot tell of changes, they are looked at.
    pub fn of(named: Vec<PathBuf>) -> Watched {
        let (tell, events) = mpsc::channel();
        let watcher = notify::recommended_watcher(move |_| {
            // Nobody listens any more at the end.
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

    /// Watches the files of the command line and these, which somebody began to read at a time: those that were
    /// written later and were not watched before count as saved.
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
                // Files are looked at now and then, too.
                let _ = watcher.watch(directory, RecursiveMode::NonRecursive);
            }
        }
    }

    /// What is watched, in order.
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Waits for a save; nothing if this process is told to end.
    pub fn next(&mut self) -> Option<Vec<PathBuf>> {
        while backend::interrupted().is_none() {
            if let Some(saved) = self.saved_within(Duration::from_millis(50)) {
                return Some(saved);
            }
        }
        None
    }

    /// The files that have another content than before, if something happens within a time.
    pub fn saved_within(&mut self, time: Duration) -> Option<Vec<PathBuf>> {
        let happened = match self.events.recv_timeout(time) {
            Ok(()) => true,
            Err(RecvTimeoutError::Timeout) => false,
            // Without a watcher this returns at once.
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

    /// Whether the times of some file are others than before, which is asked now and then.
    fn looks_changed(&mut self) -> bool {
        if self.looked.elapsed() < LOOK {
            return false;
        }
        self.looked = Instant::now();
        let mut all = self.files.iter();
        all.any(|(path, seen)| stamp(path) != seen.stamp)
    }

    /// The files with another content than before. A file that is gone may be on its way back: it counts when it
    /// is there again.
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

    /// Waits until something is saved, for some seconds at most.
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
            // As editors do: a new file that takes the place of the old one.
            let new = dir.path().join(".a.h.swp");
            std::fs::write(&new, format!("renamed {told}")).unwrap();
            std::fs::rename(&new, &other).unwrap();
            assert_eq!(next(&mut watched), std::slice::from_ref(&other));
            // Another one's business, and a save that changes nothing.
            std::fs::write(dir.path().join("b.c"), "1").unwrap();
            std::fs::write(&file, format!("in place {told}")).unwrap();
            assert_eq!(watched.saved_within(Duration::from_millis(900)), None);
            assert_eq!(watched.saved_within(Duration::from_millis(900)), None);
        }
    }
}
