//! Loops that count a local from one constant to another: they end, and their counter is a place in arrays that are long enough.

use crate::consteval::eval;
use crate::counted_loops::{ends, iterations, start, Iterations, Uses};
use crate::span::{ExprId, ObjectId, StmtId};
use crate::tree::{StmtKind, Storage, Tree};
use crate::types::{ArrayLen, Type};

/// A loop that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counting {
    /// What it counts, from a number that is not negative.
    pub counter: ObjectId,
    /// The greatest value in the body.
    pub most: i128,
}

/// The counter of `for (int i = 0; i < 8; i++)`, if the loop surely ends.
pub(super) fn counting(tree: &Tree, uses: &Uses, stmt: StmtId) -> Option<Counting> {
    let StmtKind::For { init, .. } = &tree.stmts[stmt].kind else {
        return None;
    };
    let (counter, first) = start(tree, init)?;
    let Iterations::Times(times) = iterations(tree, stmt)? else {
        return None;
    };
    let object = &tree.objects[counter];
    let is_plain = object.storage == Storage::Local && !object.ty.quals.is_volatile;
    (first >= 0 && is_plain && ends(tree, uses, stmt)).then(|| Counting {
        counter,
        most: first + i128::from(times) - 1,
    })
}

/// Whether an index lies in an array, within these loops.
pub(super) fn is_inside(tree: &Tree, array: ExprId, index: ExprId, loops: &[Counting]) -> bool {
    let Type::Array(_, ArrayLen::Known(length)) = tree.types.get(tree.exprs[array].ty) else {
        return false;
    };
    let counter = tree.named(index);
    let counted = loops.iter().find(|one| Some(one.counter) == counter);
    let most = counted.map(|one| one.most).or_else(|| eval(tree, index));
    most.is_some_and(|most| 0 <= most && most < i128::from(*length))
}
