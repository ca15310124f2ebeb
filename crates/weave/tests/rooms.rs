//! The rooms of this crate have one order: an import never goes from a room to a later one.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

/// The rooms in their order: each reads the results of those before it.
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

/// The room of a file; `None` for the root of the crate.
fn room(file: &Path) -> Option<String> {
    let inside = file.strip_prefix(source()).unwrap();
    let first = inside.components().next().unwrap().as_os_str();
    let name = first.to_string_lossy();
    (!name.ends_with(".rs")).then(|| name.into_owned())
}

/// The names after `crate::` in a line of code.
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

/// The most public fields of a structure that several rooms may write.
const MANY_FIELDS: usize = 12;

/// The public structures of a text that have many public fields.
fn wide(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(String, usize)> = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("pub struct ") {
            let end = rest.find(|c: char| !c.is_alphanumeric());
            open = Some((rest[..end.unwrap_or(rest.len())].to_string(), 0));
        } else if line == "}" {
            found.extend(open.take().filter(|(_, fields)| *fields > MANY_FIELDS));
        } else if let Some((_, fields)) = &mut open {
            *fields += usize::from(line.starts_with("    pub "));
        }
    }
    found.into_iter().map(|(name, _)| name).collect()
}

/// Whether a text imports a structure of the facts, and constructs it or can change it.
fn writes(text: &str, name: &str) -> bool {
    let code: String = text.split("#[cfg(test)]").next().unwrap().to_string();
    let of_facts = |import: &&str| {
        let names = |c: char| !(c.is_alphanumeric() || c == '_');
        import.contains("crate::facts") && import.split(names).any(|word| word == name)
    };
    let imported = code.split("use ").skip(1).any(|rest| {
        let import = rest.split(';').next().unwrap_or_default();
        of_facts(&import)
    });
    let made = code.lines().any(|line| {
        let line = line.trim_start();
        let declares = [
            "impl",
            "pub struct",
            "struct",
            "fn",
            "pub fn",
            "pub(crate) fn",
        ];
        let declares = declares.iter().any(|word| line.starts_with(word));
        let made = [format!(" {name} {{"), format!("({name} {{")];
        let begins = line.starts_with(&format!("{name} {{"));
        (begins || !declares && made.iter().any(|text| line.contains(text)))
            || line.contains(&format!("&mut {name}"))
    });
    imported && made
}

/// A structure that many rooms read is constructed in one room; the others have a shared reference, so the
/// compiler rules out writes.
#[test]
fn wide_structures_are_written_in_one_room() {
    let mut found = Vec::new();
    files(&source(), &mut found);
    let texts: Vec<(String, String)> = found
        .iter()
        .filter_map(|file| Some((room(file)?, std::fs::read_to_string(file).unwrap())))
        .collect();
    let of_facts = texts.iter().filter(|(room, _)| room == "facts");
    let names: Vec<String> = of_facts.flat_map(|(_, text)| wide(text)).collect();
    assert!(names.contains(&"Facts".to_string()), "{names:?}");
    let mut writers = Vec::new();
    for name in &names {
        let written = texts.iter().filter(|(_, text)| writes(text, name));
        let rooms: std::collections::BTreeSet<&str> =
            written.map(|(room, _)| room.as_str()).collect();
        assert!(rooms.len() <= 1, "`{name}` is written in {rooms:?}");
        writers.extend(rooms.into_iter().map(|room| (name.as_str(), room)));
    }
    // The test does find the rooms that construct them.
    assert!(writers.contains(&("Facts", "collect")), "{writers:?}");
    assert!(writers.contains(&("Record", "emit")), "{writers:?}");
    let elsewhere = texts
        .iter()
        .filter(|(room, _)| !matches!(room.as_str(), "facts" | "layout"));
    for (room, text) in elsewhere {
        assert_eq!(wide(text), Vec::<String>::new(), "in {room}");
    }
}
