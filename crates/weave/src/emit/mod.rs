//! The emitted text: what was planned, in order, in templates, and distributed over the source files.

pub mod events;
pub mod files;
pub mod items;
pub mod models;
pub mod render;
pub mod thread_copies;
