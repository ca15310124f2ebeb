//! Models of the library in C, for threads that take turns.
//!
//! A wait with a limit takes what is free, and else is late: how long it waits before that is how long the thread gets no
//! turn.
//!
//! A line with `BA_SEQ_NOTE` records an assumption of an infinite run: a wait timed out, a wait
//! ended without a signal, one of several waiting threads was woken. Such lines are left out unless
//! infinite runs are searched.

mod cancellation;

pub(crate) use cancellation::CANCEL_FUNCTIONS;
use cancellation::{CANCEL, CANCEL_WAIT};

/// The text before the program.
pub(crate) const PROLOGUE: &str = r"#if defined __CPROVER__
#define BA_SEQ_ASSUME(c) __CPROVER_assume(c)
unsigned nondet_ba_seq(void);
#elif defined __ESBMC_execution || defined BA_ESBMC
#define BA_SEQ_ASSUME(c) __ESBMC_assume(c)
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
#define __CPROVER_assume(c) __ESBMC_assume(c)
#define __CPROVER_assert(c, text) __ESBMC_assert(c, text)
unsigned nondet_ba_seq(void);
#elif defined BA_SEQ_NATIVE /* compiled: whoever links it says what is chosen, and what becomes of a run that is given up */
void ba_seq_given_up(void);
#define BA_SEQ_ASSUME(c) do { if (!(c)) ba_seq_given_up(); } while (0)
unsigned nondet_ba_seq(void);
#else /* any other verifier */
void __VERIFIER_assume(int);
unsigned __VERIFIER_nondet_uint(void);
#define BA_SEQ_ASSUME(c) __VERIFIER_assume(c)
#define nondet_ba_seq() __VERIFIER_nondet_uint()
#endif
#define ba_seq_nothing(...) 0
#define ba_seq_assume(c) BA_SEQ_ASSUME(c)
#define ba_seq_exit(status) BA_SEQ_ASSUME(0)
#define ba_seq_abort() BA_SEQ_ASSUME(0)
#define ba_seq_self() ((unsigned long)ba_seq_now)
#define ba_seq_equal(a, b) ((a) == (b))
";

/// The text before a program in step form. The macros that end a process are [`crate::emit`]'s.
pub(crate) const STEPS_PROLOGUE: &str = r"unsigned nondet_ba_seq(void);
#if defined __CPROVER__
#define BA_SEQ_ASSUME(c) __CPROVER_assume(c)
#else /* any other verifier */
void __VERIFIER_assume(int);
#define BA_SEQ_ASSUME(c) __VERIFIER_assume(c)
#define __CPROVER_assert(c, text) __VERIFIER_assert(c)
#endif
#define ba_seq_nothing(...) 0
#define ba_seq_assume(c) BA_SEQ_ASSUME(c)
#define ba_seq_self() ((unsigned long)ba_seq_now)
#define ba_seq_equal(a, b) ((a) == (b))
";

/// The number of the last error of each thread, which semaphores set.
pub(crate) const ERRNO: &str = r"static int ba_seq_errno[BA_SEQ_THREADS];
#define ba_seq_errno_location() (&ba_seq_errno[ba_seq_now])
#define BA_SEQ_FAILS(why) (ba_seq_errno[ba_seq_now] = (why), -1)
";

/// Failures in a program that does not ask for their numbers.
pub(crate) const NO_ERRNO: &str = "#define BA_SEQ_FAILS(why) (-1)\n";

/// Mutexes.
pub(crate) const MUTEX: &str = r"
static _Bool ba_seq_can_lock(pthread_mutex_t *m) { return m->ba_seq_owner == 0 || m->ba_seq_kind != 0 && m->ba_seq_owner == ba_seq_now + 1; }
static int ba_seq_lock(pthread_mutex_t *m) {
  BA_SEQ_ASSUME(ba_seq_can_lock(m));
  if (m->ba_seq_owner != 0 && m->ba_seq_kind == 2) return 35; /* EDEADLK */
  m->ba_seq_owner = ba_seq_now + 1;
  m->ba_seq_count++;
  return 0;
}
static int ba_seq_trylock(pthread_mutex_t *m) {
  if (m->ba_seq_owner != 0 && (m->ba_seq_kind != 1 || m->ba_seq_owner != ba_seq_now + 1)) return 16; /* EBUSY */
  m->ba_seq_owner = ba_seq_now + 1;
  m->ba_seq_count++;
  return 0;
}
static int ba_seq_timedlock(pthread_mutex_t *m) {
  if (ba_seq_trylock(m) == 0) return 0;
  BA_SEQ_NOTE(late);
  return 110; /* ETIMEDOUT */
}
static int ba_seq_unlock(pthread_mutex_t *m) {
  if (m->ba_seq_kind != 0 && m->ba_seq_owner != ba_seq_now + 1) return 1; /* EPERM */
  if (m->ba_seq_count > 0) m->ba_seq_count--;
  if (m->ba_seq_count == 0) m->ba_seq_owner = 0;
  return 0;
}
";

/// Mutexes of a program with plain mutexes only.
pub(crate) const PLAIN_MUTEX: &str = r"
static _Bool ba_seq_can_lock(pthread_mutex_t *m) { return m->ba_seq_owner == 0; }
static int ba_seq_lock(pthread_mutex_t *m) { BA_SEQ_ASSUME(m->ba_seq_owner == 0); m->ba_seq_owner = ba_seq_now + 1; return 0; }
static int ba_seq_trylock(pthread_mutex_t *m) { if (m->ba_seq_owner != 0) return 16; m->ba_seq_owner = ba_seq_now + 1; return 0; /* EBUSY */ }
static int ba_seq_timedlock(pthread_mutex_t *m) {
  if (ba_seq_trylock(m) == 0) return 0;
  BA_SEQ_NOTE(late);
  return 110; /* ETIMEDOUT */
}
static int ba_seq_unlock(pthread_mutex_t *m) { m->ba_seq_owner = 0; return 0; }
";

/// Initialisation of plain mutexes.
pub(crate) const PLAIN_MUTEX_INIT: &str = r"
static int ba_seq_mutex_init(pthread_mutex_t *m, const void *a) { (void)a; m->ba_seq_owner = 0; return 0; }
static int ba_seq_attr_init(void *a) { (void)a; return 0; }
";

/// Initialisation of mutexes with attributes.
pub(crate) const MUTEX_INIT: &str = r"
static int ba_seq_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  m->ba_seq_owner = 0;
  m->ba_seq_count = 0;
  m->ba_seq_kind = a ? a->ba_seq_kind : 0;
  return 0;
}
static int ba_seq_attr_init(pthread_mutexattr_t *a) { a->ba_seq_kind = 0; return 0; }
static int ba_seq_attr_settype(pthread_mutexattr_t *a, int kind) { a->ba_seq_kind = kind; return 0; }
";

/// Condition variables.
pub(crate) const COND: &str = r"
static int ba_seq_cond_init(pthread_cond_t *c) {
  c->ba_seq_waits = 0;
  return 0;
}
static void ba_seq_wait(pthread_cond_t *c, pthread_mutex_t *m, unsigned t) {
  c->ba_seq_waits |= BA_SEQ_ONE(t);
  m->ba_seq_owner = 0;
  BA_SEQ_UNCOUNT(m);
}
static _Bool ba_seq_woken(pthread_cond_t *c, unsigned t) { return !(c->ba_seq_waits & BA_SEQ_ONE(t)); }
static void ba_seq_regain(pthread_mutex_t *m, unsigned t) {
  BA_SEQ_ASSUME(m->ba_seq_owner == 0);
  m->ba_seq_owner = t + 1;
  BA_SEQ_COUNT(m);
}
static int ba_seq_wake(pthread_cond_t *c, pthread_mutex_t *m, unsigned t) {
  BA_SEQ_ASSUME(!(c->ba_seq_waits & BA_SEQ_ONE(t)));
  ba_seq_regain(m, t);
  return 0;
}
static int ba_seq_wake_early(pthread_cond_t *c, pthread_mutex_t *m, unsigned t) {
  if (c->ba_seq_waits & BA_SEQ_ONE(t)) BA_SEQ_NOTE(spurious);
  c->ba_seq_waits &= ~BA_SEQ_ONE(t);
  ba_seq_regain(m, t);
  return 0;
}
static int ba_seq_wake_timed(pthread_cond_t *c, pthread_mutex_t *m, unsigned t) {
  int late = c->ba_seq_waits & BA_SEQ_ONE(t) ? 110 : 0; /* ETIMEDOUT */
  if (late) BA_SEQ_NOTE(late);
  c->ba_seq_waits &= ~BA_SEQ_ONE(t);
  ba_seq_regain(m, t);
  return late;
}
static int ba_seq_signal(pthread_cond_t *c) {
  if (c->ba_seq_waits) {
    unsigned chosen = nondet_ba_seq();
    BA_SEQ_ASSUME(chosen < BA_SEQ_THREADS);
    BA_SEQ_ASSUME(c->ba_seq_waits & BA_SEQ_ONE(chosen));
    c->ba_seq_waits &= ~BA_SEQ_ONE(chosen);
    if (c->ba_seq_waits) BA_SEQ_NOTE(chosen);
  }
  return 0;
}
static int ba_seq_broadcast(pthread_cond_t *c) {
  c->ba_seq_waits = 0;
  return 0;
}
";

/// How a signal chooses a waiting thread, in [`COND`], and in step form: there every run goes on, and
/// engines need not follow computations with a chosen number.
pub(crate) const CHOICE: (&str, &str) = (
    "    unsigned chosen = nondet_ba_seq();
    BA_SEQ_ASSUME(chosen < BA_SEQ_THREADS);
    BA_SEQ_ASSUME(c->ba_seq_waits & BA_SEQ_ONE(chosen));
",
    "    unsigned chosen = 0;
    for (;;) {
      while (!(c->ba_seq_waits & BA_SEQ_ONE(chosen))) chosen++;
      if (c->ba_seq_waits >> chosen >> 1 == 0 || nondet_ba_seq() & 1) break;
      chosen++;
    }
",
);

/// Read-write locks.
pub(crate) const RWLOCK: &str = r"
static int ba_seq_rw_init(pthread_rwlock_t *l) { l->ba_seq_writer = 0; l->ba_seq_readers = 0; BA_SEQ_NO_SHARES(l); return 0; }
static _Bool ba_seq_can_rdlock(pthread_rwlock_t *l) { return l->ba_seq_writer == 0; }
static int ba_seq_rdlock(pthread_rwlock_t *l) { BA_SEQ_ASSUME(l->ba_seq_writer == 0); l->ba_seq_readers++; BA_SEQ_SHARED(l); return 0; }
static _Bool ba_seq_can_wrlock(pthread_rwlock_t *l) { return l->ba_seq_writer == 0 && l->ba_seq_readers == 0; }
static int ba_seq_wrlock(pthread_rwlock_t *l) { BA_SEQ_ASSUME(ba_seq_can_wrlock(l)); l->ba_seq_writer = ba_seq_now + 1; return 0; }
static int ba_seq_tryrdlock(pthread_rwlock_t *l) { return ba_seq_can_rdlock(l) ? ba_seq_rdlock(l) : 16; /* EBUSY */ }
static int ba_seq_trywrlock(pthread_rwlock_t *l) { return ba_seq_can_wrlock(l) ? ba_seq_wrlock(l) : 16; /* EBUSY */ }
static int ba_seq_timedrdlock(pthread_rwlock_t *l) {
  if (ba_seq_tryrdlock(l) == 0) return 0;
  BA_SEQ_NOTE(late);
  return 110; /* ETIMEDOUT */
}
static int ba_seq_timedwrlock(pthread_rwlock_t *l) {
  if (ba_seq_trywrlock(l) == 0) return 0;
  BA_SEQ_NOTE(late);
  return 110; /* ETIMEDOUT */
}
static int ba_seq_rwunlock(pthread_rwlock_t *l) {
  if (l->ba_seq_writer == ba_seq_now + 1) l->ba_seq_writer = 0;
  else if (l->ba_seq_readers > 0) { l->ba_seq_readers--; BA_SEQ_UNSHARED(l); }
  return 0;
}
";

/// Locks without a count of the shares of each thread, which only checks of their use need.
pub(crate) const NO_SHARES: &str = "#define BA_SEQ_NO_SHARES(l) ((void)0)\n#define BA_SEQ_SHARED(l) ((void)0)\n#define BA_SEQ_UNSHARED(l) ((void)0)\n";

/// How read-write locks count the shares of each of this number of threads: the type of all counts
/// together, a number for the reason that [`set_of`] gives, and the bits of each count. A count that
/// has reached its greatest value stays there, and nothing is known from then on.
fn shares_of(threads: usize) -> (&'static str, usize) {
    match threads {
        0..=16 => ("unsigned long long", (64 / threads.max(1)).min(8)),
        _ => ("unsigned __int128", (128 / threads).clamp(1, 8)),
    }
}

/// The further member of read-write locks, for a number of threads.
pub(crate) fn share_member(threads: usize) -> String {
    format!("; {} ba_seq_shares", shares_of(threads).0)
}

/// The operations on the count of the running thread, for a number of threads.
pub(crate) fn shares(threads: usize) -> String {
    let (ty, bits) = shares_of(threads);
    let most = (1u32 << bits) - 1;
    let at = format!("ba_seq_now * {bits}");
    format!(
        "#define BA_SEQ_SHARE(l) ((unsigned)((l)->ba_seq_shares >> {at}) & {most}u)\n\
         #define BA_SEQ_NO_SHARES(l) ((l)->ba_seq_shares = 0)\n\
         #define BA_SEQ_SHARED(l) do {{ if (BA_SEQ_SHARE(l) < {most}u) (l)->ba_seq_shares += ({ty})1 << {at}; }} while (0)\n\
         #define BA_SEQ_UNSHARED(l) do {{ if (BA_SEQ_SHARE(l) % {most}u != 0) (l)->ba_seq_shares -= ({ty})1 << {at}; }} while (0)\n\
         #define BA_SEQ_NO_SHARE(l) (BA_SEQ_SHARE(l) % {most}u == 0)\n"
    )
}

/// Barriers.
pub(crate) const BARRIER: &str = r"
static int ba_seq_barrier_init(pthread_barrier_t *b, const void *a, unsigned count) {
  (void)a;
  b->ba_seq_limit = count;
  b->ba_seq_here = 0;
  b->ba_seq_waits = 0;
  return 0;
}
static int ba_seq_arrive(pthread_barrier_t *b, unsigned t) {
  b->ba_seq_here++;
  b->ba_seq_waits |= BA_SEQ_ONE(t);
  if (b->ba_seq_here < b->ba_seq_limit) return 0;
  b->ba_seq_here = 0;
  b->ba_seq_waits = 0;
  return -1; /* PTHREAD_BARRIER_SERIAL_THREAD */
}
static _Bool ba_seq_open(pthread_barrier_t *b, unsigned t) { return !(b->ba_seq_waits & BA_SEQ_ONE(t)); }
";

/// Semaphores.
pub(crate) const SEM: &str = r"
static int ba_seq_sem_init(sem_t *s, int shared, unsigned value) { (void)shared; s->ba_seq_value = value; return 0; }
static _Bool ba_seq_can_sem(sem_t *s) { return s->ba_seq_value > 0; }
static int ba_seq_sem_wait(sem_t *s) { BA_SEQ_ASSUME(s->ba_seq_value > 0); s->ba_seq_value--; return 0; }
static int ba_seq_sem_trywait(sem_t *s) { if (s->ba_seq_value == 0) return BA_SEQ_FAILS(11); s->ba_seq_value--; return 0; /* EAGAIN */ }
static int ba_seq_sem_timedwait(sem_t *s) {
  if (ba_seq_sem_trywait(s) == 0) return 0;
  BA_SEQ_NOTE(late);
  return BA_SEQ_FAILS(110); /* ETIMEDOUT */
}
static int ba_seq_sem_post(sem_t *s) { s->ba_seq_value++; return 0; }
static int ba_seq_sem_getvalue(sem_t *s, int *value) { *value = (int)s->ba_seq_value; return 0; }
";

/// Spin locks, which are integers.
pub(crate) const SPIN: &str = r"
static int ba_seq_spin_init(volatile int *l) { *l = 0; return 0; }
static _Bool ba_seq_can_spin(volatile int *l) { return *l == 0; }
static int ba_seq_spin_lock(volatile int *l) { BA_SEQ_ASSUME(*l == 0); *l = (int)ba_seq_now + 1; return 0; }
static int ba_seq_spin_trylock(volatile int *l) { if (*l != 0) return 16; *l = (int)ba_seq_now + 1; return 0; /* EBUSY */ }
static int ba_seq_spin_unlock(volatile int *l) { *l = 0; return 0; }
";

/// Functions that are called once.
pub(crate) const ONCE: &str = r"
static _Bool ba_seq_once(void *c) { if (*(int *)c != 0) return 0; *(int *)c = 1; return 1; }
static void ba_seq_once_done(void *c) { *(int *)c = 2; }
static _Bool ba_seq_once_over(void *c) { return *(int *)c == 2; }
";

/// Thread-specific data. The destructors of keys get the data of an ending thread in any order.
pub(crate) const KEYS: &str = r"
enum { BA_SEQ_KEYS = 8 };
static unsigned ba_seq_keys;
static void *ba_seq_specific[BA_SEQ_THREADS][BA_SEQ_KEYS];
static void (*ba_seq_destructor[BA_SEQ_KEYS])(void *);
static int ba_seq_key_create(unsigned *key, void (*destructor)(void *)) {
  if (ba_seq_keys == BA_SEQ_KEYS) return 11; /* EAGAIN */
  ba_seq_destructor[ba_seq_keys] = destructor;
  *key = ba_seq_keys++;
  return 0;
}
static int ba_seq_key_delete(unsigned key) {
  if (key >= BA_SEQ_KEYS) return 22; /* EINVAL */
  ba_seq_destructor[key] = (void (*)(void *))0;
  return 0;
}
#define BA_SEQ_LEFT(key) (ba_seq_destructor[key] && ba_seq_specific[ba_seq_now][key])
static unsigned ba_seq_leaves(void) {
  if (!(BA_SEQ_LEFT(0) || BA_SEQ_LEFT(1) || BA_SEQ_LEFT(2) || BA_SEQ_LEFT(3) || BA_SEQ_LEFT(4) || BA_SEQ_LEFT(5) ||
        BA_SEQ_LEFT(6) || BA_SEQ_LEFT(7)))
    return 0;
  unsigned key = nondet_ba_seq();
  BA_SEQ_ASSUME(key < BA_SEQ_KEYS && BA_SEQ_LEFT(key));
  return key + 1;
}
static void *ba_seq_left(unsigned key) {
  void *value = ba_seq_specific[ba_seq_now][key - 1];
  ba_seq_specific[ba_seq_now][key - 1] = (void *)0;
  return value;
}
static int ba_seq_setspecific(unsigned key, const void *value) {
  if (key >= BA_SEQ_KEYS) return 22; /* EINVAL */
  ba_seq_specific[ba_seq_now][key] = (void *)value;
  return 0;
}
static void *ba_seq_getspecific(unsigned key) { return key < BA_SEQ_KEYS ? ba_seq_specific[ba_seq_now][key] : (void *)0; }
";

/// The statement that forgets the data of thread `T`.
const FORGET_KEYS: &str =
    "for (unsigned key = 0; key < BA_SEQ_KEYS; key++) ba_seq_specific[T][key] = (void *)0;";

/// The type of a set of threads, a bit for each of at most 64. An array in a structure that pointers
/// lead to would be a term of the theory of arrays for solvers of bit vectors: ESBMC with Bitwuzla
/// takes a thousand times as long for a queue with two condition variables.
pub(crate) fn set_of(threads: usize) -> &'static str {
    match threads {
        0..=32 => "unsigned",
        _ => "unsigned long long",
    }
}

/// How the names of variables begin that hold the place of an access that a thread is about to make, where races are watched, and the
/// program has no such name. No value of them that is compared as a number is kept, and none is left behind the access.
pub(crate) const WATCHED: &str = "data_race";

/// The members that replace those of a library type. `BA_SEQ_SET` is [`set_of`] the threads.
pub(crate) const MEMBERS: &[(&str, &str)] = &[
    ("pthread_mutex_t", "unsigned ba_seq_owner BA_SEQ_MORE;"),
    ("pthread_mutexattr_t", "int ba_seq_kind;"),
    ("pthread_cond_t", "BA_SEQ_SET ba_seq_waits;"),
    (
        "pthread_rwlock_t",
        "unsigned ba_seq_writer, ba_seq_readers BA_SEQ_COUNTS;",
    ),
    (
        "pthread_barrier_t",
        "unsigned ba_seq_limit, ba_seq_here; BA_SEQ_SET ba_seq_waits;",
    ),
    ("sem_t", "unsigned ba_seq_value;"),
    ("mtx_t", "unsigned ba_seq_owner BA_SEQ_MORE;"),
    ("cnd_t", "BA_SEQ_SET ba_seq_waits;"),
];

/// Initialisation of C11 mutexes, whose type is the kind: 1 is recursive.
pub(crate) const MTX_INIT: &str = r"
static int ba_seq_mtx_init(pthread_mutex_t *m, int type) {
  m->ba_seq_owner = 0;
  m->ba_seq_count = 0;
  m->ba_seq_kind = type & 1;
  return 0;
}
";

/// Replacements in the models' texts for C11.
pub(crate) const C11: &[(&str, &str)] = &[
    ("pthread_mutex_t", "mtx_t"),
    ("pthread_cond_t", "cnd_t"),
    ("return 16;", "return 1;"),
    ("return 110;", "return 4;"),
    ("? 110 : 0;", "? 4 : 0;"),
];

/// Further members of mutexes that may be recursive.
pub(crate) const MUTEX_MORE: &str = ", ba_seq_count; int ba_seq_kind";

/// A group of models that are emitted together.
pub(crate) struct Models {
    /// The library types that the models need.
    pub types: &'static [&'static str],
    /// The functions that they define: a program that calls one of them gets all.
    pub functions: &'static [&'static str],
    /// The C text.
    pub text: &'static str,
    /// The statement that forgets what they know of thread `T`.
    pub forgets: &'static str,
    /// The programs that they are for: `None` for all, otherwise whether some mutex is not a plain
    /// one.
    pub kinds: Option<bool>,
}

/// The functions that both models of mutexes define.
const MUTEX_FUNCTIONS: &[&str] = &[
    "ba_seq_can_lock",
    "ba_seq_lock",
    "ba_seq_trylock",
    "ba_seq_timedlock",
    "ba_seq_unlock",
];

/// All models, in the order of the output.
pub(crate) const MODELS: &[Models] = &[
    Models {
        types: &["pthread_mutex_t"],
        functions: MUTEX_FUNCTIONS,
        text: MUTEX,
        forgets: "",
        kinds: Some(true),
    },
    Models {
        types: &["pthread_mutex_t"],
        functions: MUTEX_FUNCTIONS,
        text: PLAIN_MUTEX,
        forgets: "",
        kinds: Some(false),
    },
    Models {
        types: &["pthread_mutex_t", "pthread_mutexattr_t"],
        functions: &[
            "ba_seq_mutex_init",
            "ba_seq_attr_init",
            "ba_seq_attr_settype",
        ],
        text: MUTEX_INIT,
        forgets: "",
        kinds: Some(true),
    },
    Models {
        types: &["pthread_mutex_t"],
        functions: &["ba_seq_mutex_init", "ba_seq_attr_init"],
        text: PLAIN_MUTEX_INIT,
        forgets: "",
        kinds: Some(false),
    },
    Models {
        types: &["pthread_mutex_t"],
        functions: &["ba_seq_mtx_init"],
        text: MTX_INIT,
        forgets: "",
        kinds: Some(true),
    },
    Models {
        types: &["pthread_mutex_t", "pthread_cond_t"],
        functions: &[
            "ba_seq_cond_init",
            "ba_seq_wait",
            "ba_seq_woken",
            "ba_seq_regain",
            "ba_seq_wake",
            "ba_seq_wake_early",
            "ba_seq_wake_timed",
            "ba_seq_signal",
            "ba_seq_broadcast",
        ],
        text: COND,
        forgets: "",
        kinds: None,
    },
    Models {
        types: &["pthread_rwlock_t"],
        functions: &[
            "ba_seq_rw_init",
            "ba_seq_can_rdlock",
            "ba_seq_rdlock",
            "ba_seq_can_wrlock",
            "ba_seq_wrlock",
            "ba_seq_tryrdlock",
            "ba_seq_trywrlock",
            "ba_seq_timedrdlock",
            "ba_seq_timedwrlock",
            "ba_seq_rwunlock",
        ],
        text: RWLOCK,
        forgets: "",
        kinds: None,
    },
    Models {
        types: &["pthread_barrier_t"],
        functions: &["ba_seq_barrier_init", "ba_seq_arrive", "ba_seq_open"],
        text: BARRIER,
        forgets: "",
        kinds: None,
    },
    Models {
        types: &["sem_t"],
        functions: &[
            "ba_seq_sem_init",
            "ba_seq_can_sem",
            "ba_seq_sem_wait",
            "ba_seq_sem_trywait",
            "ba_seq_sem_timedwait",
            "ba_seq_sem_post",
            "ba_seq_sem_getvalue",
        ],
        text: SEM,
        forgets: "",
        kinds: None,
    },
    Models {
        types: &[],
        functions: &[
            "ba_seq_spin_init",
            "ba_seq_can_spin",
            "ba_seq_spin_lock",
            "ba_seq_spin_trylock",
            "ba_seq_spin_unlock",
        ],
        text: SPIN,
        forgets: "",
        kinds: None,
    },
    Models {
        types: &[],
        functions: &["ba_seq_once", "ba_seq_once_done", "ba_seq_once_over"],
        text: ONCE,
        forgets: "",
        kinds: None,
    },
    Models {
        types: &[],
        functions: CANCEL_FUNCTIONS,
        text: CANCEL,
        forgets: "ba_seq_asked[T] = 0; ba_seq_shielded[T] = 0;",
        kinds: None,
    },
    Models {
        types: &["pthread_mutex_t", "pthread_cond_t"],
        functions: &["ba_seq_wake_cancelled"],
        text: CANCEL_WAIT,
        forgets: "",
        kinds: None,
    },
    Models {
        types: &[],
        functions: &[
            "ba_seq_key_create",
            "ba_seq_key_delete",
            "ba_seq_leaves",
            "ba_seq_left",
            "ba_seq_setspecific",
            "ba_seq_getspecific",
        ],
        text: KEYS,
        forgets: FORGET_KEYS,
        kinds: None,
    },
];

/// The type of the library whose model the emitted function belongs to; `None` for functions that
/// are no models of a type.
pub fn modelled_type(function: &str) -> Option<&'static str> {
    let mut models = MODELS.iter();
    let of = models.find(|m| m.functions.contains(&function))?;
    of.types.last().copied()
}

/// The function that reads thread-specific data: kept text may call it.
pub(crate) const OF_THREAD: &str = "ba_seq_getspecific";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_the_functions_that_the_texts_define() {
        for models in MODELS {
            let lines = models.text.lines();
            let heads = lines.filter_map(|line| line.strip_prefix("static ")?.split_once('('));
            let names = heads.filter_map(|(head, _)| head.rsplit([' ', '*']).next());
            let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
            assert_eq!(names, models.functions);
        }
    }

    #[test]
    fn functions_with_loops_belong_to_a_type() {
        for models in MODELS {
            let functions = models.text.split("\nstatic ");
            for text in functions.filter(|text| text.contains("for (")) {
                let name = text
                    .split_once('(')
                    .and_then(|(head, _)| head.rsplit(' ').next());
                assert!(name.and_then(modelled_type).is_some(), "{text}");
            }
        }
        assert_eq!(modelled_type("ba_seq_broadcast"), Some("pthread_cond_t"));
        assert_eq!(modelled_type("ba_seq_arrive"), Some("pthread_barrier_t"));
        assert_eq!(modelled_type("main"), None);
    }
}
