//! The specification's statements about the environment, resolved to labels and objects of the program: where
//! letters are taken (`trace`), which runs are discarded (`prune`, `assume`), which labels are to be reached
//! (`reach`), which values come from outside (`inputs`).

use std::collections::BTreeMap;

use spec::InputValues;

use crate::bind::expression::Piece;
use crate::facts::{FunctionIndex, ObjectIndex};

/// Everything that happens at one label, apart from areas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtLabel {
    /// The question whether control reaches the label: an index into [`Environment::reach`].
    pub reach: Option<usize>,
    /// Whether runs that reach the label are discarded.
    pub prune: bool,
    /// Conditions without which a run that reaches the label is discarded: indices into
    /// [`Environment::assume`].
    pub assume: Vec<usize>,
    /// Whether a letter is taken.
    pub sample: bool,
}

/// A condition at a label; a run in which it does not hold there is discarded.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The condition as the user wrote it.
    pub text: String,
    /// The condition.
    pub evaluation: Vec<Piece>,
    /// The functions that the condition calls itself.
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

/// The environment with its names resolved.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Whether letters are taken at sample labels only.
    pub sampled: bool,
    /// The events at each label, by the label's index.
    pub at: BTreeMap<usize, AtLabel>,
    /// The assumptions.
    pub assume: Vec<Assumption>,
    /// The labels to be reached.
    pub reach: Vec<Reach>,
    /// The inputs.
    pub inputs: Vec<Input>,
}

impl Environment {
    /// Whether the specification discards runs.
    pub fn discards(&self) -> bool {
        self.at.values().any(|at| at.prune || !at.assume.is_empty())
    }
}

/// The receiver of an input's value.
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
    /// The receiver of the value.
    pub receiver: Receiver,
    /// The values.
    pub values: InputValues,
}
