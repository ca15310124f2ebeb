//! Deterministic machines over classes of letters: subset construction, minimisation.

use crate::bits::{Bits, Sparse};
use crate::limits::{Limits, TooLarge};
use crate::partition::refine;
use crate::simulation;
use crate::stutter::stutter_accepted;
use crate::tgba::Tgba;
use crate::universal::{are_universal, Budget};
use std::collections::HashMap;
use std::hash::Hash;

/// What is definitive in a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Fate {
    /// No continuation satisfies the formula.
    Lost,
    /// Every continuation satisfies the formula.
    Won,
    /// Some continuation satisfies it, and some violates it.
    Open,
}

/// A complete deterministic machine. Each of its states has a fate, and the letters that satisfy the formula if
/// they are repeated for ever.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// For each state and class of letters, the next state.
    pub next: Vec<Vec<u32>>,
    pub fate: Vec<Fate>,
    pub stutter: Vec<Bits>,
    /// The sets of states in which runs of the formula's automaton can be; empty after minimisation.
    pub sets: Vec<Sparse>,
    pub init: u32,
    pub letters: usize,
}

/// One of the two automata that a machine follows.
struct Side {
    /// For each state and letter, the successors.
    next: Vec<Vec<Vec<u32>>>,
    /// For each state, the other states that accept no more than it does; of several equivalent states, the
    /// lowest counts as the largest. `None` if that is not known.
    weaker: Option<Vec<Bits>>,
    init: Sparse,
}

impl Side {
    fn new(automaton: &Tgba) -> Side {
        let n = automaton.states.len();
        let components = automaton.components();
        let live = automaton.live(&components);
        let mut next = vec![vec![Vec::new(); automaton.letters]; n];
        for (src, edge) in automaton.all_edges() {
            if live[edge.dst as usize] {
                for letter in edge.guard.iter() {
                    next[src][letter].push(edge.dst);
                }
            }
        }
        let mut init = Bits::empty(n);
        if live[automaton.init as usize] {
            init.insert(automaton.init as usize);
        }
        Side {
            next,
            weaker: weaker(automaton),
            init: Sparse::new(&init),
        }
    }

    /// The successors of a set, without those whose words another successor accepts, too.
    fn step(&self, set: &Sparse, letter: usize) -> Bits {
        let mut successors = Bits::empty(self.next.len());
        for state in set.iter() {
            let next = self.next[state][letter].iter();
            next.for_each(|&target| successors.insert(target as usize));
        }
        let Some(weaker) = &self.weaker else {
            return successors;
        };
        let mut dropped = Bits::empty(self.next.len());
        for state in successors.iter() {
            dropped.unite(&weaker[state]);
        }
        successors.subtract(&dropped);
        successors
    }
}

/// For each state, the other states that it simulates: dropping them loses no word.
fn weaker(automaton: &Tgba) -> Option<Vec<Bits>> {
    let n = automaton.states.len();
    let relation = simulation::relation(automaton)?;
    let mut weaker = vec![Bits::empty(n); n];
    for small in 0..n {
        for large in relation[small].iter().filter(|&large| large != small) {
            if small > large || !relation[large].contains(small) {
                weaker[large].insert(small);
            }
        }
    }
    Some(weaker)
}

/// The facts about a state of a [`Machine`] when it is found.
struct Judged {
    fate: Fate,
    /// The letters that satisfy the formula if they are repeated for ever.
    stutter: Bits,
    /// The set of states in which runs of the automaton can be.
    set: Sparse,
}

impl Machine {
    /// A machine over so many letters without states; the first one to be added is initial.
    fn without_states(letters: usize) -> Machine {
        Machine {
            next: Vec::new(),
            fate: Vec::new(),
            stutter: Vec::new(),
            sets: Vec::new(),
            init: 0,
            letters,
        }
    }

    /// Follows all runs of the automata of a formula and of its negation at once.
    pub fn new(positive: &Tgba, negative: &Tgba, limits: &Limits) -> Result<Machine, TooLarge> {
        let letters = positive.letters;
        let sides = [Side::new(positive), Side::new(negative)];
        let accepted = stutter_accepted(positive);
        let start = (sides[0].init.clone(), sides[1].init.clone());
        let judge = |(pos, neg): &(Sparse, Sparse)| {
            let fate = match (pos.is_empty(), neg.is_empty()) {
                (true, _) => Fate::Lost,
                (_, true) => Fate::Won,
                _ => Fate::Open,
            };
            let mut stutter = Bits::empty(letters);
            pos.iter().for_each(|s| stutter.unite(&accepted[s]));
            Ok(Judged {
                fate,
                stutter,
                set: pos.clone(),
            })
        };
        let step = |(pos, neg): &(Sparse, Sparse), letter| {
            let (pos, neg) = canonical((sides[0].step(pos, letter), sides[1].step(neg, letter)));
            (Sparse::new(&pos), Sparse::new(&neg))
        };
        Machine::explore(start, letters, judge, step, limits)
    }

    /// Follows all runs of an automaton of the negation only. Whether a set of states accepts all words is then
    /// a question of its own: decided exactly, too, but much harder.
    pub fn of_negation(negative: &Tgba, limits: &Limits) -> Result<Machine, TooLarge> {
        let letters = negative.letters;
        let side = Side::new(negative);
        let accepted = stutter_accepted(negative);
        let mut budget = Budget::new(limits);
        let universal = |set: &Sparse, budget: &mut Budget| {
            are_universal(negative, &set.to_bits(negative.states.len()), budget)
        };
        let judge = |set: &Sparse| {
            let mut violating = Bits::empty(letters);
            set.iter().for_each(|s| violating.unite(&accepted[s]));
            let fate = match set.is_empty() {
                true => Fate::Won,
                // A letter whose repetition satisfies the formula is the quickest counterexample.
                false if violating.len() < letters => Fate::Open,
                false if universal(set, &mut budget)? => Fate::Lost,
                false => Fate::Open,
            };
            let mut stutter = Bits::full(letters);
            stutter.subtract(&violating);
            Ok(Judged {
                fate,
                stutter,
                set: set.clone(),
            })
        };
        let step = |set: &Sparse, letter| Sparse::new(&side.step(set, letter));
        Machine::explore(side.init.clone(), letters, judge, step, limits)
    }

    /// The machine of all reachable states. A definitive state has edges to itself only.
    fn explore<S: Clone + Eq + Hash>(
        start: S,
        letters: usize,
        mut judge: impl FnMut(&S) -> Result<Judged, TooLarge>,
        step: impl Fn(&S, usize) -> S,
        limits: &Limits,
    ) -> Result<Machine, TooLarge> {
        let mut numbers = HashMap::from([(start.clone(), 0u32)]);
        let mut order = vec![start];
        let mut machine = Machine::without_states(letters);
        while machine.next.len() < order.len() {
            let state = order[machine.next.len()].clone();
            let judged = judge(&state)?;
            let open = judged.fate == Fate::Open;
            let mut next = vec![machine.next.len() as u32; letters];
            if open {
                for (letter, target) in next.iter_mut().enumerate() {
                    *target = *numbers
                        .entry(step(&state, letter))
                        .or_insert_with_key(|new| {
                            order.push(new.clone());
                            order.len() as u32 - 1
                        });
                }
            }
            machine.next.push(next);
            machine.fate.push(judged.fate);
            // In a definitive state, the last letter tells nothing more.
            machine.stutter.push(match open {
                true => judged.stutter,
                false => Bits::empty(letters),
            });
            machine.sets.push(judged.set);
            machine.check(order.len(), limits)?;
        }
        Ok(machine)
    }

    fn check(&self, states: usize, limits: &Limits) -> Result<(), TooLarge> {
        Limits::check("states of the monitor", states, limits.monitor_states)?;
        let transitions = states * self.letters.max(1);
        let what = "transitions of the monitor";
        Limits::check(what, transitions, limits.monitor_transitions)
    }

    /// The smallest machine that has the same fates and repeated letters after every word. Its states are
    /// numbered in breadth-first order from the initial one.
    pub fn minimised(&self) -> Machine {
        let mut labels: HashMap<(Fate, &Bits), u32> = HashMap::new();
        let mut block: Vec<u32> = Vec::with_capacity(self.next.len());
        for (fate, stutter) in self.fate.iter().zip(&self.stutter) {
            let fresh = labels.len() as u32;
            block.push(*labels.entry((*fate, stutter)).or_insert(fresh));
        }
        let block = refine(&self.next, &block);
        self.quotient(&block)
    }

    /// The quotient machine of a partition that the transitions respect.
    fn quotient(&self, block: &[u32]) -> Machine {
        let mut representative: HashMap<u32, usize> = HashMap::new();
        for (state, &b) in block.iter().enumerate() {
            representative.entry(b).or_insert(state);
        }
        let mut number: HashMap<u32, u32> = HashMap::from([(block[self.init as usize], 0)]);
        let mut order = vec![block[self.init as usize]];
        let mut machine = Machine::without_states(self.letters);
        while machine.next.len() < order.len() {
            let state = representative[&order[machine.next.len()]];
            let next = self.next[state].iter().map(|&target| {
                let b = block[target as usize];
                *number.entry(b).or_insert_with(|| {
                    order.push(b);
                    order.len() as u32 - 1
                })
            });
            machine.next.push(next.collect());
            machine.fate.push(self.fate[state]);
            machine.stutter.push(self.stutter[state].clone());
        }
        machine
    }
}

/// A single representative of all states with a definitive answer.
fn canonical((pos, neg): (Bits, Bits)) -> (Bits, Bits) {
    let nothing = |bits: &Bits| {
        let mut none = bits.clone();
        none.subtract(bits);
        none
    };
    match (pos.is_empty(), neg.is_empty()) {
        (true, _) => (nothing(&pos), nothing(&neg)),
        (_, true) => {
            // Any non-empty set says that there are words.
            let mut some = nothing(&pos);
            some.insert(0);
            (some, neg)
        }
        _ => (pos, neg),
    }
}
