//! A backend's trace becomes the run of the user's program: its events in order, each with the
//! valuation after it and the monitor's state.

use std::collections::{BTreeMap, BTreeSet};

use backend::{Location, StepKind, TraceStep as BackendStep};
use weave::record::{PropertyRecord, Record, SiteEvent, SiteRecord, REACH};

use crate::holders::{missing, Holders};
use crate::result::{Caller, Context, Event, Input, LoopRests, Scheduled, Starved, TraceStep};
use crate::run::Options;
use crate::schedule;
use crate::steps::{Step, Steps};
use crate::values::Values;
use crate::waits;

mod turns;

/// What a trace has to show, by the beginnings of names: emitted ones, the results of functions, and
/// the objects that propositions read; and the calls of functions whose entries are events.
pub(crate) fn wanted(record: &Record) -> Vec<String> {
    let fixed = ["ba_", "BA_", "return_value_", "return_value$_", RETURNS];
    let read = record.propositions.iter().flat_map(|p| &p.reads);
    let objects: BTreeSet<&str> = read.map(|r| r.object.as_str()).collect();
    let all = fixed.into_iter().chain(objects).map(str::to_string);
    let entries = record.sites.iter().filter(|s| s.event == SiteEvent::Enter);
    let called: BTreeSet<&str> = entries.map(|s| s.function.as_str()).collect();
    let called = called.into_iter().map(backend::Traces::call);
    all.chain(called).collect()
}

/// In front of the name of a function with a body, CBMC's variable for its result.
const RETURNS: &str = "goto_symex$$return_value$$";

/// A trace that was read.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// The letters.
    pub steps: Vec<TraceStep>,
    /// All events, in order.
    pub schedule: Vec<Scheduled>,
    /// The contexts, where threads take turns in rounds.
    pub contexts: Vec<Context>,
    /// How many steps that others can see are left out.
    pub left_out: u32,
    /// The threads that take no step in the loop of a lasso.
    pub starved: Vec<Starved>,
    /// What that loop rests on.
    pub rests_on: Vec<LoopRests>,
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
pub(crate) fn read(
    record: &Record,
    property: &PropertyRecord,
    steps: &[BackendStep],
    options: &Options,
) -> Read {
    let mut reader = Reader::new(record, property, options.all_propositions);
    reader.steps = Steps::new(&options.watched, &record.infix);
    reader.full = options.full_traces;
    let computed = computed(steps);
    for step in steps {
        let thread = step.thread.unwrap_or(0);
        match &step.kind {
            StepKind::Assignment { lhs, value } => {
                let name = lhs.rsplit("::").next().unwrap_or(lhs);
                if schedule::is_told(lhs) {
                    reader.turn(lhs, value, thread, &step.location);
                    continue;
                }
                let told = reader.numbers.get(&thread).copied().unwrap_or(thread);
                let seen = reader
                    .steps
                    .assigned(name, &value.text, thread, &step.location);
                let read = reader.values.assign(name, value, &step.location, told);
                if let Some(seen) = seen {
                    reader.beside(seen, thread);
                }
                if read {
                    continue;
                }
                let Some(number) = value.number else { continue };
                match called(name) {
                    Some(function) if !computed.contains(function) && !in_library(step) => {
                        reader.input(function, number, thread, &step.location);
                    }
                    Some(_) => {}
                    None => reader.assign(name, number, thread),
                }
            }
            // A call of a function without a body is a violation, too, and the run goes on behind it.
            StepKind::Violation { text } if text.starts_with(backend::OWN_PREFIX) => break,
            StepKind::Violation { .. } => {}
            // Here the objects have their first values, and the word has its first letter.
            StepKind::Call { function } if is_emitted(function, "start") => {
                reader.first = reader.values.all();
                reader.steps.begin();
            }
            StepKind::Call { function } => {
                reader.steps.called(function, thread, &step.location);
                reader.call(function, thread, &step.location);
            }
            StepKind::Return { function } => {
                if let Some(seen) = reader.steps.returned(function, thread) {
                    reader.beside(seen, thread);
                }
            }
        }
    }
    reader.finish()
}

/// Functions that a backend's own library gives a body, whose results are inputs all the same.
const SOURCES: [&str; 9] = [
    "rand", "random", "rand_r", "getchar", "fgetc", "getc", "time", "clock", "getpid",
];

/// The functions whose results are computed: those with a body, of the program or of the backend's
/// library.
fn computed(steps: &[BackendStep]) -> BTreeSet<&str> {
    let names = steps.iter().filter_map(|step| match &step.kind {
        StepKind::Assignment { lhs, .. } => lhs.strip_prefix(RETURNS),
        _ => None,
    });
    names
        .map(function_of)
        .filter(|name| !SOURCES.contains(name))
        .collect()
}

/// Whether a step belongs to the backend's own library.
fn in_library(step: &BackendStep) -> bool {
    let file = step.location.file.as_deref();
    file.is_some_and(|f| f.starts_with("<builtin"))
}

/// The function of which a variable is the result, if that is what it is and the function is not an
/// emitted one.
fn called(variable: &str) -> Option<&str> {
    let name = variable
        .strip_prefix("return_value_")
        .or(variable.strip_prefix("return_value$_"))?;
    let name = function_of(name);
    (!name.starts_with("nondet_ba_") && !name.starts_with("ba_")).then_some(name)
}

/// The function's name in that of a result: without the `$2` that sets several results of one function
/// apart, and without the member or element that is meant.
fn function_of(name: &str) -> &str {
    name.split(['$', '.', '[']).next().unwrap_or(name)
}

pub(crate) struct Reader<'a> {
    pub(crate) record: &'a Record,
    property: &'a PropertyRecord,
    variables: BTreeMap<&'a str, &'a str>,
    props: BTreeMap<String, bool>,
    monitor: u32,
    /// The values of the variables that make the monitor's state up, if there are several.
    parts: Vec<i128>,
    /// The site whose event is going on, its thread, whether it changed something, and the values
    /// of objects in it: what it writes is written before it says so.
    pending: Option<(usize, u32, bool)>,
    values: Values<'a>,
    shown: BTreeMap<String, String>,
    /// Those when `main` starts.
    first: BTreeMap<String, String>,
    /// The value that the environment gave in it.
    given: Option<i128>,
    /// The counters of loops, those that began first in front.
    loops: Vec<(String, u32)>,
    pub(crate) out: Read,
    last_thread: u32,
    /// The numbers in the order of starts, by the backend's own numbers.
    numbers: BTreeMap<u32, u32>,
    /// The save point to which control has just come with the saved state.
    repeated: Option<SiteRecord>,
    /// The sites at which threads wait for good, if the run ends because none goes on.
    pub(crate) blocked: Vec<Wait>,
    /// What threads hold.
    holders: Holders,
    /// Where each function was called last, by thread and name.
    calls: BTreeMap<(u32, String), Caller>,
    /// Whether the run ends because no thread goes on.
    pub(crate) stops: bool,
    /// What others can see beside the letters, and whether it is shown.
    steps: Steps,
    full: bool,
    /// The write that was seen last: its thread and line. A letter may follow that tells it better.
    written: Option<(u32, u32)>,
    /// Whether the loop of a lasso begins and ends at borders of rounds.
    pub(crate) by_rounds: bool,
}

/// A thread that waits for good.
pub(crate) struct Wait {
    pub(crate) site: usize,
    pub(crate) thread: u32,
    /// What it left to say what it waits for.
    pub(crate) code: Option<i128>,
}

impl<'a> Reader<'a> {
    fn new(record: &'a Record, property: &'a PropertyRecord, all: bool) -> Self {
        let index = record
            .properties
            .iter()
            .position(|p| p.name == property.name)
            .unwrap_or(0);
        let used = || {
            record
                .propositions
                .iter()
                .filter(move |p| all || p.used_by.contains(&index))
        };
        Reader {
            record,
            property,
            variables: used()
                .map(|p| (p.variable.as_str(), p.name.as_str()))
                .collect(),
            props: used().map(|p| (p.name.clone(), p.initial)).collect(),
            monitor: 0,
            parts: vec![0; property.parts.len()],
            pending: None,
            values: Values::new(used().flat_map(|p| &p.reads)),
            shown: BTreeMap::new(),
            first: BTreeMap::new(),
            given: None,
            loops: Vec::new(),
            out: Read::default(),
            last_thread: 0,
            numbers: BTreeMap::new(),
            repeated: None,
            blocked: Vec::new(),
            holders: Holders::default(),
            calls: BTreeMap::new(),
            stops: false,
            steps: Steps::default(),
            full: false,
            written: None,
            by_rounds: false,
        }
    }

    /// A step beside the letters is shown, or counted.
    fn beside(&mut self, step: Step, thread: u32) {
        self.flush();
        let line = step.at.line.unwrap_or(0);
        self.written = (step.event == Event::Step).then_some((thread, line));
        if !self.full {
            self.out.left_out += 1;
            return;
        }
        if self.out.steps.is_empty() && !self.record.sampled {
            self.start();
        }
        self.shown = self.values.all();
        let function = step.at.function.unwrap_or_default();
        let function = function.strip_prefix("ba_seq_thread_").unwrap_or(&function);
        self.push(
            step.event,
            step.at.file.unwrap_or_default(),
            line,
            function.to_owned(),
            thread,
            step.what,
        );
    }

    /// The letter that is about to be shown tells the write that was seen last, if it is that one.
    fn tells_written(&mut self, thread: u32, line: u32) {
        if self.written.take() != Some((thread, line)) {
            return;
        }
        match self.full {
            false => self.out.left_out = self.out.left_out.saturating_sub(1),
            true if self
                .out
                .steps
                .last()
                .is_some_and(|s| s.event == Event::Step) =>
            {
                self.out.steps.pop();
            }
            true => {}
        }
    }

    /// A function without a body in the program gave a value.
    fn input(&mut self, name: &str, value: i128, thread: u32, at: &Location) {
        if self.out.steps.is_empty() && !self.record.sampled {
            self.start();
        }
        self.flush();
        self.push(
            Event::Input,
            at.file.clone().unwrap_or_default(),
            at.line.unwrap_or(0),
            at.function.clone().unwrap_or_default(),
            thread,
            format!("{name}() gives {value}"),
        );
        if let Some(step) = self.out.steps.last_mut() {
            step.input = Some(Input {
                name: name.to_string(),
                value,
                site: None,
            });
        }
    }

    fn assign(&mut self, name: &str, number: i128, thread: u32) {
        match name {
            _ if is_emitted(name, "locked_at") => self.holders.locks_at(thread, number),
            _ if is_emitted(name, "locked_code") => self.holders.locked(thread, number),
            _ if is_emitted(name, "freed_code") => self.holders.freed(thread, number),
            _ => {}
        }
        if is_emitted(name, "blocked") {
            let site = usize::try_from(number).ok();
            self.blocked.extend(site.map(|site| Wait {
                site,
                thread,
                code: None,
            }));
            return;
        }
        if is_emitted(name, "code") {
            let waits = self.blocked.last_mut();
            if let Some(wait) = waits.filter(|w| w.thread == thread && w.code.is_none()) {
                wait.code = Some(number);
            }
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
            self.shown = self.values.all();
            self.last_thread = thread;
            self.schedule(number, thread);
            return;
        }
        if is_emitted(name, "given") {
            self.given = Some(number);
            return;
        }
        if is_emitted(name, "self") {
            let number = u32::try_from(number).unwrap_or(thread);
            self.numbers.insert(thread, number);
        } else if name == self.property.state {
            self.enter(u32::try_from(number).unwrap_or(self.monitor));
        } else if let Some(part) = self.part(name) {
            self.parts[part] = number;
            self.enter(self.whole());
        } else if let Some(proposition) = self.variables.get(name) {
            let value = number != 0;
            let before = self.props.insert(proposition.to_string(), value);
            self.mark(before != Some(value));
        } else if is_emitted(name.trim_end_matches(|c: char| c.is_ascii_digit()), "loop") {
            self.count(name, number);
        }
    }

    /// The monitor comes to a state.
    fn enter(&mut self, state: u32) {
        self.mark(state != self.monitor);
        self.monitor = state;
    }

    /// Which of several variables of the monitor's state this is.
    fn part(&self, name: &str) -> Option<usize> {
        let mut parts = self.property.parts.iter();
        parts.position(|part| part.variable == name)
    }

    /// The number of the state that several variables make up.
    fn whole(&self) -> u32 {
        let parts = self.property.parts.iter().zip(&self.parts).rev();
        let whole = parts.fold(0, |rest: i128, (part, value)| {
            rest.wrapping_mul(i128::from(part.count))
                .wrapping_add(*value)
        });
        // Sets of states of two automata may not fit; the number is for people only.
        whole as u32
    }

    /// A loop's counter has a new value.
    fn count(&mut self, counter: &str, number: i128) {
        let count = u32::try_from(number).unwrap_or(0);
        match self.loops.iter_mut().find(|(name, _)| name == counter) {
            Some(known) => known.1 = count,
            None => self.loops.push((counter.to_string(), count)),
        }
    }

    /// Notes an event that an execution announces, too.
    fn schedule(&mut self, site: i128, thread: u32) {
        let Ok(number) = u32::try_from(site) else {
            return;
        };
        let Some(site) = self.record.sites.get(number as usize) else {
            return;
        };
        let announced = match self.record.sampled {
            true => event_of(site) == Event::Sample,
            false => matches!(
                event_of(site),
                Event::Write | Event::Enter | Event::Leave | Event::Pulse
            ),
        };
        if announced {
            let thread = self.numbers.get(&thread).copied().unwrap_or(thread);
            self.out.schedule.push(Scheduled {
                thread,
                site: number,
            });
        }
    }

    fn mark(&mut self, changed: bool) {
        if let Some(pending) = &mut self.pending {
            pending.2 |= changed;
        }
    }

    /// Letter 0.
    fn start(&mut self) {
        let main = self
            .record
            .sites
            .iter()
            .find(|s| s.event == SiteEvent::Start);
        let (file, line) = main.map_or((String::new(), 0), |s| (s.file.clone(), s.line));
        self.push(
            Event::Start,
            file,
            line,
            "main".into(),
            0,
            "main starts".into(),
        );
        if let Some(step) = self.out.steps.last_mut() {
            step.values.clone_from(&self.first);
        }
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
            thread: self.numbers.get(&thread).copied().unwrap_or(thread),
            event,
            what,
            props: self.props.clone(),
            monitor: self.monitor,
            values: self.shown.clone(),
            verdict: None,
            object: None,
            holders: Vec::new(),
            missing: None,
            input: None,
            called: None,
        });
    }

    /// Notes where a function is called.
    fn call(&mut self, function: &str, thread: u32, place: &backend::Location) {
        let (Some(file), Some(line)) = (&place.file, place.line) else {
            return;
        };
        let caller = Caller {
            file: file.clone(),
            line,
            function: place.function.clone().unwrap_or_default(),
        };
        self.calls.insert((thread, function.to_string()), caller);
    }

    /// Ends the event that is going on; one that changed nothing is a letter only where each is.
    pub(crate) fn flush(&mut self) {
        let Some((number, thread, changed)) = self.pending.take() else {
            return;
        };
        let given = self.given.take();
        let Some(site) = self.record.sites.get(number) else {
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
            if event == Event::Write {
                self.tells_written(thread, site.line);
            }
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
            if event == Event::Enter {
                let called = self.calls.get(&(thread, site.function.clone())).cloned();
                if let Some(step) = self.out.steps.last_mut() {
                    step.called = called;
                }
            }
            if let (Some(value), Some(step)) = (given, self.out.steps.last_mut()) {
                step.input = Some(Input {
                    name: called_name(&site.what).to_string(),
                    value,
                    site: u32::try_from(number).ok(),
                });
            }
        }
    }

    /// What the threads wait for at the end; who had only not gone on yet is not among them.
    fn waits(&mut self) {
        let blocked = std::mem::take(&mut self.blocked);
        let blocked = if self.stops { blocked } else { Vec::new() };
        for wait in blocked {
            let Some(site) = self
                .record
                .sites
                .get(wait.site)
                .filter(|s| waits::is_wait(s))
            else {
                continue;
            };
            let (file, line, function) = (site.file.clone(), site.line, site.function.clone());
            self.push(
                Event::Blocked,
                file,
                line,
                function,
                wait.thread,
                site.what.clone(),
            );
            let records = &self.record.waits;
            let known = records
                .iter()
                .find(|w| Some(i128::from(w.code)) == wait.code);
            let Some(step) = self.out.steps.last_mut() else {
                continue;
            };
            step.missing = Some(missing(&step.what).to_string());
            if let Some(known) = known {
                let number = |t: u32| self.numbers.get(&t).copied().unwrap_or(t);
                step.object = Some(known.name.clone());
                step.holders = self.holders.of(&known.name, self.record, number);
            }
        }
    }

    fn finish(mut self) -> Read {
        self.flush();
        if !self.out.steps.iter().any(|step| step.event.is_letter()) {
            self.start();
        }
        if self.by_rounds {
            return self.out;
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

/// The function of a call, or the variable, that gets a value.
fn called_name(what: &str) -> &str {
    what.split('(').next().unwrap_or(what).trim()
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
    match site.event {
        SiteEvent::Write => Event::Write,
        SiteEvent::Enter => Event::Enter,
        SiteEvent::Leave => Event::Leave,
        SiteEvent::Sample => Event::Sample,
        SiteEvent::Input | SiteEvent::Arguments => Event::Input,
        SiteEvent::Cut => Event::Cut,
        SiteEvent::Save => Event::Save,
        SiteEvent::Repeat => Event::Repeat,
        SiteEvent::Reach => Event::Reach,
        SiteEvent::Start => Event::Start,
        // What ends a run or takes it away is told as its end; where a thread waits is no step.
        SiteEvent::Prune | SiteEvent::Assume | SiteEvent::Fail | SiteEvent::Wait => Event::End,
    }
}
