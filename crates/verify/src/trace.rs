//! Turns a backend's trace into a run of the user's program: its events in order, each with the
//! valuation after it and the monitor's state.

use std::collections::{BTreeMap, BTreeSet};

use backend::{Location, StepKind, TraceStep as BackendStep, Value};
use weave::record::{PropertyRecord, Record, SiteEvent, SiteRecord};

use crate::holders::Holders;
use crate::result::{
    Caller, Context, Event, Holder, LoopRests, Scheduled, ShownRun, StartedThread, Starved,
    Threads, TraceStep,
};
use crate::run::Options;
use crate::schedule;
use crate::steps::Steps;
use crate::values::Values;
use names::{called, computed, in_library, is_emitted, RETURNS};

mod ending;
pub use ending::STUCK;
mod letters;
mod names;
mod turns;

/// The prefixes of the names that a trace must show: emitted names, results of functions, and
/// objects that propositions read; and the calls of functions whose entries are events.
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

/// A trace that was read.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// The letters.
    pub steps: Vec<TraceStep>,
    /// All events, in order.
    pub schedule: Vec<Scheduled>,
    /// The threads beside `main`.
    pub threads: Threads,
    /// The contexts, where threads take turns in rounds.
    pub contexts: Vec<Context>,
    /// The number of steps visible to other threads that are left out.
    pub left_out: u32,
    /// The threads that take no step in the loop of a lasso.
    pub starved: Vec<Starved>,
    /// The assumptions of that loop.
    pub rests_on: Vec<LoopRests>,
    /// Whether some thread was cut.
    pub cut: bool,
    /// The step at which the state was saved, if it was.
    pub loop_start: Option<u32>,
    /// Whether the trace ends at a requested label.
    pub reached: bool,
    /// The iteration of the outermost loop in which the trace ends.
    pub iterations: Option<u32>,
    /// The monitor's state at each check of the backend that fails along the run, in order.
    pub at_checks: Vec<u32>,
}

impl Read {
    /// The run for a report, without its explanation. Only a lasso has a loop, and only a run to a
    /// requested label has an iteration.
    pub fn shown(self, lasso: bool) -> ShownRun {
        ShownRun {
            loop_start: self.loop_start.filter(|_| lasso),
            iterations: self.iterations.filter(|_| self.reached),
            trace: self.steps,
            left_out: self.left_out,
            schedule: self.schedule,
            threads: self.threads,
            contexts: self.contexts,
            starved: self.starved,
            rests_on: self.rests_on,
            ..ShownRun::default()
        }
    }
}

/// Reads the steps with emitted names. The parameter `ba_site` announces a site; the assignments up
/// to the next one belong to its event.
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
                if reader.is_unchosen(name, value.number) {
                    continue;
                }
                let read = reader.values.assign(name, value, &step.location, told);
                reader.chosen(name, &value.text);
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
            // The call of a function without a body is a violation too, but the run continues
            // after it.
            StepKind::Violation { text } if text.starts_with(backend::OWN_PREFIX) => {
                reader.violated = Some(thread);
                break;
            }
            StepKind::Violation { .. } => reader.out.at_checks.push(reader.monitor),
            // Here the objects have their initial values, and the word has its first letter.
            StepKind::Call { function } if is_emitted(function, "start") => {
                reader.first = reader.values.all();
                reader.steps.begin();
            }
            StepKind::Call { function } if is_emitted(function, "finish") => {
                reader.ends(thread, &step.location);
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

/// Adds an assignment as a backend reports it.
pub(crate) fn assign(steps: &mut Vec<BackendStep>, lhs: &str, number: i128) {
    let value = Value {
        text: number.to_string(),
        number: Some(number),
    };
    steps.push(BackendStep::assigns(0, Location::default(), lhs, value));
}

/// The state while a trace is read.
pub(crate) struct Reader<'a> {
    pub(crate) record: &'a Record,
    property: &'a PropertyRecord,
    variables: BTreeMap<&'a str, &'a str>,
    props: BTreeMap<String, bool>,
    monitor: u32,
    /// The values of the variables that encode the monitor's state, if there are several.
    parts: Vec<i128>,
    /// The site of the current event, its thread, and whether it changed something; and the values
    /// of objects: an event writes them before it announces itself.
    pending: Option<(usize, u32, bool)>,
    values: Values<'a>,
    shown: BTreeMap<String, String>,
    /// The values when `main` starts.
    first: BTreeMap<String, String>,
    /// The value that the environment gave in the current event.
    given: Option<i128>,
    /// The counters of loops, in the order in which they began.
    loops: Vec<(String, u32)>,
    pub(crate) out: Read,
    last_thread: u32,
    /// Thread numbers in the order of creation, by the backend's numbers.
    numbers: BTreeMap<u32, u32>,
    /// The save point that control has just reached with the saved state.
    repeated: Option<SiteRecord>,
    /// The threads that are blocked for ever, if the run ends because no thread can run.
    pub(crate) blocked: Vec<Wait>,
    /// For each thread that comes to the end of the run: the place at which the program ends it; `None` if no
    /// thread can go on.
    ended: BTreeMap<u32, Option<Caller>>,
    /// The thread whose assertion fails.
    violated: Option<u32>,
    /// The locks that threads hold.
    holders: Holders,
    /// Where each function was last called, by thread and name.
    calls: BTreeMap<(u32, String), Caller>,
    /// Whether the run ends because no thread can run.
    pub(crate) stops: bool,
    /// The steps besides the letters, and whether they are shown.
    steps: Steps,
    full: bool,
    /// The thread and line of the last write. A following letter may describe the same write
    /// better.
    written: Option<(u32, u32)>,
    /// Whether the loop of a lasso begins and ends between rounds.
    pub(crate) by_rounds: bool,
    /// The start function and place of the thread that is being created; its number comes next.
    launch: Option<(String, String, u32)>,
    /// The variables of remembered values that have been chosen.
    remembered: BTreeSet<String>,
}

/// A thread that is blocked for ever.
pub(crate) struct Wait {
    /// Where it waits.
    pub(crate) at: Caller,
    /// The source text there.
    pub(crate) what: String,
    pub(crate) thread: u32,
    /// The code of the object that it waits for.
    pub(crate) code: Option<i128>,
    /// The threads that hold it, as far as they are told.
    pub(crate) holders: Vec<Holder>,
}

impl Wait {
    /// A wait at a site; `None` if threads do not wait there.
    fn at_site(site: &SiteRecord, thread: u32) -> Option<Wait> {
        crate::waits::is_wait(site).then(|| Wait {
            at: Caller {
                file: site.file.clone(),
                line: site.line,
                function: site.function.clone(),
            },
            what: site.what.clone(),
            thread,
            code: None,
            holders: Vec::new(),
        })
    }
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
            ended: BTreeMap::new(),
            violated: None,
            holders: Holders::default(),
            calls: BTreeMap::new(),
            stops: false,
            steps: Steps::default(),
            full: false,
            written: None,
            by_rounds: false,
            launch: None,
            remembered: BTreeSet::new(),
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
            let site = site.and_then(|site| self.record.sites.get(site));
            self.blocked
                .extend(site.and_then(|site| Wait::at_site(site, thread)));
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
            // If letters are taken at samples, there is no letter 0.
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
        if is_emitted(name, "id") {
            self.launched(number);
        } else if is_emitted(name, "self") {
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

    /// Records the monitor's new state.
    fn enter(&mut self, state: u32) {
        self.mark(state != self.monitor);
        self.monitor = state;
    }

    /// The index of a variable among several that encode the monitor's state.
    fn part(&self, name: &str) -> Option<usize> {
        let mut parts = self.property.parts.iter();
        parts.position(|part| part.variable == name)
    }

    /// The number of the state that several variables encode.
    fn whole(&self) -> u32 {
        let parts = self.property.parts.iter().zip(&self.parts).rev();
        let whole = parts.fold(0, |rest: i128, (part, value)| {
            rest.wrapping_mul(i128::from(part.count))
                .wrapping_add(*value)
        });
        // Sets of states of two automata may not fit; the number is for readers only.
        whole as u32
    }

    /// Records the new value of a loop's counter.
    fn count(&mut self, counter: &str, number: i128) {
        let count = u32::try_from(number).unwrap_or(0);
        match self.loops.iter_mut().find(|(name, _)| name == counter) {
            Some(known) => known.1 = count,
            None => self.loops.push((counter.to_string(), count)),
        }
    }

    /// Records an event that an execution announces, too.
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

    /// Records the number of the thread that is being created.
    fn launched(&mut self, number: i128) {
        let Some((routine, file, line)) = self.launch.take() else {
            return;
        };
        if let Some(thread) = u32::try_from(number)
            .ok()
            .filter(|_| routine != weave::COMPUTED_ROUTINE)
        {
            self.out.threads.add(StartedThread {
                thread,
                routine,
                file,
                line,
            });
        }
    }

    /// Records the place of a function's call.
    fn call(&mut self, function: &str, thread: u32, place: &backend::Location) {
        let (Some(file), Some(line)) = (&place.file, place.line) else {
            return;
        };
        let launch = format!("ba_{}launch_", self.record.infix);
        if let Some(routine) = function.strip_prefix(&launch) {
            self.launch = Some((routine.to_owned(), file.clone(), line));
        }
        let caller = Caller {
            file: file.clone(),
            line,
            function: place.function.clone().unwrap_or_default(),
        };
        self.calls.insert((thread, function.to_string()), caller);
    }
}

/// The event of a site.
pub fn event_of(site: &SiteRecord) -> Event {
    match site.event {
        SiteEvent::Write => Event::Write,
        SiteEvent::Enter => Event::Enter,
        SiteEvent::Leave => Event::Leave,
        SiteEvent::Sample => Event::Sample,
        SiteEvent::Input | SiteEvent::Arguments | SiteEvent::Contract => Event::Input,
        SiteEvent::Cut => Event::Cut,
        SiteEvent::Save => Event::Save,
        SiteEvent::Repeat => Event::Repeat,
        SiteEvent::Reach => Event::Reach,
        SiteEvent::Start => Event::Start,
        // An event that ends or discards a run appears as the end of the run; a wait is no step.
        SiteEvent::Prune | SiteEvent::Assume | SiteEvent::Fail | SiteEvent::Wait => Event::End,
    }
}
