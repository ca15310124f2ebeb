//! The integration tests of the crate, one module per subject: one program, since each takes longer to link than to run.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

mod alias;
mod corpus;
mod emit;
mod flow;
mod fragment;
mod hostile;
mod resolve;
mod several;
