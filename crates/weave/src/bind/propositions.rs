//! Areas and propositions with their names resolved.

use crate::bind::expression::{Piece, Region};
use crate::facts::{FunctionIndex, ObjectIndex};

/// How an area is entered and left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// From one label (index into [`Facts::labels`]) to another.
    Labels {
        /// The entry label.
        entry: usize,
        /// The exit label.
        exit: usize,
    },
    /// The position of one label.
    At(usize),
    /// From a function's entry to its return.
    Function,
}

/// A validity area, shared by the propositions that name the same labels.
#[derive(Clone, Debug)]
pub struct Area {
    /// The identifier behind `ba_in_`.
    pub name: String,
    /// Its function.
    pub function: FunctionIndex,
    /// How it is entered and left.
    pub extent: Extent,
    /// Its propositions.
    pub propositions: Vec<usize>,
}

/// A proposition whose names are resolved.
#[derive(Clone, Debug)]
pub struct Proposition {
    /// Its name in the specification.
    pub name: String,
    /// The identifier behind `ba_`.
    pub identifier: String,
    /// Its value outside its area.
    pub default: bool,
    /// Its area; `None` is the whole program.
    pub area: Option<usize>,
    /// Every named object whose value the evaluation depends on.
    pub objects: Vec<ObjectIndex>,
    /// The memory that the evaluation reads.
    pub regions: Vec<Region>,
    /// The value that it has in every letter whatever the program does, because of C's types.
    pub always: Option<bool>,
    /// The evaluation.
    pub evaluation: Vec<Piece>,
    /// The functions that the evaluation itself calls.
    pub functions: Vec<FunctionIndex>,
    /// What it is, in one line, for the emitted comment.
    pub description: String,
    /// The properties whose formulas use it, by index.
    pub used_by: Vec<usize>,
    /// What several instances of its area amount to.
    pub instances: spec::Instances,
}
