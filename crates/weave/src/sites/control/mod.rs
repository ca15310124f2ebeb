//! Sites of control: ends of functions, threads and runs, bounded loops, non-local jumps, effects that the text
//! does not show, and calls of the library that the model does not know.

pub mod builtins;
pub mod chains;
pub mod ends;
pub mod exit_handlers;
pub mod hidden;
pub mod library_calls;
pub mod longjmp;
pub mod nonlocal_jumps;
pub mod signals;
