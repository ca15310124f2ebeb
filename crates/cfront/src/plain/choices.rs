//! What compilers select by constants and types, selected: `__builtin_choose_expr(1, a, b)` is `(a)`, and so is
//! `_Generic("x", char *: a, default: b)`, where model checkers take the array for no pointer. And `sizeof(*(c ? p : q))` of
//! pointers with `void *` as their common type, by which programs tell constants (a null pointer constant has no part in the
//! common type), is 1. Model checkers compute both from values, and take variables for constants that way.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::tree::{ExprKind, Tree};
use crate::types::Type;

pub(super) fn selected(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut text = Text::of(unit);
    let mut left_out = BTreeMap::new();
    for (whole, chosen) in selections(tree) {
        if is_within(whole, &left_out) {
            continue;
        }
        for (part, bracket) in [
            (Span::new(whole.start, chosen.start), "("),
            (Span::new(chosen.end, whole.end), ")"),
        ] {
            text.replace(part, bracket);
            left_out.insert(part.start, part.end);
        }
    }
    for (_, expr) in tree.exprs.iter() {
        let (ExprKind::SizeofExpr(of), span) = (&expr.kind, expr.span) else {
            continue;
        };
        if is_pointee_of_choice(tree, *of) && !is_within(span, &left_out) {
            text.replace(span, "sizeof(char)");
        }
    }
    text.changed()
}

/// Whether a place lies in one of these parts of the text, which are disjoint: their ends, by their starts.
fn is_within(span: Span, parts: &BTreeMap<usize, usize>) -> bool {
    let before = parts.range(..=span.start).next_back();
    before.is_some_and(|(_, end)| span.end <= *end)
}

/// The selections that are not followed, with the operand that is selected, outer ones before those in their operands.
fn selections(tree: &Tree) -> Vec<(Span, Span)> {
    let is_followed = |kind: &ExprKind| match kind {
        ExprKind::Generic { control, .. } => {
            !matches!(tree.type_of(tree.exprs[*control].ty), Type::Array(..))
        }
        _ => false,
    };
    let of = |id: ExprId, whole: Span| Some((whole, tree.exprs[tree.selected(id)?].span));
    let all = tree.exprs.iter().filter(|(_, e)| !is_followed(&e.kind));
    let all = all.filter_map(|(id, e)| of(id, e.span));
    let mut all: Vec<(Span, Span)> = all.collect();
    all.sort_by_key(|(whole, _)| (whole.start, Reverse(whole.end)));
    all
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
