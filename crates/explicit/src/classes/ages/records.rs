//! Whether states record all times besides the clock. What a program never writes is no part of its states; a time that stands still
//! while the clock goes on has an age all the same, by which states differ that are recorded as one.

use std::collections::{BTreeMap, BTreeSet};

use cfront::calls::named_function;
use cfront::span::ObjectId;
use cfront::tree::{ExprKind, Parent, Storage, Tree};
use cfront::types::{ArrayLen, QualType, Type};

use super::known::Place;
use super::times::Times;
use crate::text::ARRIVES;

/// Whether each variable that is a time, or has times in it, is recorded with all of them: those of the whole program, but those of the objects that are `ignored`, and the locals of
/// `main` at each head where they are declared. No other function has locals there.
pub(super) fn are_recorded(times: &Times, clock: ObjectId, ignored: &BTreeSet<String>) -> bool {
    let tree = times.known.tree;
    let mut recorded: BTreeMap<ObjectId, usize> = BTreeMap::new();
    for &(_, lvalue) in &times.recorded {
        if let (Some(object), false) = tree.root(lvalue) {
            *recorded.entry(object).or_default() += 1;
        }
    }
    let main = tree.function_named("main");
    let heads = heads(tree);
    tree.objects.iter().all(|(o, object)| {
        let scalars = times_in(times, Place::Object(o), object.ty);
        let recorded = recorded.get(&o).copied().unwrap_or(0);
        match object.storage {
            _ if o == clock || scalars == Some(0) => true,
            // Its age makes no difference.
            _ if !times.known.is_read(Place::Object(o)) && recorded == 0 => true,
            // Nothing that matters depends on its age either.
            Storage::Global | Storage::FileStatic
                if ignored.contains(&object.name)
                    && times.known.stores(Place::Object(o)).next().is_some() =>
            {
                recorded == 0
            }
            Storage::Global | Storage::FileStatic => Some(recorded) == scalars,
            Storage::StaticLocal => false,
            Storage::Local | Storage::Parameter if object.function == main => {
                let scope = tree.scopes[object.scope].span;
                let declared = |at: &&usize| object.declarator.end <= **at && **at < scope.end;
                let times = heads.iter().filter(declared).count();
                scalars.map(|scalars| scalars * times) == Some(recorded)
            }
            Storage::Local | Storage::Parameter => true,
        }
    })
}

/// The number of times in an object that a place designates; nothing if it is not known.
fn times_in(times: &Times, place: Place, ty: QualType) -> Option<usize> {
    let tree = times.known.tree;
    match tree.types.get(ty) {
        Type::Array(element, length) => match (times_in(times, place, *element), length) {
            (Some(0), _) => Some(0),
            (Some(scalars), ArrayLen::Known(count)) => {
                scalars.checked_mul(usize::try_from(*count).ok()?)
            }
            _ => None,
        },
        Type::Record(record) => {
            let members = tree.types.records[*record].members.iter().flatten();
            let of = members.enumerate();
            of.map(|(n, member)| times_in(times, Place::Member(*record, n), member.ty))
                .sum()
        }
        _ => Some(usize::from(times.places.contains(&place))),
    }
}

/// Where control of `main` arrives at heads.
fn heads(tree: &Tree) -> Vec<usize> {
    let main = tree.function_named("main");
    let calls = tree.exprs.iter().filter(|(id, e)| match &e.kind {
        ExprKind::Call { callee, .. } => {
            let called = named_function(tree, *callee);
            called.is_some_and(|f| tree.functions[f].name == ARRIVES)
                && tree.function_of(Parent::Expr(*id)) == main
        }
        _ => false,
    });
    calls.map(|(_, e)| e.span.start).collect()
}
