//! Which of the times is the one from which ages are counted.

use std::collections::BTreeSet;

use cfront::consteval::eval;
use cfront::span::{ExprId, ObjectId};
use cfront::tree::{BinaryOp, ExprKind, InitKind, Parent, Resolved, Storage, Tree};

use super::known::{place, Known, Place};
use super::times::Times;

/// The weaver's variable with the value of the formulas' clock.
pub(super) const CLOCK: &str = "ba_clock";

/// The clock by which formulas measure.
pub(super) fn clock_of_formulas(tree: &Tree) -> Option<ObjectId> {
    let now = tree.function_named("ba_clock_now")?;
    tree.exprs.iter().find_map(|(id, e)| match e.kind {
        ExprKind::Ident(Resolved::Object(o)) if !e.unevaluated => {
            (tree.function_of(Parent::Expr(id)) == Some(now)).then_some(o)
        }
        _ => None,
    })
}

/// The time from which ages are counted: one that goes on, and from which others are subtracted.
pub(super) fn clock(times: &Times) -> Option<ObjectId> {
    let tree = times.known.tree;
    let mut advanced: BTreeSet<Place> = BTreeSet::new();
    let mut copied: Vec<(Place, Place)> = Vec::new();
    for (_, e) in tree.exprs.iter() {
        match e.kind {
            ExprKind::IncDec { operand, .. } => advanced.extend(place(tree, operand)),
            ExprKind::Assign {
                op: Some(_), lhs, ..
            } => advanced.extend(place(tree, lhs)),
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => {
                let to = place(tree, lhs);
                match (to, place(tree, tree.uncast(rhs))) {
                    (Some(to), Some(from)) => copied.push((to, from)),
                    (Some(to), None) if is_sum(tree, rhs) => drop(advanced.insert(to)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    let from_sum = tree.objects.iter().filter(|(_, o)| {
        let init = o.init.map(|init| &tree.inits[init].kind);
        matches!(init, Some(InitKind::Expr(e)) if !o.is_static_duration() && is_sum(tree, *e))
    });
    advanced.extend(from_sum.map(|(o, _)| Place::Object(o)));
    let goes_on = |p: Place| {
        let mut copied = copied.iter();
        advanced.contains(&p) || copied.any(|(to, from)| *to == p && advanced.contains(from))
    };
    let subtracted_from = |o: ObjectId| {
        let of = times
            .differences
            .iter()
            .filter(|e| match tree.exprs[**e].kind {
                ExprKind::Binary(_, a, _) => place(tree, a) == Some(Place::Object(o)),
                _ => false,
            });
        of.count()
    };
    let candidates = times.places.iter().filter_map(|p| match p {
        Place::Object(o) if goes_on(*p) && may_be_clock(times.known, *o) => Some(*o),
        _ => None,
    });
    // In step form a copy of the clock stands still while another thread advances it.
    let of_steps = times.known.positions.are_known();
    let is_itself = |o: ObjectId| of_steps && advanced.contains(&Place::Object(o));
    candidates.max_by_key(|o| (is_itself(*o), subtracted_from(*o), std::cmp::Reverse(*o)))
}

fn is_sum(tree: &Tree, e: ExprId) -> bool {
    matches!(
        tree.exprs[tree.uncast(e)].kind,
        ExprKind::Binary(BinaryOp::Add, ..)
    )
}

/// A variable of the program that there is once: in `main`, one that gets a number before any loop.
fn may_be_clock(known: &Known, o: ObjectId) -> bool {
    let tree = known.tree;
    let object = &tree.objects[o];
    let scalar = crate::kinds::integer(tree, object.ty).is_some();
    scalar
        && match object.storage {
            Storage::Global | Storage::FileStatic => true,
            Storage::Local => match object.init.map(|init| &tree.inits[init].kind) {
                Some(InitKind::Expr(e)) => known.is_in_main(*e) && eval(tree, *e).is_some(),
                _ => false,
            },
            _ => false,
        }
}
