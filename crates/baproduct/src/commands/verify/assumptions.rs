//! Finds the assumptions that the verdicts depend on: where each one is made, and whether it can
//! influence a proposition or the path to an event.

use std::collections::BTreeSet;

use verify::result::{Assumed, VerifyResult};
use weave::analysis::dependence::{self, Influential};
use weave::facts::{Facts, Range};
use weave::record::{Record, SiteEvent};

use super::input::Source;

/// Beginnings of assumptions about functions; the functions' names follow after a colon.
const OF_FUNCTIONS: [&str; 2] = ["any values come from", weave::ALLOCATES];

/// The beginning of the assumption about calls that the model leaves out: nothing uses their
/// results.
const LEFT_OUT: &str = "calls without effect on the model";

/// The assumption about the order of evaluation.
const ORDER: &str = "operands are evaluated in the order of the text where C leaves it open, and the order decides something";

/// Adds details of the assumptions to a result.
///
/// # Errors
/// Never outside of weaving: the program must not be in use.
pub fn look(source: &Source, result: &mut VerifyResult) -> anyhow::Result<()> {
    let record = &source.whole.record;
    let steps = record
        .sites
        .iter()
        .filter(|s| s.event == SiteEvent::Write)
        .map(|s| (s.file.clone(), s.line, s.what.clone()))
        .collect();
    let assumptions = std::mem::take(&mut result.premises.assumptions);
    result.premises.rests_on = source.program.with_unit(|unit, facts| {
        let place = |at: usize| {
            let (file, line) = unit.source.lines.line(at);
            format!("{file}:{line}")
        };
        let all = Known {
            facts,
            record,
            influential: dependence::find(unit, facts, &steps),
            place: &place,
        };
        let known = assumptions.iter().flat_map(|text| all.of(text));
        let orders = all.orders(unit);
        known.chain(orders).collect::<Vec<Assumed>>()
    })?;
    result.premises.assumptions = assumptions;
    let orders = result
        .premises
        .rests_on
        .iter()
        .filter(|a| a.assumption == ORDER);
    if orders.count() > 0 {
        result.premises.assumptions.push(ORDER.into());
    }
    Ok(())
}

/// The facts about a program.
struct Known<'a> {
    facts: &'a Facts,
    record: &'a Record,
    influential: Influential,
    place: &'a dyn Fn(usize) -> String,
}

impl Known<'_> {
    /// The details of one assumption, for each function that it concerns.
    fn of(&self, text: &str) -> Vec<Assumed> {
        let assumed = |about: &str, places, matters| Assumed {
            assumption: text.to_owned(),
            about: about.to_owned(),
            places,
            matters,
        };
        if let Some((head, names)) = text.split_once(": ") {
            let names = || names.split(", ").map(str::trim);
            if OF_FUNCTIONS.contains(&head) {
                let of = |name: &str| Some(self.influential.functions.contains(name));
                let all = names().map(|n| assumed(n, self.calls(n), of(n)));
                return all.collect();
            }
            if head == LEFT_OUT {
                let all = names().map(|n| assumed(n, self.calls(n), Some(false)));
                return all.collect();
            }
        }
        if let Some((name, _)) = text
            .strip_prefix('`')
            .and_then(|t| t.split_once("` gives "))
        {
            let matters = self.influential.functions.contains(name);
            return vec![assumed(name, self.calls(name), Some(matters))];
        }
        if text.starts_with("pointers become narrower integers") {
            let at = |ranges: &mut dyn Iterator<Item = Range>| {
                let places: BTreeSet<String> = ranges.map(|r| (self.place)(r.start)).collect();
                places.into_iter().collect::<Vec<String>>()
            };
            let matters = !self.influential.narrowed.is_empty();
            let places = match matters {
                true => at(&mut self.influential.narrowed.iter().copied()),
                false => at(&mut self.facts.narrowed.iter().map(|n| n.range)),
            };
            return vec![assumed("", places, Some(matters))];
        }
        let discards = [SiteEvent::Prune, SiteEvent::Assume];
        if text.starts_with("runs are discarded") {
            let sites = self.record.sites.iter();
            let sites = sites.filter(|s| discards.contains(&s.event));
            let places: BTreeSet<String> =
                sites.map(|s| format!("{}:{}", s.file, s.line)).collect();
            return vec![assumed("", places.into_iter().collect(), None)];
        }
        Vec::new()
    }

    /// The expressions in which the order of evaluation matters.
    fn orders<'b>(&'b self, unit: &'b cfront::Unit) -> impl Iterator<Item = Assumed> + 'b {
        self.influential
            .orders
            .iter()
            .map(|(range, matters)| Assumed {
                assumption: ORDER.into(),
                about: unit.text()[range.start..range.end].to_owned(),
                places: vec![(self.place)(range.start)],
                matters: Some(*matters),
            })
    }

    /// The places where a function is called.
    fn calls(&self, name: &str) -> Vec<String> {
        let calls = self.facts.calls.iter();
        let calls = calls.filter(|c| c.callee.as_deref() == Some(name));
        let mut places: Vec<String> = calls.map(|c| (self.place)(c.range.start)).collect();
        places.dedup();
        places
    }
}
