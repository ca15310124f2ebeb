//! The kinds of tokens, and those that several readers of text know: conditions, constants and comments of C.

use crate::error::shorten;
use crate::operator::{Binary, Bounds, Unary};
use crate::{Interval, Matching, ParseError, Part};

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Kind {
    /// Letters, digits and underscores, not beginning with a digit.
    Word,
    Constant(bool),
    /// A `"quoted"` name without its quotes and escapes.
    Quoted(String),
    /// The text between braces, or between the parentheses of `AP(…)`, trimmed.
    Condition(String),
    Unary(Unary),
    Binary(Binary),
    /// The bounds of the operator before it.
    Interval(Bounds),
    /// How often something has to be so, and within which bounds.
    Often(Interval, Interval),
    Open,
    Close,
    /// Separates the letters of a word, and in a sequence what follows what.
    Semicolon,
    /// The brace at the beginning of a sequence.
    OpenSequence,
    /// The brace at its end.
    CloseSequence,
    /// How often what is before it is repeated in a sequence.
    Repetition(Part),
    /// The sign between a sequence and the formula behind it.
    Behind(Matching),
    /// `let v = value in`
    Let(Header),
}

/// What stands before the formula in which a remembered value is read.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Header {
    pub name: String,
    /// The bytes of the value's text.
    pub value: std::ops::Range<usize>,
}

/// Whether a character can begin an identifier.
pub(crate) fn starts_word(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Whether a character can continue an identifier.
pub(crate) fn continues_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

impl Kind {
    /// Whether a formula may begin with it, unless it is a word.
    pub(crate) fn begins_formula(&self) -> bool {
        !matches!(
            self,
            Kind::Binary(_)
                | Kind::Close
                | Kind::Semicolon
                | Kind::CloseSequence
                | Kind::Behind(_)
                | Kind::Repetition(_)
        )
    }
}

/// A C condition in braces, or in another pair of brackets. The brackets nest; those in string and character
/// constants and in comments do not count.
pub(crate) fn condition(
    rest: &str,
    at: usize,
    pair: &[u8; 2],
) -> Result<(Kind, usize), ParseError> {
    let [open, close] = *pair;
    // Every byte that matters here is ASCII, and no byte of a multi-byte character is.
    let bytes = rest.as_bytes();
    let mut depth = 0usize;
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            c if c == open => depth += 1,
            c if c == close => {
                depth -= 1;
                if depth == 0 {
                    let text = rest[1..i].trim();
                    if text.is_empty() {
                        let span = at..at + i + 1;
                        let found = format!("`{}{}`", char::from(open), char::from(close));
                        let within = match open {
                            b'{' => "a C condition in the braces",
                            _ => "a C condition in the parentheses",
                        };
                        return Err(ParseError::new(found, within, span));
                    }
                    return Ok((Kind::Condition(text.to_owned()), i + 1));
                }
            }
            quote @ (b'"' | b'\'') => i = end_of_constant(bytes, i, quote),
            b'/' if bytes.get(i + 1) == Some(&b'*') => i = end_of_comment(bytes, i),
            _ => {}
        }
        i += 1;
    }
    Err(ParseError::new(
        "the end of the formula",
        format!("a closing `{}`", char::from(close)),
        at + rest.len()..at + rest.len(),
    )
    .beside(at..at + 1, "the condition begins here"))
}

/// The index of the closing quote of a C constant, or the last index if there is none.
pub(crate) fn end_of_constant(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut i = start + 1;
    while i < bytes.len() && bytes[i] != quote {
        i += if bytes[i] == b'\\' { 2 } else { 1 };
    }
    i
}

/// The index of the `/` that closes a comment, or the last index if there is none.
pub(crate) fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let mut i = start + 3;
    while i < bytes.len() && !(bytes[i] == b'/' && bytes[i - 1] == b'*' && i > start + 2) {
        i += 1;
    }
    i
}

/// Square brackets at the beginning of a text, with what is in them.
pub(crate) struct Brackets<'a> {
    /// With both brackets.
    text: &'a str,
    at: usize,
}

impl<'a> Brackets<'a> {
    /// The brackets that begin at `at` of a formula.
    ///
    /// # Errors
    /// If they are not closed; `begins` says what begins there.
    pub(crate) fn read(rest: &'a str, at: usize, begins: &str) -> Result<Self, ParseError> {
        let Some(end) = rest.find(']') else {
            let end = at + rest.len();
            let error = ParseError::new("the end of the formula", "a closing `]`", end..end);
            return Err(error.beside(at..at + 1, begins));
        };
        let text = &rest[..=end];
        Ok(Brackets { text, at })
    }

    /// The length with both brackets, in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// What is in them, without white space.
    pub(crate) fn inside(&self) -> String {
        let inside = &self.text[1..self.text.len() - 1];
        inside.chars().filter(|c| !c.is_whitespace()).collect()
    }

    /// The error that they do not hold what is expected.
    pub(crate) fn refused(&self, expected: &str, help: &str) -> ParseError {
        let span = self.at..self.at + self.text.len();
        let found = format!("`{}`", shorten(self.text, 40));
        ParseError {
            help: Some(help.to_owned()),
            ..ParseError::new(found, expected, span)
        }
    }
}
