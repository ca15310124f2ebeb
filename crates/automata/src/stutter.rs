//! Words that repeat one letter for ever, and stutter-invariance.

use crate::bits::Bits;
use crate::tgba::{components, Edge, Tgba};
use std::collections::HashMap;

/// For each state, the letters `a` such that `a^ω` is accepted from it.
pub(crate) fn stutter_accepted(automaton: &Tgba) -> Vec<Bits> {
    let n = automaton.states.len();
    let mut accepted = vec![Bits::empty(automaton.letters); n];
    // Letters in the same guards have the same answer; but most automata have few classes, so each is tested
    // by itself.
    for letter in 0..automaton.letters {
        for (state, good) in accepted_with(automaton, letter).into_iter().enumerate() {
            if good {
                accepted[state].insert(letter);
            }
        }
    }
    accepted
}

/// For each state, whether the infinite repetition of the letter is accepted from it.
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

/// Whether the language, given with its complement, is closed under repeating letters and dropping repeated
/// ones (Michaud & Duret-Lutz, *Practical stutter-invariance checks for ω-regular languages*, SPIN 2015):
/// whether no word is a stuttering of a word of each. `None` if that takes more than `work` steps.
pub(crate) fn is_stutter_invariant(positive: &Tgba, negative: &Tgba, work: usize) -> Option<bool> {
    let mut product = Stuttering {
        sides: [positive, negative],
        numbers: HashMap::new(),
        order: Vec::new(),
        work,
    };
    let sets = positive.sets + negative.sets + 2;
    if sets > 60 {
        return None;
    }
    product.number((positive.init, negative.init, usize::MAX));
    let mut states = Vec::new();
    while states.len() < product.order.len() {
        let edges = product.edges(product.order[states.len()])?;
        states.push(edges);
    }
    let product = Tgba {
        states,
        init: 0,
        sets,
        letters: positive.letters,
        state_based: false,
    };
    let components = product.components();
    Some(!product.live(&components)[0])
}

/// The product of two automata, each of which may stay in its state while the last letter is repeated, but not
/// for ever.
struct Stuttering<'a> {
    sides: [&'a Tgba; 2],
    /// The states of both sides with the last letter.
    numbers: HashMap<(u32, u32, usize), u32>,
    order: Vec<(u32, u32, usize)>,
    work: usize,
}

impl Stuttering<'_> {
    fn number(&mut self, state: (u32, u32, usize)) -> u32 {
        let fresh = self.order.len() as u32;
        let number = *self.numbers.entry(state).or_insert(fresh);
        if number == fresh {
            self.order.push(state);
        }
        number
    }

    fn edges(&mut self, (p, q, last): (u32, u32, usize)) -> Option<Vec<Edge>> {
        let [positive, negative] = self.sides;
        // Two more acceptance sets say that each side moves infinitely often.
        let left = |marks: u64| marks << 2 | 1;
        let right = |marks: u64| marks << (2 + positive.sets) | 2;
        let mut edges = Vec::new();
        for letter in 0..positive.letters {
            let takes = |edge: &&Edge| edge.guard.contains(letter);
            let mut to = |this: &mut Self, dst: (u32, u32), marks: u64| {
                let mut guard = Bits::empty(positive.letters);
                guard.insert(letter);
                let dst = this.number((dst.0, dst.1, letter));
                edges.push(Edge { dst, marks, guard });
            };
            let rows = (&positive.states[p as usize], &negative.states[q as usize]);
            self.work = self
                .work
                .checked_sub(1 + rows.0.len() * (1 + rows.1.len()))?;
            for edge in rows.0.iter().filter(takes) {
                for other in rows.1.iter().filter(takes) {
                    let marks = left(edge.marks) | right(other.marks);
                    to(self, (edge.dst, other.dst), marks);
                }
                if letter == last {
                    to(self, (edge.dst, q), left(edge.marks));
                }
            }
            if letter == last {
                for other in rows.1.iter().filter(takes) {
                    to(self, (p, other.dst), right(other.marks));
                }
            }
        }
        Some(edges)
    }
}
