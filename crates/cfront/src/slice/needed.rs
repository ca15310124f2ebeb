//! Which parts of memory are needed: the least set from which everything that stays can be computed.

use std::collections::{BTreeSet, HashSet};

use super::cuts::{cuts, Cuts};
use super::parts::{named_by, Part};
use crate::parse::Unit;
use crate::span::{ExprId, Id};
use crate::tree::Tree;

/// What can be left out if these parts are needed, and whatever the rest of the program reads.
pub(super) fn slice(
    unit: &Unit,
    own: usize,
    named: &BTreeSet<&str>,
    mut needed: HashSet<Part>,
) -> Cuts {
    loop {
        let found = cuts(unit, &needed, named);
        let before = needed.len();
        needed.extend(read(&unit.tree, own, &found));
        if needed.len() == before {
            return found;
        }
    }
}

/// The parts that are read outside of what is left out.
fn read(tree: &Tree, own: usize, cuts: &Cuts) -> HashSet<Part> {
    let mut gone = HashSet::new();
    let mut open = cuts.gone.clone();
    while let Some(e) = open.pop() {
        if gone.insert(e) {
            open.extend(tree.children(e));
        }
    }
    let stays = |e: &ExprId| e.index() >= own || !(gone.contains(e) || cuts.places.contains(e));
    let all = tree.exprs.iter().filter(|(_, expr)| !expr.unevaluated);
    let all = all.map(|(id, _)| id).filter(stays);
    all.filter_map(|e| named_by(tree, e)).collect()
}
