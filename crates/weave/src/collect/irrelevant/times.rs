//! Statements that only ask for the time, or compute with times on which nothing depends.

use cfront::access::is_pure;
use cfront::consteval::eval;
use cfront::span::{ExprId, ObjectId, StmtId};
use cfront::tree::{BlockItem, ExprKind, StmtKind};
use cfront::types::Class;

use super::{asks_time, Search};

impl Search<'_> {
    /// Whether a statement only asks for the time, or computes parts of irrelevant structures, perhaps where a condition about
    /// them holds: `if (t.tv_nsec >= 1000000000) { t.tv_sec++; t.tv_nsec -= 1000000000; }`.
    pub(super) fn only_times(&self, id: StmtId) -> bool {
        match &self.tree.stmts[id].kind {
            StmtKind::Expr(Some(e)) => !self.is_value_of_block(id) && self.is_about_times(*e),
            StmtKind::Compound { items, .. } => {
                let only = |item: &BlockItem| match item {
                    BlockItem::Stmt(s) => self.only_times(*s),
                    BlockItem::Decl(_) => false,
                };
                !items.is_empty() && items.iter().all(only)
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                is_pure(self.tree, *cond)
                    && self.only_times(*then)
                    && otherwise.is_none_or(|s| self.only_times(s))
            }
            _ => false,
        }
    }

    /// Whether an expression is computed without effects, perhaps from the time.
    fn is_timely(&self, e: ExprId) -> bool {
        match &self.tree.exprs[e].kind {
            ExprKind::Call { args, .. } => {
                let constant = |a: &ExprId| eval(self.tree, self.tree.uncast(*a)).is_some();
                self.called(e) == Some("time") && args.iter().all(constant)
            }
            ExprKind::Binary(_, a, b) => self.is_timely(*a) && self.is_timely(*b),
            ExprKind::Cast(of) => self.is_timely(*of),
            _ => is_pure(self.tree, e),
        }
    }

    /// Whether an expression only asks for the time, or computes a part of an irrelevant structure.
    pub(super) fn is_about_times(&self, e: ExprId) -> bool {
        let class = |o: ObjectId| self.tree.types.class(self.tree.objects[o].ty);
        let is_part = |of: ExprId| self.target(of).is_some_and(|o| class(o) == Class::Record);
        match &self.tree.exprs[e].kind {
            ExprKind::Assign { lhs, rhs, .. } => {
                is_part(*lhs) && is_pure(self.tree, *lhs) && self.is_timely(*rhs)
            }
            ExprKind::IncDec { operand, .. } => is_part(*operand) && self.is_irrelevant_expr(e),
            ExprKind::Call { args, .. } => {
                let asks = self.called(e).is_some_and(asks_time);
                let of = |a: &ExprId| match self.tree.exprs[*a].kind {
                    ExprKind::AddressOf(place) => self.target(place).is_some(),
                    _ => false,
                };
                let pure = |a: &ExprId| of(a) || is_pure(self.tree, *a);
                asks && args.iter().any(of) && args.iter().all(pure)
            }
            ExprKind::Cast(inner) => self.is_about_times(*inner),
            _ => false,
        }
    }
}
