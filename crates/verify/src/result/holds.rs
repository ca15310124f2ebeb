//! Whether a formula holds on all runs of the program, of any length. Users ask this question; the
//! verdict, in contrast, judges words (docs/semantics.md, "Whether the formula holds").

use super::{Answer, Evidence, Verdict};
use serde::{Deserialize, Serialize};

/// Whether all maximal runs satisfy a formula. A maximal run is infinite, or it ends; an ended run
/// is judged as if its last letter stuttered for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// Every maximal run satisfies it.
    Proved,
    /// Some maximal run violates it.
    Refuted,
    /// Neither is known.
    #[default]
    Unknown,
}

impl Holds {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Holds::Proved => "proved",
            Holds::Refuted => "refuted",
            Holds::Unknown => "unknown",
        }
    }
}

/// Which runs of a program were explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// The program starts threads: a cut thread stops, and the others continue without it.
    pub threads: bool,
    /// Only some schedules were explored.
    pub some_schedules: bool,
    /// No word can have a value below ⊤, so that it does not matter which runs were explored.
    pub valid: bool,
}

impl Holds {
    /// What a property's verdict and evidence imply for all runs.
    ///
    /// A ⊥ is a prefix of a real run, and every run with this prefix violates the formula: where
    /// runs may be discarded later, such a prefix does not count as ⊥. A ⊥ᵖ refutes if the run has
    /// ended. Without threads a ⊤ proves, cut or not: each maximal run begins with an explored one.
    /// With threads it does not: the steps of the other threads after a cut may come too late in
    /// the run that continues. A valid formula holds on any run.
    pub fn of(answer: &Answer, explored: Explored) -> Holds {
        let all = !explored.some_schedules && !answer.observed;
        let complete = answer.complete == Some(true);
        match (answer.verdict, answer.evidence) {
            (Verdict::FALSE, _) => Holds::Refuted,
            (Verdict::PRESUMABLY_FALSE, Some(Evidence::Ended)) => Holds::Refuted,
            (Verdict::PRESUMABLY_TRUE | Verdict::TRUE, _) if all && complete => Holds::Proved,
            (Verdict::TRUE, _) if all && !explored.threads => Holds::Proved,
            (Verdict::TRUE, _) if explored.valid && !answer.observed => Holds::Proved,
            _ => Holds::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(verdict: Verdict, evidence: Evidence, complete: bool, explored: Explored) -> Holds {
        let answer = Answer {
            verdict,
            evidence: Some(evidence),
            complete: Some(complete),
            ..Answer::default()
        };
        Holds::of(&answer, explored)
    }

    #[test]
    fn what_ended_or_is_definitive_decides() {
        let one = Explored::default();
        let threads = Explored {
            threads: true,
            ..one
        };
        let rounds = Explored {
            some_schedules: true,
            ..threads
        };
        let valid = Explored {
            valid: true,
            ..rounds
        };
        for (verdict, evidence, complete, explored, expected) in [
            (Verdict::TRUE, Evidence::Prefix, false, valid, Holds::Proved),
            (
                Verdict::FALSE,
                Evidence::Prefix,
                false,
                rounds,
                Holds::Refuted,
            ),
            (
                Verdict::PRESUMABLY_FALSE,
                Evidence::Ended,
                false,
                rounds,
                Holds::Refuted,
            ),
            (
                Verdict::PRESUMABLY_FALSE,
                Evidence::Prefix,
                false,
                one,
                Holds::Unknown,
            ),
            (
                Verdict::PRESUMABLY_TRUE,
                Evidence::Complete,
                true,
                threads,
                Holds::Proved,
            ),
            (
                Verdict::PRESUMABLY_TRUE,
                Evidence::Prefix,
                false,
                one,
                Holds::Unknown,
            ),
            (Verdict::TRUE, Evidence::Prefix, false, one, Holds::Proved),
            (
                Verdict::TRUE,
                Evidence::Prefix,
                false,
                threads,
                Holds::Unknown,
            ),
            (
                Verdict::TRUE,
                Evidence::Complete,
                true,
                rounds,
                Holds::Unknown,
            ),
        ] {
            let got = of(verdict, evidence, complete, explored);
            assert_eq!(
                got, expected,
                "{verdict} {evidence:?} {complete} {explored:?}"
            );
        }
        let unknown = Answer::default();
        assert_eq!(Holds::of(&unknown, one), Holds::Unknown);
    }

    #[test]
    fn one_observed_run_proves_nothing() {
        let answer = Answer {
            verdict: Verdict::TRUE,
            evidence: Some(Evidence::Ended),
            complete: Some(true),
            observed: true,
            ..Answer::default()
        };
        assert_eq!(Holds::of(&answer, Explored::default()), Holds::Unknown);
    }
}
