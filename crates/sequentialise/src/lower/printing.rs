//! Functions with a variable number of arguments in which a thread may stop, as far as they only print these. What is printed is
//! not followed, so the arguments are evaluated, and lists of them left out.

use cfront::allocations::called_name;
use cfront::tree::{Parent, StmtKind};
use cfront::types::Type;
use cfront::{ExprId, FunctionId};

use super::Lower;

/// What begins, ends and copies a list of arguments.
const LISTS: [&str; 3] = [
    "__builtin_va_start",
    "__builtin_va_end",
    "__builtin_va_copy",
];

/// Functions of the library that print a list of arguments.
const PRINTING: [&str; 4] = ["vprintf", "vfprintf", "vdprintf", "vsyslog"];

impl Lower<'_, '_> {
    pub(super) fn is_variadic(&self, f: FunctionId) -> bool {
        let tree = self.facts.tree;
        let ty = tree.types.function(tree.functions[f].ty);
        ty.is_some_and(|ty| ty.variadic)
    }

    /// Whether a function has lists of arguments only to print them.
    pub(super) fn only_prints(&self, f: FunctionId) -> bool {
        let tree = self.facts.tree;
        let Some(body) = tree.functions[f].body.as_ref() else {
            return false;
        };
        self.facts.idents_in(body.span).all(|ident| {
            let list = matches!(tree.type_of(tree.exprs[ident].ty), Type::VaList);
            !list || matches!(tree.exprs[ident].parent, Parent::Expr(call) if self.takes_list(call))
        })
    }

    /// Whether a call is one that an inlined function with a variable number of arguments does without.
    pub(super) fn is_left_out(&self, call: ExprId) -> bool {
        let frame = self.frames.last();
        frame.is_some_and(|frame| self.is_variadic(frame.function)) && self.takes_list(call)
    }

    /// Whether a call makes a list of arguments, or prints one, and nothing has its result.
    fn takes_list(&self, call: ExprId) -> bool {
        let tree = self.facts.tree;
        let is_statement = matches!(tree.exprs[call].parent, Parent::Stmt(stmt)
            if matches!(tree.stmts[stmt].kind, StmtKind::Expr(_)));
        let Some(name) = called_name(tree, call).filter(|_| is_statement) else {
            return false;
        };
        let own = tree.function_named(name);
        let own = own.is_some_and(|f| tree.functions[f].body.is_some());
        // A woven program has models of these functions.
        let model = name.strip_prefix("ba_");
        LISTS.contains(&name)
            || PRINTING.contains(&name) && !own
            || model.is_some_and(|name| PRINTING.contains(&name))
    }
}
