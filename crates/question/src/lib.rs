//! Questions about programs, and the engines that answer them. In: a program with its specification, and how the question is
//! asked ([`Settings`]). Out: one result, which the portfolio combines from the answers of all engines that apply
//! ([`engines`]), or that of a search at given bounds ([`searches`], [`schedules`], [`many`]).
//!
//! Architecture invariant: nothing here knows of a command line or a terminal. Who waits for an answer is a
//! [`forms::Listener`].

pub mod assumptions;
pub mod budget;
pub mod checks;
pub mod counted;
pub mod engines;
pub mod fairness;
pub mod kept;
pub mod many;
pub mod prove;
pub mod races;
pub mod schedules;
pub mod searches;
mod selection;
mod settings;
mod source;
mod switches;
pub mod vacuity;
mod wanted;
mod whole;
mod wider;

pub use selection::Selection;
pub use settings::{can_take_rounds, Schedule, Settings, Threads};
pub use source::{Input, Source};
pub use wanted::{can_search_all, Wanted, SURE};
pub use wider::Wider;
