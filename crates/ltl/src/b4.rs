//! The four truth values of finite words.

use std::fmt;

/// A value of the four-valued semantics of finite words (Morse et al. 2015, definition 2), ordered
/// ⊥ < ⊥ᵖ < ⊤ᵖ < ⊤.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum B4 {
    /// ⊥: no infinite continuation satisfies the formula.
    False,
    /// ⊥ᵖ: repeating the last letter for ever violates it, some continuation satisfies it.
    PresumablyFalse,
    /// ⊤ᵖ: repeating the last letter for ever satisfies it, some continuation violates it.
    PresumablyTrue,
    /// ⊤: every infinite continuation satisfies it.
    True,
}

impl B4 {
    /// All values, least first.
    pub const ALL: [B4; 4] = [B4::False, B4::PresumablyFalse, B4::PresumablyTrue, B4::True];

    /// `⊥`, `⊥ᵖ`, `⊤ᵖ` or `⊤`.
    pub fn symbol(self) -> &'static str {
        match self {
            B4::False => "⊥",
            B4::PresumablyFalse => "⊥ᵖ",
            B4::PresumablyTrue => "⊤ᵖ",
            B4::True => "⊤",
        }
    }

    /// The name in JSON, in spec files and in the texts of generated assertions.
    pub fn name(self) -> &'static str {
        match self {
            B4::False => "false",
            B4::PresumablyFalse => "presumably_false",
            B4::PresumablyTrue => "presumably_true",
            B4::True => "true",
        }
    }

    /// The name in words.
    pub fn words(self) -> &'static str {
        match self {
            B4::False => "false",
            B4::PresumablyFalse => "presumably false",
            B4::PresumablyTrue => "presumably true",
            B4::True => "true",
        }
    }

    /// The value with this name.
    pub fn from_name(name: &str) -> Option<B4> {
        B4::ALL.into_iter().find(|value| value.name() == name)
    }

    /// The place in the order, 0 for ⊥ to 3 for ⊤.
    pub fn level(self) -> u8 {
        self as u8
    }

    /// The value at this place in the order; `None` above 3.
    pub fn from_level(level: u8) -> Option<B4> {
        B4::ALL.get(usize::from(level)).copied()
    }

    /// Whether no continuation can change the value: ⊥ and ⊤.
    pub fn is_definitive(self) -> bool {
        matches!(self, B4::False | B4::True)
    }

    /// Whether the value is ⊤ or ⊤ᵖ.
    pub fn is_positive(self) -> bool {
        self >= B4::PresumablyTrue
    }
}

/// The verdict that the author of a specification expects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expectation {
    /// This value.
    Exactly(B4),
    /// ⊥ or ⊥ᵖ: what a two-valued catalogue calls violated.
    Violated,
    /// ⊤ᵖ or ⊤.
    Satisfied,
}

impl Expectation {
    /// All of them.
    pub const ALL: [Expectation; 6] = [
        Expectation::Exactly(B4::False),
        Expectation::Exactly(B4::PresumablyFalse),
        Expectation::Exactly(B4::PresumablyTrue),
        Expectation::Exactly(B4::True),
        Expectation::Violated,
        Expectation::Satisfied,
    ];

    /// The name in JSON and in lists of properties.
    pub fn name(self) -> &'static str {
        match self {
            Expectation::Exactly(value) => value.name(),
            Expectation::Violated => "violated",
            Expectation::Satisfied => "satisfied",
        }
    }

    /// The name in words.
    pub fn words(self) -> &'static str {
        match self {
            Expectation::Exactly(value) => value.words(),
            Expectation::Violated | Expectation::Satisfied => self.name(),
        }
    }

    /// The expectation with this name.
    pub fn from_name(name: &str) -> Option<Expectation> {
        Expectation::ALL.into_iter().find(|e| e.name() == name)
    }

    /// Whether a value is as expected.
    pub fn holds(self, value: B4) -> bool {
        match self {
            Expectation::Exactly(expected) => expected == value,
            Expectation::Violated => !value.is_positive(),
            Expectation::Satisfied => value.is_positive(),
        }
    }
}

impl std::ops::Not for B4 {
    type Output = B4;

    /// The value of the negated formula for the same word.
    fn not(self) -> B4 {
        B4::ALL[3 - usize::from(self.level())]
    }
}

impl fmt::Display for B4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_levels_and_order_agree() {
        for (index, value) in B4::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(value.level()), index);
            assert_eq!(B4::from_level(value.level()), Some(value));
            assert_eq!(B4::from_name(value.name()), Some(value));
            assert_eq!(!!value, value);
        }
        assert!(B4::ALL.is_sorted());
        assert_eq!(B4::from_level(4), None);
        assert_eq!(!B4::PresumablyFalse, B4::PresumablyTrue);
        assert_eq!(format!("{:>3}", B4::False), "  ⊥");
    }
}
