//! Functions with a variable number of arguments in which a thread may stop, as far as they only print these, at once or from an
//! array of their own. What is printed is not followed, so the arguments are evaluated, and lists of them left out.

use cfront::allocations::called_name;
use cfront::library::{self, NoEffect};
use cfront::tree::{ExprKind, Parent, Resolved, StmtKind};
use cfront::types::{Class, Type};
use cfront::{ExprId, FunctionId, ObjectId};

use super::Lower;

/// What begins, ends and copies a list of arguments.
const LISTS: [&str; 3] = [
    "__builtin_va_start",
    "__builtin_va_end",
    "__builtin_va_copy",
];

/// Functions of the library that print a list of arguments.
const PRINTING: [&str; 4] = ["vprintf", "vfprintf", "vdprintf", "vsyslog"];

/// Functions of the library that write what a list of arguments says to memory.
const WRITING: [&str; 2] = ["vsnprintf", "vsprintf"];

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
        let is_statement = match tree.exprs[call].parent {
            Parent::Stmt(stmt) => matches!(tree.stmts[stmt].kind, StmtKind::Expr(_)),
            Parent::Expr(cast) => tree.types.class(tree.exprs[cast].ty) == Class::Void,
            _ => false,
        };
        let Some(name) = self.of_library(call).filter(|_| is_statement) else {
            return false;
        };
        LISTS.contains(&name)
            || PRINTING.contains(&name)
            || WRITING.contains(&name) && self.is_written_to_print(call)
    }

    /// The name of the function of the library that a call names; a woven program has models of some.
    fn of_library(&self, call: ExprId) -> Option<&str> {
        let tree = self.facts.tree;
        let name = called_name(tree, call)?;
        let own = tree.function_named(name);
        if let Some(name) = name.strip_prefix("ba_") {
            return library::function(name).map(|row| row.name);
        }
        if own.is_some_and(|f| tree.functions[f].body.is_some()) {
            return None;
        }
        match LISTS.contains(&name) {
            true => Some(name),
            false => library::function(name).map(|row| row.name),
        }
    }

    /// Whether a call writes to an array of its function whose contents are only printed, or written again.
    fn is_written_to_print(&self, call: ExprId) -> bool {
        let tree = self.facts.tree;
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return false;
        };
        let array = args.first().map(|to| &tree.exprs[tree.uncast(*to)].kind);
        let Some(ExprKind::Ident(Resolved::Object(array))) = array else {
            return false;
        };
        let object = &tree.objects[*array];
        let is_array = matches!(tree.type_of(object.ty), Type::Array(..));
        let function = object.function.filter(|_| !object.is_static_duration());
        let body = function.and_then(|f| tree.functions[f].body.as_ref());
        is_array
            && body.is_some_and(|body| {
                let mut uses = self
                    .facts
                    .idents_in(body.span)
                    .filter(|e| self.names(*e, *array));
                uses.all(|e| self.is_printed(e))
            })
    }

    fn names(&self, ident: ExprId, array: ObjectId) -> bool {
        matches!(self.facts.tree.exprs[ident].kind, ExprKind::Ident(Resolved::Object(o)) if o == array)
    }

    /// Whether the use of an array is one that does not read it, or prints it.
    fn is_printed(&self, mut used: ExprId) -> bool {
        let tree = self.facts.tree;
        if tree.exprs[used].unevaluated {
            return true;
        }
        while let Parent::Expr(around) = tree.exprs[used].parent {
            match &tree.exprs[around].kind {
                ExprKind::Cast(_) => used = around,
                ExprKind::Call { args, .. } if args.contains(&used) => {
                    let name = self.of_library(around);
                    let silent = |name: &str| {
                        let row = library::function(name);
                        row.is_some_and(|row| matches!(row.no_effect, Some(NoEffect::Silent(_))))
                    };
                    return name.is_some_and(|name| {
                        silent(name) || WRITING.contains(&name) && args.first() == Some(&used)
                    });
                }
                _ => return false,
            }
        }
        false
    }
}
