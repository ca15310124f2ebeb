//! What calls of the C library, of POSIX threads and of the compiler's functions mean for a run. The catalogue
//! of functions is [`cfront::library`]; this room applies it to the calls of a program, and has the C text of
//! atomic operations.

pub mod assertions;
pub mod atomics;
pub mod effects;
pub mod ends;
pub mod prototypes;
pub mod synchronisation;

pub use cfront::library::{
    about_cancellation, allocates, cancellation_point, cancels, ends_process, ends_thread,
    function, lock, makes_nonlocal_jump, may_be_misused, never_returns, passes_time, plain_name,
    primitive, routine_argument, saves_place, silent, starts_thread, thread_specific,
    with_arguments, Allocates, Backend, Bytes, Contract, Family, Fills, Input, Lock, Runs, Size,
};

use crate::facts::{Call, Facts};

/// The calls of functions without a body in the program, with their names.
pub fn calls(facts: &Facts) -> impl Iterator<Item = (&Call, &str)> {
    let calls = facts.calls.iter().filter(|c| c.target.is_none());
    calls.filter_map(|c| Some((c, c.callee.as_deref()?)))
}

/// Whether a function ends the process or the calling thread.
pub fn ends(name: &str) -> bool {
    ends_process(name) || ends_thread(name)
}

/// Whether a function uses a lock, a semaphore or another object of threads, whose state the model keeps apart from the
/// program's objects.
pub fn uses_lock(name: &str) -> bool {
    primitive(name).is_some_and(|p| p.family != Family::Thread)
}

/// Whether a run may stop at a call, as its arguments say: an assumption discards it, or a lock blocks it. What a
/// lock is free to let pass depends on the calls before, so functions that release one count as well.
pub fn may_not_return(name: &str) -> bool {
    function(name).is_some_and(|f| {
        let locks = f.lock.is_some_and(|lock| lock != Lock::Looks);
        f.assumes.is_some() || uses_lock(name) || locks
    })
}

/// Whether a function has no effect on the model.
pub fn no_effect(name: &str) -> bool {
    function(name).is_some_and(|f| f.no_effect.is_some())
}
