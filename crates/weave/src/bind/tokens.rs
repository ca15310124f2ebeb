//! The tokens of a condition's text.

use std::ops::Range as Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Identifier,
    Literal,
    Operator,
    Space,
}

/// Splits C text into tokens; concatenated, they give the text again.
pub(crate) fn tokens(text: &str) -> Vec<(Kind, Span<usize>)> {
    const LONG: [&str; 23] = [
        "<<=", ">>=", "...", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    ];
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let until = |stop: fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
        let (kind, len) = if c.is_whitespace() {
            (Kind::Space, until(|c| !c.is_whitespace()))
        } else if c.is_alphabetic() || c == '_' {
            (
                Kind::Identifier,
                until(|c| !(c.is_alphanumeric() || c == '_')),
            )
        } else if c.is_ascii_digit() {
            // After `@` stands a line number, perhaps followed by the path of a member.
            let of_line = text[..at].ends_with('@');
            let number: fn(char) -> bool = match of_line {
                true => |c| !c.is_ascii_digit(),
                false => |c| !(c.is_alphanumeric() || c == '_' || c == '.'),
            };
            (Kind::Literal, until(number))
        } else if c == '"' || c == '\'' {
            (Kind::Literal, quoted(rest, c))
        } else {
            let long = LONG.iter().find(|op| rest.starts_with(**op));
            (Kind::Operator, long.map_or(c.len_utf8(), |op| op.len()))
        };
        out.push((kind, at..at + len));
        at += len;
    }
    out
}

/// The length of a quoted literal; an unterminated one extends to the end of the text.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}
