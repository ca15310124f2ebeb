//! The emitted text for values from outside the program, and for runs that the program discards.

use std::collections::{BTreeMap, BTreeSet};

use spec::InputValues;

use crate::facts::types::Scalar;
use crate::items::Item;

/// Reads of bytes that are not chosen where they are stored.
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    /// The choice of a single one.
    pub choice: usize,
    /// Whether some of them are lines.
    pub lines: bool,
}

/// The emitted text for inputs.
#[derive(Clone, Debug, Default)]
pub struct Emission {
    /// The choices of values; each is an emitted function.
    pub choices: Vec<Choice>,
    /// Declarations of the functions that replace calls.
    pub calls: Vec<Item>,
    /// The functions that replace calls.
    pub functions: Vec<Item>,
    /// The text that gives static objects their values at the start of `main`.
    pub start: String,
    /// The text after letter 0 that reports the number of `main`'s arguments.
    pub arguments: String,
    /// The assumptions about inputs, as sentences for the report.
    pub assumptions: Vec<String>,
    /// How bytes are read, if some are.
    pub bytes: Option<Bytes>,
    /// Functions of the library whose stores only the backend may know.
    pub opaque: Vec<String>,
    /// Whether some read is not modelled.
    pub partly: bool,
    /// The objects that reads of bytes fill.
    pub filled: BTreeSet<usize>,
    /// Whether the call that is planned has a contract: its choices are not inputs of the program.
    pub by_contract: bool,
    /// The functions without a body that are known.
    pub known: Known,
}

/// Functions without a body of which more is known than that they give any value.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Those of the library that have contracts.
    pub contracts: BTreeSet<String>,
    /// Those of them that the program computes itself elsewhere.
    pub computed: BTreeSet<String>,
    /// The functions that definitions of library functions call.
    pub helpers: BTreeSet<&'static str>,
    /// Whether the program reads bytes from outside, or has arguments: strings of any characters.
    pub reads_bytes: bool,
    /// Those that return nothing and change nothing of the program's.
    pub harmless: BTreeSet<String>,
    /// Those of the library whose values model checkers do not compute.
    pub estimated: BTreeSet<String>,
    /// Those that compute their results, where model checkers may not know them.
    pub computing: BTreeSet<String>,
    /// Calls of functions without effect whose results are inputs.
    pub outcomes: BTreeSet<usize>,
}

/// A choice among values of a type; equal choices share a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The type.
    pub ty: Scalar,
    /// The values.
    pub values: InputValues,
    /// The least and the greatest of any values, if these are not those of the type.
    pub within: Option<(i128, i128)>,
}

/// The emitted text for runs that the program itself discards, and the cuts of runs that surely exist.
#[derive(Clone, Debug, Default)]
pub struct Discards {
    /// The replacements of the functions by which the program assumes conditions, by emitted name.
    pub supposed: BTreeMap<String, Supposed>,
    /// Where the program assumes conditions, as `file:line`.
    pub suppositions: Vec<String>,
    /// The sites where a thread is cut in a run that no assumption discards any more.
    pub sure_cuts: BTreeSet<usize>,
}

/// The replacement of a function that assumes its argument.
#[derive(Clone, Debug)]
pub struct Supposed {
    /// The function that the program calls.
    pub name: String,
    /// The type that its argument is converted to. A pointer counts as a truth value: a conversion to `int`
    /// would lose the bits that tell its object.
    pub ty: &'static str,
    /// The first site that calls it.
    pub site: usize,
}
