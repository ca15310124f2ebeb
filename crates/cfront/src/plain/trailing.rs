//! Elements of arrays at the end of structures that are longer than their types say: `p->data[i]` with `char data[1]` as the last
//! member. Compilers let the array go on to the end of the object; model checkers take an element beyond the declared ones
//! for any value, and lose what is stored there, unless a pointer leads to it: `*(p->data + i)`.

use crate::consteval::eval;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::tree::{ExprKind, Tree};
use crate::types::{ArrayLen, Type};

pub(super) fn followed(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut text = Text::of(unit);
    for (_, expr) in tree.exprs.iter() {
        let ExprKind::Index { base, index } = expr.kind else {
            continue;
        };
        if !goes_on(tree, base) || eval(tree, index) == Some(0) {
            continue;
        }
        let tokens = &unit.tokens;
        let bracket = tokens
            .tokens
            .get(tokens.at_or_after(tree.exprs[base].span.end));
        let Some(bracket) = bracket.filter(|t| unit.text_of(t.span) == "[") else {
            continue;
        };
        let end = expr.bare.end;
        text.open(expr.bare, "(*(");
        text.replace(bracket.span, " + (");
        text.replace(
            Span {
                start: end - 1,
                end,
            },
            ")))",
        );
    }
    text.changed()
}

/// Whether an expression is an array of at most one element at the end of a structure behind a pointer.
fn goes_on(tree: &Tree, array: ExprId) -> bool {
    let ExprKind::Member { path, .. } = &tree.exprs[array].kind else {
        return false;
    };
    let Some(&(record, index)) = path.last() else {
        return false;
    };
    let record = &tree.types.records[record];
    let members = record.members.as_deref().unwrap_or_default();
    let is_last = record.is_union || index + 1 == members.len();
    let is_short = members.get(index).is_some_and(|member| {
        let ty = tree.type_of(member.ty);
        matches!(ty, Type::Array(_, ArrayLen::Known(0 | 1)))
    });
    is_last && is_short && is_behind_pointer(tree, array)
}

/// Whether a pointer leads to the object of a member.
fn is_behind_pointer(tree: &Tree, mut object: ExprId) -> bool {
    loop {
        object = match tree.exprs[object].kind {
            ExprKind::Member { arrow: true, .. } | ExprKind::Deref(_) => return true,
            ExprKind::Member { base, .. } => base,
            ExprKind::Index { base, .. } => {
                let ty = tree.type_of(tree.exprs[base].ty);
                if matches!(ty, Type::Pointer(_)) {
                    return true;
                }
                base
            }
            _ => return false,
        }
    }
}
