//! Rewriting to an equivalent formula that has fewer states, though it is not simpler.

use super::build::Side;
use super::{Op, Store, F};
use std::collections::HashMap;

impl Store {
    /// Applies `F a | e = F (a | e)` for eventual `e`, dually `G a & u = G (a & u)`, everywhere: a run that
    /// waits for one disjunct waits for all, in one state.
    pub fn regroup(&mut self, root: F) -> F {
        let mut known: HashMap<F, F> = HashMap::new();
        for f in self.subformulas(root) {
            let rebuilt = self.map_operands(f, &known);
            let rebuilt = match rebuilt {
                Op::And(all) => self.regroup_many(Side::Dual, all.into_vec()),
                Op::Or(all) => self.regroup_many(Side::Straight, all.into_vec()),
                other => self.intern(other),
            };
            known.insert(f, rebuilt);
        }
        known[&root]
    }

    /// The formula with some subformulas replaced, not simplified.
    pub fn substitute(&mut self, root: F, by: &HashMap<F, F>) -> F {
        let mut known: HashMap<F, F> = HashMap::new();
        for f in self.subformulas(root) {
            let rebuilt = match by.get(&f) {
                Some(&replacement) => replacement,
                None => {
                    let op = self.map_operands(f, &known);
                    match op {
                        Op::And(all) => self.plain_many(Side::Dual, all.into_vec()),
                        Op::Or(all) => self.plain_many(Side::Straight, all.into_vec()),
                        other => self.intern(other),
                    }
                }
            };
            known.insert(f, rebuilt);
        }
        known[&root]
    }

    /// The root operator with its operands replaced.
    fn map_operands(&self, f: F, by: &HashMap<F, F>) -> Op {
        let of = |g: &F| by[g];
        match self.op(f) {
            Op::And(all) => Op::And(all.iter().map(of).collect()),
            Op::Or(all) => Op::Or(all.iter().map(of).collect()),
            Op::Next(a) => Op::Next(of(a)),
            Op::Finally(a) => Op::Finally(of(a)),
            Op::Globally(a) => Op::Globally(of(a)),
            Op::Until(a, b) => Op::Until(of(a), of(b)),
            Op::Release(a, b) => Op::Release(of(a), of(b)),
            Op::Weak(a, b) => Op::Weak(of(a), of(b)),
            Op::Strong(a, b) => Op::Strong(of(a), of(b)),
            leaf => leaf.clone(),
        }
    }

    /// The formula that stands for a state of an automaton.
    pub fn state(&mut self, number: u32) -> F {
        self.intern(Op::State(number))
    }

    /// A disjunction; dually a conjunction.
    fn regroup_many(&mut self, side: Side, all: Vec<F>) -> F {
        let (mut waited, mut rest) = (Vec::new(), Vec::new());
        let mut finally = false;
        for &f in &all {
            match self.view(side, f) {
                Op::Finally(a) => {
                    finally = true;
                    waited.push(a);
                }
                _ if self.eventual(side, f) => waited.push(f),
                _ => rest.push(f),
            }
        }
        if !finally || waited.len() < 2 {
            return self.plain_many(side, all);
        }
        let waited = self.plain_many(side, waited);
        rest.push(self.raw(side, Op::Finally(waited)));
        self.plain_many(side, rest)
    }
}
