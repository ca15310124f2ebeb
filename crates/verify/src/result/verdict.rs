//! A value of the lattice, or the lack of one.

use ltl::B4;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The verdict on a formula: the least value over all runs, or that there is no answer. The order
/// is the lattice's; [`Verdict::Unknown`] is not a lattice value and is last only for a total
/// order. JSON has its name.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Verdict {
    /// A value of the lattice.
    Value(B4),
    /// No answer; the reason is beside the verdict.
    #[default]
    Unknown,
}

impl Verdict {
    /// ⊥: no continuation of some run satisfies the formula.
    pub const FALSE: Verdict = Verdict::Value(B4::False);
    /// ⊥ᵖ: some run violates the formula if its last letter stutters; some continuation would
    /// satisfy it.
    pub const PRESUMABLY_FALSE: Verdict = Verdict::Value(B4::PresumablyFalse);
    /// ⊤ᵖ: every run satisfies the formula if its last letter stutters; some continuation would
    /// violate it.
    pub const PRESUMABLY_TRUE: Verdict = Verdict::Value(B4::PresumablyTrue);
    /// ⊤: every continuation of every run satisfies it.
    pub const TRUE: Verdict = Verdict::Value(B4::True);

    /// The lattice, from least to greatest.
    pub const LATTICE: [Verdict; 4] = [
        Verdict::FALSE,
        Verdict::PRESUMABLY_FALSE,
        Verdict::PRESUMABLY_TRUE,
        Verdict::TRUE,
    ];

    /// The value, if there is an answer.
    pub fn value(self) -> Option<B4> {
        match self {
            Verdict::Value(value) => Some(value),
            Verdict::Unknown => None,
        }
    }

    /// The name in JSON and in a spec's `expect`.
    pub fn name(self) -> &'static str {
        self.value().map_or("unknown", B4::name)
    }

    /// The symbol; `?` for unknown.
    pub fn symbol(self) -> &'static str {
        self.value().map_or("?", B4::symbol)
    }

    /// The name in words.
    pub fn words(self) -> &'static str {
        self.value().map_or("unknown", B4::words)
    }

    /// Whether it is ⊥ or ⊥ᵖ.
    pub fn is_violation(self) -> bool {
        self.value().is_some_and(|value| !value.is_positive())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Verdict {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match (B4::from_name(name), name) {
            (Some(value), _) => Ok(Verdict::Value(value)),
            (None, "unknown") => Ok(Verdict::Unknown),
            (None, _) => Err(format!("'{name}' is not the name of a verdict")),
        }
    }
}

impl TryFrom<String> for Verdict {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl From<Verdict> for &'static str {
    fn from(verdict: Verdict) -> Self {
        verdict.name()
    }
}

impl From<B4> for Verdict {
    fn from(value: B4) -> Self {
        Verdict::Value(value)
    }
}
