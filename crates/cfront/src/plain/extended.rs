//! Arithmetic of `long double` where it has a significand of 64 bits (x87). CBMC computes such numbers with 113 bits, so the text
//! rounds each result: `rounded(a * b)`. Compiled, the function changes nothing, because the result is rounded already.

use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::ExprId;
use crate::tree::{BinaryOp, Entity, ExprKind, Parent, Tree};
use crate::types::{FloatKind, Type};

/// The function. The product has the 49 bits of a number of 113 that are too many above those that stay, so that the difference
/// has lost them (Dekker 1971). Where 1 + 2⁻¹⁰⁰ is 1, numbers are no longer than 64 bits; infinite numbers and NaN stay.
const ROUNDED: &str = "(long double number) { long double scaled = number * 562949953421313.0L; return 1.0L + 0x1p-100L == 1.0L || number - number != 0 ? number : scaled - (scaled - number); } ";

pub(super) fn rounded(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let directive = |line: &str| {
        let mut words = line.split_whitespace();
        words.next() == Some("#define")
            && words.next() == Some("__LDBL_MANT_DIG__")
            && words.next() == Some("64")
    };
    let mut directives = unit.tokens.directives.iter();
    if tree.types.model.long_double != 128 || !directives.any(|d| directive(unit.text_of(*d))) {
        return None;
    }
    let own = Names::of(unit).free("rounded_to_extended");
    let mut text = Text::of(unit);
    for (id, expr) in tree.exprs.iter() {
        let computed = !expr.unevaluated && tree.function_of(expr.parent).is_some();
        if !computed || !is_extended(tree, id) || is_static(tree, id) {
            continue;
        }
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, ..) => {
                text.around(expr.span, &format!("{own}("), ")");
            }
            ExprKind::Float if !is_exact(unit.text_of(expr.span)) => {
                text.around(expr.span, &format!("{own}("), ")");
            }
            ExprKind::Assign {
                op: Some(op),
                op_span,
                lhs,
                rhs,
            } if is_named(tree, *lhs) => {
                let object = unit.text_of(tree.exprs[*lhs].span);
                text.replace(*op_span, &format!("= {own}({object} {} (", op.spelling()));
                text.close(tree.exprs[*rhs].span, "))");
            }
            _ => continue,
        }
        text.declare_before(id, &own, &format!("static long double {own}{ROUNDED}"));
    }
    text.changed()
}

fn is_extended(tree: &Tree, e: ExprId) -> bool {
    *tree.type_of(tree.exprs[e].ty) == Type::Float(FloatKind::LongDouble)
}

/// Whether an expression is a variable, which can be named twice.
fn is_named(tree: &Tree, e: ExprId) -> bool {
    matches!(tree.exprs[e].kind, ExprKind::Ident(_)) && !tree.exprs[e].ty.quals.is_volatile
}

/// Whether a literal is an integer that any floating type has.
fn is_exact(literal: &str) -> bool {
    let digits = literal
        .trim_matches(['(', ')', ' '])
        .trim_end_matches(['l', 'L']);
    let whole = digits.trim_end_matches('0').trim_end_matches('.');
    whole.len() <= 15 && whole.bytes().all(|b| b.is_ascii_digit())
}

/// Whether an expression initialises an object of static duration, which has to be a constant.
fn is_static(tree: &Tree, e: ExprId) -> bool {
    let mut at = tree.exprs[e].parent;
    loop {
        at = match at {
            Parent::Expr(e) => tree.exprs[e].parent,
            Parent::Init(init) => tree.inits[init].parent,
            Parent::Declarator(decl, number) => {
                let declared = tree.decls[decl].declared.get(number);
                return declared.is_some_and(|declared| match declared.entity {
                    Entity::Object(object) => tree.objects[object].is_static_duration(),
                    _ => false,
                });
            }
            _ => return false,
        }
    }
}
