//! What goes in besides the program, and what comes out.

use cfront::{Diagnostic, Span};

/// What is explored, and the names of functions that the program has for it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Rounds: contexts of each thread.
    pub rounds: u32,
    /// Iterations of each loop, unless the program says otherwise or the number is constant.
    pub unwind: u32,
    /// Activations of a function at a time, for those that call themselves.
    pub recursion: u32,
    /// Positions of all threads together above which the program is refused.
    pub max_positions: usize,
    /// Threads, the main one included, above which the program is refused.
    pub max_threads: usize,
    /// Whether waits for conditions may end without a signal.
    pub spurious_wakeups: bool,
    /// Whether the text of system headers stays instead of the `#include` lines that it came from: for
    /// verifiers whose own headers would define the types again that are changed here.
    pub expand_headers: bool,
    /// Whether memory whose size is not constant has this size exactly, so that it shows where it is left. Else
    /// it has room for what it may need at most, which is decided faster, and runs that need more are cut.
    pub exact_memory: bool,
    /// Whether threads tell what they do that changes no object of the program: locks that nobody waits for, waits,
    /// starts and ends of threads. Variables `ba_seq_told_…` of their own say it, for traces.
    pub tells: bool,
    /// What the program wants to know.
    pub hooks: Hooks,
    /// How infinite runs are searched; nothing if runs that end are. Then loops are not unrolled but
    /// where the number of their iterations is constant or threads are started in them.
    pub lasso: Option<Lasso>,
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
            tells: false,
            hooks: Hooks::default(),
            lasso: None,
        }
    }
}

/// Which infinite runs count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// All.
    None,
    /// A thread that from some point on could always take a step takes infinitely many.
    #[default]
    Weak,
    /// A thread that can take a step infinitely often takes infinitely many.
    Strong,
}

/// How infinite runs are searched: the state is saved at the border of a round, once, when the model
/// checker decides so, and compared at later borders.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// `void f(void)`: the state is saved.
    pub saved: String,
    /// `void f(void)`: the state is the saved one again, and what the threads have done in between is
    /// fair. Objects that these two functions name are theirs: they are no part of the state that is
    /// compared.
    pub again: String,
    /// How often a thread may come back to the head of a loop in one context.
    pub turns: u32,
}

/// Functions of the program that are called where something happens, if it defines them.
#[derive(Clone, Debug)]
pub struct Hooks {
    /// `void f(_Bool deadlock)`: no thread goes on, and the process has not ended. It is a deadlock
    /// if some thread waits and none was cut.
    pub over: String,
    /// `void f(unsigned site)`: the running thread is cut, at the site that the call of
    /// `__baproduct_bound` says; `(unsigned)-1` without such a call.
    pub cut: String,
    /// `void f(void)`: the rounds are used up, and some thread could go on.
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

/// A sequential program, and how to read its traces.
#[derive(Clone, Debug)]
pub struct Sequential {
    /// The C text.
    pub text: Vec<u8>,
    /// The threads; the number of each is its place.
    pub threads: Vec<Thread>,
    /// Positions, by thread and then in order.
    pub positions: Vec<Position>,
    /// Local variables under their new names.
    pub locals: Vec<Local>,
    /// What should be looked at.
    pub warnings: Vec<Diagnostic>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The function that it begins with.
    pub function: String,
    /// The call that creates it; nothing for the main thread.
    pub created_at: Option<Span>,
    /// Its position when it has ended.
    pub end: u32,
    /// Its position when it is cut.
    pub cut: u32,
}

/// A place where a thread may stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The thread.
    pub thread: u32,
    /// Its number among those of the thread, from 0.
    pub index: u32,
    /// What comes next.
    pub span: Span,
    /// The same in words.
    pub what: String,
    /// Whether the thread may have to wait there.
    pub waits: bool,
}

/// A local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name in the output.
    pub name: String,
    /// The function that it is declared in.
    pub function: String,
    /// Its name there.
    pub original: String,
    /// The thread whose it is; nothing for static ones, which all threads share.
    pub thread: Option<u32>,
    /// Which inlined activation of the thread.
    pub call: u32,
}
