//! Reports from the one result type of `verify`.
//!
//! Every format is a pure function of the result: no files, no clock, no terminal. What depends on
//! the place where the report is read (colour, width, character set) is in [`text::Options`].

pub mod json;
pub mod meaning;
pub mod terminal;
pub mod text;

pub use text::Options;

#[cfg(test)]
mod testing;
