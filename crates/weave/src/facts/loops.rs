//! What is known of loops: how often they run at most, and by what an iteration that only waits is recognised.

use super::{FunctionIndex, ObjectIndex, Range};

/// What an iteration without effect is recognised by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BusyWait {
    /// Whether the condition in the loop's head alone decides, so that its body changes nothing.
    pub plain: bool,
    /// Variables from outside the loop that it writes: they have to be the same as before.
    pub locals: Vec<ObjectIndex>,
    /// Variables that live in one iteration: what is declared in the body, or in an expression.
    pub inner: Vec<ObjectIndex>,
    /// Functions that it calls, all of which only read.
    pub calls: Vec<FunctionIndex>,
    /// Where the names of labels in it begin.
    pub labels: Vec<usize>,
    /// Whether an iteration takes locks and gives them back.
    pub polls: bool,
    /// What has an effect: an iteration that comes to it is none of those that only wait.
    pub effects: Vec<Effect>,
    /// The same in functions that it calls.
    pub far_effects: Vec<Effect>,
    /// Variables that it writes and on which nothing but themselves depends.
    pub irrelevant: Vec<ObjectIndex>,
    /// Where a round begins, if not where the body does.
    pub turn: Option<Turn>,
}

/// A statement or declaration that has an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Its text.
    pub range: Range,
    /// Its depth.
    pub depth: i32,
    /// Whether it is a declaration.
    pub declares: bool,
}

/// Where the rounds of a loop begin that holds a lock at its head: where it gives it back, since a
/// thread that waits for good while it holds the lock would keep it from the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Behind the statement that unlocks, with its depth.
    Unlocked(Range, i32),
    /// Within the timed wait for a condition that is called here.
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

/// How often a loop that counts runs its body at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterations {
    /// So often.
    Times(u64),
    /// So often more than the value of an object.
    Above(usize, i128),
}
