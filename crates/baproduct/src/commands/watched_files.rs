//! The list of files on which a verification depends: `verify` writes it, `watch` reads it.

use std::path::{Path, PathBuf};

use crate::outputs;

/// The name of the file that holds the list.
pub const FILES: &str = "files.json";

/// Writes the files of the specification and of the program into the list.
///
/// # Errors
/// If the list cannot be written.
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
