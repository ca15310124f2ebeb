//! Functions without an effect on the model, and functions that assume a condition.

use std::collections::{BTreeMap, BTreeSet};

use cfront::library::{function, NoEffect};

use crate::facts::{Call, Facts};
use crate::library::calls;

/// The prefix of the names of calls to these functions where expanded headers declare them after the macros
/// that remove the calls.
pub const RENAMED: &str = "ba_call_";

/// The functions without effect on the model that a program calls, by the names that the program uses, each
/// with the meaning that the catalogue gives it; in the catalogue's order.
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

/// The function by which a call assumes its argument, and the argument's type. `None` if the program defines
/// the function: then its body counts.
pub fn assumed(call: &Call) -> Option<(&'static str, &'static str)> {
    let name = call.callee.as_deref().filter(|_| call.target.is_none())?;
    let row = function(name)?;
    Some((row.name, row.assumes?))
}
