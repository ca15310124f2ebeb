//! Operands of an enumerated type. A compiler gives an enumeration without negative constants the
//! type `unsigned int`, so a negative number stored in an operand is greater than all constants.
//! CBMC computes with `int` instead.

use crate::span::ExprId;
use crate::tree::{BinaryOp, ExprKind, Parent, Tree, UnaryOp};
use crate::types::{IntKind, QualType, Type};

/// Whether the compiler computes with an operand as an `unsigned int` and the result differs from
/// that of an `int`.
pub fn is_converted(tree: &Tree, id: ExprId) -> bool {
    is_unsigned(tree, id) && tells_signs_apart(tree, id)
}

/// Whether the compiler computes with an expression of an enumerated type as with an `unsigned int`.
pub fn is_unsigned(tree: &Tree, id: ExprId) -> bool {
    match *tree.types.get(tree.exprs[id].ty) {
        Type::Enum(of) => {
            tree.types.enums[of].int_kind(&tree.types.model) == Some(IntKind::UInt)
                && !is_promoted(tree, id)
        }
        _ => false,
    }
}

/// Whether an operand may come from a bit-field, which is promoted to `int`.
fn is_promoted(tree: &Tree, id: ExprId) -> bool {
    match &tree.exprs[id].kind {
        ExprKind::Assign { lhs, .. } => is_promoted(tree, *lhs),
        ExprKind::IncDec { operand, .. } => is_promoted(tree, *operand),
        ExprKind::Comma(list) => list.last().is_some_and(|&last| is_promoted(tree, last)),
        ExprKind::Conditional {
            cond,
            then,
            otherwise,
        } => is_promoted(tree, then.unwrap_or(*cond)) && is_promoted(tree, *otherwise),
        ExprKind::Generic { .. } | ExprKind::StmtExpr(_) => true,
        _ => tree.bit_field(id).is_some(),
    }
}

/// Whether the operator around an operand gives different results for different signs.
fn tells_signs_apart(tree: &Tree, id: ExprId) -> bool {
    let Parent::Expr(outer) = tree.exprs[id].parent else {
        return false;
    };
    match &tree.exprs[outer].kind {
        ExprKind::Binary(op, left, right) => match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Shl => false,
            BinaryOp::Shr => *left == id,
            // Between operands of the same width, only the bits count.
            BinaryOp::Eq | BinaryOp::Ne => {
                let other = if *left == id { *right } else { *left };
                is_long(tree, tree.exprs[other].ty)
            }
            _ => true,
        },
        ExprKind::Unary(op, _) => matches!(op, UnaryOp::Minus | UnaryOp::BitNot),
        ExprKind::Assign {
            op: Some(_), rhs, ..
        } => *rhs == id,
        _ => false,
    }
}

/// Whether an integer type is wider than `int`.
pub fn is_long(tree: &Tree, ty: QualType) -> bool {
    matches!(tree.types.get(ty), Type::Int(kind) if tree.types.bits(*kind) > tree.types.model.int)
}
