//! Volatile objects that a program reads and never writes: hardware writes them, or code that the program does not have.

use std::collections::{BTreeMap, BTreeSet};

use crate::access::{usage, written, Use};
use crate::alias::{Aliases, Locations};
use crate::span::{ExprId, ObjectId};
use crate::tree::{ExprKind, Resolved, Tree};
use crate::types::{QualType, Type};
use crate::Assumptions;

/// The volatile objects, alive during all of a run, that the program reads and that nothing in it may write, each with its
/// first read in the order of the program. Linear in the program; pointers are analysed only where one may lead to such an
/// object.
pub fn unwritten(tree: &Tree) -> Vec<(ObjectId, ExprId)> {
    let mut reads: BTreeMap<ObjectId, ExprId> = BTreeMap::new();
    let (mut changed, mut pointed) = (by_assembler(tree), BTreeSet::new());
    for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
        let ExprKind::Ident(Resolved::Object(o)) = expr.kind else {
            continue;
        };
        let object = &tree.objects[o];
        if !object.is_static_duration() || object.in_system_header || !is_volatile(tree, object.ty)
        {
            continue;
        }
        match usage(tree, id) {
            Use::Write | Use::ReadWrite => {
                changed.insert(o);
            }
            Use::Address => {
                pointed.insert(o);
            }
            Use::None => continue,
            Use::Read => {}
        }
        reads.entry(o).or_insert(id);
    }
    reads.retain(|o, _| !changed.contains(o));
    if reads.keys().any(|o| pointed.contains(o)) {
        let (aliases, written) = through_pointers(tree);
        reads.retain(|o, _| !pointed.contains(o) || !aliases.location_of(*o).meet(&written));
    }
    let mut found: Vec<(ObjectId, ExprId)> = reads.into_iter().collect();
    found.sort_by_key(|(_, read)| tree.exprs[*read].span.start);
    found
}

/// What assembler may write: what its statements name, and symbols in its text.
fn by_assembler(tree: &Tree) -> BTreeSet<ObjectId> {
    let named = tree
        .stmts
        .iter()
        .flat_map(|(_, s)| tree.named_by_assembler(s));
    let mut found: BTreeSet<ObjectId> = named.map(|(object, _)| object).collect();
    let words: BTreeSet<&str> = tree
        .assembler_words
        .iter()
        .map(|(w, _)| w.as_str())
        .collect();
    if !words.is_empty() {
        let symbols = tree.objects.iter();
        let symbols = symbols.filter(|(_, o)| o.function.is_none() && words.contains(&*o.name));
        found.extend(symbols.map(|(id, _)| id));
    }
    found
}

/// What the program writes through pointers.
fn through_pointers(tree: &Tree) -> (Aliases, Locations) {
    let aliases = Aliases::new(
        tree,
        Assumptions {
            whole_program: true,
        },
    );
    let mut all = Locations::default();
    for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
        match written(tree, id) {
            Some(lvalue) if !matches!(tree.root(lvalue), (Some(_), false)) => {
                all.join(&aliases.designated(lvalue));
            }
            None if matches!(expr.kind, ExprKind::Call { .. }) => {
                all.join(&aliases.written_by_call(tree, id));
            }
            _ => {}
        }
    }
    (aliases, all)
}

/// Whether a type, or that of its elements, is volatile.
pub(super) fn is_volatile(tree: &Tree, ty: QualType) -> bool {
    match tree.types.get(ty) {
        Type::Array(element, _) => is_volatile(tree, *element),
        _ => ty.quals.is_volatile,
    }
}
