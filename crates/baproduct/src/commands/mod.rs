//! One module for each command.

pub mod campaign;
pub mod check;
pub mod doctor;
pub mod init;
pub mod instrument;
pub mod ltl;
pub mod verify;
