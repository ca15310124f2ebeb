//! Parts of objects by the way that leads to them, and whether two of them are different memory
//! locations.

use cfront::span::RecordId;
use cfront::types::QualType;
use cfront::{ExprId, Memory};

/// A step from an object to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Step {
    /// The memory location of a member: the index of the member, or of the first of the bit-fields
    /// that are one memory location with it (C11, 3.14).
    Member(RecordId, usize),
    /// An element, by its index if that is constant.
    Element(Option<i128>),
    /// The element whose index is the number of its own that this call gave to the thread (`numbered`).
    Own(ExprId),
    /// An element whose index is the number of no thread that may run and that one of these calls, by their bits, has started.
    Apart(u64),
}

impl Step {
    /// Whether it may lead to different elements.
    pub fn varies(&self) -> bool {
        matches!(self, Step::Element(None) | Step::Own(_) | Step::Apart(_))
    }
}

/// A part of an object or of allocated memory.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Path {
    /// The object or allocation.
    pub memory: Memory,
    /// The way from there.
    pub steps: Vec<Step>,
}

/// A path with the type of the object there.
pub(super) type Located = (Path, QualType);

impl Path {
    /// Whether all its indices are constant.
    pub fn is_constant(&self) -> bool {
        !self.steps.iter().any(Step::varies)
    }
}

/// Whether two ways from one object lead to parts that do not overlap.
pub(super) fn steps_are_apart(a: &[Step], b: &[Step]) -> bool {
    for (a, b) in a.iter().zip(b) {
        match (a, b) {
            (Step::Member(r, i), Step::Member(s, j)) if r == s => {
                if i != j {
                    return true;
                }
            }
            (Step::Element(Some(i)), Step::Element(Some(j))) => {
                if i != j {
                    return true;
                }
            }
            (
                Step::Element(_) | Step::Own(_) | Step::Apart(_),
                Step::Element(_) | Step::Own(_) | Step::Apart(_),
            ) => {}
            _ => return false,
        }
    }
    false
}

/// Whether two ways lead to different elements of an array in different threads that this call started.
pub(super) fn are_of_different_threads(a: &[Step], b: &[Step], started: ExprId) -> bool {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b);
    same.into_iter().any(|(a, _)| *a == Step::Own(started))
}

/// Whether the first way leads to the element of a thread that this call started, and the second one, with the bit of the call, to the
/// element of none that may run.
pub(super) fn is_of_no_other(a: &[Step], b: &[Step], (started, bit): (ExprId, u64)) -> bool {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    match (a.get(same), b.get(same)) {
        (Some(Step::Own(call)), Some(Step::Apart(calls))) => *call == started && calls & bit != 0,
        _ => false,
    }
}
