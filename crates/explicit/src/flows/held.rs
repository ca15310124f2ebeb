//! The values that places may hold, where all that is stored there is constants and values within intervals.
//!
//! An input that is compared with such a place, or with what is computed from such places, is told apart from it only within the
//! interval of these values: in `queue[i] == wish` with floors from 0 to 5 in the queue, all wishes above 5 are alike, and in
//! `code == 1000 + n` with a number of a door all codes are that are no door's.

use std::collections::BTreeMap;

use cfront::consteval::eval;
use cfront::span::{ExprId, Id};
use cfront::tree::{BinaryOp, ExprKind, Resolved, StmtKind, UnaryOp};
use cfront::types::QualType;

use super::intervals::Interval;
use super::orders::Pair;
use super::stores::Stored;
use super::{called, fits, given_by, Flows, FEW};
use crate::kinds::{integer, keeps};

/// What a comparison with a value that is no constant says of its other operand.
pub(super) const COMPARED: &str = "is compared with a value that is not constant";

/// The most values of an interval that stands for a place.
const MOST: i128 = 1024;

/// The hull of the values of each group; no interval if they may be any.
struct Held {
    of: BTreeMap<usize, Option<Interval>>,
    /// Whether something may be stored anywhere.
    anything: bool,
}

impl Held {
    fn add(&mut self, group: usize, values: Option<Interval>) {
        let known = self.of.entry(group).or_insert(values);
        *known = known.zip(values).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
    }
}

/// The hull of what an operator makes of the values of two intervals, as numbers without bounds.
fn computed(op: BinaryOp, (a, b): Interval, (c, d): Interval) -> Option<Interval> {
    match op {
        BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        BinaryOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        BinaryOp::Mul => {
            let ends = [(a, c), (a, d), (b, c), (b, d)];
            let products = ends.map(|(x, y)| x.checked_mul(y));
            let products: Option<Vec<i128>> = products.into_iter().collect();
            let products = products?;
            Some((*products.iter().min()?, *products.iter().max()?))
        }
        BinaryOp::Div if c > 0 => {
            let ends = [a / c, a / d, b / c, b / d];
            Some((*ends.iter().min()?, *ends.iter().max()?))
        }
        BinaryOp::Rem if c > 0 => {
            let most = d - 1;
            Some((if a < 0 { a.max(-most) } else { 0 }, b.clamp(0, most)))
        }
        _ => None,
    }
}

impl Flows<'_> {
    /// Adds the tests of those comparisons of inputs with values that are no constants. Those of many values with others that are
    /// copied, too, may be compared by their order alone, which is seen when all uses of them are known.
    pub(super) fn relate(&mut self) {
        let all = std::mem::take(&mut self.relations);
        if all.is_empty() {
            return;
        }
        let held = self.held();
        for (group, e, other) in all {
            let values = self.values_of(&held, other);
            let values = values.filter(|(low, high)| high - low < MOST);
            let pair = Pair {
                group,
                sides: (e, other),
                values,
            };
            match values {
                Some((low, high)) if high - low < FEW => self.relates(&pair),
                _ => self.pairs.push(pair),
            }
        }
        for pair in self.pairs.clone() {
            self.busy.insert(pair.group);
        }
    }

    /// Adds the test of a comparison with values in an interval, or with any.
    pub(super) fn relates(&mut self, pair: &Pair) {
        let (group, e) = (pair.group, pair.sides.0);
        let Some((low, high)) = pair.values else {
            return self.expose(group, e, COMPARED);
        };
        let used = (COMPARED.to_string(), self.tree.exprs[e].span.start);
        // Only some of these values may come to the comparison.
        let own = self.copied(e).unwrap_or((low, high));
        let both = (low.max(own.0), high.min(own.1));
        let asked = self.asked(group);
        asked.constants.extend([low, high]);
        asked.ordered = true;
        if low < high && both.0 <= both.1 {
            asked.within.insert(both, used);
        }
    }

    /// The hull of the values that an expression may have, if it is that of a place, or computed from places.
    fn values_of(&mut self, held: &Held, e: ExprId) -> Option<Interval> {
        let tree = self.tree;
        let constant = eval(tree, e).map(|c| (c, c));
        if let Some(known) = constant.or_else(|| self.interval(e)) {
            return Some(known);
        }
        let kind = integer(tree, tree.exprs[e].ty);
        let computed = match tree.exprs[e].kind {
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.values_of(held, a)?, self.values_of(held, b)?);
                // Operands are converted to the type of the result.
                (fits(a, kind) && fits(b, kind))
                    .then(|| computed(op, a, b))
                    .flatten()
            }
            ExprKind::Cast(inner) if integer(tree, tree.exprs[inner].ty).is_some() => {
                self.values_of(held, inner)
            }
            _ => None,
        };
        if let Some(computed) = computed.filter(|values| fits(*values, kind)) {
            return Some(computed);
        }
        let group = self.place(e).filter(|_| !held.anything)?;
        let group = self.find(group);
        held.of.get(&group).copied().flatten()
    }

    /// The group of a place that an expression reads, through conversions that keep all values.
    pub(super) fn place(&mut self, e: ExprId) -> Option<usize> {
        let tree = self.tree;
        match tree.exprs[e].kind {
            ExprKind::Cast(inner) | ExprKind::Unary(UnaryOp::Plus, inner) => self
                .kept(inner, tree.exprs[e].ty)
                .then(|| self.place(inner))
                .flatten(),
            ExprKind::Ident(Resolved::Object(_))
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Deref(_)
            | ExprKind::Assign { op: None, .. } => self.group(e),
            ExprKind::Call { ref callee, .. } => {
                let function = called(tree, *callee)?;
                let has_body = tree.functions[function].body.is_some();
                (has_body && !self.sources.contains_key(&e)).then(|| self.result(function))
            }
            _ => None,
        }
    }

    /// Whether a conversion to a type keeps all values of an expression.
    pub(super) fn kept(&self, e: ExprId, ty: QualType) -> bool {
        let (from, to) = (
            integer(self.tree, self.tree.exprs[e].ty),
            integer(self.tree, ty),
        );
        from.zip(to).is_some_and(|(from, to)| keeps(from, to))
    }

    /// The values that all groups hold.
    fn held(&mut self) -> Held {
        let tree = self.tree;
        let mut all = tree.stmts.iter();
        let mut held = Held {
            of: BTreeMap::new(),
            anything: all.any(|(_, s)| matches!(s.kind, StmtKind::Asm { .. })),
        };
        let sources = self.sources.values().copied();
        let any: Vec<usize> = sources.chain([self.elsewhere()]).collect();
        let aliased = cfront::access::address_taken(tree).into_keys();
        for node in any.into_iter().chain(aliased.map(|o| o.index())) {
            self.holds(&mut held, node, None);
        }
        for (to, stored) in self.stores() {
            match stored {
                Stored::Zero => self.holds(&mut held, to, Some((0, 0))),
                Stored::Of(e, ty) => self.holds_value(&mut held, to, (e, ty)),
                Stored::Initial(_) | Stored::Unset | Stored::Any => self.holds(&mut held, to, None),
            }
        }
        held
    }

    /// Adds values of a group.
    fn holds(&mut self, held: &mut Held, node: usize, values: Option<Interval>) {
        let group = self.find(node);
        held.add(group, values);
    }

    /// Adds the values of an expression that is stored in a place of a type.
    fn holds_value(&mut self, held: &mut Held, to: usize, (e, ty): (ExprId, QualType)) {
        let tree = self.tree;
        let kind = integer(tree, ty);
        let constant = eval(tree, e).map(|c| (c, c));
        if let Some(known) = constant
            .or_else(|| self.interval(e))
            .filter(|i| fits(*i, kind))
        {
            return self.holds(held, to, Some(known));
        }
        let parts = given_by(tree, e);
        if !parts.is_empty() {
            return parts
                .into_iter()
                .for_each(|part| self.holds_value(held, to, (part, ty)));
        }
        let from = self.place(e).filter(|_| self.kept(e, ty));
        let same = from.is_some_and(|from| self.find(from) == self.find(to));
        if !same {
            self.holds(held, to, None);
        }
    }
}
