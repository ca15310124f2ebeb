//! The capabilities of backends as values, so that callers need not know which backend they use.

/// What a failing assumption ends in a program with threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// The thread alone; the others continue.
    Thread,
    /// The whole run, from that point on.
    Run,
}

/// The names by which C code addresses a model checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The macro that chooses the form of an emitted program.
    pub chosen_by: String,
    /// The function that asserts a condition, with a text.
    pub assertion: &'static str,
    /// The function that assumes a condition.
    pub assumption: &'static str,
    /// The functions that say what a pointer leads to, if there are any.
    pub objects: Option<ObjectFunctions>,
}

/// The functions by which a program for a backend asks what a pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectFunctions {
    /// Whether two pointers lead to one object.
    pub same: &'static str,
    /// How far a pointer is from the beginning of its object, in bytes.
    pub offset: &'static str,
    /// The size of its object in bytes.
    pub size: &'static str,
}

/// The dialect of CBMC, which sequentialised programs use with every backend.
impl Default for Dialect {
    fn default() -> Self {
        Dialect {
            chosen_by: "__CPROVER__".into(),
            assertion: "__CPROVER_assert",
            assumption: "__CPROVER_assume",
            objects: Some(ObjectFunctions {
                same: "__CPROVER_same_object",
                offset: "__CPROVER_POINTER_OFFSET",
                size: "__CPROVER_OBJECT_SIZE",
            }),
        }
    }
}

/// Descriptions of a backend for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The purpose of the backend.
    pub purpose: &'static str,
    /// The text in a list of options beside the name, if the name does not suffice.
    pub option: Option<&'static str>,
    /// How to install it, one way in each entry.
    pub remedies: &'static [&'static str],
}

/// The abilities of a backend besides deciding assertions of sequential programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// It searches all runs; otherwise it executes one run.
    pub searches: bool,
    /// It follows shared pointers that threads write while others run.
    pub shared_pointers: bool,
    /// It follows non-local jumps, signal handlers, other processes and code that is not in the
    /// text.
    pub nonlocal_jumps: bool,
    /// Each thread has its own copy of a thread-local object.
    pub thread_locals: bool,
    /// What a failing assumption ends.
    pub assumption: Assumption,
    /// It enumerates the interleavings of threads one by one, so it completes for few programs.
    pub enumerates: bool,
    /// It considers a switch of threads at every access to a shared object: also between two reads
    /// of one expression, and between a call and storing its value. Otherwise a statement is one
    /// step.
    pub switches_within: bool,
    /// It has headers of its own in place of the system's; including them redefines names that were
    /// changed.
    pub own_headers: bool,
    /// It can bound the switches from a thread to others.
    pub context_bound: bool,
    /// It shows the run that violates an assertion.
    pub traces: bool,
    /// Its traces show arguments of functions, and the assignment of a function's result.
    pub shows_calls: bool,
    /// It can report which lines some run reaches.
    pub coverage: bool,
    /// It tells how large its formula is, without solving it.
    pub sizes: bool,
    /// It can prove by k-induction, for runs of any length.
    pub k_induction: bool,
    /// It has checks of memory and arithmetic of its own.
    pub checks: bool,
    /// It can exclude runs in which such a check fails.
    pub avoids_undefined: bool,
    /// These checks cover pointers in programs with threads.
    pub checks_pointers_of_threads: bool,
    /// Allocation never fails.
    pub allocates: bool,
    /// It encodes the program once for all questions, so that a further question costs little.
    pub encodes_once: bool,
    /// In programs with threads, it decides monitors that guess faster if each level is asked
    /// separately.
    pub guesses_apart: bool,
}

impl Capabilities {
    /// The names of the capabilities in which backends differ, for users.
    pub fn names(&self) -> Vec<&'static str> {
        let all = [
            (self.shared_pointers, "shared pointers"),
            (self.nonlocal_jumps, "non-local jumps"),
            (self.thread_locals, "thread-local objects"),
            (self.context_bound, "context bound"),
            (self.traces, "traces"),
            (self.k_induction, "k-induction"),
            (self.checks, "checks of memory"),
        ];
        all.into_iter()
            .filter_map(|(has, name)| has.then_some(name))
            .collect()
    }
}

/// The result of a proof by k-induction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Induction {
    /// The k.
    pub k: u32,
    /// Whether the inductive step was needed; otherwise no run is longer than k rounds.
    pub inductive: bool,
}
