//! Expressions that CBMC reads otherwise than a compiler.
//!
//! - Operands of an enumerated type. The compiler takes an enumeration without negative constants for an `unsigned int`, so
//!   that a negative number stored in one is greater than all constants. CBMC computes with it as with an `int`.
//! - `p = (struct point){p.y, p.x}`: CBMC assigns member by member, and reads `p.x` after it has written it.
//! - `flags.on &= n` with `_Bool on : 1`: CBMC converts `n` to a truth value first, so that `1 & 2` is 1.

use cfront::enumerations::{is_converted, is_long, is_unsigned};
use cfront::span::ExprId;
use cfront::tree::{BinaryOp, ExprKind, Parent};
use cfront::types::{Class, Type};

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
        if is_converted(self.tree, id) || self.divides_unsigned(id) {
            self.misread(id, depth, Rewritten::Unsigned);
        }
        if is_unsigned(self.tree, id) && self.is_shifted_right(id) {
            self.misread(id, depth, Rewritten::UnsignedObject);
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
            } => {
                rhs == id
                    && is_unsigned(self.tree, lhs)
                    && !is_long(self.tree, self.tree.exprs[rhs].ty)
            }
            _ => false,
        }
    }
}
