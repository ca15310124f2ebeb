//! What compilers select by constants, selected: `__builtin_choose_expr(1, a, b)` is `(a)`. And `sizeof(*(c ? p : q))` of
//! pointers with `void *` as their common type, by which programs tell constants (a null pointer constant has no part in the
//! common type), is 1. Model checkers compute both from values, and take variables for constants that way.

use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::tree::{ExprKind, Tree};
use crate::types::Type;

pub(super) fn selected(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut text = Text::of(unit);
    for (id, expr) in tree.exprs.iter() {
        match &expr.kind {
            ExprKind::SizeofExpr(of) if is_pointee_of_choice(tree, *of) => {
                text.replace(expr.span, "sizeof(char)");
            }
            ExprKind::Call { .. } => {
                let Some(chosen) = tree.selected(id) else {
                    continue;
                };
                let chosen = tree.exprs[chosen].span;
                text.replace(Span::new(expr.span.start, chosen.start), "(");
                text.replace(Span::new(chosen.end, expr.span.end), ")");
            }
            _ => continue,
        }
    }
    text.changed()
}

/// Whether an expression is what a pointer to `void` points to that a conditional expression yields, one of whose sides is
/// another pointer.
fn is_pointee_of_choice(tree: &Tree, of: ExprId) -> bool {
    let ExprKind::Deref(pointer) = tree.exprs[of].kind else {
        return false;
    };
    let ExprKind::Conditional {
        then: Some(then),
        otherwise,
        ..
    } = tree.exprs[pointer].kind
    else {
        return false;
    };
    let is_void = |e: ExprId| {
        let to = tree.types.pointee(tree.exprs[e].ty);
        to.is_some_and(|to| *tree.types.get(to) == Type::Void)
    };
    is_void(pointer) && is_void(then) != is_void(otherwise)
}
