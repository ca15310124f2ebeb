//! Names in programs with a model of a memory that is weaker than sequential consistency.

/// The function that says what the memory does where it has a choice.
pub const CHOICE: &str = "nondet_memory";

/// The variable that is 1 from where the model of the memory leaves out runs: a buffer or the history of an
/// object has no room, or sequentially consistent accesses of C11 may have an order that the model does not have.
pub const LOST: &str = "memmodel_lost";

/// The beginning of all other names.
pub const PREFIX: &str = "memmodel_";

/// The file that lines of the model are from.
pub const FILE: &str = "memory model";
