//! Finds irrelevant objects: nothing depends on them except other such objects (counters, for
//! example).

use std::collections::{BTreeMap, BTreeSet};

use cfront::access::{usage, Use};
use cfront::span::ObjectId;
use cfront::tree::{BlockItem, ExprKind, Parent, Resolved, StmtKind, Tree};
use cfront::types::Class;
use cfront::{ExprId, StmtId};

use crate::facts::Facts;

/// The irrelevant objects.
///
/// Their values are used only in expression statements that assign an irrelevant object, and
/// nothing points to them. One pass over the expressions, and one over the assignments for each
/// object that turns out to be relevant.
pub(crate) fn objects(facts: &Facts) -> BTreeSet<ObjectId> {
    let tree = facts.tree;
    let is_value = |o: &ObjectId| {
        let object = &tree.objects[*o];
        matches!(tree.types.class(object.ty), Class::Scalar)
            && !object.in_system_header
            && !facts.address_taken.contains(o)
    };
    let mut irrelevant: BTreeSet<ObjectId> = tree.objects.ids().filter(is_value).collect();
    let values = values(tree);
    let mut into: BTreeMap<ObjectId, Vec<ObjectId>> = BTreeMap::new();
    for (id, expr) in tree.exprs.iter() {
        let ExprKind::Ident(Resolved::Object(object)) = expr.kind else {
            continue;
        };
        if !irrelevant.contains(&object) {
            continue;
        }
        let target = match usage(tree, id) {
            Use::None => continue,
            Use::Address => None,
            Use::Write | Use::ReadWrite | Use::Read => assigned(tree, id, &values),
        };
        match target {
            Some(target) => into.entry(target).or_default().push(object),
            None => drop(irrelevant.remove(&object)),
        }
    }
    let mut work: Vec<ObjectId> = into
        .keys()
        .copied()
        .filter(|o| !irrelevant.contains(o))
        .collect();
    while let Some(counts) = work.pop() {
        for from in into.get(&counts).into_iter().flatten() {
            if irrelevant.remove(from) {
                work.push(*from);
            }
        }
    }
    irrelevant
}

/// The last statements of statement expressions, which give them their values.
fn values(tree: &Tree) -> BTreeSet<StmtId> {
    let blocks = tree.exprs.iter().filter_map(|(_, e)| match e.kind {
        ExprKind::StmtExpr(block) => Some(&tree.stmts[block].kind),
        _ => None,
    });
    let mut found = BTreeSet::new();
    for block in blocks {
        let StmtKind::Compound { items, .. } = block else {
            continue;
        };
        if let Some(BlockItem::Stmt(stmt)) = items.last() {
            found.insert(*stmt);
            // The statement may have a label.
            if let StmtKind::Labeled { body, .. } = tree.stmts[*stmt].kind {
                found.insert(body);
            }
        }
    }
    found
}

/// The object that an expression statement assigns, if the identifier is only the assigned lvalue
/// or an operand of the assigned value.
fn assigned(tree: &Tree, ident: ExprId, values: &BTreeSet<StmtId>) -> Option<ObjectId> {
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
                StmtKind::Expr(_) => !values.contains(&stmt),
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
