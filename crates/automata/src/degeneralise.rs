//! From generalised to state-based acceptance (Gastin & Oddoux, CAV 2001; Giannakopoulou & Lerda, FORTE 2002;
//! Babiak, Badie, Duret-Lutz, Křetínský & Strejček, SPIN 2013, section 4).
//!
//! A run waits for the acceptance sets one after the other. A state of the result is a state with a level: the
//! number of sets met since the last time that all were.

use crate::tgba::{Components, Edge, Tgba};
use std::collections::HashMap;

/// The choices that the construction leaves open.
#[derive(Clone, Debug)]
pub(crate) struct Strategy {
    /// The order in which a run waits for the acceptance sets.
    pub order: Vec<u32>,
    /// Whether a run enters a component on the accepting level, not on the lowest one.
    pub enter_high: bool,
    /// Whether a run enters a component on a level on which its state exists already.
    pub reuse: bool,
}

/// The strategies worth trying for an automaton, the most promising first.
pub(crate) fn strategies(automaton: &Tgba) -> Vec<Strategy> {
    let sets: Vec<u32> = (0..automaton.sets).collect();
    let orders: Vec<Vec<u32>> = match automaton.sets {
        0 | 1 => vec![sets],
        2 => vec![vec![0, 1], vec![1, 0]],
        3 => permutations_of_three(),
        _ => vec![sets.clone(), sets.into_iter().rev().collect()],
    };
    let mut all = Vec::new();
    for order in orders {
        for (enter_high, reuse) in [(true, true), (false, true), (false, false)] {
            all.push(Strategy {
                order: order.clone(),
                enter_high,
                reuse,
            });
        }
    }
    all
}

fn permutations_of_three() -> Vec<Vec<u32>> {
    vec![
        vec![0, 1, 2],
        vec![0, 2, 1],
        vec![1, 0, 2],
        vec![1, 2, 0],
        vec![2, 0, 1],
        vec![2, 1, 0],
    ]
}

/// The construction in progress.
struct Levels<'a> {
    automaton: &'a Tgba,
    components: Components,
    strategy: &'a Strategy,
    /// The pairs of state and level found so far.
    pairs: Vec<(u32, u32)>,
    numbers: HashMap<(u32, u32), u32>,
    /// A level on which each state exists.
    seen: Vec<Option<u32>>,
}

impl Levels<'_> {
    /// The accepting level.
    fn top(&self) -> u32 {
        self.strategy.order.len() as u32
    }

    fn number(&mut self, state: u32, level: u32) -> u32 {
        let fresh = self.pairs.len() as u32;
        let number = *self.numbers.entry((state, level)).or_insert(fresh);
        if number == fresh {
            self.pairs.push((state, level));
            self.seen[state as usize].get_or_insert(level);
        }
        number
    }

    fn is_accepting(&self, state: u32) -> bool {
        self.components.accepting[self.components.of[state as usize] as usize]
    }

    /// The state and level at which a run from another component starts to wait.
    fn enter(&mut self, state: u32) -> u32 {
        if !self.is_accepting(state) {
            return self.number(state, 0);
        }
        let start = if self.strategy.enter_high {
            self.top()
        } else {
            0
        };
        let level = match self.seen[state as usize] {
            Some(level) if self.strategy.reuse => level,
            _ => start,
        };
        self.number(state, level)
    }

    /// The target of an edge from a level.
    fn follow(&mut self, src: u32, level: u32, edge: &Edge) -> u32 {
        let of = &self.components.of;
        if of[src as usize] != of[edge.dst as usize] {
            return self.enter(edge.dst);
        }
        if !self.is_accepting(src) {
            return self.number(edge.dst, 0);
        }
        let mut next = if level == self.top() { 0 } else { level };
        while next < self.top() && edge.marks >> self.strategy.order[next as usize] & 1 == 1 {
            next += 1;
        }
        self.number(edge.dst, next)
    }
}

/// An equivalent automaton with state-based acceptance.
pub(crate) fn degeneralise(automaton: &Tgba, strategy: &Strategy) -> Tgba {
    let mut levels = Levels {
        automaton,
        components: automaton.components(),
        strategy,
        pairs: Vec::new(),
        numbers: HashMap::new(),
        seen: vec![None; automaton.states.len()],
    };
    let init = levels.enter(automaton.init);
    let mut states = Vec::new();
    while states.len() < levels.pairs.len() {
        let (state, level) = levels.pairs[states.len()];
        let accepting = level == levels.top() && levels.is_accepting(state);
        let edges = levels.automaton.states[state as usize].iter();
        let edges = edges.map(|edge| Edge {
            dst: levels.follow(state, level, edge),
            marks: u64::from(accepting),
            guard: edge.guard.clone(),
        });
        let edges: Vec<Edge> = edges.collect();
        states.push(edges);
    }
    let mut result = Tgba {
        states,
        init,
        sets: 1,
        letters: automaton.letters,
        state_based: true,
    };
    enter_last_copies(&mut result, &levels.pairs);
    result.trim();
    result
}

/// Redirects edges between components to the copy in the last component: all copies of a state accept the same
/// words, and the other copies often become unreachable.
fn enter_last_copies(automaton: &mut Tgba, pairs: &[(u32, u32)]) {
    let of = automaton.components().of;
    let mut last: HashMap<u32, u32> = HashMap::new();
    for (number, &(state, _)) in pairs.iter().enumerate() {
        let best = last.entry(state).or_insert(number as u32);
        if of[number] < of[*best as usize] {
            *best = number as u32;
        }
    }
    let redirect = |dst: u32, from: Option<u32>| {
        let best = last[&pairs[dst as usize].0];
        let leaves = from.is_none_or(|from| of[from as usize] != of[dst as usize]);
        if leaves && of[best as usize] < of[dst as usize] {
            best
        } else {
            dst
        }
    };
    automaton.init = redirect(automaton.init, None);
    for (src, edges) in automaton.states.iter_mut().enumerate() {
        for edge in edges {
            edge.dst = redirect(edge.dst, Some(src as u32));
        }
    }
}
