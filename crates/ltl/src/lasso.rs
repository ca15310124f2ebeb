//! The value of formulas on lasso words, straight from the definition.
//!
//! This is the reference in the tests of every translation, so it shares no code with any: each operator is a
//! fixed point over the positions of the word.

use crate::{Arena, AtomId, Id, Node};
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

    /// Whether the word satisfies the formula.
    pub fn satisfies(&self, arena: &Arena, root: Id) -> bool {
        self.values(arena, root)[0]
    }

    /// The value of the formula at each of the positions of prefix and cycle.
    pub fn values(&self, arena: &Arena, root: Id) -> Vec<bool> {
        let mut known = self.all_values(arena, root);
        std::mem::take(&mut known[root.index()])
    }

    /// The values of each subformula, by its index.
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
        }
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
