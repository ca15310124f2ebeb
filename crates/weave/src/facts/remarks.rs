//! Remarks on a program and its specification: refusals and notes.

use spec::Diagnostic;

use super::Range;

/// A refusal or a note, and the place that it is about.
#[derive(Clone, Debug)]
pub struct Remark {
    /// The place in the preprocessed text.
    pub range: Range,
    /// The refusal or note as a sentence.
    pub message: String,
    /// The text under the underlined source.
    pub label: String,
    /// Advice on what to do.
    pub help: Option<String>,
    /// Whether it is a refusal, not a note.
    pub error: bool,
}

/// Why a specification or a program is refused.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Something in the specification.
    Spec(Diagnostic),
    /// Something in the program.
    Program(Remark),
}
