//! What functions do with arguments that they have no parameters for.

use cfront::tree::{Body, ExprKind, Parent, Resolved};
use cfront::types::Type;
use cfront::{ExprId, FunctionId};

use super::{called, Flows};

impl Flows<'_> {
    /// Whether a function ignores its further arguments, or only gives them to functions that have no effect (`vprintf`).
    pub(super) fn ignores_further(&self, body: &Body) -> bool {
        let mut lists = self.lists(body);
        lists.all(|list| self.is_only_printed(list))
    }

    /// The expressions in a function that are lists of further arguments, or take one from such a list: without any, nothing can
    /// access these arguments.
    fn lists<'b>(&'b self, body: &'b Body) -> impl Iterator<Item = ExprId> + 'b {
        let tree = self.tree;
        let inside = tree.exprs.iter();
        let inside = inside.filter(|(_, e)| body.span.encloses(e.span));
        let lists = inside.filter(|(_, e)| {
            matches!(e.kind, ExprKind::VaArg(_)) || matches!(tree.type_of(e.ty), Type::VaList)
        });
        lists.map(|(id, _)| id)
    }

    /// Whether a list of arguments is begun or ended here, or given to a function that has no effect.
    fn is_only_printed(&self, list: ExprId) -> bool {
        let tree = self.tree;
        let Parent::Expr(around) = tree.exprs[list].parent else {
            return false;
        };
        let ExprKind::Call { callee, args, .. } = &tree.exprs[around].kind else {
            return false;
        };
        let Some(at) = args.iter().position(|arg| *arg == list) else {
            return false;
        };
        let ignores = |f: FunctionId| {
            let body = tree.functions[f].body.as_ref();
            body.map(|body| body.params.len() <= at && self.lists(body).next().is_none())
        };
        let name = match (called(tree, *callee), &tree.exprs[*callee].kind) {
            (Some(f), _) => match ignores(f) {
                Some(ignores) => return ignores,
                None => &tree.functions[f].name,
            },
            (None, ExprKind::Ident(Resolved::Unknown(name))) => name,
            _ => return false,
        };
        name.starts_with("__builtin_va_") || (self.quiet)(name)
    }
}
