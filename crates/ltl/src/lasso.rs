//! The value of formulas on lasso words, straight from the definition.
//!
//! This is the reference in the tests of every translation, so it shares no code with any: each operator is a
//! fixed point over the positions of the word.

use crate::stretches::Matcher;
use crate::{Arena, AtomId, Bounded, Id, Interval, Matching, Node, Pattern};
use std::collections::BTreeSet;

/// A letter: the set of propositions that hold.
pub type Letter = BTreeSet<AtomId>;

/// The infinite word `prefix · cycle · cycle · …`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lasso {
    prefix: Vec<Letter>,
    cycle: Vec<Letter>,
}

impl Lasso {
    /// The word `prefix · cycle^ω`; `None` for an empty cycle, which gives no infinite word.
    pub fn new(prefix: Vec<Letter>, cycle: Vec<Letter>) -> Option<Self> {
        (!cycle.is_empty()).then_some(Lasso { prefix, cycle })
    }

    /// The word `u · last(u)^ω` by which the four-valued semantics judges a finite word u (Morse et al. 2015,
    /// definition 2); `None` if u is empty.
    pub fn stutter(word: &[Letter]) -> Option<Self> {
        let (last, prefix) = word.split_last()?;
        Lasso::new(prefix.to_vec(), vec![last.clone()])
    }

    /// The letters that are read once, and those that are repeated.
    pub fn parts(&self) -> (&[Letter], &[Letter]) {
        (&self.prefix, &self.cycle)
    }

    /// The number of distinct positions.
    pub(crate) fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    /// The letter at a position below [`Lasso::len`].
    fn letter(&self, position: usize) -> &Letter {
        match position.checked_sub(self.prefix.len()) {
            None => &self.prefix[position],
            Some(in_cycle) => &self.cycle[in_cycle],
        }
    }

    /// The position after a position: the end of the cycle leads back to its start.
    pub(crate) fn successor(&self, position: usize) -> usize {
        if position + 1 < self.len() {
            position + 1
        } else {
            self.prefix.len()
        }
    }

    /// The position below [`Lasso::len`] at which the same letter is read as at a position of the unrolled word.
    pub(crate) fn folded(&self, position: usize) -> usize {
        match position.checked_sub(self.len()) {
            None => position,
            Some(beyond) => self.prefix.len() + beyond % self.cycle.len(),
        }
    }

    /// The same word with so many rounds of the cycle in the prefix that the subformulas of `root` repeat with
    /// the cycle. A past operator whose operands repeat from a position on repeats one round later at the
    /// latest: over a round it is a monotone function of its value before, so constant or the identity. One
    /// that is bounded repeats when all that it reads does.
    pub fn unrolled(&self, arena: &Arena, root: Id) -> Lasso {
        let mut rounds = vec![0; root.index() + 1];
        for id in arena.postorder(root) {
            let node = arena.node(id);
            let below = node.operands().map(|o| rounds[o.index()]).max();
            let own = match node {
                Node::Within(_, Interval { from, to }, _)
                | Node::Timed(_, Interval { from, to }, _)
                    if node.is_past() =>
                {
                    let reach = to.unwrap_or(*from) as usize;
                    reach.div_ceil(self.cycle.len()) + usize::from(to.is_none())
                }
                // Without an end, more and more come, until there are enough or too many.
                Node::Often(Interval { from, to }, times, _) => {
                    let reach = to.unwrap_or(*from) as usize;
                    let many = times.to.unwrap_or(times.from) as usize + 2;
                    reach.div_ceil(self.cycle.len()) + if to.is_none() { many } else { 0 }
                }
                _ => usize::from(node.is_past()),
            };
            rounds[id.index()] = below.unwrap_or(0) + own;
        }
        let rounds = std::iter::repeat_n(&self.cycle, rounds[root.index()]).flatten();
        Lasso {
            prefix: self.prefix.iter().chain(rounds).cloned().collect(),
            cycle: self.cycle.clone(),
        }
    }

    /// Whether the word satisfies the formula.
    pub fn satisfies(&self, arena: &Arena, root: Id) -> bool {
        self.values(arena, root)[0]
    }

    /// The value of the formula at each of the positions of prefix and cycle, when they are first read: with
    /// past operators, later rounds of the cycle can differ.
    pub fn values(&self, arena: &Arena, root: Id) -> Vec<bool> {
        let mut known = self.unrolled(arena, root).all_values(arena, root);
        let mut values = std::mem::take(&mut known[root.index()]);
        values.truncate(self.len());
        values
    }

    /// The values of each subformula, by its index. The word must be [`Lasso::unrolled`] for the root.
    pub(crate) fn all_values(&self, arena: &Arena, root: Id) -> Vec<Vec<bool>> {
        let mut known: Vec<Vec<bool>> = vec![Vec::new(); root.index() + 1];
        for id in arena.postorder(root) {
            known[id.index()] = self.value(arena.node(id), &known);
        }
        known
    }

    /// The value of a formula at each position, from those of its operands.
    fn value(&self, node: &Node, known: &[Vec<bool>]) -> Vec<bool> {
        let of = |id: &Id| &known[id.index()];
        let at_each = |f: &dyn Fn(usize) -> bool| (0..self.len()).map(f).collect::<Vec<bool>>();
        match node {
            Node::True => at_each(&|_| true),
            Node::False => at_each(&|_| false),
            Node::Atom(atom) => at_each(&|i| self.letter(i).contains(atom)),
            Node::Not(a) => at_each(&|i| !of(a)[i]),
            Node::And(all) => at_each(&|i| all.iter().all(|a| of(a)[i])),
            Node::Or(all) => at_each(&|i| all.iter().any(|a| of(a)[i])),
            Node::Implies(a, b) => at_each(&|i| !of(a)[i] || of(b)[i]),
            Node::Iff(a, b) => at_each(&|i| of(a)[i] == of(b)[i]),
            Node::Next(a) => at_each(&|i| of(a)[self.successor(i)]),
            Node::Finally(a) => self.fixpoint(false, |i, next| of(a)[i] || next),
            Node::Globally(a) => self.fixpoint(true, |i, next| of(a)[i] && next),
            Node::Until(a, b) => self.fixpoint(false, |i, next| of(b)[i] || of(a)[i] && next),
            Node::WeakUntil(a, b) => self.fixpoint(true, |i, next| of(b)[i] || of(a)[i] && next),
            Node::Release(a, b) => self.fixpoint(true, |i, next| of(b)[i] && (of(a)[i] || next)),
            Node::StrongRelease(a, b) => {
                self.fixpoint(false, |i, next| of(b)[i] && (of(a)[i] || next))
            }
            Node::Previous(a) => self.shifted(false, of(a)),
            Node::WeakPrevious(a) => self.shifted(true, of(a)),
            Node::Once(a) => self.forwards(false, |i, before| of(a)[i] || before),
            Node::Historically(a) => self.forwards(true, |i, before| of(a)[i] && before),
            Node::Since(a, b) => self.forwards(false, |i, before| of(b)[i] || of(a)[i] && before),
            Node::BackTo(a, b) => self.forwards(true, |i, before| of(b)[i] && (of(a)[i] || before)),
            // Without times, a letter is a tick.
            Node::Within(operator, interval, operands)
            | Node::Timed(operator, interval, operands) => {
                let operands: Vec<&[bool]> = operands.iter().map(|o| of(o).as_slice()).collect();
                at_each(&|i| self.within(*operator, *interval, &operands, i))
            }
            Node::Often(window, times, a) => at_each(&|i| {
                let of = of(a);
                let inside = (0..=i).filter(|&j| window.contains((i - j) as u32) && of[j]);
                times.contains(inside.count() as u32)
            }),
            Node::Sequence(matching, pattern, operands) => {
                let operands: Vec<&[bool]> = operands.iter().map(|o| of(o).as_slice()).collect();
                self.sequence(*matching, pattern, &operands)
            }
        }
    }

    /// The value of a bounded operator at a position: walks letter by letter.
    fn within(&self, operator: Bounded, interval: Interval, of: &[&[bool]], at: usize) -> bool {
        let Some((&right, left)) = of.split_last() else {
            return false;
        };
        // `G` and `H` are the duals of `F` and `O`.
        let dual = matches!(operator, Bounded::Globally | Bounded::Historically);
        // A round beyond the beginning of the interval, nothing new comes.
        let most = interval.from as usize + self.len();
        let most = interval.to.map_or(most, |to| most.min(to as usize));
        let mut position = at;
        for distance in 0..=most {
            if interval.contains(distance as u32) && right[position] != dual {
                return !dual;
            }
            let kept = left.first().is_none_or(|left| left[position]);
            if !kept || (operator.is_past() && position == 0) {
                return dual;
            }
            position = match operator.is_past() {
                true => position - 1,
                false => self.successor(position),
            };
        }
        dual
    }

    /// The value at each position of what is asked of the stretches that begin there and fit a pattern.
    fn sequence(&self, matching: Matching, pattern: &Pattern, of: &[&[bool]]) -> Vec<bool> {
        let (behind, letters) = match of.split_last() {
            Some((behind, letters)) if matching.has_formula() => (*behind, letters),
            _ => (&[][..], of),
        };
        let successor = |i| self.successor(i);
        let matcher = Matcher::new(pattern, letters, self.len(), &successor);
        let ending = |wanted: bool| matcher.ends_at(&|end| behind[end] == wanted);
        let before = |wanted: bool| matcher.ends_at(&|end| behind[successor(end)] == wanted);
        let not = |values: Vec<bool>| values.into_iter().map(|value| !value).collect();
        // The formula comes at once behind the empty stretch.
        let or_own = |wanted: bool| {
            let own = behind.iter().map(|&of| matcher.empty && of == wanted);
            let all = before(wanted).into_iter().zip(own);
            all.map(|(later, own)| later || own).collect()
        };
        match matching {
            Matching::Every => not(ending(false)),
            Matching::Some => ending(true),
            Matching::EveryNext => not(or_own(false)),
            Matching::SomeNext => or_own(true),
            Matching::Strong => matcher.ends_at(&|_| true),
            Matching::Weak => {
                let all = matcher.open().into_iter().zip(matcher.ends_at(&|_| true));
                all.map(|(open, ends)| open || ends).collect()
            }
        }
    }

    /// The value of the operand one position before, and `first` at the first position.
    fn shifted(&self, first: bool, operand: &[bool]) -> Vec<bool> {
        let before = operand.iter().copied();
        std::iter::once(first)
            .chain(before)
            .take(self.len())
            .collect()
    }

    /// The solution of `x(i) = step(i, x(i - 1))`, where `first` stands before the word.
    fn forwards(&self, first: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut before = first;
        let at = |i| {
            before = step(i, before);
            before
        };
        (0..self.len()).map(at).collect()
    }

    /// The least (from false) or greatest (from true) solution of `x(i) = step(i, x(i + 1))`.
    fn fixpoint(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.len()];
        loop {
            let mut changed = false;
            for i in (0..values.len()).rev() {
                let value = step(i, values[self.successor(i)]);
                changed |= value != values[i];
                values[i] = value;
            }
            if !changed {
                return values;
            }
        }
    }
}
