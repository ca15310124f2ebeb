//! How remembered values are written: `let v = msg in …`, and comparisons without braces behind it.

use crate::token::{condition, continues_word, starts_word, Header, Kind};
use crate::ParseError;

/// The length of a word at the beginning of a text; 0 if there is none.
fn word(text: &str) -> usize {
    match text.starts_with(starts_word) {
        true => text.find(|c| !continues_word(c)).unwrap_or(text.len()),
        false => 0,
    }
}

/// The length of white space at the beginning of a text.
fn space(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The length of a variable at the beginning of a text: `x`, `f::x`, `s.len`, `buf[2]`.
fn path(text: &str) -> usize {
    let mut at = word(text);
    while at > 0 {
        let rest = &text[at..];
        let step = match () {
            () if rest.starts_with("::") => 2 + word(&rest[2..]),
            () if rest.starts_with('.') => 1 + word(&rest[1..]),
            () if rest.starts_with('[') => match rest.find(']') {
                Some(end) if rest[1..end].chars().all(continues_word) && end > 1 => end + 1,
                _ => break,
            },
            () => break,
        };
        if step <= 2 && !rest.starts_with('[') && word(rest.trim_start_matches([':', '.'])) == 0 {
            break;
        }
        at += step;
    }
    at
}

/// `let v = value in` at a place of a text, with its length.
///
/// # Errors
/// If it begins so and does not go on.
pub(crate) fn header(text: &str, start: usize) -> Result<Option<(Kind, usize)>, ParseError> {
    let rest = &text[start..];
    let before = text[..start].chars().next_back();
    if word(rest) != 3 || !rest.starts_with("let") || before.is_some_and(continues_word) {
        return Ok(None);
    }
    let mut at = 3 + space(&rest[3..]);
    let length = word(&rest[at..]);
    let name = &rest[at..at + length];
    at += length + space(&rest[at + length..]);
    let sign = &rest[at..];
    if length == 0 || !sign.starts_with('=') || sign.starts_with("==") || sign.starts_with("=>") {
        return Ok(None);
    }
    at += 1 + space(&rest[at + 1..]);
    let value = match rest[at..].starts_with('{') {
        true => {
            let (_, length) = condition(&rest[at..], start + at, b"{}")?;
            let inside = &rest[at + 1..at + length - 1];
            let from = at + 1 + space(inside);
            at += length;
            from..from + inside.trim().len()
        }
        false => {
            let from = at;
            at += path(&rest[at..]);
            from..at
        }
    };
    let gap = space(&rest[at..]);
    let behind = &rest[at + gap..];
    if value.is_empty() || word(behind) != 2 || !behind.starts_with("in") {
        let at = start + at + gap;
        let found = match text[at..].chars().next() {
            Some(c) => format!("`{c}`"),
            None => "the end of the formula".to_owned(),
        };
        let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
        let error = ParseError::new(
            found,
            "a variable, or a C expression in braces, and `in`",
            at..end,
        );
        return Err(ParseError {
            help: Some(
                "a value is remembered so: `G (p -> let v = msg in F (q && data == v))`".to_owned(),
            ),
            ..error
        });
    }
    let header = Header {
        name: name.to_owned(),
        value: start + value.start..start + value.end,
    };
    Ok(Some((Kind::Let(header), at + gap + 2)))
}

/// A comparison of two variables, or of a variable and a number, with its length.
pub(crate) fn comparison(rest: &str) -> Option<(Kind, usize)> {
    let (_, text) = compared(rest, &["==", "!=", "<=", ">=", "<", ">"])?;
    Some((Kind::Condition(text.to_owned()), text.len()))
}

/// A text that looks like a comparison, perhaps with `=` as in other languages, and the variable on its left.
pub(crate) fn any_comparison(rest: &str) -> Option<(&str, &str)> {
    compared(rest, &["==", "!=", "<=", ">=", "<", ">", "="])
}

/// What is compared by one of some signs, from the beginning of a text on, and the variable on its left.
fn compared<'a>(rest: &'a str, signs: &[&str]) -> Option<(&'a str, &'a str)> {
    let left = path(rest);
    if left == 0 {
        return None;
    }
    let mut at = left + space(&rest[left..]);
    let sign = &rest[at..];
    let arrows = ["==>", "<->", "<>", "<=>", "<==>", ">->"];
    if arrows.iter().any(|arrow| sign.starts_with(arrow)) {
        return None;
    }
    at += signs.iter().find(|s| sign.starts_with(**s))?.len();
    at += space(&rest[at..]);
    let right = &rest[at..];
    let number = right.find(|c| !continues_word(c)).unwrap_or(right.len());
    let length = path(right).max(number);
    (length > 0).then_some((&rest[..left], &rest[..at + length]))
}
