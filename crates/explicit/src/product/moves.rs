//! The automaton of a negation over the valuations of a graph.

use std::collections::HashMap;

use ltl::lasso::Letter;

use super::Claim;
use crate::graph::Graph;

/// The automaton over the valuations of a graph.
pub(super) struct Moves {
    /// The next states, by state and valuation.
    next: Vec<Vec<Vec<u32>>>,
    accepting: Vec<bool>,
    /// Whether the word that repeats a valuation for ever is accepted, by state and valuation.
    stays: Vec<Vec<bool>>,
    /// Whether every word is accepted, by state.
    universal: Vec<bool>,
}

impl Moves {
    pub(super) fn new(graph: &Graph, claim: &Claim) -> Moves {
        let (states, atoms) = (claim.negation.states(), &claim.atoms);
        // Valuations that agree on the automaton's atoms are one class.
        let mut classes: HashMap<Vec<bool>, usize> = HashMap::new();
        let mut class_of = Vec::new();
        for valuation in &graph.valuations {
            let seen: Vec<bool> = atoms
                .iter()
                .map(|(_, at)| valuation.get(*at).copied().unwrap_or_default())
                .collect();
            let number = classes.len();
            class_of.push(*classes.entry(seen).or_insert(number));
        }
        let mut all: Vec<(Vec<bool>, usize)> = classes.into_iter().collect();
        all.sort_by_key(|(_, n)| *n);
        let letters: Vec<Letter> = all
            .iter()
            .map(|(seen, _)| {
                let held = atoms.iter().zip(seen).filter(|(_, holds)| **holds);
                held.map(|((atom, _), _)| *atom).collect()
            })
            .collect();
        let by_class = |q: usize| -> Vec<Vec<u32>> {
            let of = |letter: &Letter| {
                let fits = states[q].edges.iter().filter(|e| e.guard.contains(letter));
                fits.map(|e| e.target as u32).collect()
            };
            letters.iter().map(of).collect()
        };
        let next: Vec<Vec<Vec<u32>>> = (0..states.len()).map(by_class).collect();
        let accepting: Vec<bool> = states.iter().map(|s| s.accepting).collect();
        let stays = staying(&next, &accepting, letters.len());
        let whole = |(q, state): (usize, &automata::BuchiState)| {
            let mut edges = state.edges.iter();
            state.accepting && edges.any(|e| e.target == q && e.guard.is_true())
        };
        let spread = |row: &Vec<Vec<u32>>| class_of.iter().map(|&c| row[c].clone()).collect();
        Moves {
            next: next.iter().map(spread).collect(),
            stays: stays
                .iter()
                .map(|row| class_of.iter().map(|&c| row[c]).collect())
                .collect(),
            universal: states.iter().enumerate().map(whole).collect(),
            accepting,
        }
    }

    /// The number of states.
    pub(super) fn states(&self) -> usize {
        self.next.len()
    }

    /// Whether a state accepts every word.
    pub(super) fn is_universal(&self, q: u32) -> bool {
        self.universal[q as usize]
    }

    /// Whether a state accepts the word that repeats a valuation for ever.
    pub(super) fn stays(&self, q: u32, letter: u32) -> bool {
        self.stays[q as usize].get(letter as usize) == Some(&true)
    }

    /// The states after reading letters, each with whether an accepting state was passed.
    pub(super) fn read(&self, from: u32, letters: impl Iterator<Item = u32>) -> Vec<(u32, bool)> {
        let mut now = vec![(from, false)];
        for letter in letters {
            let mut after: Vec<(u32, bool)> = Vec::new();
            for (q, met) in now {
                for &to in &self.next[q as usize][letter as usize] {
                    after.push((to, met || self.accepting[to as usize]));
                }
            }
            after.sort_unstable();
            after.dedup();
            // Of two paths to one state, the one through an accepting state serves for both.
            after.reverse();
            after.dedup_by_key(|(q, _)| *q);
            now = after;
        }
        now
    }
}

/// Whether repeating a letter for ever is accepted, by state and letter.
fn staying(next: &[Vec<Vec<u32>>], accepting: &[bool], letters: usize) -> Vec<Vec<bool>> {
    let mut out = vec![vec![false; letters]; next.len()];
    for letter in 0..letters {
        let good = |q: usize| {
            let mut after = next[q][letter].iter();
            accepting[q] && after.any(|&t| reaches(next, letter, t as usize, q))
        };
        let wanted: Vec<bool> = (0..next.len()).map(good).collect();
        for (q, row) in out.iter_mut().enumerate() {
            let mut seen = vec![false; next.len()];
            let mut open = vec![q];
            while let Some(at) = open.pop() {
                if std::mem::replace(&mut seen[at], true) {
                    continue;
                }
                row[letter] |= wanted[at];
                open.extend(next[at][letter].iter().map(|&t| t as usize));
            }
        }
    }
    out
}

fn reaches(next: &[Vec<Vec<u32>>], letter: usize, from: usize, to: usize) -> bool {
    let mut seen = vec![false; next.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if at == to {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            open.extend(next[at][letter].iter().map(|&t| t as usize));
        }
    }
    false
}
