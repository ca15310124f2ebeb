//! Sites of areas: where they are entered and left, and what activations of their functions keep.

pub mod activations;
pub mod labels;
