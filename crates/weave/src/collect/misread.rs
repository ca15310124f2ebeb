//! Expressions that CBMC or ESBMC reads differently from a compiler.
//!
//! - Operands of an enumerated type. To the compiler, an enumeration without negative constants is an
//!   `unsigned int`, so a negative number stored in one is greater than all constants. To CBMC it is an `int`.
//! - `p = (struct point){p.y, p.x}`: CBMC assigns member by member, and reads `p.x` after it has written it.
//! - `on &= n` and `on ^= n` with `_Bool on`: ESBMC, and CBMC where `on` is a bit-field, converts `n` or the
//!   result to one bit first, so that `1 & 2` is 1, and `1 ^ 2` is 0.

use cfront::enumerations::{is_converted, is_long, is_unsigned};
use cfront::span::ExprId;
use cfront::tree::{BinaryOp, ExprKind, Parent};
use cfront::types::{Class, Type};

use super::{range, Collector};
use crate::facts::{Misread, Placed, Rewritten};

impl Collector<'_> {
    /// Notes what model checkers misread in an evaluated expression.
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

    /// Notes a compound literal of a structure type that is assigned and has a value that is not constant.
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

    /// Whether an assignment stores the value of an expression unchanged.
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

    /// Notes a compound assignment to a `_Bool` whose result depends on more than whether the right-hand side
    /// is 0.
    fn truth_value(&mut self, id: ExprId, depth: i32) {
        let ExprKind::Assign {
            op: Some(op),
            lhs,
            rhs,
            ..
        } = self.tree.exprs[id].kind
        else {
            return;
        };
        if *self.tree.types.get(self.tree.exprs[lhs].ty) != Type::Bool {
            return;
        }
        let is_one_bit = cfront::ranges::is_one_bit(self.tree, rhs);
        match op {
            BinaryOp::BitAnd if !is_one_bit => self.misread(rhs, depth + 1, Rewritten::LowestBit),
            BinaryOp::Sub | BinaryOp::BitXor | BinaryOp::Div | BinaryOp::Rem if !is_one_bit => {
                self.misread(lhs, depth + 1, Rewritten::InFull);
            }
            BinaryOp::Add | BinaryOp::Shl | BinaryOp::Shr => {
                self.misread(lhs, depth + 1, Rewritten::InFull);
            }
            _ => {}
        }
    }

    /// Notes an expression if the compiler computes with it as an `unsigned int` and a computation with `int`
    /// would differ.
    fn enumerated(&mut self, id: ExprId, depth: i32) {
        if is_converted(self.tree, id) || self.divides_unsigned(id) {
            self.misread(id, depth, Rewritten::Unsigned);
        }
        if is_unsigned(self.tree, id) && self.is_shifted_right(id) {
            self.misread(id, depth, Rewritten::UnsignedObject);
        }
    }

    /// Whether `>>=` shifts an object.
    fn is_shifted_right(&self, id: ExprId) -> bool {
        let Parent::Expr(outer) = self.tree.exprs[id].parent else {
            return false;
        };
        matches!(self.tree.exprs[outer].kind, ExprKind::Assign { op: Some(BinaryOp::Shr), lhs, .. } if lhs == id)
    }

    /// Whether an expression divides an object of an unsigned enumerated type by `/=` or `%=`. A cast of the
    /// divisor makes the division unsigned.
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
