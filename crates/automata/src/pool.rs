//! Hash-consed decision diagrams with cached results of operations.

use crate::guard::{constant, variable};
use crate::limits::{Limits, TooLarge};
use biodivine_lib_bdd::{op_function, Bdd};
use std::collections::HashMap;

/// A diagram in its [`Pool`]; equal functions have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct D(u32);

/// The largest diagram, whatever the limits are.
const MAX_NODES: usize = 200_000;

/// The diagrams of one construction.
pub(crate) struct Pool {
    diagrams: Vec<Bdd>,
    ids: HashMap<Bdd, D>,
    ands: HashMap<(D, D), D>,
    ors: HashMap<(D, D), D>,
    literals: HashMap<(u16, bool), D>,
    /// Diagram nodes visited so far.
    work: usize,
}

impl Pool {
    pub const FALSE: D = D(0);
    pub const TRUE: D = D(1);

    pub fn new() -> Pool {
        let mut pool = Pool {
            diagrams: Vec::new(),
            ids: HashMap::new(),
            ands: HashMap::new(),
            ors: HashMap::new(),
            literals: HashMap::new(),
            work: 0,
        };
        pool.intern(constant(false));
        pool.intern(constant(true));
        pool
    }

    pub fn bdd(&self, d: D) -> &Bdd {
        &self.diagrams[d.0 as usize]
    }

    pub fn intern(&mut self, bdd: Bdd) -> D {
        if let Some(&known) = self.ids.get(&bdd) {
            return known;
        }
        let d = D(self.diagrams.len() as u32);
        self.charge(bdd.size());
        self.diagrams.push(bdd.clone());
        self.ids.insert(bdd, d);
        d
    }

    /// An error if the work so far exceeds the limit.
    pub fn check(&self, limits: &Limits) -> Result<(), TooLarge> {
        Limits::check("nodes of decision diagrams", self.work, limits.work)
    }

    pub fn literal(&mut self, index: u16, value: bool) -> D {
        if let Some(&known) = self.literals.get(&(index, value)) {
            return known;
        }
        let d = self.intern(variable(index, value));
        self.literals.insert((index, value), d);
        d
    }

    /// Adds work on diagrams that was done outside the pool.
    pub fn charge(&mut self, work: usize) {
        self.work = self.work.saturating_add(work);
    }

    /// A binary operation. If the result is too large, it is false, and [`Pool::check`] fails from then on.
    fn combine(&mut self, a: D, b: D, op: fn(Option<bool>, Option<bool>) -> Option<bool>) -> D {
        let (left, right) = (self.bdd(a), self.bdd(b));
        let work = left.size() + right.size();
        match Bdd::binary_op_with_limit(MAX_NODES, left, right, op) {
            Some(result) => {
                // A result that the reduction shrank took more steps than its size shows.
                self.charge(work + 4 * result.size());
                self.intern(result)
            }
            None => {
                self.charge(usize::MAX);
                Self::FALSE
            }
        }
    }

    pub fn and(&mut self, a: D, b: D) -> D {
        match (a, b) {
            (Self::FALSE, _) | (_, Self::FALSE) => return Self::FALSE,
            (Self::TRUE, other) | (other, Self::TRUE) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.ands.get(&key) {
            return known;
        }
        let d = self.combine(a, b, op_function::and);
        self.ands.insert(key, d);
        d
    }

    pub fn or(&mut self, a: D, b: D) -> D {
        match (a, b) {
            (Self::TRUE, _) | (_, Self::TRUE) => return Self::TRUE,
            (Self::FALSE, other) | (other, Self::FALSE) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.ors.get(&key) {
            return known;
        }
        let d = self.combine(a, b, op_function::or);
        self.ors.insert(key, d);
        d
    }
}
