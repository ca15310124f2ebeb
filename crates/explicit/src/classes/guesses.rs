//! What some runs need: values where an input has too many, and whether each beginning of a run is one of a run.

use std::collections::BTreeSet;

use cfront::allocations::called_name;
use cfront::tree::{ExprKind, Parent, Tree};

use crate::text;

/// The most values of an input near the program's constants.
const GUESSES: usize = 64;

/// Some values of an input within bounds, near the program's constants.
pub(super) fn guessed(tree: &Tree, (low, high): (i128, i128)) -> Vec<i128> {
    let constants = tree.exprs.iter().filter_map(|(_, e)| match e.kind {
        ExprKind::Int(value) | ExprKind::Char(value) if !e.unevaluated => value,
        _ => None,
    });
    let near = constants.flat_map(|c| [c - 1, c, c + 1]);
    let near: BTreeSet<i128> = near.filter(|v| (low..=high).contains(v)).collect();
    let mut out: Vec<i128> = near.into_iter().collect();
    out.sort_unstable_by_key(|v| v.unsigned_abs());
    out.truncate(GUESSES);
    let ends = [0, 1, 2, low, high].into_iter();
    out.extend(ends.filter(|v| (low..=high).contains(v)));
    out
}

/// Whether a function that may run discards runs.
pub(super) fn discards(tree: &Tree) -> bool {
    let runs = cfront::CallGraph::new(tree).may_run(tree, std::iter::empty());
    tree.exprs.ids().any(|call| {
        let named = called_name(tree, call).is_some_and(text::assumes);
        let within = tree.function_of(Parent::Expr(call));
        named && within.is_none_or(|f| runs.contains(&f))
    })
}
