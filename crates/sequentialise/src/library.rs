//! Library functions for threads, by name.

pub(crate) use cfront::allocations::called_name as name_of;
pub(crate) use cfront::library::Point;
use cfront::library::{self, plain_name};
use cfront::tree::Tree;
use cfront::ExprId;

use crate::code::Mover;
use crate::uses::{self, USE};

/// The meaning of a library call here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Call {
    /// Starts a thread: the argument positions of handle, function and argument.
    Create(usize, usize, usize),
    /// Waits for a thread and stores its result.
    Join,
    /// Ends the calling thread.
    ThreadExit,
    /// Ends the run: no operation follows.
    Exit,
    /// An atomic section begins.
    Begin,
    /// The atomic section ends.
    End,
    /// Waits for a condition variable; whether it may time out.
    CondWait(bool),
    /// Waits at a barrier.
    Barrier,
    /// Calls a function the first time only.
    Once,
    /// Gives the bound of a loop.
    Bound,
    /// Asks for the check of the call behind it.
    Use,
    /// Destroys a lock or the like, in a call that is checked.
    Destroy,
    /// The calling thread is cut.
    Cut,
    /// Calls a function of `models.c`.
    Model(Model),
    /// Makes the function that follows in its block a cleanup handler of the calling thread.
    Register,
    /// Takes the last cleanup handler away.
    Unregister,
    /// Says whether a request of cancellation is acted upon at once: only where it is not can the thread be followed.
    CancelType,
    /// No run comes here.
    Never,
    /// Does nothing and returns 0.
    Nothing,
    /// Is not supported.
    Refused,
}

/// A call that one function of `models.c` makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Model {
    /// The function that says whether the call can proceed; `None` if it always can.
    pub can: Option<&'static str>,
    /// Whether it goes round a loop while it cannot proceed.
    pub spins: bool,
    /// The function that performs the call.
    pub does: &'static str,
    /// The number of arguments that it takes; further ones are dropped.
    pub takes: usize,
    /// In which directions it commutes.
    pub mover: Mover,
    /// Its role.
    pub role: Role,
    /// When its result is not 0.
    pub fails: Fails,
}

/// The role of a model, as far as calls are treated differently because of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Takes a lock with a single owner (a mutex, a spin lock), and waits for it.
    Takes,
    /// Takes such a lock if it is free, or reports that it is not.
    Tries,
    /// Releases such a lock.
    Gives,
    /// Tries another object that one may wait for: a read-write lock, a semaphore.
    TriesOther,
    /// Wakes one thread that waits for a condition variable.
    Signals,
    /// Wakes all threads that wait for a condition variable.
    Broadcasts,
    /// May create a mutex that is not a plain one.
    MakesKinds,
    /// Concerns the calling thread alone, and may stand wherever the library's function stands.
    InPlace,
    /// Any other role.
    Other,
}

/// When the result of a model is not 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fails {
    /// Never: whenever it returns, it returns 0.
    Never,
    /// Only if some mutex of the program is not a plain one.
    ByKind,
    /// Sometimes; or the result is no status at all.
    Perhaps,
}

impl Model {
    /// Whether it returns 0 whenever it returns; `kinds` says whether some mutex is not a plain
    /// one.
    pub fn never_fails(self, kinds: bool) -> bool {
        match self.fails {
            Fails::Never => true,
            Fails::ByKind => !kinds,
            Fails::Perhaps => false,
        }
    }

    /// The name of the step in reports; `None` if they do not show it.
    pub fn told(self) -> Option<&'static str> {
        match self.role {
            Role::Takes => Some("take"),
            Role::Gives => Some("give"),
            Role::Signals => Some("signal"),
            Role::Broadcasts => Some("broadcast"),
            _ => None,
        }
    }

    /// Whether it takes, tries or releases a lock with a single owner.
    pub fn is_about_mutex(self) -> bool {
        matches!(self.role, Role::Takes | Role::Tries | Role::Gives)
    }

    const fn waiting_for(self, can: &'static str) -> Model {
        Model {
            can: Some(can),
            ..self
        }
    }

    const fn spinning_for(self, can: &'static str) -> Model {
        Model {
            can: Some(can),
            spins: true,
            ..self
        }
    }

    const fn never_failing(self) -> Model {
        Model {
            fails: Fails::Never,
            ..self
        }
    }

    const fn failing_by_kind(self) -> Model {
        Model {
            fails: Fails::ByKind,
            ..self
        }
    }

    const fn role(self, role: Role) -> Model {
        Model { role, ..self }
    }
}

impl Call {
    /// Whether it tries a lock without waiting, so that other threads can observe when the lock is
    /// taken.
    pub fn tries(self) -> bool {
        matches!(self, Call::Model(m) if matches!(m.role, Role::Tries | Role::TriesOther))
    }

    /// Whether it takes, tries or releases a lock with a single owner.
    pub fn is_about_mutex(self) -> bool {
        matches!(self, Call::Model(m) if m.is_about_mutex())
    }

    /// Whether it cancels a thread.
    pub fn cancels(self) -> bool {
        matches!(self, Call::Model(m) if m.does == "ba_seq_cancel")
    }

    /// Whether it gives the calling thread's handle.
    pub fn names_self(self) -> bool {
        matches!(self, Call::Model(m) if m.does == "ba_seq_self")
    }

    /// Whether it may create mutexes that are not plain ones.
    pub fn makes_kinds(self) -> bool {
        matches!(self, Call::Model(m) if m.role == Role::MakesKinds)
    }

    /// Whether a thread may block or be interrupted in it, or other threads can observe it, so that
    /// the function around it must be inlined.
    pub fn is_visible(self) -> bool {
        match self {
            Call::Exit | Call::Nothing => false,
            Call::Model(m) => m.role != Role::InPlace,
            _ => true,
        }
    }
}

/// The meaning of a call to a library function that the program does not define itself.
pub(crate) fn of_call(tree: &Tree, call: ExprId) -> Option<Call> {
    let name = name_of(tree, call)?;
    let defined = tree
        .function_named(name)
        .is_some_and(|f| tree.functions[f].body.is_some());
    if defined {
        return None;
    }
    let checked = || uses::asked(name).is_some() && uses::text_of(tree, call).is_some();
    match of_name(name) {
        Some(Call::Nothing) if checked() => Some(Call::Destroy),
        other => other,
    }
}

const fn model(does: &'static str, takes: usize, mover: Mover) -> Model {
    Model {
        can: None,
        spins: false,
        does,
        takes,
        mover,
        role: Role::Other,
        fails: Fails::Perhaps,
    }
}

fn of_name(name: &str) -> Option<Call> {
    match name {
        "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => {
            return Some(Call::Begin)
        }
        "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => {
            return Some(Call::End)
        }
        "__baproduct_bound" => return Some(Call::Bound),
        USE => return Some(Call::Use),
        "__baproduct_stop" => return Some(Call::Cut),
        _ => {}
    }
    let name = plain_name(name);
    let model = model_of(name).map(Call::Model);
    model.or_else(|| of_threads(name))
}

/// Calls without a model: they have lowerings of their own, are left out, or refused.
fn of_threads(name: &str) -> Option<Call> {
    const ATTRIBUTES: [&str; 5] = [
        "pthread_attr_",
        "pthread_mutexattr_",
        "pthread_condattr_",
        "pthread_rwlockattr_",
        "pthread_barrierattr_",
    ];
    Some(match name {
        "pthread_create" => Call::Create(0, 2, 3),
        "thrd_create" => Call::Create(0, 1, 2),
        "pthread_join" | "thrd_join" => Call::Join,
        "pthread_exit" | "thrd_exit" => Call::ThreadExit,
        "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" => Call::Exit,
        "pthread_cond_wait" | "cnd_wait" => Call::CondWait(false),
        "pthread_cond_timedwait" | "pthread_cond_clockwait" | "cnd_timedwait" => {
            Call::CondWait(true)
        }
        "pthread_barrier_wait" => Call::Barrier,
        "pthread_once" | "call_once" => Call::Once,
        "pthread_kill" | "pthread_sigmask" | "fork" | "pthread_atfork" => Call::Refused,
        REGISTER => Call::Register,
        "__pthread_unregister_cancel" => Call::Unregister,
        // The place to which the end of a thread jumps; the thread's end is lowered where it is.
        "__sigsetjmp_cancel" | "pthread_testcancel" => Call::Nothing,
        "__pthread_unwind_next" => Call::Never,
        "pthread_setcanceltype" => Call::CancelType,
        n if library::saves_place(n) || library::makes_nonlocal_jump(n) => Call::Refused,
        "pthread_detach"
        | "thrd_detach"
        | "pthread_barrier_destroy"
        | "pthread_mutex_destroy"
        | "pthread_cond_destroy"
        | "pthread_rwlock_destroy"
        | "pthread_spin_destroy"
        | "sem_destroy"
        | "mtx_destroy"
        | "cnd_destroy"
        | "srand" => Call::Nothing,
        n if library::passes_time(n) => Call::Nothing,
        n if ATTRIBUTES.iter().any(|a| n.starts_with(a)) => Call::Nothing,
        // What is left out would be missed.
        n if LIBRARIES.iter().any(|l| n.starts_with(l)) && library::function(n).is_none() => {
            Call::Refused
        }
        _ => return None,
    })
}

/// The beginnings of the names of functions about threads and synchronisation.
const LIBRARIES: [&str; 6] = ["pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_"];

/// The table of the models.
fn model_of(name: &str) -> Option<Model> {
    use Mover::{Both, Left, None as Seen, Right};
    use Role::{Broadcasts, Gives, InPlace, MakesKinds, Signals, Takes, Tries, TriesOther};
    Some(match name {
        "pthread_self" | "thrd_current" => model("ba_seq_self", 0, Both).role(InPlace),
        "pthread_equal" | "thrd_equal" => model("ba_seq_equal", 2, Both).role(InPlace),
        "pthread_cancel" => model("ba_seq_cancel", 1, Seen).never_failing(),
        "pthread_setcancelstate" => model("ba_seq_cancel_state", 2, Both).never_failing(),

        "pthread_mutex_init" => model("ba_seq_mutex_init", 2, Seen).never_failing(),
        "mtx_init" => model("ba_seq_mtx_init", 2, Seen).role(MakesKinds),
        "pthread_mutexattr_settype" => model("ba_seq_attr_settype", 2, Both)
            .role(MakesKinds)
            .never_failing(),
        "pthread_mutexattr_init" => model("ba_seq_attr_init", 1, Both).never_failing(),
        "pthread_mutex_lock" | "mtx_lock" => model("ba_seq_lock", 1, Right)
            .waiting_for("ba_seq_can_lock")
            .role(Takes)
            .failing_by_kind(),
        "pthread_mutex_trylock" | "mtx_trylock" => model("ba_seq_trylock", 1, Seen).role(Tries),
        "pthread_mutex_timedlock" | "pthread_mutex_clocklock" | "mtx_timedlock" => {
            model("ba_seq_timedlock", 1, Seen).role(Tries)
        }
        "pthread_mutex_unlock" | "mtx_unlock" => model("ba_seq_unlock", 1, Left)
            .role(Gives)
            .failing_by_kind(),

        "pthread_cond_init" | "cnd_init" => model("ba_seq_cond_init", 1, Seen).never_failing(),
        "pthread_cond_signal" | "cnd_signal" => model("ba_seq_signal", 1, Seen)
            .role(Signals)
            .never_failing(),
        "pthread_cond_broadcast" | "cnd_broadcast" => model("ba_seq_broadcast", 1, Seen)
            .role(Broadcasts)
            .never_failing(),

        "pthread_rwlock_init" => model("ba_seq_rw_init", 1, Seen).never_failing(),
        "pthread_rwlock_rdlock" => model("ba_seq_rdlock", 1, Seen)
            .waiting_for("ba_seq_can_rdlock")
            .never_failing(),
        "pthread_rwlock_wrlock" => model("ba_seq_wrlock", 1, Seen)
            .waiting_for("ba_seq_can_wrlock")
            .never_failing(),
        "pthread_rwlock_tryrdlock" => model("ba_seq_tryrdlock", 1, Seen).role(TriesOther),
        "pthread_rwlock_trywrlock" => model("ba_seq_trywrlock", 1, Seen).role(TriesOther),
        "pthread_rwlock_timedrdlock" | "pthread_rwlock_clockrdlock" => {
            model("ba_seq_timedrdlock", 1, Seen).role(TriesOther)
        }
        "pthread_rwlock_timedwrlock" | "pthread_rwlock_clockwrlock" => {
            model("ba_seq_timedwrlock", 1, Seen).role(TriesOther)
        }
        "pthread_rwlock_unlock" => model("ba_seq_rwunlock", 1, Seen),

        "pthread_spin_init" => model("ba_seq_spin_init", 1, Seen).never_failing(),
        "pthread_spin_lock" => model("ba_seq_spin_lock", 1, Right)
            .spinning_for("ba_seq_can_spin")
            .role(Takes)
            .never_failing(),
        "pthread_spin_trylock" => model("ba_seq_spin_trylock", 1, Seen).role(Tries),
        "pthread_spin_unlock" => model("ba_seq_spin_unlock", 1, Left)
            .role(Gives)
            .never_failing(),

        "sem_init" => model("ba_seq_sem_init", 3, Seen).never_failing(),
        "sem_wait" => model("ba_seq_sem_wait", 1, Seen)
            .waiting_for("ba_seq_can_sem")
            .never_failing(),
        "sem_trywait" => model("ba_seq_sem_trywait", 1, Seen).role(TriesOther),
        "sem_timedwait" | "sem_clockwait" => {
            model("ba_seq_sem_timedwait", 1, Seen).role(TriesOther)
        }
        "sem_post" => model("ba_seq_sem_post", 1, Seen).never_failing(),
        "sem_getvalue" => model("ba_seq_sem_getvalue", 2, Seen),

        "pthread_barrier_init" => model("ba_seq_barrier_init", 3, Seen).never_failing(),

        "pthread_key_create" | "tss_create" => model("ba_seq_key_create", 2, Both),
        "pthread_key_delete" | "tss_delete" => model("ba_seq_key_delete", 1, Both),
        "pthread_setspecific" | "tss_set" => model("ba_seq_setspecific", 2, Both).role(InPlace),
        "pthread_getspecific" | "tss_get" => model("ba_seq_getspecific", 1, Both).role(InPlace),
        _ => return None,
    })
}

/// The function by which `pthread_cleanup_push` of the GNU library makes a cleanup handler known.
const REGISTER: &str = "__pthread_register_cancel";

/// Whether a thread that is cancelled may end in a call of a function that the program does not define itself; the calls in
/// which the models wait have that in their own lowering.
pub(crate) fn point_of(tree: &Tree, call: ExprId) -> Option<Point> {
    let called = name_of(tree, call)?;
    // A woven program calls functions of its own in place of those without effect.
    let (name, own) = match called.strip_prefix("ba_call_") {
        Some(name) => (name, true),
        None => (called, false),
    };
    let defined = tree
        .function_named(called)
        .is_some_and(|f| tree.functions[f].body.is_some());
    library::cancellation_point(name).filter(|_| own || !defined)
}

/// Whether a library function is left out.
pub(crate) fn is_nothing(name: &str) -> bool {
    of_name(name) == Some(Call::Nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_primitive_has_a_meaning() {
        let primitives = library::all().filter(|f| f.primitive.is_some());
        for function in primitives {
            assert!(of_name(function.name).is_some(), "{}", function.name);
        }
    }
}
