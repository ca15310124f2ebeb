//! One module for each command.

pub mod doctor;
pub mod ltl;
