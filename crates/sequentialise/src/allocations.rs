//! The names of the functions that allocate and free named objects where states are compared.

use cfront::allocations::{allocated, gives_back};
use cfront::span::Id;
use cfront::tree::{ExprKind, Parent, Tree};
use cfront::ExprId;

/// The name that replaces the function of an allocating or freeing call, for the function's
/// identifier.
pub(crate) fn replaced(tree: &Tree, ident: ExprId) -> Option<String> {
    let Parent::Expr(call) = tree.exprs[ident].parent else {
        return None;
    };
    match tree.exprs[call].kind {
        ExprKind::Call { callee, .. } if callee == ident => {}
        _ => return None,
    }
    if gives_back(tree, call) {
        return Some("ba_seq_free".to_owned());
    }
    allocated(tree, call).map(|_| format!("ba_seq_allocate_{}", call.index()))
}
