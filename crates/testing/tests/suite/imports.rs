//! Tests that the files of a crate do not import each other in a circle: each can be read after
//! those it uses.
//!
//! It reads all paths that begin with `crate::`, `super::` or `self::`. A path leads to the file of
//! the longest module that it names. A parent's declaration (`mod x;`) or re-export (`pub use
//! x::Y;`) is no import of the child; tests are left out.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A module's path within its crate, without `crate`.
type Module = Vec<String>;

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    for (name, sources) in testing::crates() {
        let circles = circles(&imports(&sources));
        if !circles.is_empty() {
            wrong.push(format!("{name}: {circles:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Finds all files below a directory, each with its module.
fn files(directory: &Path, module: &Module, found: &mut BTreeMap<Module, PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            files(&path, &[&module[..], &[stem]].concat(), found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let own = match stem.as_str() {
                "lib" | "main" if module.is_empty() => Vec::new(),
                "mod" => module.clone(),
                _ => [&module[..], &[stem]].concat(),
            };
            found.insert(own, path);
        }
    }
}

/// The modules that each file imports.
fn imports(source: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut modules = BTreeMap::new();
    files(source, &Vec::new(), &mut modules);
    let tests = |module: &Module| {
        module
            .iter()
            .any(|m| m == "tests" || m == "testing" || m == "fingerprint")
    };
    modules.retain(|module, _| !tests(module));
    let of = |(module, path): (&Module, &PathBuf)| {
        let text = std::fs::read_to_string(path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let used = paths(&code(text), module)
            .into_iter()
            .filter_map(|path| file_of(&path, &modules))
            // The crate's root only declares modules and re-exports names, which every file may
            // use.
            .filter(|used| used != module && !used.is_empty())
            .collect();
        (module.clone(), used)
    };
    modules.iter().map(of).collect()
}

/// The text without comments and re-exports.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| {
        let line = line.trim_start();
        !line.starts_with("//") && !line.starts_with("pub use ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The module to which a path leads: the longest prefix that is a file.
fn file_of(path: &Module, modules: &BTreeMap<Module, PathBuf>) -> Option<Module> {
    let beginnings = (0..=path.len()).rev().map(|n| path[..n].to_vec());
    beginnings.into_iter().find(|m| modules.contains_key(m))
}

/// All paths in a text that begin with `crate`, `super` or `self`, lists in braces expanded, from
/// the crate's root.
fn paths(text: &str, module: &Module) -> Vec<Module> {
    let mut found = Vec::new();
    for (start, base) in [("crate::", None), ("super::", Some(1)), ("self::", Some(0))] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            let mut from: Module = match base {
                None => Vec::new(),
                Some(up) => module[..module.len().saturating_sub(up)].to_vec(),
            };
            let mut rest = &text[at + start.len()..];
            while let Some(more) = rest.strip_prefix("super::") {
                from.pop();
                rest = more;
            }
            spread(rest, &from, &mut found);
        }
    }
    found
}

/// Adds the path at the beginning of a text, or every path of its list.
fn spread(text: &str, from: &Module, found: &mut Vec<Module>) {
    let mut path = from.clone();
    let mut rest = text;
    loop {
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        if end > 0 {
            path.push(rest[..end].to_string());
        }
        match (
            rest[end..].strip_prefix("::"),
            rest[end..].strip_prefix('{'),
        ) {
            (Some(more), _) => rest = more,
            (None, Some(list)) if end == 0 => {
                for item in items(list) {
                    spread(item.trim_start(), &path, found);
                }
                return;
            }
            _ => break,
        }
    }
    found.push(path);
}

/// The items of a list up to its closing brace.
fn items(list: &str) -> Vec<&str> {
    let (mut depth, mut begin, mut found) = (0, 0, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                found.push(&list[begin..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&list[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.retain(|item| !item.trim().is_empty() && item.trim() != "self");
    found
}

/// The groups of files that import each other in a circle.
fn circles(imports: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<BTreeSet<String>> {
    let reach: BTreeMap<&Module, BTreeSet<&Module>> = imports
        .keys()
        .map(|from| {
            let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
            while let Some(next) = left.pop().and_then(|m| imports.get(m)) {
                left.extend(next.iter().filter(|m| seen.insert(*m)));
            }
            (from, seen)
        })
        .collect();
    let mut found = BTreeSet::new();
    for (from, seen) in &reach {
        let mut group: BTreeSet<String> = seen
            .iter()
            .filter(|m| reach[*m].contains(from))
            .map(|m| m.join("::"))
            .collect();
        if seen.contains(from) {
            group.insert(from.join("::"));
            found.insert(group);
        }
    }
    found.into_iter().collect()
}

#[test]
fn paths_of_lists_are_found() {
    let module = vec!["a".to_string(), "b".to_string()];
    let text =
        "use crate::{c::D, e::{f, g::H}};\nuse super::k::L;\nfn x() { super::super::m::n() }\n";
    let found: BTreeSet<String> = paths(text, &module).iter().map(|p| p.join("::")).collect();
    let wanted = ["a::k::L", "c::D", "e::f", "e::g::H", "m::n"];
    assert_eq!(found, wanted.iter().map(|s| s.to_string()).collect());
}
