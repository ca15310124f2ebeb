//! Conversions as a model checker should see them: pointers in narrower integers, and what model checkers read otherwise.

use crate::facts::{Misread, Rewritten};
use crate::layout::weaver::Weaver;

impl Weaver<'_> {
    /// Gives each such pointer an address that keeps apart what it points to.
    pub(crate) fn plan_narrowed(&mut self) {
        let facts = self.facts;
        for narrowed in &facts.narrowed {
            self.out
                .insertions
                .around(narrowed.range, narrowed.depth, -1, "ba_narrow(", ")");
        }
    }

    /// Writes what model checkers read otherwise than a compiler so that all read it alike.
    pub(crate) fn plan_misread(&mut self) {
        for Misread { placed, written } in &self.facts.misread {
            let (before, after) = match written {
                Rewritten::Unsigned => ("(unsigned)(", ")"),
                Rewritten::UnsignedObject => ("*(unsigned *)&(", ")"),
                Rewritten::ObjectOfItsOwn => ("*&", ""),
                Rewritten::LowestBit => ("1 & (", ")"),
                // The assignment around it is another one.
                Rewritten::InFull => continue,
            };
            self.out
                .insertions
                .around(placed.range, placed.depth, -1, before, after);
        }
    }

    /// Gives declarations without a type the one that they have, which model checkers do not.
    pub(crate) fn plan_untyped(&mut self) {
        for &start in &self.facts.untyped {
            self.out.insertions.open(start, 0, 0, "int ");
        }
    }

    /// What a verdict rests on where there are any.
    pub(crate) fn narrow_assumption(&self) -> Option<String> {
        let first = self.facts.narrowed.first()?;
        Some(format!(
            "pointers become narrower integers (first at {}): addresses are taken to be 64 KiB apart for each object",
            self.plain_place(first.range)
        ))
    }
}
