//! Synchronisation: the calls that the emitted model replaces, the objects that threads wait for,
//! and their numbers.

use std::collections::HashMap;

use crate::collect::counted_loops::Iterations;
use crate::facts::names::user;
use crate::facts::{Call, Facts, FunctionIndex, Lifetime, ObjectIndex, Range};
use crate::plan::weaver::Weaver;

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

const fn plain(name: &'static str, family: Family) -> Primitive {
    Primitive {
        name,
        family,
        placed: false,
    }
}

const fn placed(name: &'static str, family: Family) -> Primitive {
    Primitive {
        name,
        family,
        placed: true,
    }
}

/// All functions that the model replaces, except those that start or end a thread.
const PRIMITIVES: [Primitive; 64] = [
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
    library(facts)
        .filter(|(_, name)| starts_thread(name))
        .map(|(call, _)| call)
}

/// The calls of functions without a body in the program, with their names.
pub fn library(facts: &Facts) -> impl Iterator<Item = (&Call, &str)> {
    let calls = facts.calls.iter().filter(|c| c.target.is_none());
    calls.filter_map(|c| Some((c, c.callee.as_deref()?)))
}

/// Whether a program calls what the model replaces, or has objects of its types.
pub fn synchronises(facts: &Facts) -> bool {
    !facts.type_words.is_empty() || library(facts).any(|(_, name)| primitive(name).is_some())
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

/// How many threads are started at most, where calls and loops that count show it; `None` if they
/// do not.
pub fn thread_bound(facts: &Facts, main: FunctionIndex) -> Option<u64> {
    let mut path = Vec::new();
    starts(facts).try_fold(0u64, |sum, call| {
        let each = executions(facts, main, call, &mut path)?;
        sum.checked_add(each)
    })
}

/// How often a call is executed in a run.
fn executions(
    facts: &Facts,
    main: FunctionIndex,
    call: &Call,
    path: &mut Vec<FunctionIndex>,
) -> Option<u64> {
    let mut times = activations(facts, main, call.function, path)?;
    let mut explained = false;
    for lp in &facts.loops {
        if lp.function == call.function
            && lp.range.start <= call.range.start
            && call.range.end <= lp.range.end
        {
            times = times.checked_mul(times_of(facts, lp.iterations?)?)?;
            explained = true;
        }
    }
    (explained || !call.repeated).then_some(times)
}

/// The number of a loop's iterations, where it depends on no object that is ever written.
fn times_of(facts: &Facts, iterations: Iterations) -> Option<u64> {
    match iterations {
        Iterations::Times(times) => Some(times),
        Iterations::Above(o, more) => {
            let object = facts.objects.get(o)?;
            let written = facts.writes.iter().any(|w| w.place.root == Some(o));
            let value = object
                .initial
                .filter(|_| !written && !object.address_taken)?;
            u64::try_from(value.checked_add(more)?).ok()
        }
    }
}

fn activations(
    facts: &Facts,
    main: FunctionIndex,
    function: FunctionIndex,
    path: &mut Vec<FunctionIndex>,
) -> Option<u64> {
    if facts.functions[function].address_taken.is_some() || path.contains(&function) {
        return None;
    }
    path.push(function);
    let mut sum = u64::from(function == main);
    for call in &facts.calls {
        let routine = match call.target {
            Some(target) => Some(target),
            None => routine(call),
        };
        if routine == Some(function) {
            sum = sum.checked_add(executions(facts, main, call, path)?)?;
        }
    }
    path.pop();
    Some(sum)
}

/// An object, or a part of one, for which threads may wait, that the end of a run can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waited {
    /// What it belongs to.
    pub family: Family,
    /// The C text that names it, at the end of the program.
    pub name: String,
    /// Its name as a reader knows it.
    pub shown: String,
    /// How many numbers it takes: a read-write lock takes two, since readers and writers wait for
    /// different things.
    pub first: usize,
}

/// So many objects have numbers; the threads that wait for others check themselves that they do.
const MOST_NUMBERS: usize = 96;

fn family_of_type(name: &str) -> Option<Family> {
    Some(match name {
        "pthread_mutex_t" | "mtx_t" => Family::Mutex,
        "pthread_cond_t" | "cnd_t" => Family::Cond,
        "pthread_rwlock_t" => Family::RwLock,
        "pthread_barrier_t" => Family::Barrier,
        "sem_t" => Family::Semaphore,
        _ => return None,
    })
}

impl Weaver<'_> {
    /// The families of what the program uses, by its calls and its types.
    pub fn families(&self) -> std::collections::BTreeSet<Family> {
        let calls = library(self.facts).filter_map(|(_, name)| primitive(name));
        let types = self.facts.type_words.iter();
        calls
            .map(|p| p.family)
            .chain(types.filter_map(|(_, name)| family_of_type(name)))
            .map(|family| match family {
                Family::Mtx => Family::Mutex,
                Family::Cnd => Family::Cond,
                other => other,
            })
            .collect()
    }

    /// Spin locks and flags of once are integers: what they are shows where they are used first.
    fn integers_used(&self) -> HashMap<ObjectIndex, Family> {
        let mut used = HashMap::new();
        for (call, called) in library(self.facts) {
            let family = primitive(called).map(|p| p.family);
            let named = call.argument_objects.first().copied().flatten();
            if let (Some(family @ (Family::Spin | Family::Once)), Some(object)) = (family, named) {
                used.entry(object).or_insert(family);
            }
        }
        used
    }

    /// The static objects that have numbers. Linear in the objects and the calls.
    pub fn waited(&self) -> Vec<Waited> {
        let used = self.integers_used();
        let mut found = Vec::new();
        let mut first = 0;
        let mut add = |family: Family, name: String, shown: String| {
            if first < MOST_NUMBERS {
                found.push(Waited {
                    family,
                    name,
                    shown,
                    first,
                });
                first += if family == Family::RwLock { 2 } else { 1 };
            }
        };
        for (o, object) in self.facts.objects.iter().enumerate() {
            if object.lifetime != Lifetime::Static {
                continue;
            }
            let name = crate::facts::names::object(&object.name, o);
            for (path, ty) in &object.parts {
                if let Some(family) = family_of_type(ty) {
                    let shown = format!("{}{path}", object.name);
                    add(family, format!("{name}{}", user(path)), shown);
                }
            }
            if let Some(&family) = used.get(&o) {
                match object.elements {
                    None => add(family, name, object.name.clone()),
                    Some(n) => (0..n.min(64)).for_each(|i| {
                        let shown = format!("{}[{i}]", object.name);
                        add(family, format!("{name}[{i}]"), shown);
                    }),
                }
            }
        }
        found
    }

    /// Names the model instead of the library at each call and each type.
    pub fn plan_synchronisation(&mut self) {
        let facts = self.facts;
        // CBMC's own versions write pointers that all threads see.
        for (call, name) in library(facts).filter(|_| self.threaded) {
            if MEMORY.contains(&name) {
                let text = format!("ba_{name} /* ");
                self.insertions
                    .around(call.callee_range, call.depth, 7, text, " */");
            }
        }
        for (range, name) in &facts.type_words {
            self.insertions
                .around(*range, TYPE_DEPTH, 0, format!("ba_{name} /* "), " */");
        }
        for (number, call) in facts.calls.iter().enumerate() {
            let name = call.callee.as_deref().filter(|_| call.target.is_none());
            let Some(primitive) = name.and_then(primitive) else {
                continue;
            };
            if primitive.family == Family::Once && routine(call).is_none() {
                self.refuse(
                    call.range,
                    "the function that is to be called once is not named here".into(),
                    "computed function",
                    Some("pass the function's name"),
                );
                continue;
            }
            let stored = match primitive.name {
                // What a proposition reads is stored by the event of the call.
                "pthread_join" | "thrd_join" if self.effects.calls[number].is_empty() => {
                    self.plan_joined(call)
                }
                called if called.starts_with("pthread_cond_") || called.starts_with("cnd_") => {
                    match self.turns_in(call.range) {
                        true => "_turn",
                        false => "",
                    }
                }
                _ => "",
            };
            self.insertions.around(
                call.callee_range,
                call.depth,
                7,
                format!("ba_{}{stored} /* ", primitive.name),
                " */",
            );
            if primitive.placed {
                let site = self.site(call.range, call.function, "wait");
                let place = call.arguments.first().map_or(call.range.end, |a| a.start);
                self.insertions
                    .open(place, call.depth, 7, format!("{site}, "));
            }
        }
    }
}

impl Weaver<'_> {
    /// Where a join stores a thread's result by `&x`, it assigns to `x`: a variable whose address is
    /// taken counts as shared in CBMC, which follows no shared pointer. Gives the rest of the name of
    /// the join that does so.
    fn plan_joined(&mut self, call: &Call) -> &'static str {
        let Some(&range) = call.arguments.get(1) else {
            return "";
        };
        let text = self.source(range);
        let Some(at) = text.find('&') else {
            return "";
        };
        let cast = text[..at].trim();
        let is_cast =
            cast.is_empty() || (cast.starts_with('(') && cast.find(')') == Some(cast.len() - 1));
        let operand = text[at + 1..].trim_start();
        if !is_cast || !operand.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return "";
        }
        let address = Range {
            start: range.start,
            end: range.start + at + 1,
        };
        self.insertions.around(address, TYPE_DEPTH, 0, "/* ", " */");
        "_into"
    }
}

/// Deeper than any construct: the text belongs to the one word.
const TYPE_DEPTH: i32 = 1 << 20;
