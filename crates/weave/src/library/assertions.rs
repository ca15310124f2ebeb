//! Assertions of the program: which calls mean that one has failed.

use crate::facts::{Call, Facts};
use crate::library;

/// The function by which SV-COMP programs assume a condition: it aborts if the condition does not hold.
const ABORTING: &str = "assume_abort_if_not";

/// Whether the library's `assert` calls this function when its condition does not hold.
fn asserts(name: &str) -> bool {
    library::function(name).is_some_and(|f| f.asserts)
}

/// Whether a program has assertions of its own.
pub fn has_assertions(facts: &Facts) -> bool {
    library::calls(facts).any(|(_, name)| asserts(name)) || aborts_as_assumption(facts)
}

/// Whether a program defines [`ABORTING`]. A run that it aborts counts as a run that ends, as the program's
/// text says; the user can ask to discard it.
pub fn aborts_as_assumption(facts: &Facts) -> bool {
    facts.functions.iter().any(|f| f.name == ABORTING)
}

/// Whether a call of a function without a body says that an assertion has failed.
pub fn is_failure(facts: &Facts, call: &Call, name: &str) -> bool {
    asserts(name) || name == "abort" && facts.functions[call.function].name == ABORTING
}
