//! Conversions and expressions rewritten for model checkers: pointers in narrower integers, and expressions
//! that model checkers misread.

use crate::facts::{Misread, Rewritten};
use crate::layout::weaver::Weaver;

impl Weaver<'_> {
    /// Gives the objects behind such pointers addresses that stay distinct in narrower integers.
    pub(crate) fn plan_narrowed(&mut self) {
        let facts = self.facts;
        for narrowed in &facts.narrowed {
            self.out
                .insertions
                .around(narrowed.range, narrowed.depth, -1, "ba_narrow(", ")");
        }
    }

    /// Rewrites expressions that model checkers misread so that compilers and model checkers read them alike.
    pub(crate) fn plan_misread(&mut self) {
        for Misread { placed, written } in &self.facts.misread {
            let (before, after) = match written {
                Rewritten::Unsigned => ("(unsigned)(", ")"),
                Rewritten::UnsignedObject => ("*(unsigned *)&(", ")"),
                Rewritten::ObjectOfItsOwn => ("*&", ""),
                Rewritten::LowestBit => ("1 & (", ")"),
                // The enclosing assignment is rewritten by the planner of writes.
                Rewritten::InFull => continue,
            };
            self.out
                .insertions
                .around(placed.range, placed.depth, -1, before, after);
        }
    }

    /// Gives declarations without a type their type `int`, which model checkers do not assume.
    pub(crate) fn plan_untyped(&mut self) {
        for &start in &self.facts.untyped {
            self.out.insertions.open(start, 0, 0, "int ");
        }
    }

    /// The assumption about such pointers, if there are any.
    pub(crate) fn narrow_assumption(&self) -> Option<String> {
        let first = self.facts.narrowed.first()?;
        Some(format!(
            "pointers become narrower integers (first at {}): addresses are taken to be 64 KiB apart for each object",
            self.plain_place(first.range)
        ))
    }
}
