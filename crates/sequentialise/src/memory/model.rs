//! The memory models.

use std::collections::BTreeSet;

/// A question about a program and its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The memory model.
    pub model: Model,
    /// If finite runs show all that is asked: the names that its conditions read.
    pub finite: Option<BTreeSet<String>>,
}

impl Asked {
    /// Any question.
    pub fn anything(model: Model) -> Asked {
        Asked {
            model,
            finite: None,
        }
    }
}

/// A memory model that is weaker than sequential consistency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Total store order: x86.
    Tso,
    /// Partial store order: SPARC.
    Pso,
    /// C11, as repaired (RC11).
    C11,
}

impl Model {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Model::Tso => "tso",
            Model::Pso => "pso",
            Model::C11 => "c11",
        }
    }
}
