//! Turns a threaded C program into a sequential one with the runs of at most R rounds: lazy
//! sequentialisation (Inverso, Tomasco, Fischer, La Torre, Parlato, CAV 2014).
//!
//! Each thread becomes a function. Loops are unrolled and calls inlined in the text. Each place
//! where another thread could take its turn has a number, its *position*. A context of a thread
//! enters at the position where the last one stopped, and leaves at one that the model checker
//! chooses. Locals are static, so that they keep their values between contexts. A blocked thread
//! stays at its position.
//!
//! A run of R rounds consists of the main thread's first context and then, R times, one context of
//! each other thread in the order of their numbers and one of the main thread. Contexts may be
//! empty.
//!
//! For infinite runs (`lasso`), loops are not unrolled, a context may return to the head of a loop,
//! and at the border of each round the whole state may be saved, once, or be equal to the saved
//! one.
//!
//! For all runs (`steps`), one loop lets a chosen thread take a step from one position to the next.
//!
//! The crate does not depend on specifications: it can be used for any program.

mod accesses;
mod allocations;
mod arguments;
mod code;
pub mod counters;
mod emit;
mod facts;
mod freed;
mod heap;
mod instant;
mod lasso;
mod library;
mod live;
mod local_types;
mod lower;
mod members;
pub mod memory;
mod models;
mod options;
mod pointers;
mod pools;
mod positions;
mod print;
pub mod races;
mod rooms;
mod sharing;
mod synctypes;
mod tells;
mod uses;
mod written;

pub use models::modelled_type;
pub use options::{
    Allocations, Does, Fairness, Freed, Hooks, Lasso, Local, Options, Position, Sequential, Stop,
    Tell, Thread, Watched, TELLING,
};

use cfront::{Diagnostic, Span, Unit};

use accesses::Accesses;
use facts::Facts;
use lower::Lower;
use sharing::Sharing;

/// What is said where [`Options::stop`] ended it.
pub(crate) const STOPPED: &str = "stopped before the program was sequential";

/// Makes the sequential program.
///
/// The threads are lowered twice: first with every access of possibly shared memory as a separate
/// step, which shows which accesses can race; then with only those accesses as separate steps.
///
/// # Errors
/// The constructs that cannot be followed, each with its place; or that it was stopped ([`Options::stop`]).
pub fn sequentialise(unit: &Unit, options: &Options) -> Result<Sequential, Vec<Diagnostic>> {
    let whole = |message: &str| Err(vec![Diagnostic::error(Span::empty(0), message)]);
    if unit.parts.len() > 1 {
        return whole("only programs of one file can be sequentialised");
    }
    let main = unit.tree.function_named("main");
    let Some(main) = main.filter(|&f| unit.tree.functions[f].body.is_some()) else {
        return whole("the program has no function `main`");
    };
    let facts = Facts::new(unit);
    let accesses = Accesses::new(&facts);
    let all = Sharing::all();
    let apart = Lower::run(&facts, &accesses, &all, options, main)?;
    let stopped = || match options.stop.is_asked() {
        true => Err(vec![Diagnostic::error(Span::empty(0), STOPPED)]),
        false => Ok(()),
    };
    stopped()?;
    let full = options.steps && options.watched == Watched::Accesses;
    let sharing = match full || !options.steps && lasso::everywhere(options) {
        true => all.clone().restarting(&apart),
        false => Sharing::of(facts.tree, &apart).watching(options),
    };
    drop(apart);
    stopped()?;
    let mut lowered = Lower::run(&facts, &accesses, &sharing, options, main)?;
    stopped()?;
    uses::leave_out(&mut lowered);
    if !facts.mutex_kinds && !options.turns() {
        instant::leave_out(&mut lowered);
    }
    emit::emit(&facts, lowered, options)
}
