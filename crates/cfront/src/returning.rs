//! Functions that are declared not to return and return nevertheless.
//!
//! Programs for verifiers declare their inputs with whatever attributes a tool that made the file
//! found fitting: `extern int __VERIFIER_nondet_int() __attribute__((__noreturn__))`. Taken at its word
//! that ends every run at its first input, and every formula would hold of what is left.

use std::collections::BTreeSet;

use crate::span::FunctionId;
use crate::tree::{ExprKind, Parent, Resolved, StmtKind, Tree};

/// Names that verifiers give a meaning, whatever a declaration says: inputs, assumptions, their own
/// primitives.
const OF_VERIFIERS: [&str; 6] = [
    "__VERIFIER_nondet",
    "nondet_",
    "__VERIFIER_assume",
    "__VERIFIER_atomic_",
    "__CPROVER_",
    "__ESBMC_",
];

/// Whether verifiers know a function by its name, and it returns.
fn is_of_verifiers(name: &str) -> bool {
    OF_VERIFIERS.iter().any(|prefix| name.starts_with(prefix))
}

/// Takes back that a function does not return where verifiers know it, or where the program does
/// something with its result.
pub(crate) fn take_back(tree: &mut Tree) {
    let mut declared: BTreeSet<FunctionId> = tree
        .functions
        .iter()
        .filter(|(_, f)| f.is_noreturn)
        .map(|(id, _)| id)
        .collect();
    if declared.is_empty() {
        return;
    }
    let used = used_results(tree);
    declared.retain(|f| is_of_verifiers(&tree.functions[*f].name) || used.contains(f));
    for function in declared {
        tree.functions[function].is_noreturn = false;
    }
}

/// The functions that some call uses for their value. Complexity: the number of expressions.
fn used_results(tree: &Tree) -> BTreeSet<FunctionId> {
    let mut used = BTreeSet::new();
    for (id, expr) in tree.exprs.iter() {
        let ExprKind::Call { callee, .. } = &expr.kind else {
            continue;
        };
        let ExprKind::Ident(Resolved::Function(function)) = tree.exprs[*callee].kind else {
            continue;
        };
        let void = tree.types.class(expr.ty) == crate::types::Class::Void;
        let dropped = match expr.parent {
            Parent::Stmt(s) => {
                matches!(tree.stmts[s].kind, StmtKind::Expr(Some(e)) if e == id)
            }
            Parent::Expr(outer) => match &tree.exprs[outer].kind {
                ExprKind::Cast(_) => {
                    tree.types.class(tree.exprs[outer].ty) == crate::types::Class::Void
                }
                ExprKind::Comma(list) => list.last() != Some(&id),
                _ => false,
            },
            _ => false,
        };
        if !void && !dropped && !expr.unevaluated {
            used.insert(function);
        }
    }
    used
}
