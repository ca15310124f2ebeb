//! Finite automata of sequences of letters.
//!
//! The automaton has no empty moves: what is joined copies edges (as in Glushkov, *The abstract theory of automata*,
//! 1961), so that each step reads one letter.

use crate::guard::Guard;
use crate::limits::{Limits, TooLarge};
use ltl::{Interval, Part, Pattern};
use std::collections::HashMap;

/// A finite automaton.
#[derive(Clone, Default)]
pub(super) struct Nfa {
    /// For each state, the letters of its edges and their targets.
    pub edges: Vec<Vec<(Guard, u32)>>,
    pub starts: Vec<u32>,
    pub accepting: Vec<bool>,
}

/// The most states of an automaton while it is built.
const MOST_STATES: usize = 20_000;
/// The most edges of one.
const MOST_EDGES: usize = 200_000;

impl Nfa {
    /// The automaton of a pattern over these letters. Its states can all be reached, and from all of them the end can
    /// be reached by letters that satisfy whatever is asked.
    pub fn of(pattern: &Pattern, letters: &[Guard], limits: &Limits) -> Result<Nfa, TooLarge> {
        let most = limits.states.clamp(64, MOST_STATES);
        let places = usize::try_from(pattern.places()).unwrap_or(usize::MAX);
        Limits::check("letters of a sequence", places, most)?;
        let of = |part: Part, operands: Vec<Result<Nfa, TooLarge>>| {
            let operands: Result<Vec<Nfa>, TooLarge> = operands.into_iter().collect();
            let nfa = part_of(part, operands?, letters)?.trimmed();
            Limits::check("states of a sequence's automaton", nfa.edges.len(), most)?;
            let edges = nfa.edges.iter().map(Vec::len).sum();
            Limits::check("edges of a sequence's automaton", edges, MOST_EDGES)?;
            Ok(nfa)
        };
        let mut nfa = pattern.fold(of).unwrap_or_else(|| Ok(Nfa::empty()))?;
        for edges in &mut nfa.edges {
            edges.retain(|(guard, _)| !guard.is_false());
        }
        Ok(nfa)
    }

    /// The automaton of the empty sequence.
    fn empty() -> Nfa {
        Nfa {
            edges: vec![Vec::new()],
            starts: vec![0],
            accepting: vec![true],
        }
    }

    fn letter(guard: &Guard) -> Nfa {
        Nfa {
            edges: vec![vec![(guard.clone(), 1)], Vec::new()],
            starts: vec![0],
            accepting: vec![false, true],
        }
    }

    /// Whether the empty sequence is accepted.
    fn is_nullable(&self) -> bool {
        self.starts.iter().any(|&s| self.accepting[s as usize])
    }

    /// The edges with which it begins.
    fn first(&self) -> Vec<(Guard, u32)> {
        let edges = self.starts.iter().flat_map(|&s| &self.edges[s as usize]);
        edges.cloned().collect()
    }

    /// Adds the states of another automaton; returns how far its numbers are shifted.
    fn add(&mut self, other: &Nfa) -> u32 {
        let shift = self.edges.len() as u32;
        let moved = |edges: &Vec<(Guard, u32)>| {
            let edges = edges.iter().map(|(guard, to)| (guard.clone(), to + shift));
            edges.collect()
        };
        self.edges.extend(other.edges.iter().map(moved));
        self.accepting.extend(&other.accepting);
        shift
    }

    fn then(mut self, next: &Nfa) -> Nfa {
        let (old, nullable) = (self.edges.len(), self.is_nullable());
        let shift = self.add(next);
        let first: Vec<_> = next.first();
        for state in 0..old {
            if self.accepting[state] {
                let first = first.iter().map(|(guard, to)| (guard.clone(), to + shift));
                self.edges[state].extend(first);
                self.accepting[state] = next.is_nullable();
            }
        }
        if nullable {
            self.starts.extend(next.starts.iter().map(|s| s + shift));
        }
        self
    }

    fn fusion(mut self, next: &Nfa) -> Nfa {
        let old = self.edges.len();
        let ends = self.accepting.clone();
        let shift = self.add(next);
        let first: Vec<_> = next.first();
        for state in 0..old {
            let mut joined = Vec::new();
            for (guard, to) in &self.edges[state] {
                if ends[*to as usize] {
                    let both = first.iter().map(|(g, t)| (guard.and(g), t + shift));
                    joined.extend(both);
                }
            }
            self.edges[state].extend(joined);
            self.accepting[state] = false;
        }
        self
    }

    fn or(mut self, other: &Nfa) -> Nfa {
        let shift = self.add(other);
        self.starts.extend(other.starts.iter().map(|s| s + shift));
        self
    }

    /// The words of both.
    fn both(&self, other: &Nfa) -> Result<Nfa, TooLarge> {
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
        let mut order: Vec<(u32, u32)> = Vec::new();
        let mut number = |pair: (u32, u32), order: &mut Vec<(u32, u32)>| {
            *numbers.entry(pair).or_insert_with(|| {
                order.push(pair);
                order.len() as u32 - 1
            })
        };
        let mut product = Nfa::default();
        for &p in &self.starts {
            for &q in &other.starts {
                product.starts.push(number((p, q), &mut order));
            }
        }
        let mut edges = 0;
        while let Some(&(p, q)) = order.get(product.edges.len()) {
            let mut row = Vec::new();
            for (guard, to) in &self.edges[p as usize] {
                for (other, end) in &other.edges[q as usize] {
                    row.push((guard.and(other), number((*to, *end), &mut order)));
                }
            }
            edges += row.len();
            Limits::check("edges of a sequence's automaton", edges, MOST_EDGES)?;
            product.edges.push(row);
            let ends = self.accepting[p as usize] && other.accepting[q as usize];
            product.accepting.push(ends);
        }
        Ok(product)
    }

    /// For the automaton of one letter: any number of letters.
    fn any_times(self) -> Nfa {
        let loops = self.first().into_iter().map(|(guard, _)| (guard, 0));
        Nfa {
            edges: vec![loops.collect()],
            starts: vec![0],
            accepting: vec![true],
        }
    }

    /// Or nothing.
    fn optional(self) -> Nfa {
        match self.is_nullable() {
            true => self,
            false => self.or(&Nfa::empty()),
        }
    }

    /// So many times, one after the other. What fits the empty sequence need not come at all.
    fn times(&self, Interval { from, to }: Interval) -> Result<Nfa, TooLarge> {
        let from = if self.is_nullable() { 0 } else { from };
        let copies = to.unwrap_or(from.max(1));
        let states = self.edges.len().saturating_mul(copies as usize);
        Limits::check("states of a sequence's automaton", states, MOST_STATES)?;
        let (size, first) = (self.edges.len() as u32, self.first());
        let mut all = Nfa::default();
        for copy in 0..copies {
            let shift = all.add(self);
            let next = match to {
                None if copy + 1 == copies => Some(shift),
                _ => (copy + 1 < copies).then_some(shift + size),
            };
            for (state, ends) in self.accepting.iter().enumerate() {
                let state = state + shift as usize;
                all.accepting[state] = *ends && copy + 1 >= from;
                if let Some(next) = next.filter(|_| *ends) {
                    let again = first.iter().map(|(guard, to)| (guard.clone(), to + next));
                    let again: Vec<_> = again.filter(|e| !all.edges[state].contains(e)).collect();
                    all.edges[state].extend(again);
                }
            }
        }
        all.starts = match copies {
            0 => Vec::new(),
            _ => self.starts.clone(),
        };
        Ok(if from == 0 { all.optional() } else { all })
    }

    /// Without the states that cannot be reached, or from which the end cannot be reached.
    fn trimmed(&self) -> Nfa {
        let n = self.edges.len();
        let mut reached = vec![false; n];
        let mut stack = self.starts.clone();
        while let Some(state) = stack.pop() {
            if !std::mem::replace(&mut reached[state as usize], true) {
                stack.extend(self.edges[state as usize].iter().map(|(_, to)| *to));
            }
        }
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); n];
        for (state, edges) in self.edges.iter().enumerate() {
            for (_, to) in edges {
                sources[*to as usize].push(state as u32);
            }
        }
        let mut useful = vec![false; n];
        let ends = (0..n as u32).filter(|s| self.accepting[*s as usize]);
        let mut stack: Vec<u32> = ends.collect();
        while let Some(state) = stack.pop() {
            if !std::mem::replace(&mut useful[state as usize], true) {
                stack.extend(&sources[state as usize]);
            }
        }
        let kept: Vec<usize> = (0..n).filter(|s| reached[*s] && useful[*s]).collect();
        let mut numbers = vec![None; n];
        for (new, &old) in kept.iter().enumerate() {
            numbers[old] = Some(new as u32);
        }
        let row = |&old: &usize| {
            let edges = self.edges[old].iter();
            let edges =
                edges.filter_map(|(guard, to)| Some((guard.clone(), numbers[*to as usize]?)));
            edges.collect()
        };
        let starts = self.starts.iter().filter_map(|s| numbers[*s as usize]);
        let mut starts: Vec<u32> = starts.collect();
        starts.sort_unstable();
        starts.dedup();
        Nfa {
            edges: kept.iter().map(row).collect(),
            starts,
            accepting: kept.iter().map(|&old| self.accepting[old]).collect(),
        }
    }
}

fn part_of(part: Part, operands: Vec<Nfa>, letters: &[Guard]) -> Result<Nfa, TooLarge> {
    if let Part::Letter(number) = part {
        let letter = letters.get(number as usize);
        return Ok(letter.map_or_else(Nfa::empty, Nfa::letter));
    }
    let mut operands = operands.into_iter();
    let Some(first) = operands.next() else {
        return Ok(Nfa::empty());
    };
    Ok(match part {
        Part::Letter(_) => first,
        Part::Then(_) => operands.fold(first, |all, next| all.then(&next)),
        Part::Fusion => operands.fold(first, |all, next| all.fusion(&next)),
        Part::Either(_) => operands.fold(first, |all, next| all.or(&next)),
        Part::Both(_) => operands.try_fold(first, |all, next| all.both(&next))?,
        Part::Along => match operands.next() {
            Some(second) => {
                let any = Nfa::letter(&Guard::top()).any_times();
                let longer = first.both(&second.clone().then(&any))?;
                longer.or(&first.then(&any).both(&second)?)
            }
            None => first,
        },
        Part::Repeat(interval) => first.times(interval)?,
        Part::Goto(interval) => up_to(&first).1.times(interval)?,
        Part::Times(interval) => {
            let (others, one) = up_to(&first);
            one.times(interval)?.then(&others)
        }
    })
}

/// Letters without a formula, and such letters up to one with it; the automaton is that of one letter.
fn up_to(letter: &Nfa) -> (Nfa, Nfa) {
    let guard = letter
        .first()
        .pop()
        .map_or_else(Guard::bottom, |edge| edge.0);
    let others = Nfa::letter(&Guard::top().and_not(&guard));
    let others = others.any_times();
    (others.clone(), others.then(letter))
}
