//! Executes the program along a run through classes of states: its loop leads from a class back to it, but not always from a state
//! to the same one.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use backend::explore::{Aside, Exploration, Walked};
use backend::{Cancel, Usage};
use explicit::graph::{Action, Edge, Graph};
use explicit::product::Violation;

use super::violations::{reads_ages, ROUNDS};

/// What the steps of a run tell beside their actions.
pub(super) type Asides = Vec<Vec<Aside>>;

/// Wall-clock limit of an execution.
const LIMIT: Duration = Duration::from_secs(20);
/// With less time than this, nothing is executed.
const ENOUGH: Duration = Duration::from_secs(2);

/// Why a run is not shown that may be none of the program's.
const NO_TIME: &str = "the time was over before a run that violates the formula was executed";

/// Why a run cannot be shown that the program does not take.
pub(super) const NOT_TAKEN: &str =
    "the program does not take the steps of a run that the search found: this is an error of baproduct, please report it";

/// Goes round a run's loop until its state comes back, and lets the loop begin there. Says whether it does, or the run has no loop.
/// That the run goes on for ever is known before; where the time is over, it is not executed. `told` gets what each
/// step tells beside its actions.
///
/// # Errors
/// Why the run cannot be shown.
pub(super) fn repeating(
    exploration: &Exploration,
    graph: &Graph,
    violation: &mut Violation,
    until: Option<Instant>,
    told: &mut Asides,
) -> Result<bool, String> {
    let left = left(until);
    // What rests on an old time stamp is known to be a run of the program only where it is executed.
    let is_sure = !reads_ages(graph, violation);
    if left < ENOUGH {
        return match is_sure {
            true => Ok(violation.loop_start.is_none()),
            false => Err(NO_TIME.into()),
        };
    }
    match (
        walked(exploration, graph, violation, (left, told))?,
        violation.loop_start,
    ) {
        (Some(Walked::Ended), None) => Ok(true),
        (None, at) if is_sure => Ok(at.is_none()),
        (None, _) => Err(NO_TIME.into()),
        (Some(Walked::GoesOn), Some(_)) => Ok(false),
        (Some(Walked::Repeats(first, again)), Some(start)) => {
            let round = violation.steps.split_off(start);
            for _ in 0..again {
                violation.steps.extend_from_slice(&round);
            }
            violation.loop_start = Some(start + first * round.len());
            Ok(true)
        }
        _ if !is_sure => Err(ROUNDS.into()),
        _ => Err(NOT_TAKEN.into()),
    }
}

/// What each step of a run that the program takes tells beside its actions; nothing where the time is over.
pub(super) fn asides(
    exploration: &Exploration,
    graph: &Graph,
    violation: &Violation,
    until: Option<Instant>,
) -> Asides {
    let (left, mut told) = (left(until), Vec::new());
    if left >= ENOUGH {
        // What cannot be executed again is shown without them.
        let _ = walked(exploration, graph, violation, (left, &mut told));
    }
    told
}

/// The time that an execution may take.
fn left(until: Option<Instant>) -> Duration {
    until.map_or(LIMIT, |until| {
        until.saturating_duration_since(Instant::now()).min(LIMIT)
    })
}

/// Executes the program along a run.
fn walked(
    exploration: &Exploration,
    graph: &Graph,
    violation: &Violation,
    (left, told): (Duration, &mut Asides),
) -> Result<Option<Walked>, String> {
    let mut lines = String::new();
    for (number, (from, edge)) in violation.steps.iter().enumerate() {
        if violation.loop_start == Some(number) {
            lines.push_str("loop\n");
        }
        lines.push_str(&line(graph, &graph.nodes[*from as usize].edges[*edge]));
    }
    let mut exploration = exploration.clone();
    exploration.timeout = Some(left);
    let walked = exploration.walk(&lines, &Cancel::new(), &mut Usage::default(), told);
    walked.map_err(|failure| failure.to_string())
}

/// A step's actions as the execution compares them.
fn line(graph: &Graph, edge: &Edge) -> String {
    let mut text = String::new();
    for action in &graph.actions_of(edge).0 {
        let _ = match action {
            Action::Letter(site, valuation) => {
                let values = &graph.valuations[*valuation as usize];
                let values: String = values.iter().map(|v| if *v { '1' } else { '0' }).collect();
                let site = site.map_or(-1, i64::from);
                write!(text, " l:{site}:{values}")
            }
            Action::Given(site, value) => write!(text, " c:{site}:{value}"),
            Action::Local(number, value) => write!(text, " u:{number}:{value}"),
            Action::Overflow(place) => write!(text, " o:{place}"),
            // There the ages are those that stamps have.
            Action::Age(_) => Ok(()),
        };
    }
    text + "\n"
}
