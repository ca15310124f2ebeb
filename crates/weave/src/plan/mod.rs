//! The plan: the insertions in their order, and the emitted text for values from outside.

pub mod inputs;
pub mod insertions;
