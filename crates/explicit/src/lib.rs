//! Decides formulas by visiting all states of a program with few states.
//!
//! The woven program is compiled and run from one loop head to the next, with one value of each class that it
//! distinguishes among its inputs ([`classes`]). The result is a graph ([`graph`]): states, and steps with the
//! letters taken. A formula is decided on the product of that graph with the Büchi automaton of its negation
//! ([`product`]): an accepting run of the product is a maximal run of the program that violates the formula,
//! and if there is none, no run does.
//!
//! The crate is pure: it writes C and reads the output of the compiled program; it runs nothing.

pub mod classes;
pub mod flows;
pub mod graph;
mod kinds;
mod live;
mod narrow;
mod predicates;
pub mod product;
pub mod reader;
pub mod recorded;
pub mod spin;
pub mod text;
pub mod wide;
