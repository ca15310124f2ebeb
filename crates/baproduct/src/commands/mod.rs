//! One module for each command.

pub mod campaign;
pub mod check;
pub mod deepen;
pub mod doctor;
pub mod explain;
pub mod init;
pub mod instrument;
pub mod lsp;
pub mod ltl;
pub mod manual;
pub mod profile;
pub mod prove;
pub mod replay;
pub mod requirements;
pub mod sequentialise;
pub mod verify;
pub mod watch;
pub mod watched_files;
