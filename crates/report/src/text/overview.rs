//! One table of all properties, for results with too many properties for a paragraph each.

use super::style::Paint;
use super::{colour_of, Options};
use ltl::Expectation;
use unicode_width::UnicodeWidthStr;
use verify::result::{PropertyResult, Verdict, VerifyResult};

/// From this number of properties on, the report ends with the table.
const TABLE_FROM: usize = 5;

/// With more properties than this, the table replaces the paragraphs.
const PARAGRAPHS_UP_TO: usize = 10;

/// The greatest width of a name.
const MAX_NAME: usize = 32;

/// The widths of the columns with fixed texts.
const HOLDS: usize = 7;
const VACUOUS: usize = 7;

/// Whether a property gets its own paragraph.
pub(super) fn in_words(
    property: &PropertyResult,
    result: &VerifyResult,
    options: &Options,
) -> bool {
    result.properties.len() <= PARAGRAPHS_UP_TO || options.verbose || !property.run.trace.is_empty()
}

/// The lines of the table, heading first; empty if there are too few properties.
pub(super) fn rows(result: &VerifyResult, paint: &Paint) -> Vec<String> {
    if result.properties.len() < TABLE_FROM {
        return Vec::new();
    }
    let properties = || result.properties.iter();
    let verdicts: Vec<String> = properties().map(|p| verdict_in_words(p, paint)).collect();
    let names: Vec<String> = properties().map(|p| paint.clean(&p.asked.name)).collect();
    let expected: Vec<String> = properties().map(expectation).collect();
    let widest = |texts: &[String], heading: &str| {
        let widest = texts.iter().map(|t| t.width()).max().unwrap_or(0);
        widest.max(heading.width())
    };
    let name = widest(&names, "property").min(MAX_NAME);
    let verdict = widest(&verdicts, "verdict");
    let expect = match expected.iter().all(String::is_empty) {
        true => 0,
        false => widest(&expected, "expected"),
    };
    let vacuous = properties().any(|p| !p.answer.vacuity.parts.is_empty());
    let line = |n: &str, v: &str, [evidence, holds, parts]: [&str; 3], e: &str, rest: &str| {
        let mut line = format!("{}  {}  ", paint.fit(n, name), v);
        line += &paint.fit(evidence, 9);
        line += &format!("  {}", paint.fit(holds, HOLDS));
        if vacuous {
            line += &format!("  {}", paint.fit(parts, VACUOUS));
        }
        if expect > 0 {
            line += &format!("  {}", paint.fit(e, expect));
        }
        let used = name + verdict + 15 + HOLDS;
        let used = used + if vacuous { VACUOUS + 2 } else { 0 };
        let used = used + if expect > 0 { expect + 2 } else { 0 };
        let room = paint.options.width.saturating_sub(used + 2);
        format!("{line}  {}", paint.fit(rest, room))
    };
    let heading = line(
        "property",
        &paint.fit("verdict", verdict),
        ["evidence", "holds", "vacuous"],
        "expected",
        "formula",
    );
    let mut lines = vec![paint.faint(heading.trim_end())];
    for (i, property) in result.properties.iter().enumerate() {
        let v = paint.in_colour(colour_of(property), &verdicts[i]);
        let v = v + &" ".repeat(verdict.saturating_sub(verdicts[i].width()));
        let evidence = property.answer.evidence.map_or("", |e| e.name());
        let vacuous = match property.answer.vacuity.parts.is_empty() {
            true => "",
            false => "vacuous",
        };
        let formula = match (&property.answer.reason, property.answer.verdict) {
            (Some(reason), Verdict::Unknown) => reason,
            _ => &property.asked.ltl,
        };
        let rest = format!("{}{formula}", history(property, paint));
        lines.push(line(
            &names[i],
            &v,
            [evidence, property.answer.holds.name(), vacuous],
            &expected[i],
            &paint.clean(&rest),
        ));
    }
    lines
}

fn verdict_in_words(property: &PropertyResult, paint: &Paint) -> String {
    match property.answer.verdict {
        Verdict::Unknown => "? unknown".to_owned(),
        v if paint.options.unicode => format!("{} {}", v.symbol(), v.words()),
        v => v.words().to_owned(),
    }
}

/// The verdicts at the bounds that were tried, such as `2:⊤ᵖ 4:⊥ `.
fn history(property: &PropertyResult, paint: &Paint) -> String {
    let symbol = |v: Verdict| match paint.options.unicode {
        true => v.symbol(),
        false => v.words(),
    };
    let bounds = property.answer.bounds.iter();
    bounds
        .map(|at| format!("{}:{} ", at.unwind, symbol(at.verdict)))
        .collect()
}

fn expectation(property: &PropertyResult) -> String {
    let name = property
        .asked
        .expect
        .map(Expectation::words)
        .unwrap_or_default();
    match property.as_expected() {
        Some(false) => format!("not {name}"),
        _ => name.to_owned(),
    }
}
