//! Why a sentence is no requirement.

use std::ops::Range;

/// Why a sentence is no requirement, with the place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct SentenceError {
    /// What is wrong, in one line.
    pub message: String,
    /// The bytes of the sentence that are concerned; an empty range is a place between two characters.
    pub span: Range<usize>,
    /// What to do.
    pub help: Option<String>,
}

impl SentenceError {
    pub(crate) fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        SentenceError {
            message: message.into(),
            span,
            help: None,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
