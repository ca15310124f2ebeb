//! Products and unions of the automata of a formula's operands (Babiak, Badie, Duret-Lutz, Křetínský &
//! Strejček, *Compositional approach to suspension*, SPIN 2013).

use crate::tgba::{Edge, Tgba};
use std::collections::HashMap;

/// Products with more states are given up.
pub(crate) const MAX_STATES: usize = 2_000;

/// The product under construction: pairs of states, numbered.
#[derive(Default)]
struct Pairs {
    order: Vec<(u32, Option<u32>)>,
    numbers: HashMap<(u32, Option<u32>), u32>,
}

impl Pairs {
    fn number(&mut self, pair: (u32, Option<u32>)) -> u32 {
        let fresh = self.order.len() as u32;
        let number = *self.numbers.entry(pair).or_insert(fresh);
        if number == fresh {
            self.order.push(pair);
        }
        number
    }
}

/// The intersection of two languages; `None` if the product is too large.
///
/// If the right language is suspendable, that is if a word is in it exactly if each of its suffixes is, it
/// suffices to check it from some position on: then the right automaton starts only when the left one has
/// reached a component in which its run can be accepted.
pub(crate) fn product(left: &Tgba, right: &Tgba, suspendable: bool) -> Option<Tgba> {
    product_within(left, right, suspendable, MAX_STATES)
}

/// Whether two languages have a common word; `None` if the product has more states than `limit`.
pub(crate) fn intersects(left: &Tgba, right: &Tgba, limit: usize) -> Option<bool> {
    Some(product_within(left, right, false, limit)?.edges() > 0)
}

/// As [`product()`], with so many states at most.
pub(crate) fn product_within(
    left: &Tgba,
    right: &Tgba,
    suspendable: bool,
    limit: usize,
) -> Option<Tgba> {
    let components = left.components();
    let accepting = |state: u32| components.accepting[components.of[state as usize] as usize];
    let starts = |state: u32| (!suspendable || accepting(state)).then_some(right.init);
    let sets = left.sets + right.sets;
    if sets > 60 {
        return None;
    }
    let mut pairs = Pairs::default();
    let init = pairs.number((left.init, starts(left.init)));
    let mut states = Vec::new();
    while states.len() < pairs.order.len() {
        let (p, q) = pairs.order[states.len()];
        let mut edges = Vec::new();
        for edge in &left.states[p as usize] {
            let same = components.of[p as usize] == components.of[edge.dst as usize];
            match q {
                Some(q) if !suspendable || same => {
                    for other in &right.states[q as usize] {
                        let guard = edge.guard.intersection(&other.guard);
                        if !guard.is_empty() {
                            edges.push(Edge {
                                dst: pairs.number((edge.dst, Some(other.dst))),
                                marks: edge.marks | other.marks << left.sets,
                                guard,
                            });
                        }
                    }
                }
                // The right automaton may start again, whatever it did before.
                _ => edges.push(Edge {
                    dst: pairs.number((edge.dst, starts(edge.dst))),
                    marks: 0,
                    guard: edge.guard.clone(),
                }),
            }
        }
        states.push(edges);
        if pairs.order.len() > limit {
            return None;
        }
    }
    Some(trimmed(states, init, sets, left.letters))
}

/// The union of two languages; `None` if there are too many acceptance sets.
pub(crate) fn union(left: &Tgba, right: &Tgba) -> Option<Tgba> {
    // A reduced automaton without edges accepts nothing.
    if left.edges() == 0 || right.edges() == 0 {
        return Some(if left.edges() == 0 { right } else { left }.clone());
    }
    let sets = left.sets.max(right.sets);
    let all: u64 = (1 << sets) - 1;
    let mut states: Vec<Vec<Edge>> = Vec::new();
    for automaton in [left, right] {
        let (shift, own) = (states.len() as u32, automaton.all_marks());
        for edges in &automaton.states {
            let edges = edges.iter().map(|edge| Edge {
                dst: edge.dst + shift,
                // The first set of this automaton stands for the sets that it does not have.
                marks: match automaton.sets {
                    0 => all,
                    _ if edge.marks & 1 == 1 => edge.marks | all & !own,
                    _ => edge.marks,
                },
                guard: edge.guard.clone(),
            });
            states.push(edges.collect());
        }
    }
    let starts = [left.init, right.init + left.states.len() as u32];
    let init = states.len() as u32;
    let edges = starts.iter().flat_map(|&s| states[s as usize].clone());
    let edges = edges.collect();
    states.push(edges);
    Some(trimmed(states, init, sets, left.letters))
}

/// The automaton with these states, without those that no accepted word needs.
fn trimmed(states: Vec<Vec<Edge>>, init: u32, sets: u32, letters: usize) -> Tgba {
    let mut result = Tgba {
        states,
        init,
        sets,
        letters,
        state_based: false,
    };
    result.trim();
    result
}
