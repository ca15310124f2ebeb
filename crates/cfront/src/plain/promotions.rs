//! The promotions of arguments that no prototype converts, written out: `f(+(c))` for `char c` where `int f();` says nothing of
//! parameters, and for those behind `...`. Model checkers hand on the bits as they are, and the function reads others.

use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::ExprId;
use crate::tree::{ExprKind, Resolved, Tree};
use crate::types::{FloatKind, FunctionType, IntKind, Type};

pub(super) fn written_out(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut text = Text::of(unit);
    for (_, expr) in tree.exprs.iter() {
        let ExprKind::Call { callee, args, .. } = &expr.kind else {
            continue;
        };
        let Some(ty) = called(tree, *callee).filter(|_| has_body(tree, *callee)) else {
            continue;
        };
        let converted = match (ty.prototype, ty.variadic) {
            (false, _) => 0,
            (true, true) => ty.params.len(),
            (true, false) => continue,
        };
        for &argument in args.iter().skip(converted) {
            let Some(promotion) = promotion(tree, argument) else {
                continue;
            };
            let span = tree.exprs[argument].span;
            text.open(span, promotion);
            text.close(span, ")");
        }
    }
    text.changed()
}

/// The type of what is called.
fn called(tree: &Tree, callee: ExprId) -> Option<&FunctionType> {
    match tree.type_of(tree.exprs[callee].ty) {
        Type::Function(function) => Some(function),
        Type::Pointer(to) => match tree.type_of(*to) {
            Type::Function(function) => Some(function),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the program defines what is called, as far as that is known.
fn has_body(tree: &Tree, callee: ExprId) -> bool {
    match &tree.exprs[callee].kind {
        ExprKind::Ident(Resolved::Function(f)) => tree.functions[*f].body.is_some(),
        ExprKind::Ident(Resolved::Unknown(_)) => false,
        _ => true,
    }
}

/// The text that begins the promotion of an argument, if it has another type before.
fn promotion(tree: &Tree, argument: ExprId) -> Option<&'static str> {
    let narrow = match tree.type_of(tree.exprs[argument].ty) {
        Type::Float(FloatKind::Float) => return Some("(double)("),
        Type::Bool => true,
        Type::Int(kind) => kind.rank() < IntKind::Int.rank(),
        _ => return None,
    };
    // A bit-field of the width of `int` is one of its type.
    let field = tree.bit_field(argument).and_then(|member| member.bits);
    let in_int = field.is_some_and(|bits| bits < u64::from(tree.types.model.int));
    (narrow || in_int).then_some("+(")
}
