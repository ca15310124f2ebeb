//! Propositions that nothing changes while the program runs: what they read is written nowhere, or only in
//! functions that no thread runs, or only by threads that are started. An answer about such a proposition
//! says little about the program (docs/semantics.md, "Vacuity").

use std::collections::BTreeSet;

use cfront::library;

use crate::analysis::effects::Effects;
use crate::analysis::threads::Threads;
use crate::bind::code::Code;
use crate::bind::environment::Receiver;
use crate::bind::propositions::Proposition;
use crate::bind::resolve::Bound;
use crate::facts::{Facts, FunctionIndex, HiddenKind};

/// What is known of the writes to the memory of a proposition that `main` never writes itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwritten {
    /// The objects that the proposition reads.
    pub objects: Vec<String>,
    /// The functions that write some of it, and that no thread runs.
    pub idle: BTreeSet<FunctionIndex>,
    /// The start functions of the threads that may write some of it.
    pub routines: BTreeSet<FunctionIndex>,
}

/// For each proposition: what is known if `main` never writes what it reads; `None` if `main` may do so, if the
/// environment does, or if the text does not show who does.
pub fn of(
    facts: &Facts,
    code: &Code,
    text: &str,
    main: FunctionIndex,
    threads: &Threads,
    effects: &Effects,
    bound: &Bound,
) -> Vec<Option<Unwritten>> {
    // These write, or call, where the text does not show it.
    let hides = |kind: &HiddenKind| {
        !matches!(
            kind,
            HiddenKind::RangeDesignator | HiddenKind::EndAsValue(_)
        )
    };
    let obscure = facts.hidden.iter().any(|h| hides(&h.kind)) || !facts.assemblers.is_empty();
    let outside = code.outside_objects();
    // Such a function may find pointers where its arguments point to.
    let unknown = facts.calls.iter().any(|call| {
        let name = call.callee.as_deref();
        call.target.is_none() && name.is_none_or(|n| library::function(n).is_none())
    });
    // A function with this attribute runs before `main`, and nothing calls it.
    let constructs = text.contains("constructor");
    let one = |(number, p): (usize, &Proposition)| {
        let objects = p.objects.iter().map(|&o| &facts.objects[o]);
        let exposed = p.regions.iter().any(|r| match r.place.root {
            Some(o) => facts.objects[o].address_taken,
            None => true,
        });
        let from_outside = objects.clone().any(|o| outside.contains(&o.name))
            || bound
                .environment
                .inputs
                .iter()
                .any(|input| match input.receiver {
                    Receiver::Variable(o) => p.objects.contains(&o),
                    Receiver::Call(_) => false,
                });
        // Calls give parameters their values, and a remembered value changes its comparisons.
        let changes =
            objects.clone().any(|o| o.parameter) || bound.timers.read_by(number).next().is_some();
        if p.area.is_some()
            || changes
            || p.regions.is_empty()
            || p.objects.is_empty()
            || obscure
            || from_outside
            || exposed && unknown
        {
            return None;
        }
        let mut found = Unwritten {
            objects: objects.map(|o| o.name.clone()).collect(),
            ..Unwritten::default()
        };
        let writes = facts.writes.iter().map(|w| w.function);
        let calls = facts.calls.iter().map(|c| c.function);
        let all = writes.zip(&effects.writes).chain(calls.zip(&effects.calls));
        for (function, effects) in all {
            if !effects.iter().any(|e| e.proposition == number) {
                continue;
            }
            let roots = &threads.roots[function];
            if roots.contains(&main) || roots.is_empty() && constructs {
                return None;
            }
            match roots.is_empty() {
                true => found.idle.insert(function),
                false => {
                    found.routines.extend(roots);
                    true
                }
            };
        }
        Some(found)
    };
    bound.propositions.iter().enumerate().map(one).collect()
}
