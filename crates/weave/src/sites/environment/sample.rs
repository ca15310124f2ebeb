//! Letters that are taken at sample labels only (docs/semantics.md, "Words and letters"): the propositions are
//! evaluated, then every monitor takes a step. There is no letter 0, unless a run takes no sample at all.

use crate::bind::propositions::Extent;
use crate::facts::names::letter;
use crate::facts::record::SiteEvent;
use crate::items::{self, Function, Item, Signature};
use crate::layout::pre_reads::{self, PreRead};
use crate::layout::variables::{Reading, Storage, Variable};
use crate::layout::weaver::Weaver;
use crate::monitor::Monitors;
use crate::sites::areas::labels::Crossing;

/// The function that takes a letter.
const SAMPLE: &str = "void ba_sample(unsigned ba_site)";

impl Weaver<'_> {
    /// Whether an area is the position of one label and letters are taken at samples: then the area is open for
    /// the letter of that label and for no other event.
    pub(crate) fn pulses_at_sample(&self, area: usize) -> bool {
        self.bound.environment.sampled && matches!(self.bound.areas[area].extent, Extent::At(_))
    }

    /// The text of a label: changes of areas, then the letter.
    pub(crate) fn plan_sampled_label(&mut self, number: usize, crossing: &Crossing) -> String {
        let facts = self.facts;
        let label = &facts.labels[number];
        let mut text = self.plan_control_label(number);
        text.push_str(&self.cross(
            &crossing.left,
            &crossing.entered,
            label.place,
            label.function,
        ));
        let sampled = self
            .bound
            .environment
            .at
            .get(&number)
            .is_some_and(|at| at.sample);
        if !sampled {
            for &area in &crossing.pulses {
                self.note(
                    label.place,
                    format!(
                        "the area `{}` is the position of `{}`, where no letter is taken",
                        self.bound.areas[area].name, label.name
                    ),
                    "its propositions keep their defaults",
                );
            }
            return text;
        }
        let site = self.add_site(label.place, label.function, SiteEvent::Sample);
        let (mut before, mut after) = (String::new(), String::new());
        for &area in &crossing.pulses {
            for &p in &self.bound.areas[area].propositions {
                let v = &self.layout.variables[p];
                before.push_str(&format!("{} = {}; ", v.value(), v.evaluation_call()));
                after.push_str(&format!("{} = {}; ", v.value(), u8::from(v.default)));
            }
        }
        text + &format!("BA_BEGIN(); {before}ba_sample({site}); {after}BA_END(); ")
    }

    /// The variable with a proposition's value in the last letter.
    pub(crate) fn letter(&self, variable: &Variable) -> String {
        match self.bound.environment.sampled {
            true => letter(&variable.name),
            false => variable.value(),
        }
    }

    /// Declarations before the program.
    pub(crate) fn sample_prototypes(&self) -> Vec<Item> {
        if !self.bound.environment.sampled {
            return Vec::new();
        }
        let sampled = items::Variable::new("_Bool ba_sampled").remark("a letter was taken");
        let mut lines = vec![sampled.into(), Signature::unused(SAMPLE).into()];
        for v in &self.layout.variables {
            if !matches!(v.reading, Reading::Samples | Reading::Timers) {
                let value = items::Variable::unused(format!("_Bool {}", v.value()));
                lines.push(value.initially(u8::from(v.default)).into());
            }
        }
        lines
    }

    /// The function that takes a letter.
    pub(crate) fn sample_function(&self, monitors: &Monitors) -> Option<Item> {
        if !self.bound.environment.sampled {
            return None;
        }
        let mut text = pre_reads::statements(&self.read_at_samples());
        let mut known = Vec::new();
        let letters = self.layout.variables.iter();
        let letters: Vec<&Variable> = letters.filter(|v| v.reading != Reading::Timers).collect();
        for v in &letters {
            let value = match v.reading {
                Reading::Samples => v.evaluation_call().to_string(),
                Reading::Events | Reading::ItsLabel | Reading::Timers => v.value(),
            };
            text.push_str(&format!("  _Bool ba_new_{} = {value};\n", v.name));
            if !v.compares {
                known.push((letter(&v.name), format!("ba_new_{}", v.name)));
            }
        }
        for v in &letters {
            text.push_str(&format!("  {} = ba_new_{};\n", letter(&v.name), v.name));
        }
        text.push_str("  _Bool ba_more = ba_sampled;\n  ba_sampled = 1;\n  (void)ba_more;\n  ");
        if !self.bound.timers.is_empty() {
            text.push_str("ba_timers(!ba_more);\n  ");
        }
        text.push_str(&monitors.sample.block(&known));
        let body = format!("  BA_AT(ba_site);\n{text}\n");
        let why = "A letter is taken: the valuation, then a step of every monitor.";
        let function = Function::new(Signature::unused(SAMPLE), body);
        Some(function.for_reason(why).into())
    }

    /// The reads of evaluations at a sample that are done once before them.
    fn read_at_samples(&self) -> Vec<PreRead> {
        let at_samples = |&p: &usize| self.layout.variables[p].reading == Reading::Samples;
        self.read_by_all((0..self.layout.variables.len()).filter(at_samples))
    }

    /// The statements that initialise the propositions of the whole program.
    pub(crate) fn initial_values(&self) -> String {
        let whole = self
            .layout
            .variables
            .iter()
            .filter(|v| v.storage == Storage::Whole);
        whole
            .map(|v| {
                let letter = self.letter(v);
                format!("  {letter} = ba_eval_{}();\n  BA_SHOW({letter});\n", v.name)
            })
            .collect()
    }
}
