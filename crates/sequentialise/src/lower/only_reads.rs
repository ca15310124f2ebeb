//! Functions that only read shared memory: a loop that calls only such functions waits.

use cfront::tree::{ExprKind, Resolved, StmtKind, Storage};
use cfront::{ExprId, FunctionId};

use super::bounds;
use crate::facts::Facts;

/// Whether a call of a function changes nothing and terminates, so that it may be in the condition
/// of a wait. The function and those that it calls write only their own variables, call only
/// defined functions by name, have only short loops and no jumps. Linear in the size of the program
/// for each function.
pub(super) fn function(facts: &Facts, f: FunctionId) -> bool {
    let mut functions = facts.graph.reachable(f).into_iter();
    functions.all(|g| !is_variadic(facts, g) && is_quiet(facts, g))
}

/// Whether a call of a function whose result nobody reads can be left out.
pub(super) fn has_no_effect(facts: &Facts, f: FunctionId) -> bool {
    let mut functions = facts.graph.reachable(f).into_iter();
    functions.all(|g| is_quiet(facts, g))
}

fn is_variadic(facts: &Facts, f: FunctionId) -> bool {
    let function = facts.tree.types.function(facts.tree.functions[f].ty);
    function.is_some_and(|t| t.variadic)
}

fn is_quiet(facts: &Facts, f: FunctionId) -> bool {
    let tree = facts.tree;
    let function = &tree.functions[f];
    let Some(body) = &function.body else {
        return false;
    };
    let span = body.span;
    !facts.graph.is_recursive(f)
        && facts.gotos_in(span).next().is_none()
        && facts.loops_in(span).all(|l| bounds::is_short(facts, l))
        && facts.written_in(span).all(|e| is_own_variable(facts, e))
        && facts.calls_in(span).all(|c| is_followed(facts, c))
        && is_understood(facts, f)
}

/// Whether an lvalue is a local variable of a call.
fn is_own_variable(facts: &Facts, lvalue: ExprId) -> bool {
    let ExprKind::Ident(Resolved::Object(object)) = facts.tree.exprs[lvalue].kind else {
        return false;
    };
    let storage = facts.tree.objects[object].storage;
    matches!(storage, Storage::Local | Storage::Parameter)
        && !facts.tree.objects[object].is_static_duration()
}

/// Whether a call names a defined function, and has no meaning in the library.
fn is_followed(facts: &Facts, call: ExprId) -> bool {
    let defined = |f: FunctionId| facts.tree.functions[f].body.is_some();
    facts.library(call).is_none() && facts.called(call).is_some_and(defined)
}

/// Whether all of a function's text was parsed as C.
fn is_understood(facts: &Facts, f: FunctionId) -> bool {
    let tree = facts.tree;
    let Some(body) = &tree.functions[f].body else {
        return false;
    };
    let inside = |at: cfront::Span| body.span.encloses(at);
    let exprs = tree.exprs.iter().filter(|(_, e)| inside(e.span));
    let stmts = tree.stmts.iter().filter(|(_, s)| inside(s.span));
    exprs.map(|(_, e)| &e.kind).all(|k| {
        !matches!(
            k,
            ExprKind::Opaque | ExprKind::StmtExpr(_) | ExprKind::VaArg(_)
        )
    }) && stmts
        .map(|(_, s)| &s.kind)
        .all(|k| !matches!(k, StmtKind::Asm { .. }))
}
