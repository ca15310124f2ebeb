//! Areas and propositions with their names resolved.

use crate::bind::expression::{Piece, Region};
use crate::facts::{FunctionIndex, ObjectIndex};

/// How an area is entered and left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// From one label (index into [`crate::facts::program::Facts::labels`]) to another.
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
    /// The identifier in its emitted names, such as `ba_in_g1`.
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
    /// The identifier in its emitted names, such as `ba_p_g1`.
    pub identifier: String,
    /// Its value outside its area.
    pub default: bool,
    /// Its area; `None` is the whole program.
    pub area: Option<usize>,
    /// The named objects that the evaluation depends on.
    pub objects: Vec<ObjectIndex>,
    /// The memory that the evaluation reads.
    pub regions: Vec<Region>,
    /// The value that it has in every letter because of its C types, whatever the program does.
    pub always: Option<bool>,
    /// The evaluation.
    pub evaluation: Vec<Piece>,
    /// The functions that the evaluation calls itself.
    pub functions: Vec<FunctionIndex>,
    /// Its meaning in one line, for the emitted comment.
    pub description: String,
    /// The indices of the properties whose formulas use it.
    pub used_by: Vec<usize>,
    /// How the values of several instances of its area combine.
    pub instances: spec::Instances,
}
