//! Functions without an effect on the model, and those that discard runs.

use std::collections::{BTreeMap, BTreeSet};

use cfront::library::{function, NoEffect};

use crate::facts::{Call, Facts};
use crate::library::calls;

/// The names of calls of these functions begin so where their declarations stand in the text behind the
/// macros that take them away: expanded headers.
pub const RENAMED: &str = "ba_call_";

/// The functions without effect on the model that a program calls, by the names that it uses, each with what it
/// means; in the order of the catalogue.
pub fn without_effect(facts: &Facts) -> Vec<(&str, NoEffect)> {
    let mut called: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (_, name) in calls(facts) {
        if let Some(row) = function(name).filter(|row| row.no_effect.is_some()) {
            called.entry(row.name).or_default().insert(name);
        }
    }
    let rows = cfront::library::all().filter_map(|row| Some((row.name, row.no_effect?)));
    rows.flat_map(|(row, effect)| {
        let names = called.remove(row).unwrap_or_default();
        names.into_iter().map(move |name| (name, effect))
    })
    .collect()
}

/// The function that a call assumes its argument with, and the type of that. A function that the program
/// defines does what its body says.
pub fn assumed(call: &Call) -> Option<(&'static str, &'static str)> {
    let name = call.callee.as_deref().filter(|_| call.target.is_none())?;
    let row = function(name)?;
    Some((row.name, row.assumes?))
}
