//! Tests that wide structures are few, each with a reason: a reader must know all fields, and a new
//! field concerns every pass that writes the structure.
//!
//! It counts the public fields of public structures in every crate. A test in weave says which of
//! its modules may write its wide structures.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

/// A structure with more public fields is wide.
const MANY_FIELDS: usize = 12;

/// The wide structures: crate, name and reason.
const WIDE: &[(&str, &str, &str)] = &[
    (
        "backend",
        "Capabilities",
        "a constant of each backend: a table",
    ),
    (
        "backend",
        "Job",
        "one run of a model checker as its command line has it; `verify` makes it at one place",
    ),
    (
        "backend",
        "Replay",
        "what a native run follows, which `verify` makes at one place",
    ),
    (
        "baproduct",
        "Weaving",
        "options of the command line, which clap writes",
    ),
    (
        "cfront",
        "Function",
        "a row of the library's table, written there alone",
    ),
    (
        "cfront",
        "Object",
        "a declared object, which the lowering of declarations writes",
    ),
    (
        "sequentialise",
        "Options",
        "how a program is made sequential: a choice each",
    ),
    (
        "verify",
        "Answer",
        "what is known of a property, as results have it",
    ),
    (
        "verify",
        "Options",
        "how a verification is run, which the command line says",
    ),
    (
        "verify",
        "TraceStep",
        "a row of a trace, written where steps are read",
    ),
    ("weave", "Call", "a row of the facts, written by `collect`"),
    (
        "weave",
        "Facts",
        "the facts of a program, written by `collect`",
    ),
    (
        "weave",
        "Function",
        "a row of the facts, written by `collect`",
    ),
    (
        "weave",
        "Object",
        "a row of the facts, written by `collect`",
    ),
    (
        "weave",
        "Options",
        "how a program is woven, which the command line says",
    ),
    (
        "weave",
        "Record",
        "what a woven program tells its readers, written by `emit`",
    ),
];

/// The public structures in a text, each with the number of its public fields.
fn structures(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut open: Option<(String, usize)> = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("pub struct ") {
            let name = rest.split(|c: char| !c.is_alphanumeric()).next();
            open = Some((name.unwrap_or_default().to_owned(), 0));
        } else if line == "}" {
            found.extend(open.take());
        } else if let Some((_, fields)) = &mut open {
            *fields += usize::from(line.starts_with("    pub "));
        }
    }
    found
}

fn collect(folder: &Path, of: &str, found: &mut BTreeMap<(String, String), usize>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, of, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for (name, fields) in structures(&text) {
                let known = found.entry((of.to_owned(), name)).or_default();
                *known = fields.max(*known);
            }
        }
    }
}

#[test]
fn wide_structures_are_few_and_known() {
    let mut all = BTreeMap::new();
    for (name, sources) in testing::crates() {
        collect(&sources, &name, &mut all);
    }
    assert!(all.len() > 200, "{}", all.len());
    let wide = all.iter().filter(|(_, fields)| **fields > MANY_FIELDS);
    let wide: Vec<(&str, &str)> = wide
        .map(|((of, name), _)| (of.as_str(), name.as_str()))
        .collect();
    let known: Vec<(&str, &str)> = WIDE.iter().map(|(of, name, _)| (*of, *name)).collect();
    assert_eq!(wide, known, "group its fields, or say here why it is wide");
}
