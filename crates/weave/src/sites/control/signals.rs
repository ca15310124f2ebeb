//! Signals: a handler runs between any two steps of the program.
//!
//! In the call graph every function calls every handler, so that what a handler writes, ends or
//! jumps over is found as if it were called from anywhere. A step of the monitor is not interrupted:
//! the emitted blocks hold back the signals that come from outside. A signal that the program raises
//! by what it does (an access that traps) may come within a block; a jump out of its handler gives the
//! block up. Model checkers neither run handlers nor send signals, so they are refused there.

use std::collections::BTreeSet;

use cfront::calls::plain_name;

use crate::analysis::threads::Edge;
use crate::facts::{Call, Facts, FunctionIndex};
use crate::plan::weaver::Weaver;
use crate::sites::threads::synchronisation::library;

/// Which argument of a library function is a handler, or leads to a structure with one.
fn handler_argument(name: &str) -> Option<usize> {
    match plain_name(name) {
        "signal" | "sigset" | "bsd_signal" | "sysv_signal" | "ssignal" | "sigaction" | "sigvec" => {
            Some(1)
        }
        _ => None,
    }
}

/// What a library function does that a model checker does not: it sends the process a signal, now or
/// later, or makes another program of it.
fn unmodelled(name: &str) -> Option<&'static str> {
    match plain_name(name) {
        "raise" | "kill" | "killpg" | "pthread_kill" | "tgkill" | "sigqueue" | "gsignal" => {
            Some("it sends a signal, which may end the process or run a handler")
        }
        "alarm" | "ualarm" | "setitimer" | "timer_settime" => {
            Some("it lets a signal come later, which may end the process or run a handler")
        }
        "execv" | "execve" | "execvp" | "execvpe" | "execl" | "execle" | "execlp" | "fexecve" => {
            Some("another program takes the place of this one, whose run ends")
        }
        _ => None,
    }
}

/// The calls that may register a function as a handler.
fn registrations(facts: &Facts) -> impl Iterator<Item = (&Call, Option<FunctionIndex>)> {
    library(facts).filter_map(|(call, name)| {
        let index = handler_argument(name)?;
        Some((call, call.argument_functions.get(index).copied().flatten()))
    })
}

/// Whether an argument is a constant of the library's (`SIG_IGN`, a null pointer), not a function.
fn is_constant(argument: &str) -> bool {
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

/// The functions that signals may run: those that are named where they are registered, and, where a
/// variable or structure is registered, all whose address is taken and whose parameters fit.
pub(crate) fn handlers(facts: &Facts, text: &str) -> BTreeSet<FunctionIndex> {
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
fn given_a_constant(call: &Call, text: &str) -> bool {
    let argument = call.arguments.get(1);
    let argument = argument.and_then(|range| text.get(range.start..range.end));
    argument.is_some_and(is_constant)
}

/// Edges of the call graph: every function may be interrupted by every handler, through a node of
/// their own behind all others.
pub(crate) fn interruptions(facts: &Facts, text: &str, node: usize) -> Vec<Edge> {
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

impl<'a> Weaver<'a> {
    /// Whether signals run functions of the program.
    pub(crate) fn handles_signals(&self) -> bool {
        !handlers(self.facts, self.text).is_empty()
    }

    /// Whether a place may be reached in a handler.
    pub(crate) fn in_handler(&self, call: &Call) -> bool {
        let handlers = handlers(self.facts, self.text);
        let mut handlers = handlers.into_iter();
        handlers.any(|h| h == call.function || self.threads.reaches(h, call.function))
    }

    /// The calls that model checkers do not follow, and why.
    fn signal_calls(&self) -> Vec<(&'a Call, String, &'static str)> {
        let handled = self.handles_signals();
        let mut found = Vec::new();
        for (call, name) in library(self.facts) {
            if let Some(why) = unmodelled(name) {
                found.push((call, format!("`{name}` is not modelled"), why));
            } else if handler_argument(name).is_some()
                && handled
                && !given_a_constant(call, self.text)
            {
                found.push((
                    call,
                    format!("`{name}` registers a handler, which is not modelled"),
                    "model checkers do not run handlers of signals",
                ));
            }
        }
        for (call, registrar) in self.unnamed_handlers() {
            let message = format!("the function that `{registrar}` registers is not named here");
            found.push((call, message, "computed, or without a body in the program"));
        }
        for (call, name, why) in self.native_calls() {
            if unmodelled(name).is_none() {
                found.push((call, format!("`{name}` is not modelled"), why));
            }
        }
        found
    }

    /// File, line and text of each call that model checkers do not follow.
    pub(crate) fn signal_places(&self) -> Vec<String> {
        let calls = self.signal_calls();
        calls.iter().map(|(c, ..)| self.place_of(c.range)).collect()
    }

    /// Refuses what model checkers do not follow.
    pub(crate) fn refuse_signals(&mut self) {
        for (call, message, why) in self.signal_calls() {
            let name = call.callee.as_deref().unwrap_or_default();
            let help = match crate::sites::control::library_calls::help(name) {
                Some(help) => help,
                None if name.contains("exit") => "pass the name of a function of the program",
                None if handler_argument(name).is_some() => {
                    "use `--backend native`, or let a thread do what the handler does"
                }
                None => "use `--backend native`",
            };
            self.refuse(call.range, message, why, Some(help));
        }
    }

    /// The functions of the epilogue that hold signals back.
    pub(crate) fn signal_functions(&self) -> Vec<String> {
        match self.handles_signals() {
            true => vec![include_str!("../../../../../templates/signals.c")
                .trim_end()
                .into()],
            false => Vec::new(),
        }
    }
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
