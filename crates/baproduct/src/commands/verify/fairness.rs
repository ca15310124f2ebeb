//! `--fairness`: the infinite runs of threads that count (docs/semantics.md, "Fairness").

use clap::ValueEnum;
use sequentialise::Fairness;

/// The values of `--fairness`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Name {
    /// Every infinite run counts
    None,
    /// A thread that from some point on could always take a step takes infinitely many
    #[default]
    Weak,
    /// A thread that infinitely often could take a step takes infinitely many
    Strong,
}

impl From<Name> for Fairness {
    fn from(name: Name) -> Fairness {
        match name {
            Name::None => Fairness::None,
            Name::Weak => Fairness::Weak,
            Name::Strong => Fairness::Strong,
        }
    }
}
