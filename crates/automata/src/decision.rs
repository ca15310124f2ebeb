//! The monitor's transition function, specialised to the last change, as nested conditions with as few reads as
//! possible.
//!
//! In threaded programs the cost of a monitor step is its accesses to shared objects, so a step must not read a
//! proposition, or the state, on which it does not depend. This uses that a state is current only with letters
//! by which it can be entered.

use crate::guard::Guard;
use crate::limits::TooLarge;
use crate::monitor::{Monitor, StateId};
use crate::region::{search, Entry, Fits, Found, Tree};
use crate::runs::{join, Runs, Span};
use ltl::lasso::Letter;
use ltl::AtomId;
use ltl::B4;
use std::sync::{LazyLock, Mutex};

/// A step of the monitor: reads, and the new state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// The state does not change: nothing to write.
    Stay,
    /// The new state, whatever the old one is.
    Goto(StateId),
    /// Reads the state and adds to its number.
    Count(i64),
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
        cases: Vec<(Span, Decision)>,
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
        cases: Vec<(Span, Condition)>,
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
                Decision::Count(by) => return StateId((i64::from(state.0) + by) as u32),
                Decision::Atom { atom, then, els } => {
                    if letter.contains(atom) {
                        then
                    } else {
                        els
                    }
                }
                Decision::State { cases, otherwise } => cases
                    .iter()
                    .find(|(case, _)| case.contains(state))
                    .map_or(otherwise, |(_, decision)| decision),
            };
        }
    }

    /// Whether it reads the state somewhere.
    pub fn reads_state(&self) -> bool {
        match self {
            Decision::Stay | Decision::Goto(_) => false,
            Decision::Atom { then, els, .. } => then.reads_state() || els.reads_state(),
            Decision::Count(_) | Decision::State { .. } => true,
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
                    .find(|(case, _)| case.contains(state))
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
    Count(i64),
}

/// The ways to say the new state: for all states of a run, which number it has, and how far it is away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Target {
    to: Option<StateId>,
    by: Option<i64>,
}

impl Target {
    /// The new state, from this old one.
    fn new(from: StateId, to: StateId) -> Target {
        Target {
            to: Some(to),
            by: Some(i64::from(to.0) - i64::from(from.0)),
        }
    }

    /// What says the new states of both.
    fn common(&self, other: &Target) -> Option<Target> {
        let both = Target {
            to: self.to.filter(|_| self.to == other.to),
            by: self.by.filter(|_| self.by == other.by),
        };
        (both.to.is_some() || both.by.is_some()).then_some(both)
    }
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
    /// Whether steps may count: for machines with many states.
    fn counts(&self) -> bool;
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
    decide(entries.collect(), of.counts())
}

/// The step from any state that can be current to any new letter.
pub(crate) fn step(of: &impl Moves) -> Result<Decision, TooLarge> {
    let entered = states(of).filter(|&s| !of.entered(s).is_false());
    let entries = entered.flat_map(|s| entries(of, s, of.letters(), Guard::clone));
    decide(entries.collect(), of.counts())
}

/// The step from the initial state to the first letter.
pub(crate) fn first(of: &impl Moves) -> Result<Decision, TooLarge> {
    decide(
        entries(of, of.start(), of.letters(), Guard::clone),
        of.counts(),
    )
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
) -> Vec<Entry<Guard, Target>> {
    let entries = of.moves(state).iter().map(|(guard, target)| Entry {
        state,
        region: view(guard).and(care),
        outcome: Target::new(state, *target),
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

    fn counts(&self) -> bool {
        self.counts
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
        let equal = |a: &bool, b: &bool| (a == b).then_some(*a);
        let (entries, runs) = match self.counts {
            true => join(entries, equal),
            false => (entries, Runs::default()),
        };
        static FOUND: LazyLock<Mutex<Found<bool, bool>>> = LazyLock::new(Mutex::default);
        let tree = search(entries, self.alphabet(), &Answers, &FOUND)?;
        Ok(condition(tree, &runs))
    }
}

/// Answers of conditions: reading none costs nothing.
struct Answers;

impl Fits<bool> for Answers {
    type Leaf = bool;

    fn fits<'o>(&self, mut answers: impl Iterator<Item = &'o bool> + Clone) -> Option<bool> {
        let Some(first) = answers.next() else {
            return Some(false);
        };
        answers.all(|other| other == first).then_some(*first)
    }

    fn cost(&self, _: &bool) -> u64 {
        0
    }
}

/// Steps of a machine that counts or not: all but staying write.
struct Steps {
    counts: bool,
}

impl Fits<Target> for Steps {
    type Leaf = Action;

    fn fits<'o>(&self, mut targets: impl Iterator<Item = &'o Target> + Clone) -> Option<Action> {
        if targets.clone().all(|target| target.by == Some(0)) {
            return Some(Action::Stay);
        }
        let Target { to, by } = targets.clone().next()?;
        match (to, by) {
            (Some(to), _) if targets.clone().all(|target| target.to == Some(*to)) => {
                Some(Action::Goto(*to))
            }
            (_, Some(by)) if self.counts && targets.all(|target| target.by == Some(*by)) => {
                Some(Action::Count(*by))
            }
            _ => None,
        }
    }

    fn cost(&self, action: &Action) -> u64 {
        u64::from(*action != Action::Stay)
    }
}

fn decide(entries: Vec<Entry<Guard, Target>>, counts: bool) -> Result<Decision, TooLarge> {
    let (entries, runs) = match counts {
        true => join(entries, Target::common),
        false => (entries, Runs::default()),
    };
    static STEPS: LazyLock<Mutex<Found<Target, Action>>> = LazyLock::new(Mutex::default);
    static COUNTING: LazyLock<Mutex<Found<Target, Action>>> = LazyLock::new(Mutex::default);
    let found = if counts { &COUNTING } else { &STEPS };
    let tree = search(entries, &Guard::top(), &Steps { counts }, found)?;
    Ok(decision(tree, &runs))
}

fn decision(tree: Tree<Action>, runs: &Runs) -> Decision {
    let boxed = |tree: Box<Tree<Action>>| Box::new(decision(*tree, runs));
    match tree {
        Tree::Leaf(Action::Stay) => Decision::Stay,
        Tree::Leaf(Action::Goto(state)) => Decision::Goto(state),
        Tree::Leaf(Action::Count(by)) => Decision::Count(by),
        Tree::Atom { atom, then, els } => Decision::Atom {
            atom,
            then: boxed(then),
            els: boxed(els),
        },
        Tree::State { cases, otherwise } => {
            let case = |(state, tree)| (runs.span(state), decision(tree, runs));
            Decision::State {
                cases: runs.merged(cases.into_iter().map(case)),
                otherwise: boxed(otherwise),
            }
        }
    }
}

fn condition(tree: Tree<bool>, runs: &Runs) -> Condition {
    let boxed = |tree: Box<Tree<bool>>| Box::new(condition(*tree, runs));
    match tree {
        Tree::Leaf(answer) => Condition::Is(answer),
        Tree::Atom { atom, then, els } => Condition::Atom {
            atom,
            then: boxed(then),
            els: boxed(els),
        },
        Tree::State { cases, otherwise } => {
            let case = |(state, tree)| (runs.span(state), condition(tree, runs));
            Condition::State {
                cases: runs.merged(cases.into_iter().map(case)),
                otherwise: boxed(otherwise),
            }
        }
    }
}
