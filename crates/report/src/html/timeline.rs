//! The geometry of a timeline: letters from left to right, a lane for each proposition, a strip for
//! the threads and one for the monitor's state.

use super::COLOURS;
use std::fmt::Write as _;
use verify::result::TraceStep;

/// Of one letter.
const COLUMN: usize = 26;
/// Of one lane, and of the line within it.
const LANE: usize = 26;
const HIGH: usize = 5;
const LOW: usize = 20;
/// For the names of the lanes; a character of the page's font is about this wide.
const CHARACTER: usize = 8;

/// Numbers for the template, in pixels.
pub(super) struct Timeline {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Where the lanes begin.
    pub(super) left: usize,
    pub(super) columns: Vec<Column>,
    pub(super) lanes: Vec<Lane>,
    /// Top of the strip of the monitor.
    pub(super) monitor_y: usize,
}

/// One letter.
pub(super) struct Column {
    pub(super) step: u32,
    pub(super) x: usize,
    pub(super) colour: u32,
    pub(super) thread: u32,
    pub(super) monitor: u32,
    /// The monitor's state is another than before.
    pub(super) moved: bool,
    pub(super) tip: String,
}

/// One proposition.
pub(super) struct Lane {
    pub(super) name: String,
    pub(super) y: usize,
    /// The line of its values.
    pub(super) path: String,
    /// Where it holds: left end and width.
    pub(super) holds: Vec<(usize, usize)>,
}

impl Timeline {
    pub(super) fn of(trace: &[TraceStep], names: &[String]) -> Self {
        let longest = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
        let left = (longest.clamp(7, 24) + 2) * CHARACTER;
        let lanes: Vec<Lane> = names
            .iter()
            .enumerate()
            .map(|(i, name)| lane(name, LANE * (i + 1), left, trace))
            .collect();
        let monitor_y = LANE * (names.len() + 1);
        Timeline {
            width: left + COLUMN * trace.len() + 2,
            height: monitor_y + LANE,
            left,
            columns: columns(left, trace),
            lanes,
            monitor_y,
        }
    }
}

fn columns(left: usize, trace: &[TraceStep]) -> Vec<Column> {
    let mut before = None;
    let column = |(i, step): (usize, &TraceStep)| {
        let moved = before.is_some_and(|state| state != step.monitor);
        before = Some(step.monitor);
        Column {
            step: step.step,
            x: left + i * COLUMN,
            colour: step.thread % COLOURS,
            thread: step.thread,
            monitor: step.monitor,
            moved,
            tip: format!("{}: {} (thread {})", step.step, step.what, step.thread),
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
