//! What of a text is a sequence of letters, and how repetitions in it are written.

use crate::token::{condition, end_of_comment, end_of_constant, Brackets, Kind};
use crate::{Interval, ParseError, Part};

/// Whether the braces at the beginning of a text hold a sequence and no C condition: what follows them, or what is in
/// them, is possible for a sequence only.
pub(crate) fn is_sequence(rest: &str) -> bool {
    let Ok((_, len)) = condition(rest, 0, b"{}") else {
        return false;
    };
    let behind = rest[len..].trim_start();
    let signs = ["|->", "|=>", "<>->", "<>=>", "[]->", "[]=>"];
    let marked = behind.starts_with('!') && !behind.starts_with("!=");
    marked || signs.iter().any(|sign| behind.starts_with(sign)) || has_sequence(&rest[1..len - 1])
}

/// Whether no C condition has this text: it begins with a brace, has a `;` or `:` that parts something, or a
/// repetition.
fn has_sequence(inside: &str) -> bool {
    if inside.trim_start().starts_with('{') {
        return true;
    }
    let bytes = inside.as_bytes();
    let (mut depth, mut i) = (0usize, 0);
    while i < bytes.len() {
        let rest = bytes.get(i + 1..).unwrap_or_default();
        match bytes[i] {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            quote @ (b'"' | b'\'') => i = end_of_constant(bytes, i, quote),
            b'/' if rest.first() == Some(&b'*') => i = end_of_comment(bytes, i),
            b';' if depth == 0 && !rest.trim_ascii().is_empty() => return true,
            b':' if rest.first() == Some(&b':') => i += 1,
            b':' if depth == 0 && !inside.contains('?') && !rest.trim_ascii().is_empty() => {
                return true;
            }
            b'[' if depth == 0 && is_repetition(rest) => return true,
            _ => {}
        }
        i += 1;
    }
    false
}

/// Whether what follows a bracket is a repetition and no index of C: `*]`, `*2`, `+]`, `=2`, `->`.
fn is_repetition(rest: &[u8]) -> bool {
    let digit = |at: usize| rest.get(at).is_some_and(u8::is_ascii_digit);
    let ends = |at: usize| rest.get(at) == Some(&b']');
    match rest.first() {
        Some(b'*') => ends(1) || digit(1),
        Some(b'+') => ends(1),
        Some(b'=') => digit(1),
        Some(b'-') => rest.get(1) == Some(&b'>'),
        _ => false,
    }
}

/// Whether the brackets at the beginning of a text hold a repetition: neither bounds nor a count (`[=2 in <=9]`).
pub(crate) fn begins_repetition(rest: &str) -> bool {
    let inside = rest[1..].split(']').next().unwrap_or_default();
    let counts = inside.split_whitespace().any(|word| word == "in");
    inside.trim_start().starts_with(['*', '+', '=', '-']) && !counts
}

/// A repetition in brackets: `[*]`, `[+]`, `[*2]`, `[*2:4]`, `[*2:]`, `[=2]`, `[->2]`, and so on.
pub(crate) fn repetition(rest: &str, at: usize) -> Result<(Kind, usize), ParseError> {
    let brackets = Brackets::read(rest, at, "the repetition begins here")?;
    let text = brackets.inside();
    let refused = |help: &str| brackets.refused("a repetition", help);
    let wrong = "repetitions are `[*]`, `[+]`, `[*2]`, `[*2:4]`, `[*2:]`, and `[=2]` and `[->2]` with the same numbers";
    let (sign, numbers) = match () {
        () if text.starts_with("->") => text.split_at(2),
        () if text.starts_with(['*', '+', '=']) => text.split_at(1),
        () => return Err(refused(wrong)),
    };
    let interval = match (sign, numbers) {
        ("+", "") => Interval { from: 1, to: None },
        ("*", "") => Interval { from: 0, to: None },
        ("->", "") => Interval {
            from: 1,
            to: Some(1),
        },
        ("+", _) => return Err(refused(wrong)),
        _ => many(numbers).ok_or_else(|| refused(wrong))?,
    };
    if interval.to.is_some_and(|to| to < interval.from) {
        return Err(refused("the first number is the smaller one"));
    }
    let part = match sign {
        "->" => Part::Goto(interval),
        "=" => Part::Times(interval),
        _ => Part::Repeat(interval),
    };
    Ok((Kind::Repetition(part), brackets.len()))
}

/// `2`, `2:4`, or `2:` for 2 and more; `..` and `,` are as good as `:`, and `$`, `inf` and `∞` as nothing.
pub(crate) fn many(text: &str) -> Option<Interval> {
    let number = |digits: &str| digits.parse::<u32>().ok().filter(|n| *n < u32::MAX);
    let separator = [":", "..", ","].into_iter().find(|s| text.contains(s));
    let Some((from, to)) = separator.and_then(|separator| text.split_once(separator)) else {
        let n = number(text)?;
        return Some(Interval {
            from: n,
            to: Some(n),
        });
    };
    let from = number(from)?;
    let to = match to {
        "" | "$" | "inf" | "∞" => None,
        _ => Some(number(to)?),
    };
    Some(Interval { from, to })
}
