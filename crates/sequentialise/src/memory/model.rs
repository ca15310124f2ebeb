//! The memory models.

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
