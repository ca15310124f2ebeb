//! Which parts of memory are needed: the least set from which everything that stays can be computed.

use std::collections::HashSet;

use super::cuts::{cuts, Cuts};
use super::parts::{named_by, Part};
use super::Subject;
use crate::span::{ExprId, Id};

/// What can be left out if these parts are needed, and whatever the rest of the program reads.
pub(super) fn slice(subject: &Subject, mut needed: HashSet<Part>) -> Cuts {
    loop {
        let found = cuts(subject, &needed);
        let before = needed.len();
        needed.extend(read(subject, &found));
        if needed.len() == before {
            return found;
        }
    }
}

/// The parts that are read outside of what is left out.
fn read(subject: &Subject, cuts: &Cuts) -> HashSet<Part> {
    let tree = &subject.unit.tree;
    let mut gone = HashSet::new();
    let mut open = cuts.gone.clone();
    while let Some(e) = open.pop() {
        if gone.insert(e) {
            open.extend(tree.children(e));
        }
    }
    let stays =
        |e: &ExprId| e.index() >= subject.own || !(gone.contains(e) || cuts.places.contains(e));
    let all = tree.exprs.iter().filter(|(_, expr)| !expr.unevaluated);
    let all = all.map(|(id, _)| id).filter(stays);
    all.filter_map(|e| named_by(tree, e)).collect()
}
