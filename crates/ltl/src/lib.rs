//! LTL formulas: hash-consed syntax tree, parser with spans, printer.

mod formula;

pub use formula::{Arena, Atom, AtomId, Id, Node};
