//! Minimal weak deterministic automata of obligations (Löding, IPL 2001; Dax, Eisinger & Klaedtke,
//! ATVA 2007).

use crate::bits::{Bits, Sparse};
use crate::det::{Fate, Machine};
use crate::partition::refine;
use crate::tgba::{components, Edge, Tgba};
use std::collections::HashMap;

/// The most states of a product that is searched.
const MAX_PRODUCT: usize = 40_000;

/// A complete weak deterministic automaton.
pub(crate) struct Weak {
    pub next: Vec<Vec<u32>>,
    /// Constant on each strongly connected component.
    pub accepting: Vec<bool>,
    pub init: u32,
}

/// The minimal weak deterministic automaton of the formula that the machine follows, if the formula is an
/// obligation and the bounds allow to find that out.
pub(crate) fn weak(machine: &Machine, positive: &Tgba, negative: &Tgba) -> Option<Weak> {
    let states = machine.next.len();
    if states * (positive.states.len() + negative.states.len()) > MAX_PRODUCT {
        return None;
    }
    let of = components(states, |s| machine.next[s].iter().map(|&t| t as usize));
    let count = of.iter().max().map_or(0, |&max| max as usize + 1);
    // Whether the loops of each component are accepted; `None` without loops.
    let mut loops: Vec<Option<bool>> = vec![None; count];
    for s in 0..states {
        let c = of[s] as usize;
        if loops[c].is_none() {
            if let Some(word) = cycle(&machine.next, &of, s) {
                loops[c] = Some(match machine.fate[s] {
                    Fate::Lost => false,
                    Fate::Won => true,
                    Fate::Open => accepts_loop(positive, &machine.sets[s], &word),
                });
            }
        }
    }
    let colour = colours(&machine.next, &of, &loops);
    let weak = Weak {
        next: machine.next.clone(),
        accepting: of.iter().map(|&c| colour[c as usize] % 2 == 0).collect(),
        init: machine.init,
    };
    let exact = !meets(positive, &weak, false) && !meets(negative, &weak, true);
    exact.then(|| weak.minimised())
}

/// A word that leads from the state back to it within its component.
fn cycle(next: &[Vec<u32>], of: &[u32], start: usize) -> Option<Vec<usize>> {
    let mut from: HashMap<usize, (usize, usize)> = HashMap::new();
    let mut order = vec![start];
    let mut at = 0;
    while at < order.len() {
        let s = order[at];
        at += 1;
        for (letter, &t) in next[s].iter().enumerate() {
            let t = t as usize;
            if of[t] != of[start] {
                continue;
            }
            if t == start {
                let mut word = vec![letter];
                let mut back = s;
                while back != start {
                    let (previous, letter) = from[&back];
                    word.push(letter);
                    back = previous;
                }
                word.reverse();
                return Some(word);
            }
            if let std::collections::hash_map::Entry::Vacant(entry) = from.entry(t) {
                entry.insert((s, letter));
                order.push(t);
            }
        }
    }
    None
}

/// Whether the infinite repetition of the word is accepted from one of the states.
fn accepts_loop(automaton: &Tgba, from: &Sparse, word: &[usize]) -> bool {
    let length = word.len();
    let nodes = automaton.states.len() * length;
    let step = |node: usize| {
        let (state, at) = (node / length, node % length);
        automaton.states[state]
            .iter()
            .filter(move |edge| edge.guard.contains(word[at]))
            .map(move |edge| (edge.dst as usize * length + (at + 1) % length, edge.marks))
    };
    let of = components(nodes, |node| step(node).map(|(target, _)| target));
    let mut marks: HashMap<u32, u64> = HashMap::new();
    for node in 0..nodes {
        for (target, mark) in step(node).filter(|(target, _)| of[*target] == of[node]) {
            debug_assert_eq!(of[target], of[node]);
            *marks.entry(of[node]).or_insert(0) |= mark;
        }
    }
    let mut seen = vec![false; nodes];
    let mut stack: Vec<usize> = from.iter().map(|state| state * length).collect();
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        if marks.get(&of[node]) == Some(&automaton.all_marks()) {
            return true;
        }
        stack.extend(step(node).map(|(target, _)| target));
    }
    false
}

/// For each component, the number of alternations below it, even if it accepts: the normal form in which a
/// component without loops takes the value that merges the most states.
fn colours(next: &[Vec<u32>], of: &[u32], loops: &[Option<bool>]) -> Vec<u32> {
    let mut below: Vec<u32> = vec![0; loops.len()];
    let mut colour = vec![0; loops.len()];
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); loops.len()];
    for (s, &c) in of.iter().enumerate() {
        members[c as usize].push(s);
    }
    // A successor's number is never higher.
    for c in 0..loops.len() {
        for &s in &members[c] {
            for &t in next[s].iter().filter(|&&t| of[t as usize] as usize != c) {
                below[c] = below[c].max(colour[of[t as usize] as usize]);
            }
        }
        colour[c] = match loops[c] {
            None => below[c],
            Some(accepts) if accepts == (below[c] % 2 == 0) => below[c],
            Some(_) => below[c] + 1,
        };
    }
    colour
}

/// Whether the automaton accepts a word on which the weak automaton ends in components of this kind.
fn meets(automaton: &Tgba, weak: &Weak, accepting: bool) -> bool {
    let width = weak.next.len();
    let nodes = automaton.states.len() * width;
    let step = |node: usize| {
        let (state, at) = (node / width, node % width);
        automaton.states[state].iter().flat_map(move |edge| {
            let letters: Vec<usize> = edge.guard.iter().collect();
            letters.into_iter().map(move |letter| {
                let next = weak.next[at][letter] as usize;
                (edge.dst as usize * width + next, edge.marks)
            })
        })
    };
    let mut seen = vec![false; nodes];
    let start = automaton.init as usize * width + weak.init as usize;
    let mut stack = vec![start];
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            stack.extend(step(node).map(|(target, _)| target));
        }
    }
    let inside = |node: usize| seen[node] && weak.accepting[node % width] == accepting;
    let steps = |node: usize| {
        let stays = inside(node);
        step(node).filter(move |_| stays)
    };
    let of = components(nodes, |node| steps(node).map(|(target, _)| target));
    let mut marks: HashMap<u32, u64> = HashMap::new();
    for node in (0..nodes).filter(|&node| inside(node)) {
        for (target, mark) in steps(node) {
            if of[target] == of[node] {
                *marks.entry(of[node]).or_insert(0) |= mark;
            }
        }
    }
    marks.values().any(|&marks| marks == automaton.all_marks())
}

impl Weak {
    /// The minimal equivalent automaton; requires normal colours.
    fn minimised(&self) -> Weak {
        let block: Vec<u32> = self.accepting.iter().map(|&a| u32::from(a)).collect();
        let block = refine(&self.next, &block);
        let blocks = block.iter().max().map_or(0, |&max| max as usize + 1);
        let mut next = vec![Vec::new(); blocks];
        let mut accepting = vec![false; blocks];
        for (s, &b) in block.iter().enumerate() {
            let b = b as usize;
            accepting[b] = self.accepting[s];
            if next[b].is_empty() {
                next[b] = self.next[s].iter().map(|&t| block[t as usize]).collect();
            }
        }
        Weak {
            next,
            accepting,
            init: block[self.init as usize],
        }
    }

    /// As a Büchi automaton, without the state from which nothing is accepted.
    pub fn automaton(&self, letters: usize) -> Tgba {
        let states = self.next.iter().enumerate().map(|(s, targets)| {
            let edges = targets.iter().enumerate().map(|(letter, &dst)| {
                let mut guard = Bits::empty(letters);
                guard.insert(letter);
                Edge {
                    dst,
                    marks: u64::from(self.accepting[s]),
                    guard,
                }
            });
            edges.collect()
        });
        let mut automaton = Tgba {
            states: states.collect(),
            init: self.init,
            sets: 1,
            letters,
            state_based: true,
        };
        automaton.trim();
        automaton
    }
}
