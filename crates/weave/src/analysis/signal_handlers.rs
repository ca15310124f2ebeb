//! Signals: which functions run when a signal arrives.
//!
//! In the call graph, every function calls every handler, so that a handler's writes, ends and jumps are found
//! as if any function called it.

use std::collections::BTreeSet;

use cfront::library::handler_argument;

use crate::analysis::reachability::Edge;
use crate::facts::{Call, Facts, FunctionIndex};
use crate::library;

/// The calls that register a handler for a signal, with the handler if the call names it.
pub fn registrations(facts: &Facts) -> impl Iterator<Item = (&Call, Option<FunctionIndex>)> {
    library::calls(facts).filter_map(|(call, name)| {
        let index = handler_argument(name)?;
        Some((call, call.argument_functions.get(index).copied().flatten()))
    })
}

/// Whether an argument is a constant of the library (`SIG_IGN`, a null pointer), not a function.
pub fn is_constant(argument: &str) -> bool {
    let types = [
        "__sighandler_t",
        "sighandler_t",
        "void",
        "int",
        "const",
        "struct",
    ];
    let words = argument.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let mut words = words.filter(|word| !word.is_empty());
    let known =
        |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || types.contains(&word);
    !argument.is_empty() && words.all(known)
}

/// The functions that signals may run: those that registering calls name and, if one registers a variable or
/// structure, all functions whose address is taken and whose parameters fit.
pub fn handlers(facts: &Facts, text: &str) -> BTreeSet<FunctionIndex> {
    let mut found = BTreeSet::new();
    for (call, named) in registrations(facts) {
        match named {
            Some(function) => {
                found.insert(function);
            }
            None if given_a_constant(call, text) => {}
            None => found.extend((0..facts.functions.len()).filter(|&f| {
                let function = &facts.functions[f];
                function.address_taken.is_some()
                    && matches!(function.parameters, None | Some(0 | 1 | 3))
            })),
        }
    }
    found
}

/// Whether a call registers no function: `signal(SIGPIPE, SIG_IGN)`, `sigaction(n, 0, &old)`.
pub fn given_a_constant(call: &Call, text: &str) -> bool {
    let argument = call.arguments.get(1);
    let argument = argument.and_then(|range| text.get(range.start..range.end));
    argument.is_some_and(is_constant)
}

/// Edges of the call graph by which every handler may interrupt every function, through a node numbered after
/// all others.
pub fn interruptions(facts: &Facts, text: &str, node: usize) -> Vec<Edge> {
    let handlers = handlers(facts, text);
    if handlers.is_empty() {
        return Vec::new();
    }
    let into = (0..facts.functions.len()).map(|from| (from, node));
    let out = handlers.iter().map(|&to| (node, to));
    let edge = |(from, to)| Edge {
        from,
        to,
        repeated: true,
    };
    into.chain(out).map(edge).collect()
}

#[cfg(test)]
mod tests {
    use super::is_constant;

    #[test]
    fn constants_are_told_from_functions_and_variables() {
        for constant in [
            "((__sighandler_t) 1)",
            "0",
            "((void *)0)",
            "(__sighandler_t)0L",
        ] {
            assert!(is_constant(constant), "{constant}");
        }
        for other in [
            "handler",
            "&action",
            "table[1]",
            "f1",
            "x ? f : 0",
            "old_2",
            "f(1)",
            "",
        ] {
            assert!(!is_constant(other), "{other}");
        }
    }
}
