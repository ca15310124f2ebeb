//! The integration tests of the crate, one module per subject: one program, since each takes longer to link than to run.
#![allow(missing_docs, clippy::unwrap_used)]

mod citations;
mod imports;
mod modules;
mod structures;
