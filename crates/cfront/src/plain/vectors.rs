//! Casts between vectors of GNU C, and between vectors and numbers, which keep the bytes: `(long long)v` is
//! `({ union { __typeof__(v) from; long long to; } u; u.from = v; u.to; })`. CBMC 6.6 converts as if there were one element, or each element by its value.

use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::tree::{ExprKind, Parent, Tree};
use crate::types::{QualType, Type};

pub(super) fn kept(unit: &Unit) -> Option<Vec<Source>> {
    let tokens = &unit.tokens.tokens;
    let mut words = tokens.iter().map(|t| unit.text_of(t.span));
    if !words.any(|word| word.trim_matches('_') == "vector_size") {
        return None;
    }
    let tree = &unit.tree;
    let names = Names::of(unit);
    let mut text = Text::of(unit);
    let mut casts = 0;
    for (id, expr) in tree.exprs.iter() {
        let ExprKind::Cast(of) = expr.kind else {
            continue;
        };
        let from = &tree.exprs[of];
        let is_vector = |ty: QualType| matches!(tree.type_of(ty), Type::Vector(_));
        let keeps = |ty: QualType| is_vector(ty) || tree.types.is_integer(ty);
        let changes = is_vector(expr.ty) || is_vector(from.ty);
        if !changes || !keeps(expr.ty) || !keeps(from.ty) || !is_evaluated(tree, id) {
            continue;
        }
        let operator = Span::new(expr.bare.start, from.span.start);
        let Some(to) = named(unit.text_of(operator)) else {
            continue;
        };
        // The types stand there without `__auto_type`: CBMC 6.6 reads such a declaration twice where one stands within another.
        casts += 1;
        let bytes = names.free(&format!("vector_{casts}"));
        let own = text.on_a_line(unit.text_of(from.span));
        let union =
            format!("union {{ __typeof__({own}) from; {to} to; }} {bytes}; {bytes}.from = (");
        text.replace(operator, &format!("(__extension__ ({{ {union}"));
        text.close(from.span, &format!("); {bytes}.to; }}))"));
    }
    text.changed()
}

/// The type that the operator of a cast names; no vector and no number needs a declarator.
fn named(operator: &str) -> Option<&str> {
    Some(operator.trim().strip_prefix('(')?.strip_suffix(')')?.trim())
}

/// Whether an expression is one of a function that is evaluated.
fn is_evaluated(tree: &Tree, id: ExprId) -> bool {
    !tree.exprs[id].unevaluated && tree.function_of(Parent::Expr(id)).is_some()
}
