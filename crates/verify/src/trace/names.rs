//! Names of function results and of emitted variables in a backend's trace.

use std::collections::BTreeSet;

use backend::{StepKind, TraceStep as BackendStep};

/// The prefix of CBMC's variable for the result of a function with a body.
pub(super) const RETURNS: &str = "goto_symex$$return_value$$";

/// Functions whose results are inputs although a backend's own library has bodies for them.
const SOURCES: [&str; 9] = [
    "rand", "random", "rand_r", "getchar", "fgetc", "getc", "time", "clock", "getpid",
];

/// The functions whose results are computed: those with a body, in the program or in the backend's
/// library.
pub(super) fn computed(steps: &[BackendStep]) -> BTreeSet<&str> {
    let names = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Assignment { lhs, .. } => lhs.strip_prefix(RETURNS),
        _ => None,
    });
    names
        .map(function_of)
        .filter(|name| !SOURCES.contains(name))
        .collect()
}

/// Whether a step belongs to the backend's own library.
pub(super) fn in_library(step: &BackendStep) -> bool {
    let file = step.location.file.as_deref();
    file.is_some_and(|f| f.starts_with("<builtin"))
}

/// The function whose result a variable holds; `None` for other variables and for emitted
/// functions.
pub(super) fn called(variable: &str) -> Option<&str> {
    let name = variable
        .strip_prefix("return_value_")
        .or(variable.strip_prefix("return_value$_"))?;
    let name = function_of(name);
    (!name.starts_with("nondet_ba_") && !name.starts_with("ba_")).then_some(name)
}

/// The function's name in the name of a result: without the `$2` that numbers several results, and
/// without a member or index.
fn function_of(name: &str) -> &str {
    name.split(['$', '.', '[']).next().unwrap_or(name)
}

/// The called function, or the variable, in the text of an input.
pub(super) fn called_name(what: &str) -> &str {
    what.split('(').next().unwrap_or(what).trim()
}

/// The variable of the remembered value of which a variable tells whether it is chosen.
pub(super) fn remembered_by(name: &str) -> Option<String> {
    let (before, number) = name.split_once("let_taken_")?;
    name.starts_with("ba_")
        .then(|| format!("{before}let_{number}"))
}

/// Whether a variable has a remembered value.
pub(super) fn is_remembered(name: &str) -> bool {
    let digits = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    let number = name.rsplit_once("let_").map(|(_, number)| number);
    name.starts_with("ba_") && number.is_some_and(digits)
}

/// Whether a name is `ba_` and the word, with an optional infix number between them, which keeps
/// emitted names apart from the program's.
pub(super) fn is_emitted(name: &str, word: &str) -> bool {
    let inner = name.strip_prefix("ba_").and_then(|n| n.strip_suffix(word));
    inner.is_some_and(|n| {
        n.is_empty()
            || n.strip_suffix('_')
                .is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
    })
}
