//! Calls that C leaves undefined, and that model checkers follow: of a function by a pointer to functions of another
//! type (C11, 6.5.2.2), and a return of a function that must not return (6.7.4).

use cfront::calls::incompatible;
use cfront::span::{ExprId, FunctionId};
use cfront::tree::{ExprKind, StmtKind};
use cfront::{Aliases, Assumptions, EditError};

use super::Pass;

impl Pass<'_> {
    /// Checks that calls by pointers are of functions of their type. Pointers are analysed only where a cast changes the type of one to
    /// functions.
    pub(super) fn called(&mut self) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        if !cfront::calls::casts_functions(tree) {
            return Ok(());
        }
        let whole_program = true;
        let aliases = Aliases::new(tree, Assumptions { whole_program });
        for (id, expr) in tree.exprs.iter() {
            let ExprKind::Call { callee, .. } = expr.kind else {
                continue;
            };
            if expr.unevaluated || !self.stands_in_users(id) {
                continue;
            }
            let others = incompatible(tree, &aliases, callee);
            let others = others.into_iter().filter(|&f| self.is_named_at(f, id));
            let others: Vec<&str> = others.map(|f| tree.functions[f].name.as_str()).collect();
            let (Some(first), Some(pointer)) = (others.first(), self.again(callee)) else {
                continue;
            };
            let apart = others
                .iter()
                .map(|f| format!("({pointer}) != (__typeof__({pointer}))({f})"));
            let apart = apart.collect::<Vec<_>>().join(" && ");
            let ask = self.ask(
                &apart,
                "call by a pointer to functions of another type",
                first,
            );
            self.edits.wrap(expr.span, format!("({ask}, "), ")")?;
        }
        Ok(())
    }

    /// Whether a function is declared before an expression that could name it.
    fn is_named_at(&self, function: FunctionId, at: ExprId) -> bool {
        let tree = &self.unit.tree;
        let body = tree.functions[function].body.as_ref();
        body.is_some_and(|body| body.span.start < tree.exprs[at].span.start)
    }

    /// Checks that functions which must not return do not.
    pub(super) fn never_returning(&mut self) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        for (id, function) in tree.functions.iter() {
            let (Some(body), Some(flow)) = (&function.body, self.unit.flows.get(&id)) else {
                continue;
            };
            if !function.is_noreturn || !self.is_users(id) {
                continue;
            }
            let ask = self.ask(
                "0",
                "return of a function that must not return",
                &function.name,
            );
            match tree.stmts[body.block].kind {
                StmtKind::Compound { close, .. } if flow.falls_off(tree) => {
                    self.edits.insert(close, 0, format!(" {ask}; "))?;
                }
                _ => {}
            }
            for (_, stmt) in tree.stmts.iter() {
                if stmt.function == Some(id) && matches!(stmt.kind, StmtKind::Return(None)) {
                    self.edits.wrap(stmt.span, format!("{{ {ask}; "), " }")?;
                }
            }
        }
        Ok(())
    }
}
