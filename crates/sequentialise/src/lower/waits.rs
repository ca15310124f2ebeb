//! Loops that only wait: no iteration but the last one has an effect, so that there is one place
//! where the thread stands, and one iteration, which is assumed to be the last.

use cfront::access::written;
use cfront::tree::{BlockItem, ExprKind, StmtKind};
use cfront::{ExprId, Span, StmtId};

use super::exprs::enclosed;
use super::Lower;
use crate::code::{Action, Mover};
use crate::library::Call;

impl Lower<'_, '_> {
    /// Lowers a loop that only waits; says whether it is one.
    pub(super) fn waits(
        &mut self,
        cond: &Option<ExprId>,
        body: StmtId,
        body_first: bool,
        span: Span,
    ) -> bool {
        if !self.env.reachable || !self.is_idle(body) {
            return false;
        }
        let known = cond.map_or(Some(1), |c| self.value_of(c));
        match (known, cond) {
            (Some(0), _) => true,
            (Some(_), _) => {
                self.stand(
                    "0".to_string(),
                    "nothing: it turns for ever".to_string(),
                    span,
                );
                self.push(
                    Action::Text("BA_SEQ_ASSUME(0);".to_string()),
                    span,
                    Vec::new(),
                    Mover::Both,
                );
                self.env.reachable = false;
                true
            }
            (None, Some(cond)) => self.wait_until_false(*cond, body_first, span),
            (None, None) => false,
        }
    }

    fn wait_until_false(&mut self, cond: ExprId, _body_first: bool, span: Span) -> bool {
        let accesses = self.accesses.of_expr(cond);
        if !self.is_pure(cond) || !accesses.iter().any(|a| self.is_visible(a)) {
            return false;
        }
        let at = self.facts.tree.exprs[cond].span;
        let text = self.print(at, Vec::new());
        let source = self.facts.unit.text_of(at).to_string();
        self.stand(
            format!("!{}", enclosed(text)),
            format!("until {source} is false"),
            span,
        );
        let value = self.value(cond);
        self.push(
            Action::Text(format!("BA_SEQ_ASSUME(!{});", enclosed(value))),
            span,
            Vec::new(),
            Mover::Both,
        );
        true
    }

    /// Whether a statement does nothing.
    fn is_idle(&self, stmt: StmtId) -> bool {
        let tree = self.facts.tree;
        match &tree.stmts[stmt].kind {
            StmtKind::Expr(None) => true,
            StmtKind::Expr(Some(e)) => {
                let nothing = [Some(Call::Nothing), Some(Call::Bound)];
                nothing.contains(&self.facts.library(*e))
            }
            StmtKind::Compound { items, .. } => items.iter().all(|item| match item {
                BlockItem::Stmt(s) => self.is_idle(*s),
                BlockItem::Decl(_) => false,
            }),
            StmtKind::Continue => true,
            _ => false,
        }
    }

    /// Whether an expression only reads.
    pub(super) fn is_pure(&self, e: ExprId) -> bool {
        let tree = self.facts.tree;
        let mut work = vec![e];
        while let Some(e) = work.pop() {
            if written(tree, e).is_some() {
                return false;
            }
            match tree.exprs[e].kind {
                ExprKind::Call { .. } | ExprKind::StmtExpr(_) | ExprKind::VaArg(_) => return false,
                _ => work.extend(tree.children(e)),
            }
        }
        true
    }
}
