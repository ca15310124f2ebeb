//! Turns a run through the graph of states into a trace of the usual form.

use std::collections::HashMap;

use backend::{Location, StepKind, TraceStep as BackendStep};
use explicit::graph::{Action, Graph};
use explicit::product::Violation;
use weave::record::{Record, SiteEvent, SiteRecord};

use crate::explain::explain;
use crate::result::{Answer, Asked, Event, Evidence, Holds, PropertyResult, ShownRun, Verdict};
use crate::trace;

use super::reports::{Asides, Reporting};

/// The result for a property that a run violates. The result's sites are those of `record`, whose
/// program is woven for lassos; the graph's sites are those of `woven`.
///
/// # Errors
/// If the trace does not show the violation, which is a bug.
pub fn told(
    record: &Record,
    woven: &Record,
    index: usize,
    graph: &Graph,
    (violation, asides): (&Violation, &Asides),
) -> Result<PropertyResult, String> {
    let mut reporting = Reporting::new(record, asides);
    let sites = Sites::new(record, woven);
    let name = &woven.properties[index].name;
    let property = record.properties.iter().find(|p| p.name == *name);
    let property = property.ok_or("the property is not known")?;
    let violation = &sites.turned(graph, violation);
    let mut changes = Changes::of(graph, violation);
    let mut steps = vec![begin()];
    for (number, (from, edge)) in violation.steps.iter().enumerate() {
        if violation.loop_start == Some(number) {
            reporting.repeats(&mut steps);
            sites.head(graph, *from, SiteEvent::Save, &mut steps);
        }
        let edge = &graph.nodes[*from as usize].edges[*edge];
        reporting.begin(number);
        for action in &graph.actions_of(edge).0 {
            let is_letter = matches!(action, Action::Letter(..));
            let shows = changes.shows(action);
            if is_letter {
                reporting.letter(shows, &mut steps);
            }
            if shows {
                let first = steps.len();
                sites.action(woven, graph, action, &mut steps);
                let thread = Some(reporting.thread);
                steps[first..].iter_mut().for_each(|s| s.thread = thread);
            }
            if is_letter {
                reporting.behind_letter(&mut steps);
            }
        }
        reporting.reports(&mut steps);
        if steps.len() > MOST {
            return Err("a run violates the formula, but it is too long to be told".into());
        }
    }
    reporting.finish(&mut steps);
    if let Some(first) = violation.loop_start {
        sites.head(
            graph,
            violation.steps[first].0,
            SiteEvent::Repeat,
            &mut steps,
        );
    }
    let options = crate::Options {
        full_traces: asides.reports.full,
        ..crate::Options::default()
    };
    let read = trace::read(record, property, &steps, &options);
    let asked = Asked::of(record, index_of(record, name));
    let mut result = asked.answered(Answer {
        holds: Holds::Refuted,
        ..Answer::default()
    });
    result.run = ShownRun {
        trace: read.steps,
        schedule: read.schedule,
        left_out: read.left_out,
        contexts: read.contexts,
        starved: read.starved,
        ..ShownRun::default()
    };
    match violation.loop_start {
        Some(_) => {
            result.run.loop_start = read.loop_start;
            result.answer.verdict = Verdict::FALSE;
            result.answer.evidence = Some(Evidence::Lasso);
            match result.run.loop_start {
                Some(_) => explain(record, property, &mut result)?,
                // The loop contains no save point, so the trace could not be replayed.
                None => result.run.trace.clear(),
            }
        }
        None if violation.is_prefix => {
            result.answer.evidence = Some(Evidence::Prefix);
            result.answer.verdict = Verdict::FALSE;
            // The run goes on.
            let trace = &mut result.run.trace;
            if trace.last().is_some_and(|step| step.event == Event::End) {
                trace.pop();
            }
            explain(record, property, &mut result)?;
        }
        None => {
            result.answer.evidence = Some(Evidence::Ended);
            result.answer.verdict = Verdict::PRESUMABLY_FALSE;
            if explain(record, property, &mut result).is_err() {
                result.answer.verdict = Verdict::FALSE;
                explain(record, property, &mut result)?;
            }
            // Where runs may be discarded, the value of a cut run is explained too; this one has come to its end.
            let trace = &result.run.trace;
            if trace.iter().any(|s| s.verdict == Some(Verdict::FALSE)) {
                result.answer.verdict = Verdict::FALSE;
            }
        }
    }
    Ok(result)
}

/// The step with which a run begins.
fn begin() -> BackendStep {
    BackendStep {
        thread: Some(0),
        location: Location::default(),
        kind: StepKind::Call {
            function: "ba_start".into(),
        },
    }
}

fn index_of(record: &Record, name: &str) -> usize {
    let found = record.properties.iter().position(|p| p.name == name);
    found.unwrap_or_default()
}

/// Maps sites of one weaving to sites of another: the places are the same, the numbers differ.
struct Sites {
    same: HashMap<u32, u32>,
    heads: HashMap<(u32, bool), u32>,
}

impl Sites {
    fn new(record: &Record, woven: &Record) -> Sites {
        let key = |s: &SiteRecord| (s.file.clone(), s.line, s.function.clone(), s.what.clone());
        let mut known: HashMap<_, Vec<u32>> = HashMap::new();
        for (number, site) in record.sites.iter().enumerate() {
            let all = known.entry((key(site), site.event)).or_default();
            all.push(number as u32);
        }
        let mut met: HashMap<_, usize> = HashMap::new();
        let (mut same, mut heads) = (HashMap::new(), HashMap::new());
        for (number, site) in woven.sites.iter().enumerate() {
            let count = met.entry((key(site), site.event)).or_default();
            let nth = |event: SiteEvent| known.get(&(key(site), event))?.get(*count).copied();
            if let Some(other) = nth(site.event) {
                same.insert(number as u32, other);
            }
            for (event, repeat) in [(SiteEvent::Save, false), (SiteEvent::Repeat, true)] {
                if let Some(other) = nth(event).filter(|_| site.event == SiteEvent::Cut) {
                    heads.insert((number as u32, repeat), other);
                }
            }
            *count += 1;
        }
        Sites { same, heads }
    }

    /// The same infinite run with its loop rotated to begin at a save point of the program, if
    /// there is one.
    fn turned(&self, graph: &Graph, violation: &Violation) -> Violation {
        let mut turned = violation.clone();
        let Some(start) = violation.loop_start else {
            return turned;
        };
        let saves = |(from, _): &(u32, usize)| {
            let site = graph.nodes[*from as usize].site;
            site.is_some_and(|s| self.heads.contains_key(&(s, false)))
        };
        let round = &violation.steps[start..];
        if let Some(by) = round.iter().position(saves) {
            turned.steps.extend(round[..by].to_vec());
            turned.loop_start = Some(start + by);
        }
        turned
    }

    /// Adds the event that the state is saved at a head, or is reached again.
    fn head(&self, graph: &Graph, node: u32, event: SiteEvent, steps: &mut Vec<BackendStep>) {
        let site = graph.nodes[node as usize].site;
        let site = site.and_then(|s| self.heads.get(&(s, event == SiteEvent::Repeat)));
        if let Some(site) = site {
            trace::assign(steps, "ba_site", i128::from(*site));
        }
    }

    fn action(&self, woven: &Record, graph: &Graph, action: &Action, steps: &mut Vec<BackendStep>) {
        match action {
            Action::Letter(site, valuation) => {
                if let Some(site) = site.and_then(|s| self.same.get(&s)) {
                    trace::assign(steps, "ba_site", i128::from(*site));
                }
                let values = &graph.valuations[*valuation as usize];
                for (proposition, value) in woven.propositions.iter().zip(values) {
                    trace::assign(steps, &proposition.variable, i128::from(*value));
                }
            }
            Action::Given(site, value) => {
                if let Some(site) = self.same.get(site) {
                    trace::assign(steps, "ba_site", i128::from(*site));
                    trace::assign(steps, "ba_given", *value);
                }
            }
            // The value of an uninitialised variable is not an input.
            Action::Local(..) | Action::Overflow(_) | Action::Age(_) => {}
        }
    }
}

/// The most steps of a run that are told.
const MOST: usize = 4_000_000;

/// The letters of a run that are told: all, or of a run with very many those that differ from the one before.
struct Changes {
    many: bool,
    last: Option<u32>,
}

impl Changes {
    /// Runs with more letters are told by their changes.
    const MANY: usize = 200_000;

    fn of(graph: &Graph, violation: &Violation) -> Changes {
        let steps = violation.steps.iter();
        let edges = steps.map(|(from, edge)| &graph.nodes[*from as usize].edges[*edge]);
        let letters: usize = edges
            .map(|edge| graph.actions_of(edge).letters().count())
            .sum();
        Changes {
            many: letters > Changes::MANY,
            last: None,
        }
    }

    fn shows(&mut self, action: &Action) -> bool {
        match action {
            Action::Letter(_, valuation) => {
                let last = self.last.replace(*valuation);
                !self.many || last != Some(*valuation)
            }
            _ => true,
        }
    }
}
