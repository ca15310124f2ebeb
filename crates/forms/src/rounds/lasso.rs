//! Infinite runs of threaded programs: they need a query of their own, since their loops are not
//! unrolled. Splits a job into two and joins the two answers.

use std::time::{Duration, Instant};

use backend::{Answer, Failure, Finished, Job, Selection};
use sequentialise::Fairness;

/// The bits of `BA_CHECK` that ask for infinite runs, and for internal errors of the
/// instrumentation.
const LASSO: u32 = 8;
const INTERNAL: u32 = 64;

/// The suffix of the texts of assertions about infinite runs.
const ENDING: &str = ":lasso";

/// How often a thread returns to a loop head within one context.
const TURNS: u32 = 1;

/// A job split into one about finite runs and one about infinite runs.
#[derive(Default)]
pub(super) struct Split {
    /// The job about finite runs, if anything is asked about them.
    pub ends: Option<Job>,
    /// The job about infinite runs, if they are asked for.
    pub loops: Option<Job>,
}

impl Split {
    /// Splits a job.
    pub fn of(job: &Job) -> Split {
        let name = format!("BA_{}CHECK", job.infix);
        let defined = job.defines.iter().find(|(n, _)| *n == name);
        let mask = defined.and_then(|(_, value)| value.parse::<u32>().ok());
        let Some(mask) = mask.filter(|mask| mask & LASSO != 0) else {
            return Split {
                ends: Some(job.clone()),
                loops: None,
            };
        };
        let part = |mask: u32, loops: bool| {
            let mut part = job.clone();
            for (_, value) in part.defines.iter_mut().filter(|(n, _)| *n == name) {
                *value = mask.to_string();
            }
            if let Selection::Only(texts) = &mut part.selection {
                texts.retain(|text| text.ends_with(ENDING) == loops);
            }
            let empty = matches!(&part.selection, Selection::Only(texts) if texts.is_empty());
            (!empty).then_some(part)
        };
        let ends = mask & !LASSO;
        Split {
            ends: (ends & !INTERNAL != 0).then(|| part(ends, false)).flatten(),
            loops: part(LASSO | mask & INTERNAL, true),
        }
    }
}

/// Gives the first of two jobs three quarters of the time.
pub(super) fn first(job: Job) -> Job {
    Job {
        timeout: job.timeout.map(|timeout| timeout * 3 / 4),
        ..job
    }
}

/// Gives the second job the rest of the time.
pub(super) fn later(job: Job, begin: Instant) -> Job {
    let left = |timeout: Duration| timeout.saturating_sub(begin.elapsed());
    Job {
        timeout: job.timeout.map(left).map(|t| t.max(Duration::from_secs(1))),
        ..job
    }
}

/// Joins the two answers. If one part has no answer, its questions stay open and the other answers
/// stand.
pub(super) fn joined(ends: Option<Finished>, loops: Option<Finished>, job: &Job) -> Finished {
    let (mut all, loops) = match (ends, loops) {
        (Some(ends), Some(loops)) => (ends, loops),
        (Some(one), None) | (None, Some(one)) => return one,
        (None, None) => {
            return Finished {
                result: Ok(Answer::default()),
                usage: backend::Usage::default(),
                command: String::new(),
            }
        }
    };
    all.usage.add(loops.usage);
    let answer = match (&mut all.result, &loops.result) {
        (Ok(answer), _) => answer,
        (Err(failure), Ok(_)) if is_limit(failure) => {
            let rest = Some(failure.to_string());
            all.result = loops.result.map(|found| of_loops(found, rest));
            return all;
        }
        (Err(_), _) => return all,
    };
    match loops.result.map(|found| of_loops(found, None)) {
        Ok(more) => {
            answer.outcomes.extend(more.outcomes);
            answer.undecided.extend(more.undecided);
            answer.traces.extend(more.traces);
            let warnings = more.warnings.into_iter();
            let new: Vec<String> = warnings.filter(|w| !answer.warnings.contains(w)).collect();
            answer.warnings.extend(new);
        }
        Err(Failure::Cancelled) => all.result = Err(Failure::Cancelled),
        Err(failure) => {
            let Selection::Only(texts) = &job.selection else {
                all.result = Err(failure);
                return all;
            };
            let asked = texts.iter().filter(|text| text.ends_with(ENDING));
            let why = format!("infinite runs were not searched: {failure}");
            answer
                .undecided
                .extend(asked.map(|text| (text.clone(), why.clone())));
        }
    }
    all
}

/// Whether a limit of time or memory ended a run.
fn is_limit(failure: &Failure) -> bool {
    matches!(failure, Failure::Timeout { .. } | Failure::MemoryOut { .. })
}

/// Keeps the part of an answer that concerns infinite runs; the other program answers the rest more
/// precisely.
fn of_loops(found: Answer, rest: Option<String>) -> Answer {
    let wanted = |text: &String| text.ends_with(ENDING);
    let outcomes = found.outcomes.into_iter().filter(|(t, _)| wanted(t));
    let undecided = found.undecided.into_iter().filter(|(t, _)| wanted(t));
    let traces = found.traces.into_iter().filter(|(t, _)| wanted(t));
    Answer {
        outcomes: outcomes.collect(),
        undecided: undecided.collect(),
        traces: traces.collect(),
        other_failures: found.other_failures,
        warnings: found.warnings,
        rest,
    }
}

/// The options of sequentialisation for infinite runs.
pub(super) fn options(fairness: Fairness, named: &dyn Fn(&str) -> String) -> sequentialise::Lasso {
    sequentialise::Lasso {
        fairness,
        saved: named("rounds_save"),
        again: named("rounds_again"),
        turns: TURNS,
    }
}
