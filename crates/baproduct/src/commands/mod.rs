//! One module for each command.

pub mod check;
pub mod doctor;
pub mod instrument;
//ltl
pub mod verify;
