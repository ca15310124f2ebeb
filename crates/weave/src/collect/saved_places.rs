//! Statements whose first step saves a place for a non-local jump (`setjmp`): such a jump can be emulated by
//! running the statement again.

use cfront::span::{DeclId, ExprId, Id, StmtId};
use cfront::tree::{ExprKind, InitKind, Parent, Resolved, StmtKind, UnaryOp};

use super::Collector;
use crate::facts::range;
use crate::facts::SavedPlace;

impl Collector<'_> {
    /// Notes a statement if the first step of its expression saves a place.
    pub(crate) fn place_in_statement(&mut self, id: StmtId, e: ExprId, depth: i32) {
        let Some(call) = self.saving_call(e) else {
            return;
        };
        let stmt = &self.tree.stmts[id];
        let in_block = match stmt.parent {
            Parent::Stmt(outer) => {
                matches!(self.tree.stmts[outer].kind, StmtKind::Compound { .. })
            }
            _ => false,
        };
        self.facts.saved_places.push(SavedPlace {
            call: call.index(),
            range: range(stmt.span),
            depth,
            in_block,
        });
    }

    /// Notes a declaration of one variable whose initialiser saves a place.
    pub(crate) fn place_in_declaration(&mut self, id: DeclId, depth: i32) {
        let decl = &self.tree.decls[id];
        let [declared] = &decl.declared[..] else {
            return;
        };
        let Some(init) = declared.init else { return };
        let InitKind::Expr(e) = self.tree.inits[init].kind else {
            return;
        };
        if let Some(call) = self.saving_call(e) {
            self.facts.saved_places.push(SavedPlace {
                call: call.index(),
                range: range(decl.span),
                depth,
                in_block: true,
            });
        }
    }

    /// The call of `setjmp` that an expression evaluates before anything with an effect: where the C standard
    /// allows the call, or as the value that a variable is assigned.
    fn saving_call(&self, e: ExprId) -> Option<ExprId> {
        match &self.tree.exprs[e].kind {
            ExprKind::Call { callee, args, .. } => {
                let name = match &self.tree.exprs[*callee].kind {
                    ExprKind::Ident(Resolved::Function(f)) => self.tree.functions[*f].name.as_str(),
                    ExprKind::Ident(Resolved::Unknown(name)) => name,
                    _ => return None,
                };
                let text = self.tree.exprs[*args.first()?].span.of(self.text);
                let plain = !crate::facts::text::may_hold_sites(text);
                (plain && crate::library::saves_place(name)).then_some(e)
            }
            ExprKind::Cast(inner) | ExprKind::Unary(UnaryOp::Not, inner) => {
                self.saving_call(*inner)
            }
            ExprKind::Binary(_, left, right) => {
                let constant = |e: ExprId| cfront::consteval::eval(self.tree, e).is_some();
                match (constant(*left), constant(*right)) {
                    (false, true) => self.saving_call(*left),
                    (true, false) => self.saving_call(*right),
                    _ => None,
                }
            }
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => match self.tree.exprs[*lhs].kind {
                ExprKind::Ident(Resolved::Object(_)) => self.saving_call(*rhs),
                _ => None,
            },
            _ => None,
        }
    }
}
