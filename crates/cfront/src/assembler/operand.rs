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

impl Operand {
    /// Whether the compiler may leave it in memory.
    pub fn may_be_memory(&self) -> bool {
        self.constraint.contains(['m', 'g', 'o'])
    }

    /// Whether it can be nowhere else.
    pub fn is_memory(&self) -> bool {
        let letters = self.constraint.chars();
        let mut letters = letters.filter(|c| c.is_ascii_alphabetic()).peekable();
        letters.peek().is_some() && letters.all(|c| matches!(c, 'm' | 'o'))
    }
}
