//! Directories for temporary files that are removed even if this process is killed.
//!
//! Each directory has a file that its process keeps locked. The system releases the lock when the
//! process ends in any way, so a directory with a free lock is abandoned, and the next program that
//! creates one removes it.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Once;
use std::time::{Duration, SystemTime};

use rustix::fs::{flock, FlockOperation};
use tempfile::TempDir;

/// The prefix of all temporary directories' names.
const PREFIX: &str = "baproduct-";

/// The file whose lock shows that the directory is in use.
const LOCK: &str = ".in-use";

/// A directory younger than this is never removed: its process may be about to lock it.
const YOUNG: Duration = Duration::from_secs(60);

/// A directory for temporary files, removed with this value, or, if this process is killed, by the
/// next program that creates one.
#[derive(Debug)]
pub struct Scratch {
    directory: TempDir,
    /// Holds the lock. `None` if the file system has no locks: nobody then removes the directory.
    _lock: Option<File>,
}

impl Scratch {
    /// Creates a directory that only this user can read. The first call in a process also removes
    /// what killed processes left behind.
    ///
    /// # Errors
    /// If no directory can be created.
    pub fn new() -> io::Result<Scratch> {
        static SWEPT: Once = Once::new();
        let above = std::env::temp_dir();
        SWEPT.call_once(|| sweep(&above, SystemTime::now()));
        Scratch::in_directory(&above)
    }

    fn in_directory(above: &Path) -> io::Result<Scratch> {
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(above)?;
        let lock = File::create(directory.path().join(LOCK))?;
        let locked = flock(&lock, FlockOperation::NonBlockingLockShared).is_ok();
        Ok(Scratch {
            directory,
            _lock: locked.then_some(lock),
        })
    }

    /// The directory's path.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// Removes abandoned directories of this user. Directories that cannot be read or removed stay.
fn sweep(above: &Path, now: SystemTime) {
    let user = rustix::process::geteuid().as_raw();
    for entry in std::fs::read_dir(above).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        // The metadata of a symbolic link is that of the link, which is no directory.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        let age = |time: SystemTime| now.duration_since(time).unwrap_or_default();
        let old = metadata.modified().is_ok_and(|time| age(time) >= YOUNG);
        if metadata.is_dir() && metadata.uid() == user && old && is_abandoned(&entry.path()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether the lock is free. A directory without the lock file does not count as abandoned.
fn is_abandoned(directory: &Path) -> bool {
    let lock = File::open(directory.join(LOCK));
    lock.is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok())
}

/// Writes an executable file in another process. If this one wrote it, a child that another thread starts at that moment
/// would hold it open, and it could not be executed.
pub(crate) fn write_program(path: &Path, text: &str) -> io::Result<()> {
    let mut shell = Command::new("sh")
        .args(["-c", "cat >\"$1\" && chmod 700 \"$1\"", "sh"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = shell.stdin.take() {
        stdin.write_all(text.as_bytes())?;
    }
    match shell.wait()?.success() {
        true => Ok(()),
        false => Err(io::Error::other("the shell cannot write it")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_used_stays_and_what_was_left_goes() {
        let above = tempfile::tempdir().unwrap();
        let used = Scratch::in_directory(above.path()).unwrap();
        let left = above.path().join("baproduct-left");
        let other = above.path().join("baproduct-others");
        for directory in [&left, &other] {
            std::fs::create_dir_all(directory.join("within")).unwrap();
        }
        std::fs::write(left.join(LOCK), "").unwrap();
        sweep(above.path(), SystemTime::now());
        assert!(left.exists(), "it may be about to be locked");
        sweep(above.path(), SystemTime::now() + 2 * YOUNG);
        assert!(!left.exists());
        assert!(used.path().exists() && other.exists());
        let path = used.path().to_owned();
        drop(used);
        assert!(!path.exists());
    }
}
