//! The rooms of this crate stand in one order, and an import never goes from a room to a later one.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

/// The rooms, from left to right: what each gives is read by those behind it.
const ORDER: [&str; 11] = [
    "facts", "library", "collect", "bind", "analysis", "items", "monitor", "plan", "layout",
    "sites", "emit",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// The room of a file; nothing for the root of the crate.
fn room(file: &Path) -> Option<String> {
    let inside = file.strip_prefix(source()).unwrap();
    let first = inside.components().next().unwrap().as_os_str();
    let name = first.to_string_lossy();
    (!name.ends_with(".rs")).then(|| name.into_owned())
}

/// What a line of code names behind `crate::`.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    code.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        &rest[..end.unwrap_or(rest.len())]
    })
}

fn place(room: &str) -> Option<usize> {
    ORDER.iter().position(|known| *known == room)
}

#[test]
fn imports_go_from_left_to_right() {
    let (mut found, mut wrong, mut imports) = (Vec::new(), Vec::new(), 0);
    files(&source(), &mut found);
    for file in found {
        let Some(room) = room(&file) else { continue };
        let here = place(&room).unwrap_or_else(|| panic!("`{room}` has no place in the order"));
        for (number, line) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
            let mut tell = |why: &str| {
                wrong.push(format!("{}:{}: {why}: {line}", file.display(), number + 1));
            };
            if line.contains("super::super") {
                tell("name the room");
            }
            for name in named(line) {
                imports += 1;
                match place(name) {
                    Some(there) if there <= here => {}
                    Some(_) => tell("a later room"),
                    None => tell("no room"),
                }
            }
        }
    }
    assert!(imports > 200, "{imports}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
