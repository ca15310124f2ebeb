//! Sites of writes: assignments, calls that write, atomic operations, and their effects on propositions and
//! copies.

pub mod assignments;
pub mod atomics;
pub mod calls;
pub mod hidden_locals;
pub mod narrow;
pub mod parts;
pub mod updates;
