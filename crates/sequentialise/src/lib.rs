//! A threaded C program as a sequential one that has its runs of at most R rounds: lazy
//! sequentialisation (Inverso, Tomasco, Fischer, La Torre, Parlato, CAV 2014).
//!
//! Each thread becomes a function. Loops are unrolled and calls inlined in the text, and each
//! place where another thread could take its turn has a number, its *position*. A context of a
//! thread enters at the position where the last one stopped, and leaves at one that the model
//! checker chooses. Locals are static, so that they keep their values between contexts. A thread
//! that cannot go on stays at its position.
//!
//! A run of R rounds is: the main thread's first context; then, R times, one context of each other
//! thread in the order in which they are numbered, and one of the main thread. Contexts may be
//! empty.
//!
//! The crate knows nothing of specifications: it can be used for any program.

mod options;

pub use options::{Hooks, Local, Options, Position, Sequential, Thread};

use cfront::{Diagnostic, Span, Unit};

/// Makes the sequential program.
///
/// # Errors
/// What cannot be followed, each with its place.
pub fn sequentialise(unit: &Unit, options: &Options) -> Result<Sequential, Vec<Diagnostic>> {
    let _ = (unit, options);
    let message = "programs cannot be sequentialised yet";
    Err(vec![Diagnostic::error(Span::empty(0), message)])
}
