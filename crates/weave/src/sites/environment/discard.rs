//! Discarded runs: a pruned label is reached, or an assumption fails.
//!
//! In a program with threads, a model checker's assumption may end only its own thread while the others go on
//! (CBMC). So the run is marked, and its end takes no verdict.

use ltl::B4;

use crate::facts::assertion::Asserted;
use crate::facts::check;
use crate::facts::record::SiteEvent;
use crate::facts::record::{ENDED_FALSE, PREFIX_FALSE};
use crate::facts::Call;
use crate::items::assertion::Assertion;
use crate::items::code::{code, Code};
use crate::items::{Function, Item, Signature, Variable};
use crate::layout::arguments::{argument_list, parameter_list};
use crate::layout::weaver::Weaver;
use crate::library::assertions::is_failure;
use crate::library::effects::assumed;
use crate::monitor::PropertyMonitor;

/// The function that discards a run.
const DISCARD: &str = "void ba_discard(unsigned ba_site)";

impl Weaver<'_> {
    /// The text at a label that precedes all observations: reachability questions, discarded runs.
    pub(crate) fn plan_control_label(&mut self, label: usize) -> String {
        let Some(at) = self.bound.environment.at.get(&label).cloned() else {
            return String::new();
        };
        let mut text = String::new();
        if let Some(reach) = at.reach {
            text.push_str(&self.plan_reached(reach));
        }
        if at.prune {
            let label = &self.facts.labels[label];
            let site = self.add_site(label.place, label.function, SiteEvent::Prune);
            text.push_str(&format!("ba_discard({site}); "));
        }
        for assumption in at.assume {
            text.push_str(&self.plan_assumed(assumption));
        }
        text
    }

    /// The text at a failed assertion if it discards the run; `None` if the run ends there.
    pub(crate) fn plan_failed_assertion(&mut self, call: &Call, name: &str) -> Option<String> {
        if !self.fails_assertion(call, name) {
            return None;
        }
        let site = self.add_site(call.range, call.function, SiteEvent::Prune);
        Some(format!("ba_discard({site}); "))
    }

    /// Whether a call discards the run because an assertion has failed.
    fn fails_assertion(&self, call: &Call, name: &str) -> bool {
        self.analysis.failed_assertions && is_failure(self.facts, call, name)
    }

    /// Whether a call may discard the run.
    pub(super) fn may_discard(&self, call: &Call) -> bool {
        let name = call.callee.as_deref().filter(|_| call.target.is_none());
        name.is_some_and(|name| self.fails_assertion(call, name)) || assumed(call).is_some()
    }

    fn plan_assumed(&mut self, number: usize) -> String {
        let assumption = self.bound.environment.assume[number].clone();
        let label = &self.facts.labels[assumption.label];
        let site = self.add_site(label.place, label.function, SiteEvent::Assume);
        let arguments = argument_list(&self.emitted(&assumption.evaluation).parameters);
        format!("if (!ba_assume_{number}({arguments})) ba_discard({site}); ")
    }

    /// Declarations before the program.
    pub(crate) fn discard_prototypes(&self) -> Vec<Item> {
        if !self.discards() {
            return Vec::new();
        }
        let pruned = Variable::new("_Bool ba_pruned").remark("this run is discarded");
        let mut lines = vec![pruned.into(), Signature::new(DISCARD).into()];
        for number in 0..self.bound.environment.assume.len() {
            lines.push(self.assuming(number).into());
        }
        lines.extend(self.supposed_prototypes());
        lines
    }

    /// The function that tells whether an assumption holds.
    fn assuming(&self, number: usize) -> Signature {
        let assumption = &self.bound.environment.assume[number];
        let parameters = parameter_list(&self.emitted(&assumption.evaluation).parameters);
        Signature::new(format!("_Bool ba_assume_{number}({parameters})"))
    }

    /// The functions that discard a run.
    pub(crate) fn discard_functions(&self) -> Vec<Item> {
        if !self.discards() {
            return Vec::new();
        }
        let body = "  BA_SHOW(ba_site);\n  ba_pruned = 1;\n  BA_ASSUME(0);\n";
        let discard = Function::new(Signature::new(DISCARD), body)
            .for_reason("A run that comes here does not exist.");
        let mut functions = vec![discard.into()];
        for (number, assumption) in self.bound.environment.assume.iter().enumerate() {
            let label = &self.facts.labels[assumption.label].name;
            let condition = self.emitted(&assumption.evaluation).expression;
            let body = format!("  return !!({condition});\n");
            let function = Function::new(self.assuming(number), body);
            functions.push(function.for_reason(format!("Assumed at {label}.")).into());
        }
        functions.extend(self.supposed_functions());
        functions
    }

    /// The assertions of a property's levels. If runs may be discarded, ⊥ of a cut run has an assertion of its
    /// own; a discarded run has no verdict.
    pub(crate) fn level_texts(&self, property: &PropertyMonitor) -> Vec<LevelText<Code>> {
        let discards = self.discards();
        let counted = match self.analysis.threaded && (discards || !self.followed().is_empty()) {
            true => "!ba_gone && ",
            false => "",
        };
        let mut texts = Vec::new();
        for (level, condition) in &property.levels {
            let bit = check::of_level(*level);
            let mut add = |bit: u32, unless: &str, name: &str| {
                // The deadlock of a level is asserted once.
                let deadlocks = !matches!(name, PREFIX_FALSE | ENDED_FALSE);
                let condition = match (counted.is_empty(), unless.is_empty()) {
                    (true, true) => condition.into(),
                    _ => code![counted, unless, "(", condition, ")"],
                };
                texts.push(LevelText {
                    bit,
                    condition,
                    name: name.to_string(),
                    deadlocks,
                    definitive: *level == B4::False,
                });
            };
            match (discards, level) {
                (true, B4::False) => {
                    let doubtful = match self.out.discards.sure_cuts.is_empty() {
                        true => "ba_prefix",
                        false => "ba_may_vanish",
                    };
                    add(bit, &format!("!{doubtful} && "), level.name());
                    let unless = format!("{doubtful} && ");
                    add(check::PRESUMABLY_FALSE, &unless, PREFIX_FALSE);
                }
                _ => add(bit, "", level.name()),
            }
            if *level == B4::PresumablyFalse && self.ends_apart(property) {
                add(check::ENDED, "!ba_prefix && ", ENDED_FALSE);
            }
        }
        texts
    }
}

/// An assertion of a property at the end of a run.
pub struct LevelText<Condition> {
    /// Its bit in `BA_CHECK`.
    pub bit: u32,
    /// When it fails.
    pub condition: Condition,
    /// The name of its level.
    pub name: String,
    /// Whether the level has another assertion for deadlocks.
    pub deadlocks: bool,
    /// Whether the level is definitive: it says that every continuation violates the formula.
    pub definitive: bool,
}

impl<Condition> LevelText<Condition> {
    /// The same assertion with its condition in another form.
    pub fn with<Other>(self, condition: Other) -> LevelText<Other> {
        LevelText {
            bit: self.bit,
            condition,
            name: self.name,
            deadlocks: self.deadlocks,
            definitive: self.definitive,
        }
    }
}

impl LevelText<String> {
    /// The assertion that no run ends with this level.
    pub fn assertion(&self, property: &str) -> Assertion {
        let asserted = Asserted::Level(property, &self.name);
        Assertion::of_level(self.bit, format!("!({})", self.condition), asserted)
    }
}
