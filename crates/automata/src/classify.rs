//! The class of a formula (safety, co-safety, and what finite words can tell), decided on its automata.

use crate::class::{Class, Verdicts, Words};
use crate::compose::intersects;
use crate::limits::Limits;
use crate::memo;
use crate::monitor::{Monitor, StateId};
use crate::nnf::Store;
use crate::stutter::is_stutter_invariant;
use crate::tgba::Tgba;
use crate::translate::{Effort, Translation};
use ltl::B4;
use ltl::{Arena, Id};

/// The class of a formula over the letters that satisfy the constraints.
pub fn classify(arena: &Arena, root: Id, constraints: &[Id], limits: &Limits) -> Class {
    let monitor = Monitor::for_formula(arena, root, constraints, limits);
    classify_with(monitor.as_ref().ok(), arena, root, constraints, limits)
}

/// Like [`classify`], if the caller has the formula's monitor over the same letters; `None` if the formula has
/// no monitor within the bounds.
pub fn classify_with(
    monitor: Option<&Monitor>,
    arena: &Arena,
    root: Id,
    constraints: &[Id],
    limits: &Limits,
) -> Class {
    let of = (arena, root, constraints);
    memo::class(of, limits, monitor.is_some(), || {
        decided(monitor, of, limits)
    })
}

fn decided(
    monitor: Option<&Monitor>,
    (arena, root, constraints): (&Arena, Id, &[Id]),
    limits: &Limits,
) -> Class {
    let words = monitor.map(|monitor| {
        let unrestricted = match constraints {
            [] => Ok(monitor.verdicts()),
            _ => Monitor::for_formula(arena, root, &[], limits).map(|m| m.verdicts()),
        };
        Words {
            verdicts: monitor.verdicts(),
            unrestricted: unrestricted.ok(),
            monitorable: is_monitorable(monitor),
            horizon: horizon(monitor),
        }
    });
    let next_free = arena.is_next_free(root).then_some(true);
    // After every word both satisfaction and violation are possible, so neither shows in a finite word.
    if monitor.is_some_and(Monitor::is_suspended) && next_free.is_some() {
        return Class {
            safety: Some(false),
            co_safety: Some(false),
            stutter_invariant: next_free,
            words,
        };
    }
    let translation = Translation::new(arena, root, constraints, limits, Effort::One);
    let automata = translation
        .as_ref()
        .ok()
        .and_then(|t| Some((t.positive().ok()?, t.negative().ok()?)));
    let Some((positive, negative)) = automata else {
        let (safety, co_safety) = by_syntax(arena, root, limits);
        return Class {
            safety,
            co_safety,
            stutter_invariant: next_free,
            words,
        };
    };
    Class {
        safety: disjoint(&closure(positive), negative, limits),
        co_safety: disjoint(&closure(negative), positive, limits),
        stutter_invariant: next_free
            .or_else(|| is_stutter_invariant(positive, negative, limits.work / 16)),
        words,
    }
}

/// Safety and co-safety, as far as the syntax of the simplified formula shows them.
fn by_syntax(arena: &Arena, root: Id, limits: &Limits) -> (Option<bool>, Option<bool>) {
    let mut store = Store::new(arena.atoms_of(root), true, true);
    match store.convert(arena, root, limits) {
        Ok(f) => {
            let traits = store.traits(f);
            (
                traits.safety.then_some(true),
                traits.guarantee.then_some(true),
            )
        }
        Err(_) => (None, None),
    }
}

/// The smallest safety property that contains the language: all words each of whose prefixes has a continuation
/// in the language. The automaton must have no state with empty language, except perhaps the initial one.
fn closure(automaton: &Tgba) -> Tgba {
    let mut closure = automaton.clone();
    closure.sets = 0;
    closure.state_based = false;
    for edge in closure.states.iter_mut().flatten() {
        edge.marks = 0;
    }
    closure
}

fn disjoint(left: &Tgba, right: &Tgba, limits: &Limits) -> Option<bool> {
    intersects(left, right, limits.monitor_states).map(|meet| !meet)
}

impl Monitor {
    /// The verdicts that some non-empty word over the allowed letters has.
    pub fn verdicts(&self) -> Verdicts {
        let occurs = |value: &B4| {
            self.states().any(|state| {
                let guard = self.verdict_guard(state, *value);
                !guard.is_disjoint(self.entered_by(state))
            })
        };
        B4::ALL.into_iter().filter(occurs).collect()
    }
}

/// Whether a definitive state can be reached from every state.
fn is_monitorable(monitor: &Monitor) -> bool {
    let mut decides: Vec<bool> = monitor
        .states()
        .map(|state| monitor.certain(state).is_some())
        .collect();
    loop {
        let mut changed = false;
        // Most transitions lead to greater numbers.
        for state in monitor.states().rev() {
            if !decides[state.index()] {
                let next = monitor.transitions(state).iter();
                let leads = next.into_iter().any(|(_, target)| decides[target.index()]);
                decides[state.index()] = leads;
                changed |= leads;
            }
        }
        if !changed {
            return decides.into_iter().all(|d| d);
        }
    }
}

/// The length of the longest path to a definitive state, if every path leads to one.
fn horizon(monitor: &Monitor) -> Option<usize> {
    let mut longest: Vec<Option<usize>> = monitor
        .states()
        .map(|state| monitor.certain(state).map(|_| 0))
        .collect();
    // Each round settles a state whose successors are settled.
    loop {
        let mut changed = false;
        for state in monitor.states().rev() {
            if longest[state.index()].is_some() {
                continue;
            }
            let next = monitor.transitions(state).iter();
            let lengths: Option<Vec<usize>> = next.map(|(_, t)| longest[t.index()]).collect();
            if let Some(length) = lengths.and_then(|all| all.into_iter().max()) {
                longest[state.index()] = Some(length + 1);
                changed = true;
            }
        }
        if !changed {
            let StateId(initial) = monitor.initial();
            return longest[initial as usize];
        }
    }
}
