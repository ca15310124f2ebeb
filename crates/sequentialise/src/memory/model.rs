//! The memory models.

use std::collections::BTreeSet;

use cfront::{Diagnostic, Span};

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

/// The objects that are accessed by way of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    /// All that threads may access at the same time.
    All,
    /// Those that they access by atomic operations.
    Atomic,
}

/// A result, or what the model does not follow.
pub(super) type Outcome<T> = Result<T, Vec<Diagnostic>>;

/// The error with this message.
pub(super) fn refused<T>(span: Span, message: &str) -> Result<T, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error(span, message)])
}
