//! What calls name, and which expressions give others their values.

use cfront::span::{ExprId, FunctionId, StmtId};
use cfront::tree::{BlockItem, ExprKind, Resolved, StmtKind, Tree};

/// The function that a call names.
pub fn called(tree: &Tree, callee: ExprId) -> Option<FunctionId> {
    match &tree.exprs[callee].kind {
        ExprKind::Ident(Resolved::Function(f)) => Some(*f),
        ExprKind::Deref(inner) | ExprKind::AddressOf(inner) => called(tree, *inner),
        _ => None,
    }
}

/// The calls of a function by its name.
pub(crate) fn calls_of(tree: &Tree, function: FunctionId) -> impl Iterator<Item = ExprId> + '_ {
    let calls = tree.exprs.iter().filter(move |(_, e)| {
        matches!(&e.kind, ExprKind::Call { callee, .. } if called(tree, *callee) == Some(function))
    });
    calls.map(|(call, _)| call)
}

/// The expressions of which one gives another one its value: the ways of a condition, the last one behind commas or of a statement
/// expression; none if it has a value of its own.
pub(crate) fn given_by(tree: &Tree, e: ExprId) -> Vec<ExprId> {
    match &tree.exprs[e].kind {
        ExprKind::Conditional {
            cond,
            then,
            otherwise,
        } => vec![then.unwrap_or(*cond), *otherwise],
        ExprKind::Comma(all) => all.last().copied().into_iter().collect(),
        ExprKind::StmtExpr(block) => last_of(tree, *block).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The expression whose value a statement expression has.
pub(crate) fn last_of(tree: &Tree, block: StmtId) -> Option<ExprId> {
    let StmtKind::Compound { items, .. } = &tree.stmts[block].kind else {
        return None;
    };
    match items.last()? {
        BlockItem::Stmt(stmt) => match tree.stmts[*stmt].kind {
            StmtKind::Expr(e) => e,
            _ => None,
        },
        BlockItem::Decl(_) => None,
    }
}
