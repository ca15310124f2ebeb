//! The single monitor that is equivalent to the monitors of several independent parts.

use crate::det::Fate;
use crate::guard::Guard;
use crate::monitor::{Monitor, State, StateId};
use crate::shape::Shape;
use ltl::{AtomId, B4};
use std::collections::HashMap;

/// A state of the product: a state of each part, or a definitive value.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Joint {
    Open(Vec<StateId>),
    Decided(bool),
}

/// An upper bound of the states of the single monitor.
pub(crate) fn most_states(shape: &Shape<Monitor>) -> usize {
    let sizes = shape.parts().into_iter().map(Monitor::len);
    sizes.fold(1, usize::saturating_mul)
}

/// The minimal monitor of the whole; `alphabet` has the letters that each part allows. The states before
/// minimisation are at most the product of the parts' states; the time is their number times the outgoing
/// transitions of a state.
pub(crate) fn product(shape: &Shape<Monitor>, alphabet: &Guard) -> Monitor {
    let parts = shape.parts();
    let joint = |states: Vec<StateId>| match fate(shape, &parts, &states) {
        Fate::Open => Joint::Open(states),
        decided => Joint::Decided(decided == Fate::Won),
    };
    let start = joint(parts.iter().map(|part| part.initial()).collect());
    let mut numbers = HashMap::from([(start.clone(), 0u32)]);
    let mut order = vec![start];
    let mut states: Vec<State> = Vec::new();
    while states.len() < order.len() {
        let here = StateId(states.len() as u32);
        states.push(match order[states.len()].clone() {
            Joint::Decided(good) => State {
                fate: if good { Fate::Won } else { Fate::Lost },
                stutter: Guard::bottom(),
                transitions: vec![(alphabet.clone(), here)],
            },
            Joint::Open(at) => {
                let mut transitions: Vec<(Guard, StateId)> = Vec::new();
                for (guard, targets) in moves(&parts, &at, alphabet) {
                    let target = *numbers.entry(joint(targets)).or_insert_with_key(|new| {
                        order.push(new.clone());
                        order.len() as u32 - 1
                    });
                    add(&mut transitions, guard, StateId(target));
                }
                State {
                    fate: Fate::Open,
                    stutter: stutter(shape, &parts, &at).and(alphabet),
                    transitions,
                }
            }
        });
    }
    let mut atoms: Vec<AtomId> = parts
        .iter()
        .flat_map(|part| part.atoms().to_vec())
        .collect();
    atoms.sort_unstable();
    atoms.dedup();
    Monitor::of_states(atoms, alphabet.clone(), minimised(&states))
}

fn add(transitions: &mut Vec<(Guard, StateId)>, guard: Guard, target: StateId) {
    match transitions.iter_mut().find(|(_, known)| *known == target) {
        Some((all, _)) => *all = all.or(&guard),
        None => transitions.push((guard, target)),
    }
}

/// The outgoing transitions of a state of the product.
fn moves(parts: &[&Monitor], at: &[StateId], alphabet: &Guard) -> Vec<(Guard, Vec<StateId>)> {
    let start = vec![(alphabet.clone(), Vec::with_capacity(at.len()))];
    parts.iter().zip(at).fold(start, |edges, (part, &state)| {
        let mut longer = Vec::new();
        for (guard, targets) in &edges {
            for (own, target) in part.transitions(state) {
                let both = guard.and(own);
                if !both.is_false() {
                    let mut targets: Vec<StateId> = targets.clone();
                    targets.push(*target);
                    longer.push((both, targets));
                }
            }
        }
        longer
    })
}

fn fate(shape: &Shape<Monitor>, parts: &[&Monitor], at: &[StateId]) -> Fate {
    let mut states = parts.iter().zip(at);
    // An open part counts as a value between the two definitive ones.
    let mut value = |_: &Monitor| {
        let certain = states.next().and_then(|(part, &state)| part.certain(state));
        certain.unwrap_or(B4::PresumablyFalse)
    };
    match shape.verdict(&mut value) {
        B4::False => Fate::Lost,
        B4::True => Fate::Won,
        _ => Fate::Open,
    }
}

/// The letters that satisfy the whole if they are repeated for ever.
fn stutter(shape: &Shape<Monitor>, parts: &[&Monitor], at: &[StateId]) -> Guard {
    let guards: Vec<Guard> = parts
        .iter()
        .zip(at)
        .map(|(part, &state)| match part.certain(state) {
            Some(B4::True) => Guard::top(),
            Some(_) => Guard::bottom(),
            None => part.verdict_guard(state, B4::PresumablyTrue),
        })
        .collect();
    joined(shape, &mut guards.into_iter())
}

fn joined(shape: &Shape<Monitor>, guards: &mut impl Iterator<Item = Guard>) -> Guard {
    match shape {
        Shape::Part(_) => guards.next().unwrap_or_else(Guard::bottom),
        Shape::Least(shapes) => shapes
            .iter()
            .fold(Guard::top(), |all, shape| all.and(&joined(shape, guards))),
        Shape::Greatest(shapes) => shapes
            .iter()
            .fold(Guard::bottom(), |all, shape| all.or(&joined(shape, guards))),
    }
}

/// What distinguishes the blocks of a partition: the fate and the repeated letters of a state, and the letters
/// that lead to each block.
type Signature = (Fate, Guard, Vec<(u32, Guard)>);

/// The quotient by equivalence, in breadth-first order.
fn minimised(states: &[State]) -> Vec<State> {
    let mut block = vec![0u32; states.len()];
    let mut count = 1;
    loop {
        let mut known: HashMap<Signature, u32> = HashMap::new();
        let finer: Vec<u32> = states
            .iter()
            .map(|state| {
                let fresh = known.len() as u32;
                *known.entry(signature(state, &block)).or_insert(fresh)
            })
            .collect();
        let stable = known.len() == count;
        (block, count) = (finer, known.len());
        if stable {
            return quotient(states, &block);
        }
    }
}

fn signature(state: &State, block: &[u32]) -> Signature {
    let mut edges: Vec<(Guard, StateId)> = Vec::new();
    for (guard, target) in &state.transitions {
        add(&mut edges, guard.clone(), StateId(block[target.index()]));
    }
    let mut edges: Vec<(u32, Guard)> = edges.into_iter().map(|(g, t)| (t.0, g)).collect();
    edges.sort_unstable_by_key(|(target, _)| *target);
    (state.fate, state.stutter.clone(), edges)
}

fn quotient(states: &[State], block: &[u32]) -> Vec<State> {
    let mut numbers = HashMap::from([(block[0], 0u32)]);
    let mut order = vec![0usize];
    let mut out: Vec<State> = Vec::new();
    while out.len() < order.len() {
        let state = &states[order[out.len()]];
        let mut transitions: Vec<(Guard, StateId)> = Vec::new();
        for (guard, target) in &state.transitions {
            let number = *numbers.entry(block[target.index()]).or_insert_with(|| {
                order.push(target.index());
                order.len() as u32 - 1
            });
            add(&mut transitions, guard.clone(), StateId(number));
        }
        transitions.sort_unstable_by_key(|(_, target)| target.0);
        out.push(State {
            transitions,
            ..state.clone()
        });
    }
    out
}
