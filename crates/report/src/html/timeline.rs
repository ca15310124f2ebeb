//! The geometry of a timeline: a column per letter, a lane per proposition, a strip for the threads
//! and one for the verdict or the monitor's state.

use super::{class, COLOURS};
use std::fmt::Write as _;
use verify::result::{PropertyResult, TraceStep};

/// The width of a letter.
const COLUMN: usize = 26;
/// The height of a lane, and the heights of the values 1 and 0 in it.
const LANE: usize = 26;
const HIGH: usize = 5;
const LOW: usize = 20;
/// The width of a character in the names of lanes, approximately.
const CHARACTER: usize = 8;

/// Numbers for the template, in pixels.
pub(super) struct Timeline {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The left end of the lanes.
    pub(super) left: usize,
    pub(super) columns: Vec<Column>,
    pub(super) lanes: Vec<Lane>,
    /// Top of the last strip: the verdict of the prefix, or the monitor's state if no verdict is
    /// known.
    pub(super) last_y: usize,
    pub(super) last_name: &'static str,
    /// The left end and the width of the loop of an infinite run.
    pub(super) round: Option<(usize, usize)>,
}

/// One letter.
pub(super) struct Column {
    pub(super) step: u32,
    pub(super) x: usize,
    pub(super) colour: u32,
    pub(super) thread: u32,
    /// The text of the last strip, and its CSS class.
    pub(super) last: String,
    pub(super) class: &'static str,
    /// Whether the text differs from the previous one.
    pub(super) moved: bool,
    pub(super) tip: String,
}

/// One proposition.
pub(super) struct Lane {
    pub(super) name: String,
    pub(super) y: usize,
    /// The SVG path of its values.
    pub(super) path: String,
    /// The intervals in which it holds: left end and width.
    pub(super) holds: Vec<(usize, usize)>,
}

impl Timeline {
    pub(super) fn of(property: &PropertyResult, names: &[String]) -> Self {
        let trace = &property.run.trace;
        let longest = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
        let left = (longest.clamp(7, 24) + 2) * CHARACTER;
        let lanes: Vec<Lane> = names
            .iter()
            .enumerate()
            .map(|(i, name)| lane(name, LANE * (i + 1), left, trace))
            .collect();
        let last_y = LANE * (names.len() + 1);
        let known = trace.iter().any(|s| s.verdict.is_some());
        let first = |start: u32| trace.iter().position(|s| s.step >= start);
        let round = property.run.loop_start.and_then(first);
        Timeline {
            width: left + COLUMN * trace.len() + 2,
            height: last_y + LANE,
            left,
            columns: columns(left, property, known),
            lanes,
            last_y,
            last_name: if known { "verdict" } else { "monitor" },
            round: round.map(|at| (left + at * COLUMN, (trace.len() - at) * COLUMN)),
        }
    }
}

fn columns(left: usize, property: &PropertyResult, known: bool) -> Vec<Column> {
    let trace = &property.run.trace;
    // The main thread has a number here, as in the strip of threads.
    let thread = |n: u32| match n {
        0 => "thread 0".to_owned(),
        n => property.run.threads.name(n),
    };
    let mut before: Option<String> = None;
    let column = |(i, step): (usize, &TraceStep)| {
        let last = match (known, step.verdict) {
            (true, verdict) => verdict.map_or("", |v| v.symbol()).to_owned(),
            (false, _) => step.monitor.to_string(),
        };
        let moved = before.as_ref().is_some_and(|b| *b != last) && !last.is_empty();
        if !last.is_empty() {
            before = Some(last.clone());
        }
        let values = step.values.iter().map(|(n, v)| format!("\n{n} = {v}"));
        Column {
            step: step.step,
            x: left + i * COLUMN,
            colour: step.thread % COLOURS,
            thread: step.thread,
            last,
            class: step.verdict.map_or("", class),
            moved,
            tip: format!("{}: {} ({})", step.step, step.what, thread(step.thread))
                + &values.collect::<String>(),
        }
    };
    trace.iter().enumerate().map(column).collect()
}

fn lane(name: &str, y: usize, left: usize, trace: &[TraceStep]) -> Lane {
    let mut path = String::new();
    let mut holds: Vec<(usize, usize)> = Vec::new();
    for (i, step) in trace.iter().enumerate() {
        let value = step.props.get(name).copied().unwrap_or(false);
        let x = left + i * COLUMN;
        let level = y + if value { HIGH } else { LOW };
        let command = if i == 0 {
            format!("M{x} {level}")
        } else {
            format!("V{level}")
        };
        let _ = write!(path, "{command}H{}", x + COLUMN);
        match holds.last_mut() {
            Some((start, width)) if value && *start + *width == x => *width += COLUMN,
            _ if value => holds.push((x, COLUMN)),
            _ => {}
        }
    }
    Lane {
        name: name.to_owned(),
        y,
        path,
        holds,
    }
}
