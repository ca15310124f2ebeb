//! What is planned: the insertions in their order, and what is emitted for values from outside.

pub mod inputs;
pub mod insertions;
