//! The catalogue of what is known of the functions of the C library, of POSIX, of compilers and of verifiers.
//!
//! One row of [`table`] says all that the crates have to know of a function: what it writes, whether it allocates,
//! ends, jumps, waits, starts something or prints. `__builtin_X`, `__X_chk` and the like are `X`, unless they have
//! a row of their own. Whether a program defines a function of that name itself is for the caller to ask.

mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

/// What is known of one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Which memory it writes; nothing if that is what its prototype allows.
    pub writes: Option<Writes>,
    /// It does nothing but write memory: how much.
    pub fills: Option<Fills>,
    /// It reads what no one knows: inputs, times, numbers of processes.
    pub reads: bool,
    /// The bytes that it stores, and what it gives, where it reads as many as it is told.
    pub input: Option<Input>,
    /// What model checkers know of its result and of what it stores.
    pub backend: Backend,
    /// Whether it gives memory that the program did not have.
    pub allocates: Option<Allocates>,
    /// The state that it has beside the objects of the program: what it does, as a sentence without subject.
    pub state: Option<&'static str>,
    /// Whether it keeps pointers that it is given, and gives them back in another call.
    pub keeps_pointers: bool,
    /// Whether it ends something.
    pub ends: Option<Ends>,
    /// Whether it has to do with jumps out of functions.
    pub jump: Option<Jump>,
    /// Whether it has no effect on the order of events.
    pub no_effect: Option<NoEffect>,
    /// The header that declares it, where that matters: functions without effect get other names.
    pub header: Option<&'static str>,
    /// It assumes that its argument holds: the type to which that is converted.
    pub assumes: Option<&'static str>,
    /// Whether an assertion of the program calls it when it fails.
    pub asserts: bool,
    /// The functions that it runs, or lets run.
    pub runs: Option<Runs>,
    /// The argument through which it gives a handle or a result of a thread.
    pub hands: Option<usize>,
    /// What the models of synchronisation have for it.
    pub primitive: Option<Primitive>,
    /// Whether it takes a lock, gives one back, or tries something without waiting for good.
    pub lock: Option<Lock>,
    /// Whether it sends signals or exchanges the program: why model checkers cannot follow.
    pub signals: Option<&'static str>,
    /// Its prototype, where a model checker knows it by its plain name alone.
    pub prototype: Option<&'static str>,
}

/// Which memory a function writes, by the positions of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writes {
    /// None.
    Nothing,
    /// What these arguments point to.
    Arguments(&'static [usize]),
    /// What all arguments from this one on point to.
    From(usize),
    /// What these arguments point to, and what that points to.
    Deep(&'static [usize]),
}

/// How many bytes a function writes from what its first argument points to on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As many as this argument says.
    Argument(usize),
    /// The string that is there afterwards, with its end.
    String,
}

/// A function that does nothing but write memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fills {
    /// How many bytes it writes through its first argument.
    pub size: Size,
    /// Whether it reads memory through its second.
    pub reads: bool,
}

/// How many bytes a function reads from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    /// As many as this argument says.
    Argument(usize),
    /// The product of two arguments.
    Product(usize, usize),
    /// A line of at most so many characters as this argument says, its end among them.
    Line(usize),
    /// Anything up to the end of the object.
    Rest,
    /// Only what is read decides.
    Unknown,
}

/// What a function that reads from outside stores and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// It stores bytes where this argument points to, and gives this argument.
    Bytes(usize, Bytes, Option<usize>),
    /// It stores values of the types that its arguments have, and gives how many.
    Values,
}

/// What model checkers know of a function's result and of what it stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// What its declaration says.
    Declared,
    /// They know the function, should a program declare it itself.
    Known,
    /// They have the function, and let it give or store any values.
    Vague,
}

/// Whether a function that allocates memory may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocates {
    /// Model checkers take for granted that it does not.
    Surely,
    /// Nothing is known.
    Perhaps,
}

/// What a function ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The process.
    Process,
    /// The calling thread.
    Thread,
    /// Nothing: a program that comes there has no meaning.
    Undefined,
}

/// What a function has to do with jumps out of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// It saves a place to jump to.
    Saves,
    /// It jumps there.
    Makes,
}

/// A function without effect on the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEffect {
    /// It puts out, or has no other meaning for the model: it gives any result, of this type.
    Silent(&'static str),
    /// It passes time, yields the processor or sets an attribute: it succeeds with 0.
    Passes,
}

/// Which functions of the program a function runs, or lets run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// This argument, in a thread that it starts.
    Thread(usize),
    /// This argument, in the calling thread.
    Here(usize),
    /// What it is given, when this function ends the process.
    AtExit(&'static str),
    /// This argument, or a function in the structure that it points to, when a signal comes.
    OnSignal(usize),
}

/// A function that the models of synchronisation replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Primitive {
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

/// What a function does with a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// It waits for the lock and takes it.
    Takes,
    /// It gives it back.
    Gives,
    /// It does not wait for good; the model's counter of effects tells whether it changed something.
    Tries,
    /// It waits for a condition, for some time: the mutex is given back and taken again.
    WaitsForTime,
    /// It changes nothing.
    Looks,
}

static BY_NAME: LazyLock<HashMap<&'static str, &'static Function>> =
    LazyLock::new(|| all().map(|f| (f.name, f)).collect());

/// The name of a library function as C has it: without what the compiler and the library put around
/// it for their own checks and versions.
pub fn plain_name(name: &str) -> &str {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = plain.strip_prefix("__isoc99_").unwrap_or(plain);
    let plain = plain.strip_prefix("__isoc23_").unwrap_or(plain);
    match (plain.strip_prefix("__"), plain.strip_suffix("_chk")) {
        (Some(rest), Some(_)) => rest.strip_suffix("_chk").unwrap_or(rest),
        _ => plain,
    }
}

/// All rows, in a fixed order.
pub fn all() -> impl Iterator<Item = &'static Function> {
    table::TABLE.iter().flat_map(|section| section.iter())
}

/// What is known of a name. The function of the same meaning that the compiler, or a check of the library, puts
/// in the place of another one has that one's row. Complexity: one look-up in a table.
pub fn function(name: &str) -> Option<&'static Function> {
    let by_name = &*BY_NAME;
    by_name
        .get(name)
        .or_else(|| by_name.get(plain_name(name)))
        .copied()
}

/// What is known of a name whose arguments stand where the row says: the checks of the library (`__fgets_chk`)
/// have one more in between.
pub fn with_arguments(name: &str) -> Option<&'static Function> {
    function(name).filter(|f| f.name == name || !name.ends_with("_chk"))
}

/// Whether a function never returns, for programs that declare it without saying so.
pub fn never_returns(name: &str) -> bool {
    function(name).is_some_and(|f| f.ends.is_some() || f.jump == Some(Jump::Makes))
}

/// Whether a function ends the process.
pub fn ends_process(name: &str) -> bool {
    function(name).is_some_and(|f| f.ends == Some(Ends::Process))
}

/// Whether a function ends the calling thread.
pub fn ends_thread(name: &str) -> bool {
    function(name).is_some_and(|f| f.ends == Some(Ends::Thread))
}

/// Whether a function jumps to a saved place.
pub fn makes_nonlocal_jump(name: &str) -> bool {
    function(name).is_some_and(|f| f.jump == Some(Jump::Makes))
}

/// Whether a function saves a place to jump to.
pub fn saves_place(name: &str) -> bool {
    function(name).is_some_and(|f| f.jump == Some(Jump::Saves))
}

/// Whether a function puts out, or has no other meaning for the model; the type of its result.
pub fn silent(name: &str) -> Option<&'static str> {
    match function(name)?.no_effect? {
        NoEffect::Silent(ty) => Some(ty),
        NoEffect::Passes => None,
    }
}

/// Whether a function passes time, yields the processor or sets an attribute.
pub fn passes_time(name: &str) -> bool {
    function(name).is_some_and(|f| f.no_effect == Some(NoEffect::Passes))
}

/// Whether a function is about data that each thread has of its own, under a key.
pub fn thread_specific(name: &str) -> bool {
    let of_posix = name.strip_prefix("pthread_");
    matches!(
        of_posix,
        Some("key_create" | "key_delete" | "setspecific" | "getspecific")
    ) || matches!(name, "tss_create" | "tss_delete" | "tss_set" | "tss_get")
}

/// Whether a function gives memory that the program did not have.
pub fn allocates(name: &str) -> bool {
    function(name).is_some_and(|f| f.allocates.is_some())
}

/// What a function does with a lock.
pub fn lock(name: &str) -> Option<Lock> {
    function(name)?.lock
}

/// What the models of synchronisation have for a function.
pub fn primitive(name: &str) -> Option<Primitive> {
    function(name)?.primitive
}

/// Whether a function starts a thread.
pub fn starts_thread(name: &str) -> bool {
    thread_argument(name).is_some()
}

/// Which argument of a function a new thread begins with.
pub fn thread_argument(name: &str) -> Option<usize> {
    match function(name)?.runs? {
        Runs::Thread(argument) => Some(argument),
        _ => None,
    }
}

/// Which argument of a function is a function that it runs, in this thread or another.
pub fn routine_argument(name: &str) -> Option<usize> {
    match function(name)?.runs? {
        Runs::Thread(argument) | Runs::Here(argument) => Some(argument),
        _ => None,
    }
}

/// Which argument of a function is a handler of signals, or leads to a structure with one.
pub fn handler_argument(name: &str) -> Option<usize> {
    match function(name)?.runs? {
        Runs::OnSignal(argument) => Some(argument),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_one_row() {
        let mut names: Vec<&str> = all().map(|f| f.name).collect();
        let many = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), many);
    }

    #[test]
    fn what_compilers_and_checks_call_a_function_is_that_function() {
        for (other, plain) in [
            ("__builtin_alloca", "alloca"),
            ("__builtin_malloc", "malloc"),
            ("__builtin___memcpy_chk", "memcpy"),
            ("__builtin_printf", "printf"),
            ("__printf_chk", "printf"),
            ("__builtin_setjmp", "setjmp"),
            ("__builtin_longjmp", "longjmp"),
            ("__longjmp_chk", "longjmp"),
            ("__isoc99_scanf", "scanf"),
            ("__builtin__Exit", "_Exit"),
        ] {
            assert!(function(plain).is_some(), "{plain}");
            assert_eq!(function(other), function(plain), "{other}");
        }
    }

    #[test]
    fn a_builtin_without_a_function_says_nothing_of_a_function_of_that_name() {
        for name in ["trap", "unreachable", "expect", "prefetch", "constant_p"] {
            assert_eq!(function(name), None, "{name}");
            assert!(function(&format!("__builtin_{name}")).is_some(), "{name}");
        }
    }

    #[test]
    fn checks_with_more_arguments_have_none_at_known_places() {
        assert!(with_arguments("fgets").is_some());
        assert_eq!(with_arguments("__fgets_chk"), None);
        assert!(with_arguments("__assert_fail").is_some());
    }
}
