//! What a specification or the command line asks of the machine, and cannot have.

use std::ops::Range;
use std::sync::Arc;

use spec::{Diagnostic, Sources};

/// Why something is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// An option has no meaning.
    Option(String),
    /// A place in the specification has none.
    Specification(Box<Diagnostic>),
}

impl Refusal {
    /// Something at a place in the specification.
    pub fn at(diagnostic: Diagnostic) -> Refusal {
        Refusal::Specification(Box::new(diagnostic))
    }
}

/// The names of handlers, masks, registers and entries in a specification: where the program lacks one, the place that
/// names it is shown.
#[derive(Clone, Default)]
pub struct Named {
    /// The texts of the specification, if there is one.
    pub sources: Option<Arc<Sources>>,
    /// Each name, and where it stands.
    pub places: Vec<(String, Range<usize>)>,
}

impl std::fmt::Debug for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.places.fmt(f)
    }
}
