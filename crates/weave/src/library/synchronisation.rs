//! Synchronisation: the functions that the emitted model replaces, and those that start threads.

use cfront::library::{primitive, routine_argument, starts_thread, Family};

use crate::facts::{Call, Facts, FunctionIndex};

/// The functions that manage memory and that the model replaces in programs with threads. This is no role in
/// the catalogue: `templates/threads.c` decides which functions have a version of their own; the other
/// functions that allocate keep the model checker's.
pub const MEMORY: [&str; 3] = ["malloc", "calloc", "free"];

/// The calls that start threads.
pub fn starts(facts: &Facts) -> impl Iterator<Item = &Call> {
    crate::library::calls(facts)
        .filter(|(_, name)| starts_thread(name))
        .map(|(call, _)| call)
}

/// Whether one of these functions of a program calls a function that the model replaces.
pub fn synchronises(facts: &Facts, of: impl Fn(FunctionIndex) -> bool) -> bool {
    let mut calls = crate::library::calls(facts).filter(|(call, _)| of(call.function));
    calls.any(|(_, name)| primitive(name).is_some())
}

/// The function that a call starts or runs, if its argument names one.
pub fn routine(call: &Call) -> Option<FunctionIndex> {
    let index = routine_argument(call.callee.as_deref()?)?;
    call.argument_functions.get(index).copied().flatten()
}

/// The functions that a thread with a computed start routine may run.
pub fn candidates(facts: &Facts) -> Vec<FunctionIndex> {
    (0..facts.functions.len())
        .filter(|&f| {
            let function = &facts.functions[f];
            function.address_taken.is_some() && function.parameters.is_some_and(|n| n <= 1)
        })
        .collect()
}

/// The family of primitives that a library type belongs to.
pub fn family_of_type(name: &str) -> Option<Family> {
    Some(match name {
        "pthread_mutex_t" | "mtx_t" => Family::Mutex,
        "pthread_cond_t" | "cnd_t" => Family::Cond,
        "pthread_rwlock_t" => Family::RwLock,
        "pthread_barrier_t" => Family::Barrier,
        "sem_t" => Family::Semaphore,
        _ => return None,
    })
}

/// The name under which threads with a computed start routine are started.
pub const COMPUTED: &str = "computed_routine";
