//! Functions of the library that have to do with threads, by name.

use cfront::library::{self, plain_name};
use cfront::tree::{ExprKind, Resolved, Tree};
use cfront::ExprId;

use crate::code::Mover;

/// What a call of the library means here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Call {
    /// Starts a thread: the places of handle, function and argument.
    Create(usize, usize, usize),
    /// Waits for a thread and stores its result.
    Join,
    /// Ends the calling thread.
    ThreadExit,
    /// Ends the run: nothing comes behind.
    Exit,
    /// A section of one step begins.
    Begin,
    /// It ends.
    End,
    /// Waits for a condition variable: whether it may time out.
    CondWait(bool),
    /// Waits at a barrier.
    Barrier,
    /// Calls a function the first time.
    Once,
    /// Bound of a loop.
    Bound,
    /// The calling thread is cut.
    Cut,
    /// A function of `models.c`: what it waits for, what it is, how it moves.
    Model(Model),
    /// Does nothing and returns 0.
    Nothing,
    /// Is not followed.
    Refused,
}

/// A call that one function of `models.c` makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Model {
    /// The function that says whether the call can be made; empty if always.
    pub can: &'static str,
    /// The function that makes it.
    pub does: &'static str,
    /// How many arguments it takes; the others are left out.
    pub takes: usize,
    /// How it moves.
    pub mover: Mover,
}

/// Models that may stand wherever the library's functions stand.
const IN_PLACE: &[&str] = &[
    "ba_seq_self",
    "ba_seq_equal",
    "ba_seq_setspecific",
    "ba_seq_getspecific",
];

/// Models that give 0 whenever they come back, whatever the mutexes are.
const NEVER_FAIL: [&str; 16] = [
    "ba_seq_mutex_init",
    "ba_seq_attr_init",
    "ba_seq_attr_settype",
    "ba_seq_cond_init",
    "ba_seq_signal",
    "ba_seq_broadcast",
    "ba_seq_rw_init",
    "ba_seq_rdlock",
    "ba_seq_wrlock",
    "ba_seq_spin_init",
    "ba_seq_spin_lock",
    "ba_seq_spin_unlock",
    "ba_seq_sem_init",
    "ba_seq_sem_wait",
    "ba_seq_sem_post",
    "ba_seq_barrier_init",
];

impl Model {
    /// Whether it gives 0 whenever it comes back; `kinds` says whether some mutex is not a plain one.
    pub fn never_fails(self, kinds: bool) -> bool {
        let plain = matches!(self.does, "ba_seq_lock" | "ba_seq_unlock");
        NEVER_FAIL.contains(&self.does) || (plain && !kinds)
    }
}

impl Call {
    /// Whether it looks at a lock without waiting for it, so that others see when it is taken.
    pub fn tries(self) -> bool {
        matches!(self, Call::Model(m) if m.does.contains("try") || m.does.contains("timed"))
    }

    /// Whether it takes or gives back a lock that one thread has, or tries to.
    pub fn is_about_mutex(self) -> bool {
        let ends = ["lock", "trylock", "timedlock", "unlock"];
        let about = |m: Model| {
            let name = m.does.strip_prefix("ba_seq_").unwrap_or(m.does);
            ends.contains(&name.strip_prefix("spin_").unwrap_or(name))
        };
        matches!(self, Call::Model(m) if about(m))
    }

    /// Whether it may make mutexes that are not plain ones.
    pub fn makes_kinds(self) -> bool {
        matches!(self, Call::Model(m) if m.does == "ba_seq_attr_settype" || m.does == "ba_seq_mtx_init")
    }

    /// Whether a thread may stop or be stopped in it, or it tells threads something, so that the
    /// function around it cannot stay a function.
    pub fn is_visible(self) -> bool {
        match self {
            Call::Exit | Call::Nothing => false,
            Call::Model(m) => m.mover != Mover::Both || !IN_PLACE.contains(&m.does),
            _ => true,
        }
    }
}

/// The name of the function that a call names.
pub(crate) fn name_of(tree: &Tree, call: ExprId) -> Option<&str> {
    let ExprKind::Call { callee, .. } = &tree.exprs[call].kind else {
        return None;
    };
    match &tree.exprs[*callee].kind {
        ExprKind::Ident(Resolved::Unknown(name)) => Some(name),
        _ => cfront::calls::named_function(tree, *callee).map(|f| tree.functions[f].name.as_str()),
    }
}

/// What a call means, if the library has it and the program does not define it.
pub(crate) fn of_call(tree: &Tree, call: ExprId) -> Option<Call> {
    let name = name_of(tree, call)?;
    let defined = tree
        .function_named(name)
        .is_some_and(|f| tree.functions[f].body.is_some());
    match defined {
        true => None,
        false => of_name(name),
    }
}

const fn model(can: &'static str, does: &'static str, takes: usize, mover: Mover) -> Option<Call> {
    Some(Call::Model(Model {
        can,
        does,
        takes,
        mover,
    }))
}

fn of_name(name: &str) -> Option<Call> {
    use Mover::{Both, Left, None as Seen, Right};
    match name {
        "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => {
            return Some(Call::Begin)
        }
        "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => {
            return Some(Call::End)
        }
        "__baproduct_bound" => return Some(Call::Bound),
        "__baproduct_stop" => return Some(Call::Cut),
        _ => {}
    }
    match plain_name(name) {
        "pthread_create" => Some(Call::Create(0, 2, 3)),
        "thrd_create" => Some(Call::Create(0, 1, 2)),
        "pthread_join" | "thrd_join" => Some(Call::Join),
        "pthread_exit" | "thrd_exit" => Some(Call::ThreadExit),
        "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" => Some(Call::Exit),
        "pthread_self" | "thrd_current" => model("", "ba_seq_self", 0, Both),
        "pthread_equal" | "thrd_equal" => model("", "ba_seq_equal", 2, Both),

        "pthread_mutex_init" => model("", "ba_seq_mutex_init", 2, Seen),
        "mtx_init" => model("", "ba_seq_mtx_init", 2, Seen),
        "pthread_mutexattr_settype" => model("", "ba_seq_attr_settype", 2, Both),
        "pthread_mutexattr_init" => model("", "ba_seq_attr_init", 1, Both),
        "pthread_mutex_lock" | "mtx_lock" => model("ba_seq_can_lock", "ba_seq_lock", 1, Right),
        "pthread_mutex_trylock" | "mtx_trylock" => model("", "ba_seq_trylock", 1, Seen),
        "pthread_mutex_timedlock" | "pthread_mutex_clocklock" | "mtx_timedlock" => {
            model("", "ba_seq_timedlock", 1, Seen)
        }
        "pthread_mutex_unlock" | "mtx_unlock" => model("", "ba_seq_unlock", 1, Left),

        "pthread_cond_init" | "cnd_init" => model("", "ba_seq_cond_init", 1, Seen),
        "pthread_cond_signal" | "cnd_signal" => model("", "ba_seq_signal", 1, Seen),
        "pthread_cond_broadcast" | "cnd_broadcast" => model("", "ba_seq_broadcast", 1, Seen),
        "pthread_cond_wait" | "cnd_wait" => Some(Call::CondWait(false)),
        "pthread_cond_timedwait" | "pthread_cond_clockwait" | "cnd_timedwait" => {
            Some(Call::CondWait(true))
        }

        "pthread_rwlock_init" => model("", "ba_seq_rw_init", 1, Seen),
        "pthread_rwlock_rdlock" => model("ba_seq_can_rdlock", "ba_seq_rdlock", 1, Seen),
        "pthread_rwlock_wrlock" => model("ba_seq_can_wrlock", "ba_seq_wrlock", 1, Seen),
        "pthread_rwlock_tryrdlock" => model("", "ba_seq_tryrdlock", 1, Seen),
        "pthread_rwlock_trywrlock" => model("", "ba_seq_trywrlock", 1, Seen),
        "pthread_rwlock_unlock" => model("", "ba_seq_rwunlock", 1, Seen),

        "pthread_spin_init" => model("", "ba_seq_spin_init", 1, Seen),
        "pthread_spin_lock" => model("ba_seq_can_spin", "ba_seq_spin_lock", 1, Right),
        "pthread_spin_trylock" => model("", "ba_seq_spin_trylock", 1, Seen),
        "pthread_spin_unlock" => model("", "ba_seq_spin_unlock", 1, Left),

        "sem_init" => model("", "ba_seq_sem_init", 3, Seen),
        "sem_wait" => model("ba_seq_can_sem", "ba_seq_sem_wait", 1, Seen),
        "sem_trywait" => model("", "ba_seq_sem_trywait", 1, Seen),
        "sem_timedwait" => model("", "ba_seq_sem_timedwait", 1, Seen),
        "sem_post" => model("", "ba_seq_sem_post", 1, Seen),
        "sem_getvalue" => model("", "ba_seq_sem_getvalue", 2, Seen),

        "pthread_barrier_init" => model("", "ba_seq_barrier_init", 3, Seen),
        "pthread_barrier_wait" => Some(Call::Barrier),
        "pthread_once" | "call_once" => Some(Call::Once),

        "pthread_key_create" | "tss_create" => model("", "ba_seq_key_create", 2, Both),
        "pthread_key_delete" | "tss_delete" => model("", "ba_seq_key_delete", 1, Both),
        "pthread_setspecific" | "tss_set" => model("", "ba_seq_setspecific", 2, Both),
        "pthread_getspecific" | "tss_get" => model("", "ba_seq_getspecific", 1, Both),

        "pthread_cancel" | "pthread_kill" | "pthread_sigmask" | "fork" | "pthread_atfork" => {
            Some(Call::Refused)
        }
        n if library::saves_place(n) || library::makes_nonlocal_jump(n) => Some(Call::Refused),

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
        | "srand" => Some(Call::Nothing),
        n if library::passes_time(n) => Some(Call::Nothing),
        n if n.starts_with("pthread_attr_")
            || n.starts_with("pthread_mutexattr_")
            || n.starts_with("pthread_condattr_")
            || n.starts_with("pthread_rwlockattr_")
            || n.starts_with("pthread_barrierattr_") =>
        {
            Some(Call::Nothing)
        }
        _ => None,
    }
}

/// Whether a function of the library is left out.
pub(crate) fn is_nothing(name: &str) -> bool {
    of_name(name) == Some(Call::Nothing)
}
