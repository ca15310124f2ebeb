//! From LTL to Büchi automata and deterministic B4 monitors.

mod alphabet;
mod b4;
mod bits;
mod buchi;
mod classify;
mod compose;
mod decision;
mod degeneralise;
mod det;
mod explain;
mod guard;
mod limits;
mod monitor;
mod nnf;
mod parts;
mod pool;
mod region;
mod simulation;
mod smallest;
mod stutter;
mod tableau;
mod tables;
mod tgba;
mod translate;
mod universal;
mod weak;

pub use b4::B4;
pub use buchi::{translate, Buchi, BuchiEdge, BuchiState, Options};
pub use classify::{classify, classify_with, Class, Verdicts, Words};
pub use decision::{Condition, Decision};
pub use guard::{Cube, Guard, GuardStyle};
pub use limits::{Limits, TooLarge};
pub use monitor::{letters_of, verdict_of_word, Monitor, StateId};
pub use tables::Tables;
