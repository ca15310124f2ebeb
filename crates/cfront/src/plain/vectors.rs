//! Casts between vectors of GNU C and numbers, which keep the bytes: `(long long)v` is `({ __auto_type w = v; union { … } u; … })`. CBMC 6.6
//! converts as if there were one element. Where the front end takes something else for a vector, the text is no C (`sizeof w[0]`).

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
    let [value, bytes] = ["vector", "vector_bytes"].map(|plain| names.free(plain));
    let mut text = Text::of(unit);
    for (id, expr) in tree.exprs.iter() {
        let ExprKind::Cast(of) = expr.kind else {
            continue;
        };
        let number = &tree.exprs[of];
        let is_vector = [expr.ty, number.ty].map(|ty| *tree.type_of(ty) == Type::Unknown);
        let of_number = |ty: QualType| tree.types.is_integer(ty);
        let shown = match is_vector {
            [true, false] if of_number(number.ty) => format!("{bytes}.to"),
            [false, true] if of_number(expr.ty) => value.clone(),
            _ => continue,
        };
        let operator = Span::new(expr.bare.start, number.span.start);
        let Some(to) = named(unit.text_of(operator)).filter(|_| is_evaluated(tree, id)) else {
            continue;
        };
        text.replace(
            operator,
            &format!("(__extension__ ({{ __auto_type {value} = ("),
        );
        let union = format!("union {{ __typeof__({value}) from; {to} to; }} {bytes}");
        let end = format!(
            "); {union}; (void)sizeof {shown}[0]; {bytes}.from = {value}; {bytes}.to; }}))"
        );
        text.close(number.span, &end);
    }
    text.changed()
}

/// The type that the operator of a cast names.
fn named(operator: &str) -> Option<&str> {
    let name = operator.trim().strip_prefix('(')?.strip_suffix(')')?.trim();
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ' ';
    name.chars().all(is_name).then_some(name)
}

/// Whether an expression is one of a function that is evaluated.
fn is_evaluated(tree: &Tree, id: ExprId) -> bool {
    !tree.exprs[id].unevaluated && tree.function_of(Parent::Expr(id)).is_some()
}
