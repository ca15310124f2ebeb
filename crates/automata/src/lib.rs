//! From LTL to Büchi automata and deterministic B4 monitors.

mod alphabet;
mod b4;
mod bits;
mod decision;
mod det;
mod guard;
mod limits;
mod monitor;
mod nnf;
mod pool;
mod region;
mod simulation;
mod stutter;
mod tableau;
mod tgba;
mod translate;

pub use b4::B4;
pub use decision::{Condition, Decision};
pub use guard::{Cube, Guard, GuardStyle};
pub use limits::{Limits, TooLarge};
pub use monitor::{letters_of, verdict_of_word, Monitor, StateId};
