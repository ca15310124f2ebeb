//! Writing results: files atomically and never over an input, or to standard output.

use std::fmt::Display;
use std::fs::{Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use forms::{Cause, Failure};
use tempfile::NamedTempFile;

#[cfg(test)]
pub use crate::notes::captured;
pub use crate::notes::tell;

/// The permissions of a new file, before the umask.
const NEW_FILE: u32 = 0o666;

/// Refuses an output that is an input (under any name) or another output: the file would be lost.
/// `-` is no file.
///
/// # Errors
/// The first such output, as wrong usage.
pub fn apart<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> anyhow::Result<()> {
    let identity = |path: &Path| match path == Path::new("-") {
        true => None,
        false => std::fs::metadata(path).ok().filter(Metadata::is_file),
    };
    let inputs: Vec<(&Path, Metadata)> = inputs
        .into_iter()
        .filter_map(|path| Some((path, identity(path)?)))
        .collect();
    let mut seen: Vec<&Path> = Vec::new();
    for output in outputs {
        let usage = |message: String| Err(Failure::error(Cause::Usage, message));
        if seen.contains(&output) && output != Path::new("-") {
            return usage(format!(
                "two outputs would go to {}; give one of them another name",
                output.display()
            ));
        }
        seen.push(output);
        let Some(found) = identity(output) else {
            continue;
        };
        let same = |of: &Metadata| (of.dev(), of.ino()) == (found.dev(), found.ino());
        if let Some((input, _)) = inputs.iter().find(|(_, of)| same(of)) {
            return usage(match *input == output {
                true => format!(
                    "{} is an input and would be overwritten; give the output another name",
                    output.display()
                ),
                false => format!(
                    "{} is the input {} and would be overwritten; give the output another name",
                    output.display(),
                    input.display()
                ),
            });
        }
    }
    Ok(())
}

/// Writes a temporary file beside `path` and renames it, so that there is never half a file.
///
/// # Errors
/// If the file cannot be written; the old content is unchanged then.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_all(&[(path, bytes)])
}

/// Writes several files and renames them only after all are written. Devices and pipes are written
/// directly, and a symbolic link stays a link.
///
/// # Errors
/// The first file that cannot be written.
pub fn write_all(files: &[(&Path, &[u8])]) -> anyhow::Result<()> {
    let fail = |path: &Path, why: &dyn Display| {
        Failure::error(
            Cause::Other,
            format!("cannot write {}: {why}", path.display()),
        )
    };
    let mut written: Vec<(&Path, PathBuf, NamedTempFile)> = Vec::new();
    for &(path, bytes) in files {
        let there = std::fs::metadata(path).ok();
        match &there {
            Some(found) if found.is_dir() => return Err(fail(path, &"it is a directory")),
            Some(found) if !found.is_file() => {
                let open = OpenOptions::new().write(true).open(path);
                open.and_then(|mut device| device.write_all(bytes))
                    .map_err(|e| fail(path, &e))?;
                continue;
            }
            _ => {}
        }
        let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let file = temporary(&place, bytes, there.as_ref()).map_err(|e| fail(path, &e))?;
        written.push((path, place, file));
    }
    for (path, place, file) in written {
        file.persist(&place).map_err(|e| fail(path, &e.error))?;
    }
    Ok(())
}

/// A temporary file beside its final place, with the permissions of the old file or of a new one.
fn temporary(place: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let directory = match place.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // The plain system error: the name of the temporary file would not help the user.
    let plain = |e: io::Error| match e.get_ref() {
        Some(_) => io::Error::from(e.kind()),
        None => e,
    };
    let mut file = tempfile::Builder::new()
        .prefix(".baproduct-")
        .permissions(Permissions::from_mode(NEW_FILE))
        .tempfile_in(directory)
        .map_err(plain)?;
    file.write_all(bytes).map_err(plain)?;
    file.as_file().sync_all().map_err(plain)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}

/// Makes a directory for results unless it exists.
///
/// # Errors
/// If the directory cannot be made.
pub fn make_directory(path: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(path).map_err(|e| {
        let message = format!("cannot make the directory {}: {e}", path.display());
        Failure::error(Cause::Other, message)
    })
}

/// Writes a result to standard output.
///
/// # Errors
/// If writing fails; [`crate::exit::report`] treats a broken pipe as success.
pub fn print(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .context("cannot write to standard output")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn several_files_are_written_all_or_none() {
        let dir = tempfile::tempdir().unwrap();
        let (first, second) = (dir.path().join("a"), dir.path().join("b"));
        std::fs::write(&first, "old").unwrap();
        std::fs::create_dir(&second).unwrap();
        assert!(write_all(&[(&first, b"new"), (&second, b"new")]).is_err());
        assert_eq!(std::fs::read_to_string(&first).unwrap(), "old");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[test]
    fn an_old_file_keeps_its_access_and_a_link_stays_one() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        std::fs::write(&file, "old").unwrap();
        std::fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        let mode = std::fs::metadata(&file).unwrap().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn outputs_are_told_from_inputs_whatever_they_are_called() {
        let dir = tempfile::tempdir().unwrap();
        let (input, link, new) = (
            dir.path().join("input"),
            dir.path().join("link"),
            dir.path().join("new"),
        );
        std::fs::write(&input, "").unwrap();
        std::fs::hard_link(&input, &link).unwrap();
        let inputs = || [input.as_path()];
        assert!(apart([new.as_path()], inputs()).is_ok());
        assert!(apart([Path::new("-"), Path::new("-")], inputs()).is_ok());
        for bad in [[new.as_path(), &input], [&new, &link], [&new, &new]] {
            let error = apart(bad, inputs()).unwrap_err();
            let cause = error.downcast_ref::<Failure>().unwrap().cause;
            assert_eq!(cause, Cause::Usage);
        }
    }
}
