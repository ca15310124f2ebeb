//! Programs without handlers in which a thread takes signals by `sigwait`.
//!
//! Which signals are blocked belongs to a thread, but nothing asks for that here except `sigwait` itself: one mask is enough,
//! if it is set before the threads start.

use std::fmt::Write as _;

use crate::diag::Diagnostic;
use crate::interrupts::COMES;
use crate::tree::Parent;

use super::numbers::Numbers;
use super::signal::Signal;
use super::{is_constant, Program, Role, KILL, STOP};

/// The signals of `sigfillset`.
const ALL: std::ops::RangeInclusive<i128> = 1..=31;

impl Program<'_> {
    /// Adds the signals that the program may wait for to those that it names.
    ///
    /// # Errors
    /// A use of signals that is not followed beside these waits, with its place.
    pub(super) fn waited(&mut self, numbers: &Numbers) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let main = tree.function_named("main");
        let sends = self.has(&[Role::Raises, Role::Kills]);
        let looks = self.has(&[Role::Looks]);
        for used in &self.uses {
            let refused =
                |message: &str| Err(Diagnostic::error(tree.exprs[used.call].span, message));
            match used.role {
                Role::Fills => self.named.extend(ALL.filter(|n| ![KILL, STOP].contains(n))),
                Role::Adds => match used.args.get(1).and_then(|e| numbers.all(*e)) {
                    Some(all) => self.named.extend(all),
                    None => return refused("which signal this is about is not known"),
                },
                Role::Masks => {
                    let old = used.args.get(2).is_some_and(|e| !is_constant(tree, *e));
                    let own = tree.function_of(Parent::Expr(used.call)) == main;
                    if old && looks || sends && !own {
                        return refused(
                            "which signals each thread blocks is not followed beside `sigwait`",
                        );
                    }
                }
                Role::Pauses | Role::Suspends | Role::Alarms | Role::Times => {
                    return refused("this is not followed beside `sigwait`")
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The body of `sigwait`: it takes a pending signal of the set, or one that comes, or goes on waiting. One that is not blocked
/// ends the process instead.
pub(super) fn body(signals: &[Signal], pends: bool) -> String {
    let mut out = String::from(
        "unsigned long of = *(const unsigned long *)set; int got = 0; while (!got) { __VERIFIER_atomic_begin();",
    );
    for signal in signals {
        let (bit, number) = (signal.bit(), signal.number);
        let (pending, taken) = match pends {
            true => (
                format!("signals_pending_{} || ", signal.name),
                format!(" signals_pending_{} = 0;", signal.name),
            ),
            false => (String::new(), String::new()),
        };
        let _ = write!(
            out,
            " if (!got && (of & {bit}) && ({pending}{COMES}())) {{ if (!(signals_blocked & {bit})) {} got = {number};{taken} }}",
            signal.default()
        );
    }
    out + " __VERIFIER_atomic_end(); } *number = got; return 0;"
}
