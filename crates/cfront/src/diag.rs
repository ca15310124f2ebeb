//! Messages about the input, with their places. Other crates render them.

use std::fmt;

use crate::span::Span;

/// How severe a message is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// The input is accepted, but the user should look at the place.
    Warning,
}

/// A message about a place of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The problem, in one line.
    pub message: String,
    /// The place in the preprocessed text (or in the fragment).
    pub span: Span,
    /// The text to write under the place; may be empty.
    pub label: Box<str>,
    /// What the user can do about the problem.
    pub help: Option<String>,
    /// Further places or facts.
    pub notes: Vec<String>,
    /// The place in the user's file, once the line map has resolved `span`.
    pub place: Option<Box<Place>>,
}

/// A place in a file that the user knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file as the preprocessor named it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// The text of the line: from the original file if `text_is_original`, else preprocessed. A
    /// part around the place if the line is very long.
    pub text: String,
    /// The bytes of `text` to underline.
    pub underline: (usize, usize),
    /// Whether `text` was read from the file itself.
    pub text_is_original: bool,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: Box::default(),
            help: None,
            notes: Vec::new(),
            place: None,
        }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(span, message)
        }
    }

    /// Sets the text under the place.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into().into_boxed_str();
        self
    }

    /// Sets the advice.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Adds one more fact.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}:{}:{}: ", place.file, place.line, place.column)?;
        }
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{severity}: {}", self.message)
    }
}

impl std::error::Error for Diagnostic {}
