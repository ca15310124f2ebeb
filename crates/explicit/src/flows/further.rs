//! Further arguments of functions of the program (`...`).

use cfront::span::{ExprId, FunctionId};
use cfront::tree::{Body, ExprKind, Parent, Resolved};
use cfront::types::Type;

use super::{called, Flows};

/// What begins, ends and copies a list of arguments.
const LISTS: [&str; 3] = [
    "__builtin_va_start",
    "__builtin_va_end",
    "__builtin_va_copy",
];

impl Flows<'_> {
    /// Whether a function ignores its further arguments: without a list of them it cannot access them, and what it only gives to
    /// functions that produce output is shown, as by `printf`.
    pub(super) fn ignores_further(&self, body: &Body) -> bool {
        if !self.unit.text_of(body.span).contains("va_") {
            return true;
        }
        let tree = self.tree;
        let mut inside = tree
            .exprs
            .iter()
            .filter(|(_, e)| body.span.encloses(e.span));
        inside.all(|(_, e)| match e.kind {
            ExprKind::VaArg(_) => false,
            _ if matches!(tree.type_of(e.ty), Type::VaList) => {
                matches!(e.kind, ExprKind::Ident(Resolved::Object(_)))
                    && matches!(e.parent, Parent::Expr(call) if self.shows(call))
            }
            _ => true,
        })
    }

    /// Whether an expression is a call that makes a list of arguments, or one of a function that only produces output.
    fn shows(&self, call: ExprId) -> bool {
        let ExprKind::Call { callee, .. } = &self.tree.exprs[call].kind else {
            return false;
        };
        match called(self.tree, *callee) {
            Some(f) => self.only_prints(f),
            None => {
                matches!(&self.tree.exprs[*callee].kind, ExprKind::Ident(Resolved::Unknown(name)) if LISTS.contains(&name.as_str()))
            }
        }
    }

    fn only_prints(&self, f: FunctionId) -> bool {
        let function = &self.tree.functions[f];
        let name = function.name.as_str();
        function.body.is_none() && (LISTS.contains(&name) || (self.quiet)(name))
    }
}
