//! Conversion of parsed formulas, and negation.

use super::build::Side;
use super::{Op, Store, F};
use crate::guard::{constant, variable, VARIABLES};
use crate::limits::{Limits, TooLarge};
use biodivine_lib_bdd::Bdd;
use ltl::{Arena, Id, Node};
use std::collections::HashMap;

const S: Side = Side::Straight;

impl Store {
    /// The simplified negation normal form of a formula whose propositions the store knows.
    pub fn convert(&mut self, arena: &Arena, root: Id, limits: &Limits) -> Result<F, TooLarge> {
        let order = arena.postorder(root);
        Limits::check("subformulas", order.len(), limits.subformulas)?;
        let mut known: HashMap<Id, F> = HashMap::with_capacity(order.len());
        for id in order {
            let f = self.convert_node(arena.node(id), &known)?;
            self.check(limits)?;
            known.insert(id, f);
        }
        Ok(known[&root])
    }

    fn convert_node(&mut self, node: &Node, known: &HashMap<Id, F>) -> Result<F, TooLarge> {
        let of = |id: &Id| known[id];
        Ok(match node {
            Node::True => Self::TRUE,
            Node::False => Self::FALSE,
            Node::Atom(atom) => {
                let index = self.atoms.binary_search(atom).unwrap_or(usize::MAX);
                Limits::check("propositions", index, usize::from(VARIABLES) / 2)?;
                self.intern(Op::Literal(index as u16, true))
            }
            Node::Not(a) => self.negate(of(a)),
            Node::And(all) => self.and(S, all.iter().map(of).collect()),
            Node::Or(all) => self.or(S, all.iter().map(of).collect()),
            Node::Implies(a, b) => {
                let not_a = self.negate(of(a));
                self.or(S, vec![not_a, of(b)])
            }
            Node::Iff(a, b) => self.equivalence(of(a), of(b)),
            Node::Next(a) => self.next(of(a)),
            Node::Finally(a) => self.finally(S, of(a)),
            Node::Globally(a) => self.finally(Side::Dual, of(a)),
            Node::Until(a, b) => self.until(S, of(a), of(b)),
            Node::Release(a, b) => self.until(Side::Dual, of(a), of(b)),
            Node::WeakUntil(a, b) => self.strong(Side::Dual, of(a), of(b)),
            Node::StrongRelease(a, b) => self.strong(S, of(a), of(b)),
            // The translation replaces past operators before it comes here.
            Node::Previous(_)
            | Node::WeakPrevious(_)
            | Node::Once(_)
            | Node::Historically(_)
            | Node::Since(..)
            | Node::BackTo(..)
            | Node::Within(..)
            | Node::Timed(..)
            | Node::Often(..)
            | Node::Sequence(..) => return Err(TooLarge {
                what:
                    "operators of the past, with bounds or of sequences in a formula of the future",
                limit: 0,
            }),
        })
    }

    fn equivalence(&mut self, a: F, b: F) -> F {
        let (not_a, not_b) = (self.negate(a), self.negate(b));
        let both = self.and(S, vec![a, b]);
        let none = self.and(S, vec![not_a, not_b]);
        self.or(S, vec![both, none])
    }

    /// The negation, simplified.
    pub fn negate(&mut self, root: F) -> F {
        if let Some(&known) = self.negations.get(&root) {
            return known;
        }
        for f in self.subformulas(root) {
            if !self.negations.contains_key(&f) {
                let negation = self.negate_one(f);
                self.negations.insert(f, negation);
                self.negations.entry(negation).or_insert(f);
            }
        }
        self.negations[&root]
    }

    /// The negation of a formula, from the negations of its operands.
    fn negate_one(&mut self, f: F) -> F {
        let op = self.op(f).clone();
        let not = |store: &Store, g: F| store.negations[&g];
        match op {
            Op::True => Self::FALSE,
            Op::False => Self::TRUE,
            Op::Literal(atom, value) => self.intern(Op::Literal(atom, !value)),
            Op::And(all) => {
                let all = all.iter().map(|&g| not(self, g)).collect();
                self.or(S, all)
            }
            Op::Or(all) => {
                let all = all.iter().map(|&g| not(self, g)).collect();
                self.and(S, all)
            }
            // States occur only in formulas that are translated as they are; none is ever negated.
            Op::State(_) => Self::FALSE,
            Op::Next(a) => self.next(not(self, a)),
            Op::Finally(a) => self.finally(Side::Dual, not(self, a)),
            Op::Globally(a) => self.finally(S, not(self, a)),
            Op::Until(a, b) => self.until(Side::Dual, not(self, a), not(self, b)),
            Op::Release(a, b) => self.until(S, not(self, a), not(self, b)),
            Op::Weak(a, b) => self.strong(S, not(self, a), not(self, b)),
            Op::Strong(a, b) => self.strong(Side::Dual, not(self, a), not(self, b)),
        }
    }
}

impl Store {
    /// The letters that satisfy the formula if they are repeated for ever: then all positions are alike, so
    /// each temporal operator becomes propositional.
    pub fn repeated(&self, root: F, limits: &Limits) -> Result<Bdd, TooLarge> {
        let mut known: HashMap<F, Bdd> = HashMap::new();
        let mut work = 0;
        for f in self.subformulas(root) {
            let of = |g: &F| &known[g];
            let bdd = match self.op(f) {
                Op::True => constant(true),
                Op::False | Op::State(_) => constant(false),
                Op::Literal(atom, value) => variable(*atom, *value),
                Op::And(all) => all.iter().fold(constant(true), |d, g| d.and(of(g))),
                Op::Or(all) => all.iter().fold(constant(false), |d, g| d.or(of(g))),
                Op::Next(a) | Op::Finally(a) | Op::Globally(a) => of(a).clone(),
                Op::Until(_, b) | Op::Release(_, b) => of(b).clone(),
                Op::Weak(a, b) => of(a).or(of(b)),
                Op::Strong(a, b) => of(a).and(of(b)),
            };
            work += bdd.size();
            Limits::check("nodes of decision diagrams", work, limits.work)?;
            known.insert(f, bdd);
        }
        Ok(known.remove(&root).unwrap_or_else(|| constant(false)))
    }
}
