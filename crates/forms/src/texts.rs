//! Texts of the user's, as they are read from files.

use std::io::Read;
use std::path::Path;

use crate::failure::{Cause, Failure};

/// The name of an emitted file, and its text as bytes: string literals need not be UTF-8.
pub type Emitted = (String, Vec<u8>);

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a file; `-` is standard input.
///
/// # Errors
/// If the file cannot be read, as refused.
pub fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = if is_stdin(path) {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    bytes.map_err(|e| {
        Failure::error(
            Cause::Refused,
            format!("cannot read {}: {e}", path.display()),
        )
    })
}

/// Reads a file as text; `-` is standard input.
///
/// # Errors
/// If the file cannot be read or is no UTF-8, as refused.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(|e| {
        Failure::error(
            Cause::Refused,
            format!("{} is not UTF-8: {e}", path.display()),
        )
    })
}

/// Reads a list of properties. Comments of a C program may have another encoding: each byte that is
/// not UTF-8 becomes `?`, so that offsets stay the same.
///
/// # Errors
/// As [`read_text`].
pub fn read_list(path: &Path) -> anyhow::Result<String> {
    if !path.extension().is_some_and(|e| e == "c" || e == "i") {
        return read_text(path);
    }
    let source = cfront::source::Source::from_bytes(read_bytes(path)?);
    Ok(source.text)
}
