//! What decides the emitted program, beside the specification.

use std::collections::BTreeMap;

/// The form of a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Deterministic where its size allows, else Büchi.
    Auto,
    /// Deterministic.
    Deterministic,
    /// The paper's form.
    Buchi,
}

/// What decides the emitted program, beside the specification. The caller of [`crate::weave`] makes it; no room changes it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bound of loops and recursions; the specification's is next, then 5.
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
    /// Whether waiting for a condition may end without a signal.
    pub spurious_wakeups: bool,
    /// Whether a run in which an assertion of the program fails is discarded; else it ends there.
    pub assert_prunes: bool,
    /// Whether the backend makes jumps out of functions, and runs handlers of signals.
    pub nonlocal_jumps: bool,
    /// The C dialect in which the program was read, where it is another than gnu11.
    pub dialect: Option<String>,
    /// Whether cycles are left to a proof by induction, not bounded; lassos are not searched then.
    pub proves: bool,
    /// Whether the backend can follow pointers that several threads see.
    pub shared_pointers: bool,
    /// Whether threads are sequentialised before a backend reads the program: then it may have
    /// sections that no other thread interrupts, and thread-specific data.
    pub rounds: bool,
}
