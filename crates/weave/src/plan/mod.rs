//! The plan: the insertions so far, in their order, and the state that planners work on.

pub mod insertions;
pub mod weaver;
