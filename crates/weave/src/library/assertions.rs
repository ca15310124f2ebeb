//! Assertions of the program: what calls mean that one of them has failed.

use crate::facts::{Call, Facts};
use crate::library;

/// A function of public programs that aborts where what they assume does not hold.
const ABORTING: &str = "assume_abort_if_not";

/// Whether `assert` calls a function when its condition does not hold.
fn asserts(name: &str) -> bool {
    library::function(name).is_some_and(|f| f.asserts)
}

/// Whether a program has assertions of its own.
pub fn has_assertions(facts: &Facts) -> bool {
    library::calls(facts).any(|(_, name)| asserts(name)) || aborts_as_assumption(facts)
}

/// Whether a program has the function by which public programs assume: it aborts. A run that it
/// ends is a run that ends, as what the program really does; it is discarded where the user says so.
pub fn aborts_as_assumption(facts: &Facts) -> bool {
    facts.functions.iter().any(|f| f.name == ABORTING)
}

/// Whether a call of a function without a body means that an assertion has failed.
pub fn is_failure(facts: &Facts, call: &Call, name: &str) -> bool {
    asserts(name) || name == "abort" && facts.functions[call.function].name == ABORTING
}
