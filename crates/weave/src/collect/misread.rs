//! Expressions that CBMC reads otherwise than a compiler.
//!
//! - Operands of an enumerated type. The compiler takes an enumeration without negative constants for an `unsigned int`, so
//!   that a negative number stored in one is greater than all constants. CBMC computes with it as with an `int`.
//! - `p = (struct point){p.y, p.x}`: CBMC assigns member by member, and reads `p.x` after it has written it.
//! - `flags.on &= n` with `_Bool on : 1`: CBMC converts `n` to a truth value first, so that `1 & 2` is 1.

use cfront::span::ExprId;
use cfront::tree::{BinaryOp, ExprKind, Parent, UnaryOp};
use cfront::types::{Class, IntKind, QualType, Type};

use super::{range, Collector};
use crate::facts::{Misread, Placed, Rewritten};

impl Collector<'_> {
    /// Notes what CBMC reads otherwise of an expression that is evaluated.
    pub(crate) fn misreadings(&mut self, id: ExprId, depth: i32) {
        self.enumerated(id, depth);
        self.made_of_its_target(id, depth);
        self.truth_value(id, depth);
    }

    fn misread(&mut self, id: ExprId, depth: i32, written: Rewritten) {
        let placed = Placed {
            range: range(self.tree.exprs[id].span),
            depth,
        };
        self.facts.misread.push(Misread { placed, written });
    }

    /// Notes a structure in braces that is assigned as it is and has a value that is no constant.
    fn made_of_its_target(&mut self, id: ExprId, depth: i32) {
        let tree = self.tree;
        let ExprKind::CompoundLiteral(init) = tree.exprs[id].kind else {
            return;
        };
        let mut values = Vec::new();
        tree.init_exprs(init, &mut values);
        let open = |e: &ExprId| cfront::consteval::eval(tree, *e).is_none();
        if tree.types.class(tree.exprs[id].ty) == Class::Record
            && self.is_assigned(id)
            && values.iter().any(open)
        {
            self.misread(id, depth, Rewritten::ObjectOfItsOwn);
        }
    }

    /// Whether the value of an expression is what an assignment stores.
    fn is_assigned(&self, mut id: ExprId) -> bool {
        while let Parent::Expr(outer) = self.tree.exprs[id].parent {
            match &self.tree.exprs[outer].kind {
                ExprKind::Assign { op: None, rhs, .. } => return *rhs == id,
                ExprKind::Comma(list) if list.last() == Some(&id) => {}
                ExprKind::Conditional { cond, .. } if *cond != id => {}
                _ => return false,
            }
            id = outer;
        }
        false
    }

    /// Notes an operand that may be greater than 1 where `&=` takes bits of one truth value.
    fn truth_value(&mut self, id: ExprId, depth: i32) {
        let Parent::Expr(outer) = self.tree.exprs[id].parent else {
            return;
        };
        let ExprKind::Assign {
            op: Some(BinaryOp::BitAnd),
            lhs,
            rhs,
            ..
        } = self.tree.exprs[outer].kind
        else {
            return;
        };
        let is_truth = |e: ExprId| *self.tree.types.get(self.tree.exprs[e].ty) == Type::Bool;
        if rhs == id && is_truth(lhs) && self.tree.bit_field(lhs).is_some() && !is_truth(rhs) {
            self.misread(id, depth, Rewritten::LowestBit);
        }
    }

    /// Notes an expression if it is an operand that the compiler computes with as an `unsigned int`, where that
    /// makes a difference to an `int`.
    fn enumerated(&mut self, id: ExprId, depth: i32) {
        if self.tells_signs_apart(id) && self.is_unsigned(id) || self.divides_unsigned(id) {
            self.misread(id, depth, Rewritten::Unsigned);
        }
        if self.is_unsigned(id) && self.is_shifted_right(id) {
            self.misread(id, depth, Rewritten::UnsignedObject);
        }
    }

    /// Whether the compiler computes with an expression of an enumerated type as with an `unsigned int`.
    fn is_unsigned(&self, id: ExprId) -> bool {
        match *self.tree.types.get(self.tree.exprs[id].ty) {
            Type::Enum(of) => {
                self.tree.types.enums[of].int_kind() == Some(IntKind::UInt) && !self.is_promoted(id)
            }
            _ => false,
        }
    }

    /// Whether an object is what `>>=` shifts.
    fn is_shifted_right(&self, id: ExprId) -> bool {
        let Parent::Expr(outer) = self.tree.exprs[id].parent else {
            return false;
        };
        matches!(self.tree.exprs[outer].kind, ExprKind::Assign { op: Some(BinaryOp::Shr), lhs, .. } if lhs == id)
    }

    /// Whether an object of such a type is divided by an expression and keeps the result: with the divisor the division
    /// is one of unsigned numbers.
    fn divides_unsigned(&self, id: ExprId) -> bool {
        let Parent::Expr(outer) = self.tree.exprs[id].parent else {
            return false;
        };
        match self.tree.exprs[outer].kind {
            ExprKind::Assign {
                op: Some(BinaryOp::Div | BinaryOp::Rem),
                lhs,
                rhs,
                ..
            } => rhs == id && self.is_unsigned(lhs) && !self.is_long(self.tree.exprs[rhs].ty),
            _ => false,
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
            _ => self.tree.bit_field(id).is_some(),
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
}
