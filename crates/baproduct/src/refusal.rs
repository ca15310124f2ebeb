//! What a specification or the command line asks of the machine, and cannot have.

use spec::Diagnostic;

use crate::exit::{Ended, Status};
use crate::options::Output;
use crate::pipeline::SpecFile;

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

    /// The failure; a place in the specification is shown.
    pub fn ended(self, spec: Option<&SpecFile>, output: &Output) -> anyhow::Error {
        match (self, spec) {
            (Refusal::Option(message), _) => Ended::error(Status::Usage, message),
            (Refusal::Specification(diagnostic), Some(spec)) => spec.refused(&diagnostic, output),
            (Refusal::Specification(diagnostic), None) => {
                Ended::error(Status::Refused, diagnostic.title.clone())
            }
        }
    }
}
