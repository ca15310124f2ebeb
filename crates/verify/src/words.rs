//! Words that several sentences of results share.

/// The names in a list, with a word such as "and" in front of the last one; empty if there are none.
pub fn listed(names: &[String], last: &str) -> String {
    match names.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, others)) => format!("{} {last} {end}", others.join(", ")),
        None => String::new(),
    }
}
