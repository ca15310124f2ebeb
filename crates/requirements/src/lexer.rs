//! Divides a sentence into words, numbers, signs and C conditions.

use crate::error::SentenceError;
use std::ops::Range;

/// A token with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

/// The kinds of tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A word: letters, digits, `_`, `.` between them, and `::`.
    Word(String),
    /// A number as it is written.
    Number(String),
    /// A sign of [`SIGNS`].
    Sign(&'static str),
    /// The text of a C condition in braces.
    Braces(String),
    /// Words in double quotes.
    Quoted(String),
    /// A character that no expression has.
    Other(char),
}

/// The signs, longer ones first.
const SIGNS: [&str; 28] = [
    "<->", "<=>", "->", "=>", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "=", "!", "~", "&",
    "|", "(", ")", "[", "]", "+", "-", "*", "/", "%", "^", ",",
];

/// Signs of mathematics, and those that they stand for.
const MATHEMATICAL: [(char, &str); 11] = [
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('¬', "!"),
    ('∧', "&"),
    ('∨', "|"),
    ('→', "->"),
    ('⇒', "->"),
    ('↔', "<->"),
    ('⇔', "<->"),
    ('−', "-"),
];

/// The tokens of a sentence.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, SentenceError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (kind, length) = token(&text[at..], at, c)?;
        let span = at..at + length;
        at = span.end;
        tokens.push(Token { kind, span });
    }
    Ok(tokens)
}

/// The first token of a text that begins with `c`, and its length.
fn token(rest: &str, at: usize, c: char) -> Result<(Kind, usize), SentenceError> {
    if c.is_alphabetic() || c == '_' {
        let length = word(rest);
        return Ok((Kind::Word(rest[..length].to_owned()), length));
    }
    if c.is_ascii_digit() {
        let length = number(rest);
        return Ok((Kind::Number(rest[..length].to_owned()), length));
    }
    if matches!(c, '{' | '"' | '“') {
        return enclosed(rest, at, c);
    }
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        return Ok((Kind::Sign(sign), sign.len()));
    }
    let kind = match MATHEMATICAL.iter().find(|(own, _)| *own == c) {
        Some((_, sign)) => Kind::Sign(sign),
        None => Kind::Other(c),
    };
    Ok((kind, c.len_utf8()))
}

/// The length of a word. A full stop belongs to it only between two of its characters.
fn word(rest: &str) -> usize {
    let part = |text: &str| {
        text.find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len())
    };
    let mut length = part(rest);
    loop {
        let tail = &rest[length..];
        let joint = match () {
            () if tail.starts_with("::") => 2,
            () if tail.starts_with('.') => 1,
            () => return length,
        };
        let more = part(&tail[joint..]);
        if more == 0 {
            return length;
        }
        length += joint + more;
    }
}

/// The length of a number: digits, a fraction, an exponent, and what C appends.
fn number(rest: &str) -> usize {
    let digits = |text: &str| {
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len())
    };
    if rest.starts_with("0x") || rest.starts_with("0X") {
        let hexadecimal = rest[2..].find(|c: char| !c.is_ascii_alphanumeric());
        return hexadecimal.map_or(rest.len(), |end| end + 2);
    }
    let mut length = digits(rest);
    if rest[length..].starts_with('.') {
        let fraction = digits(&rest[length + 1..]);
        if fraction > 0 {
            length += 1 + fraction;
        }
    }
    let exponent = rest[length..].strip_prefix(['e', 'E']);
    if let Some(exponent) = exponent {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let power = digits(&exponent[sign..]);
        if power > 0 {
            length += 1 + sign + power;
        }
    }
    length
}

/// Text in braces, which nest, or in double quotes, which may be those of word processors.
fn enclosed(rest: &str, at: usize, open: char) -> Result<(Kind, usize), SentenceError> {
    let close = match open {
        '{' => '}',
        '“' => '”',
        _ => '"',
    };
    let mut depth = 0usize;
    let end = rest.char_indices().skip(1).find(|&(_, c)| {
        if c == close && depth == 0 {
            return true;
        }
        if open == '{' {
            depth += usize::from(c == '{');
            depth = depth.saturating_sub(usize::from(c == '}'));
        }
        false
    });
    let what = if open == '{' { "brace" } else { "quote" };
    let Some((end, _)) = end else {
        let message = format!("this {what} is not closed: `{close}` is missing");
        return Err(SentenceError::new(message, at..at + open.len_utf8()));
    };
    let length = end + close.len_utf8();
    let text = rest[open.len_utf8()..end].trim().to_owned();
    if text.is_empty() {
        let message = format!("nothing stands between these {what}s");
        return Err(SentenceError::new(message, at..at + length));
    }
    let kind = match open {
        '{' => Kind::Braces(text),
        _ => Kind::Quoted(text),
    };
    Ok((kind, length))
}
