//! Objects that are written, and that nothing depends on but other such objects: counters for nothing.

use std::collections::{BTreeMap, BTreeSet};

use cfront::access::{usage, Use};
use cfront::span::ObjectId;
use cfront::tree::{ExprKind, Parent, Resolved, StmtKind, Tree};
use cfront::types::Class;
use cfront::ExprId;

use crate::facts::Facts;

/// The objects that count for nothing.
///
/// Their values go nowhere but into expression statements that assign such an object. Nothing points to
/// them. One pass over the expressions, and one over the assignments for each object that turns out to
/// count.
pub(crate) fn objects(facts: &Facts) -> BTreeSet<ObjectId> {
    let tree = facts.tree;
    let is_value = |o: &ObjectId| {
        let object = &tree.objects[*o];
        matches!(tree.types.class(object.ty), Class::Scalar)
            && !object.in_system_header
            && !facts.address_taken.contains(o)
    };
    let mut idle: BTreeSet<ObjectId> = tree.objects.ids().filter(is_value).collect();
    let mut into: BTreeMap<ObjectId, Vec<ObjectId>> = BTreeMap::new();
    for (id, expr) in tree.exprs.iter() {
        let ExprKind::Ident(Resolved::Object(object)) = expr.kind else {
            continue;
        };
        if !idle.contains(&object) {
            continue;
        }
        let target = match usage(tree, id) {
            Use::None => continue,
            Use::Address => None,
            Use::Write | Use::ReadWrite | Use::Read => assigned(tree, id),
        };
        match target {
            Some(target) => into.entry(target).or_default().push(object),
            None => drop(idle.remove(&object)),
        }
    }
    let mut work: Vec<ObjectId> = into.keys().copied().filter(|o| !idle.contains(o)).collect();
    while let Some(counts) = work.pop() {
        for from in into.get(&counts).into_iter().flatten() {
            if idle.remove(from) {
                work.push(*from);
            }
        }
    }
    idle
}

/// The object that an expression statement assigns, in which an identifier stands as what is assigned or
/// in the value, and does nothing else there.
fn assigned(tree: &Tree, ident: ExprId) -> Option<ObjectId> {
    let mut at = ident;
    loop {
        let Parent::Expr(parent) = tree.exprs[at].parent else {
            return None;
        };
        let lvalue = match &tree.exprs[parent].kind {
            ExprKind::Assign { lhs, .. } => *lhs,
            ExprKind::IncDec { operand, .. } => *operand,
            ExprKind::Binary(..) | ExprKind::Cast(_) => {
                at = parent;
                continue;
            }
            _ => return None,
        };
        let is_statement = match tree.exprs[parent].parent {
            Parent::Stmt(stmt) => match &tree.stmts[stmt].kind {
                StmtKind::Expr(_) => true,
                StmtKind::For { step, .. } => *step == Some(parent),
                _ => false,
            },
            _ => false,
        };
        return match tree.exprs[lvalue].kind {
            ExprKind::Ident(Resolved::Object(target)) if is_statement => Some(target),
            _ => None,
        };
    }
}
