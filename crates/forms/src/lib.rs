//! Programs and their forms. In: the files of a C program, a specification, and how the program is to be read. Out: the
//! program, read and parsed once, and the forms in which engines take it: woven with its monitors ([`weave_into`]), as a
//! sequential program of a few rounds ([`rounds`]) or of one loop of steps ([`steps`]), with a weaker memory ([`memory`]), or
//! with its possible races watched ([`Possible`]).
//!
//! Architecture invariant: nothing here knows of a command line or a terminal. What is to be said of a program goes to a
//! [`Listener`], and what ends the work is a [`Failure`].

mod compile_commands;
pub mod entries;
mod failure;
mod followed;
pub mod interrupts;
mod layouts;
mod letters;
mod listener;
pub mod machines;
pub mod memory;
mod plain;
mod program;
mod races;
mod refusal;
mod refusals;
pub mod registers;
pub mod rounds;
mod sliced;
mod sources;
mod specs;
pub mod steps;
mod summarised;
mod target;
mod texts;
mod undefined;
mod weaving;
mod woven;

pub use failure::{Cause, Failure};
pub use listener::{Listener, Quiet, Work};
pub use plain::read;
pub use program::{AnyRegister, Memory, Program};
pub use races::{Possible, Watching};
pub use refusal::{Named, Refusal};
pub use sources::refused;
pub use specs::{
    read_spec, read_task, spec_of_formula, spec_of_formulas, without_state, ListFile, SpecFile,
    Texts,
};
pub use summarised::SummarisedProgram;
pub use texts::{is_stdin, read_bytes, read_list, read_text, Emitted};
pub use weaving::{
    inputs, Headers, Machine, Preprocessor, Reader, Weaving, DEFAULT_CPP, DEFAULT_STD,
};
pub use woven::{
    check_bounds, check_lasso, fit_into, tried, try_weave, weave, weave_into, woven_before,
    Refused, Woven,
};
