//! Runs of states that behave alike up to counting: what a bounded operator leaves in a deterministic machine.
//!
//! The monitor of `G (p -> F[<=1000] q)` has a state for each number of letters since `p`. All of them have the
//! same step, to the next number, to the last state or back to the first. If the numbers of such states are
//! consecutive, one case says the step of all: the state is a counter. The machine stays what it is, so that its
//! verdicts need no further argument; just the text of its steps is smaller.

use crate::guard::Guard;
use crate::monitor::StateId;
use crate::region::Entry;
use std::collections::HashMap;

/// The number of states from which on a machine is written with runs.
pub(crate) const LONG: usize = 64;

/// States with consecutive numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The least number.
    pub first: StateId,
    /// The greatest one, included.
    pub last: StateId,
}

impl Span {
    /// Whether it has a state.
    pub fn contains(&self, state: StateId) -> bool {
        (self.first..=self.last).contains(&state)
    }

    /// The state, if there is just one.
    pub fn only(&self) -> Option<StateId> {
        (self.first == self.last).then_some(self.first)
    }
}

/// The last state of each run, by its first one; a state that is not in it is a run of its own.
#[derive(Default)]
pub(crate) struct Runs(HashMap<StateId, StateId>);

impl Runs {
    /// The run that begins with a state.
    pub fn span(&self, first: StateId) -> Span {
        let last = self.0.get(&first).copied().unwrap_or(first);
        Span { first, last }
    }

    /// The cases, of which neighbours with one outcome are one if there are runs.
    pub fn merged<T: PartialEq>(&self, cases: impl Iterator<Item = (Span, T)>) -> Vec<(Span, T)> {
        let mut merged: Vec<(Span, T)> = Vec::new();
        for (span, outcome) in cases {
            match merged.last_mut() {
                Some((before, same))
                    if !self.0.is_empty()
                        && before.last.0 + 1 == span.first.0
                        && *same == outcome =>
                {
                    before.last = span.last;
                }
                _ => merged.push((span, outcome)),
            }
        }
        merged
    }
}

/// The entries of one state.
type Row<O> = Vec<Entry<Guard, O>>;

/// Joins the entries of consecutive states with the same regions whose outcomes have a common form; the entries of
/// a run have its first state. Linear in the entries, which are in the order of their states.
pub(crate) fn join<O: Clone>(
    entries: Vec<Entry<Guard, O>>,
    common: impl Fn(&O, &O) -> Option<O>,
) -> (Vec<Entry<Guard, O>>, Runs) {
    let mut runs = Runs::default();
    let mut joined = Vec::new();
    let mut run: Row<O> = Vec::new();
    let mut last = StateId(0);
    for row in entries.chunk_by(|a, b| a.state == b.state) {
        let next = row[0].state;
        let follows = !run.is_empty() && next.0 == last.0 + 1;
        match follows.then(|| together(&run, row, &common)).flatten() {
            Some(both) => {
                runs.0.insert(both[0].state, next);
                run = both;
            }
            None => {
                joined.append(&mut run);
                run = row.to_vec();
            }
        }
        last = next;
    }
    joined.append(&mut run);
    (joined, runs)
}

/// The entries of a run with one more state, if that behaves alike.
fn together<O>(
    run: &[Entry<Guard, O>],
    row: &[Entry<Guard, O>],
    common: impl Fn(&O, &O) -> Option<O>,
) -> Option<Row<O>> {
    if run.len() != row.len() {
        return None;
    }
    let joined = run.iter().map(|old| {
        let new = row.iter().find(|new| new.region == old.region)?;
        Some(Entry {
            state: old.state,
            region: old.region.clone(),
            outcome: common(&old.outcome, &new.outcome)?,
        })
    });
    joined.collect()
}
