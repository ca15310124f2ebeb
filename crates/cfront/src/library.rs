//! The catalogue of functions of the C library, of POSIX, of compilers and of verifiers.
//!
//! One row of [`table`] has all facts that the crates need of a function: what it writes, whether
//! it allocates, ends, jumps, waits, starts something or prints. `__builtin_X`, `__X_chk` and the
//! like are `X`, unless they have a row of their own. The caller has to check whether the program
//! itself defines a function of that name.

mod cancellation;
mod compilers;
mod mathematics;
mod posix;
mod pure;
mod rows;
mod table;

pub use cancellation::{about_cancellation, cancellation_point, cancels, Point};
use std::collections::HashMap;
use std::sync::LazyLock;

pub(crate) use mathematics::is_exact;
pub use mathematics::{estimated, is_root, ROOT};
pub use pure::{computes, is_pure};

/// The types of the library whose objects only its functions look into, and in whose place models have their own.
pub const SYNC_TYPES: [&str; 8] = [
    "pthread_mutex_t",
    "pthread_mutexattr_t",
    "pthread_cond_t",
    "pthread_rwlock_t",
    "pthread_barrier_t",
    "sem_t",
    "mtx_t",
    "cnd_t",
];

/// The facts of one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Which memory it writes; `None` for all memory that its prototype allows.
    pub writes: Option<Writes>,
    /// How much memory it writes, if it has no other effect.
    pub fills: Option<Fills>,
    /// The argument whose target, as its type says it, always has a new value afterwards.
    pub gives: Option<usize>,
    /// Whether it reads values from outside: inputs, times, numbers of processes.
    pub reads: bool,
    /// The bytes that it stores and the result that it returns, if it reads from outside a number
    /// of bytes that its arguments give.
    pub input: Option<Input>,
    /// The least and the greatest value of its result, if these are not those of its type.
    pub results: Option<(i64, i64)>,
    /// The argument that is the greatest value of its result, if there is one.
    pub at_most: Option<usize>,
    /// What model checkers know of its result and of the values that it stores.
    pub backend: Backend,
    /// Whether it returns newly allocated memory.
    pub allocates: Option<Allocates>,
    /// The state that it changes besides the objects of the program, as a predicate: "opens a
    /// file".
    pub state: Option<&'static str>,
    /// Whether it keeps pointers that it is given and returns them in another call.
    pub keeps_pointers: bool,
    /// Whether it ends something.
    pub ends: Option<Ends>,
    /// Whether it saves or makes a non-local jump.
    pub jump: Option<Jump>,
    /// Whether it has no effect on the order of events.
    pub no_effect: Option<NoEffect>,
    /// The header that declares it, for functions without effect: there they get other names.
    pub header: Option<&'static str>,
    /// The type to which it converts its argument, if it assumes that the argument holds.
    pub assumes: Option<&'static str>,
    /// Whether a failing assertion of the program calls it.
    pub asserts: bool,
    /// The functions of the program that it runs, or causes to run.
    pub runs: Option<Runs>,
    /// The argument through which it returns a handle or a result of a thread.
    pub hands: Option<usize>,
    /// How the models of synchronisation replace it.
    pub primitive: Option<Primitive>,
    /// Whether it takes or releases a lock, or tries something without blocking.
    pub lock: Option<Lock>,
    /// Why model checkers cannot follow it, if it sends signals or replaces the program.
    pub signals: Option<&'static str>,
    /// Its prototype, if a model checker knows the function only by its plain name.
    pub prototype: Option<&'static str>,
    /// What a proof may know of its result instead of following its loops.
    pub contract: Option<Contract>,
    /// Whether the weaver has a definition of it in C for model checkers, which do not know the function.
    pub defined: bool,
}

/// What the C standard says of a function that goes through a string or memory in a loop: of its result, and of what it stores.
/// A proof that knows no more than this knows too little, never anything wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    /// Any value of the result's type: the number that a string begins with.
    Number,
    /// The same; and through this argument, unless it is a null pointer, it stores where the number ends.
    NumberUntil(usize),
    /// Less than, equal to or greater than 0, as the strings that its first two arguments point to compare; of at most as many
    /// characters as this argument says.
    Strings(Option<usize>),
    /// The same of as many bytes as this argument says.
    Memory(usize),
    /// The length of a string; at most the value of this argument.
    Length(Option<usize>),
    /// The length of the beginning of a string that has only characters of another one (or, if not, none of them).
    Span(bool),
    /// A null pointer, or the first place of this character (the second argument) in the string that its first argument
    /// points to.
    Character,
    /// A null pointer, or a place in what its first argument points to.
    Place,
    /// A null pointer, or a place in the string that its first argument, or else the pointer that its third one leads to, points
    /// to; that pointer gets a place behind it, and the byte in front of that may be cleared.
    Token,
    /// What its first argument points to, where it writes the string of its second one: over the one that is there, or `behind` it;
    /// at most as many characters as an argument says.
    Copy {
        /// Whether the string is appended.
        behind: bool,
        /// The argument with the number of characters.
        limit: Option<usize>,
    },
    /// The length of a text that it writes to what its first argument points to, by the format behind that; in at most as many bytes
    /// as an argument in front of the format says.
    Print(Option<usize>),
    /// The character of one of the options that this argument lists, `?`, or -1 behind the last one. The variables of the library
    /// tell the option's argument, and where the arguments begin that are no options.
    Options(usize),
    /// How many values it stores, as a format says; the values are any of their types.
    Values,
}

impl Contract {
    /// Whether the result is a number that a string begins with, which may be a floating-point number.
    pub fn is_number(self) -> bool {
        matches!(self, Contract::Number | Contract::NumberUntil(_))
    }

    /// Whether the result is a null pointer or points into what the first argument points to, and nothing else is done.
    pub fn finds(self) -> bool {
        matches!(self, Contract::Character | Contract::Place)
    }

    /// Whether the result points into what the first argument points to.
    pub fn is_place(self) -> bool {
        matches!(
            self,
            Contract::Character | Contract::Place | Contract::Token | Contract::Copy { .. }
        )
    }
}

/// Which memory a function writes, by the positions of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writes {
    /// It writes none.
    Nothing,
    /// The memory that these arguments point to.
    Arguments(&'static [usize]),
    /// The memory that all arguments from this one on point to.
    From(usize),
    /// The memory that these arguments point to, and the memory that pointers in it point to.
    Deep(&'static [usize]),
}

/// How many bytes a function writes, starting at the target of its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The value of this argument.
    Argument(usize),
    /// The length of the string that is there afterwards, with its final zero.
    String,
}

/// A function without effect but writing memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fills {
    /// How many bytes it writes through its first argument.
    pub size: Size,
    /// Whether it reads memory through its second argument.
    pub reads: bool,
}

/// How many bytes a function reads from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    /// The value of this argument.
    Argument(usize),
    /// The product of two arguments.
    Product(usize, usize),
    /// A line of at most as many characters as this argument says, with the final zero.
    Line(usize),
    /// Any number up to the end of the object.
    Rest,
    /// The number depends on the bytes read.
    Unknown,
}

/// The values that a function reading from outside stores and returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// It stores bytes in the target of the first argument named here, and returns the value of the
    /// second.
    Bytes(usize, Bytes, Option<usize>),
    /// It stores values of its arguments' types, and returns how many.
    Values,
}

/// What model checkers know of a function's result and of the values that it stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The result has the type of the declaration.
    Declared,
    /// They know the function, even if the program declares it itself.
    Known,
    /// They know the function, but let it return or store any values.
    Vague,
}

/// Whether a function that allocates memory may fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocates {
    /// Model checkers assume that it does not.
    Surely,
    /// It may.
    Perhaps,
}

/// What a function ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The process.
    Process,
    /// The calling thread.
    Thread,
    /// The meaning of the program: a run that reaches the call has undefined behaviour.
    Undefined,
}

/// The part that a function has in a non-local jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// It saves a place to jump to.
    Saves,
    /// It jumps to a saved place.
    Makes,
}

/// A function without effect on the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEffect {
    /// It prints, or has no other effect in the model; it returns any value of this type.
    Silent(&'static str),
    /// It lets time pass, yields the processor or sets an attribute; it returns 0.
    Passes,
}

/// The functions of the program that a function runs, or causes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// This argument, in a thread that it starts.
    Thread(usize),
    /// This argument, in the calling thread.
    Here(usize),
    /// Its argument, when the process ends by this function.
    AtExit(&'static str),
    /// This argument, or a function in the structure that it points to, when a signal comes.
    OnSignal(usize),
}

/// A function that the models of synchronisation replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Primitive {
    /// The family of primitives.
    pub family: Family,
    /// Whether the model gets the place of the call: the call may block there, or be misused.
    pub placed: bool,
}

/// The family of a primitive or a type.
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
    /// Initialisation that happens once.
    Once,
}

/// What a function does with a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// It waits for the lock and takes it.
    Takes,
    /// It releases the lock.
    Gives,
    /// It does not block; the model's counter of effects tells whether it changed something.
    Tries,
    /// It waits for a condition with a time limit: it releases the mutex and takes it again.
    WaitsForTime,
    /// It changes nothing.
    Looks,
}

static BY_NAME: LazyLock<HashMap<&'static str, &'static Function>> =
    LazyLock::new(|| all().map(|f| (f.name, f)).collect());

/// The name of a library function in the C standard: without the affixes that compilers and the
/// library add for checks and versions.
pub fn plain_name(name: &str) -> &str {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = plain.strip_prefix("__isoc99_").unwrap_or(plain);
    let plain = plain.strip_prefix("__isoc23_").unwrap_or(plain);
    match (plain.strip_prefix("__"), plain.strip_suffix("_chk")) {
        (Some(rest), Some(_)) => rest.strip_suffix("_chk").unwrap_or(rest),
        _ => plain,
    }
}

/// Whether the standard forbids a call of a function in some states of its lock: to release a lock
/// that the thread does not hold, to wait for one that it holds, to destroy an object in use.
pub fn may_be_misused(name: &str) -> bool {
    let Some(function) = function(name) else {
        return false;
    };
    let Some(primitive) = function.primitive.filter(|p| p.placed) else {
        return false;
    };
    match primitive.family {
        Family::Mutex | Family::Mtx | Family::Spin | Family::RwLock => {
            function.lock != Some(Lock::Tries)
        }
        Family::Cond | Family::Cnd => true,
        Family::Barrier => function.name.ends_with("_destroy"),
        Family::Thread | Family::Semaphore | Family::Once => false,
    }
}

/// All rows, in a fixed order.
pub fn all() -> impl Iterator<Item = &'static Function> {
    table::TABLE.iter().flat_map(|section| section.iter())
}

/// The row of a function. Builtins and checked versions (`__X_chk`) of a function have its row. One
/// look-up in a table.
pub fn function(name: &str) -> Option<&'static Function> {
    let by_name = &*BY_NAME;
    by_name
        .get(name)
        .or_else(|| by_name.get(plain_name(name)))
        .copied()
}

/// The row of a function whose arguments are at the positions that the row says: checked versions
/// (`__fgets_chk`) have one more argument in between.
pub fn with_arguments(name: &str) -> Option<&'static Function> {
    function(name).filter(|f| f.name == name || !name.ends_with("_chk"))
}

/// Whether a function never returns, for programs that declare it without `_Noreturn`.
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

/// Whether a call of a function is undefined behaviour, whatever its arguments.
pub fn is_undefined(name: &str) -> bool {
    function(name).is_some_and(|f| f.ends == Some(Ends::Undefined))
}

/// Whether a function jumps to a saved place.
pub fn makes_nonlocal_jump(name: &str) -> bool {
    function(name).is_some_and(|f| f.jump == Some(Jump::Makes))
}

/// Whether a function saves a place to jump to.
pub fn saves_place(name: &str) -> bool {
    function(name).is_some_and(|f| f.jump == Some(Jump::Saves))
}

/// The type of a function's result, if the function prints or has no other effect in the model.
pub fn silent(name: &str) -> Option<&'static str> {
    match function(name)?.no_effect? {
        NoEffect::Silent(ty) => Some(ty),
        NoEffect::Passes => None,
    }
}

/// Whether a function returns how many characters, or which one, it has written: that is computed, unless the output fails.
pub fn counts_characters(name: &str) -> bool {
    let one = matches!(name, "putchar" | "putc" | "fputc");
    (one || plain_name(name).ends_with("printf")) && silent(name).is_some()
}

/// Whether a function lets time pass, yields the processor or sets an attribute.
pub fn passes_time(name: &str) -> bool {
    function(name).is_some_and(|f| f.no_effect == Some(NoEffect::Passes))
}

/// Whether a function accesses thread-specific data under a key.
pub fn thread_specific(name: &str) -> bool {
    let of_posix = name.strip_prefix("pthread_");
    matches!(
        of_posix,
        Some("key_create" | "key_delete" | "setspecific" | "getspecific")
    ) || matches!(name, "tss_create" | "tss_delete" | "tss_set" | "tss_get")
}

/// Whether a function returns newly allocated memory.
pub fn allocates(name: &str) -> bool {
    function(name).is_some_and(|f| f.allocates.is_some())
}

/// What a function does with a lock.
pub fn lock(name: &str) -> Option<Lock> {
    function(name)?.lock
}

/// How the models of synchronisation replace a function.
pub fn primitive(name: &str) -> Option<Primitive> {
    function(name)?.primitive
}

/// Whether a function starts a thread.
pub fn starts_thread(name: &str) -> bool {
    thread_argument(name).is_some()
}

/// Functions with output only, whose failures are told by `errno`.
const FAIL: [&str; 6] = ["write", "fwrite", "close", "fclose", "fflush", "fputs"];

/// Whether a function that the program does not define may set `errno` in a way that nothing else shows: those that read,
/// write, open or close, and those that are unknown.
pub fn may_set_errno(name: &str) -> bool {
    let Some(known) = function(name) else {
        return !is_pure(name);
    };
    let prints = name.ends_with("printf");
    let reads = known.reads && known.ends.is_none() && !prints;
    (reads && !matches!(name, "time" | "clock")) || FAIL.contains(&name)
}

/// The argument of a function that a new thread begins with.
pub fn thread_argument(name: &str) -> Option<usize> {
    match function(name)?.runs? {
        Runs::Thread(argument) => Some(argument),
        _ => None,
    }
}

/// The argument of a function that it calls, in this thread or another.
pub fn routine_argument(name: &str) -> Option<usize> {
    match function(name)?.runs? {
        Runs::Thread(argument) | Runs::Here(argument) => Some(argument),
        _ => None,
    }
}

/// The argument of a function that is a handler of signals, or points to a structure with one.
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
    fn atomic_operations_write_through_these_arguments() {
        for (name, written) in [
            ("__atomic_load", &[1][..]),
            ("__atomic_store_n", &[0]),
            ("__atomic_exchange", &[0, 2]),
            ("__atomic_compare_exchange_n", &[0, 1]),
            ("__atomic_nand_fetch", &[0]),
            ("__sync_fetch_and_or", &[0]),
            ("__builtin_smulll_overflow", &[2]),
        ] {
            let row = function(name);
            let writes = row.and_then(|f| f.writes);
            assert!(
                matches!(writes, Some(Writes::Arguments(list)) if list == written),
                "{name}"
            );
        }
    }

    #[test]
    fn checks_with_more_arguments_have_none_at_known_places() {
        assert!(with_arguments("fgets").is_some());
        assert_eq!(with_arguments("__fgets_chk"), None);
        assert!(with_arguments("__assert_fail").is_some());
    }
}
