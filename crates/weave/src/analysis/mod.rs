//! Analyses of the program and its propositions, before anything is planned: control flow, effects of writes
//! and calls, threads, reachability of functions, objects in traces, and the state that a lasso compares.

pub mod call_edges;
pub mod dependence;
pub mod effects;
pub mod flow;
pub mod influence;
mod initial_values;
pub mod live_locals;
pub mod object_shapes;
mod pointees;
pub mod reachability;
pub mod signal_handlers;
pub mod state_slice;
pub mod thread_bound;
pub mod threads;
pub mod traced;
pub mod unspecified_order;
pub mod unwritten;

use crate::analysis::effects::Effects;
use crate::analysis::threads::Threads;
use crate::analysis::unwritten::Unwritten;
use crate::bind::code::Code;
use crate::bind::resolve::Bound;
use crate::facts::{Facts, FunctionIndex};
use crate::library::assertions::has_assertions;
use crate::library::effects::assumed;
use crate::library::synchronisation::synchronises;

/// Results that hold for the whole program and its propositions: threads, effects, ends of runs. Questions
/// about one place go to [`flow::Graphs`] and [`Code`].
pub struct Analysis {
    /// `main`.
    pub main: FunctionIndex,
    /// The threads.
    pub threads: Threads,
    /// Whether the program starts threads.
    pub threaded: bool,
    /// Whether the program starts threads, or synchronises in a function that runs.
    pub synchronises: bool,
    /// The effects of writes and calls on the propositions.
    pub effects: Effects,
    /// For each proposition, what is known if `main` never writes what it reads.
    pub unwritten: Vec<Option<Unwritten>>,
    /// Whether the program has assertions and a run in which one fails is discarded.
    pub failed_assertions: bool,
    /// Whether the program itself discards runs, by functions that assume a condition.
    pub supposes: bool,
}

impl Analysis {
    /// Analyses a program whose preprocessed text is `text`. `assert_prunes` says that runs in which an
    /// assertion fails are discarded.
    pub fn new(
        facts: &Facts,
        code: &Code,
        text: &str,
        main: FunctionIndex,
        bound: &Bound,
        assert_prunes: bool,
    ) -> Analysis {
        let (calls, starts) = call_edges::edges(facts, main);
        let nodes = facts.functions.len() + 1;
        let interruptions = signal_handlers::interruptions(facts, text, nodes);
        let threads = Threads::interrupted(nodes + 1, main, &calls, &interruptions, &starts);
        let threaded = !starts.is_empty();
        let effects = Effects::new(facts, code, &bound.propositions);
        let runs = |f: FunctionIndex| !threads.roots[f].is_empty();
        let synchronises = threaded || synchronises(facts, runs);
        Analysis {
            main,
            threaded,
            synchronises,
            unwritten: unwritten::of(facts, code, text, main, &threads, &effects, bound),
            effects,
            failed_assertions: assert_prunes && has_assertions(facts),
            supposes: facts.calls.iter().any(|c| assumed(c).is_some()),
            threads,
        }
    }
}
