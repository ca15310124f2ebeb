//! Conjunction and disjunction.
//!
//! Each rule is written once, for one of two dual sides: a law holds for all formulas exactly if its dual does,
//! which exchanges the operators with their duals, the direction of implication, and eventual with universal.

use super::{Op, Store, F};

/// A rule as written, or its dual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Straight,
    Dual,
}

impl std::ops::Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::Straight => Side::Dual,
            Side::Dual => Side::Straight,
        }
    }
}

/// The deepest nesting of constructors that simplify; bounds the stack.
const MAX_NESTING: u32 = 60;
/// The most conjuncts that are searched for pairs.
const MAX_PAIRS: usize = 40;

impl Store {
    /// True; dually false.
    pub(super) fn top(side: Side) -> F {
        match side {
            Side::Straight => Self::TRUE,
            Side::Dual => Self::FALSE,
        }
    }

    /// The root operator, as this side sees it.
    pub(super) fn view(&self, side: Side, f: F) -> Op {
        let op = self.op(f).clone();
        if side == Side::Straight {
            return op;
        }
        match op {
            Op::True => Op::False,
            Op::False => Op::True,
            Op::And(all) => Op::Or(all),
            Op::Or(all) => Op::And(all),
            Op::Finally(a) => Op::Globally(a),
            Op::Globally(a) => Op::Finally(a),
            Op::Until(a, b) => Op::Release(a, b),
            Op::Release(a, b) => Op::Until(a, b),
            Op::Weak(a, b) => Op::Strong(a, b),
            Op::Strong(a, b) => Op::Weak(a, b),
            other @ (Op::Literal(..) | Op::Next(_) | Op::State(_)) => other,
        }
    }

    /// Whether `a` is known to imply `b`; dually, to be implied by it.
    pub(super) fn below(&mut self, side: Side, a: F, b: F) -> bool {
        match side {
            Side::Straight => self.implies(a, b),
            Side::Dual => self.implies(b, a),
        }
    }

    /// Whether `a` and `b` are known to exclude each other; dually, to cover everything.
    pub(super) fn apart(&mut self, side: Side, a: F, b: F) -> bool {
        match side {
            Side::Straight => self.excludes(a, b),
            Side::Dual => self.covers(a, b),
        }
    }

    /// Whether it is a pure eventuality; dually a pure universality.
    pub(super) fn eventual(&self, side: Side, f: F) -> bool {
        match side {
            Side::Straight => self.traits(f).eventual,
            Side::Dual => self.traits(f).universal,
        }
    }

    /// Whether it is a pure universality; dually a pure eventuality.
    pub(super) fn universal(&self, side: Side, f: F) -> bool {
        self.eventual(!side, f)
    }

    /// Interns a formula whose operator is given as this side sees it.
    pub(super) fn raw(&mut self, side: Side, op: Op) -> F {
        let op = match (side, op) {
            (Side::Straight, op) => op,
            (_, Op::And(all)) => Op::Or(all),
            (_, Op::Or(all)) => Op::And(all),
            (_, Op::Finally(a)) => Op::Globally(a),
            (_, Op::Globally(a)) => Op::Finally(a),
            (_, Op::Until(a, b)) => Op::Release(a, b),
            (_, Op::Release(a, b)) => Op::Until(a, b),
            (_, Op::Weak(a, b)) => Op::Strong(a, b),
            (_, Op::Strong(a, b)) => Op::Weak(a, b),
            (_, op) => op,
        };
        self.intern(op)
    }

    /// Runs a simplifying constructor, or the plain one if constructors nest too deeply.
    pub(super) fn nested(
        &mut self,
        simplified: impl FnOnce(&mut Self) -> F,
        plain: impl FnOnce(&mut Self) -> F,
    ) -> F {
        if !self.simplify || self.depth > MAX_NESTING {
            return plain(self);
        }
        self.depth += 1;
        let f = simplified(self);
        self.depth -= 1;
        f
    }

    /// Conjunction without simplification. The obligations of a state must not be simplified: one that another
    /// implies may be the very promise that fulfils the other, and would be postponed for ever.
    pub fn plain_and(&mut self, all: Vec<F>) -> F {
        self.plain_many(Side::Dual, all)
    }

    /// Disjunction without simplification.
    pub fn plain_or(&mut self, all: Vec<F>) -> F {
        self.plain_many(Side::Straight, all)
    }

    /// Disjunction without simplification; dually conjunction.
    pub(super) fn plain_many(&mut self, side: Side, all: Vec<F>) -> F {
        match self.flatten(!side, all) {
            None => Self::top(side),
            Some(all) => match all[..] {
                [] => Self::top(!side),
                [single] => single,
                _ => self.raw(side, Op::Or(all.into())),
            },
        }
    }

    /// Disjunction; dually conjunction.
    pub fn or(&mut self, side: Side, all: Vec<F>) -> F {
        self.and(!side, all)
    }

    /// Conjunction; dually disjunction.
    pub fn and(&mut self, side: Side, all: Vec<F>) -> F {
        let Some(all) = self.flatten(side, all) else {
            return Self::top(!side);
        };
        match all[..] {
            [] => return Self::top(side),
            [single] => return single,
            _ => {}
        }
        let copy = all.to_vec();
        self.nested(
            |s| s.and_simplified(side, all),
            |s| s.raw(side, Op::And(copy.into())),
        )
    }

    /// The conjuncts, flattened, without true and duplicates; `None` if one is false or two literals contradict
    /// each other.
    fn flatten(&self, side: Side, all: Vec<F>) -> Option<Vec<F>> {
        let mut flat = Vec::with_capacity(all.len());
        for f in all {
            match self.op(f) {
                Op::And(inner) if side == Side::Straight => flat.extend_from_slice(inner),
                Op::Or(inner) if side == Side::Dual => flat.extend_from_slice(inner),
                _ => flat.push(f),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat.retain(|&f| f != Self::top(side));
        let literals: Vec<(u16, bool)> = flat
            .iter()
            .filter_map(|&f| match self.op(f) {
                Op::Literal(atom, value) => Some((*atom, *value)),
                _ => None,
            })
            .collect();
        let clash = literals
            .iter()
            .any(|&(atom, value)| value && literals.contains(&(atom, false)));
        (!clash && !flat.contains(&Self::top(!side))).then_some(flat)
    }

    fn and_simplified(&mut self, side: Side, all: Vec<F>) -> F {
        if all.len() > MAX_PAIRS {
            return self.raw(side, Op::And(all.into()));
        }
        for rule in [
            Self::gather,
            Self::prune,
            Self::roll,
            Self::under_globally,
            Self::drop_excluded,
            Self::drop_implied,
            Self::unless,
        ] {
            if let Some(new) = rule(self, side, &all) {
                return self.and(side, new);
            }
        }
        self.raw(side, Op::And(all.into()))
    }

    /// `X a & X b = X (a & b)`, `G a & G b = G (a & b)`, `F u & F v = F (u & v)` for universal `u`,
    /// `v`; `(a U b) & (c U b) = (a & c) U b` and the like.
    fn gather(&mut self, side: Side, all: &[F]) -> Option<Vec<F>> {
        for i in 0..all.len() {
            for j in i + 1..all.len() {
                if let Some(joined) = self.join(side, all[i], all[j]) {
                    let mut new = all.to_vec();
                    new.remove(j);
                    new.remove(i);
                    new.push(joined);
                    return Some(new);
                }
            }
        }
        None
    }

    /// A single formula for the conjunction of two, if a rule gives one.
    fn join(&mut self, side: Side, f: F, g: F) -> Option<F> {
        let kind = |op: &Op| std::mem::discriminant(op);
        let (straight_f, straight_g) = (self.op(f), self.op(g));
        if straight_f.operands().next().is_none() || straight_g.operands().next().is_none() {
            return None;
        }
        let same = kind(straight_f) == kind(straight_g);
        match (self.view(side, f), self.view(side, g)) {
            (Op::Next(a), Op::Next(b)) => {
                let both = self.and(side, vec![a, b]);
                Some(self.next(both))
            }
            // Suspendable conjuncts stay apart from the others, see `finally_or`.
            (Op::Globally(a), Op::Globally(b))
                if self.traits(f).suspendable() == self.traits(g).suspendable() =>
            {
                let both = self.and(side, vec![a, b]);
                Some(self.finally(!side, both))
            }
            (Op::Finally(a), Op::Finally(b))
                if self.universal(side, a) && self.universal(side, b) =>
            {
                let both = self.and(side, vec![a, b]);
                Some(self.finally(side, both))
            }
            // F a & (a R b) = a M b
            (Op::Finally(a), Op::Release(c, b)) | (Op::Release(c, b), Op::Finally(a)) if a == c => {
                Some(self.strong(side, a, b))
            }
            (Op::Until(a, b) | Op::Weak(a, b), Op::Until(c, d) | Op::Weak(c, d)) if b == d => {
                let both = self.and(side, vec![a, c]);
                let weak = same && matches!(self.view(side, f), Op::Weak(..));
                Some(match weak {
                    true => self.strong(!side, both, b),
                    false => self.until(side, both, b),
                })
            }
            (Op::Release(a, b) | Op::Strong(a, b), Op::Release(c, d) | Op::Strong(c, d))
                if a == c =>
            {
                let both = self.and(side, vec![b, d]);
                let weak = same && matches!(self.view(side, f), Op::Release(..));
                Some(match weak {
                    true => self.until(!side, a, both),
                    false => self.strong(side, a, both),
                })
            }
            _ => None,
        }
    }

    /// Absorption by implication; false if two conjuncts exclude each other.
    fn prune(&mut self, side: Side, all: &[F]) -> Option<Vec<F>> {
        let before = all.len();
        let mut all = all.to_vec();
        let mut i = 0;
        while i < all.len() {
            let mut absorbed = false;
            for j in 0..all.len() {
                if i == j {
                    continue;
                }
                if i < j && self.apart(side, all[i], all[j]) {
                    return Some(vec![Self::top(!side)]);
                }
                if self.below(side, all[j], all[i]) {
                    absorbed = true;
                    break;
                }
            }
            if absorbed {
                all.remove(i);
            } else {
                i += 1;
            }
        }
        (all.len() < before).then_some(all)
    }

    /// `b & X G b = G b`, `a & (b | X (b R a)) = b R a`, the same for M; dually for F, U and W.
    fn roll(&mut self, side: Side, all: &[F]) -> Option<Vec<F>> {
        for i in 0..all.len() {
            let found = match self.view(side, all[i]) {
                Op::Next(next) => self.roll_globally(side, all, next),
                Op::Or(options) => self.roll_release(side, all, &options),
                _ => None,
            };
            if let Some((rolled, keep)) = found {
                let mut new = all.to_vec();
                new.remove(i);
                new.extend([rolled, keep]);
                return Some(new);
            }
        }
        None
    }

    /// For `X next`: the `G` of `next` that the other conjuncts start, and what remains of `X next`.
    fn roll_globally(&mut self, side: Side, all: &[F], next: F) -> Option<(F, F)> {
        let parts: Vec<F> = match self.view(side, next) {
            Op::And(parts) => parts.to_vec(),
            _ => vec![next],
        };
        for (index, &part) in parts.iter().enumerate() {
            let Op::Globally(inner) = self.view(side, part) else {
                continue;
            };
            if all.iter().any(|&f| self.below(side, f, inner)) {
                let mut rest = parts.clone();
                rest.remove(index);
                let rest = self.and(side, rest);
                return Some((part, self.next(rest)));
            }
        }
        None
    }

    /// For the conjunct `b | X (b R a)` where `a` is a conjunct too: `b R a`.
    fn roll_release(&mut self, side: Side, all: &[F], options: &[F]) -> Option<(F, F)> {
        for &option in options {
            let Op::Next(next) = self.view(side, option) else {
                continue;
            };
            let (Op::Release(b, a) | Op::Strong(b, a)) = self.view(side, next) else {
                continue;
            };
            let rest: Vec<F> = options.iter().copied().filter(|&o| o != option).collect();
            if all.contains(&a) && self.or(side, rest) == b {
                return Some((next, Self::top(side)));
            }
        }
        None
    }

    /// Simplifies other conjuncts by `G a`: `G a & (a U b) = G a & F b`.
    fn under_globally(&mut self, side: Side, all: &[F]) -> Option<Vec<F>> {
        for i in 0..all.len() {
            let Op::Globally(a) = self.view(side, all[i]) else {
                continue;
            };
            for j in (0..all.len()).filter(|&j| j != i) {
                let new = match self.view(side, all[j]) {
                    Op::Until(b, c) if self.below(side, a, b) => self.finally(side, c),
                    Op::Strong(b, c) if self.below(side, a, c) => self.finally(side, b),
                    Op::Weak(b, c) if self.apart(side, a, c) => self.finally(!side, b),
                    Op::Release(b, c) if self.apart(side, a, b) => self.finally(!side, c),
                    _ => continue,
                };
                let mut all = all.to_vec();
                all[j] = new;
                return Some(all);
            }
        }
        None
    }

    /// `a & (b | c) = a & c` if `a` excludes `b`.
    fn drop_excluded(&mut self, side: Side, all: &[F]) -> Option<Vec<F>> {
        for i in 0..all.len() {
            let Op::Or(options) = self.view(side, all[i]) else {
                continue;
            };
            let mut kept = options.to_vec();
            for j in (0..all.len()).filter(|&j| j != i) {
                kept.retain(|&option| !self.apart(side, all[j], option));
            }
            if kept.len() < options.len() {
                let mut all = all.to_vec();
                all[i] = self.or(side, kept);
                return Some(all);
            }
        }
        None
    }
}

impl Store {
    /// `a & (b & c | d) = a & (c | d)` if `a` implies `b`.
    fn drop_implied(&mut self, side: Side, all: &[F]) -> Option<Vec<F>> {
        for i in 0..all.len() {
            let Op::Or(options) = self.view(side, all[i]) else {
                continue;
            };
            let mut options = options.to_vec();
            let mut changed = false;
            for option in &mut options {
                let Op::And(parts) = self.view(side, *option) else {
                    continue;
                };
                let mut kept = parts.to_vec();
                for j in (0..all.len()).filter(|&j| j != i) {
                    kept.retain(|&part| !self.below(side, all[j], part));
                }
                if kept.len() < parts.len() {
                    changed = true;
                    *option = self.and(side, kept);
                }
            }
            if changed {
                let mut all = all.to_vec();
                all[i] = self.or(side, options);
                return Some(all);
            }
        }
        None
    }

    /// `F a & G (!a | u) = (!a) U (a & u)`, as `(a & u) M (!a | u)`, for universal `u`; dually
    /// `G a | F (!a & e) = a W (!a & e)` for eventual `e`.
    fn unless(&mut self, side: Side, all: &[F]) -> Option<Vec<F>> {
        for i in 0..all.len() {
            let Op::Finally(a) = self.view(side, all[i]) else {
                continue;
            };
            for j in 0..all.len() {
                let Op::Globally(b) = self.view(side, all[j]) else {
                    continue;
                };
                let Op::Or(options) = self.view(side, b) else {
                    continue;
                };
                let (held, rest): (Vec<F>, Vec<F>) =
                    options.iter().partition(|&&o| self.universal(side, o));
                let rest = self.or(side, rest);
                if held.is_empty() || !self.apart(side, a, rest) || !self.apart(!side, a, rest) {
                    continue;
                }
                let joined = self.strong(side, a, b);
                let mut new: Vec<F> = all.to_vec();
                new.retain(|&f| f != all[i] && f != all[j]);
                new.push(joined);
                return Some(new);
            }
        }
        None
    }
}
