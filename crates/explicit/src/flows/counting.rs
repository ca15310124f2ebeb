//! Conditions that count, as in `while (n-- > 0)`: what they compute of a value for which they do not hold is lost where nothing
//! reads it any more.

use cfront::consteval::eval;
use cfront::flow::Point;
use cfront::span::{ExprId, Id as _, ObjectId, StmtId};
use cfront::tree::{ExprKind, Parent, Resolved, StmtKind, Storage};
use cfront::Unit;

use super::intervals::range;
use super::Flows;
use crate::kinds::integer;
use crate::live::Lazy;
use crate::narrow::{mirrored, restrict, signs_agree, Bounds};

/// A value that a condition counts on if it holds.
pub(super) struct Counted {
    /// The constant with which it is compared.
    pub constant: i128,
    /// The values for which the condition holds.
    pub bounds: Bounds,
}

/// The condition that counts a local, which is named here, if it is read on only where the condition holds.
pub(super) fn counted(unit: &Unit, live: &Lazy, name: ExprId) -> Option<Counted> {
    let tree = &unit.tree;
    let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[name].kind else {
        return None;
    };
    let Parent::Expr(step) = tree.exprs[name].parent else {
        return None;
    };
    let ExprKind::IncDec {
        prefix, increment, ..
    } = tree.exprs[step].kind
    else {
        return None;
    };
    let Parent::Expr(cond) = tree.exprs[step].parent else {
        return None;
    };
    let ExprKind::Binary(op, a, b) = tree.exprs[cond].kind else {
        return None;
    };
    let (op, other) = if a == step {
        (op, b)
    } else {
        (mirrored(op), a)
    };
    let constant = eval(tree, other).filter(|_| signs_agree(tree, step, other))?;
    // What `--n` is compared with, `n` is compared with one more.
    let constant = match (prefix, increment) {
        (false, _) => constant,
        (true, true) => constant - 1,
        (true, false) => constant + 1,
    };
    let Parent::Stmt(stmt) = tree.exprs[cond].parent else {
        return None;
    };
    if !is_lost(unit, live, (object, stmt, cond)) {
        return None;
    }
    let mut bounds = (None, None);
    restrict(op, constant, &mut bounds);
    Some(Counted { constant, bounds })
}

/// Whether nothing reads a local where the condition of a statement does not hold.
fn is_lost(unit: &Unit, live: &Lazy, (object, stmt, cond): (ObjectId, StmtId, ExprId)) -> bool {
    let tree = &unit.tree;
    let body = match tree.stmts[stmt].kind {
        StmtKind::If { cond: c, then, .. } if c == cond => then,
        StmtKind::While { cond: c, body, .. } | StmtKind::DoWhile { cond: c, body, .. }
            if c == cond =>
        {
            body
        }
        StmtKind::For {
            cond: Some(c),
            body,
            ..
        } if c == cond => body,
        _ => return false,
    };
    let local = matches!(
        tree.objects[object].storage,
        Storage::Local | Storage::Parameter
    );
    let Some(function) = tree.objects[object].function.filter(|_| local) else {
        return false;
    };
    let Some(flow) = unit.flows.get(&function) else {
        return false;
    };
    let (Some(at), Some(inside)) = (flow.at(Point::Cond(stmt)), flow.first_of(body)) else {
        return false;
    };
    let live = live.get();
    let mut leaving = flow.next(at).iter().filter(|p| **p != inside);
    leaving.all(|p| !live.at(function, Some(p.index()), object.index()))
}

impl Flows<'_> {
    /// Adds the test of a condition that counts a value, which is computed with only if it holds.
    pub(super) fn counts(&mut self, e: ExprId, group: usize, counted: &Counted) {
        let ty = integer(self.tree, self.tree.exprs[e].ty);
        let (low, high) = self
            .copied(e)
            .or(ty.map(range))
            .unwrap_or((i128::MIN, i128::MAX));
        let (from, to) = counted.bounds;
        let (low, high) = (
            from.map_or(low, |f| f.max(low)),
            to.map_or(high, |t| t.min(high)),
        );
        self.ordered(group, counted.constant);
        if low <= high {
            let used = ("is computed with".to_owned(), self.tree.exprs[e].span.start);
            self.asked(group).within.insert((low, high), used);
        }
    }
}
