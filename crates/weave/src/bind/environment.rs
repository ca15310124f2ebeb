//! What the specification says of the program's environment, as labels and objects of the program: when
//! letters are taken (`trace`), which runs do not exist (`prune`, `assume`), which labels are to be reached
//! (`reach`), which values come from outside (`inputs`).

use std::collections::BTreeMap;

use spec::InputValues;

use crate::bind::expression::Piece;
use crate::facts::{FunctionIndex, ObjectIndex};

/// What happens at one label beside the areas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtLabel {
    /// It is asked for whether control reaches it: index into [`Environment::reach`].
    pub reach: Option<usize>,
    /// Runs that come here do not exist.
    pub prune: bool,
    /// Runs in which one of these does not hold here do not exist: indices into
    /// [`Environment::assume`].
    pub assume: Vec<usize>,
    /// A letter is taken.
    pub sample: bool,
}

/// A condition at a label without which a run does not exist.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// As it was written.
    pub text: String,
    /// The condition.
    pub evaluation: Vec<Piece>,
    /// The functions that it calls itself.
    pub functions: Vec<FunctionIndex>,
    /// The label.
    pub label: usize,
}

/// A label whose reachability is asked for.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The property's name.
    pub name: String,
    /// The label.
    pub label: usize,
    /// The verdict that it should have.
    pub expect: Option<ltl::Expectation>,
}

/// All of it, with names resolved.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Whether letters are taken at sample labels only.
    pub sampled: bool,
    /// What happens at labels, by index of the label.
    pub at: BTreeMap<usize, AtLabel>,
    /// The assumptions.
    pub assume: Vec<Assumption>,
    /// The labels to be reached.
    pub reach: Vec<Reach>,
    /// Values from outside.
    pub inputs: Vec<Input>,
}

impl Environment {
    /// Whether the specification discards runs.
    pub fn discards(&self) -> bool {
        self.at.values().any(|at| at.prune || !at.assume.is_empty())
    }
}

/// Where an input's value goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// Calls of a function.
    Call(String),
    /// A variable, at its declaration.
    Variable(ObjectIndex),
}

/// An input with its names resolved.
#[derive(Clone, Debug)]
pub struct Input {
    /// Where the value goes.
    pub receiver: Receiver,
    /// The values.
    pub values: InputValues,
}
