//! Words that repeat one letter for ever, and stutter-invariance.

use crate::bits::Bits;
use crate::tgba::{components, Tgba};

/// For each state the letters `a` for which `a^ω` is accepted from it.
pub(crate) fn stutter_accepted(automaton: &Tgba) -> Vec<Bits> {
    let n = automaton.states.len();
    let mut accepted = vec![Bits::empty(automaton.letters); n];
    // Letters in the same guards have the same answer; most automata have few letters, so that each
    // is asked for itself.
    for letter in 0..automaton.letters {
        for (state, good) in accepted_with(automaton, letter).into_iter().enumerate() {
            if good {
                accepted[state].insert(letter);
            }
        }
    }
    accepted
}

/// For each state whether repeating the letter is accepted from it.
fn accepted_with(automaton: &Tgba, letter: usize) -> Vec<bool> {
    let n = automaton.states.len();
    let edges = |s: usize| {
        automaton.states[s]
            .iter()
            .filter(move |edge| edge.guard.contains(letter))
    };
    let of = components(n, |s| edges(s).map(|edge| edge.dst as usize));
    let count = of.iter().max().map_or(0, |&max| max as usize + 1);
    let mut marks: Vec<Option<u64>> = vec![None; count];
    for s in 0..n {
        for edge in edges(s).filter(|edge| of[edge.dst as usize] == of[s]) {
            *marks[of[s] as usize].get_or_insert(0) |= edge.marks;
        }
    }
    let mut good: Vec<bool> = marks
        .iter()
        .map(|m| *m == Some(automaton.all_marks()))
        .collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_unstable_by_key(|&s| of[s]);
    for s in order {
        if edges(s).any(|edge| good[of[edge.dst as usize] as usize]) {
            good[of[s] as usize] = true;
        }
    }
    of.into_iter().map(|c| good[c as usize]).collect()
}
