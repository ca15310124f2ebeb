//! Places in memory that lvalues designate, and whether two of them may overlap.

use cfront::consteval;
use cfront::span::{ExprId, Id};
use cfront::tree::{ExprKind, Resolved, Tree};
use cfront::types::Class;

use crate::facts::ObjectIndex;

/// A step from an object to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A member, by its record and its number there.
    Member {
        /// The record type.
        record: usize,
        /// The member's number.
        index: usize,
        /// Whether the record is a union, whose members overlap.
        union: bool,
    },
    /// An element of an array, by its index if that is constant.
    Index(Option<i128>),
}

/// The memory that an lvalue designates, as far as its text tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The object that the path begins at; `None` if it goes through a pointer.
    pub root: Option<ObjectIndex>,
    /// The steps from the root to the part.
    pub path: Vec<Step>,
    /// The lvalue's number among the expressions of the tree; `usize::MAX` for a whole object.
    pub lvalue: usize,
    /// Whether a second evaluation of the text designates the same place: a path with constant indices from a
    /// named object.
    pub repeatable: bool,
}

/// How the memory of a write relates to another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Overlap {
    /// They may share memory.
    Maybe,
    /// They are the same memory, or one is a part of the other.
    Surely,
}

impl Place {
    /// The place of a whole object, written by its name.
    pub fn object(object: ObjectIndex) -> Place {
        Place {
            root: Some(object),
            path: Vec::new(),
            lvalue: usize::MAX,
            repeatable: true,
        }
    }

    /// The place that an lvalue designates.
    pub fn of(tree: &Tree, lvalue: ExprId) -> Place {
        let mut place = Place {
            root: None,
            path: Vec::new(),
            lvalue: lvalue.index(),
            repeatable: true,
        };
        let mut at = lvalue;
        loop {
            at = match &tree.exprs[at].kind {
                ExprKind::Ident(Resolved::Object(object)) => {
                    place.root = Some(object.index());
                    break;
                }
                ExprKind::Member {
                    base,
                    arrow: false,
                    path,
                    ..
                } => {
                    place.path.extend(path.iter().rev().map(|&(record, index)| {
                        let union = tree.types.records[record].is_union;
                        Step::Member {
                            record: record.index(),
                            index,
                            union,
                        }
                    }));
                    if path.is_empty() {
                        // The member's type is unknown, so its position is unknown, too.
                        place.path.push(Step::Index(None));
                    }
                    *base
                }
                ExprKind::Index { base, index } => {
                    let Some((array, index)) = array_operand(tree, *base, *index) else {
                        break;
                    };
                    let value = consteval::eval(tree, index);
                    place.repeatable &= value.is_some();
                    place.path.push(Step::Index(value));
                    array
                }
                ExprKind::Deref(pointer) if is_array(tree, *pointer) => {
                    place.path.push(Step::Index(Some(0)));
                    *pointer
                }
                _ => match tree.selected(at) {
                    Some(arm) => arm,
                    None => break,
                },
            };
        }
        place.path.reverse();
        place.repeatable &= place.root.is_some();
        place
    }

    /// Whether a write to `self` changes the memory that `other` designates, both being parts of named objects;
    /// `None` if they do not overlap.
    pub fn overlaps(&self, other: &Place) -> Option<Overlap> {
        if self.root != other.root {
            return None;
        }
        let mut overlap = Overlap::Surely;
        for (a, b) in self.path.iter().zip(&other.path) {
            match (a, b) {
                (Step::Index(Some(i)), Step::Index(Some(j))) if i != j => return None,
                (Step::Index(Some(_)), Step::Index(Some(_))) => {}
                (Step::Index(_), Step::Index(_)) => overlap = Overlap::Maybe,
                _ if a == b => {}
                (
                    Step::Member {
                        record: r,
                        union: false,
                        ..
                    },
                    Step::Member { record: s, .. },
                ) if r == s => return None,
                // Members of one union, or types that do not fit together.
                _ => return Some(Overlap::Maybe),
            }
        }
        Some(overlap)
    }
}

fn is_array(tree: &Tree, e: ExprId) -> bool {
    matches!(tree.types.class(tree.exprs[e].ty), Class::Array)
}

/// The array and the index of `a[i]` or `i[a]`; `None` if a pointer is indexed.
pub(crate) fn array_operand(tree: &Tree, base: ExprId, index: ExprId) -> Option<(ExprId, ExprId)> {
    match (is_array(tree, base), is_array(tree, index)) {
        (true, _) => Some((base, index)),
        (false, true) => Some((index, base)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(root: usize, path: Vec<Step>) -> Place {
        Place {
            path,
            ..Place::object(root)
        }
    }

    fn member(record: usize, index: usize, union: bool) -> Step {
        Step::Member {
            record,
            index,
            union,
        }
    }

    #[test]
    fn members_and_elements_are_told_apart() {
        let element = |i| place(1, vec![Step::Index(i)]);
        let part = |i| place(1, vec![member(0, i, false)]);
        let either = |i| place(1, vec![member(0, i, true)]);
        assert_eq!(element(Some(1)).overlaps(&element(Some(2))), None);
        assert_eq!(
            element(Some(2)).overlaps(&element(Some(2))),
            Some(Overlap::Surely)
        );
        assert_eq!(
            element(None).overlaps(&element(Some(2))),
            Some(Overlap::Maybe)
        );
        assert_eq!(part(0).overlaps(&part(1)), None);
        assert_eq!(part(0).overlaps(&part(0)), Some(Overlap::Surely));
        assert_eq!(either(0).overlaps(&either(1)), Some(Overlap::Maybe));
        assert_eq!(
            part(0).overlaps(&Place::object(1)),
            Some(Overlap::Surely),
            "a part of the whole"
        );
        assert_eq!(
            Place::object(1).overlaps(&part(0)),
            Some(Overlap::Surely),
            "the whole of a part"
        );
        assert_eq!(part(0).overlaps(&place(2, vec![])), None);
    }
}
