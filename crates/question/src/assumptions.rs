//! Finds the assumptions that the verdicts depend on: where each one is made, and whether it can
//! influence a proposition or the path to an event.

use std::collections::BTreeSet;

use verify::result::{Assumed, VerifyResult};
use weave::analysis::dependence;
use weave::record::{Record, RestKind, RestRecord, SiteEvent};

use crate::source::Input;

/// Beginnings of assumptions about functions; the functions' names follow after a colon.
const OF_FUNCTIONS: [&str; 2] = ["any values come from", weave::ALLOCATES];

/// The beginning of the assumption about calls that the model leaves out: nothing uses their
/// results.
const LEFT_OUT: &str = "calls without effect on the model";

/// The most expressions that the assumption about the order of evaluation names.
const NAMED: usize = 5;

/// The assumption about the order of evaluation.
const ORDER: &str = "operands are evaluated in the order of the text where C leaves it open, and the order decides something";

/// Adds details of the assumptions to a result. An instrumented program brings them in its record.
///
/// # Errors
/// Never outside of weaving: the program must not be in use.
pub fn look(input: &Input, result: &mut VerifyResult) -> anyhow::Result<()> {
    let record = input.record();
    let rests = match input {
        Input::Woven(..) => record.rests_on.clone(),
        Input::Source(source) => source.program.with_unit(|unit, facts| {
            dependence::records(unit, facts, &record.sites, &record.propositions)
        })?,
    };
    let known = Known {
        rests: rests.as_deref(),
        record,
    };
    let assumptions = result.premises.assumptions.iter();
    let mut all: Vec<Assumed> = assumptions.flat_map(|text| known.of(text)).collect();
    let orders = known.orders();
    if let Some(order) = orders.first() {
        result.premises.assumptions.push(order.assumption.clone());
    }
    all.extend(orders);
    result.premises.rests_on = all;
    Ok(())
}

/// The facts about a program.
struct Known<'a> {
    /// Empty if the program's record does not say.
    rests: Option<&'a [RestRecord]>,
    record: &'a Record,
}

impl Known<'_> {
    /// The details of one assumption, for each function that it concerns.
    fn of(&self, text: &str) -> Vec<Assumed> {
        let function = |name: &str, matters: Option<bool>| {
            let outside = self.of_kind(RestKind::Outside);
            let mut outside = outside.chain(self.of_kind(RestKind::Allocation));
            let known = outside.find(|r| r.what == name);
            let reaches = || self.rests.map(|_| known.is_some_and(|k| k.matters));
            Assumed {
                assumption: text.to_owned(),
                kind: known.map(|k| k.kind),
                about: name.to_owned(),
                places: known.map(|k| k.places.clone()).unwrap_or_default(),
                matters: matters.or_else(reaches),
            }
        };
        if let Some((head, names)) = text.split_once(": ") {
            let names = names.split(", ").map(str::trim);
            if OF_FUNCTIONS.contains(&head) {
                return names.map(|name| function(name, None)).collect();
            }
            if head == LEFT_OUT {
                return names.map(|name| function(name, Some(false))).collect();
            }
        }
        let given = text.strip_prefix('`');
        if let Some((name, _)) = given.and_then(|t| t.split_once("` gives ")) {
            return vec![function(name, None)];
        }
        let without_function = |kind, places: Vec<String>, matters| {
            vec![Assumed {
                assumption: text.to_owned(),
                kind,
                about: String::new(),
                places,
                matters,
            }]
        };
        if text.starts_with("pointers become narrower integers") {
            let narrow = self.of_kind(RestKind::Narrow).next();
            let places = narrow.map(|n| n.places.clone()).unwrap_or_default();
            return without_function(Some(RestKind::Narrow), places, narrow.map(|n| n.matters));
        }
        if text.starts_with("runs are discarded") {
            let discards = [SiteEvent::Prune, SiteEvent::Assume];
            let sites = self.record.sites.iter();
            let sites = sites.filter(|s| discards.contains(&s.event));
            let places: BTreeSet<String> =
                sites.map(|s| format!("{}:{}", s.file, s.line)).collect();
            return without_function(None, places.into_iter().collect(), None);
        }
        Vec::new()
    }

    /// The entries of a kind.
    fn of_kind(&self, kind: RestKind) -> impl Iterator<Item = &RestRecord> {
        let all = self.rests.unwrap_or_default().iter();
        all.filter(move |r| r.kind == kind)
    }

    /// The expressions in which the order of evaluation matters. The assumption names the first of
    /// them.
    fn orders(&self) -> Vec<Assumed> {
        let all = self.of_kind(RestKind::Order);
        let named: Vec<String> = all
            .map(|o| format!("`{}` ({})", o.what, o.places.join(", ")))
            .collect();
        let more = match named.len().saturating_sub(NAMED) {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        let named = named[..named.len().min(NAMED)].join(", ");
        let assumed = self.of_kind(RestKind::Order).map(|order| Assumed {
            assumption: format!("{ORDER}: {named}{more}"),
            kind: Some(RestKind::Order),
            about: order.what.clone(),
            places: order.places.clone(),
            matters: Some(order.matters),
        });
        assumed.collect()
    }
}
