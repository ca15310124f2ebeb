//! Writes of parts that CBMC stores together with the rest of their object, in programs with threads: behind a
//! pointer, in an element of an array of structures, in a union. It reads the other parts before, and writes
//! them again; where a pointer may lead to several objects, it does so with each of them. What another thread
//! writes in between would be lost, so that true formulas were refuted and false ones proved. No other thread
//! may run in between.

use crate::facts::places::Step;
use crate::facts::text::may_hold_sites;
use crate::facts::{Lifetime, Range, Write, WriteForm};
use crate::layout::weaver::Weaver;

impl Weaver<'_> {
    /// For each write, whether CBMC stores more than what is written where other threads may run. Programs
    /// whose schedules CBMC does not search have none.
    pub(crate) fn stored_with_others(&self) -> Vec<bool> {
        let facts = self.facts;
        let searched = self.analysis.threaded
            && self.shared_pointer_places().is_empty()
            && self.section_places().is_empty();
        if !searched {
            return vec![false; facts.writes.len()];
        }
        let begins = self.concurrent_from();
        let beside = |w: &Write| begins[w.function].is_some_and(|from| from <= w.range.start);
        let writes = facts.writes.iter();
        writes
            .map(|w| !matches!(w.form, WriteForm::Initialiser) && beside(w) && self.is_of_others(w))
            .collect()
    }

    /// Whether the place of a write is a part of an object that several threads may see, and that CBMC stores as
    /// a whole.
    fn is_of_others(&self, write: &Write) -> bool {
        let Some(root) = write.place.root else {
            return true;
        };
        let object = &self.facts.objects[root];
        let seen = match object.lifetime {
            Lifetime::Static | Lifetime::StaticLocal(_) => true,
            Lifetime::Local(_) => object.address_taken,
            Lifetime::ThreadLocal | Lifetime::Prototype => false,
        };
        let path = &write.place.path;
        let member = |step: &Step| matches!(step, Step::Member { .. });
        let index = |step: &Step| matches!(step, Step::Index(_));
        let of_structures = path.iter().any(member) && path.iter().any(index);
        let union = |step: &Step| matches!(step, Step::Member { union: true, .. });
        seen && (of_structures || path.iter().any(union))
    }

    /// Plans such a write, if its text allows it: what stands there stays the program's text for whoever is not
    /// CBMC. Returns whether it does.
    pub(crate) fn plan_stored_with_others(&mut self, write: &Write) -> bool {
        let (target, opens): (Range, &str) = match &write.form {
            WriteForm::Assignment {
                target, operator, ..
            } if operator == "=" => (*target, "BA_PUT("),
            WriteForm::Assignment { target, .. } => (*target, "BA_CHANGE("),
            WriteForm::Step {
                target,
                prefix: false,
                ..
            } => (*target, "BA_CHANGE("),
            WriteForm::Step { .. } | WriteForm::Initialiser => return false,
        };
        let rewritten = self.facts.misread.iter();
        let rewritten = rewritten
            .map(|m| m.placed.range)
            .any(|range| range == target);
        let plain = write.bit_field.is_none() && !write.atomic && !rewritten;
        if !plain || may_hold_sites(&self.whole_source(target)) {
            return false;
        }
        let insertions = &mut self.out.insertions;
        insertions.open(target.start, write.depth, 0, opens);
        insertions.close(target.end, write.depth, 0, ")");
        insertions.close(write.range.end, write.depth, 0, " BA_STORED");
        true
    }
}
