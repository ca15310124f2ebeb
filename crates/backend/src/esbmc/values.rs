//! Values in traces. Those of structures and arrays, `{ .a=1, .b={ 2, 3 } }`, are over several lines.
//!
//! An assignment to a part of an object shows the value of the whole object, which may lack parts.

use crate::answer::Value;

/// The greatest number of parts that an assignment is shown as.
const MOST: usize = 64;

/// Reads `5 (00000000 00000101)`: the value, then its bits.
pub(super) fn parse(text: &str) -> Value {
    let text = text.trim();
    let bits = |b: &str| b.chars().all(|c| matches!(c, '0' | '1' | ' '));
    let text = match text.strip_suffix(')').and_then(|t| t.rsplit_once(" (")) {
        Some((value, inside)) if bits(inside) => value,
        _ => text,
    };
    let (text, number) = match text {
        "TRUE" | "true" => ("true", Some(1)),
        "FALSE" | "false" => ("false", Some(0)),
        _ => (
            text,
            text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok(),
        ),
    };
    Value {
        text: text.to_owned(),
        number,
    }
}

/// Whether a value ends here: its braces are closed. Braces in strings and characters do not count.
pub(super) fn is_closed(value: &str) -> bool {
    let mut depth = 0usize;
    scan(value, |c, _| match c {
        '{' => depth += 1,
        '}' => depth = depth.saturating_sub(1),
        _ => {}
    });
    depth == 0
}

/// The assignment of a value as assignments of the members that it names; of a value without
/// members, itself.
pub(super) fn assignments(lhs: &str, value: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    expand(lhs, part_of(lhs, value), &mut out);
    if out.len() > MOST {
        return vec![(lhs.to_owned(), value.to_owned())];
    }
    out
}

fn expand(lhs: &str, value: &str, out: &mut Vec<(String, String)>) {
    let members: Vec<(&str, &str)> = parts(value).into_iter().filter_map(member).collect();
    if members.is_empty() {
        return out.push((lhs.to_owned(), value.to_owned()));
    }
    for (name, value) in members {
        if !name.starts_with("anon_pad") && out.len() <= MOST {
            expand(&format!("{lhs}.{name}"), value, out);
        }
    }
}

/// The part of a whole object's value that belongs to an lvalue: behind the first of its members
/// that the value has. A part that the value lacks is `?`.
fn part_of<'a>(lhs: &str, value: &'a str) -> &'a str {
    let lhs = lhs.replace("->", ".");
    let selectors = selectors(&lhs);
    if !value.starts_with("{ .") || !lhs.contains('.') {
        return value;
    }
    let mut starts = (0..selectors.len()).filter(|&at| selectors[at].starts_with('.'));
    let part = starts.find_map(|at| {
        let mut path = selectors[at..].iter();
        path.try_fold(value, |value, selector| select(value, selector))
    });
    part.unwrap_or("?")
}

/// The part of a value that `.m` or `[1]` selects.
fn select<'a>(value: &'a str, selector: &str) -> Option<&'a str> {
    match selector.strip_prefix('[') {
        Some(index) => {
            let digits = index.trim_end_matches(|c: char| !c.is_ascii_digit());
            parts(value).get(digits.parse::<usize>().ok()?).copied()
        }
        None => {
            let mut members = parts(value).into_iter().filter_map(member);
            let found = members.find(|m| m.0 == &selector[1..]);
            found.map(|m| m.1)
        }
    }
}

/// `.m` and `[1]` in `p.m[1]`.
fn selectors(lhs: &str) -> Vec<&str> {
    let starts: Vec<usize> = lhs.match_indices(['.', '[']).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([lhs.len()]);
    let texts = starts.iter().zip(ends);
    texts.map(|(&start, end)| &lhs[start..end]).collect()
}

/// The name and the value of a part `.name=value`.
fn member(part: &str) -> Option<(&str, &str)> {
    let (name, value) = part.strip_prefix('.')?.split_once('=')?;
    Some((name.trim(), value.trim()))
}

/// The parts of a value in braces; none for other values.
fn parts(value: &str) -> Vec<&str> {
    let inner = value.strip_prefix('{').and_then(|v| v.strip_suffix('}'));
    let Some(inner) = inner else {
        return Vec::new();
    };
    let (mut depth, mut from, mut out) = (0usize, 0, Vec::new());
    scan(inner, |c, at| match c {
        '{' => depth += 1,
        '}' => depth = depth.saturating_sub(1),
        ',' if depth == 0 => {
            out.push(inner[from..at].trim());
            from = at + 1;
        }
        _ => {}
    });
    out.push(inner[from..].trim());
    out
}

/// Visits the characters outside of strings and character constants.
fn scan(text: &str, mut visit: impl FnMut(char, usize)) {
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, c) => visit(c, at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_to_their_end() {
        assert!(!is_closed("{ .lock={ .owner = 0 }, .count=7,"));
        assert!(is_closed("{ .c='{', .name=&\"x, } \\\" {\"[0] }"));
        assert!(is_closed("5 (00000101)"));
    }

    #[test]
    fn structures_are_shown_by_their_members() {
        let value = "{ .lock={ .owner = 1 }, .anon_pad$1=0, .items={ 0, 4 }, .name=&\"x, }\"[0] }";
        let found = assignments("own", value);
        let found: Vec<String> = found.iter().map(|(l, v)| format!("{l}: {v}")).collect();
        assert_eq!(
            found,
            [
                "own.lock.owner: 1",
                "own.items: { 0, 4 }",
                "own.name: &\"x, }\"[0]"
            ]
        );
        assert_eq!(assignments("x", "5"), [("x".into(), "5".into())]);
    }

    #[test]
    fn a_part_gets_its_own_value() {
        let whole = "{ .count=3, .items={ 0, 4 }, .in={ .count=9 } }";
        for (lhs, value) in [
            ("q->count", "3"),
            ("all[2].items[1]", "4"),
            ("q->in.count", "9"),
            ("q->other", "?"),
            ("q->items[7]", "?"),
        ] {
            let shown = assignments(lhs, whole);
            assert_eq!(shown, [(lhs.to_owned(), value.to_owned())]);
        }
    }
}
