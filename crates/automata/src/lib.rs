//! From LTL to Büchi automata and deterministic B4 monitors.
//!
//! [`translate()`] makes a Büchi automaton of a formula: it accepts the infinite words that satisfy the formula.
//! A [`Monitor`] is a deterministic machine that reads a finite word letter by letter and gives it one of the
//! four values ([`ltl::B4`]): ⊥ or ⊤ if all continuations decide the formula alike, else the presumable value
//! that repeating the last letter decides. [`Composite`] divides a formula into parts without common
//! propositions, and [`Recurrence`] is the deterministic automaton that judges the loops of infinite runs.
//!
//! Automata are exponential in the formula in the worst case, so every construction has [`Limits`];
//! [`TooLarge`] names the limit that a formula exceeds. The crate is pure.

mod alike;
mod alphabet;
mod bits;
mod buchi;
mod class;
mod classify;
mod comparison;
mod compose;
mod composite;
pub mod conditions;
mod consistency;
mod construct;
mod decision;
mod degeneralise;
mod det;
mod explain;
mod foreign;
mod guard;
mod hoa;
mod joint;
mod letters;
mod levels;
mod limits;
mod memo;
mod monitor;
mod nnf;
mod partition;
mod parts;
mod places;
mod pool;
mod product;
mod recurrence;
mod region;
mod registers;
mod runs;
mod shape;
mod simulation;
mod smallest;
mod stutter;
mod tableau;
mod tables;
mod tgba;
mod together;
mod translate;
mod universal;
mod weak;
mod witness;
mod write;

pub use buchi::{translate, translate_apart, Buchi, BuchiEdge, BuchiState, Options};
pub use class::{Class, Verdicts, Words};
pub use classify::{classify, classify_with};
pub use comparison::{compare, Comparison};
pub use composite::{classify_composite, Composite};
pub use consistency::{consistency, Consistency, Member, Question, Unfinished};
pub use construct::verdict_of_word;
pub use decision::{Condition, Decision};
pub use foreign::Mismatch;
pub use guard::{Cube, Guard, GuardStyle};
pub use hoa::HoaError;
pub use letters::letters_of;
pub use limits::{Limits, TooLarge};
pub use monitor::{Monitor, StateId};
pub use recurrence::Recurrence;
pub use runs::Span;
pub use shape::{independent, Shape};
pub use tables::Tables;
pub use tgba::components;
pub use witness::{witness, Witness};
