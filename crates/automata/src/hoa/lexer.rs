//! Tokens of the Hanoi format.

use super::HoaError;
use std::ops::Range;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    /// `States:`, without the colon.
    Header(String),
    Identifier(String),
    /// `@name`, without the sign.
    Alias(String),
    Text(String),
    Int(u32),
    /// One of `![]{}()&|`.
    Sign(char),
    Body,
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

impl Token {
    /// The token's text, for messages.
    pub fn found(&self) -> String {
        match &self.kind {
            Kind::Header(name) => format!("`{}:`", shorten(name)),
            Kind::Identifier(name) => format!("`{}`", shorten(name)),
            Kind::Alias(name) => format!("`@{}`", shorten(name)),
            Kind::Text(text) => format!("\"{}\"", shorten(text)),
            Kind::Int(number) => format!("`{number}`"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::Body => "`--BODY--`".to_owned(),
            Kind::End => "`--END--`".to_owned(),
        }
    }
}

pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// Splits a text into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, HoaError> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let word_end = |from: usize| {
            let rest = bytes[from..].iter();
            from + rest.take_while(|&&b| is_word(b)).count()
        };
        let kind = match bytes[at] {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = comment_end(bytes, at)?;
                continue;
            }
            b'"' => {
                let (value, end) = quoted(text, at)?;
                at = end;
                Kind::Text(value)
            }
            b'-' if bytes[at..].starts_with(b"--") => {
                at = word_end(at);
                section(text, start..at)?
            }
            b'0'..=b'9' => {
                at += bytes[at..]
                    .iter()
                    .take_while(|b| b.is_ascii_digit())
                    .count();
                number(text, start..at)?
            }
            b'@' => {
                at = word_end(at + 1);
                Kind::Alias(text[start + 1..at].to_owned())
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                at = word_end(at);
                let word = text[start..at].to_owned();
                if bytes.get(at) == Some(&b':') {
                    at += 1;
                    Kind::Header(word)
                } else {
                    Kind::Identifier(word)
                }
            }
            b @ (b'!' | b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'&' | b'|') => {
                at += 1;
                Kind::Sign(char::from(b))
            }
            _ => {
                let length = text[at..].chars().next().map_or(1, char::len_utf8);
                return Err(strange(text, at..at + length));
            }
        };
        let span = start..at;
        tokens.push(Token { kind, span });
    }
    Ok(tokens)
}

/// A section marker, which begins with two dashes.
fn section(text: &str, span: Range<usize>) -> Result<Kind, HoaError> {
    match &text[span.clone()] {
        "--BODY--" => Ok(Kind::Body),
        "--END--" => Ok(Kind::End),
        "--ABORT--" => {
            let message = "the other tool gave up (`--ABORT--`)";
            Err(HoaError::new(message, &span))
        }
        _ => Err(strange(text, span.start..span.end.max(span.start + 2))),
    }
}

fn number(text: &str, span: Range<usize>) -> Result<Kind, HoaError> {
    match text[span.clone()].parse() {
        Ok(number) if number < u32::MAX / 2 => Ok(Kind::Int(number)),
        _ => Err(HoaError::new("the number is too large", &span)),
    }
}

fn strange(text: &str, span: Range<usize>) -> HoaError {
    let shown = shorten(text.get(span.clone()).unwrap_or_default());
    let message = format!("{shown:?} does not belong into an automaton in the Hanoi format");
    HoaError::new(message, &span)
}

/// The end of a comment; comments nest.
fn comment_end(bytes: &[u8], start: usize) -> Result<usize, HoaError> {
    let (mut at, mut depth) = (start, 0usize);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return Ok(at);
        }
    }
    Err(HoaError::new(
        "the comment is not closed",
        &(start..start + 2),
    ))
}

/// The value of a quoted text and its end.
fn quoted(text: &str, start: usize) -> Result<(String, usize), HoaError> {
    let mut value = String::new();
    let mut escaped = false;
    for (offset, c) in text[start + 1..].char_indices() {
        match c {
            _ if escaped => {
                value.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return Ok((value, start + offset + 2)),
            _ => value.push(c),
        }
    }
    Err(HoaError::new(
        "the quoted text is not closed",
        &(start..start + 1),
    ))
}
