//! What the program itself assumes: `__VERIFIER_assume` and its kin. A run in which such a condition
//! does not hold does not exist, whatever it did before, just as one that the specification discards
//! (SEMANTICS.md, section 9).

use std::collections::BTreeMap;

use crate::facts::record::SiteEvent;
use crate::layout::weaver::Weaver;
use crate::library::effects::assumed;
use crate::plan::inputs::Supposed;

/// Assumptions with more places than this are told by their number.
const MOST_PLACES: usize = 4;

impl Weaver<'_> {
    /// Exchanges the function that a call assumes its argument with. Whether it did.
    pub(crate) fn plan_supposed(&mut self, number: usize) -> bool {
        let facts = self.facts;
        let call = &facts.calls[number];
        let Some((name, ty)) = assumed(call) else {
            return false;
        };
        let argument = facts.call_types[number].arguments.first();
        let pointer = argument
            .and_then(|a| a.scalar.as_ref())
            .is_some_and(|s| s.pointer);
        let ty = if pointer { "_Bool" } else { ty };
        let site = self.add_site(call.range, call.function, SiteEvent::Assume);
        let own = format!("ba_suppose_{}{}", ty.trim_start_matches('_'), name);
        self.out
            .discards
            .supposed
            .entry(own.clone())
            .or_insert(Supposed {
                name: name.to_string(),
                ty,
                site,
            });
        let place = self.plain_place(call.range);
        self.out.discards.suppositions.push(place);
        self.out
            .insertions
            .around(call.callee_range, call.depth, 0, own + " /* ", " */");
        true
    }

    /// Declarations in front of the program.
    pub(super) fn supposed_prototypes(&self) -> Vec<String> {
        let supposed: &BTreeMap<String, Supposed> = &self.out.discards.supposed;
        let declare = |(own, s): (&String, &Supposed)| {
            format!(
                "#if BA_MODEL || defined BA_NATIVE\nBA_UNUSED static void {own}({} ba_holds);\n#else\n#define {own} {}\n#endif",
                s.ty, s.name
            )
        };
        supposed.iter().map(declare).collect()
    }

    /// The functions that discard a run in which what the program assumes does not hold.
    pub(super) fn supposed_functions(&self) -> Vec<String> {
        let define = |(own, s): (&String, &Supposed)| {
            format!(
                "/* {}: a run in which it does not hold does not exist. */\n#if BA_MODEL || defined BA_NATIVE\n\
                 BA_UNUSED static void {own}({} ba_holds) {{\n  if (!ba_holds) ba_discard({});\n}}\n#endif",
                s.name, s.ty, s.site
            )
        };
        self.out.discards.supposed.iter().map(define).collect()
    }

    /// What a reader has to know of it.
    pub(super) fn supposed_assumption(&self) -> Option<String> {
        let places = &self.out.discards.suppositions;
        let shown = places
            .iter()
            .take(MOST_PLACES)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        let more = places.len().saturating_sub(MOST_PLACES);
        let more = match more {
            0 => String::new(),
            _ => format!(" and at {more} more places"),
        };
        (!places.is_empty()).then(|| {
            format!("runs are discarded in which the program's own assumption does not hold ({shown}{more})")
        })
    }
}
