//! Finds labels that look like the two ends of an area, and other labels.

use weave::facts::{Facts, Label};

/// The greatest number of labels that become propositions.
const PLACES: usize = 8;

/// Pairs of words for the two ends of an area in labels.
const ENDS: [(&str, &str); 8] = [
    ("begin", "end"),
    ("start", "finish"),
    ("start", "end"),
    ("start", "stop"),
    ("enter", "leave"),
    ("enter", "exit"),
    ("entry", "exit"),
    ("b", "e"),
];

/// A pair of labels that look like the ends of an area.
pub struct Marked {
    /// The common part of the labels.
    pub name: String,
    /// The label where the area begins.
    pub entry: String,
    /// The label where the area ends.
    pub exit: String,
}

/// The areas, in the order of their first labels.
pub fn areas(facts: &Facts) -> Vec<Marked> {
    let mut found: Vec<Marked> = Vec::new();
    for entry in facts.labels.iter().filter(|l| !l.is_entry()) {
        let function = &facts.functions[entry.function].name;
        let exit = facts.labels.iter().find_map(|exit| {
            let stem = (exit.function == entry.function && exit.place.start > entry.place.start)
                .then(|| stem(&entry.name, &exit.name))??;
            Some((exit, stem))
        });
        let Some((exit, stem)) = exit else { continue };
        let taken = |name: &String| found.iter().any(|other| other.name == *name);
        let mut name = match stem.is_empty() || stem.chars().all(|c| c.is_ascii_digit()) {
            true => format!("in_{function}"),
            false => stem.clone(),
        };
        if taken(&name) {
            name = format!("{name}_{}", entry.name);
        }
        if found.iter().all(|other| other.name != name) {
            found.push(Marked {
                name,
                entry: full_name(facts, entry),
                exit: full_name(facts, exit),
            });
        }
    }
    found
}

/// A label's name in a specification: with its function if several labels have the name.
fn full_name(facts: &Facts, label: &Label) -> String {
    let alike = facts.labels.iter().filter(|l| l.name == label.name);
    match alike.count() {
        1 => label.name.clone(),
        _ => format!("{}::{}", facts.functions[label.function].name, label.name),
    }
}

/// The labels that are not ends of areas.
pub fn places(facts: &Facts, areas: &[Marked]) -> Vec<String> {
    let labels = facts.labels.iter().filter(|l| !l.is_entry());
    let labels = labels.map(|label| full_name(facts, label));
    let end = |name: &String| areas.iter().any(|a| [&a.entry, &a.exit].contains(&name));
    labels.filter(|name| !end(name)).take(PLACES).collect()
}

/// The common part of two labels that differ only in words for the ends of an area: `p1` for `b_p1`
/// and `e_p1`.
fn stem(entry: &str, exit: &str) -> Option<String> {
    ENDS.iter().find_map(|(begin, end)| {
        let one = without(entry, begin)?;
        (without(exit, end)? == one).then_some(one)
    })
}

/// The label without a word at its beginning or end, and without the underscores beside it. A
/// single letter counts as a word only if an underscore separates it.
fn without(label: &str, word: &str) -> Option<String> {
    let rest = label
        .strip_prefix(word)
        .or_else(|| label.strip_suffix(word))?;
    let apart = rest.starts_with('_') || rest.ends_with('_');
    (apart || word.len() > 1).then(|| rest.trim_matches('_').to_string())
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn labels_of_an_area_have_a_stem() {
        for (entry, exit, expected) in [
            ("b_p1", "e_p1", Some("p1")),
            ("begin", "end", Some("")),
            ("critical_begin", "critical_end", Some("critical")),
            ("start1", "finish1", Some("1")),
            ("enter_room", "leave_room", Some("room")),
            ("begin_a", "end_b", None),
            ("bus", "eus", None),
            ("again", "out", None),
        ] {
            assert_eq!(stem(entry, exit).as_deref(), expected, "{entry} {exit}");
        }
    }
}
