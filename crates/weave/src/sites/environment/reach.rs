//! Labels to be reached. The assertion stands at the label itself, so a prune at the same label comes too late
//! to matter.

use ltl::B4;

use crate::bind::environment::Reach;
use crate::facts::assertion::Asserted;
use crate::facts::check;
use crate::facts::record::SiteEvent;
use crate::facts::record::{PropertyRecord, REACH};
use crate::items::assertion::Assertion;
use crate::items::{Function, Item, Signature};
use crate::layout::weaver::Weaver;

impl Weaver<'_> {
    /// The text at a label whose reachability is asked for.
    pub(crate) fn plan_reached(&mut self, number: usize) -> String {
        let label = &self.facts.labels[self.bound.environment.reach[number].label];
        let site = self.add_site(label.place, label.function, SiteEvent::Reach);
        format!("ba_reach_{number}({site}); ")
    }

    /// Declarations before the program.
    pub(crate) fn reach_prototypes(&self) -> Vec<Item> {
        (0..self.bound.environment.reach.len())
            .map(|number| reached(number).into())
            .collect()
    }

    /// One function for each label, with its assertion.
    pub(crate) fn reach_functions(&self) -> Vec<Item> {
        // A run that another thread has discarded does not reach the label.
        let condition = match self.analysis.threaded && self.discards() {
            true => "ba_pruned",
            false => "0",
        };
        let function = |(number, reach): (usize, &Reach)| {
            let name = &reach.name;
            let asserted = Asserted::Level(name, B4::False.name());
            let assertion = Assertion::of_level(check::FALSE, condition, asserted);
            let body = format!("  BA_SHOW(ba_site);\n{assertion}");
            Function::new(reached(number), body).for_reason(name).into()
        };
        self.bound
            .environment
            .reach
            .iter()
            .enumerate()
            .map(function)
            .collect()
    }

    /// Whether calls lead to the function of a label. If not, the assertion would be in dead code, which
    /// backends leave out.
    pub(crate) fn label_is_called(&self, label: usize) -> bool {
        let function = self.facts.labels[label].function;
        self.analysis.threads.activations[function] != crate::analysis::threads::Count::Zero
    }

    /// The records of the labels to be reached, for `verify`.
    pub(crate) fn reach_records(&self) -> Vec<PropertyRecord> {
        let record = |reach: &Reach| {
            let label = &self.facts.labels[reach.label].name;
            let levels = match self.label_is_called(reach.label) {
                true => vec![B4::False.name().to_string()],
                false => Vec::new(),
            };
            PropertyRecord {
                lasso: false,
                name: reach.name.clone(),
                ltl: format!("G !({label} is reached)"),
                levels,
                explanation: String::new(),
                expect: reach.expect.map(|e| e.name().to_string()),
                monitor: REACH.into(),
                ends_apart: false,
                state: String::new(),
                parts: Vec::new(),
                formula: String::new(),
                constraints: Vec::new(),
            }
        };
        self.bound.environment.reach.iter().map(record).collect()
    }
}

/// The function that a label to be reached calls.
fn reached(number: usize) -> Signature {
    Signature::unused(format!("void ba_reach_{number}(unsigned ba_site)"))
}
