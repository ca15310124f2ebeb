//! Functions that the program registers to run when the process ends.

use std::collections::BTreeSet;

use crate::facts::{Call, Facts, FunctionIndex};

/// Whether a function translates a format: compilers check the format that it is given.
pub fn gives_format(name: &str) -> bool {
    let plain = name.strip_prefix('d').unwrap_or(name);
    let plain = plain.strip_prefix('c').unwrap_or(plain);
    matches!(plain, "gettext" | "ngettext")
}

/// The functions that register handlers, each with the function that runs the handlers: the functions of the
/// catalogue whose handlers take no arguments. The epilogue has a list for each.
pub const REGISTRARS: [(&str, &str); 2] = [("atexit", "exit"), ("at_quick_exit", "quick_exit")];

/// The calls of a registrar.
pub fn registrations<'a>(
    facts: &'a Facts,
    registrar: &'static str,
) -> impl Iterator<Item = &'a Call> + 'a {
    let calls = facts.calls.iter();
    calls.filter(move |c| c.target.is_none() && c.callee.as_deref() == Some(registrar))
}

/// The functions that calls of a registrar name.
pub fn handlers(facts: &Facts, registrar: &'static str) -> BTreeSet<FunctionIndex> {
    registrations(facts, registrar)
        .filter_map(|c| c.argument_functions.first().copied().flatten())
        .collect()
}

/// The functions that calls of any registrar name.
pub fn all_handlers(facts: &Facts) -> BTreeSet<FunctionIndex> {
    let each = REGISTRARS.iter().map(|(registrar, _)| *registrar);
    each.flat_map(|registrar| handlers(facts, registrar))
        .collect()
}
