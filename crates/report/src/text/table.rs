//! The trace as an aligned table: one line per step, one column per proposition, changes marked. If
//! the propositions do not fit beside the source text, a line below names those that changed.

use super::names;
use super::style::{Colour, Paint};
use std::collections::{BTreeMap, BTreeSet};
use unicode_width::UnicodeWidthStr;
use verify::result::{Input, PropertyResult, TraceStep, Verdict};

/// The least width of the source text.
const MIN_SOURCE: usize = 16;

/// The least width of a call that gives an input.
const SHORTEST_CALL: usize = 8;

/// The greatest width of a place.
const MAX_PLACE: usize = 28;

/// The layout of one trace.
struct Layout<'a> {
    paint: &'a Paint<'a>,
    /// The text of the place of each step.
    places: Vec<String>,
    names: Vec<String>,
    /// The width of each column.
    step: usize,
    place: usize,
    thread: usize,
    event: usize,
    source: usize,
    /// The changed values of each step, and the width of their column; 0 without the column.
    values: Vec<String>,
    value: usize,
    props: Vec<usize>,
    /// Whether the verdict of the prefix is known after some letter.
    verdict: bool,
    /// The width of the monitor's state; 0 if it is not shown.
    monitor: usize,
    /// Whether each proposition has a column.
    columns: bool,
    /// The number of threads with a lane before the source text.
    lanes: u32,
}

/// The width of the column of verdicts.
const VERDICT: usize = "verdict".len();

/// The lines of the table, heading first.
pub(super) fn rows(property: &PropertyResult, paint: &Paint) -> Vec<String> {
    let mut layout = Layout::of(property, paint);
    let mut lines = vec![layout.heading()];
    let mut before: Option<&TraceStep> = None;
    let decided = crate::extent::decided_at(property);
    let decides = |step: &TraceStep| decided.is_some_and(|(number, _)| number == step.step);
    let mut index = 0;
    for steps in trace_chunks(property, &decides) {
        let step = &steps[0];
        // The value of an argument stands in the call.
        if step.argument_of.is_none() {
            match values_of(steps) {
                Some((all, values)) => {
                    if let Some(shown) = layout.values.get_mut(index) {
                        *shown = values;
                    }
                    lines.push(layout.row(index, &all, before));
                }
                None => lines.push(layout.row(index, step, before)),
            }
            if decides(step) {
                lines.push(paint.faint(&layout.rule()));
            }
            before = Some(step);
        }
        index += steps.len();
    }
    lines
}

/// The least number of values that one place gives one after the other and that are shown in one line: the bytes of a line
/// of text, say.
const MANY: usize = 8;

/// The steps that are shown in one line each.
fn trace_chunks<'a>(
    property: &'a PropertyResult,
    decides: &dyn Fn(&TraceStep) -> bool,
) -> Vec<&'a [TraceStep]> {
    let gives = |step: &TraceStep| step.input.as_ref().map(|i| (i.site, i.name.clone()));
    let together = |a: &TraceStep, b: &TraceStep| {
        let place = |s: &TraceStep| (s.line, s.thread, s.argument_of.is_some());
        gives(a).is_some_and(|site| site.0.is_some() && gives(b) == Some(site))
            && (place(a) == place(b) && a.file == b.file && a.props == b.props)
            && !(decides(a) || decides(b))
    };
    let all = property.run.trace.chunk_by(together);
    all.flat_map(|steps| match steps.len() < MANY {
        true => steps.chunks(1),
        false => steps.chunks(steps.len()),
    })
    .collect()
}

/// One step for many values from one place, and the values.
fn values_of(steps: &[TraceStep]) -> Option<(TraceStep, String)> {
    let first = steps.first().filter(|_| steps.len() >= MANY)?;
    let call = first
        .what
        .strip_suffix(&gives(first.input.as_ref()?, false));
    let values = steps.iter().filter_map(|s| s.input.as_ref());
    let values: Vec<String> = values.map(|i| i.value.to_string()).collect();
    let step = TraceStep {
        what: call.unwrap_or(&first.what).to_owned(),
        input: None,
        ..first.clone()
    };
    let values = format!("gives {} values: {}", values.len(), values.join(", "));
    Some((step, values))
}

/// The values that changed in each step, as `x=1`. The function is left out if the name alone
/// identifies the variable.
pub(crate) fn changed_values(trace: &[TraceStep]) -> Vec<String> {
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    let all: BTreeSet<&str> = trace
        .iter()
        .flat_map(|s| s.values.keys())
        .map(String::as_str)
        .collect();
    let short = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    let shown = |name: &str| match all.iter().filter(|n| short(n) == short(name)).count() {
        1 => short(name),
        _ => name.to_owned(),
    };
    let of = |step: &'_ TraceStep, known: &BTreeMap<&str, &str>| -> String {
        let new = step.values.iter();
        let new = new.filter(|(name, value)| known.get(name.as_str()) != Some(&value.as_str()));
        let texts: Vec<String> = new.map(|(n, v)| format!("{}={v}", shown(n))).collect();
        texts.join(" ")
    };
    let mut texts = Vec::new();
    for step in trace {
        texts.push(of(step, &known));
        known = step
            .values
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
    }
    texts
}

/// `file:line`; the directory is left out if the file name alone identifies the file.
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

/// The value of an input as shown after its call, short if there is little room.
fn gives(input: &Input, short: bool) -> String {
    match short {
        true => format!(" = {}", input.value),
        false => format!(" gives {}", input.value),
    }
}

impl<'a> Layout<'a> {
    fn of(property: &PropertyResult, paint: &'a Paint<'a>) -> Self {
        let trace = &property.run.trace;
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
        let event = widest(&mut trace.iter().map(|s| s.kind().len()), "event");
        let verdict = trace.iter().any(|s| s.verdict.is_some());
        // A state that never changes is not shown: labels have no monitor.
        let moves = !verdict && trace.iter().any(|s| s.monitor != 0);
        let monitor = match paint.options.verbose || moves {
            true => widest(
                &mut trace.iter().map(|s| s.monitor.to_string().len()),
                "monitor",
            ),
            false => 0,
        };
        let values: Vec<String> = changed_values(trace)
            .iter()
            .map(|text| paint.clean(text))
            .collect();
        let longest = widest(
            &mut trace.iter().map(|s| paint.clean(&s.what).width()),
            "source",
        );
        let lanes = crate::meaning::lanes(property);
        let longest = longest + if lanes > 0 { lanes as usize + 1 } else { 0 };
        let props: Vec<usize> = names.iter().map(|n| n.width().max(2)).collect();
        // Two columns between neighbours, and two of indentation.
        let ends = [(verdict, VERDICT), (monitor > 0, monitor)];
        let ends: usize = ends.iter().filter(|e| e.0).map(|e| e.1 + 2).sum();
        let fixed = 2 + step + 2 + place + 2 + thread + 2 + event + 2 + ends;
        let for_props: usize = props.iter().map(|w| w + 2).sum();
        let room = paint.options.width.saturating_sub(fixed);
        // The value of an input is always shown.
        let inputs = trace.iter().filter_map(|s| s.input.as_ref());
        let inputs = inputs.map(|input| SHORTEST_CALL + gives(input, true).len());
        let least = MIN_SOURCE.min(longest).max(inputs.max().unwrap_or(0));
        let columns = room >= for_props + least;
        let left = if columns { room - for_props } else { room };
        // The first step may change many values; only later steps determine the width.
        let widest_values = values.iter().skip(1).map(|v| v.width()).max().unwrap_or(0);
        let value = match widest_values.max("values".len()) {
            _ if widest_values == 0 => 0,
            value if left >= value + 2 + least => value,
            _ => 0,
        };
        let left = left.saturating_sub(if value > 0 { value + 2 } else { 0 });
        let source = left.min(longest).max("source".len());
        Layout {
            paint,
            places,
            names,
            step,
            place,
            thread,
            event,
            source,
            values,
            value,
            props,
            verdict,
            monitor,
            columns,
            lanes,
        }
    }

    /// The lanes of the threads, with a mark in the lane of the step's thread.
    fn lane(&self, step: &TraceStep) -> String {
        let (on, off) = match self.paint.options.unicode {
            true => ('●', '│'),
            false => ('*', '|'),
        };
        let lane = |thread| if thread == step.thread { on } else { off };
        let lanes: String = (0..self.lanes).map(lane).collect();
        match lanes.is_empty() {
            true => lanes,
            false => lanes + " ",
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
        if self.value > 0 {
            line += &format!("  {:<width$}", "values", width = self.value);
        }
        if self.columns {
            for (name, width) in self.names.iter().zip(&self.props) {
                line += &format!("  {}", self.paint.fit(name, *width));
            }
        }
        if self.verdict {
            line += "  verdict";
        }
        if self.monitor > 0 {
            line += &format!("  {:>width$}", "monitor", width = self.monitor);
        }
        self.paint.faint(line.trim_end())
    }

    /// The line between the step that decides and those that cannot change the verdict.
    fn rule(&self) -> String {
        let sign = if self.paint.options.unicode {
            '─'
        } else {
            '-'
        };
        let line: String = std::iter::repeat_n(sign, self.step + 2 + self.place).collect();
        format!("{line}  decided here")
    }

    /// The event of a step, cut if it is too long; the value of an input is always kept.
    fn what(&self, step: &TraceStep) -> String {
        let what = self.lane(step) + &self.paint.clean(&step.what);
        let input = step.input.as_ref();
        let call = input.and_then(|input| Some((what.strip_suffix(&gives(input, false))?, input)));
        let Some((call, input)) = call.filter(|_| what.width() > self.source) else {
            return self.paint.fit(&what, self.source);
        };
        let value = gives(input, true);
        let room = self.source.saturating_sub(value.len());
        let call = match call.width() > room {
            true => self.paint.fit(call, room),
            false => call.to_owned(),
        };
        self.paint.fit(&(call + &value), self.source)
    }

    fn row(&self, index: usize, step: &TraceStep, before: Option<&TraceStep>) -> String {
        let place = self.places.get(index).map_or("", String::as_str);
        let mut line = format!(
            "{:>width$}  {}  {:>thread$}  {:<event$}  {}",
            step.step,
            self.paint.fit(place, self.place),
            step.thread,
            step.kind(),
            self.what(step),
            width = self.step,
            thread = self.thread,
            event = self.event,
        );
        let values = self.values.get(index).map_or("", String::as_str);
        let below = values.width() > self.value;
        if self.value > 0 {
            let here = if below { "" } else { values };
            line += &format!("  {}", self.paint.fit(here, self.value));
        }
        if self.columns {
            for (name, width) in self.names.iter().zip(&self.props) {
                let cell = self.cell(step.props.get(name), before.and_then(|b| b.props.get(name)));
                line += &format!("  {cell}{}", " ".repeat(width.saturating_sub(2)));
            }
        }
        line += &self.ends(step, before);
        line.truncate(line.trim_end().len());
        if below {
            let indent = " ".repeat(self.step + 4);
            for words in self.paint.wrap(&indent, &indent, values) {
                line += &format!("\n{words}");
            }
        }
        if !self.columns {
            for changes in self.changes(step, before) {
                line += &format!("\n{changes}");
            }
        }
        line
    }

    /// The columns after the propositions: the verdict of the prefix and the monitor's state. New
    /// values are emphasised.
    fn ends(&self, step: &TraceStep, before: Option<&TraceStep>) -> String {
        let mut line = String::new();
        let stand_out = |text: String, new: bool| match new {
            true => self.paint.bold(&text),
            false => text,
        };
        if self.verdict {
            let text = step
                .verdict
                .map_or("", |v| match self.paint.options.unicode {
                    true => v.symbol(),
                    false => short_name(v),
                });
            let was = before.and_then(|b| b.verdict);
            let new = step.verdict.is_some() && was.is_some() && was != step.verdict;
            line += &format!("  {}", stand_out(self.paint.fit(text, VERDICT), new));
        }
        if self.monitor > 0 {
            let state = format!("{:>width$}", step.monitor, width = self.monitor);
            let moved = before.is_some_and(|b| b.monitor != step.monitor);
            line += &format!("  {}", stand_out(state, moved));
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

    /// The propositions that changed in this step; for the first step, those that hold.
    fn changes(&self, step: &TraceStep, before: Option<&TraceStep>) -> Vec<String> {
        // The line begins below the place; the page indents only the first line of a row.
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

/// A verdict in ASCII that fits its column.
fn short_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::FALSE => "false",
        Verdict::PRESUMABLY_FALSE => "false?",
        Verdict::PRESUMABLY_TRUE => "true?",
        Verdict::TRUE => "true",
        Verdict::Unknown => "",
    }
}
