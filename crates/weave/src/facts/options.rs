//! The options that decide what is emitted, beside the specification.

use std::collections::BTreeMap;

use super::record::EntryRecord;

/// The form of a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Deterministic where its size allows, else Büchi.
    Auto,
    /// Deterministic.
    Deterministic,
    /// The Büchi automaton of the negation, as in the paper.
    Buchi,
}

/// What the state of a proof has besides what influences the run or its word. That of a search for lassos always has all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Also {
    /// Nothing.
    #[default]
    Nothing,
    /// What depends on itself, such as a counter, and decides whether something undefined happens.
    Endless,
    /// Whatever decides whether something undefined happens.
    Definedness,
}

/// The callers of a program without a `main` of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entered {
    /// What a reader of a run needs to know of them.
    pub record: EntryRecord,
    /// What answers rest on therefore, a sentence each.
    pub assumptions: Vec<String>,
}

/// The options that decide what is emitted, beside the specification. The caller of [`crate::weave`] sets them;
/// no room changes them.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bound of loops and recursions; by default that of the specification, then 5.
    pub unwind: Option<u32>,
    /// Other bounds, by label or function.
    pub unwindset: BTreeMap<String, u32>,
    /// The monitor's form.
    pub form: Form,
    /// Whether leaving an area other than by its exit label is an error.
    pub strict: bool,
    /// The tool's version, for the emitted comment.
    pub version: String,
    /// Whether system headers stay `#include` lines.
    pub include_headers: bool,
    /// Whether a wait for a condition variable may end without a signal.
    pub spurious_wakeups: bool,
    /// Whether a run in which an assertion of the program fails is discarded; otherwise it ends there.
    pub assert_prunes: bool,
    /// Whether the backend follows jumps out of functions, and runs signal handlers.
    pub nonlocal_jumps: bool,
    /// The C dialect of the program, if it is not gnu11.
    pub dialect: Option<String>,
    /// Whether cycles are left to a proof by induction, not bounded; lassos are not searched then.
    pub proves: bool,
    /// What else the state of a proof has.
    pub also: Also,
    /// Whether a search decides by macros in front of the text what happens at cuts and inputs, and how often single
    /// loops go round.
    pub driven: bool,
    /// Whether the backend can follow pointers that several threads see.
    pub shared_pointers: bool,
    /// Whether the program is sequentialised before a backend reads it. Then it may have sections that no other
    /// thread interrupts, and thread-specific data.
    pub rounds: bool,
    /// Who calls the functions of a program that has no `main` of its own.
    pub entered: Option<Entered>,
    /// Whether the record lists what verdicts may rest on besides the text, for readers without the program.
    pub tells: bool,
}
