//! What threads report along a run, as steps of its trace between the letters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use backend::explore::Aside;
use backend::{Location, TraceStep as BackendStep, Value};
use weave::record::Record;

use crate::schedule::{HELD, ROUND, STARVES, STOPPED};
use crate::trace;

/// What threads of a program in step form report along a run.
#[derive(Clone, Debug, Default)]
pub struct Reports {
    /// The definition of the function that they call with a number and a pointer; it does nothing. Its body stands in the text.
    pub definition: String,
    /// The reports, by number.
    pub all: Arc<[Report]>,
    /// Whether the steps are shown that are no letters.
    pub full: bool,
}

/// The report of a thread.
#[derive(Clone, Debug)]
pub struct Report {
    /// The thread.
    pub thread: u32,
    /// The place.
    pub at: Location,
    /// How a trace of the threaded program shows it.
    pub steps: Vec<BackendStep>,
    /// What it does to the lock at the address of the call.
    pub lock: Option<Hold>,
    /// Where its step is over, if that is reported.
    pub stands: Option<Standing>,
}

/// Where a thread stands after a step.
#[derive(Clone, Debug)]
pub struct Standing {
    /// What it does next, in words; `None` if it has ended.
    pub next: Option<String>,
    /// Whether it may have to wait there, and whether it goes round a loop while it waits.
    pub waits: (bool, bool),
}

/// What a thread does to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// It takes it.
    Takes,
    /// It gives it back.
    Gives,
    /// At the end of the run it waits for it.
    Waits,
}

impl Reports {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The text of a program in which the search learns of them.
    pub(super) fn heard(&self, text: &str) -> String {
        let Some((_, body)) = self.definition.split_once('{') else {
            return text.to_owned();
        };
        // The head has other types where the program is for another machine.
        let body = format!("{{{body}");
        explicit::text::HEARD.to_owned() + &text.replacen(&body, explicit::text::HEARS, 1)
    }
}

/// What an execution tells along a run, beside its letters and inputs.
pub(super) struct Asides<'a> {
    /// The proposition that reads the clock of the formulas.
    pub clock: Option<usize>,
    /// What the numbers of reports mean.
    pub reports: &'a Reports,
    /// What each step tells.
    pub told: &'a [Vec<Aside>],
}

/// Puts them between the letters.
pub(super) struct Reporting<'a> {
    asides: &'a Asides<'a>,
    /// The variable of the clock, as a trace names it.
    clock: Option<String>,
    /// What the present step tells and is not shown yet.
    rest: std::slice::Iter<'a, Aside>,
    /// The thread that has reported last.
    pub thread: u32,
    /// Whether its turn has begun and not ended.
    turns: bool,
    /// Where threads stand after their last steps.
    stands: BTreeMap<u32, (Location, &'a Standing)>,
    /// The threads that have taken a step since the loop has begun, if it has.
    moved: Option<BTreeSet<u32>>,
    /// The locks that threads hold: the address, the thread, and where it took the lock.
    held: Vec<(u64, u32, Location)>,
    /// What was reported before the first letter, with which a trace begins; `None` behind it.
    early: Option<Vec<(usize, u64)>>,
}

impl<'a> Reporting<'a> {
    pub fn new(record: &Record, asides: &'a Asides<'a>) -> Reporting<'a> {
        let variable = |clock: usize| {
            let read = record.propositions.get(clock)?.reads.first()?;
            let part = read.parts.first().map_or("", String::as_str);
            Some(read.object.clone() + part)
        };
        Reporting {
            asides,
            clock: asides.clock.and_then(variable),
            rest: [].iter(),
            thread: 0,
            turns: false,
            stands: BTreeMap::new(),
            moved: None,
            held: Vec::new(),
            early: Some(Vec::new()),
        }
    }

    /// A step of the run begins.
    pub fn begin(&mut self, number: usize) {
        let told = self.asides.told.get(number);
        self.rest = told.map_or(&[][..], Vec::as_slice).iter();
    }

    /// The loop of the run begins.
    pub fn repeats(&mut self, steps: &mut Vec<BackendStep>) {
        self.turn_ends(steps);
        self.moved = Some(BTreeSet::new());
    }

    /// A letter is taken, and shown or not. It is shown with the values that are known when it begins.
    pub fn letter(&mut self, shows: bool, steps: &mut Vec<BackendStep>) {
        self.reports(steps);
        self.rest.next();
        let mut behind = self.rest.clone();
        if let (Some(variable), Some(Aside::Time(time))) = (&self.clock, behind.next()) {
            self.rest = behind;
            if shows {
                trace::assign(steps, variable, i128::from(*time));
            }
        }
    }

    /// A letter was added.
    pub fn behind_letter(&mut self, steps: &mut Vec<BackendStep>) {
        for (number, object) in self.early.take().into_iter().flatten() {
            self.reported(number, object, steps);
        }
    }

    /// Adds the reports up to the next letter, or to the end of the step.
    pub fn reports(&mut self, steps: &mut Vec<BackendStep>) {
        while let Some(&Aside::Report(number, object)) = self.rest.as_slice().first() {
            self.rest.next();
            match &mut self.early {
                Some(early) => early.push((number, object)),
                None => self.reported(number, object, steps),
            }
        }
    }

    fn reported(&mut self, number: usize, object: u64, steps: &mut Vec<BackendStep>) {
        let reports: &'a Reports = self.asides.reports;
        if let Some(report) = reports.all.get(number) {
            self.report(report, object, steps);
        }
    }

    /// The run is over, or its loop.
    pub fn finish(&mut self, steps: &mut Vec<BackendStep>) {
        self.behind_letter(steps);
        self.turn_ends(steps);
        let Some(moved) = &self.moved else { return };
        for (thread, (at, standing)) in &self.stands {
            let Some(next) = &standing.next else { continue };
            if !moved.contains(thread) {
                let (waits, spins) = standing.waits;
                let number = u32::from(waits) + u32::from(waits && spins);
                steps.push(step(*thread, STARVES, (at, next), number));
            }
        }
    }

    /// The turn of the last thread is over.
    fn turn_ends(&mut self, steps: &mut Vec<BackendStep>) {
        let standing = self.stands.get(&self.thread);
        if let (true, Some((at, standing))) = (std::mem::take(&mut self.turns), standing) {
            let next = standing.next.iter();
            steps.extend(next.map(|next| step(self.thread, STOPPED, (at, next), 0)));
        }
    }

    fn report(&mut self, report: &'a Report, object: u64, steps: &mut Vec<BackendStep>) {
        let thread = report.thread;
        let waits = report.lock == Some(Hold::Waits);
        if waits || self.thread != thread {
            self.turn_ends(steps);
        }
        self.thread = thread;
        if !waits && !self.turns {
            self.turns = true;
            steps.push(step(thread, ROUND, (&Location::default(), ""), 0));
        }
        if let Some(standing) = &report.stands {
            self.stands.insert(thread, (report.at.clone(), standing));
            if let Some(moved) = &mut self.moved {
                moved.insert(thread);
            }
        }
        steps.extend(report.steps.iter().cloned());
        if object != 0 {
            self.hold(report, object, steps);
        }
    }

    /// Follows what a thread does to the lock at an address.
    fn hold(&mut self, report: &Report, object: u64, steps: &mut Vec<BackendStep>) {
        let held = &mut self.held;
        match report.lock {
            Some(Hold::Takes) => held.push((object, report.thread, report.at.clone())),
            Some(Hold::Gives) => {
                let own = |h: &(u64, u32, Location)| (h.0, h.1) == (object, report.thread);
                if let Some(at) = held.iter().rposition(own) {
                    held.remove(at);
                }
            }
            Some(Hold::Waits) => {
                let held = held.iter().filter(|h| h.0 == object);
                steps.extend(held.map(|(_, thread, at)| step(*thread, HELD, (at, ""), 0)));
            }
            None => {}
        }
    }
}

/// A step about the turns of threads.
fn step(thread: u32, name: &str, (at, text): (&Location, &str), number: u32) -> BackendStep {
    let value = Value {
        text: text.to_owned(),
        number: Some(i128::from(number)),
    };
    BackendStep::assigns(thread, at.clone(), name, value)
}
