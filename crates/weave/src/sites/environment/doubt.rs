//! Whether a run that is cut could still be discarded later.
//!
//! Most programs assume something of their inputs at the start and then run for ever. If the word of such a run
//! is false when it is cut, the run exists and the verdict is sure (docs/semantics.md, "Discarded runs"). The
//! answer follows from the text: without backward jumps, control continues after the place of the cut, or
//! anywhere in a loop around it.

use std::collections::BTreeSet;

use crate::facts::{Call, FunctionIndex};
use crate::layout::weaver::Weaver;
use crate::library::{self, Runs};

impl Weaver<'_> {
    /// Notes a site where a thread is cut and that no assumption can follow, so that the run surely exists.
    pub(crate) fn note_cut(&mut self, site: usize, function: FunctionIndex, position: usize) {
        if self.discards() && !self.analysis.threaded && !self.may_be_discarded(function, position)
        {
            self.out.discards.sure_cuts.insert(site);
        }
    }

    /// Whether a run that has reached a place of a function may be discarded later.
    fn may_be_discarded(&self, function: FunctionIndex, position: usize) -> bool {
        let calls = &self.facts.calls;
        let late = |call: &Call| {
            let row = call.callee.as_deref().and_then(library::function);
            matches!(row.and_then(|f| f.runs), Some(Runs::AtExit(_)))
        };
        if self.handles_signals() || calls.iter().any(late) || !self.facts.hidden.is_empty() {
            return true;
        }
        let mut asked = BTreeSet::new();
        let mut work = vec![(function, position)];
        while let Some((function, position)) = work.pop() {
            if self.jumps_back(function) {
                return true;
            }
            let from = self.round_of(function, position);
            if self.discards_from(function, from) {
                return true;
            }
            // The function returns to its callers.
            let address_taken = self.facts.functions[function].address_taken.is_some();
            let callers = calls.iter().filter(|call| match call.target {
                Some(target) => target == function,
                None => address_taken,
            });
            for call in callers {
                if asked.insert((call.function, call.range.start)) {
                    work.push((call.function, call.range.start));
                }
            }
        }
        false
    }

    /// Whether control may go back in a function other than by a loop statement.
    fn jumps_back(&self, function: FunctionIndex) -> bool {
        let facts = self.facts;
        let mut jumps = facts.jumps.iter();
        let mut computed = facts.computed_jumps.iter();
        jumps.any(|j| j.function == function && j.backward)
            || computed.any(|j| j.function == function)
            || self.emulates_longjmp()
    }

    /// The first place of a function that may run again when control is at `position`: the start of the
    /// outermost loop around it.
    fn round_of(&self, function: FunctionIndex, position: usize) -> usize {
        let around = self.facts.loops.iter().filter(|l| {
            l.function == function && l.range.start <= position && position < l.range.end
        });
        let starts = around.map(|l| l.range.start);
        starts.chain([position]).min().unwrap_or(position)
    }

    /// Whether a function may discard the run in its text after a place.
    fn discards_from(&self, function: FunctionIndex, from: usize) -> bool {
        let own = self.discarding_places();
        let mut calls = self.facts.calls.iter();
        let reaches = |target: usize| {
            own.iter()
                .any(|(f, _)| self.analysis.threads.reaches(target, *f))
        };
        own.iter().any(|&(f, place)| f == function && place >= from)
            || calls.any(|call| {
                let behind = call.function == function && call.range.start >= from;
                behind
                    && match (call.target, call.callee.is_some()) {
                        (Some(target), _) => reaches(target),
                        (None, false) => true,
                        (None, true) => call.argument_functions.iter().any(Option::is_some),
                    }
            })
    }

    /// The functions and places that may discard the run.
    fn discarding_places(&self) -> Vec<(FunctionIndex, usize)> {
        let facts = self.facts;
        let environment = &self.bound.environment;
        let labels = environment.at.iter();
        let labels = labels.filter(|(_, at)| at.prune || !at.assume.is_empty());
        let labels = labels.map(|(&l, _)| (facts.labels[l].function, facts.labels[l].place.start));
        let calls = facts.calls.iter().filter(|call| self.may_discard(call));
        let calls = calls.map(|call| (call.function, call.range.start));
        labels.chain(calls).collect()
    }
}
