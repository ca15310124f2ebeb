//! Points of evaluations: the statement expressions before them, and calls that do not return.

use super::super::Point;
use super::{Builder, Ends};
use crate::consteval::eval;
use crate::library::never_returns;
use crate::span::{DeclId, ExprId};
use crate::tree::{ExprKind, Resolved};

impl Builder<'_> {
    /// Builds the evaluation of expressions at one point, after their statement expressions.
    /// Returns no ends if an expression does not return.
    pub(super) fn evaluate(&mut self, exprs: &[ExprId], ends: Ends, point: Point) -> Ends {
        let mut ends = ends;
        for &e in exprs {
            ends = self.statement_expressions(e, ends);
        }
        let id = self.after(&ends, point);
        for &e in exprs {
            if let Some(call) = self.call_without_return(e) {
                let end = self.point(Point::NoReturn(call));
                self.edge(id, end);
                return Vec::new();
            }
        }
        vec![id]
    }

    /// Builds the statement expressions in an expression. One may be skipped if it is under an
    /// operator that may skip an operand, such as `&&`.
    fn statement_expressions(&mut self, e: ExprId, ends: Ends) -> Ends {
        let mut ends = ends;
        let mut entered = false;
        let mut work = vec![(e, false)];
        while let Some((e, skippable)) = work.pop() {
            let expr = &self.tree.exprs[e];
            if expr.unevaluated {
                continue;
            }
            match &expr.kind {
                ExprKind::StmtExpr(block) => {
                    if !entered {
                        // One point stands before all of them, so that loops have one point to come
                        // back to.
                        entered = true;
                        ends = vec![self.after(&ends, Point::Enter(e))];
                    }
                    let inside = self.stmt(*block, ends.clone());
                    if skippable {
                        ends.extend(inside);
                    } else {
                        ends = inside;
                    }
                }
                ExprKind::LabelAddress(label) => self.address_taken.push(label.clone()),
                _ => {
                    let skips = skippable || may_skip(&expr.kind);
                    let children = self.tree.children(e);
                    work.extend(children.into_iter().rev().map(|c| (c, skips)));
                }
            }
        }
        ends
    }

    /// A call in an expression that is certainly made and does not return.
    fn call_without_return(&self, e: ExprId) -> Option<ExprId> {
        let expr = &self.tree.exprs[e];
        if expr.unevaluated {
            return None;
        }
        match &expr.kind {
            ExprKind::Call { callee, .. } => match &self.tree.exprs[*callee].kind {
                ExprKind::Ident(Resolved::Function(f)) => {
                    let f = &self.tree.functions[*f];
                    // The program may define a function of this name that returns.
                    let ends = f.is_noreturn || f.body.is_none() && never_returns(&f.name);
                    ends.then_some(e)
                }
                ExprKind::Ident(Resolved::Unknown(name)) => never_returns(name).then_some(e),
                _ => None,
            },
            ExprKind::Cast(inner) => self.call_without_return(*inner),
            ExprKind::Comma(list) => list.iter().find_map(|&e| self.call_without_return(e)),
            _ => None,
        }
    }

    /// The value of a condition that is a constant.
    pub(super) fn constant(&self, cond: ExprId) -> Option<bool> {
        match &self.tree.exprs[cond].kind {
            ExprKind::StmtExpr(_) => None,
            _ => eval(self.tree, cond).map(|v| v != 0),
        }
    }

    pub(super) fn declaration(&mut self, id: DeclId, ends: Ends) -> Ends {
        let decl = &self.tree.decls[id];
        let mut exprs = decl.type_exprs.clone();
        for declared in &decl.declared {
            if let Some(init) = declared.init {
                self.tree.init_exprs(init, &mut exprs);
            }
        }
        self.evaluate(&exprs, ends, Point::Decl(id))
    }
}

/// Whether an expression may leave out the evaluation of some operand.
fn may_skip(kind: &ExprKind) -> bool {
    use crate::tree::BinaryOp;
    matches!(
        kind,
        ExprKind::Conditional { .. }
            | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, _, _)
            | ExprKind::Generic { .. }
    )
}
