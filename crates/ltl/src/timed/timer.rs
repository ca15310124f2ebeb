//! What timers watch.

use crate::{AtomId, Id, Interval, Node};

/// What a timer measures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Measure {
    /// Ticks of the clock.
    Ticks,
    /// Letters.
    Letters,
}

/// A machine that gives the values of propositions. Its formulas are propositional, over the formula's propositions and
/// those of timers before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timer {
    /// What it watches.
    pub rule: Rule,
    /// What its interval counts.
    pub measure: Measure,
    /// Its propositions, as the rule lists them.
    pub outputs: Vec<AtomId>,
}

/// What a timer watches.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// The value of a past operator without bounds.
    Past(Node),
    /// Whether `hold S[interval] goal`.
    Since {
        /// What has to hold after the goal.
        hold: Id,
        /// The goal.
        goal: Id,
        /// How long ago it was.
        interval: Interval,
    },
    /// After each letter of `start`, `hold U[from,to] goal`: whether it is missed at this letter, and whether it is
    /// pending.
    Owed {
        /// Where it is owed.
        start: Id,
        /// What has to hold until the goal.
        hold: Id,
        /// The goal.
        goal: Id,
        /// The least time to the goal.
        from: u32,
        /// The greatest.
        to: u32,
    },
    /// After each letter of `start`, not `hold U[interval] goal`: whether it comes at this letter, and whether it may
    /// still come.
    Forbidden {
        /// After which letters.
        start: Id,
        /// What has to hold until the goal.
        hold: Id,
        /// The goal.
        goal: Id,
        /// The times at which it is forbidden.
        interval: Interval,
    },
    /// A value that changes whenever time passes.
    Passing,
    /// Whether a state machine has come to its last state. It begins in state 0, and a letter at which an event comes
    /// takes a transition.
    Table {
        /// What changes at events: an event is that one of these begins or ceases to hold.
        watched: Vec<Id>,
        /// The transitions; a state that has none for an event stays.
        edges: Vec<Edge>,
        /// The last state.
        last: u32,
    },
}

/// A transition of a state machine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// From this state.
    pub from: u32,
    /// What begins (`true`) or ceases to hold, by its number.
    pub event: (usize, bool),
    /// What has to hold at the letter.
    pub condition: Id,
    /// To this state.
    pub to: u32,
}

impl Rule {
    /// The formulas that it reads.
    pub fn operands(&self) -> Vec<Id> {
        match self {
            Rule::Past(node) => node.operands().collect(),
            Rule::Since { hold, goal, .. } => vec![*hold, *goal],
            Rule::Owed {
                start, hold, goal, ..
            }
            | Rule::Forbidden {
                start, hold, goal, ..
            } => vec![*start, *hold, *goal],
            Rule::Passing => Vec::new(),
            Rule::Table { watched, edges, .. } => {
                let conditions = edges.iter().map(|edge| edge.condition);
                watched.iter().copied().chain(conditions).collect()
            }
        }
    }

    /// The greatest time that it tells from others.
    pub fn longest(&self) -> u32 {
        match self {
            Rule::Past(_) | Rule::Passing | Rule::Table { .. } => 0,
            Rule::Owed { to, .. } => *to,
            Rule::Since { interval, .. } | Rule::Forbidden { interval, .. } => {
                interval.to.unwrap_or(interval.from)
            }
        }
    }
}
