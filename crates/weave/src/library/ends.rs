//! Functions that the program registers to run when the process ends.

use std::collections::BTreeSet;

use crate::facts::{Call, Facts, FunctionIndex};

/// Functions that translate a format: compilers look through them.
pub fn gives_format(name: &str) -> bool {
    let plain = name.strip_prefix('d').unwrap_or(name);
    let plain = plain.strip_prefix('c').unwrap_or(plain);
    matches!(plain, "gettext" | "ngettext")
}

/// The functions that register handlers, each with what runs them: those of the catalogue that get a function
/// without arguments, for each of which the epilogue has a list of its own.
pub const REGISTRARS: [(&str, &str); 2] = [("atexit", "exit"), ("at_quick_exit", "quick_exit")];

/// The calls that register handlers with a function.
pub fn registrations<'a>(
    facts: &'a Facts,
    registrar: &'static str,
) -> impl Iterator<Item = &'a Call> + 'a {
    let calls = facts.calls.iter();
    calls.filter(move |c| c.target.is_none() && c.callee.as_deref() == Some(registrar))
}

/// The functions that are registered.
pub fn handlers(facts: &Facts, registrar: &'static str) -> BTreeSet<FunctionIndex> {
    registrations(facts, registrar)
        .filter_map(|c| c.argument_functions.first().copied().flatten())
        .collect()
}

/// All functions that a registrar is given.
pub fn all_handlers(facts: &Facts) -> BTreeSet<FunctionIndex> {
    let each = REGISTRARS.iter().map(|(registrar, _)| *registrar);
    each.flat_map(|registrar| handlers(facts, registrar))
        .collect()
}
