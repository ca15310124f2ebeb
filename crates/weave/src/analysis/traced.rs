//! The objects whose values a trace can show, beside the propositions that read them.
//!
//! A model checker's trace names an object without its scope. So only objects are shown whose name is
//! unambiguous where they are written: a missing value is better than another object's value.

use std::collections::BTreeSet;

use crate::bind::expression::Piece;
use crate::facts::record::ReadRecord;
use crate::facts::{Facts, FunctionIndex, Lifetime, Object, ObjectIndex};

/// The objects that a proposition reads: those that a trace can show, and the others.
pub(crate) fn reads(
    facts: &Facts,
    objects: &[ObjectIndex],
    evaluation: &[Piece],
) -> (Vec<ReadRecord>, Vec<ReadRecord>) {
    let of = |&index: &ObjectIndex| {
        let object = facts.objects.get(index)?;
        let unique = (0..)
            .zip(&facts.objects)
            .all(|(other, o)| other == index || !confused(object, o));
        let (function, local) = match object.lifetime {
            Lifetime::Static | Lifetime::ThreadLocal => (None, false),
            Lifetime::StaticLocal(f) => (Some(f), false),
            Lifetime::Local(f) => (Some(f), true),
            Lifetime::Prototype => return None,
        };
        let function = function.map(|f: FunctionIndex| facts.functions[f].name.clone());
        let read = ReadRecord {
            name: match &function {
                Some(function) => format!("{function}::{}", object.name),
                None => object.name.clone(),
            },
            object: object.name.clone(),
            function: function.filter(|_| local),
            parts: parts(index, evaluation),
        };
        Some((unique && !object.system, read))
    };
    let of = |wanted: bool| {
        let known = objects.iter().filter_map(of);
        let these = known.filter(|(shown, _)| *shown == wanted);
        let reads: BTreeSet<ReadRecord> = these.map(|(_, read)| read).collect();
        reads.into_iter().collect()
    };
    (of(true), of(false))
}

/// The parts of an object that an evaluation reads by name; empty if it reads the whole.
fn parts(object: ObjectIndex, evaluation: &[Piece]) -> Vec<String> {
    let leaves = evaluation.iter().filter_map(|piece| match piece {
        Piece::Leaf(leaf) if leaf.object == object => Some(leaf),
        _ => None,
    });
    let mut parts: Vec<String> = Vec::new();
    for leaf in leaves {
        if leaf.suffix.is_empty() || leaf.address || leaf.pointer {
            return Vec::new();
        }
        parts.push(leaf.suffix.clone());
    }
    parts.sort();
    parts.dedup();
    parts
}

/// Whether a write in a trace could be one of either object.
fn confused(object: &Object, other: &Object) -> bool {
    let function = |o: &Object| match o.lifetime {
        Lifetime::Local(f) => Some(f),
        _ => None,
    };
    let apart = match (function(object), function(other)) {
        (Some(f), Some(g)) => f != g,
        _ => false,
    };
    object.name == other.name && other.lifetime != Lifetime::Prototype && !apart
}
