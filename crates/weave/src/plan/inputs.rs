//! What is emitted for values that come from outside of the program.

use std::collections::{BTreeMap, BTreeSet};

use spec::InputValues;

use crate::facts::types::Scalar;
use crate::items::Item;

/// What is emitted for inputs.
#[derive(Clone, Debug, Default)]
pub struct Emission {
    /// The choices of values, each a function.
    pub choices: Vec<Choice>,
    /// Declarations of the functions that stand for calls.
    pub calls: Vec<Item>,
    /// The functions that stand for calls.
    pub functions: Vec<Item>,
    /// The text that gives static objects their values at the start.
    pub start: String,
    /// The text that tells, behind letter 0, how many arguments `main` gets.
    pub arguments: String,
    /// Sentences for the report.
    pub assumptions: Vec<String>,
    /// The choice of single bytes, if bytes are read.
    pub bytes: Option<usize>,
    /// Functions of the library of which only the backend may know what they store.
    pub opaque: Vec<String>,
    /// Whether some read is not modelled.
    pub partly: bool,
}

/// A choice among values of a type; equal ones share a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The type.
    pub ty: Scalar,
    /// The values.
    pub values: InputValues,
}

/// What is emitted for runs that the program itself discards, and for those that surely exist.
#[derive(Clone, Debug, Default)]
pub struct Discards {
    /// What stands for the functions with which the program assumes, by the emitted name.
    pub supposed: BTreeMap<String, Supposed>,
    /// Where it assumes, as `file:line`.
    pub suppositions: Vec<String>,
    /// The sites where a thread is cut in a run that no assumption can discard any more.
    pub sure_cuts: BTreeSet<usize>,
}

/// What stands in the emitted program for a function that assumes its argument.
#[derive(Clone, Debug)]
pub struct Supposed {
    /// The function that the program calls.
    pub name: String,
    /// What its argument is converted to. A pointer is a truth value: as an `int` it would lose the
    /// part of it that says what it points to.
    pub ty: &'static str,
    /// The first site that uses it.
    pub site: usize,
}
