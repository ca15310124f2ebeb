//! Stores through pointers.

use cfront::allocations::called_name;
use cfront::library::{self, Writes};
use cfront::span::ExprId;
use cfront::tree::{ExprKind, Parent, Resolved, Tree};
use cfront::types::Class;

/// Whether a function that may run stores something through a pointer, or lets the library do so.
pub(super) fn through_pointers(tree: &Tree) -> bool {
    let runs = cfront::CallGraph::new(tree).may_run(tree, std::iter::empty());
    tree.exprs.iter().any(|(id, e)| {
        let stores = match &e.kind {
            ExprKind::Assign { lhs, .. } => is_reached(tree, *lhs),
            ExprKind::IncDec { operand, .. } => is_reached(tree, *operand),
            ExprKind::Call { args, .. } => lets_store(tree, id, args),
            _ => false,
        };
        let within = tree.function_of(Parent::Expr(id));
        stores && !e.unevaluated && within.is_none_or(|f| runs.contains(&f))
    })
}

/// Whether an lvalue is reached through a pointer.
fn is_reached(tree: &Tree, lvalue: ExprId) -> bool {
    match tree.exprs[lvalue].kind {
        ExprKind::Ident(Resolved::Object(_)) => false,
        ExprKind::Member { base, arrow, .. } => arrow || is_reached(tree, base),
        ExprKind::Index { base, .. } => {
            tree.types.class(tree.exprs[base].ty) != Class::Array || is_reached(tree, base)
        }
        _ => true,
    }
}

/// Whether a call gives a function without a body a place where it may store something.
fn lets_store(tree: &Tree, call: ExprId, args: &[ExprId]) -> bool {
    let named = called_name(tree, call);
    let has_body = named.and_then(|name| tree.function_named(name));
    if has_body.is_some_and(|f| tree.functions[f].body.is_some()) {
        return false;
    }
    let row = named.and_then(library::function);
    let harmless = row.is_some_and(|f| f.writes == Some(Writes::Nothing) || f.no_effect.is_some());
    let place = |arg: &ExprId| {
        let to = tree.types.pointee(tree.exprs[tree.uncast(*arg)].ty);
        to.is_some_and(|to| !to.quals.is_const && tree.types.class(to) != Class::Function)
    };
    !harmless && args.iter().any(place)
}
