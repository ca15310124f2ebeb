//! What the machines beside an automaton are made of.

use super::anchors::Follow;
use crate::guard::Guard;
use ltl::{AtomId, Id, Interval};

/// A machine, over propositional formulas.
pub(super) enum Plan {
    Bit {
        register: AtomId,
        initial: bool,
        /// The value of the register, if the bit is false and if it is true.
        value: [Id; 2],
        next: Id,
    },
    Since {
        register: AtomId,
        negated: bool,
        hold: Id,
        goal: Id,
        interval: Interval,
    },
    Must {
        start: Id,
        hold: Id,
        goal: Id,
        from: u32,
        to: u32,
    },
    MustNot {
        start: Id,
        hold: Id,
        goal: Id,
        interval: Interval,
    },
    Follow(Follow),
    Often {
        register: AtomId,
        goal: Id,
        window: Interval,
        times: Interval,
    },
}

/// The letters in which a proposition holds, and in which it does not.
pub(super) fn literals(atom: AtomId) -> [Guard; 2] {
    [true, false].map(|value| Guard::literal(atom, value).unwrap_or_else(Guard::bottom))
}
