//! The program's own assumptions: `__VERIFIER_assume` and its kin. A run that violates one is discarded,
//! whatever it did before, just as by the specification (docs/semantics.md, "Discarded runs").

use std::collections::BTreeMap;

use crate::facts::record::SiteEvent;
use crate::items::{Conditional, Function, Item, Signature};
use crate::layout::weaver::Weaver;
use crate::library::effects::assumed;
use crate::plan::inputs::Supposed;

/// The most places of assumptions that the report lists; it counts the others.
const MOST_PLACES: usize = 4;

/// The condition under which runs can be discarded.
const MONITORED: &str = "#if BA_MODEL || defined BA_NATIVE";

impl Weaver<'_> {
    /// Replaces the function by which a call assumes its argument. Returns whether the call assumes.
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

    /// Declarations before the program.
    pub(super) fn supposed_prototypes(&self) -> Vec<Item> {
        let supposed: &BTreeMap<String, Supposed> = &self.out.discards.supposed;
        let declare = |(own, s): (&String, &Supposed)| {
            Conditional::when(MONITORED, vec![supposing(own, s).into()])
                .otherwise(vec![format!("#define {own} {}", s.name).into()])
                .into()
        };
        supposed.iter().map(declare).collect()
    }

    /// The functions that discard a run in which an assumption of the program fails.
    pub(super) fn supposed_functions(&self) -> Vec<Item> {
        let define = |(own, s): (&String, &Supposed)| {
            let body = format!("  if (!ba_holds) ba_discard({});\n", s.site);
            let function = Function::new(supposing(own, s), body);
            let why = format!(
                "{}: a run in which it does not hold does not exist.",
                s.name
            );
            Conditional::when(MONITORED, vec![function.into()])
                .for_reason(why)
                .into()
        };
        self.out.discards.supposed.iter().map(define).collect()
    }

    /// The assumption about such functions, for the report.
    pub(super) fn supposed_assumption(&self) -> Option<String> {
        // Several assumptions may stand on one line.
        let mut places = self.out.discards.suppositions.clone();
        places.dedup();
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

/// The replacement of a function that assumes its argument.
fn supposing(own: &str, supposed: &Supposed) -> Signature {
    Signature::unused(format!("void {own}({} ba_holds)", supposed.ty))
}
