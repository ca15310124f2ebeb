//! Members of structures whose values the flows keep apart.
//!
//! The members of an object are kept apart if the program only accesses scalars of it, each by its name, such as
//! `p.left` and `t[i].wants`. The elements of an array are one part.

use std::collections::{BTreeMap, BTreeSet};

use cfront::access::{usage, Use};
use cfront::span::{ExprId, Id, ObjectId, RecordId};
use cfront::tree::{ExprKind, Parent, Resolved, Tree};
use cfront::types::Type;

use crate::kinds::integer;

/// The members on the way to a scalar: each the structure and the number of the member in it.
type Way = Vec<(RecordId, usize)>;

/// The parts of objects, each with a node of its own.
#[derive(Default)]
pub(super) struct Parts {
    /// The node of an expression that accesses a part.
    nodes: BTreeMap<ExprId, usize>,
    /// The nodes of the parts of an object.
    objects: BTreeMap<usize, BTreeSet<usize>>,
}

impl Parts {
    /// Finds the parts; their nodes have the numbers from `first` on.
    pub(super) fn of(tree: &Tree, first: usize) -> Parts {
        let mut accesses: BTreeMap<ObjectId, Vec<(ExprId, Option<Way>)>> = BTreeMap::new();
        for (id, expr) in tree.exprs.iter() {
            let ExprKind::Ident(Resolved::Object(object)) = expr.kind else {
                continue;
            };
            // What no value initialises has no part whose first value is unknown.
            let counts = tree.objects[object].is_static_duration();
            if counts && usage(tree, id) != Use::None {
                accesses.entry(object).or_default().push(accessed(tree, id));
            }
        }
        let mut out = Parts::default();
        let mut next = first;
        for (object, all) in accesses {
            if all.iter().any(|(_, way)| way.is_none()) {
                continue;
            }
            let mut known: BTreeMap<Way, usize> = BTreeMap::new();
            for (e, way) in all {
                let node = *known.entry(way.unwrap_or_default()).or_insert_with(|| {
                    next += 1;
                    next - 1
                });
                out.nodes.insert(e, node);
            }
            let nodes = known.into_values().collect();
            out.objects.insert(object.index(), nodes);
        }
        out
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.objects.values().map(BTreeSet::len).sum()
    }

    /// The node of an expression that accesses a part.
    pub(super) fn node(&self, e: ExprId) -> Option<usize> {
        self.nodes.get(&e).copied()
    }

    /// The nodes of an object's parts.
    pub(super) fn nodes(&self, object: ObjectId) -> impl Iterator<Item = usize> + '_ {
        let nodes = self.objects.get(&object.index());
        nodes.into_iter().flatten().copied()
    }
}

/// The scalar that the use of an identifier accesses, and the way to it; no way if it is no integer member of
/// structures, or if its address is taken.
fn accessed(tree: &Tree, ident: ExprId) -> (ExprId, Option<Way>) {
    let (mut at, mut way) = (ident, Way::new());
    while let Parent::Expr(parent) = tree.exprs[at].parent {
        match &tree.exprs[parent].kind {
            ExprKind::Member {
                arrow: false, path, ..
            } if !path.is_empty() => way.extend(path.iter().copied()),
            ExprKind::Index { base, .. }
                if *base == at && matches!(tree.types.get(tree.exprs[at].ty), Type::Array(..)) => {}
            _ => break,
        }
        at = parent;
    }
    let apart = |(record, _): &(RecordId, usize)| !tree.types.records[*record].is_union;
    let scalar = integer(tree, tree.exprs[at].ty).is_some();
    let counts =
        scalar && !way.is_empty() && way.iter().all(apart) && usage(tree, ident) != Use::Address;
    (at, counts.then_some(way))
}
