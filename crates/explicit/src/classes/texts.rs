//! Texts of which contracts speak: the words of a line that was cut, the argument of an option. The search keeps no bytes of them; a
//! word is at a place that nothing may read, and the line is forgotten. So the program must only hand them on, to functions for
//! which contracts stand, and ask whether there is one.

use std::collections::BTreeSet;

use cfront::calls::{library_function, named_function};
use cfront::consteval::is_null;
use cfront::span::ExprId;
use cfront::tree::{BinaryOp, ExprKind, Parent, Tree};
use cfront::types::{QualType, Type};
use cfront::{Aliases, CallGraph};

use super::{Obstacle, OWN};
use crate::text::{is_quiet, is_recorded, FORGETS};

/// The pointers to memory that is forgotten: there are some if contracts speak of texts.
pub(super) fn forgotten(tree: &Tree) -> Vec<ExprId> {
    let calls = tree.exprs.iter();
    let places = calls.filter_map(|(_, e)| match &e.kind {
        ExprKind::Call { callee, args, .. } => {
            let name = library_function(tree, *callee)?;
            FORGETS.contains(&name).then(|| args.first().copied())?
        }
        _ => None,
    });
    places.collect()
}

/// The place of an expression; of one in an emitted function, that of a call by which the program comes there.
pub(super) fn place(tree: &Tree, mut e: ExprId) -> usize {
    let mut seen = BTreeSet::new();
    while let Some(own) = tree
        .function_of(Parent::Expr(e))
        .filter(|f| tree.functions[*f].name.starts_with(OWN) && seen.insert(*f))
    {
        let mut calls = tree.exprs.iter().filter(|(_, e)| match &e.kind {
            ExprKind::Call { callee, .. } => named_function(tree, *callee) == Some(own),
            _ => false,
        });
        match calls.next() {
            Some((call, _)) => e = call,
            None => break,
        }
    }
    tree.exprs[e].span.start
}

/// Checks that the program does nothing else with such texts than to hand them on.
///
/// # Errors
/// What else it may do.
pub(super) fn handed_on(tree: &Tree, aliases: &Aliases) -> Result<(), Obstacle> {
    let runs = CallGraph::new(tree).may_run(tree, std::iter::empty());
    let leads_nowhere = |pointer: ExprId| {
        let to = aliases.pointed_to(pointer);
        is_pointer(tree, pointer) && !is_null(tree, pointer) && !to.anything && to.is_empty()
    };
    for (id, e) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
        let function = tree.function_of(Parent::Expr(id));
        // Headers have functions that nothing calls.
        if function.is_some_and(|f| !runs.contains(&f)) {
            continue;
        }
        let own = function.is_some_and(|f| tree.functions[f].name.starts_with(OWN));
        let what = match &e.kind {
            ExprKind::Deref(pointer) if leads_nowhere(*pointer) => "its characters are looked at",
            ExprKind::Index { base, .. } if leads_nowhere(*base) => "its characters are looked at",
            ExprKind::Binary(op, left, right) if !own && compares(*op) => {
                let places = [*left, *right]
                    .into_iter()
                    .all(|side| is_text(tree, side) && !is_null(tree, side));
                match places {
                    true => "its place is compared with others",
                    false => continue,
                }
            }
            ExprKind::Cast(inner)
                if !own
                    && is_text(tree, *inner)
                    && is_number(tree, e.ty)
                    && !is_null(tree, *inner)
                    && !is_recorded(tree, *inner) =>
            {
                "its place is made a number"
            }
            ExprKind::Call { callee, args, .. } => {
                let name = library_function(tree, *callee).filter(|name| !is_quiet(name));
                match name.is_some() && args.iter().any(|&arg| leads_nowhere(arg)) {
                    true => "a function of the library gets it for which no contract stands",
                    false => continue,
                }
            }
            _ => continue,
        };
        return Err(Obstacle {
            message: format!(
                "a text that the search keeps no characters of, as of a word of a line, is more than handed on: {what}"
            ),
            at: place(tree, id),
        });
    }
    Ok(())
}

fn compares(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne, Sub};
    matches!(op, Eq | Ne | Lt | Gt | Le | Ge | Sub)
}

fn is_number(tree: &Tree, ty: QualType) -> bool {
    matches!(tree.types.get(ty), Type::Int(_) | Type::Enum(_))
}

fn is_pointer(tree: &Tree, e: ExprId) -> bool {
    matches!(tree.types.get(tree.exprs[e].ty), Type::Pointer(_))
}

/// Whether an expression is a pointer to characters, or to anything.
fn is_text(tree: &Tree, e: ExprId) -> bool {
    let to = match tree.types.get(tree.exprs[e].ty) {
        Type::Pointer(to) | Type::Array(to, _) => *to,
        _ => return false,
    };
    let bits = crate::kinds::integer(tree, to).map(|(bits, _)| bits);
    bits == Some(8) || matches!(tree.types.get(to), Type::Void)
}
