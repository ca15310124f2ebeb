//! Lists, for a person, the assumptions that verdicts of a woven program may rest on.

use std::fmt::Write as _;

use weave::record::{Record, RestKind, RestRecord};

/// The assumptions of a woven program with their places; empty if it makes none.
pub fn text(record: &Record) -> String {
    let mut text = String::new();
    if !record.assumptions.is_empty() {
        text.push_str("Assumptions\n");
        for assumption in &record.assumptions {
            let _ = writeln!(text, "  {assumption}");
        }
    }
    let rests = record.rests_on.as_deref().unwrap_or_default();
    let matter: Vec<&RestRecord> = rests.iter().filter(|r| r.matters).collect();
    if !matter.is_empty() {
        text.push_str("\nA verdict may rest on\n");
        for one in matter {
            let _ = writeln!(text, "  {}", sentence(one));
        }
    }
    let idle = rests.iter().filter(|r| !r.matters);
    let idle: Vec<String> = idle
        .map(|r| match r.kind {
            RestKind::Outside => format!("`{}`", r.what),
            RestKind::Narrow => format!("numbers that were pointers ({})", r.places.join(", ")),
            RestKind::Order => format!("the order in `{}` ({})", r.what, r.places.join(", ")),
        })
        .collect();
    if !idle.is_empty() {
        let _ = writeln!(
            text,
            "\nWithout influence on what the formulas speak of, and on where runs go: {}",
            idle.join(", ")
        );
    }
    text
}

fn sentence(rest: &RestRecord) -> String {
    let at = match rest.places.is_empty() {
        true => String::new(),
        false => format!(" ({})", rest.places.join(", ")),
    };
    match rest.kind {
        RestKind::Outside => format!(
            "what `{}` gives or stores, which has no body here{at}",
            rest.what
        ),
        RestKind::Narrow => format!("numbers that were pointers{at}"),
        RestKind::Order => format!("the order in which `{}` is evaluated{at}", rest.what),
    }
}
