//! Proofs that a formula holds on all runs, of any length (docs/semantics.md, "Whether the formula holds").
//!
//! The program is woven with open loops, and every loop becomes an induction step (crate `induction`). A
//! violation is then an ended run whose last letter, repeated, violates the formula, a state of the monitor that is ⊥,
//! or an infinite run: one that follows edges between heads for ever. What the Büchi automaton beside
//! the monitor says of those, ranking functions exclude.

mod attempt;
pub mod certificate;
pub mod k_induction;
pub mod recurrence;
pub mod refute;
mod search;
mod system;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use backend::{Backend, Cancel};
use induction::Hints;
use weave::heads::Heads;
use weave::record::Record;

use crate::result::Rests;

/// What is to be proved: one property of a program that was woven for it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The woven text.
    pub text: String,
    /// Its record.
    pub record: Record,
    /// Its heads.
    pub heads: Heads,
    /// What the program's text suggests.
    pub hints: Hints,
    /// A directory for files.
    pub directory: PathBuf,
    /// Variables that a strategy of inputs adds to the state, with the number of their values.
    pub added: Vec<(String, usize)>,
}

/// What a proof rests on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proof {
    /// The invariants of each loop: its place, and conditions in C.
    pub invariants: Vec<(String, Vec<String>)>,
    /// Functions that fall, with their loops.
    pub ranking: Vec<String>,
    /// The rounds of an induction step.
    pub k: u32,
    /// What a second run can check.
    pub certificate: Option<certificate::Certificate>,
}

impl Proof {
    /// For a report.
    pub fn rests(&self) -> Rests {
        Rests {
            invariants: flat(&self.invariants),
            ranking: self.ranking.clone(),
            k: self.k,
            inputs: None,
            explored: None,
        }
    }
}

/// Invariants, each behind its place.
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
    /// Nothing was found: why, and the invariants that were shown.
    Open(String, Vec<(String, Vec<String>)>),
}

/// What the search has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Used {
    /// Runs of the model checker.
    pub runs: u32,
    /// Their seconds.
    pub seconds: f64,
}

/// Limits of a search.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// When it has to be over.
    pub until: Option<Instant>,
    /// Wall-clock limit of a run of the model checker.
    pub timeout: Option<Duration>,
    /// Memory limit of a run, in MiB.
    pub memory_mib: Option<u64>,
}

/// Looks for a proof. `told` is told in words what is being done.
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
