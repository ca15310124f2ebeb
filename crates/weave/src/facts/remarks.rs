//! What is said of a program and its specification: refusals and notes.

use spec::Diagnostic;

use super::Range;

/// What is refused, or worth a note, and where.
#[derive(Clone, Debug)]
pub struct Remark {
    /// The place in the preprocessed text.
    pub range: Range,
    /// What is the matter.
    pub message: String,
    /// The text under the underlined source.
    pub label: String,
    /// What to do.
    pub help: Option<String>,
    /// Whether it is refused.
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
