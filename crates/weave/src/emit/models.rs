//! The models of threads and of synchronisation: templates filled with the program's primitives and start
//! routines.

use askama::Template;

use crate::analysis::thread_bound;
use crate::facts::loops::Turn;
use crate::facts::options::Options;
use crate::facts::record::WaitRecord;
use crate::facts::{FunctionIndex, Lifetime};
use crate::items::words::*;
use crate::items::{rendered, Item, OfThread, Variable};
use crate::layout::weaver::Weaver;
use crate::library;
use crate::library::synchronisation::{self, COMPUTED};
use crate::library::Family;
use crate::sites::environment::CutMarks;
use crate::sites::threads::shared_pointers::results;
use crate::sites::threads::synchronisation::Waited;

#[derive(Template)]
#[template(path = "threads.c", escape = "none")]
struct Threads<'a> {
    threads: usize,
    numbers: usize,
    single_creator: bool,
    results: bool,
    selfchecks: bool,
    polls: bool,
    tries: bool,
    turns: bool,
    starts: &'a [Start],
    primitives: String,
    created: Item,
    number: OfThread,
    effects: OfThread,
    effects_alone: OfThread,
    last: OfThread,
    refused: OfThread,
    dead: OfThread,
    natives: Vec<Native>,
    native_types: Vec<&'static str>,
}

#[derive(Template)]
#[template(path = "sync.c", escape = "none")]
struct Primitives {
    threads: usize,
    unnumbered: bool,
    polls: bool,
    turns: bool,
    errno: bool,
    spurious: bool,
    serials: bool,
    mutexes: bool,
    conds: bool,
    rwlocks: bool,
    barriers: bool,
    semaphores: bool,
    spins: bool,
    onces: bool,
    mutex_shape: String,
    attribute_shape: String,
    static_kind: String,
    cond_shape: String,
    rwlock_shape: String,
    barrier_shape: String,
    sem_shape: String,
    mine: OfThread,
    shared: OfThread,
    spinning: OfThread,
}

#[derive(Template)]
#[template(path = "endings.c", escape = "none")]
struct Endings<'a> {
    threads: usize,
    selfchecks: bool,
    unnumbered: bool,
    /// Whether the end of the run finds out if some thread was cut.
    marks_cuts: bool,
    codes: Vec<Code>,
    waits: Vec<String>,
    starts: &'a [Start],
}

/// A start of threads: the part of its name after `ba_create_`, and the functions that it may run with the
/// calls that run them.
struct Start {
    name: String,
    computed: bool,
    calls: Vec<(String, String)>,
}

/// A function that maps an object to its number.
struct Code {
    function: &'static str,
    parameter: &'static str,
    argument: &'static str,
    objects: Vec<(String, usize)>,
}

impl Threads<'_> {
    fn ids(&self) -> std::ops::RangeInclusive<usize> {
        0..=self.threads
    }

    /// Whether some call is checked for misuse.
    fn checked(&self) -> bool {
        self.natives.iter().any(|native| native.checked)
    }
}

impl Primitives {
    fn ids(&self) -> std::ops::RangeInclusive<usize> {
        0..=self.threads
    }
}

impl Endings<'_> {
    fn others(&self) -> std::ops::RangeInclusive<usize> {
        1..=self.threads
    }
}

/// The number of threads that the model has room for if no bound is known.
const MANY: u64 = 16;

/// The model's text before the program and after it; both empty if the program needs no model.
pub(crate) fn models(weaver: &Weaver, options: &Options, marks: CutMarks) -> (String, String) {
    if !weaver.modelled() {
        return Default::default();
    }
    let starts = starts(weaver);
    let waited = weaver.waited();
    let threads = room(weaver);
    let unnumbered = unnumbered(weaver, &waited);
    let selfchecks = unnumbered || weaver.out.waits.busy > 0;
    let families = weaver.families();
    let prologue = Threads {
        threads,
        numbers: waited.last().map_or(0, |w| w.first + 2),
        single_creator: single_creator(weaver),
        results: results(weaver),
        selfchecks,
        polls: weaver.out.waits.polls,
        tries: weaver.out.waits.polls && tries(weaver),
        turns: turns(weaver),
        starts: &starts,
        primitives: rendered(&primitives(weaver, options, threads, unnumbered)),
        created: match single_creator(weaver) {
            true => OfThread::new("unsigned ", "ba_created", "").into(),
            false => Variable::new("unsigned ba_created").into(),
        },
        number: OfThread::new("unsigned ", "ba_self", "").remark("0 in main"),
        effects: effects()
            .remark("how often the thread has changed something in a loop that may only wait"),
        effects_alone: effects(),
        last: OfThread::new("_Bool ", "ba_last", "")
            .remark("the thread shows that it waits for good, and changes nothing more"),
        refused: OfThread::new("unsigned ", "ba_refused", "").remark("those of this thread"),
        dead: OfThread::new("_Bool ", "ba_dead", "").remark("the run ends in a deadlock"),
        natives: natives(weaver),
        native_types: cfront::library::SYNC_TYPES.to_vec(),
    };
    let epilogue = Endings {
        threads,
        selfchecks,
        unnumbered,
        marks_cuts: marks.at_end,
        codes: codes(&waited, &families),
        waits: waits(weaver, &waited, threads),
        starts: &starts,
    };
    (rendered(&prologue) + "\n", rendered(&epilogue))
}

/// The number of threads beside `main` that the model has room for.
pub(crate) fn room(weaver: &Weaver) -> usize {
    let bound = || thread_bound::thread_bound(weaver.facts, weaver.analysis.main);
    match weaver.analysis.threaded {
        true => bound().map_or(MANY, |n| n.min(MANY)) as usize,
        false => 0,
    }
}

/// The objects that threads wait for, by the codes that the template gives them.
pub fn wait_records(weaver: &Weaver) -> Vec<WaitRecord> {
    /// The value of `BA_JOINS` in the template.
    const JOINS: usize = 4;
    if !weaver.modelled() {
        return Vec::new();
    }
    let threads = room(weaver);
    let record = |code: usize, name: String| WaitRecord {
        code: code as u32,
        name,
    };
    let mut records: Vec<WaitRecord> = (1..=threads)
        .map(|t| record(JOINS + t, format!("thread {t}")))
        .collect();
    for waited in weaver.waited() {
        let code = JOINS + threads + 1 + waited.first;
        if waited.family == Family::RwLock {
            records.push(record(code + 1, waited.shown.clone()));
        }
        records.push(record(code, waited.shown));
    }
    records
}

fn primitives(weaver: &Weaver, options: &Options, threads: usize, unnumbered: bool) -> Primitives {
    let families = weaver.families();
    let has = |family: Family| families.contains(&family);
    let shapes = &weaver.facts.shapes;
    let shape = |name: &str| {
        shapes
            .get(name)
            .map(|s| s.members.clone())
            .unwrap_or_default()
    };
    let kind = shapes.get("pthread_mutex_t").and_then(|s| s.kind.clone());
    Primitives {
        threads,
        unnumbered,
        polls: weaver.out.waits.polls,
        turns: turns(weaver),
        errno: weaver.calls("__errno_location"),
        spurious: options.spurious_wakeups,
        serials: library::calls(weaver.facts)
            .any(|(call, name)| name == "pthread_barrier_wait" && call.used),
        // A wait for a condition variable takes a mutex.
        mutexes: has(Family::Mutex) || has(Family::Cond),
        conds: has(Family::Cond),
        rwlocks: has(Family::RwLock),
        barriers: has(Family::Barrier),
        semaphores: has(Family::Semaphore),
        spins: has(Family::Spin),
        onces: has(Family::Once),
        mutex_shape: shape("pthread_mutex_t"),
        attribute_shape: shape("pthread_mutexattr_t"),
        static_kind: match kind.filter(|_| weaver.facts.static_kinds) {
            Some(path) => format!("(unsigned)(m){}", path.replacen('.', "->", 1)),
            None => "0u".into(),
        },
        cond_shape: shape("pthread_cond_t"),
        rwlock_shape: shape("pthread_rwlock_t"),
        barrier_shape: shape("pthread_barrier_t"),
        sem_shape: shape("sem_t"),
        mine: counters("ba_mine"),
        shared: counters("ba_shared").remark("how often the thread holds it"),
        spinning: counters("ba_spinning"),
    }
}

/// The number of effects of a thread in loops that may only wait.
fn effects() -> OfThread {
    OfThread::unused("unsigned ", "ba_effects")
}

/// A counter for each object that threads may wait for.
fn counters(name: &str) -> OfThread {
    OfThread::new("unsigned char ", name, "[BA_CODES]")
}

/// A primitive that the program calls.
struct Native {
    name: &'static str,
    /// Whether the call passes its place to the model.
    placed: bool,
    /// Whether the standard forbids the call in some states of its lock, so that it is checked.
    checked: bool,
}

/// The primitives that the program calls; the native build wraps them.
fn natives(weaver: &Weaver) -> Vec<Native> {
    let mut found: Vec<Native> = Vec::new();
    for (_, name) in library::calls(weaver.facts) {
        let row = library::function(name);
        let Some((name, primitive)) = row.and_then(|f| Some((f.name, f.primitive?))) else {
            continue;
        };
        if !found.iter().any(|native| native.name == name) {
            found.push(Native {
                name,
                placed: primitive.placed,
                checked: library::may_be_misused(name),
            });
        }
    }
    found
}

/// Whether threads may wait for objects without a number: locals, parts of allocated memory, integers that are
/// not named spin locks.
fn unnumbered(weaver: &Weaver, waited: &[Waited]) -> bool {
    let facts = weaver.facts;
    let local = facts
        .objects
        .iter()
        .any(|o| o.lifetime != Lifetime::Static && !o.parts.is_empty());
    let allocates = || library::calls(facts).any(|(_, name)| library::allocates(name));
    let integers = library::calls(facts).any(|(call, name)| {
        let family = library::primitive(name).map(|p| p.family);
        let named = call.argument_objects.first().copied().flatten();
        let is_static = named.is_some_and(|o| facts.objects[o].lifetime == Lifetime::Static);
        matches!(family, Some(Family::Spin | Family::Once)) && !is_static
    });
    let parts: usize = facts.objects.iter().map(|o| o.parts.len()).sum();
    let uses_any = !facts.type_names.is_empty();
    integers || (uses_any && (local || parts > waited.len() || allocates()))
}

/// Whether a thread may find out that a lock is held without waiting for it.
fn tries(weaver: &Weaver) -> bool {
    let asks = |name: &str| {
        let by = |how: &str| name.contains(how) && name.ends_with("lock");
        by("_try") || by("_timed") || by("_clock")
    };
    library::calls(weaver.facts).any(|(_, name)| asks(name) && library::primitive(name).is_some())
}

/// Whether the rounds of some loop begin in a timed wait.
fn turns(weaver: &Weaver) -> bool {
    let mut loops = weaver.facts.loops.iter();
    loops.any(|lp| {
        let turn = lp.busy.as_ref().and_then(|b| b.turn.as_ref());
        matches!(turn, Some(Turn::Waiting(_)))
    })
}

fn single_creator(weaver: &Weaver) -> bool {
    synchronisation::starts(weaver.facts).all(|call| {
        weaver.analysis.threads.only_thread(call.function) == Some(weaver.analysis.main)
    })
}

fn starts(weaver: &Weaver) -> Vec<Start> {
    let facts = weaver.facts;
    let mut named: Vec<FunctionIndex> = Vec::new();
    let mut computed = false;
    for call in synchronisation::starts(facts) {
        match synchronisation::routine(call) {
            Some(f) => named.push(f),
            None => computed = true,
        }
    }
    named.sort_unstable();
    named.dedup();
    let mut starts: Vec<Start> = named
        .into_iter()
        .map(|f| Start {
            name: facts.functions[f].emitted.clone(),
            computed: false,
            calls: vec![call_of(weaver, f)],
        })
        .collect();
    if computed {
        starts.push(Start {
            name: COMPUTED.into(),
            computed: true,
            calls: synchronisation::candidates(facts)
                .into_iter()
                .map(|f| call_of(weaver, f))
                .collect(),
        });
    }
    starts
}

/// A start routine's name, and the call that runs it.
fn call_of(weaver: &Weaver, f: FunctionIndex) -> (String, String) {
    let function = &weaver.facts.functions[f];
    let name = crate::facts::names::function(&function.name, f);
    let call = match function.parameters {
        Some(0) => format!("{name}()"),
        _ => format!("{name}((void *)ba_argument)"),
    };
    let call = match function.returns_void {
        true => format!("({call}, (void *)0)"),
        false => format!("(void *)(long){call}"),
    };
    (name, call)
}

fn codes(waited: &[Waited], families: &std::collections::BTreeSet<Family>) -> Vec<Code> {
    let functions = [
        (
            Family::Mutex,
            "ba_mutex_code",
            "const ba_pthread_mutex_t *ba_m",
            "ba_m",
        ),
        (
            Family::Cond,
            "ba_cond_code",
            "const ba_pthread_cond_t *ba_c",
            "ba_c",
        ),
        (
            Family::RwLock,
            "ba_rwlock_code",
            "const ba_pthread_rwlock_t *ba_l",
            "ba_l",
        ),
        (
            Family::Barrier,
            "ba_barrier_code",
            "const ba_pthread_barrier_t *ba_b",
            "ba_b",
        ),
        (
            Family::Semaphore,
            "ba_sem_code",
            "const ba_sem_t *ba_s",
            "ba_s",
        ),
        (
            Family::Spin,
            "ba_spin_code",
            "const volatile int *ba_s",
            "ba_s",
        ),
        (Family::Once, "ba_once_code", "const int *ba_o", "ba_o"),
    ];
    let used = |family: Family| {
        families.contains(&family) || (family == Family::Mutex && families.contains(&Family::Cond))
    };
    functions
        .into_iter()
        .filter(|(family, ..)| used(*family))
        .map(|(family, function, parameter, argument)| {
            let objects = waited.iter().filter(|w| w.family == family);
            Code {
                function,
                parameter,
                argument,
                objects: objects.map(|w| (w.name.clone(), w.first)).collect(),
            }
        })
        .collect()
}

/// For each object, the condition that the threads that guessed to wait for it for good were right.
fn waits(weaver: &Weaver, waited: &[Waited], threads: usize) -> Vec<String> {
    let state = |t: usize| match t {
        0 => "ba_stops".to_string(),
        t => format!("ba_other{t}"),
    };
    let someone = |code: &str| {
        let each: Vec<String> = (0..=threads)
            .map(|t| format!("{} == {code}", state(t)))
            .collect();
        format!("!({})", each.join(" || "))
    };
    let mut conditions = Vec::new();
    if weaver.calls("pthread_join") || weaver.calls("thrd_join") {
        conditions.extend((0..=threads).map(|t| {
            format!(
                "{} || {} != BA_ENDED",
                someone(&format!("BA_JOINS + {t}")),
                state(t)
            )
        }));
    }
    for w in waited {
        let code = format!("BA_OBJECT + {}", w.first);
        let name = &w.name;
        let simple = match w.family {
            Family::Mutex => format!("{name}.ba_held"),
            Family::RwLock => {
                let next = format!("BA_OBJECT + {}", w.first + 1);
                conditions.push(format!("{} || {name}.ba_users < 0", someone(&next)));
                format!("{name}.ba_users != 0")
            }
            Family::Semaphore => format!("{name}.ba_value == 0"),
            Family::Spin => name.clone(),
            Family::Once => format!("*(const int *)(const void *)&{name} != 2"),
            _ => {
                conditions.extend(
                    (0..=threads)
                        .map(|t| format!("{} != {code} || {name}.ba_waits_{t} == 1", state(t))),
                );
                continue;
            }
        };
        conditions.push(format!("{} || {simple}", someone(&code)));
    }
    conditions
}
