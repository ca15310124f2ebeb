//! What the formulas of requirements mean.
#![allow(clippy::unwrap_used)]

mod definition;
mod predicates;
mod published;
mod words;
