//! Objects that were just allocated and that no other thread can know yet, because their address is only in
//! one local variable.
//!
//! What is written into such an object happens before all that other threads do with it, if they get its
//! address in an order that C gives: otherwise the accesses of the address themselves are a race, which is
//! found. Atomic operations with weaker orders hand addresses over without such an order, so that a program with
//! some gets nothing of this.

use cfront::span::ObjectId;
use cfront::tree::{BinaryOp, ExprKind, Parent, Resolved, StmtKind, UnaryOp};
use cfront::types::Type;
use cfront::{consteval, ExprId};

use super::names::library_name;
use super::paths::{base_pointer, is_automatic};
use super::run::Run;
use super::state::State;
use crate::facts::Facts;
use crate::library::Call;

/// Whether some atomic operation may have an order that is weaker than sequential consistency.
pub(super) fn has_weaker_orders(facts: &Facts) -> bool {
    let tree = facts.tree;
    tree.exprs.iter().any(|(id, expr)| {
        let ExprKind::Call { args, .. } = &expr.kind else {
            return false;
        };
        let name = library_name(facts, id).unwrap_or_default();
        let orders = match name {
            _ if !name.starts_with("__atomic_") || name.contains("lock_free") => 0,
            "__atomic_compare_exchange_n" | "__atomic_compare_exchange" => 2,
            _ => 1,
        };
        let mut last = args.iter().rev().take(orders);
        last.any(|&order| consteval::eval(tree, order) != Some(5))
    })
}

impl Run<'_, '_> {
    /// A local variable gets the address of an object that was just allocated.
    pub(super) fn allocated(&self, object: ObjectId, value: ExprId, state: &mut State) {
        let tree = self.facts.tree;
        let call = tree.uncast(value);
        let allocates = matches!(library_name(self.facts, call), Some("malloc" | "calloc"));
        let own = is_automatic(self.facts, object) && !self.facts.address_taken.contains(&object);
        if allocates && own && !self.weaker && self.only_one_gets(call) {
            state.fresh.insert(object);
        }
    }

    /// Whether the value of a call is assigned once and not used besides, except in a comparison.
    fn only_one_gets(&self, call: ExprId) -> bool {
        let tree = self.facts.tree;
        let mut at = call;
        while let Parent::Expr(parent) = tree.exprs[at].parent {
            match tree.exprs[parent].kind {
                ExprKind::Cast(_) => at = parent,
                ExprKind::Assign { op: None, .. } => {
                    return match tree.exprs[parent].parent {
                        Parent::Stmt(stmt) => {
                            self.is_condition(stmt, parent)
                                || matches!(tree.stmts[stmt].kind, StmtKind::Expr(_))
                        }
                        Parent::Expr(around) => matches!(
                            tree.exprs[around].kind,
                            ExprKind::Unary(UnaryOp::Not, _)
                                | ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, ..)
                        ),
                        _ => false,
                    }
                }
                _ => return false,
            }
        }
        matches!(tree.exprs[at].parent, Parent::Init(_))
    }

    /// Whether an lvalue is a part of an object that no other thread can know yet.
    pub(super) fn is_fresh(&self, lvalue: ExprId, state: &State) -> bool {
        let pointer = base_pointer(self.facts.tree, lvalue);
        pointer.is_some_and(|pointer| state.fresh.contains(&pointer))
    }

    /// The value of a variable is read: if that is more than to get at the object, others may know it
    /// afterwards.
    pub(super) fn value_read(&self, e: ExprId, state: &mut State) {
        if let ExprKind::Ident(Resolved::Object(object)) = self.facts.tree.exprs[e].kind {
            if state.fresh.contains(&object) && !self.stays(e) {
                state.fresh.remove(&object);
            }
        }
    }

    /// Whether the value of an identifier only leads to an lvalue, or is only compared.
    fn stays(&self, ident: ExprId) -> bool {
        let tree = self.facts.tree;
        let mut at = ident;
        // The lvalue around it.
        loop {
            let Parent::Expr(parent) = tree.exprs[at].parent else {
                let condition =
                    matches!(tree.exprs[at].parent, Parent::Stmt(s) if self.is_condition(s, at));
                if at == ident {
                    return condition;
                }
                break;
            };
            match &tree.exprs[parent].kind {
                ExprKind::Member { arrow, .. } if at != ident || *arrow => at = parent,
                ExprKind::Deref(_) if at == ident => at = parent,
                ExprKind::Index { base, .. } if *base == at && at != ident => at = parent,
                ExprKind::AddressOf(_) => return self.is_of_library(parent),
                ExprKind::Unary(UnaryOp::Not, _) if at == ident => return true,
                ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, ..) if at == ident => return true,
                _ => break,
            }
        }
        let array = matches!(tree.type_of(tree.exprs[at].ty), Type::Array(..));
        at != ident && !array
    }

    fn is_condition(&self, stmt: cfront::StmtId, e: ExprId) -> bool {
        match self.facts.tree.stmts[stmt].kind {
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } => cond == e,
            _ => false,
        }
    }

    /// Whether an address is only given to a function of the library that initialises or uses a lock or the
    /// like.
    fn is_of_library(&self, address: ExprId) -> bool {
        let Parent::Expr(call) = self.facts.tree.exprs[address].parent else {
            return false;
        };
        matches!(
            self.facts.library(call),
            Some(Call::Model(_) | Call::Nothing)
        )
    }
}
