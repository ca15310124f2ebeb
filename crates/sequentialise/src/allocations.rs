//! The names of the functions that allocate and free named objects where states are compared, and of those that ask for
//! times that are none of the state.

use cfront::allocations::{allocated, gives_back};
use cfront::span::Id;
use cfront::tree::{ExprKind, Parent};
use cfront::{ExprId, Span};

use crate::facts::Facts;
use crate::lower::memory::made;
use crate::options::Options;

/// The function that asks for a time on which nothing depends, or fails.
pub(crate) const TIME: &str = "ba_seq_asks_time";

/// The name that replaces the function of an allocating or freeing call, for the function's
/// identifier.
pub(crate) fn replaced(facts: &Facts, options: &Options, ident: ExprId) -> Option<String> {
    let tree = facts.tree;
    let Parent::Expr(call) = tree.exprs[ident].parent else {
        return None;
    };
    match tree.exprs[call].kind {
        ExprKind::Call { callee, .. } if callee == ident => {}
        _ => return None,
    }
    if options.asked.contains(&call) {
        return Some(TIME.to_owned());
    }
    if gives_back(tree, call) {
        return Some("ba_seq_free".to_owned());
    }
    made(facts, options, call).map(|_| format!("ba_seq_allocate_{}", call.index()))
}

/// The arguments of the calls in a part of the text that allocate named objects.
pub(crate) fn sizes<'a>(facts: &'a Facts, span: Span) -> impl Iterator<Item = Span> + 'a {
    let tree = facts.tree;
    let calls = facts.calls_in(span);
    let calls = calls.filter(|&call| allocated(tree, call).is_some());
    let args = calls.flat_map(|call| match &tree.exprs[call].kind {
        ExprKind::Call { args, .. } => args.as_slice(),
        _ => &[],
    });
    args.map(|arg| tree.exprs[*arg].span)
}
