//! Integers that the program always accesses by their names: variables, members of structures, elements of arrays with constant
//! indices.

use std::collections::{BTreeMap, BTreeSet};

use cfront::consteval::eval;
use cfront::span::{ExprId, ObjectId};
use cfront::tree::{ExprKind, Parent, Resolved, Storage, Tree};
use cfront::types::Type;
use cfront::CallGraph;

use super::{is_int, INT, PASSED};
use crate::kinds::integer;

/// A place: the object, and the way to a scalar in it.
pub(super) type Place = (ObjectId, String);

/// All places and their occurrences.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The place that an expression designates; only the outermost expression of an occurrence.
    pub of: BTreeMap<ExprId, usize>,
    /// The places.
    pub all: Vec<Place>,
}

/// Finds the places.
pub(super) fn places(tree: &Tree, calls: &CallGraph) -> Places {
    let (mut found, mut refused) = (Vec::new(), BTreeSet::new());
    for (id, expr) in tree.exprs.iter() {
        let ExprKind::Ident(Resolved::Object(object)) = expr.kind else {
            continue;
        };
        if expr.unevaluated || refused.contains(&object) {
            continue;
        }
        match designated(tree, id).filter(|_| is_candidate(tree, calls, object)) {
            Some((e, way)) => found.push((e, (object, way))),
            None => drop(refused.insert(object)),
        }
    }
    found.retain(|(_, (object, _))| !refused.contains(object));
    let mut out = Places::default();
    let mut numbers: BTreeMap<Place, usize> = BTreeMap::new();
    for (e, place) in found {
        let number = *numbers.entry(place.clone()).or_insert_with(|| {
            out.all.push(place);
            out.all.len() - 1
        });
        out.of.insert(e, number);
    }
    out
}

/// Whether an object may have such places.
fn is_candidate(tree: &Tree, calls: &CallGraph, object: ObjectId) -> bool {
    let o = &tree.objects[object];
    let quals = o.ty.quals;
    if quals.is_volatile || quals.is_const || quals.is_atomic || o.thread_local {
        return false;
    }
    if o.name == PASSED {
        return integer(tree, o.ty) == Some(INT);
    }
    if o.name.starts_with(super::super::OWN) {
        return false;
    }
    match o.storage {
        Storage::Global | Storage::FileStatic => true,
        // Each place is there once.
        Storage::Local => {
            integer(tree, o.ty) == Some(INT) && o.function.is_some_and(|f| !calls.is_recursive(f))
        }
        _ => false,
    }
}

/// The expression around a name that designates an integer by way of members and constant indices, and that way.
fn designated(tree: &Tree, name: ExprId) -> Option<(ExprId, String)> {
    let (mut at, mut way) = (name, String::new());
    while !is_int(tree, at) {
        let Parent::Expr(parent) = tree.exprs[at].parent else {
            return None;
        };
        match &tree.exprs[parent].kind {
            ExprKind::Member {
                base, arrow, name, ..
            } if *base == at && !arrow => {
                let Type::Record(record) = tree.types.get(tree.exprs[at].ty) else {
                    return None;
                };
                (!tree.types.records[*record].is_union).then_some(())?;
                tree.bit_field(parent).is_none().then_some(())?;
                way.push('.');
                way.push_str(name);
            }
            ExprKind::Index { base, index } if *base == at => {
                matches!(tree.types.get(tree.exprs[at].ty), Type::Array(..)).then_some(())?;
                let index = eval(tree, *index)?;
                way.push_str(&format!("[{index}]"));
            }
            _ => return None,
        }
        let quals = tree.exprs[parent].ty.quals;
        (!quals.is_volatile && !quals.is_atomic).then_some(())?;
        at = parent;
    }
    Some((at, way))
}
