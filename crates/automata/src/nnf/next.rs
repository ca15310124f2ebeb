//! X, F and G.

use super::build::Side;
use super::{Op, Store, F};

impl Store {
    /// `X f`; without the X if `f` is suspendable.
    pub fn next(&mut self, f: F) -> F {
        if f == Self::TRUE || f == Self::FALSE {
            return f;
        }
        self.nested(|s| s.next_simplified(f), |s| s.intern(Op::Next(f)))
    }

    fn next_simplified(&mut self, f: F) -> F {
        if self.traits(f).suspendable() {
            return f;
        }
        for side in [Side::Straight, Side::Dual] {
            let Op::And(all) = self.view(side, f) else {
                continue;
            };
            let (free, bound): (Vec<F>, Vec<F>) =
                all.iter().partition(|&&g| self.traits(g).suspendable());
            if !free.is_empty() {
                let rest = self.and(side, bound);
                let mut all = free;
                all.push(self.next(rest));
                return self.and(side, all);
            }
        }
        self.intern(Op::Next(f))
    }

    /// `F f`; dually `G f`.
    pub fn finally(&mut self, side: Side, f: F) -> F {
        if f == Self::TRUE || f == Self::FALSE {
            return f;
        }
        self.nested(
            |s| s.finally_simplified(side, f),
            |s| s.raw(side, Op::Finally(f)),
        )
    }

    fn finally_simplified(&mut self, side: Side, f: F) -> F {
        if self.eventual(side, f) {
            return f;
        }
        match self.view(side, f) {
            Op::Next(a) => {
                let inner = self.finally(side, a);
                self.next(inner)
            }
            Op::Until(_, b) => self.finally(side, b),
            Op::Strong(a, b) => {
                let both = self.and(side, vec![a, b]);
                self.finally(side, both)
            }
            // F (a W b) = F (b | G a)
            Op::Weak(a, b) => {
                let always = self.finally(!side, a);
                let either = self.or(side, vec![b, always]);
                self.finally(side, either)
            }
            // F (a R b) = F (a & b | G b)
            Op::Release(a, b) => {
                let both = self.and(side, vec![a, b]);
                let always = self.finally(!side, b);
                let either = self.or(side, vec![both, always]);
                self.finally(side, either)
            }
            Op::Or(all) => self.finally_or(side, f, &all),
            Op::And(all) => self.finally_and(side, f, &all),
            Op::Globally(a) => self.finally_globally(side, f, a),
            _ => self.raw(side, Op::Finally(f)),
        }
    }

    /// `F (e | a) = e | F a` for eventual `e`. `F (u | a) = F u | F a` for universal `u`, because `F u` is then
    /// suspendable.
    fn finally_or(&mut self, side: Side, f: F, all: &[F]) -> F {
        let (mut free, bound): (Vec<F>, Vec<F>) =
            all.iter().partition(|&&g| self.eventual(side, g));
        let (fixed, bound): (Vec<F>, Vec<F>) =
            bound.iter().partition(|&&g| self.universal(side, g));
        if !fixed.is_empty() && (!bound.is_empty() || !free.is_empty()) {
            let fixed = self.or(side, fixed);
            free.push(self.finally(side, fixed));
        } else if free.is_empty() {
            return self.raw(side, Op::Finally(f));
        }
        let rest = self.or(side, bound);
        let mut all = free;
        all.push(self.finally(side, rest));
        self.or(side, all)
    }

    /// `F (q & a) = q & F a` for suspendable `q`.
    fn finally_and(&mut self, side: Side, f: F, all: &[F]) -> F {
        let (free, bound): (Vec<F>, Vec<F>) =
            all.iter().partition(|&&g| self.traits(g).suspendable());
        if free.is_empty() {
            return self.raw(side, Op::Finally(f));
        }
        let rest = self.and(side, bound);
        let mut all = free;
        all.push(self.finally(side, rest));
        self.and(side, all)
    }

    /// `F G a`: `FG (a | u) = FG a | FG u` for universal `u`; `FG (a | e) = FG a | G e` and `FG (a & e) = FG a
    /// & G e` for eventual `e`; `FG (a & X b) = FG (a & b)`.
    fn finally_globally(&mut self, side: Side, f: F, a: F) -> F {
        for inner in [side, !side] {
            let Op::And(all) = self.view(inner, a) else {
                continue;
            };
            let (free, bound): (Vec<F>, Vec<F>) =
                all.iter().partition(|&&g| self.eventual(side, g));
            if !free.is_empty() {
                let free = self.and(inner, free);
                let free = self.finally(!side, free);
                let rest = self.and(inner, bound);
                let rest = self.finally(!side, rest);
                let rest = self.finally(side, rest);
                return self.and(inner, vec![free, rest]);
            }
            if inner != side {
                // FG (a | u) = FG a | FG u for universal u
                let (free, bound): (Vec<F>, Vec<F>) =
                    all.iter().partition(|&&g| self.universal(side, g));
                if !free.is_empty() && !bound.is_empty() {
                    let free = self.and(inner, free);
                    let free = self.finally(side, free);
                    let rest = self.and(inner, bound);
                    let rest = self.finally(!side, rest);
                    let rest = self.finally(side, rest);
                    return self.and(inner, vec![free, rest]);
                }
            }
            if inner == side && all.iter().any(|&g| matches!(self.op(g), Op::Next(_))) {
                let all = all.iter().map(|&g| match *self.op(g) {
                    Op::Next(h) => h,
                    _ => g,
                });
                let all = all.collect();
                let both = self.and(side, all);
                let always = self.finally(!side, both);
                return self.finally(side, always);
            }
        }
        self.raw(side, Op::Finally(f))
    }
}
