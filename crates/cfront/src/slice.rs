//! Program slicing (Weiser 1984): a program without the computations on which nothing that is asked depends.
//!
//! What counts is what a condition of the specification reads, where control goes, what is called and with what, and whatever else is
//! read there; every other assignment is left out, with the conditions that decide about nothing else. Loops that may not end, calls and jumps stay, so
//! a run of the slice takes the turns of a run of the program, and each run of the program that does nothing undefined has one.
//! A run of the slice may be none of the program, because that comes to something undefined before: what holds on all runs of the slice
//! holds; a violation says nothing.
//!
//! Memory is told apart by objects and by members of structure types ([`parts::Part`]), whichever object they are of. Whatever may be read
//! in another way than by its name counts as needed ([`exposed`]).

mod counting;
mod cuts;
mod exposed;
mod needed;
mod parts;

use std::collections::BTreeSet;

use crate::counted_loops::Uses;
use crate::library;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::tree::{Expr, ExprKind, Resolved};

/// The text of a program of one file without the computations that nothing depends on; `None` if it assigns nothing that could be
/// left out. `own` is the number of the program's own expressions: those behind them are the specification's. Parts with these names are needed,
/// too. Linear in the program for each round of the search for what is needed, of which there are a few.
pub fn sliced(unit: &Unit, own: usize, named: &BTreeSet<&str>) -> Option<Source> {
    if unit.parts.len() != 1 || parts::are_unknown(&unit.tree) {
        return None;
    }
    let tree = &unit.tree;
    let mut needed = exposed::exposed(tree);
    needed.extend(parts::named(tree, named));
    let cuts = needed::slice(&Subject::new(unit, own, named), needed);
    if !cuts.any_store {
        return None;
    }
    let mut text = Text::of(unit);
    for (span, instead) in &cuts.texts {
        text.replace(*span, instead);
    }
    text.changed()?.pop()
}

/// A program and what is asked about it.
struct Subject<'a> {
    unit: &'a Unit,
    /// The number of the program's own expressions.
    own: usize,
    /// What the specification names.
    named: &'a BTreeSet<&'a str>,
    /// What its loops are asked for.
    uses: Uses,
    /// Whether it cancels threads: then one may end where it writes an output.
    cancels: bool,
}

impl<'a> Subject<'a> {
    fn new(unit: &'a Unit, own: usize, named: &'a BTreeSet<&'a str>) -> Subject<'a> {
        let cancels = |e: &Expr| match e.kind {
            ExprKind::Ident(Resolved::Function(f)) => {
                library::cancels(&unit.tree.functions[f].name)
            }
            _ => false,
        };
        Subject {
            unit,
            own,
            named,
            uses: Uses::of(&unit.tree),
            cancels: unit.tree.exprs.iter().any(|(_, e)| cancels(e)),
        }
    }
}

#[cfg(test)]
mod tests;
