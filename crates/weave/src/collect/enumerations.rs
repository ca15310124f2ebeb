//! Operands of an enumerated type. The compiler takes an enumeration without negative constants for an `unsigned int`, so
//! that a negative number stored in one is greater than all constants. CBMC computes with it as with an `int`.

use cfront::span::{EnumId, ExprId};
use cfront::tree::{BinaryOp, ExprKind, Parent, UnaryOp};
use cfront::types::{QualType, Type};

use super::{range, Collector};
use crate::facts::places::is_bit_field;
use crate::facts::Placed;

impl Collector<'_> {
    /// Notes an expression if it is an operand that the compiler computes with as an `unsigned int`, where that
    /// makes a difference to an `int`.
    pub(crate) fn enumerated(&mut self, id: ExprId, depth: i32) {
        let expr = &self.tree.exprs[id];
        let Type::Enum(of) = *self.tree.types.get(expr.ty) else {
            return;
        };
        if self.tells_signs_apart(id) && self.is_unsigned_int(of) && !self.is_promoted(id) {
            self.facts.enumerated.push(Placed {
                range: range(expr.span),
                depth,
            });
        }
    }

    /// Whether an operand may come from a bit-field, whose value becomes an `int`.
    fn is_promoted(&self, id: ExprId) -> bool {
        match &self.tree.exprs[id].kind {
            ExprKind::Assign { lhs, .. } => self.is_promoted(*lhs),
            ExprKind::IncDec { operand, .. } => self.is_promoted(*operand),
            ExprKind::Comma(list) => list.last().is_some_and(|&last| self.is_promoted(last)),
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => self.is_promoted(then.unwrap_or(*cond)) && self.is_promoted(*otherwise),
            ExprKind::Generic { .. } | ExprKind::StmtExpr(_) => true,
            _ => is_bit_field(self.tree, id),
        }
    }

    /// Whether the operator that an operand stands in gives another value for another sign.
    fn tells_signs_apart(&self, id: ExprId) -> bool {
        let Parent::Expr(outer) = self.tree.exprs[id].parent else {
            return false;
        };
        match &self.tree.exprs[outer].kind {
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::And | BinaryOp::Or | BinaryOp::Shl => false,
                BinaryOp::Shr => *left == id,
                // Of the same width only bits count.
                BinaryOp::Eq | BinaryOp::Ne => {
                    let other = if *left == id { *right } else { *left };
                    self.is_long(self.tree.exprs[other].ty)
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

    fn is_long(&self, ty: QualType) -> bool {
        matches!(self.tree.types.get(ty), Type::Int(kind) if kind.bits() > 32)
    }

    /// Whether objects of an enumeration are as `unsigned int`: no constant is negative, all fit, and no attribute makes
    /// it smaller.
    fn is_unsigned_int(&self, id: EnumId) -> bool {
        let of = &self.tree.types.enums[id];
        let fits = |value: Option<i128>| value.is_some_and(|v| (0..1 << 32).contains(&v));
        let from = range(of.span).start;
        let definition = self.text[from..].split(';').next().unwrap_or_default();
        !of.constants.is_empty()
            && of.constants.iter().all(|(_, value)| fits(*value))
            && !definition.contains("packed")
    }
}
