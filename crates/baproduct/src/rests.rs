//! Lists, for a person, the assumptions that verdicts of a woven program may rest on.

use std::fmt::Write as _;

use report::meaning;
use weave::record::{Record, RestRecord};

/// The assumptions of a woven program with their places; empty if it makes none.
pub fn text(record: &Record) -> String {
    let rests = record.rests_on.as_deref().unwrap_or_default();
    let irrelevant = rests.iter().filter(|r| !r.matters);
    let irrelevant = irrelevant.map(|r| (Some(r.kind), r.what.as_str(), r.places.as_slice()));
    let told = |one: &RestRecord| meaning::rest(Some(one.kind), &one.what, &one.places);
    let assumed = record.assumptions.iter().cloned();
    let relevant = rests.iter().filter(|r| r.matters).map(told);
    let lists = [
        (
            "Assumptions",
            assumed
                .chain(meaning::without_influence(irrelevant))
                .collect(),
        ),
        ("A verdict may rest on", relevant.collect::<Vec<String>>()),
    ];
    let mut text = String::new();
    for (title, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
        let between = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{between}{title}");
        for one in list {
            let _ = writeln!(text, "  {one}");
        }
    }
    text
}
