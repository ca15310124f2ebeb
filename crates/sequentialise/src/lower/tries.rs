//! Tries in the form of a block with one step: an exchange with 1, as the weaver of monitors writes
//! it.

use cfront::span::ObjectId;
use cfront::tree::{BlockItem, ExprKind, InitKind, Resolved, StmtKind};
use cfront::{consteval, ExprId};

use super::exprs::enclosed;
use super::Lower;
use crate::library::Call;

impl Lower<'_, '_> {
    /// For a loop that goes on while a block's value is not 0: the condition under which the value
    /// is 0, if the block only remembers an object's value and stores 1 in the object. No other
    /// thread can observe a failed try.
    pub(super) fn can_succeed(&mut self, block: ExprId, again_if: bool) -> Option<String> {
        let tree = self.facts.tree;
        let span = tree.exprs[block].span;
        let ExprKind::StmtExpr(stmt) = tree.exprs[block].kind else {
            return None;
        };
        let StmtKind::Compound { items, .. } = &tree.stmts[stmt].kind else {
            return None;
        };
        let mut calls = self.facts.calls_in(span);
        let quiet = [Some(Call::Begin), Some(Call::End)];
        if !again_if || !calls.all(|c| quiet.contains(&self.facts.library(c))) {
            return None;
        }
        let Some(BlockItem::Stmt(last)) = items.last() else {
            return None;
        };
        let StmtKind::Expr(Some(value)) = tree.stmts[*last].kind else {
            return None;
        };
        let old = self.object(value)?;
        let at = self.remembered(block, old)?;
        let pointer = self.initial(at)?;
        if !self.is_pure(pointer) || self.is_changed_by_others(pointer) {
            return None;
        }
        let text = self.print(tree.exprs[pointer].span, Vec::new());
        let ty = self
            .facts
            .local_types
            .types
            .declare_where(tree.objects[at].ty, "", &|_| true)?;
        Some(format!("!*({ty}){}", enclosed(text)))
    }

    /// The pointer `at` of a block in which every write is `old = *at` or `*at = 1`, and both
    /// occur.
    fn remembered(&self, block: ExprId, old: ObjectId) -> Option<ObjectId> {
        let tree = self.facts.tree;
        let span = tree.exprs[block].span;
        let (mut read, mut written) = (None, None);
        for (id, expr) in tree.exprs.iter() {
            if !span.encloses(expr.span) || id == block {
                continue;
            }
            match &expr.kind {
                ExprKind::Assign {
                    op: None, lhs, rhs, ..
                } => match (self.pointed_by(*lhs), self.pointed_by(*rhs)) {
                    (None, Some(at)) if self.object(*lhs) == Some(old) && read.is_none() => {
                        read = Some(at);
                    }
                    (Some(at), None) if self.is_one(*rhs) && written.is_none() => {
                        written = Some(at);
                    }
                    _ => return None,
                },
                ExprKind::Assign { .. } | ExprKind::IncDec { .. } => return None,
                _ => {}
            }
        }
        let same = read.is_some() && read == written;
        let own = |o: &ObjectId| span.encloses(tree.objects[*o].name_span);
        read.filter(|at| same && own(at) && own(&old))
    }

    fn object(&self, e: ExprId) -> Option<ObjectId> {
        match self.facts.tree.exprs[e].kind {
            ExprKind::Ident(Resolved::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// The pointer that an expression dereferences.
    fn pointed_by(&self, e: ExprId) -> Option<ObjectId> {
        match self.facts.tree.exprs[e].kind {
            ExprKind::Deref(pointer) => self.object(pointer),
            _ => None,
        }
    }

    /// The value in the declaration of an object.
    fn initial(&self, object: ObjectId) -> Option<ExprId> {
        let tree = self.facts.tree;
        match tree.inits[tree.objects[object].init?].kind {
            InitKind::Expr(e) => Some(e),
            InitKind::List(_) => None,
        }
    }

    /// Whether a value is 1, or a variable of the block that was initialised with 1.
    fn is_one(&self, e: ExprId) -> bool {
        let tree = self.facts.tree;
        let value = |e| consteval::eval(tree, e) == Some(1);
        value(e)
            || self
                .object(e)
                .and_then(|o| self.initial(o))
                .is_some_and(value)
    }
}
