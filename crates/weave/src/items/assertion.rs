//! Assertions as statements of emitted functions.

use std::fmt::{self, Display, Formatter};

use crate::facts::assertion::Asserted;

/// An assertion that is checked if its bit of `BA_CHECK` is set: a statement on lines of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    bit: u32,
    holds: String,
    text: String,
}

impl Assertion {
    /// The assertion of a level, with the level's bit; `holds` is the C condition that is asserted.
    pub fn of_level(bit: u32, holds: impl Into<String>, asserted: Asserted) -> Assertion {
        Assertion {
            bit: asserted.bit().unwrap_or(bit),
            holds: holds.into(),
            text: asserted.to_string(),
        }
    }

    /// Any other assertion, with its own bit.
    pub fn new(holds: impl Into<String>, asserted: Asserted) -> Assertion {
        Assertion::of_level(0, holds, asserted)
    }

    /// The assertion without its `#if`, for text that is under such an `#if` already.
    pub fn statement(&self) -> String {
        let Assertion { holds, text, .. } = self;
        format!("  BA_ASSERT({holds}, \"{text}\");\n")
    }
}

impl Display for Assertion {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (bit, statement) = (self.bit, self.statement());
        write!(f, "#if BA_CHECK & {bit}\n{statement}#endif\n")
    }
}
