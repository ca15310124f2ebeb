//! What is known of the functions of the C library, of POSIX threads and of the compiler: what each of them
//! means for a run.

pub mod atomics;
pub mod effects;
pub mod ends;
pub mod jumps;
pub mod synchronisation;

use crate::facts::{Call, Facts};

/// The calls of functions without a body in the program, with their names.
pub fn calls(facts: &Facts) -> impl Iterator<Item = (&Call, &str)> {
    let calls = facts.calls.iter().filter(|c| c.target.is_none());
    calls.filter_map(|c| Some((c, c.callee.as_deref()?)))
}
