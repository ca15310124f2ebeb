//! Whether a state of a Büchi automaton accepts every word, exactly.
//!
//! By Ramsey's theorem, each infinite word is a finite word followed by infinitely many factors with the same
//! idempotent behaviour. The behaviour of a finite word is a set of pairs of states that it connects, with or
//! without acceptance. The automaton is universal exactly if for all such behaviours `g` and `h` of finite
//! words, some path of `g` leads to a state from which the repetition of `h` is accepted (Büchi 1962; Abdulla
//! et al., TACAS 2010 and CONCUR 2011).

use crate::bits::Bits;
use crate::limits::{Limits, TooLarge};
use crate::tgba::{components, Tgba};
use std::collections::HashSet;

/// The behaviour of a finite word: for each state, the states that it leads to, and those that it leads to
/// through acceptance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Behaviour {
    reach: Vec<Bits>,
    accept: Vec<Bits>,
}

impl Behaviour {
    fn of_letter(automaton: &Tgba, letter: usize) -> Behaviour {
        let n = automaton.states.len();
        let mut result = Behaviour {
            reach: vec![Bits::empty(n); n],
            accept: vec![Bits::empty(n); n],
        };
        for (src, edge) in automaton
            .all_edges()
            .filter(|(_, e)| e.guard.contains(letter))
        {
            result.reach[src].insert(edge.dst as usize);
            if edge.marks == automaton.all_marks() {
                result.accept[src].insert(edge.dst as usize);
            }
        }
        result
    }

    /// The behaviour of the concatenation of two words.
    fn then(&self, next: &Behaviour) -> Behaviour {
        let n = self.reach.len();
        let mut result = Behaviour {
            reach: vec![Bits::empty(n); n],
            accept: vec![Bits::empty(n); n],
        };
        for state in 0..n {
            for middle in self.reach[state].iter() {
                result.reach[state].unite(&next.reach[middle]);
                result.accept[state].unite(&next.accept[middle]);
            }
            for middle in self.accept[state].iter() {
                result.accept[state].unite(&next.reach[middle]);
            }
        }
        result
    }

    /// The states from which the infinite repetition of the word is accepted.
    fn accepted_repeated(&self) -> Vec<bool> {
        let n = self.reach.len();
        let of = components(n, |s| self.reach[s].iter().collect::<Vec<_>>().into_iter());
        let mut good = vec![false; n];
        for s in 0..n {
            if self.accept[s].iter().any(|t| of[t] == of[s]) {
                good[of[s] as usize] = true;
            }
        }
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_unstable_by_key(|&s| of[s]);
        for s in order {
            if self.reach[s].iter().any(|t| good[of[t] as usize]) {
                good[of[s] as usize] = true;
            }
        }
        of.into_iter().map(|c| good[c as usize]).collect()
    }
}

/// The steps that the universality checks of one question may still take.
pub(crate) struct Budget {
    left: usize,
    whole: usize,
}

impl Budget {
    pub fn new(limits: &Limits) -> Budget {
        let whole = limits.work / 4;
        Budget { left: whole, whole }
    }

    pub fn charge(&mut self, work: usize) -> Result<(), TooLarge> {
        let limit = self.whole;
        self.left = self.left.checked_sub(work).ok_or(TooLarge {
            what: "steps of universality checks",
            limit,
        })?;
        Ok(())
    }
}

/// Whether every word is accepted from some of the states.
///
/// # Errors
/// As [`is_universal`].
pub(crate) fn are_universal(
    automaton: &Tgba,
    states: &Bits,
    budget: &mut Budget,
) -> Result<bool, TooLarge> {
    let mut automaton = automaton.clone();
    let edges = states.iter().flat_map(|s| automaton.states[s].clone());
    let edges = edges.collect();
    automaton.states.push(edges);
    let init = automaton.states.len() - 1;
    is_universal(&automaton, init, budget)
}

/// Whether every word is accepted from the state. The automaton must have at most one acceptance set.
///
/// # Errors
/// If there are too many behaviours.
pub(crate) fn is_universal(
    automaton: &Tgba,
    state: usize,
    budget: &mut Budget,
) -> Result<bool, TooLarge> {
    let mut automaton = automaton.clone();
    automaton.init = state as u32;
    automaton.state_based = false;
    budget.charge(automaton.edges() * 8)?;
    crate::simulation::reduce_fully(&mut automaton, &mut budget.left);
    debug_assert!(automaton.sets <= 1);
    if always_accepts(&automaton) {
        return Ok(true);
    }
    let n = automaton.states.len();
    let mut letters: Vec<Behaviour> = Vec::new();
    for letter in 0..automaton.letters {
        let behaviour = Behaviour::of_letter(&automaton, letter);
        if !letters.contains(&behaviour) {
            letters.push(behaviour);
        }
    }
    let mut reached: HashSet<Bits> = HashSet::new();
    let mut seen: HashSet<Behaviour> = letters.iter().cloned().collect();
    let mut queue: Vec<Behaviour> = letters.clone();
    let mut starts = Bits::empty(n);
    starts.insert(automaton.init as usize);
    reached.insert(starts);
    let mut next = 0;
    while next < queue.len() {
        let behaviour = queue[next].clone();
        next += 1;
        reached.insert(behaviour.reach[automaton.init as usize].clone());
        for letter in &letters {
            budget.charge(n * n)?;
            let longer = behaviour.then(letter);
            if seen.insert(longer.clone()) {
                queue.push(longer);
            }
        }
    }
    for behaviour in &queue {
        let good = behaviour.accepted_repeated();
        budget.charge(reached.len() + n)?;
        if reached.iter().any(|set| !set.iter().any(|s| good[s])) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the initial state is in a set of states in which every letter has an accepting edge that stays in
/// the set: the most frequent reason for universality.
fn always_accepts(automaton: &Tgba) -> bool {
    let n = automaton.states.len();
    let mut inside = vec![true; n];
    loop {
        let mut changed = false;
        for s in 0..n {
            let mut left = Bits::full(automaton.letters);
            for edge in &automaton.states[s] {
                if inside[edge.dst as usize] && edge.marks == automaton.all_marks() {
                    left.subtract(&edge.guard);
                }
            }
            if inside[s] && !left.is_empty() {
                inside[s] = false;
                changed = true;
            }
        }
        if !changed {
            return inside[automaton.init as usize];
        }
    }
}
