//! The options of a sequentialisation and its result.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use cfront::{Diagnostic, ExprId, ObjectId, Span, StmtId};

/// The bounds of the exploration, and the names of functions that the program provides.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of rounds: contexts of each thread.
    pub rounds: u32,
    /// Iterations of each loop, unless the program gives a bound or the number is constant.
    pub unwind: u32,
    /// Nested activations of a recursive function.
    pub recursion: u32,
    /// The number of positions of all threads together above which the program is refused.
    pub max_positions: usize,
    /// The number of threads, the main one included, above which the program is refused.
    pub max_threads: usize,
    /// Whether waits for conditions may end without a signal.
    pub spurious_wakeups: bool,
    /// Whether the text of system headers replaces the `#include` lines: for verifiers whose own
    /// headers would define again the types that are changed here.
    pub expand_headers: bool,
    /// Whether memory of variable size gets exactly its size, so that accesses outside of it are
    /// found. Otherwise it gets its greatest size, which is decided faster, and runs that need more
    /// are cut.
    pub exact_memory: bool,
    /// Whether memory of variable size gets 64 elements instead of the number that the program's
    /// constants suggest.
    pub wide_memory: bool,
    /// Whether threads report actions that change no object of the program, in variables
    /// `ba_seq_told_…` for traces: locks that nobody waits for, waits, starts and ends of threads. In step form they call
    /// the function of [`TELLING`] with the numbers of [`Sequential::tells`].
    pub tells: bool,
    /// Functions of the program that are called at certain events.
    pub hooks: Hooks,
    /// How infinite runs are searched; `None` to search runs that end. For infinite runs, loops are
    /// unrolled only if their number of iterations is constant or they start threads.
    pub lasso: Option<Lasso>,
    /// Locals that are written before they are read on every path from their declaration, so that it does not matter
    /// what they begin with.
    pub assigned: BTreeSet<ObjectId>,
    /// Statements that only ask for the time, or compute with times on which nothing depends: they are left out.
    pub times: BTreeSet<StmtId>,
    /// Other calls that ask for such a time: whether they fail is a choice.
    pub asked: BTreeSet<ExprId>,
    /// Whether the step form is made, which has the runs of all schedules, of any length, instead
    /// of the runs of some rounds. Where it would need a bound, runs end that set [`Allocations::FULL`].
    pub steps: bool,
    /// Whether the step form calls [`cfront::stepped::SHIFT`] after each step, which whoever asks for it defines, and forgets what nothing reads
    /// any more behind it.
    pub shifts: bool,
    /// When the step form gives out again what was freed.
    pub freed: Freed,
    /// Which writes of the step form are steps of their own even if no other thread can observe them.
    pub watched: Watched,
    /// A C statement without jumps that stands at the end of each atomic section of the program.
    pub section_end: Option<String>,
    /// Ends the sequentialisation early, without a program.
    pub stop: Stop,
}

/// Says whether a sequentialisation is to end without a program: a program that is unrolled may grow for a long time, while whoever
/// waits for it has no more time or another answer. Asked again and again.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    /// Ends it as soon as `ends` is true.
    pub fn when(ends: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Some(Arc::new(ends)))
    }

    /// Whether it is to end now.
    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|ends| ends())
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.is_asked()).finish()
    }
}

/// When an object that was freed is given out again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freed {
    /// When no pointer leads to it any more: an access through an old pointer is then told from one through a new pointer.
    #[default]
    Forgotten,
    /// At any time, so that an old pointer may equal a new one. Accesses through old pointers are not found where the object
    /// is in use again; those runs in which it is not have the same accesses up to a comparison of the two.
    Anytime,
}

/// The writes that whoever asks about a program can observe, besides its threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Watched {
    /// Every access of memory that threads may share is a step of its own, whether another thread can observe it or not.
    #[default]
    Accesses,
    /// All writes.
    Writes,
    /// Those of these objects.
    Objects(BTreeSet<ObjectId>),
}

impl Options {
    /// Whether loops stay loops.
    pub(crate) fn turns(&self) -> bool {
        self.lasso.is_some() || self.steps
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            rounds: 2,
            unwind: 2,
            recursion: 2,
            max_positions: 20_000,
            max_threads: 64,
            spurious_wakeups: false,
            expand_headers: false,
            exact_memory: false,
            wide_memory: false,
            tells: false,
            hooks: Hooks::default(),
            lasso: None,
            assigned: BTreeSet::new(),
            times: BTreeSet::new(),
            asked: BTreeSet::new(),
            steps: false,
            shifts: false,
            freed: Freed::default(),
            watched: Watched::default(),
            section_end: None,
            stop: Stop::default(),
        }
    }
}

/// The infinite runs that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// All.
    None,
    /// Weak fairness: a thread that can always take a step from some point on takes infinitely
    /// many.
    #[default]
    Weak,
    /// Strong fairness: a thread that can take a step infinitely often takes infinitely many.
    Strong,
}

/// The search for infinite runs: the state is saved at the border of a round, once, when the model
/// checker chooses so, and compared at later borders.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// The infinite runs that count.
    pub fairness: Fairness,
    /// Name of `void f(void)`: the state is saved.
    pub saved: String,
    /// Name of `void f(void)`: the state is the saved one again, and the threads' steps in between
    /// are fair. Objects that these two functions name are not part of the compared state.
    pub again: String,
    /// How often a thread may return to the head of a loop in one context.
    pub turns: u32,
}

/// Names of functions that are called at certain events, if the program defines them.
#[derive(Clone, Debug)]
pub struct Hooks {
    /// `void f(_Bool deadlock)`: no thread can continue, and the process has not ended. It is a
    /// deadlock if some thread waits and none was cut.
    pub over: String,
    /// `void f(unsigned site)`: the running thread is cut, at the site in the call of
    /// `__baproduct_bound`; `(unsigned)-1` without such a call.
    pub cut: String,
    /// `void f(void)`: the rounds are used up, and some thread could continue.
    pub stopped: String,
}

impl Default for Hooks {
    fn default() -> Self {
        Hooks {
            over: "ba_over".to_string(),
            cut: "ba_cut".to_string(),
            stopped: "ba_stopped".to_string(),
        }
    }
}

/// A sequential program, with the tables for reading its traces.
#[derive(Clone, Debug)]
pub struct Sequential {
    /// The C text.
    pub text: Vec<u8>,
    /// The threads; the number of each is its index.
    pub threads: Vec<Thread>,
    /// Positions, sorted by thread and number.
    pub positions: Vec<Position>,
    /// Local variables under their new names.
    pub locals: Vec<Local>,
    /// Calls that threads report in `ba_seq_told_…`, each with the text of the pointer to its object.
    pub told: Vec<(Span, String)>,
    /// What threads of the step form report, by the number with which they call the function of [`TELLING`].
    pub tells: Vec<Tell>,
    /// Warnings for the user.
    pub warnings: Vec<Diagnostic>,
    /// Whether the size of some memory was guessed; runs that need more are cut.
    pub guesses_memory: bool,
    /// What stands for allocated memory in step form; `None` if nothing is allocated.
    pub allocations: Option<Allocations>,
    /// The places in step form at which runs end that start more threads, or call deeper, than it has copies of; they set
    /// [`Allocations::FULL`].
    pub bounds: Vec<Span>,
    /// Whether some loop is followed further than its bound: it has a constant number of iterations,
    /// or its iterations only wait. If not, the sequential program is cut wherever the program is.
    pub goes_further: bool,
}

/// Allocated memory in step form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocations {
    /// The number of objects of one call at a time up to which all runs are there. Those with more end there, and
    /// set [`Allocations::FULL`].
    pub objects: usize,
    /// Whether the program frees memory.
    pub frees: bool,
    /// Whether a run that uses freed memory ends there, and sets [`Allocations::STALE`] and [`Allocations::FULL`].
    pub checks: bool,
    /// Whether some call allocates memory of variable size. A run that needs more than it has room for ends there, and
    /// sets [`Allocations::FULL`].
    pub varies: bool,
    /// Whether the program compares pointers that may lead to freed memory. A run that allocates while it has such pointers sets
    /// [`Allocations::AGAIN`], unless the object may be the one that they lead to ([`Freed::Anytime`]).
    pub compares: bool,
}

impl Allocations {
    /// The variable of the step form that tells that a run needs more memory than it has.
    pub const FULL: &'static str = "sequential_full";
    /// The variable of the step form that tells that a run uses freed memory.
    pub const STALE: &'static str = "sequential_stale";
    /// The variable of the step form that tells that a run has a pointer to freed memory where a new object may be at the same
    /// place, which the step form leaves out.
    pub const AGAIN: &'static str = "sequential_again";
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The function that it begins with.
    pub function: String,
    /// Whether it is strongly fair in all runs that count: an interrupt handler that comes infinitely often if it
    /// infinitely often could.
    pub fair: bool,
    /// The call that creates it; `None` for the main thread.
    pub created_at: Option<Span>,
    /// Its position after its end.
    pub end: u32,
    /// Its position after it is cut.
    pub cut: u32,
}

/// A place where a thread may stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The thread.
    pub thread: u32,
    /// Its number among the thread's positions, from 0.
    pub index: u32,
    /// The place of the next operation.
    pub span: Span,
    /// The next operation in words.
    pub what: String,
    /// Whether the thread may block there.
    pub waits: bool,
    /// Whether it goes round a loop while it waits.
    pub spins: bool,
}

/// The definition of the function of the step form that a thread calls to report what it does: with the number of a [`Tell`], and a
/// pointer to the object concerned, if there is one. It does nothing.
pub const TELLING: &str = "static void sequential_tells(unsigned long number, const volatile void *object) { (void)number; (void)object; }";

/// What a thread of the step form reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tell {
    /// The thread.
    pub thread: u32,
    /// The place.
    pub span: Span,
    /// What it does there.
    pub does: Does,
}

/// What a thread of the step form does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    /// It goes on at a position; `true` if it may have to wait there.
    GoesOn(bool),
    /// Its step is over: it stands at a position.
    Stands {
        /// Whether it may have to wait there.
        waits: bool,
        /// Whether it goes round a loop while it waits.
        spins: bool,
    },
    /// Its step is over, and so is the thread.
    Ends,
    /// At the end of the run it stands at a position, and cannot go on.
    Waits,
    /// It has performed the call that begins there, in a word: `take`, `give`, `sleep`, `wake`, `signal`, `broadcast`, `arrive`, `join`,
    /// `start`; a wait for a condition variable also has `leave` and `return`, when it gives its mutex back and takes it again. The text is that of the pointer to its object; none if it has no object.
    Calls(&'static str, Option<String>),
}

/// A local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name in the output.
    pub name: String,
    /// The function that declares it.
    pub function: String,
    /// Its name there.
    pub original: String,
    /// The thread that it belongs to; `None` for static ones, which all threads share.
    pub thread: Option<u32>,
    /// The number of the inlined activation in the thread.
    pub call: u32,
}
