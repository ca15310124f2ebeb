//! Verdicts: the backend's runs for the levels of the lattice, the combination of answers, result
//! types.
//!
//! [`verify`] asks a backend, for each value of the lattice, whether some run of a woven program
//! ends with this value, and combines the answers. A missing answer never becomes a value.

mod bounds;
pub mod campaign;
mod combine;
pub mod coverage;
mod cuts;
pub mod deepen;
mod entries;
mod executed;
mod explain;
pub mod explicit;
pub mod groups;
pub mod handlers;
pub mod holders;
pub mod indeterminate;
mod job;
mod levels;
mod lifetimes;
mod lines;
pub mod memory;
mod native;
mod needed;
pub mod portfolio;
pub mod profile;
pub mod prove;
mod race;
pub mod replay;
pub mod result;
mod rewritten;
mod run;
pub mod safety;
pub mod schedule;
mod scripted;
mod steps;
pub mod store;
mod trace;
mod undefined;
mod vacuity;
mod values;
mod waits;
pub mod words;

pub use executed::Executable;
pub use explain::{explain, witness};
pub use job::job_for;
pub use levels::{verify, NO_TRACE};
pub use run::{Levels, Options, TraceWish, Verification};
pub use schedule::{
    BLOCKED, CREATED, LOOP, PASSED, RESTS, ROUND, STARVES, STEPPED, STOPPED, WAITING,
};
pub use trace::{event_of, STUCK};
pub use waits::deadlock;
