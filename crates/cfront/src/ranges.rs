//! Truth values of conditions that C's types decide: an unsigned number is never negative.
//!
//! The conclusions hold for every program: an object may have any value of its type, and so may an
//! expression that is not analysed (arithmetic, bit-fields, enumerations, which have values beyond
//! their constants). Nothing is concluded where the answer depends on the width of `long`.

use crate::consteval;
use crate::lower::typing::common_int;
use crate::span::ExprId;
use crate::tree::{BinaryOp, ExprKind, Tree, UnaryOp};
use crate::types::{IntKind, QualType, Type};

/// The values that an integer can have, both ends included, and its type after promotion (C17 6.3.1.1).
#[derive(Clone, Copy)]
struct Range {
    low: i128,
    high: i128,
    kind: IntKind,
}

/// The truth value that the types of an expression's operands force; `None` if both values are
/// possible, or if it is unknown. Linear in the expression.
pub fn truth(tree: &Tree, e: ExprId) -> Option<bool> {
    match &tree.exprs[e].kind {
        ExprKind::Unary(UnaryOp::Not, of) => truth(tree, *of).map(|value| !value),
        ExprKind::Binary(BinaryOp::And, a, b) => match (truth(tree, *a), truth(tree, *b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Or, a, b) => match (truth(tree, *a), truth(tree, *b)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        ExprKind::Binary(op, a, b) if op.is_boolean() => {
            let (a, b) = converted(tree, range(tree, *a)?, range(tree, *b)?)?;
            compared(*op, a, b)
        }
        _ => {
            let range = range(tree, e)?;
            match (range.low, range.high) {
                (0, 0) => Some(false),
                (low, high) => (low > 0 || high < 0).then_some(true),
            }
        }
    }
}

/// Whether an expression can only be 0 or 1 by its type and operators. Linear in the expression.
pub fn is_one_bit(tree: &Tree, e: ExprId) -> bool {
    match &tree.exprs[e].kind {
        ExprKind::Unary(UnaryOp::Not, _) => true,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => true,
        ExprKind::Binary(op, ..) if op.is_boolean() => true,
        ExprKind::Conditional {
            then: Some(then),
            otherwise,
            ..
        } => is_one_bit(tree, *then) && is_one_bit(tree, *otherwise),
        _ if *tree.types.get(tree.exprs[e].ty) == Type::Bool => true,
        _ => consteval::eval(tree, e).is_some_and(|value| value == 0 || value == 1),
    }
}

/// Whether a variable of this type that steps by one, upwards or downwards, comes to a value at which its
/// comparison with a bound fails, whatever value it has at first: `i < 300` holds for every `unsigned char`.
/// A missing bound is 0. False where it is unknown, and for types that are not integers or do not count (`_Bool`).
pub fn counts_beyond(
    tree: &Tree,
    counter: QualType,
    up: bool,
    op: BinaryOp,
    bound: Option<ExprId>,
) -> bool {
    let ends = || {
        let Type::Int(_) = tree.types.get(counter) else {
            return None;
        };
        let (low, high, kind) = of_type(tree, counter)?;
        let bound = match bound {
            None => Range {
                low: 0,
                high: 0,
                kind: IntKind::Int,
            },
            Some(e) => of_type_or_constant(tree, e)?,
        };
        let (_, bound) = converted(tree, Range { low, high, kind }, bound)?;
        Some(match op {
            BinaryOp::Lt => up && bound.high <= high,
            BinaryOp::Le => up && bound.high < high,
            BinaryOp::Gt => !up && bound.low >= low,
            BinaryOp::Ge => !up && bound.low > low,
            BinaryOp::Ne => bound.low >= low && bound.high <= high,
            _ => false,
        })
    };
    ends().unwrap_or(false)
}

fn range(tree: &Tree, e: ExprId) -> Option<Range> {
    let known = of_type_or_constant(tree, e)?;
    if known.low == known.high {
        return Some(known);
    }
    match &tree.exprs[e].kind {
        ExprKind::Member { path, .. } => {
            let &(record, index) = path.last()?;
            let member = tree.types.records[record].members.as_ref()?.get(index)?;
            (!member.is_bit_field).then_some(known)
        }
        ExprKind::Ident(_)
        | ExprKind::Index { .. }
        | ExprKind::Deref(_)
        | ExprKind::Cast(_)
        | ExprKind::Call { .. } => Some(known),
        _ => None,
    }
}

/// The value of a constant, else all values of the expression's type.
fn of_type_or_constant(tree: &Tree, e: ExprId) -> Option<Range> {
    let (low, high, kind) = of_type(tree, tree.exprs[e].ty)?;
    let value = consteval::eval(tree, e);
    Some(Range {
        low: value.unwrap_or(low),
        high: value.unwrap_or(high),
        kind,
    })
}

/// The least and greatest value of a type, and the type after promotion.
fn of_type(tree: &Tree, ty: QualType) -> Option<(i128, i128, IntKind)> {
    match tree.types.get(ty) {
        Type::Bool => Some((0, 1, IntKind::Int)),
        Type::Int(kind) => {
            let (low, high) = tree.types.model.range(*kind)?;
            let small = kind.rank() < IntKind::Int.rank();
            let promoted = if small {
                tree.types.model.promoted(*kind)
            } else {
                *kind
            };
            Some((low, high, promoted))
        }
        _ => None,
    }
}

/// Both ranges in their common type (C17 6.3.1.8).
fn converted(tree: &Tree, a: Range, b: Range) -> Option<(Range, Range)> {
    let long = |k: IntKind| matches!(k, IntKind::Long | IntKind::ULong);
    // The width of `long` decides which type is wider.
    let other = |x: IntKind, y: IntKind| long(x) && !long(y) && !y.signed() && x.signed();
    if other(a.kind, b.kind) || other(b.kind, a.kind) {
        return None;
    }
    let kind = common_int(&tree.types.model, a.kind, b.kind);
    let (low, high) = tree.types.model.range(kind)?;
    let into = |r: Range| match (r.low >= low && r.high <= high, r.low == r.high) {
        (true, _) => Range { kind, ..r },
        // A conversion to an unsigned type is modulo its size.
        (false, true) if low == 0 => {
            let value = r.low.rem_euclid(high + 1);
            Range {
                low: value,
                high: value,
                kind,
            }
        }
        _ => Range { low, high, kind },
    };
    Some((into(a), into(b)))
}

fn compared(op: BinaryOp, a: Range, b: Range) -> Option<bool> {
    let less = |a: Range, b: Range| match (a.high < b.low, a.low >= b.high) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let equal = match (a.high < b.low || b.high < a.low, a.low == a.high) {
        (true, _) => Some(false),
        (_, true) if (a.low, a.high) == (b.low, b.high) => Some(true),
        _ => None,
    };
    match op {
        BinaryOp::Lt => less(a, b),
        BinaryOp::Gt => less(b, a),
        BinaryOp::Ge => less(a, b).map(|value| !value),
        BinaryOp::Le => less(b, a).map(|value| !value),
        BinaryOp::Eq => equal,
        BinaryOp::Ne => equal.map(|value| !value),
        _ => None,
    }
}
