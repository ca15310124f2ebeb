//! The integration tests of the crate, one module per subject: one program, since each takes longer to link than to run.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

mod composite;
mod conditions;
mod decisions;
mod families;
mod hoa;
mod laws;
mod named;
mod recurrence;
mod sequences;
mod sizes;
