//! A backend's trace becomes the run of the user's program: its events in order, each with the
//! valuation after it and the monitor's state.

use std::collections::BTreeMap;

use backend::{StepKind, TraceStep as BackendStep};
use weave::record::{PropertyRecord, Record, SiteRecord, REACH};

use crate::result::{Event, TraceStep};
use crate::waits;

/// A trace that was read.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// The letters.
    pub steps: Vec<TraceStep>,
    /// Whether some thread was cut.
    pub cut: bool,
    /// The step at which the state was saved, if it was.
    pub loop_start: Option<u32>,
    /// Whether it goes to a label whose reachability is asked for, and no further.
    pub reached: bool,
    /// The iteration of the outermost loop in which it ends.
    pub iterations: Option<u32>,
}

/// Reads the steps whose names are emitted ones. Sites announce themselves by the parameter
/// `ba_site`; what is assigned until the next one belongs to the event.
pub(crate) fn read(record: &Record, property: &PropertyRecord, steps: &[BackendStep]) -> Read {
    let mut reader = Reader::new(record, property);
    for step in steps {
        let thread = step.thread.unwrap_or(0);
        match &step.kind {
            StepKind::Assignment { lhs, value } => {
                let name = lhs.rsplit("::").next().unwrap_or(lhs);
                if let Some(number) = value.number {
                    reader.assign(name, number, thread);
                }
            }
            // Other assertions, such as one that a function has a body, may fail on the way.
            StepKind::Violation { text } if text.starts_with("baproduct:") => break,
            StepKind::Violation { .. } => {}
            StepKind::Call { .. } | StepKind::Return { .. } => {}
        }
    }
    reader.finish()
}

struct Reader<'a> {
    record: &'a Record,
    property: &'a PropertyRecord,
    variables: BTreeMap<&'a str, &'a str>,
    props: BTreeMap<String, bool>,
    monitor: u32,
    /// Per thread, the site whose event is going on.
    pending: Option<(usize, u32, bool)>,
    /// The value that the environment gave in it.
    given: Option<String>,
    /// The counters of loops, those that began first in front.
    loops: Vec<(String, u32)>,
    out: Read,
    last_thread: u32,
    /// The save point to which control has just come with the saved state.
    repeated: Option<SiteRecord>,
    /// The sites at which threads wait for good, if the run ends because none goes on.
    blocked: Vec<(usize, u32)>,
    /// Whether the run ends because no thread goes on.
    stops: bool,
}

impl<'a> Reader<'a> {
    fn new(record: &'a Record, property: &'a PropertyRecord) -> Self {
        let index = record
            .properties
            .iter()
            .position(|p| p.name == property.name)
            .unwrap_or(0);
        let used = || {
            record
                .propositions
                .iter()
                .filter(move |p| p.used_by.contains(&index))
        };
        Reader {
            record,
            property,
            variables: used()
                .map(|p| (p.variable.as_str(), p.name.as_str()))
                .collect(),
            props: used().map(|p| (p.name.clone(), p.initial)).collect(),
            monitor: 0,
            pending: None,
            given: None,
            loops: Vec::new(),
            out: Read::default(),
            last_thread: 0,
            repeated: None,
            blocked: Vec::new(),
            stops: false,
        }
    }

    fn assign(&mut self, name: &str, number: i128, thread: u32) {
        if is_emitted(name, "blocked") {
            let site = usize::try_from(number).ok();
            self.blocked.extend(site.map(|site| (site, thread)));
            return;
        }
        self.stops |= is_emitted(name, "stops");
        if is_emitted(name, "site") {
            self.flush();
            // Where letters are taken at samples, there is no letter 0.
            if self.out.steps.is_empty() && !self.record.sampled {
                self.start();
            }
            self.pending = usize::try_from(number)
                .ok()
                .map(|site| (site, thread, false));
            self.last_thread = thread;
            return;
        }
        if is_emitted(name, "given") {
            self.given = Some(number.to_string());
            return;
        }
        if name == self.property.state {
            let state = u32::try_from(number).unwrap_or(self.monitor);
            self.mark(state != self.monitor);
            self.monitor = state;
        } else if let Some(proposition) = self.variables.get(name) {
            let value = number != 0;
            let before = self.props.insert(proposition.to_string(), value);
            self.mark(before != Some(value));
        } else if is_emitted(name.trim_end_matches(|c: char| c.is_ascii_digit()), "loop") {
            self.count(name, number);
        }
    }

    /// A loop's counter has a new value.
    fn count(&mut self, counter: &str, number: i128) {
        let count = u32::try_from(number).unwrap_or(0);
        match self.loops.iter_mut().find(|(name, _)| name == counter) {
            Some(known) => known.1 = count,
            None => self.loops.push((counter.to_string(), count)),
        }
    }

    fn mark(&mut self, changed: bool) {
        if let Some(pending) = &mut self.pending {
            pending.2 |= changed;
        }
    }

    /// Letter 0.
    fn start(&mut self) {
        let main = self.record.sites.iter().find(|s| s.event == "start");
        let (file, line) = main.map_or((String::new(), 0), |s| (s.file.clone(), s.line));
        self.push(
            Event::Start,
            file,
            line,
            "main".into(),
            0,
            "main starts".into(),
        );
    }

    fn push(
        &mut self,
        event: Event,
        file: String,
        line: u32,
        function: String,
        thread: u32,
        what: String,
    ) {
        self.out.steps.push(TraceStep {
            step: self.out.steps.len() as u32,
            file,
            line,
            function,
            thread,
            event,
            what,
            props: self.props.clone(),
            monitor: self.monitor,
            values: BTreeMap::new(),
            verdict: None,
            input: None,
        });
    }

    /// Ends the event that is going on; one that changed nothing is a letter only where each is.
    fn flush(&mut self) {
        let Some((site, thread, changed)) = self.pending.take() else {
            return;
        };
        let given = self.given.take();
        let Some(site) = self.record.sites.get(site) else {
            return;
        };
        let event = event_of(site);
        self.out.cut |= event == Event::Cut;
        if event == Event::Save {
            self.out.loop_start = Some(self.out.steps.len() as u32);
        }
        // The state may have come back before: what counts is the last time.
        self.repeated = (event == Event::Repeat).then(|| site.clone());
        let letter = match self.record.sampled {
            true => event == Event::Sample,
            false => changed || self.record.every_event && event != Event::Repeat,
        };
        if letter
            || matches!(event, Event::Cut | Event::Input | Event::Save)
            || (event == Event::Reach && self.property.monitor == REACH)
        {
            self.push(
                event,
                site.file.clone(),
                site.line,
                site.function.clone(),
                thread,
                match given {
                    Some(value) => format!("{} gives {value}", site.what),
                    None => site.what.clone(),
                },
            );
        }
    }

    /// What the threads wait for at the end; who had only not gone on yet is not among them.
    fn waits(&mut self) {
        let blocked = std::mem::take(&mut self.blocked);
        let blocked = if self.stops { blocked } else { Vec::new() };
        for (site, thread) in blocked {
            let Some(site) = self.record.sites.get(site).filter(|s| waits::is_wait(s)) else {
                continue;
            };
            let (file, line, function) = (site.file.clone(), site.line, site.function.clone());
            self.push(
                Event::Blocked,
                file,
                line,
                function,
                thread,
                site.what.clone(),
            );
        }
    }

    fn finish(mut self) -> Read {
        self.flush();
        if self.out.steps.is_empty() {
            self.start();
        }
        if let (Some(site), Some(_)) = (self.repeated.take(), self.out.loop_start) {
            let what = site.what.clone();
            self.push(Event::Repeat, site.file, site.line, site.function, 0, what);
            return self.out;
        }
        if self
            .out
            .steps
            .last()
            .is_some_and(|step| step.event == Event::Reach)
        {
            self.out.reached = true;
            self.out.iterations = self.loops.iter().map(|l| l.1).find(|&n| n > 0);
            return self.out;
        }
        let what = match (self.stops, self.out.cut) {
            (_, true) => "no thread can go on within the bounds",
            (true, false) if !self.blocked.is_empty() => "no thread can go on",
            _ => "the run ends",
        };
        self.waits();
        let thread = self.last_thread;
        self.push(
            Event::End,
            String::new(),
            0,
            String::new(),
            thread,
            what.into(),
        );
        self.out
    }
}

/// Whether a name is the emitted `ba_` and the word, perhaps with the number between them that sets
/// emitted names apart from the program's.
fn is_emitted(name: &str, word: &str) -> bool {
    let inner = name.strip_prefix("ba_").and_then(|n| n.strip_suffix(word));
    inner.is_some_and(|n| {
        n.is_empty()
            || n.strip_suffix('_')
                .is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
    })
}

fn event_of(site: &SiteRecord) -> Event {
    match site.event.as_str() {
        "write" => Event::Write,
        "enter" => Event::Enter,
        "leave" => Event::Leave,
        "sample" => Event::Sample,
        "input" => Event::Input,
        "cut" => Event::Cut,
        "save" => Event::Save,
        "repeat" => Event::Repeat,
        "reach" => Event::Reach,
        "start" => Event::Start,
        _ => Event::End,
    }
}
