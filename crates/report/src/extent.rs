//! How far runs were followed, and how far a shown run goes behind the step that decides.

use verify::result::{CutPlace, Cuts, Event, PropertyResult, Verdict};
use verify::words::listed;

/// Whether it is known that every explored run was cut at a bound.
pub(crate) fn no_run_ends(property: &PropertyResult) -> bool {
    let cuts = property.answer.vacuity.cuts.as_ref();
    cuts.is_some_and(|cuts| !cuts.some_end)
}

/// How far loops and recursions were followed, and at which of them runs were cut.
pub(crate) fn followed(cuts: Option<&Cuts>, times: &str) -> String {
    match cuts {
        Some(cuts) if !cuts.some_end => format!(
            "no explored run ends: each was cut at {}, which was followed {times}",
            cut_at(cuts, "a loop or recursion")
        ),
        Some(cuts) => format!(
            "each loop and recursion was followed {times}; longer runs were cut at {}",
            cut_at(cuts, "that bound")
        ),
        None => {
            format!("each loop and recursion was followed {times}; longer runs were cut there")
        }
    }
}

/// The most places of cuts that are listed.
const CUTS: usize = 4;

/// The places at which runs were cut; `otherwise` if they are not known.
fn cut_at(cuts: &Cuts, otherwise: &str) -> String {
    let place = |c: &CutPlace| {
        let file = c.file.rsplit('/').next().unwrap_or(&c.file);
        format!("{} ({file}:{})", c.what, c.line)
    };
    let mut places: Vec<String> = cuts.at.iter().take(CUTS).map(place).collect();
    if let Some(more) = cuts.at.len().checked_sub(CUTS).filter(|n| *n > 0) {
        places.push(format!("{more} more"));
    }
    match places.is_empty() {
        true => otherwise.to_owned(),
        false => listed(&places, "or"),
    }
}

/// The step in which the verdict of the shown run is decided, and how many steps come after it and cannot change
/// it; `None` if there are none, or if only the end decides.
pub fn decided_at(property: &PropertyResult) -> Option<(u32, usize)> {
    let trace = &property.run.trace;
    let last = trace.iter().rev().find_map(|s| s.verdict)?;
    let definitive = matches!(last, Verdict::FALSE | Verdict::TRUE);
    if !definitive || property.run.loop_start.is_some() {
        return None;
    }
    let first = trace.iter().position(|s| s.verdict == Some(last))?;
    let after = trace.iter().skip(first + 1);
    let after = after.filter(|s| s.event != Event::End).count();
    (after > 0).then(|| (trace[first].step, after))
}

/// Says how many steps come after the one that decides; `None` if there are none.
pub fn after_decision(property: &PropertyResult) -> Option<String> {
    let (step, after) = decided_at(property)?;
    let steps = match after {
        1 => "the step after it".to_owned(),
        n => format!("the {n} steps after it"),
    };
    Some(format!(
        "the verdict is decided in step {step}: {steps} cannot change it"
    ))
}
