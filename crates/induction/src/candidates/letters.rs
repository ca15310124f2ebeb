//! What the states of the automata beside a program say of the letter that they have read last, and of each other.
//!
//! An automaton that waits for `p` has not read `p` last. Without that, a round may begin where `p` holds and the automaton waits,
//! which no run reaches, and nothing shows that the wait ends although each round has `p`.

use super::{implies, GUARDS};
use crate::system::{Cut, Kind, System, Variable};

/// The most of these conditions at one head.
const MOST: usize = 96;

/// Conditions on the letter and the other automata, each guarded by a state of an automaton.
pub(super) fn letters(system: &System, cut: &Cut) -> Vec<String> {
    let seen = system.seen(cut).map(|v| &system.variables[v]);
    let added: Vec<&Variable> = seen.filter(|v| !v.is_of_program()).collect();
    let automata = added.iter().filter(|v| states(v) > 0);
    let mut out = Vec::new();
    for automaton in automata {
        for state in 0..states(automaton) {
            let guard = format!("{} == {state}", automaton.lvalue);
            let others = added.iter().filter(|v| v.lvalue != automaton.lvalue);
            let said = others.flat_map(|other| conditions(other));
            out.extend(said.map(|condition| implies(&guard, &condition)));
        }
    }
    // For formulas with many states and letters, combinations of values tell.
    match out.len() > MOST {
        true => Vec::new(),
        false => out,
    }
}

/// The number of an automaton's states, if these are few.
fn states(variable: &Variable) -> usize {
    variable.states.filter(|n| *n <= GUARDS).unwrap_or(0)
}

/// What may hold of an added variable under a guard.
fn conditions(variable: &Variable) -> Vec<String> {
    let name = &variable.lvalue;
    match variable.kind {
        Kind::Truth => vec![name.clone(), format!("!{name}")],
        _ => (0..states(variable))
            .map(|state| format!("{name} == {state}"))
            .collect(),
    }
}
