//! U and M, dually R and W.

use super::build::Side;
use super::{Op, Store, F};

impl Store {
    /// `a U b`; dually `a R b`.
    pub fn until(&mut self, side: Side, a: F, b: F) -> F {
        let (top, bottom) = (Self::top(side), Self::top(!side));
        if b == top || b == bottom || a == bottom || a == b {
            return b;
        }
        if a == top {
            return self.finally(side, b);
        }
        self.nested(
            |s| s.until_simplified(side, a, b),
            |s| s.raw(side, Op::Until(a, b)),
        )
    }

    fn until_simplified(&mut self, side: Side, a: F, b: F) -> F {
        if self.eventual(side, b) || self.below(side, a, b) {
            return b;
        }
        if self.apart(!side, a, b) {
            return self.finally(side, b);
        }
        if let (Op::Next(c), Op::Next(d)) = (self.op(a).clone(), self.op(b).clone()) {
            let inner = self.until(side, c, d);
            return self.next(inner);
        }
        if self.split && self.universal(side, a) {
            self.has_split = true;
            // a U b = b | a & F b
            let finally = self.finally(side, b);
            let held = self.and(side, vec![a, finally]);
            return self.or(side, vec![b, held]);
        }
        let smaller = self.weaken_until(side, a, b);
        if smaller != a {
            return self.until(side, smaller, b);
        }
        if let Op::Until(_, d) = self.view(side, a) {
            if self.below(side, d, b) {
                // (c U d) U b = (c U d) | b where d implies b
                return self.or(side, vec![a, b]);
            }
        }
        self.until_by_right(side, a, b)
            .unwrap_or_else(|| self.raw(side, Op::Until(a, b)))
    }

    /// `a` without the parts that are irrelevant in `a U b`: conjuncts that hold wherever `b` does not,
    /// disjuncts that imply `b`.
    fn weaken_until(&mut self, side: Side, a: F, b: F) -> F {
        match self.view(side, a) {
            Op::And(all) => {
                let mut kept = all.to_vec();
                kept.retain(|&c| !self.apart(!side, c, b));
                if kept.len() == all.len() {
                    return a;
                }
                self.and(side, kept)
            }
            Op::Or(all) => {
                let mut kept = all.to_vec();
                kept.retain(|&c| !self.below(side, c, b));
                if kept.len() == all.len() {
                    return a;
                }
                self.or(side, kept)
            }
            _ => a,
        }
    }

    /// Rules for the right side of `a U b`.
    fn until_by_right(&mut self, side: Side, a: F, b: F) -> Option<F> {
        if self.absorbs(side, a, b) {
            return Some(b);
        }
        match self.view(side, b) {
            Op::Or(all) => {
                // a U (b | G a) = a W b
                let always = |&&c: &&F| self.view(side, c) == Op::Globally(a);
                if let Some(&always) = all.iter().find(always) {
                    let rest = all.iter().copied().filter(|&c| c != always).collect();
                    let rest = self.or(side, rest);
                    return Some(self.strong(!side, a, rest));
                }
                // a U (b | c) = b | (a U c) where a U b = b
                let mut free = Vec::new();
                let mut bound = Vec::new();
                for &c in all.iter() {
                    if self.eventual(side, c) || self.absorbs(side, a, c) {
                        free.push(c);
                    } else {
                        bound.push(c);
                    }
                }
                if free.is_empty() {
                    return None;
                }
                let rest = self.or(side, bound);
                free.push(self.until(side, a, rest));
                Some(self.or(side, free))
            }
            Op::And(all) => {
                // a U (b & q) = (a U b) & q for suspendable q
                let (mut free, bound): (Vec<F>, Vec<F>) =
                    all.iter().partition(|&&c| self.traits(c).suspendable());
                if free.is_empty() {
                    return None;
                }
                let rest = self.and(side, bound);
                free.push(self.until(side, a, rest));
                Some(self.and(side, free))
            }
            _ => None,
        }
    }

    /// Whether `a U b = b` because `b` is itself an until that `a` only lengthens.
    fn absorbs(&mut self, side: Side, a: F, b: F) -> bool {
        match self.view(side, b) {
            Op::Until(c, _) | Op::Weak(c, _) => self.below(side, a, c),
            _ => false,
        }
    }

    /// `a M b`, that is `b U (a & b)`; dually `a W b`.
    pub fn strong(&mut self, side: Side, a: F, b: F) -> F {
        let (top, bottom) = (Self::top(side), Self::top(!side));
        if a == bottom || b == bottom {
            return bottom;
        }
        if a == top || a == b {
            return b;
        }
        if b == top {
            return self.finally(side, a);
        }
        self.nested(
            |s| s.strong_simplified(side, a, b),
            |s| s.raw(side, Op::Strong(a, b)),
        )
    }

    fn strong_simplified(&mut self, side: Side, a: F, b: F) -> F {
        if self.below(side, b, a) {
            return b;
        }
        if self.apart(side, a, b) {
            return Self::top(!side);
        }
        if let (Op::Next(c), Op::Next(d)) = (self.op(a).clone(), self.op(b).clone()) {
            let inner = self.strong(side, c, d);
            return self.next(inner);
        }
        if self.split && self.universal(side, b) {
            self.has_split = true;
            let finally = self.finally(side, a);
            return self.and(side, vec![b, finally]);
        }
        if self.split && self.eventual(side, a) {
            self.has_split = true;
            return self.and(side, vec![a, b]);
        }
        let smaller = self.weaken_strong(side, a, b);
        if smaller != a {
            return self.strong(side, smaller, b);
        }
        self.strong_by_operand(side, a, b)
            .unwrap_or_else(|| self.raw(side, Op::Strong(a, b)))
    }

    /// `a` without the parts that are irrelevant in `a M b`: conjuncts that `b` implies, disjuncts that it
    /// excludes.
    fn weaken_strong(&mut self, side: Side, a: F, b: F) -> F {
        match self.view(side, a) {
            Op::And(all) => {
                let mut kept = all.to_vec();
                kept.retain(|&c| !self.below(side, b, c));
                if kept.len() == all.len() {
                    return a;
                }
                self.and(side, kept)
            }
            Op::Or(all) => {
                let mut kept = all.to_vec();
                kept.retain(|&c| !self.apart(side, b, c));
                if kept.len() == all.len() {
                    return a;
                }
                self.or(side, kept)
            }
            _ => a,
        }
    }

    /// `a M (b & u) = (a M b) & u` for universal `u`; `(a & q) M b = (a M b) & q` for suspendable `q`; `a M (c
    /// M d) = c M d` if `c` implies `a`.
    fn strong_by_operand(&mut self, side: Side, a: F, b: F) -> Option<F> {
        if let Op::And(all) = self.view(side, b) {
            let (mut free, bound): (Vec<F>, Vec<F>) =
                all.iter().partition(|&&c| self.universal(side, c));
            if !free.is_empty() {
                let rest = self.and(side, bound);
                free.push(self.strong(side, a, rest));
                return Some(self.and(side, free));
            }
        }
        if let Op::And(all) = self.view(side, a) {
            let (mut free, bound): (Vec<F>, Vec<F>) =
                all.iter().partition(|&&c| self.traits(c).suspendable());
            if !free.is_empty() {
                let rest = self.and(side, bound);
                free.push(self.strong(side, rest, b));
                return Some(self.and(side, free));
            }
        }
        match self.view(side, b) {
            Op::Strong(c, _) if self.below(side, c, a) => Some(b),
            _ => None,
        }
    }
}
