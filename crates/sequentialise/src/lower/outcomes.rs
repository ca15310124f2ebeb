//! Values that are known after the evaluation of an expression: library calls that never fail here
//! return 0, so the program's handling of their failure is left out.

use cfront::tree::{BinaryOp, BlockItem, ExprKind, StmtKind, UnaryOp};
use cfront::{consteval, ExprId};

use super::Lower;
use crate::library::Call;

impl Lower<'_, '_> {
    /// The value of an integer expression after its evaluation, if known before.
    pub(super) fn outcome(&self, e: ExprId) -> Option<i128> {
        let tree = self.facts.tree;
        let ty = tree.exprs[e].ty;
        if let Some(value) = self.value_of(e) {
            return Some(value);
        }
        match &tree.exprs[e].kind {
            ExprKind::Call { .. } if self.never_fails(e) => Some(0),
            ExprKind::Call { .. } => self.always_returns(e).filter(|&v| self.fits(ty, v)),
            ExprKind::Comma(list) => self.outcome(*list.last()?),
            ExprKind::Cast(of) => self.outcome(*of).filter(|&v| self.fits(ty, v)),
            ExprKind::Assign { op: None, rhs, .. } => {
                self.outcome(*rhs).filter(|&v| self.fits(ty, v))
            }
            ExprKind::Unary(UnaryOp::Not, of) => Some(i128::from(self.outcome(*of)? == 0)),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.outcome(*a)?, self.outcome(*b)?);
                // For negative numbers the types of the operands could matter.
                let holds = match op {
                    _ if a < 0 || b < 0 => return None,
                    BinaryOp::Eq => a == b,
                    BinaryOp::Ne => a != b,
                    BinaryOp::Lt => a < b,
                    BinaryOp::Le => a <= b,
                    BinaryOp::Gt => a > b,
                    BinaryOp::Ge => a >= b,
                    _ => return None,
                };
                Some(i128::from(holds))
            }
            _ => None,
        }
    }

    /// The value that a function of the program gives whenever it returns: a constant in its only `return`, its last statement.
    fn always_returns(&self, call: ExprId) -> Option<i128> {
        let tree = self.facts.tree;
        let [function] = self.facts.targets(call)[..] else {
            return None;
        };
        let body = tree.functions[function].body.as_ref()?;
        let StmtKind::Compound { items, .. } = &tree.stmts[body.block].kind else {
            return None;
        };
        let Some(BlockItem::Stmt(last)) = items.last() else {
            return None;
        };
        match tree.stmts[*last].kind {
            StmtKind::Return(Some(value)) if self.facts.returns_in(body.span).count() == 1 => {
                consteval::eval(tree, value)
            }
            _ => None,
        }
    }

    /// Whether a call returns 0 whenever it returns.
    fn never_fails(&self, call: ExprId) -> bool {
        match self.facts.library(call) {
            Some(Call::Create(..) | Call::Join | Call::Once | Call::CondWait(false)) => true,
            Some(Call::Model(model)) => model.never_fails(self.facts.mutex_kinds),
            _ => false,
        }
    }
}
