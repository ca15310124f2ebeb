//! Bounds, so that no formula makes the translation run without end.
//!
//! They count work, not time, so that the same input gives the same answer on every machine.

use ltl::{Arena, Id, Node};
use thiserror::Error;

/// The most letters that the counters of a formula count.
const LONGEST: usize = 100_000;

/// The bound that a formula exceeds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[error("more than {limit} {what}")]
pub struct TooLarge {
    /// The things of which there would be too many.
    pub what: &'static str,
    /// The bound.
    pub limit: usize,
}

/// The bounds of the translation and of the monitor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// Distinct subformulas after simplification.
    pub subformulas: usize,
    /// Classes of letters that the formula distinguishes.
    pub letters: usize,
    /// States of an intermediate or final Büchi automaton.
    pub states: usize,
    /// Edges of an intermediate or final Büchi automaton.
    pub edges: usize,
    /// States of the deterministic machine before it is minimised.
    pub monitor_states: usize,
    /// Transitions of that machine, one for each state and letter.
    pub monitor_transitions: usize,
    /// Steps of the construction: visited nodes of decision diagrams, compared cubes. Twenty-five million steps
    /// take a second or two.
    pub work: usize,
}

impl Default for Limits {
    /// Bounds within which every known benchmark formula of the literature stays with a margin, and that end
    /// within seconds.
    fn default() -> Self {
        Limits {
            subformulas: 4_000,
            letters: 4_096,
            states: 5_000,
            edges: 80_000,
            monitor_states: 20_000,
            monitor_transitions: 2_000_000,
            work: 25_000_000,
        }
    }
}

impl Limits {
    /// The bounds for a formula whose bounded operators count this far in all: a counter has as many states as its
    /// interval, or its sequence, is long, but its states are alike, so that they cost little. What is exponential in an interval
    /// stays too large.
    pub(crate) fn counting(self, arena: &Arena, root: Id) -> Limits {
        let ends = arena
            .postorder(root)
            .into_iter()
            .map(|id| match arena.node(id) {
                Node::Within(_, interval, _) => interval.to.unwrap_or(interval.from) as usize,
                Node::Often(window, ..) => window.to.unwrap_or(window.from) as usize,
                Node::Sequence(_, pattern, _) => {
                    usize::try_from(pattern.places()).unwrap_or(usize::MAX)
                }
                _ => 0,
            });
        let longest = ends.fold(0, usize::saturating_add).min(LONGEST);
        Limits {
            states: self.states + 4 * longest,
            edges: self.edges + 32 * longest,
            monitor_states: self.monitor_states + 4 * longest,
            monitor_transitions: self.monitor_transitions + 64 * longest,
            ..self
        }
    }

    /// An error if `count` exceeds `limit`.
    pub(crate) fn check(what: &'static str, count: usize, limit: usize) -> Result<(), TooLarge> {
        if count > limit {
            Err(TooLarge { what, limit })
        } else {
            Ok(())
        }
    }
}
