//! A `main` for programs that have none: it calls functions in an order that an expression allows, with any arguments.
//!
//! A library is verified against all its callers at once. They are a loop that again and again chooses a call and its
//! arguments; each choice is the value of a function without a body, so that all that is known about inputs serves:
//! searches, proofs, traces. The text stands behind the program, or is a file of its own that a person edits.

mod arguments;
mod calls;
mod driver;
mod lengths;

pub use arguments::{Argument, Form};
pub use calls::{Calls, State, Unreadable};
pub use driver::{external, written, Driver};

/// The file that lines of the text behind the program are from.
pub const FILE: &str = "entries";

/// What the names of the functions that choose calls and arguments begin with.
pub const INPUT: &str = "nondet_entry_";

/// The function that chooses the next call.
pub const CHOICE: &str = "nondet_entry_call";

/// Which functions are called, and how large their arguments are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries {
    /// The functions, and which call may follow which.
    pub calls: Calls,
    /// The most elements of an array whose length is another argument, and of a string with its end.
    pub length: u32,
    /// How many pointers lead from an argument to an object; those behind are null.
    pub depth: u32,
    /// Whether pointers that lead to an object are never null.
    pub nonnull: bool,
}

/// The usual [`Entries::length`].
pub const LENGTH: u32 = 4;

/// The usual [`Entries::depth`].
pub const DEPTH: u32 = 2;

#[cfg(test)]
mod tests;
