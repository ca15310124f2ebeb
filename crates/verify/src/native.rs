//! One observed run: the native backend executes the monitored program. The result describes this
//! run only.

use backend::{Failure, Outcome, Traces};
use ltl::Expectation;
use weave::check;

use crate::combine::{self, Answers};
use crate::result::{Event, Evidence, Explored, Holds, PropertyResult, Verdict, VerifyResult};
use crate::run::{advice, Run, TraceWish, LEVELS};
use crate::{explain, trace};

/// The assumption of a verdict on one run.
const ASSUMPTION: &str =
    "one observed run: other inputs, schedules and longer runs may have another verdict";

/// Executes the program once. The verdicts are those of the run's word; `complete` is always false.
pub(crate) fn observe(run: &Run) -> VerifyResult {
    let mask = LEVELS.iter().fold(check::END, |mask, (_, bit)| mask | bit);
    (run.progress)("compiling and executing the program");
    let mut job = run.job(mask);
    job.traces = match run.options.trace {
        TraceWish::Never | TraceWish::Unchecked => Traces::None,
        _ => Traces::Full,
    };
    let finished = match run.record.properties.iter().find(|p| p.monitor == "buchi") {
        None => run.backend.run(&job, run.cancel),
        Some(p) => backend::Finished {
            result: Err(Failure::Refused {
                message: format!(
                    "the monitor of {} guesses, which an execution cannot; use --monitor dfa",
                    p.name
                ),
            }),
            usage: Default::default(),
            command: String::new(),
        },
    };
    let mut result = run.result(finished.usage);
    result.premises.unwind = None;
    result.premises.assumptions.insert(0, ASSUMPTION.into());
    match &finished.result {
        Err(failure) => {
            for (property, record) in result.properties.iter_mut().zip(&run.record.properties) {
                property.asked.expect = record.expect.as_deref().and_then(Expectation::from_name);
                property.answer.reason = Some(advice(failure));
                property.answer.observed = true;
                property.answer.complete = Some(false);
            }
        }
        Ok(answer) => {
            let stopped = answer
                .warnings
                .iter()
                .any(|w| w == backend::native::STOPPED);
            result.warnings.extend(answer.warnings.iter().cloned());
            let steps = answer
                .traces
                .get(backend::native::RUN)
                .cloned()
                .unwrap_or_default();
            let all_answers = answered(run, mask, &finished);
            for (i, record) in run.record.properties.iter().enumerate() {
                let mut property = combine::property(run.record, i, record, &all_answers);
                one_run(&mut property, stopped);
                if run.wants_trace(&property) && !steps.is_empty() {
                    property.run.trace = trace::read(run.record, record, &steps, run.options).steps;
                    if stopped {
                        stop(&mut property);
                    }
                    if let Err(reason) = explain::explain(run.record, record, &mut property) {
                        let name = &record.name;
                        let warning = format!("the trace of {name} cannot be confirmed: {reason}");
                        result.warnings.push(warning);
                    }
                }
                result.properties[i] = property;
            }
        }
    }
    result
}

/// The answers for all levels: an assertion that the run does not violate counts as holding.
fn answered(run: &Run, mask: u32, finished: &backend::Finished) -> Answers {
    let mut finished = finished.clone();
    if let Ok(answer) = &mut finished.result {
        for text in combine::expected(run.record, mask) {
            answer.outcomes.entry(text).or_insert(Outcome::Holds);
        }
    }
    Answers::new(run.record, vec![(mask, finished)])
}

/// Withdraws conclusions that need a search of all runs.
fn one_run(property: &mut PropertyResult, stopped: bool) {
    property.answer.complete = Some(false);
    property.answer.observed = true;
    if property.answer.verdict != Verdict::Unknown {
        property.answer.evidence = Some(if stopped {
            Evidence::Prefix
        } else {
            Evidence::Ended
        });
    }
    property.answer.holds = Holds::of(&property.answer, Explored::default());
}

/// Marks the last step of a run that did not end.
fn stop(property: &mut PropertyResult) {
    if let Some(last) = property
        .run
        .trace
        .last_mut()
        .filter(|s| s.event == Event::End)
    {
        last.event = Event::Cut;
        last.what = "the run was ended from outside".into();
    }
}
