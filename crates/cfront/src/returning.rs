//! Clears a wrong `noreturn` of functions that return.
//!
//! Programs for verifiers may declare inputs with wrong attributes: `extern int
//! __VERIFIER_nondet_int() __attribute__((__noreturn__))`. Such an attribute would end every run at
//! its first input, and every formula would hold on the remaining runs.

use std::collections::BTreeSet;

use crate::span::FunctionId;
use crate::tree::{ExprKind, Parent, Resolved, StmtKind, Tree};

/// Prefixes of names that verifiers define, whatever a declaration says: inputs, assumptions, their
/// own primitives.
const OF_VERIFIERS: [&str; 6] = [
    "__VERIFIER_nondet",
    "nondet_",
    "__VERIFIER_assume",
    "__VERIFIER_atomic_",
    "__CPROVER_",
    "__ESBMC_",
];

/// Whether verifiers define a function by its name. All of these functions return.
fn is_of_verifiers(name: &str) -> bool {
    OF_VERIFIERS.iter().any(|prefix| name.starts_with(prefix))
}

/// Clears `is_noreturn` of functions that verifiers define, and of functions whose result the
/// program uses.
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

/// The functions whose result some call uses. Linear in the number of expressions.
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
