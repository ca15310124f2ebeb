//! Finds ranges of cases (`case 1 ... 3:`), of which ESBMC 8.4 takes the first value only.

use crate::job::Job;

/// The greatest length of text between `case` and its colon.
const LONGEST: usize = 400;

/// The first range in the files of a job. Such text in a string or comment counts as well.
pub(super) fn first(job: &Job) -> Option<String> {
    let find = |file: &std::path::PathBuf| {
        let text = std::fs::read(file).ok()?;
        find(&String::from_utf8_lossy(&text))
    };
    [&job.source].into_iter().chain(&job.linked).find_map(find)
}

/// The first range in a text.
fn find(text: &str) -> Option<String> {
    text.match_indices("case").find_map(|(at, _)| {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let rest = &text[at + "case".len()..];
        if text[..at].ends_with(word) || rest.starts_with(word) {
            return None;
        }
        let end = rest
            .find([':', ';', '{', '}'])
            .filter(|end| *end < LONGEST)?;
        let values = &rest[..end];
        let range = values.contains("...").then(|| format!("case{values}"));
        range.map(|r| r.split_whitespace().collect::<Vec<_>>().join(" "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_found_and_other_dots_are_not() {
        let found = find("switch (x) { case 0: case 'a'\n ... 'f': y(); }");
        assert_eq!(found.as_deref(), Some("case 'a' ... 'f'"));
        for text in [
            "case 1: f(a, ...);",
            "int showcase(int, ...);",
            "int case_of(int a, ...) { }",
            "case 3: /* ... */",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
