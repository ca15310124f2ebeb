//! Synchronisation: the functions that the emitted model replaces, and those that start threads.

use crate::facts::{Call, Facts, FunctionIndex};

/// A function that the model replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Primitive {
    /// Its name.
    pub name: &'static str,
    /// What it belongs to.
    pub family: Family,
    /// Whether the model is told the place of the call: it may wait there, or be used wrongly.
    pub placed: bool,
}

/// What a primitive, or a type, belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Threads.
    Thread,
    /// Mutexes of POSIX.
    Mutex,
    /// Mutexes of C11.
    Mtx,
    /// Condition variables of POSIX.
    Cond,
    /// Condition variables of C11.
    Cnd,
    /// Read-write locks.
    RwLock,
    /// Barriers.
    Barrier,
    /// Semaphores.
    Semaphore,
    /// Spin locks.
    Spin,
    /// Initialisation that is done once.
    Once,
}

pub const fn plain(name: &'static str, family: Family) -> Primitive {
    Primitive {
        name,
        family,
        placed: false,
    }
}

pub const fn placed(name: &'static str, family: Family) -> Primitive {
    Primitive {
        name,
        family,
        placed: true,
    }
}

/// All functions that the model replaces, except those that start or end a thread.
pub const PRIMITIVES: [Primitive; 64] = [
    placed("pthread_join", Family::Thread),
    plain("pthread_detach", Family::Thread),
    plain("pthread_self", Family::Thread),
    plain("pthread_equal", Family::Thread),
    placed("thrd_join", Family::Thread),
    plain("thrd_detach", Family::Thread),
    plain("thrd_current", Family::Thread),
    plain("thrd_equal", Family::Thread),
    plain("pthread_mutex_init", Family::Mutex),
    placed("pthread_mutex_destroy", Family::Mutex),
    placed("pthread_mutex_lock", Family::Mutex),
    placed("pthread_mutex_trylock", Family::Mutex),
    placed("pthread_mutex_timedlock", Family::Mutex),
    placed("pthread_mutex_clocklock", Family::Mutex),
    placed("pthread_mutex_unlock", Family::Mutex),
    plain("pthread_mutexattr_init", Family::Mutex),
    plain("pthread_mutexattr_destroy", Family::Mutex),
    plain("pthread_mutexattr_settype", Family::Mutex),
    plain("pthread_mutexattr_gettype", Family::Mutex),
    plain("mtx_init", Family::Mtx),
    placed("mtx_destroy", Family::Mtx),
    placed("mtx_lock", Family::Mtx),
    placed("mtx_trylock", Family::Mtx),
    placed("mtx_timedlock", Family::Mtx),
    placed("mtx_unlock", Family::Mtx),
    plain("pthread_cond_init", Family::Cond),
    placed("pthread_cond_destroy", Family::Cond),
    placed("pthread_cond_wait", Family::Cond),
    placed("pthread_cond_timedwait", Family::Cond),
    placed("pthread_cond_clockwait", Family::Cond),
    plain("pthread_cond_signal", Family::Cond),
    plain("pthread_cond_broadcast", Family::Cond),
    plain("cnd_init", Family::Cnd),
    placed("cnd_destroy", Family::Cnd),
    placed("cnd_wait", Family::Cnd),
    placed("cnd_timedwait", Family::Cnd),
    plain("cnd_signal", Family::Cnd),
    plain("cnd_broadcast", Family::Cnd),
    plain("pthread_rwlock_init", Family::RwLock),
    placed("pthread_rwlock_destroy", Family::RwLock),
    placed("pthread_rwlock_rdlock", Family::RwLock),
    placed("pthread_rwlock_wrlock", Family::RwLock),
    placed("pthread_rwlock_tryrdlock", Family::RwLock),
    placed("pthread_rwlock_trywrlock", Family::RwLock),
    placed("pthread_rwlock_timedrdlock", Family::RwLock),
    placed("pthread_rwlock_timedwrlock", Family::RwLock),
    placed("pthread_rwlock_unlock", Family::RwLock),
    plain("pthread_barrier_init", Family::Barrier),
    placed("pthread_barrier_destroy", Family::Barrier),
    placed("pthread_barrier_wait", Family::Barrier),
    plain("sem_init", Family::Semaphore),
    placed("sem_destroy", Family::Semaphore),
    placed("sem_wait", Family::Semaphore),
    plain("sem_trywait", Family::Semaphore),
    plain("sem_timedwait", Family::Semaphore),
    plain("sem_post", Family::Semaphore),
    plain("sem_getvalue", Family::Semaphore),
    plain("pthread_spin_init", Family::Spin),
    placed("pthread_spin_destroy", Family::Spin),
    placed("pthread_spin_lock", Family::Spin),
    placed("pthread_spin_trylock", Family::Spin),
    placed("pthread_spin_unlock", Family::Spin),
    placed("pthread_once", Family::Once),
    placed("call_once", Family::Once),
];

/// Functions that manage memory and that the model replaces in programs with threads.
pub const MEMORY: [&str; 3] = ["malloc", "calloc", "free"];

/// The primitive that a name of the library's stands for.
pub fn primitive(name: &str) -> Option<Primitive> {
    PRIMITIVES.into_iter().find(|p| p.name == name)
}

/// Which argument of a library function is a function that it runs, in this thread or another.
pub fn routine_argument(name: &str) -> Option<usize> {
    match name {
        "pthread_create" => Some(2),
        "thrd_create" | "pthread_once" | "call_once" => Some(1),
        _ => None,
    }
}

/// Whether a name starts a thread.
pub fn starts_thread(name: &str) -> bool {
    matches!(name, "pthread_create" | "thrd_create")
}

/// The calls that start threads.
pub fn starts(facts: &Facts) -> impl Iterator<Item = &Call> {
    crate::library::calls(facts)
        .filter(|(_, name)| starts_thread(name))
        .map(|(call, _)| call)
}

/// Whether a program calls what the model replaces, or has objects of its types.
pub fn synchronises(facts: &Facts) -> bool {
    !facts.type_words.is_empty()
        || crate::library::calls(facts).any(|(_, name)| primitive(name).is_some())
}

/// The function that a call starts or runs, if it is named there.
pub fn routine(call: &Call) -> Option<FunctionIndex> {
    let index = routine_argument(call.callee.as_deref()?)?;
    call.argument_functions.get(index).copied().flatten()
}

/// The functions that may be run by a thread whose start routine is computed.
pub fn candidates(facts: &Facts) -> Vec<FunctionIndex> {
    (0..facts.functions.len())
        .filter(|&f| {
            let function = &facts.functions[f];
            function.address_taken.is_some() && function.parameters.is_some_and(|n| n <= 1)
        })
        .collect()
}

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

/// The name under which threads are started whose routine is computed.
pub const COMPUTED: &str = "computed_routine";
