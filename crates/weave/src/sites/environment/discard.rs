//! Runs that do not exist: a pruned label, an assumption that fails.
//!
//! Where threads run, a model checker's assumption may end its own thread only while the others go
//! on (CBMC), so the run is marked, and its end takes no verdict.

use ltl::B4;

use crate::facts::check;
use crate::facts::record::SiteEvent;
use crate::facts::record::PREFIX_FALSE;
use crate::facts::Call;
use crate::layout::operands::{argument_list, parameter_list};
use crate::layout::weaver::Weaver;
use crate::monitor::PropertyMonitor;

/// What `assert` calls when its condition does not hold.
const ASSERTIONS: [&str; 3] = ["__assert_fail", "__assert", "__assert_perror_fail"];

impl Weaver<'_> {
    /// What a label does to the run before anything is observed there: it is reached, it is
    /// discarded.
    pub(crate) fn control_label(&mut self, label: usize) -> String {
        let Some(at) = self.environment.at.get(&label).cloned() else {
            return String::new();
        };
        let mut text = String::new();
        if let Some(reach) = at.reach {
            text.push_str(&self.reached(reach));
        }
        if at.prune {
            let label = &self.facts.labels[label];
            let site = self.site(label.place, label.function, SiteEvent::Prune);
            text.push_str(&format!("ba_discard({site}); "));
        }
        for assumption in at.assume {
            text.push_str(&self.assumed(assumption));
        }
        text
    }

    /// Whether the program has assertions of its own.
    pub(crate) fn asserts(&self) -> bool {
        ASSERTIONS.iter().any(|name| self.calls(name))
    }

    /// What a failed assertion does to the run where it is discarded; nothing if it ends.
    pub(crate) fn failed_assertion(&mut self, call: &Call, name: &str) -> Option<String> {
        if !self.environment.failed_assertions || !ASSERTIONS.contains(&name) {
            return None;
        }
        let site = self.site(call.range, call.function, SiteEvent::Prune);
        Some(format!("ba_discard({site}); "))
    }

    fn assumed(&mut self, number: usize) -> String {
        let assumption = self.environment.assume[number].clone();
        let label = &self.facts.labels[assumption.label];
        let site = self.site(label.place, label.function, SiteEvent::Assume);
        let arguments = argument_list(&self.emitted(&assumption.evaluation).parameters);
        format!("if (!ba_assume_{number}({arguments})) ba_discard({site}); ")
    }

    /// Declarations in front of the program.
    pub(crate) fn discard_prototypes(&self) -> Vec<String> {
        if !self.environment.discards() {
            return Vec::new();
        }
        let mut lines = vec![
            "static _Bool ba_pruned; /* the specification discards this run */".to_string(),
            "static void ba_discard(unsigned ba_site);".to_string(),
        ];
        for number in 0..self.environment.assume.len() {
            lines.push(format!(
                "static _Bool ba_assume_{number}({});",
                self.assumes(number)
            ));
        }
        lines
    }

    fn assumes(&self, number: usize) -> String {
        let parameters = self
            .emitted(&self.environment.assume[number].evaluation)
            .parameters;
        parameter_list(&parameters)
    }

    /// The functions that discard a run.
    pub(crate) fn discard_functions(&self) -> Vec<String> {
        if !self.environment.discards() {
            return Vec::new();
        }
        let mut functions = vec![
            "/* A run that comes here does not exist. */\nstatic void ba_discard(unsigned ba_site) {\n  (void)ba_site;\n  ba_pruned = 1;\n  BA_ASSUME(0);\n}"
                .to_string(),
        ];
        for (number, assumption) in self.environment.assume.iter().enumerate() {
            let label = &self.facts.labels[assumption.label].name;
            functions.push(format!(
                "/* Assumed at {label}. */\nstatic _Bool ba_assume_{number}({}) {{\n  return !!({});\n}}",
                self.assumes(number),
                self.emitted(&assumption.evaluation).expression
            ));
        }
        functions
    }

    /// The assertions of a property's levels. Where runs may be discarded, the ⊥ of a cut run is
    /// asserted apart from that of an ended one; and a run that is discarded has no verdict.
    pub(crate) fn level_texts(&self, property: &PropertyMonitor) -> Vec<LevelText> {
        let discards = self.environment.discards();
        let counted = match self.threaded && (discards || !self.followed().is_empty()) {
            true => "!ba_gone && ",
            false => "",
        };
        let mut texts = Vec::new();
        for (level, condition) in &property.levels {
            let bit = check::of_level(*level);
            let mut add = |bit: u32, unless: &str, name: &str| {
                let condition = match (counted.is_empty(), unless.is_empty()) {
                    (true, true) => condition.clone(),
                    _ => format!("{counted}{unless}({condition})"),
                };
                texts.push(LevelText {
                    bit,
                    condition,
                    name: name.to_string(),
                    definitive: *level == B4::False,
                });
            };
            match (discards, level) {
                (true, B4::False) => {
                    add(bit, "!ba_prefix && ", level.name());
                    add(check::PRESUMABLY_FALSE, "ba_prefix && ", PREFIX_FALSE);
                }
                _ => add(bit, "", level.name()),
            }
        }
        texts
    }
}

pub struct LevelText {
    pub bit: u32,
    pub condition: String,
    pub name: String,
    /// Whether a prefix of a run that satisfies it decides: it says that the word is false.
    pub definitive: bool,
}
