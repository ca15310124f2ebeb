//! Sites of areas: where areas are entered and left, and the flags that activations save.

pub mod activations;
pub mod labels;
