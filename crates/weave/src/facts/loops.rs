//! Facts about loops: how often their bodies run at most, and how to recognise an iteration that only waits.

pub use cfront::counted_loops::Iterations;

use super::{FunctionIndex, ObjectIndex, Range};

/// How to recognise an iteration without effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BusyWait {
    /// Whether the loop's condition alone decides, because the body changes nothing.
    pub plain: bool,
    /// Variables from outside the loop that an iteration writes: it only waits if they have the same values
    /// afterwards.
    pub locals: Vec<ObjectIndex>,
    /// Variables that live in one iteration: those declared in the body or in an expression.
    pub inner: Vec<ObjectIndex>,
    /// Functions that an iteration calls, all of which only read.
    pub calls: Vec<FunctionIndex>,
    /// Where the names of the labels in the body begin.
    pub labels: Vec<usize>,
    /// Whether an iteration takes locks and releases them.
    pub polls: bool,
    /// Statements with an effect: an iteration that reaches one does not only wait.
    pub effects: Vec<Effect>,
    /// Statements with an effect in functions that an iteration calls.
    pub callee_effects: Vec<Effect>,
    /// Variables that an iteration writes and on which nothing but themselves depends.
    pub irrelevant: Vec<ObjectIndex>,
    /// Where a round begins, if not at the start of the body.
    pub turn: Option<Turn>,
}

/// A statement or declaration that has an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Its range in the text.
    pub range: Range,
    /// Its nesting depth, for edits.
    pub depth: i32,
    /// Whether it is a declaration.
    pub declares: bool,
}

/// Where the rounds begin of a loop that holds a lock at its head: where the loop releases the lock. A thread
/// that waited for good at the head would keep the lock from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// After the statement that unlocks, with its depth.
    Unlocked(Range, i32),
    /// Within the timed wait for a condition variable that is called here.
    Waiting(Range),
}

/// A loop that a `goto` back to a label makes, if some round of it only waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusyGoto {
    /// What a round without effect is recognised by.
    pub wait: BusyWait,
    /// From the label to the end of the statement with the `goto` in the label's block.
    pub range: Range,
    /// The depth of that statement.
    pub depth: i32,
}
