//! The monitor's transition function, specialised to the last change, as nested conditions with as few reads as
//! possible.
//!
//! In threaded programs the cost of a monitor step is its accesses to shared objects, so a step must not read a
//! proposition, or the state, on which it does not depend. This uses that a state is current only with letters
//! by which it can be entered.

use crate::guard::Guard;
use crate::limits::TooLarge;
use crate::monitor::{Monitor, StateId};
use crate::region::{search, Entry, Tree};
use ltl::lasso::Letter;
use ltl::AtomId;
use ltl::B4;

/// A step of the monitor: reads, and the new state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// The state does not change: nothing to write.
    Stay,
    /// The new state, whatever the old one is.
    Goto(StateId),
    /// Reads a proposition's value in the new letter.
    Atom {
        /// The proposition.
        atom: AtomId,
        /// If it holds.
        then: Box<Decision>,
        /// If it does not.
        els: Box<Decision>,
    },
    /// Reads the state.
    State {
        /// The decisions in some states, ascending.
        cases: Vec<(StateId, Decision)>,
        /// The decision in all other states.
        otherwise: Box<Decision>,
    },
}

/// A yes-or-no question about the last letter and the state, as nested conditions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// Always or never.
    Is(bool),
    /// Reads a proposition.
    Atom {
        /// The proposition.
        atom: AtomId,
        /// If it holds.
        then: Box<Condition>,
        /// If it does not.
        els: Box<Condition>,
    },
    /// Reads the state.
    State {
        /// The answer in some states, ascending.
        cases: Vec<(StateId, Condition)>,
        /// The answer in all others.
        otherwise: Box<Condition>,
    },
}

impl Decision {
    /// The next state when the decision is taken in `state` with this new letter.
    pub fn run(&self, state: StateId, letter: &Letter) -> StateId {
        let mut at = self;
        loop {
            at = match at {
                Decision::Stay => return state,
                Decision::Goto(target) => return *target,
                Decision::Atom { atom, then, els } => {
                    if letter.contains(atom) {
                        then
                    } else {
                        els
                    }
                }
                Decision::State { cases, otherwise } => cases
                    .iter()
                    .find(|(case, _)| *case == state)
                    .map_or(otherwise, |(_, decision)| decision),
            };
        }
    }

    /// Whether it reads the state somewhere.
    pub fn reads_state(&self) -> bool {
        match self {
            Decision::Stay | Decision::Goto(_) => false,
            Decision::Atom { then, els, .. } => then.reads_state() || els.reads_state(),
            Decision::State { .. } => true,
        }
    }

    /// Whether it never changes the state.
    pub fn is_stay(&self) -> bool {
        *self == Decision::Stay
    }
}

impl Condition {
    /// The answer in `state` after this letter.
    pub fn run(&self, state: StateId, letter: &Letter) -> bool {
        let mut at = self;
        loop {
            at = match at {
                Condition::Is(answer) => return *answer,
                Condition::Atom { atom, then, els } => {
                    if letter.contains(atom) {
                        then
                    } else {
                        els
                    }
                }
                Condition::State { cases, otherwise } => cases
                    .iter()
                    .find(|(case, _)| *case == state)
                    .map_or(otherwise, |(_, condition)| condition),
            };
        }
    }
}

/// The effect of a step, before it is known whether the state has to be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Action {
    Stay,
    Goto(StateId),
}

/// A deterministic machine whose steps can be specialised.
pub(crate) trait Moves {
    /// The state before the first letter.
    fn start(&self) -> StateId;
    /// The number of states.
    fn count(&self) -> usize;
    /// The letters that can occur.
    fn letters(&self) -> &Guard;
    /// The letters with which a state can be current.
    fn entered(&self, state: StateId) -> &Guard;
    /// The transitions of a state: disjoint guards that together are all letters.
    fn moves(&self, state: StateId) -> &[(Guard, StateId)];
}

/// The step for a letter in which just this proposition has changed, to this value.
pub(crate) fn flip(of: &impl Moves, atom: AtomId, value: bool) -> Result<Decision, TooLarge> {
    let allowed = of.letters().restrict(atom, value);
    let entries = states(of).flat_map(|state| {
        // The letter before differs in this proposition only.
        let before = of.entered(state).restrict(atom, !value);
        entries(of, state, &before.and(&allowed), |guard| {
            guard.restrict(atom, value)
        })
    });
    decide(entries.collect())
}

/// The step from any state that can be current to any new letter.
pub(crate) fn step(of: &impl Moves) -> Result<Decision, TooLarge> {
    let entered = states(of).filter(|&s| !of.entered(s).is_false());
    let entries = entered.flat_map(|s| entries(of, s, of.letters(), Guard::clone));
    decide(entries.collect())
}

/// The step from the initial state to the first letter.
pub(crate) fn first(of: &impl Moves) -> Result<Decision, TooLarge> {
    decide(entries(of, of.start(), of.letters(), Guard::clone))
}

fn states(of: &impl Moves) -> impl Iterator<Item = StateId> {
    (0..of.count() as u32).map(StateId)
}

/// The transitions of a state, restricted to the letters of `care`.
fn entries(
    of: &impl Moves,
    state: StateId,
    care: &Guard,
    view: impl Fn(&Guard) -> Guard,
) -> Vec<Entry<Guard, StateId>> {
    let entries = of.moves(state).iter().map(|(guard, target)| Entry {
        state,
        region: view(guard).and(care),
        outcome: *target,
    });
    entries.filter(|entry| !entry.region.is_false()).collect()
}

impl Moves for Monitor {
    fn start(&self) -> StateId {
        self.initial()
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn letters(&self) -> &Guard {
        self.alphabet()
    }

    fn entered(&self, state: StateId) -> &Guard {
        self.entered_by(state)
    }

    fn moves(&self, state: StateId) -> &[(Guard, StateId)] {
        self.transitions(state)
    }
}

impl Monitor {
    /// The step for a letter in which just this proposition has become true, for the states and letters that a
    /// run can have. The step does not read the proposition.
    ///
    /// # Errors
    /// If the step is too large to be written as nested conditions.
    pub fn rise(&self, atom: AtomId) -> Result<Decision, TooLarge> {
        flip(self, atom, true)
    }

    /// Like [`Monitor::rise`], for a proposition that has become false.
    ///
    /// # Errors
    /// If the step is too large to be written as nested conditions.
    pub fn fall(&self, atom: AtomId) -> Result<Decision, TooLarge> {
        flip(self, atom, false)
    }

    /// The step from any state that can be current to any new letter: for events that change several
    /// propositions or none.
    ///
    /// # Errors
    /// If the step is too large to be written as nested conditions.
    pub fn step(&self) -> Result<Decision, TooLarge> {
        step(self)
    }

    /// The step from the initial state to the first letter.
    ///
    /// # Errors
    /// If the step is too large to be written as nested conditions.
    pub fn first(&self) -> Result<Decision, TooLarge> {
        first(self)
    }

    /// The condition that a finished word has this value, over its last letter and state. It is correct for
    /// every state and letter with which a non-empty word can end.
    ///
    /// # Errors
    /// If the condition is too large to be written as nested conditions.
    pub fn verdict_is(&self, value: B4) -> Result<Condition, TooLarge> {
        let mut entries = Vec::new();
        for state in self.states() {
            let care = self.entered_by(state);
            let yes = self.verdict_guard(state, value).and(care);
            let no = care.and_not(&yes);
            for (region, outcome) in [(yes, true), (no, false)] {
                if !region.is_false() {
                    entries.push(Entry {
                        state,
                        region,
                        outcome,
                    });
                }
            }
        }
        let leaf = |entries: &[Entry<Guard, bool>]| same(entries.iter().map(|e| e.outcome), false);
        Ok(condition(search(entries, self.alphabet(), leaf, |_| 0)?))
    }
}

/// The common value of all, or the default if there are none; `None` if they differ.
fn same<T: PartialEq>(mut all: impl Iterator<Item = T>, default: T) -> Option<T> {
    let Some(first) = all.next() else {
        return Some(default);
    };
    all.all(|other| other == first).then_some(first)
}

fn decide(entries: Vec<Entry<Guard, StateId>>) -> Result<Decision, TooLarge> {
    let leaf = |entries: &[Entry<Guard, StateId>]| {
        if entries.iter().all(|e| e.outcome == e.state) {
            return Some(Action::Stay);
        }
        same(entries.iter().map(|e| e.outcome), StateId(0)).map(Action::Goto)
    };
    let cost = |action: &Action| u64::from(*action != Action::Stay);
    let tree = search(entries, &Guard::top(), leaf, cost)?;
    Ok(decision(tree))
}

fn decision(tree: Tree<Action>) -> Decision {
    match tree {
        Tree::Leaf(Action::Stay) => Decision::Stay,
        Tree::Leaf(Action::Goto(state)) => Decision::Goto(state),
        Tree::Atom { atom, then, els } => Decision::Atom {
            atom,
            then: Box::new(decision(*then)),
            els: Box::new(decision(*els)),
        },
        Tree::State { cases, otherwise } => Decision::State {
            cases: cases.into_iter().map(|(s, t)| (s, decision(t))).collect(),
            otherwise: Box::new(decision(*otherwise)),
        },
    }
}

fn condition(tree: Tree<bool>) -> Condition {
    match tree {
        Tree::Leaf(answer) => Condition::Is(answer),
        Tree::Atom { atom, then, els } => Condition::Atom {
            atom,
            then: Box::new(condition(*then)),
            els: Box::new(condition(*els)),
        },
        Tree::State { cases, otherwise } => Condition::State {
            cases: cases.into_iter().map(|(s, t)| (s, condition(t))).collect(),
            otherwise: Box::new(condition(*otherwise)),
        },
    }
}
