//! Signals: a handler runs between any two steps of the program.
//!
//! In the call graph, every function calls every handler, so that a handler's writes, ends and jumps are found
//! as if any function called it. A signal does not interrupt a step of the monitor: the emitted blocks hold
//! back signals from outside. A signal that the program itself causes (an access that traps) may arrive within
//! a block; a jump out of its handler then gives the block up. Model checkers neither run handlers nor send
//! signals, so for them signals are refused.

use askama::Template;
use cfront::library::handler_argument;

use crate::analysis::signal_handlers::{given_a_constant, handlers};
use crate::facts::Call;
use crate::items::words::*;
use crate::items::{rendered, Item};
use crate::layout::weaver::Weaver;
use crate::library;

#[derive(Template)]
#[template(path = "signals.c", escape = "none")]
struct Blocks;

/// An effect of a library function that model checkers do not follow: it sends the process a signal, now or
/// later, or replaces its program.
fn unmodelled(name: &str) -> Option<&'static str> {
    library::function(name)?.signals
}

impl<'a> Weaver<'a> {
    /// Whether signals run functions of the program.
    pub(crate) fn handles_signals(&self) -> bool {
        !handlers(self.facts, self.program.text).is_empty()
    }

    /// Whether a handler may reach a call.
    pub(crate) fn in_handler(&self, call: &Call) -> bool {
        let handlers = handlers(self.facts, self.program.text);
        let mut handlers = handlers.into_iter();
        handlers.any(|h| h == call.function || self.analysis.threads.reaches(h, call.function))
    }

    /// The calls that model checkers do not follow, and why.
    fn signal_calls(&self) -> Vec<(&'a Call, String, &'static str)> {
        let handled = self.handles_signals();
        let mut found = Vec::new();
        for (call, name) in library::calls(self.facts) {
            if let Some(why) = unmodelled(name) {
                found.push((call, format!("`{name}` is not modelled"), why));
            } else if handler_argument(name).is_some()
                && handled
                && !given_a_constant(call, self.program.text)
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

    /// Refuses the calls that model checkers do not follow.
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
    pub(crate) fn signal_functions(&self) -> Option<Item> {
        self.handles_signals().then(|| rendered(&Blocks).into())
    }
}
