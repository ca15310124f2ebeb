//! The list of files that a verification depends on, which `watch` reads.

use std::path::{Path, PathBuf};

use crate::outputs;

/// The file in which a verification tells what it depends on.
pub const FILES: &str = "files.json";

/// Tells which files a verification depends on.
///
/// # Errors
/// Where the list cannot be written.
pub fn tell_files(
    directory: &Path,
    specification: &[PathBuf],
    program: &[String],
) -> anyhow::Result<()> {
    let all: Vec<PathBuf> = specification
        .iter()
        .cloned()
        .chain(program.iter().map(PathBuf::from))
        .collect();
    let text = serde_json::to_string(&all)?;
    outputs::write_atomically(&directory.join(FILES), text.as_bytes())
}
