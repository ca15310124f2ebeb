//! What pointers may point to.
//!
//! A points-to analysis in the manner of Andersen: it heeds neither the order of statements nor
//! which member of a structure or element of an array is meant, so its answers hold at every
//! place, in every thread. Sound for C whose pointers come from addresses of objects, allocation,
//! arithmetic within objects, casts (through 64-bit integers, too) and library functions. A number
//! that is cast to a pointer points to no object of the program. A function without body is taken
//! to touch nothing but what it is given.

mod constraints;
mod solve;

use std::collections::BTreeSet;

use crate::span::{ExprId, FunctionId, Id, ObjectId};
use crate::tree::Tree;
use solve::{Graph, Node};

/// What an analysis may assume.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Assumptions {
    /// All callers of the unit's functions are in the unit. Otherwise the parameters of functions
    /// with external linkage may point to anything.
    pub whole_program: bool,
}

/// Something in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Location {
    /// A variable or parameter.
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// A string, a compound literal, or the memory that a call allocates.
    Made(ExprId),
    /// Anything.
    Unknown,
}

/// A set of things that a pointer may point to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PointsTo {
    /// Variables and parameters, or parts of them.
    pub objects: BTreeSet<ObjectId>,
    /// Functions.
    pub functions: BTreeSet<FunctionId>,
    /// Whether there is something else that is known: allocated memory, strings, literals.
    pub unnamed: bool,
    /// Whether it may be anything at all; the other fields then say nothing.
    pub anything: bool,
}

impl PointsTo {
    /// Whether the object, or a part of it, may be meant.
    pub fn may_be(&self, object: ObjectId) -> bool {
        self.anything || self.objects.contains(&object)
    }
}

/// The result of the analysis for a unit.
#[derive(Clone, Debug)]
pub struct Aliases {
    locations: Vec<Location>,
    graph: Graph,
    exprs: usize,
}

impl Aliases {
    /// Analyses a unit.
    pub fn new(tree: &Tree, assumptions: Assumptions) -> Aliases {
        constraints::analyse(tree, assumptions)
    }

    /// What the value of an expression may point to: of a pointer its targets, of an array its own
    /// object. For expressions of fragments, which are not part of the program, anything.
    pub fn may_point_to(&self, e: ExprId) -> PointsTo {
        self.set(e, constraints::value(e))
    }

    /// What an lvalue may designate: the object that a write to it changes.
    pub fn may_designate(&self, e: ExprId) -> PointsTo {
        self.set(e, constraints::place(e))
    }

    fn set(&self, e: ExprId, node: Node) -> PointsTo {
        let mut set = PointsTo::default();
        if e.index() >= self.exprs || self.graph.gave_up() {
            set.anything = true;
            return set;
        }
        for location in self.graph.points_to(node) {
            match self.locations[location] {
                Location::Object(o) => {
                    set.objects.insert(o);
                }
                Location::Function(f) => {
                    set.functions.insert(f);
                }
                Location::Made(_) => set.unnamed = true,
                Location::Unknown => set.anything = true,
            }
        }
        set
    }
}
