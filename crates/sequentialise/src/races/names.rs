//! The names of library functions that calls call.

use cfront::{ExprId, FunctionId};

use crate::facts::Facts;

/// The name of the function of the library that a call calls.
pub(super) fn library_name<'a>(facts: &Facts<'a>, call: ExprId) -> Option<&'a str> {
    let tree = facts.tree;
    let defined = |f: &FunctionId| tree.functions[*f].body.is_some();
    if facts.called(call).as_ref().is_some_and(defined) {
        return None;
    }
    crate::library::name_of(tree, call)
}

/// Whether a function tries to take a lock, and then holds it alone.
pub(super) fn tries(name: &str) -> Option<bool> {
    Some(match cfront::library::plain_name(name) {
        "pthread_mutex_trylock" | "mtx_trylock" | "pthread_spin_trylock" => true,
        "pthread_mutex_timedlock" | "pthread_mutex_clocklock" | "mtx_timedlock" => true,
        "pthread_rwlock_trywrlock" | "pthread_rwlock_timedwrlock" => true,
        "pthread_rwlock_tryrdlock" | "pthread_rwlock_timedrdlock" => false,
        _ => return None,
    })
}
