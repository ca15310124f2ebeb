//! What `__builtin_constant_p` says of its argument: compilers know more constants the more they optimise, and CBMC has its own
//! opinion. It is what a compiler says that does not optimise: the value of a constant expression or a literal is one, nothing else
//! is. The call stays, so that a report can say that a verdict rests on it.

use crate::allocations::called_name;
use crate::consteval;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::ExprId;
use crate::tree::{ExprKind, Tree, UnaryOp};

pub(super) fn of_the_text(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut text = Text::of(unit);
    for (call, expr) in tree.exprs.iter() {
        let ExprKind::Call { args, .. } = &expr.kind else {
            continue;
        };
        let [argument] = args[..] else {
            continue;
        };
        if called_name(tree, call) == Some("__builtin_constant_p") {
            let value = match is_constant(tree, argument) {
                true => " | 1)",
                false => " & 0)",
            };
            text.around(expr.span, "(", value);
        }
    }
    text.changed()
}

/// Whether an expression is a constant for a compiler that does not optimise.
fn is_constant(tree: &Tree, e: ExprId) -> bool {
    match &tree.exprs[e].kind {
        ExprKind::Float | ExprKind::Str(_) => true,
        ExprKind::Cast(of) => is_constant(tree, *of),
        ExprKind::Unary(UnaryOp::Plus | UnaryOp::Minus, of) => is_constant(tree, *of),
        ExprKind::Binary(_, a, b) => is_constant(tree, *a) && is_constant(tree, *b),
        _ => consteval::is_constant(tree, e),
    }
}
