//! Sites of threads: calls that synchronise, loops that only wait, and pointers that several threads see.

pub mod busy_waits;
pub mod shared_pointers;
pub mod synchronisation;
