//! `--fairness`: the infinite runs of threads that count (docs/semantics.md, "Fairness").

use clap::ValueEnum;
use sequentialise::Fairness;
use weave::record::Record;

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

impl Name {
    /// The assumption of a result for which infinite runs of threads were searched.
    pub fn assumption(self, record: &Record) -> Option<String> {
        let searched = record.threads && record.lasso.is_some();
        searched.then(|| self.sentence().to_owned())
    }

    /// Which infinite runs count.
    pub fn sentence(self) -> &'static str {
        match self {
            Name::None => "infinite runs of threads count whether they are fair or not",
            Name::Weak => "infinite runs of threads count if they are weakly fair: a thread that from some point on could always take a step takes infinitely many",
            Name::Strong => "infinite runs of threads count if they are strongly fair: a thread that infinitely often could take a step takes infinitely many",
        }
    }
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
