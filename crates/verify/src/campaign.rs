//! Campaigns: many programs, specifications, bounds and backends, as a list of independent tasks
//! that can run in any order, anywhere, and more than once.
//!
//! A task is one command line. Its id is a hash of the command and of the contents of all its
//! inputs, so a task with the same inputs need not run again.

mod manifest;
mod summary;

pub use manifest::{Case, Manifest, Slurm};
pub use summary::{Count, Outcome, Summary, TaskResult};

use std::path::{Path, PathBuf};

use crate::store::Key;

/// A unit of work: one program with one specification on one backend, at all bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Hash of the command and the contents of its inputs, in hexadecimal digits.
    pub id: String,
    /// The case's name.
    pub name: String,
    /// `cbmc` or `esbmc`.
    pub backend: String,
    /// The arguments of `baproduct`, without those that say where to write results.
    pub arguments: Vec<String>,
}

/// An input that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {error}", path.display())]
pub struct Unreadable {
    /// The file.
    pub path: PathBuf,
    /// The system's error.
    pub error: std::io::Error,
}

/// The tasks of a manifest; its relative paths start at `directory`. The id does not cover headers:
/// if only a header has changed, the state directory has to be removed.
///
/// # Errors
/// The first input that cannot be read.
pub fn tasks(manifest: &Manifest, directory: &Path) -> Result<Vec<Task>, Unreadable> {
    let mut tasks = Vec::new();
    for case in &manifest.cases {
        let inputs = case.inputs(directory);
        let mut contents = Key::default();
        for path in &inputs {
            let read = std::fs::read(path);
            contents = contents.with(read.map_err(|error| Unreadable {
                path: path.clone(),
                error,
            })?);
        }
        for backend in case.backends.as_ref().unwrap_or(&manifest.backends) {
            let arguments = case.arguments(manifest, backend, directory);
            let key = arguments.iter().fold(contents, Key::with);
            tasks.push(Task {
                id: key.with(env!("CARGO_PKG_VERSION")).digits(),
                name: case.name(),
                backend: backend.clone(),
                arguments,
            });
        }
    }
    Ok(tasks)
}

#[cfg(test)]
mod tests;
