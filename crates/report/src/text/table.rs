//! The trace as an aligned table: one line for each step, a column for each proposition, changes
//! marked. Where the propositions do not fit beside the source text, a line names those that changed.

use super::names;
use super::style::{Colour, Paint};
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;
use verify::result::{PropertyResult, TraceStep};

/// The source text gets at least so many columns.
const MIN_SOURCE: usize = 16;
/// A place is not wider than this.
const MAX_PLACE: usize = 28;

/// The layout of one trace.
struct Layout<'a> {
    paint: &'a Paint<'a>,
    /// Places as they are shown, one for each step.
    places: Vec<String>,
    names: Vec<String>,
    /// Width of each column.
    step: usize,
    place: usize,
    thread: usize,
    event: usize,
    source: usize,
    props: Vec<usize>,
    monitor: usize,
    /// Whether the propositions have columns.
    columns: bool,
}

/// The lines of the table, its heading first.
pub(super) fn rows(property: &PropertyResult, paint: &Paint) -> Vec<String> {
    let layout = Layout::of(property, paint);
    let mut lines = vec![layout.heading()];
    let mut before: Option<&TraceStep> = None;
    for (step, place) in property.trace.iter().zip(&layout.places) {
        lines.push(layout.row(step, place, before));
        before = Some(step);
    }
    lines
}

/// `file:line`; the directory is left out where the file's name alone says which file it is.
fn places(trace: &[TraceStep], paint: &Paint) -> Vec<String> {
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for step in trace {
        let short = step.file.rsplit('/').next().unwrap_or(&step.file);
        let known = files.entry(short).or_default();
        if !known.contains(&step.file.as_str()) {
            known.push(&step.file);
        }
    }
    let place = |step: &TraceStep| {
        let short = step.file.rsplit('/').next().unwrap_or(&step.file);
        let unique = files.get(short).is_some_and(|full| full.len() == 1);
        let file = if unique { short } else { step.file.as_str() };
        let text = match (file, step.line) {
            ("", _) => String::new(),
            (file, 0) => file.to_owned(),
            (file, line) => format!("{file}:{line}"),
        };
        paint.tail(&paint.clean(&text), MAX_PLACE)
    };
    trace.iter().map(place).collect()
}

impl<'a> Layout<'a> {
    fn of(property: &PropertyResult, paint: &'a Paint<'a>) -> Self {
        let trace = &property.trace;
        let names: Vec<String> = names(property).iter().map(|n| paint.clean(n)).collect();
        let places = places(trace, paint);
        let widest = |texts: &mut dyn Iterator<Item = usize>, heading: &str| {
            texts.max().unwrap_or(0).max(heading.len())
        };
        let step = widest(&mut trace.iter().map(|s| s.step.to_string().len()), "step");
        let place = widest(&mut places.iter().map(|p| p.width()), "place");
        let thread = widest(
            &mut trace.iter().map(|s| s.thread.to_string().len()),
            "thread",
        );
        let event = widest(&mut trace.iter().map(|s| s.event.name().len()), "event");
        let monitor = widest(
            &mut trace.iter().map(|s| s.monitor.to_string().len()),
            "monitor",
        );
        let longest = widest(
            &mut trace.iter().map(|s| paint.clean(&s.what).width()),
            "source",
        );
        let props: Vec<usize> = names.iter().map(|n| n.width().max(2)).collect();
        // Two columns between neighbours, two of the page's indentation.
        let fixed = 2 + step + 2 + place + 2 + thread + 2 + event + 2 + 2 + monitor;
        let for_props: usize = props.iter().map(|w| w + 2).sum();
        let room = paint.options.width.saturating_sub(fixed);
        let columns = room >= for_props + MIN_SOURCE.min(longest);
        let source = if columns { room - for_props } else { room };
        let source = source.min(longest).max("source".len());
        Layout {
            paint,
            places,
            names,
            step,
            place,
            thread,
            event,
            source,
            props,
            monitor,
            columns,
        }
    }

    fn heading(&self) -> String {
        let mut line = format!(
            "{:>step$}  {}  {:>thread$}  {:<event$}  {:<source$}",
            "step",
            self.paint.fit("place", self.place),
            "thread",
            "event",
            "source",
            step = self.step,
            thread = self.thread,
            event = self.event,
            source = self.source,
        );
        if self.columns {
            for (name, width) in self.names.iter().zip(&self.props) {
                line += &format!("  {}", self.paint.fit(name, *width));
            }
        }
        line += &format!("  {:>width$}", "monitor", width = self.monitor);
        self.paint.faint(line.trim_end())
    }

    fn row(&self, step: &TraceStep, place: &str, before: Option<&TraceStep>) -> String {
        let mut line = format!(
            "{:>width$}  {}  {:>thread$}  {:<event$}  {}",
            step.step,
            self.paint.fit(place, self.place),
            step.thread,
            step.event.name(),
            self.paint.fit(&self.paint.clean(&step.what), self.source),
            width = self.step,
            thread = self.thread,
            event = self.event,
        );
        if self.columns {
            for (name, width) in self.names.iter().zip(&self.props) {
                let cell = self.cell(step.props.get(name), before.and_then(|b| b.props.get(name)));
                line += &format!("  {cell}{}", " ".repeat(width.saturating_sub(2)));
            }
        }
        let state = format!("{:>width$}", step.monitor, width = self.monitor);
        let moved = before.is_some_and(|b| b.monitor != step.monitor);
        line += &format!(
            "  {}",
            if moved {
                self.paint.bold(&state)
            } else {
                state
            }
        );
        if !self.columns {
            for changes in self.changes(step, before) {
                line += &format!("\n{changes}");
            }
        }
        line
    }

    /// Two columns: a mark if the value changed, then the value.
    fn cell(&self, now: Option<&bool>, before: Option<&bool>) -> String {
        let Some(now) = now else {
            return format!(
                " {}",
                if self.paint.options.unicode {
                    "·"
                } else {
                    "."
                }
            );
        };
        let value = if *now { '1' } else { '0' };
        if before.is_none_or(|b| b == now) {
            return format!(" {value}");
        }
        let (mark, colour) = self.mark(*now);
        self.paint.in_colour(colour, &format!("{mark}{value}"))
    }

    fn mark(&self, rises: bool) -> (char, Colour) {
        match (rises, self.paint.options.unicode) {
            (true, true) => ('▲', Colour::Green),
            (false, true) => ('▼', Colour::Red),
            (true, false) => ('+', Colour::Green),
            (false, false) => ('-', Colour::Red),
        }
    }

    /// The propositions that changed in this step; in the first one, those that hold.
    fn changes(&self, step: &TraceStep, before: Option<&TraceStep>) -> Vec<String> {
        // Below the place; the page indents only the first line of a row.
        let indent = " ".repeat(self.step + 4);
        let mut words = Vec::new();
        for name in &self.names {
            let now = step.props.get(name).copied();
            let was = before.and_then(|b| b.props.get(name)).copied();
            match (now, was, before.is_some()) {
                (Some(true), _, false) => words.push(name.clone()),
                (Some(now), Some(was), true) if now != was => {
                    words.push(format!("{}{name}", self.mark(now).0));
                }
                _ => {}
            }
        }
        if words.is_empty() {
            return Vec::new();
        }
        let text = match before {
            Some(_) => words.join(" "),
            None => format!("holds: {}", words.join(" ")),
        };
        self.paint.wrap(&indent, &indent, &text)
    }
}
