//! Reports from the one result type of `verify`.
//!
//! Every format is a pure function of the result: no files, no clock, no terminal. What depends on
//! the place where the report is read (colour, width, character set) is in [`text::Options`].

pub mod html;
pub mod json;
pub mod junit;
pub mod meaning;
pub mod sarif;
pub mod terminal;
pub mod text;

pub use text::Options;

#[cfg(test)]
mod testing;
