//! The specification's statements about the environment: where letters are taken (`trace`), which runs are
//! discarded (`prune`, `assume`), which labels are to be reached (`reach`), which values come from outside
//! (`inputs`).

mod arguments;
mod blocks;
pub mod classified;
mod contracts;
mod conversions;
mod copies;
mod cuts;
mod definitions;
pub(crate) mod discard;
mod doubt;
pub mod ends;
mod estimates;
pub mod inputs;
mod outcomes;
mod prints;
mod reach;
mod sample;
mod stand_in;
mod stored;
mod structures;
mod suppose;
mod texts;
mod values;
mod variables;

use ltl::B4;

use crate::bind::expression::Piece;
use crate::facts::record::SiteEvent;
use crate::items::{Conditional, Item, OfThread, Variable};
use crate::layout::arguments::Argument;
use crate::layout::weaver::Weaver;
use crate::library::assertions::aborts_as_assumption;
use crate::monitor::{Monitors, PropertyMonitor};

/// Where the emitted program marks a cut run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CutMarks {
    /// In the function that cuts a thread.
    pub at_cuts: bool,
    /// In the function that ends the run when no thread continues.
    pub at_end: bool,
}

/// A condition as a function of the emitted program over locals.
struct Emitted {
    /// Its parameters.
    parameters: Vec<Argument>,
    /// Its expression.
    expression: String,
}

impl Weaver<'_> {
    /// Whether the end of a run has to know if some thread was cut.
    pub(crate) fn marks_cuts(&self, monitors: &Monitors) -> bool {
        let apart = |p| self.ends_apart(p);
        self.marks_each_cut() || self.can_be_cut() || monitors.properties.iter().any(apart)
    }

    /// Whether a cut run is marked at the cut, because it may be discarded or void. Otherwise the end of the
    /// run finds the cut in the threads' states, which saves accesses to a shared object.
    fn marks_each_cut(&self) -> bool {
        self.discards() || self.void_run().is_some() || !self.modelled()
    }

    /// Whether ⊥ᵖ of a run that ends has another assertion than ⊥ᵖ of a cut run.
    pub(crate) fn ends_apart(&self, property: &PropertyMonitor) -> bool {
        let mut levels = property.levels.iter();
        levels.any(|(level, _)| *level == B4::PresumablyFalse) && self.can_be_cut()
    }

    /// Whether the program has a bounded loop or recursion at all.
    pub(crate) fn can_be_cut(&self) -> bool {
        self.out
            .sites
            .iter()
            .any(|site| site.event == SiteEvent::Cut)
    }

    /// Which function marks a cut run: the one that cuts a thread, or the one that ends the run for all
    /// threads.
    pub(crate) fn cut_marks(&self, monitors: &Monitors) -> CutMarks {
        let marks = self.marks_cuts(monitors);
        CutMarks {
            at_cuts: marks && self.marks_each_cut(),
            at_end: marks && !self.marks_each_cut(),
        }
    }

    /// Declarations before the program.
    pub(crate) fn environment_prototypes(&self, monitors: &Monitors) -> Vec<Item> {
        let mut lines = self.discard_prototypes();
        let marks = self.cut_marks(monitors);
        if marks.at_cuts || marks.at_end {
            const WHY: &str = "a thread was cut: the word is a prefix";
            let shared = Variable::new("_Bool ba_was_cut").remark(WHY);
            let own = OfThread::new("_Bool ", "ba_was_cut", "").remark(WHY);
            lines.push(match marks.at_end {
                false => shared.into(),
                // By rounds, each cut thread sets the shared flag.
                true => Conditional::when("#if defined BA_ROUNDS", vec![shared.into()])
                    .otherwise(vec![own.into()])
                    .into(),
            });
        }
        if !self.out.discards.sure_cuts.is_empty() {
            let flag = Variable::new("_Bool ba_may_vanish");
            lines.push(flag.remark("the cut run may be discarded later").into());
        }
        lines.extend(self.sample_prototypes());
        lines.extend(self.reach_prototypes());
        lines.extend(self.input_prototypes());
        lines
    }

    /// The functions after the program.
    pub(crate) fn environment_functions(&self, monitors: &Monitors) -> Vec<Item> {
        let mut functions = self.discard_functions();
        functions.extend(self.sample_function(monitors));
        functions.extend(self.reach_functions());
        functions.extend(self.input_functions());
        functions
    }

    /// The assumptions about the environment, as sentences for the report.
    pub(crate) fn environment_assumptions(&self) -> Vec<String> {
        let name = |l: usize| {
            let label = &self.facts.labels[l];
            format!(
                "{} in {}",
                label.name, self.facts.functions[label.function].name
            )
        };
        let at = &self.bound.environment.at;
        let pruned = at.iter().filter(|(_, at)| at.prune).map(|(&l, _)| name(l));
        let pruned: Vec<String> = pruned.collect();
        let mut out = Vec::new();
        if !pruned.is_empty() {
            out.push(format!(
                "runs are discarded that reach: {}",
                pruned.join(", ")
            ));
        }
        if self.analysis.failed_assertions {
            out.push("runs are discarded in which an assertion of the program fails".into());
        } else if aborts_as_assumption(self.facts) {
            out.push("runs that `assume_abort_if_not` aborts are runs that end; --assert-prunes discards them".into());
        }
        for assumption in &self.bound.environment.assume {
            let label = name(assumption.label);
            out.push(format!("assumed at {label}: {}", assumption.text));
        }
        out.extend(self.supposed_assumption());
        out.extend(self.input_assumptions().iter().cloned());
        out
    }

    /// A condition as an expression over parameters of an emitted function. Complexity: its length.
    fn emitted(&self, pieces: &[Piece]) -> Emitted {
        let mut parameters = Vec::new();
        let expression = self.with_arguments(pieces, &mut parameters);
        Emitted {
            parameters,
            expression,
        }
    }
}
