//! Infinite runs (docs/semantics.md, "Infinite runs"). Once in a run, at a save point, the model checker may
//! decide that the woven program saves its state. If a later visit of the same point, in the same activation of
//! its function, finds an equal state, the run is a lasso. This is the liveness-to-safety construction of
//! Biere, Artho & Schuppan (2002), woven into C.
//!
//! The head of every loop is a save point. That suffices: an infinite run without unbounded recursion stays for
//! ever in one activation, and there in one loop. While the activation lasts, the frames below it only change
//! through pointers.

mod clock;
mod heads;
mod recursion;
pub(crate) mod state;
mod text;

use crate::analysis::influence::Part;
use crate::analysis::state_slice::{Kept, Observed};
use crate::layout::lasso::Lasso;

use std::collections::{BTreeMap, BTreeSet};

use spec::{Diagnostic, Spec};

use crate::bind::scope::{self, Scope};
use crate::facts::options::Also;
use crate::facts::record::LassoRecord;
use crate::facts::{FunctionIndex, Range};
use crate::layout::weaver::Weaver;

/// The place of a save point.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its function.
    pub function: FunctionIndex,
    /// The text of the loop's head, the jump or the label.
    pub range: Range,
    /// The offset of its text, at which the names it uses are visible.
    pub offset: usize,
    /// The point of the control flow graph that follows it.
    pub point: Option<usize>,
}

impl<'a> Weaver<'a> {
    /// Resolves the specification's part about lassos, and finds the state.
    ///
    /// # Errors
    /// Names without a meaning. A state that the tool cannot compare is refused by a remark.
    pub(crate) fn plan_lasso(
        &mut self,
        spec: &Spec,
        observed: &'a Observed,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let labels = self.labels_of(spec, &mut errors);
        let wanted = spec.lasso.as_ref().and_then(|l| l.state.as_ref());
        let declared = wanted.map(|state| self.declared_state(state, observed, &mut errors));
        if !errors.is_empty() {
            return Err(errors);
        }
        let by_rounds = self.analysis.threaded && self.options.rounds;
        if self.analysis.threaded && !self.options.rounds {
            self.refuse_threads();
        }
        if by_rounds && (!labels.is_empty() || declared.is_some()) {
            let message = "in a program with threads save points and state cannot be chosen: the state is all that its threads may depend on";
            let at = spec.lasso.as_ref().map_or(0..0, |l| l.span.clone());
            return Err(vec![Diagnostic::error(message, at)
                .label("has no meaning here")
                .help("leave \"lasso\" out")]);
        }
        let mut relevant = self.relevant_parts(observed);
        let influence = &observed.influence;
        // Whether the first turns do something undefined is seen in a run itself, and in an execution of many turns.
        let of_later_turns = match (self.options.proves, self.options.also) {
            (false, _) | (_, Also::Definedness) => influence.decides_definedness(),
            (true, Also::Endless) => influence.endless(),
            (true, Also::Nothing) => BTreeSet::new(),
        };
        let of_later_turns: Vec<Part> = of_later_turns.into_iter().collect();
        relevant.extend(influence.relevant(&of_later_turns, &[], &[]));
        let mut lasso = Lasso {
            observed,
            several_files: self.program.several_files(),
            relevant,
            statics: Vec::new(),
            labels,
            declared,
            points: Vec::new(),
            heads: self.options.proves.then(Vec::new),
            entries: BTreeMap::new(),
            by_rounds,
            record: LassoRecord::default(),
        };
        match &lasso.declared {
            // The sequentialisation finds the state of threads and the save points itself.
            _ if by_rounds => {}
            Some(kept) => lasso.record.state = kept.iter().map(|k| k.name.clone()).collect(),
            None => {
                self.refuse_hidden_state(observed);
                self.choose_statics(&mut lasso);
            }
        }
        lasso.record.declared = lasso.declared.is_some();
        self.out.lasso = Some(lasso);
        Ok(())
    }

    fn labels_of(&self, spec: &Spec, errors: &mut Vec<Diagnostic>) -> BTreeSet<usize> {
        let mut labels = BTreeSet::new();
        for label in spec.lasso.iter().flat_map(|l| &l.at) {
            match scope::label(self.facts, label) {
                Ok(label) => drop(labels.insert(label)),
                Err(error) => errors.push(*error),
            }
        }
        labels
    }

    fn declared_state(
        &self,
        state: &[spec::Param],
        observed: &Observed,
        errors: &mut Vec<Diagnostic>,
    ) -> Vec<Kept> {
        let mut kept = Vec::new();
        for (number, param) in state.iter().enumerate() {
            let scope = Scope {
                function: None,
                offset: usize::MAX,
            };
            let wanted = scope::Wanted {
                function: param.function.as_deref(),
                file: param.file.as_deref(),
                line: param.line,
                variable: &param.variable,
                span: param.text.span(),
            };
            let object = match crate::bind::condition::object(&wanted, self.facts, scope) {
                Ok(object) => object,
                Err(error) => {
                    errors.push(*error);
                    continue;
                }
            };
            match observed.declared(object, param, number) {
                Ok(part) => kept.push(part),
                Err(what) => errors.push(
                    Diagnostic::error(format!("`{param}` {what}"), param.text.span())
                        .label("cannot be compared"),
                ),
            }
        }
        kept
    }

    fn refuse_threads(&mut self) {
        if !self.analysis.threaded {
            return;
        }
        let calls = self.facts.calls.iter();
        let start = calls
            .clone()
            .find(|c| c.callee.as_deref() == Some("pthread_create"));
        let range = start.map_or(self.facts.functions[self.analysis.main].place, |c| c.range);
        self.refuse(
            range,
            "infinite runs of programs with threads are not searched".into(),
            "a thread is started here",
            Some("they are searched where threads take turns in rounds: --schedules rounds:R"),
        );
    }

    /// The labels that are save points.
    pub(crate) fn save_labels(&self) -> Vec<usize> {
        let labels = self.out.lasso.iter().flat_map(|l| l.labels.iter().copied());
        labels.collect()
    }

    /// The text of a loop's save point; empty if the loop has none.
    pub(crate) fn plan_loop_save_point(&mut self, place: Place, body: Option<Range>) -> String {
        let counts = |lasso: &Lasso| {
            let counter = body.and_then(|b| lasso.observed.counter(b.start));
            counter.is_some_and(|o| lasso.relevant.contains(&Part::whole(o)))
        };
        match &self.out.lasso {
            Some(lasso) if lasso.labels.is_empty() && !lasso.by_rounds && !counts(lasso) => {
                self.plan_save_point(place)
            }
            _ => String::new(),
        }
    }

    /// The text of a save point at a label that the specification names; empty for other labels.
    pub(crate) fn plan_label_save_point(&mut self, label: usize) -> String {
        let facts = self.facts;
        let label_facts = &facts.labels[label];
        match &self.out.lasso {
            Some(lasso) if lasso.heads.is_none() && lasso.labels.contains(&label) => self
                .plan_save_point(Place {
                    function: label_facts.function,
                    range: label_facts.place,
                    offset: label_facts.after_colon,
                    point: Some(label_facts.node),
                }),
            _ => String::new(),
        }
    }

    /// The first point of the body of a loop.
    pub(crate) fn body_point(&self, body: Range) -> Option<usize> {
        let lasso = self.out.lasso.as_ref()?;
        lasso.observed.first_point(body.start)
    }
}
