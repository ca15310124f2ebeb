//! Proofs that a formula holds on all runs of any length (docs/semantics.md, "Whether the formula
//! holds").
//!
//! The program is woven with open loops, and every loop becomes an induction step (crate
//! `induction`). A violation is then an ended run whose stuttering word violates the formula, a
//! monitor state ⊥, or an infinite path along edges between heads that the Büchi automaton beside
//! the monitor marks as a violation; ranking functions exclude such paths.

mod attempt;
pub mod bounds;
pub mod certificate;
pub mod k_induction;
pub mod recurrence;
pub mod refute;
mod search;
mod system;
mod unrolled;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use backend::{Backend, Cancel};
use induction::Hints;
use weave::heads::{Heads, CONTRACTS};
use weave::record::Record;

use crate::result::Rests;

/// The goal of a proof: one property of a program that was woven for it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The woven text.
    pub text: String,
    /// Its record.
    pub record: Record,
    /// Its heads.
    pub heads: Heads,
    /// Hints from the program's text.
    pub hints: Hints,
    /// A directory for temporary files.
    pub directory: PathBuf,
    /// Variables that an input strategy adds to the state, with their numbers of values.
    pub added: Vec<(String, usize)>,
    /// The first visits of heads that are followed, where the first inputs are fixed: 0 for a proof of the program.
    pub skips: u32,
}

impl Task {
    /// The task of a proof in which contracts stand for functions of the library. What is proved of it holds of the program; a
    /// run of it may be none of the program's.
    pub fn by_contracts(mut self) -> Task {
        if !self.heads.own.contracts.is_empty() {
            self.text.insert_str(0, &format!("#define {CONTRACTS}\n"));
        }
        self
    }
}

/// The argument of a proof.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proof {
    /// The invariants of each loop: its place, and conditions in C.
    pub invariants: Vec<(String, Vec<String>)>,
    /// Ranking functions, with their loops.
    pub ranking: Vec<String>,
    /// The k of the induction.
    pub k: u32,
    /// The certificate that a second run can check.
    pub certificate: Option<certificate::Certificate>,
}

impl Proof {
    /// The argument in the form for reports.
    pub fn rests(&self) -> Rests {
        Rests {
            invariants: flat(&self.invariants),
            ranking: self.ranking.clone(),
            k: self.k,
            inputs: None,
            explored: None,
            sliced: false,
        }
    }
}

/// The invariants, each after its place.
pub fn flat(invariants: &[(String, Vec<String>)]) -> Vec<String> {
    let each = |(at, all): &(String, Vec<String>)| {
        let at = at.clone();
        all.clone().into_iter().map(move |i| format!("{at}: {i}"))
    };
    invariants.iter().flat_map(each).collect()
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Every run satisfies the formula.
    Proved(Box<Proof>),
    /// No proof was found: the reason, and the invariants that were shown.
    Open(String, Vec<(String, Vec<String>)>),
}

/// Resources that the search has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Used {
    /// The number of runs of the model checker.
    pub runs: u32,
    /// Wall-clock seconds of these runs.
    pub seconds: f64,
}

/// Limits of a search.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The end of the search.
    pub until: Option<Instant>,
    /// Wall-clock limit of a run of the model checker.
    pub timeout: Option<Duration>,
    /// Memory limit of a run, in MiB.
    pub memory_mib: Option<u64>,
    /// The most questions to the model checker: a bound of the work, which is the same on every machine.
    pub questions: Option<u32>,
}

impl Limits {
    /// Whether the end of the search has come, or nobody waits for it any more. Asked before each part of the work that takes
    /// seconds for a large program.
    pub fn over(&self, cancel: &Cancel) -> bool {
        cancel.is_cancelled() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Limits of a search that may use this fraction (1/part) of the questions, and ends at a moment at the latest.
    fn part(&self, part: u32, until: Instant) -> Limits {
        Limits {
            until: Some(self.until.map_or(until, |known| known.min(until))),
            questions: self.questions.map(|all| all / part),
            ..self.clone()
        }
    }
}

/// Looks for a proof. Calls `told` with descriptions of the current work.
pub fn prove(
    task: &Task,
    backend: &dyn Backend,
    limits: &Limits,
    cancel: &Cancel,
    told: &dyn Fn(&str),
) -> (Outcome, Used) {
    let mut search = match search::Search::new(task, backend, limits, cancel, told) {
        Ok(search) => search,
        Err(why) => return (Outcome::Open(why, Vec::new()), Used::default()),
    };
    let outcome = search
        .run()
        .unwrap_or_else(|why| Outcome::Open(why, search.shown()));
    (outcome, search.used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_over_at_its_end_or_when_nobody_waits() {
        let (limits, cancel) = (Limits::default(), Cancel::new());
        assert!(!limits.over(&cancel));
        let ended = Limits {
            until: Some(Instant::now()),
            ..Limits::default()
        };
        assert!(ended.over(&cancel));
        cancel.cancel();
        assert!(limits.over(&cancel));
    }

    #[test]
    fn a_part_of_the_limits_is_never_more_than_the_whole() {
        let now = Instant::now();
        let later = now + Duration::from_secs(9);
        let whole = Limits {
            until: Some(now),
            questions: Some(13),
            ..Limits::default()
        };
        let part = whole.part(6, later);
        assert_eq!((part.until, part.questions), (Some(now), Some(2)));
        let free = Limits::default().part(6, later);
        assert_eq!((free.until, free.questions), (Some(later), None));
    }
}
