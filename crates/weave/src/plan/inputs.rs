//! What is emitted for values that come from outside of the program.

use spec::InputValues;

use crate::facts::types::Scalar;

/// What is emitted for inputs.
#[derive(Clone, Debug, Default)]
pub struct Emission {
    /// The choices of values, each a function.
    pub choices: Vec<Choice>,
    /// Declarations of the functions that stand for calls.
    pub calls: Vec<String>,
    /// The functions that stand for calls.
    pub functions: Vec<String>,
    /// The text that gives static objects their values at the start.
    pub start: String,
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
