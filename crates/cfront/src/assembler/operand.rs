//! The operands of an assembler statement.

/// An operand: an expression with its constraint.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    /// Its symbolic name.
    pub name: Option<String>,
    /// The constraint, without quotes.
    pub constraint: String,
    /// The expression in parentheses, on one line.
    pub text: String,
    /// Whether it is an output.
    pub output: bool,
}
