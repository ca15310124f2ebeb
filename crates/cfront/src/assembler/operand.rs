//! The operands of an assembler statement.

use crate::span::Span;

/// An operand: an expression with its constraint.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    /// Its symbolic name.
    pub name: Option<String>,
    /// The constraint, without quotes.
    pub constraint: String,
    /// The expression in parentheses, on one line.
    pub text: String,
    /// The place of the expression with its parentheses.
    pub span: Span,
    /// Whether it is an output.
    pub output: bool,
}

impl Operand {
    /// Whether it is one of the variables that stand for outputs, in text that was rewritten before.
    pub fn is_own(&self) -> bool {
        let name = self
            .text
            .trim_matches(|c: char| matches!(c, '(' | ')' | ' '));
        name.starts_with(super::OWN)
    }
}
