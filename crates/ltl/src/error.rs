//! Errors and warnings of the parser.

use std::fmt;
use std::ops::Range;

/// Why a text is not a formula.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct ParseError {
    /// The text that was found, in words or between backquotes.
    pub found: String,
    /// The text that could stand there instead.
    pub expected: String,
    /// The bytes of the text that the error is about; empty at the end of the text.
    pub span: Range<usize>,
    /// Another place that explains the error, and its meaning, such as an open parenthesis.
    pub beside: Option<Box<(Range<usize>, String)>>,
    /// Advice on what to do.
    pub help: Option<String>,
}

impl ParseError {
    pub(crate) fn new(
        found: impl Into<String>,
        expected: impl Into<String>,
        span: Range<usize>,
    ) -> Self {
        ParseError {
            found: found.into(),
            expected: expected.into(),
            span,
            beside: None,
            help: None,
        }
    }

    pub(crate) fn help(mut self, what: impl Into<String>) -> Self {
        self.help = Some(what.into());
        self
    }

    pub(crate) fn beside(mut self, span: Range<usize>, what: &str) -> Self {
        self.beside = Some(Box::new((span, what.to_owned())));
        self
    }
}

/// Why a reading is doubtful.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// Two adjacent operators without parentheses that tools group differently.
    Mixture {
        /// The operator that binds less tightly here.
        outer: &'static str,
        /// The operator that binds more tightly here.
        inner: &'static str,
    },
    /// A word that begins with the letters of unary operators.
    Glued,
}

/// A place that other tools, or other readers, may understand differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The bytes of the text that the warning is about.
    pub span: Range<usize>,
    /// The kind of doubt.
    pub doubt: Doubt,
    /// The reading that the parser chose, as a fully parenthesised formula, cut after about 2000 bytes.
    pub reading: String,
}

impl Warning {
    /// Advice on how to write it without doubt.
    pub fn help(&self) -> &'static str {
        match self.doubt {
            Doubt::Mixture { .. } => "add parentheses",
            Doubt::Glued => {
                "write a space after an operator; write a proposition of this name in quotes"
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.doubt {
            Doubt::Mixture { outer, inner } if outer == inner => {
                write!(
                    f,
                    "SPIN, ltl2ba and Spot do not all group repeated `{outer}` alike"
                )?;
            }
            Doubt::Mixture { outer, inner } if outer == "xor" || inner == "xor" => {
                write!(
                    f,
                    "C, NuSMV and Spot do not all group `{outer}` and `{inner}` alike"
                )?;
            }
            Doubt::Mixture { outer, inner } => {
                write!(
                    f,
                    "SPIN, ltl2ba and Spot do not all group `{outer}` and `{inner}` alike"
                )?;
            }
            Doubt::Glued => write!(f, "a word that begins like a temporal operator")?,
        }
        write!(f, "; read as `{}`", self.reading)
    }
}

/// A text for a message, cut if it is too long to read.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
