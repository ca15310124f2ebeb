//! Syntactic implication: a quick, sound and incomplete check of language inclusion (Somenzi & Bloem, CAV 2000,
//! extended).

use super::{Op, Store, F};

/// The greatest depth of a question; deeper ones are answered "not known".
const MAX_DEPTH: u32 = 40;
/// The most questions on the way to one answer.
const MAX_STEPS: u32 = 4_000;

impl Store {
    /// Whether every model of `f` is known to be a model of `g`.
    pub fn implies(&mut self, f: F, g: F) -> bool {
        let mut steps = MAX_STEPS;
        self.implies_within(f, g, 0, &mut steps)
    }

    /// Whether `f` and `g` are known to have no common model.
    pub fn excludes(&mut self, f: F, g: F) -> bool {
        if let (Op::Literal(p, v), Op::Literal(q, w)) = (self.op(f), self.op(g)) {
            return p == q && v != w;
        }
        let not_g = self.negate(g);
        self.implies(f, not_g)
    }

    /// Whether every word is known to be a model of `f` or of `g`.
    pub fn covers(&mut self, f: F, g: F) -> bool {
        if let (Op::Literal(p, v), Op::Literal(q, w)) = (self.op(f), self.op(g)) {
            return p == q && v != w;
        }
        let not_f = self.negate(f);
        self.implies(not_f, g)
    }

    fn implies_within(&mut self, f: F, g: F, depth: u32, steps: &mut u32) -> bool {
        if f == g || f == Self::FALSE || g == Self::TRUE {
            return true;
        }
        if depth > MAX_DEPTH {
            *steps = 0;
        }
        if f == Self::TRUE || g == Self::FALSE || *steps == 0 {
            return false;
        }
        if matches!((self.op(f), self.op(g)), (Op::Literal(..), Op::Literal(..))) {
            return false;
        }
        if let Some(&known) = self.implications.get(&(f, g)) {
            return known;
        }
        *steps -= 1;
        let answer = self.decide(f, g, depth + 1, steps);
        // Without steps left, a negative answer may be due to the bound, and is not cached.
        if answer || *steps > 0 {
            self.implications.insert((f, g), answer);
        }
        answer
    }

    fn decide(&mut self, f: F, g: F, depth: u32, steps: &mut u32) -> bool {
        let (left, right) = (self.op(f).clone(), self.op(g).clone());
        match &left {
            Op::Or(all) => {
                return all.iter().all(|&a| self.implies_within(a, g, depth, steps));
            }
            Op::And(all) if all.iter().any(|&a| self.implies_within(a, g, depth, steps)) => {
                return true;
            }
            _ => {}
        }
        match &right {
            Op::And(all) => {
                return all.iter().all(|&b| self.implies_within(f, b, depth, steps));
            }
            Op::Or(all) if all.iter().any(|&b| self.implies_within(f, b, depth, steps)) => {
                return true;
            }
            _ => {}
        }
        self.by_left(&left, g, depth, steps)
            || self.by_right(f, &right, depth, steps)
            || self.by_both(&left, &right, g, depth, steps)
    }

    /// Rules for the operator on the left.
    fn by_left(&mut self, left: &Op, g: F, depth: u32, steps: &mut u32) -> bool {
        let eventual = self.traits(g).eventual;
        let mut implies = |a: F, b: F| self.implies_within(a, b, depth, steps);
        match *left {
            Op::Globally(a) => implies(a, g),
            Op::Finally(a) | Op::Next(a) if eventual => implies(a, g),
            Op::Until(a, b) => implies(b, g) && (eventual || implies(a, g)),
            Op::Weak(a, b) => implies(a, g) && implies(b, g),
            Op::Release(_, b) => implies(b, g),
            Op::Strong(a, b) => implies(b, g) || eventual && implies(a, g),
            _ => false,
        }
    }

    /// Rules for the operator on the right.
    fn by_right(&mut self, f: F, right: &Op, depth: u32, steps: &mut u32) -> bool {
        let universal = self.traits(f).universal;
        let mut implies = |a: F, b: F| self.implies_within(a, b, depth, steps);
        match *right {
            Op::Finally(b) => implies(f, b),
            Op::Globally(b) | Op::Next(b) if universal => implies(f, b),
            Op::Until(_, b) => implies(f, b),
            Op::Weak(a, b) => implies(f, b) || universal && implies(f, a),
            Op::Release(a, b) => implies(f, b) && (universal || implies(f, a)),
            Op::Strong(a, b) => implies(f, a) && implies(f, b),
            _ => false,
        }
    }

    /// Rules for two temporal operators that run in step.
    fn by_both(&mut self, left: &Op, right: &Op, g: F, depth: u32, steps: &mut u32) -> bool {
        let mut implies = |a: F, b: F| self.implies_within(a, b, depth, steps);
        // `hold` keeps the left side going; `done`, one of two or both, ends it; `weak` says that it
        // may go on for ever.
        match (left, right) {
            (&Op::Next(a), &Op::Next(b)) => implies(a, b),
            (&Op::Until(a, b), &Op::Until(c, _)) => implies(a, c) && implies(b, g),
            (&Op::Until(a, b) | &Op::Weak(a, b), &Op::Weak(c, _)) => implies(a, c) && implies(b, g),
            (&Op::Strong(a, b), &Op::Until(c, _)) => {
                implies(b, c) && (implies(a, g) || implies(b, g))
            }
            (&Op::Strong(a, b) | &Op::Release(a, b), &Op::Weak(c, _)) => {
                implies(b, c) && (implies(a, g) || implies(b, g))
            }
            (&Op::Until(a, b) | &Op::Weak(a, b), &Op::Release(_, d)) => {
                implies(a, d) && implies(b, g)
            }
            (&Op::Until(a, b), &Op::Strong(_, d)) => implies(a, d) && implies(b, g),
            (&Op::Strong(a, b) | &Op::Release(a, b), &Op::Release(c, d)) => {
                implies(b, d) && (implies(a, c) || implies(a, g))
            }
            (&Op::Strong(a, b), &Op::Strong(c, d)) => {
                implies(b, d) && (implies(a, c) || implies(a, g))
            }
            _ => false,
        }
    }
}
