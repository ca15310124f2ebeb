//! `compile_commands.json`: the flags with which a build compiles each C file. In: a compilation
//! database; out: the flags that preprocessing and the meaning of the program need.

use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use crate::failure::{Cause, Failure};

/// The parts of an entry that preprocessing needs.
pub struct Entry {
    /// The file, relative to the current directory.
    pub file: PathBuf,
    /// The value of `-std=`, if the entry has the flag.
    pub std: Option<String>,
    /// Macros and include paths, in order, relative to the current directory.
    pub arguments: Vec<String>,
    /// Whether signed arithmetic wraps around (`-fwrapv`).
    pub wraps: bool,
    /// The name of the compiler if it is clang.
    pub clang: Option<String>,
}

#[derive(Deserialize)]
struct Wire {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// Reads a compilation database. If several entries name one file, the first one counts.
///
/// # Errors
/// If the file cannot be read, is no compilation database, or has a flag that changes the meaning
/// of the program.
pub fn read(path: &Path) -> anyhow::Result<Vec<Entry>> {
    let refuse = |message: String| {
        let path = path.display();
        Failure::error(Cause::Refused, format!("{path}: {message}"))
    };
    let text = std::fs::read_to_string(path).map_err(|e| refuse(e.to_string()))?;
    let list: Vec<Wire> = serde_json::from_str(&text).map_err(|e| refuse(e.to_string()))?;
    let mut entries: Vec<Entry> = Vec::new();
    for wire in list {
        let entry = entry(&wire, path).map_err(refuse)?;
        let is_c = entry.file.extension().is_some_and(|e| e == "c");
        if is_c && find(&entries, &entry.file).is_none() {
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// Finds the entry of a file.
pub fn find<'a>(entries: &'a [Entry], file: &Path) -> Option<&'a Entry> {
    let wanted = absolute(file);
    entries.iter().find(|e| absolute(&e.file) == wanted)
}

fn entry(wire: &Wire, database: &Path) -> Result<Entry, String> {
    let base = database.parent().unwrap_or(Path::new(""));
    let directory = base.join(&wire.directory);
    let words = match (&wire.arguments, &wire.command) {
        (Some(words), _) => words.clone(),
        (None, Some(command)) => shlex::split(command)
            .ok_or_else(|| format!("a quote is not closed in the command `{command}`"))?,
        (None, None) => Vec::new(),
    };
    let file = near(&directory.join(&wire.file));
    let mut entry = Entry {
        std: None,
        arguments: Vec::new(),
        wraps: false,
        clang: words.first().filter(|word| is_clang(word)).cloned(),
        file,
    };
    let mut words = words.into_iter().skip(1).peekable();
    while let Some(word) = words.next() {
        if let Some(std) = word.strip_prefix("-std=") {
            entry.std = Some(std.to_string());
        } else if word == "-ansi" {
            entry.std = Some("c90".to_string());
        } else if let Some(flag) = PATHS.iter().find(|f| word.starts_with(**f)) {
            let value = match word.len() == flag.len() {
                true => words.next().unwrap_or_default(),
                false => word[flag.len()..].to_string(),
            };
            let value = near(&directory.join(value)).to_string_lossy().into_owned();
            entry.arguments.extend([flag.to_string(), value]);
        } else if let Some(flag) = MACROS.iter().find(|f| word.starts_with(**f)) {
            let value = match word.len() == flag.len() {
                true => words.next().unwrap_or_default(),
                false => word[flag.len()..].to_string(),
            };
            entry.arguments.push(format!("{flag}{value}"));
        } else if KEPT.contains(&word.as_str()) {
            entry.arguments.push(word);
        } else if word == "-fwrapv" || word == "-fno-strict-overflow" {
            entry.wraps = true;
        } else if changes_meaning(&word) {
            let file = entry.file.display();
            return Err(format!(
                "{file} is compiled with `{word}`, which changes what the program means; this is not supported"
            ));
        } else if word == "-o" || word == "-x" || word == "-MF" || word == "-MT" || word == "-MQ" {
            words.next();
        }
    }
    Ok(entry)
}

/// Whether `word` is called `clang`, possibly followed by a version.
fn is_clang(word: &str) -> bool {
    let name = Path::new(word).file_name().and_then(|name| name.to_str());
    let version = name.and_then(|name| name.strip_prefix("clang"));
    version.is_some_and(|v| v.bytes().all(|b| b.is_ascii_digit() || b"-.".contains(&b)))
}

/// Flags that take a path; of two flags with the same beginning, the longer one comes first.
const PATHS: [&str; 7] = [
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-I",
    "--sysroot=",
];

/// Flags that change predefined macros. Of the flags on the sign of `char`, the last one counts.
const KEPT: [&str; 6] = [
    "-pthread",
    "-fopenmp",
    "-funsigned-char",
    "-fsigned-char",
    "-fno-unsigned-char",
    "-fno-signed-char",
];

/// Flags that take a macro.
const MACROS: [&str; 2] = ["-D", "-U"];

/// Whether a flag makes types or arithmetic differ from the assumed data model.
fn changes_meaning(word: &str) -> bool {
    matches!(
        word,
        "-m32" | "-mx32" | "-m16" | "-fshort-enums" | "-fshort-wchar" | "-ftrapv"
    ) || word.starts_with("-fpack-struct")
}

/// A path without `.` and `..`, relative to the current directory if it lies inside.
fn near(path: &Path) -> PathBuf {
    let whole = absolute(path);
    match std::env::current_dir().map(|here| whole.strip_prefix(here).map(Path::to_path_buf)) {
        Ok(Ok(near)) if near.as_os_str().is_empty() => PathBuf::from("."),
        Ok(Ok(near)) => near,
        _ => whole,
    }
}

fn absolute(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in std::env::current_dir()
        .unwrap_or_default()
        .join(path)
        .components()
    {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(
            shlex::split(r#"gcc -DA="b c" '-DD=\"x\"' e\ f  -I "" "#),
            Some(
                ["gcc", "-DA=b c", r#"-DD=\"x\""#, "e f", "-I", ""]
                    .map(str::to_owned)
                    .to_vec()
            )
        );
    }

    #[test]
    fn flags_of_the_preprocessor_are_kept() {
        let wire = Wire {
            directory: "sub".into(),
            file: "a.c".into(),
            arguments: None,
            command: Some(
                "cc -O2 -Wall -I../inc -D X=1 -UY -std=c99 -isystem sys -c a.c -o a.o".into(),
            ),
        };
        let entry =
            entry(&wire, Path::new("compile_commands.json")).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(entry.file, Path::new("sub/a.c"));
        assert_eq!(entry.std.as_deref(), Some("c99"));
        assert_eq!(
            entry.arguments,
            ["-I", "inc", "-DX=1", "-UY", "-isystem", "sub/sys"]
        );
    }

    #[test]
    fn flags_that_change_types_are_refused() {
        let wire = Wire {
            directory: ".".into(),
            file: "a.c".into(),
            arguments: Some(vec!["cc".into(), "-m32".into(), "a.c".into()]),
            command: None,
        };
        let refused = entry(&wire, Path::new("db.json"));
        assert!(refused.is_err_and(|e| e.contains("-m32")));
    }
}
