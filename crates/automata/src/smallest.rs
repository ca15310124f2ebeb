//! The smallest of several state-based automata for the same language.

use crate::degeneralise::{degeneralise, strategies};
use crate::det::Machine;
use crate::limits::Limits;
use crate::simulation;
use crate::tgba::Tgba;
use crate::weak::{weak, Weak};

/// The least work with which another automaton is tried.
const LITTLE: usize = 10_000;
/// The most states with which an automaton is degeneralised in several ways.
const MAX_TRIED: usize = 40;
/// Bounds of the subset construction that looks for a weak deterministic automaton.
const MAX_SUBSETS: usize = 400;
const MAX_SUBSET_TRANSITIONS: usize = 20_000;

/// A small automaton with state-based acceptance for the common language of `first` and of the automata
/// `positive`; the automata `negative`, if any, accept the complement. `work` bounds the reductions.
pub(crate) fn smallest(
    first: &Tgba,
    positive: &[Tgba],
    negative: &[Tgba],
    mut work: usize,
) -> Tgba {
    let mut best = by_degeneralisation(first, &mut work);
    for other in positive.iter().filter(|other| *other != first) {
        if work < LITTLE {
            break;
        }
        let result = by_degeneralisation(other, &mut work);
        if size(&result) < size(&best) {
            best = result;
        }
    }
    if let Some(negative) = negative.first() {
        let weak = by_determinisation(first, negative);
        if let Some(weak) = weak.filter(|weak| size(weak) <= size(&best)) {
            best = weak;
        }
    }
    best
}

fn size(automaton: &Tgba) -> (usize, usize) {
    (automaton.states.len(), automaton.edges())
}

/// The smallest result of several ways to degeneralise.
fn by_degeneralisation(automaton: &Tgba, work: &mut usize) -> Tgba {
    let mut tried: Vec<Tgba> = Vec::new();
    let mut best: Option<Tgba> = None;
    for strategy in strategies(automaton) {
        let mut result = degeneralise(automaton, &strategy);
        if tried.contains(&result) {
            continue;
        }
        let large = result.states.len() > MAX_TRIED;
        tried.push(result.clone());
        simulation::reduce_fully(&mut result, work);
        if best.as_ref().is_none_or(|best| size(&result) < size(best)) {
            best = Some(result);
        }
        if large {
            break;
        }
    }
    best.unwrap_or_else(|| Tgba::empty(automaton.letters))
}

/// The minimal weak deterministic automaton, if there is one.
pub(crate) fn by_determinisation(positive: &Tgba, negative: &Tgba) -> Option<Tgba> {
    Some(weak_of(positive, negative)?.automaton(positive.letters))
}

/// The same as a complete automaton, with its rejecting sink.
pub(crate) fn weak_of(positive: &Tgba, negative: &Tgba) -> Option<Weak> {
    let limits = Limits {
        monitor_states: MAX_SUBSETS,
        monitor_transitions: MAX_SUBSET_TRANSITIONS,
        ..Limits::default()
    };
    let machine = Machine::new(positive, negative, &limits).ok()?;
    weak(&machine, positive, negative)
}
