//! What backends can do, as a value: who asks for it need not know which backend it is.

/// What a failing assumption ends, in a program with threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// Its own thread; the others go on.
    Thread,
    /// The whole run, from there on.
    Run,
}

/// What a user is told of a program that the tool may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What it is good for.
    pub purpose: &'static str,
    /// What a list of options says beside its name, where the name does not say it.
    pub option: Option<&'static str>,
    /// How to get it, one way each.
    pub remedies: &'static [&'static str],
}

/// What a backend can do besides deciding assertions of sequential programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// It searches among all runs; otherwise it executes one.
    pub searches: bool,
    /// It follows pointers that other threads can see and that are written while threads run.
    pub shared_pointers: bool,
    /// It makes jumps out of functions, and runs handlers of signals, other processes and code that
    /// the text does not show.
    pub nonlocal_jumps: bool,
    /// Each thread has its own copy of a thread-local object.
    pub thread_locals: bool,
    /// What an assumption that fails ends.
    pub assumption: Assumption,
    /// It looks at the interleavings of threads one after the other, and so gets to the end of few
    /// programs.
    pub enumerates: bool,
    /// It tries a switch of threads at every access to an object that they share: between two reads of one
    /// expression too, and between a call and the storing of its value. Otherwise a statement is one step.
    pub switches_within: bool,
    /// Its own headers stand for those of the system: included, they define again what was changed.
    pub own_headers: bool,
    /// It can bound the switches from each thread to another.
    pub context_bound: bool,
    /// It knows weak memory models.
    pub memory_models: bool,
    /// It shows the run that violates an assertion.
    pub traces: bool,
    /// Its traces show what a function is given, and what an object gets that a function gives.
    pub shows_calls: bool,
    /// It tells which lines some run reaches.
    pub coverage: bool,
    /// It can prove by k-induction, for runs of any length.
    pub k_induction: bool,
    /// It has checks of its own, of memory and arithmetic.
    pub checks: bool,
    /// It can leave out the runs in which such a check fails.
    pub avoids_undefined: bool,
    /// These checks include those of pointers where threads run.
    pub checks_pointers_of_threads: bool,
    /// Memory that is asked for is always there.
    pub allocates: bool,
    /// It encodes the program once for all questions, so that one more costs little.
    pub encodes_once: bool,
    /// Monitors that guess, in programs with threads, are better asked about one level after the other.
    pub guesses_apart: bool,
}

impl Capabilities {
    /// The names of those that some have and others have not, for people.
    pub fn names(&self) -> Vec<&'static str> {
        let all = [
            (self.shared_pointers, "shared pointers"),
            (self.nonlocal_jumps, "non-local jumps"),
            (self.thread_locals, "thread-local objects"),
            (self.context_bound, "context bound"),
            (self.memory_models, "weak memory"),
            (self.traces, "traces"),
            (self.k_induction, "k-induction"),
            (self.checks, "checks of memory"),
        ];
        all.into_iter()
            .filter_map(|(has, name)| has.then_some(name))
            .collect()
    }
}

/// A proof by k-induction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Induction {
    /// The rounds.
    pub k: u32,
    /// Whether the inductive step was needed: otherwise no run is longer.
    pub inductive: bool,
}
