//! Deciding formulas by visiting all states of a program that has few of them.
//!
//! The woven program is compiled and taken from one head of a loop to the next, with each value that
//! its inputs can be told apart by ([`classes`]). What comes out is a graph ([`graph`]): states, and steps
//! with the letters that were taken. A formula is then decided on the product of that graph with the
//! Büchi automaton of its negation ([`product`]): an accepting run of it is a maximal run of the
//! program that violates the formula, and without one there is none.
//!
//! The crate is pure: it writes C and reads what the compiled program wrote; it runs nothing.

pub mod classes;
pub mod flows;
pub mod graph;
mod kinds;
pub mod product;
pub mod spin;
pub mod text;
