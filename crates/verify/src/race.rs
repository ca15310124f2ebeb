//! Runs the levels in parallel. A run is ended when its level does not matter any more, because
//! every property has a lower value already.

use std::sync::{Mutex, PoisonError};

use backend::{Cancel, Failure, Finished, Outcome, Usage};
use rayon::prelude::*;
use weave::check;
use weave::record::PropertyRecord;

use crate::bounds;
use crate::combine;
use crate::result::Verdict;
use crate::run::{names, Run, LEVELS};

/// A run of the race: its mask, its level if it asks for one level only, and its cancellation.
struct Lane {
    mask: u32,
    level: Option<Verdict>,
    cancel: Cancel,
}

/// Runs the backend once for each mask, in parallel as far as the options allow, and returns the
/// results in the order of the masks.
pub(crate) fn run(run: &Run, masks: &[u32]) -> Vec<(u32, Finished)> {
    let lanes: Vec<Lane> = masks
        .iter()
        .map(|&mask| Lane {
            mask,
            level: only_level(mask),
            cancel: run.cancel.part(),
        })
        .collect();
    // The least value that each property is known to reach.
    let reached: Mutex<Vec<Option<Verdict>>> = Mutex::new(vec![None; run.record.properties.len()]);
    let one = |lane: &Lane| {
        let finished = lane_run(run, lane);
        let mut reached = reached.lock().unwrap_or_else(PoisonError::into_inner);
        note(run, &finished, &mut reached);
        for other in &lanes {
            if other
                .level
                .is_some_and(|level| !is_needed(run, level, &reached))
            {
                other.cancel.cancel();
            }
        }
        (lane.mask, finished)
    };
    let work = || lanes.par_iter().map(one).collect();
    // If the pool cannot be created, the global one serves.
    match rayon::ThreadPoolBuilder::new()
        .num_threads(run.options.jobs)
        .build()
    {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

fn lane_run(run: &Run, lane: &Lane) -> Finished {
    // A run that is not needed any more does not start.
    if lane.cancel.is_cancelled() {
        return Finished {
            result: Err(Failure::Cancelled),
            usage: Usage::default(),
            command: String::new(),
        };
    }
    (run.progress)(&format!(
        "asking {} about {}",
        run.backend.program().kind.name(),
        names(lane.mask)
    ));
    bounds::ask(run, run.job(lane.mask), &lane.cancel)
}

/// The level of a run that asks only for it and for the bounds of the instrumentation.
fn only_level(mask: u32) -> Option<Verdict> {
    let mut levels = LEVELS.iter();
    let found = levels.find(|(_, bit)| mask & !(check::INTERNAL | check::ENDED) == *bit);
    found.map(|(level, _)| *level)
}

/// Records the values that some run of the program has. The verdict is such a value or a lower one,
/// independently of other answers, so higher levels do not matter any more.
fn note(run: &Run, finished: &Finished, reached: &mut [Option<Verdict>]) {
    let Ok(answer) = &finished.result else {
        return;
    };
    let fails = |text: &String| answer.outcomes.get(text) == Some(&Outcome::Fails);
    for (property, known) in run.record.properties.iter().zip(reached) {
        let lasso = property.lasso && fails(&combine::lasso(&property.name));
        let values = LEVELS.iter().map(|(level, _)| *level);
        let found = values
            .filter(|level| texts(run, property, *level).iter().any(fails))
            .chain(lasso.then_some(Verdict::FALSE))
            .min();
        *known = match (*known, found) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}

fn texts(run: &Run, property: &PropertyRecord, level: Verdict) -> Vec<String> {
    combine::texts_of(run.record, property, level)
}

/// Whether some property's verdict may still be this level.
fn is_needed(run: &Run, level: Verdict, reached: &[Option<Verdict>]) -> bool {
    let mut all = run.record.properties.iter().zip(reached);
    all.any(|(property, known)| {
        known.is_none_or(|known| known >= level) && !texts(run, property, level).is_empty()
    })
}
