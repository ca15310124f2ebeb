//! A run of the program in the form for reports: its steps, schedule, and what its loop assumes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Verdict;

/// One step of the run: mostly a letter, an observable event with the valuation after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStep {
    /// The step's number, from 0.
    pub step: u32,
    /// File as the user knows it.
    pub file: String,
    /// Line, from 1; 0 if there is none, as at the end of a run.
    pub line: u32,
    /// Function; may be empty.
    pub function: String,
    /// Thread; `main` is 0.
    pub thread: u32,
    /// The kind of event.
    pub event: Event,
    /// The source text, or a description.
    pub what: String,
    /// The valuation after the event.
    pub props: BTreeMap<String, bool>,
    /// The monitor's state after the event.
    pub monitor: u32,
    /// The values of the variables that the propositions read, by name; variables appear once
    /// written.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub values: BTreeMap<String, String>,
    /// The value of the word up to this letter; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verdict: Option<Verdict>,
    /// For a thread that is blocked for ever: the object that it waits for, if the source text does
    /// not name it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub object: Option<String>,
    /// For a thread that is blocked for ever: the holders of the lock that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub holders: Vec<Holder>,
    /// For a thread that is blocked for ever: what would unblock it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub missing: Option<String>,
    /// For an input: its source and value.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<Input>,
    /// For the entry of a function: the place of the call, if the backend reports it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub called: Option<Caller>,
    /// For the call of an entry of a program without `main`: the call with its arguments.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub call: Option<String>,
    /// For a choice of an argument: the number of the step with the call.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub argument_of: Option<u32>,
    /// For a step of an interrupt: its handler.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub interrupt: Option<String>,
    /// For a step of an interrupt: the last step of the code that it interrupts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub interrupted: Option<Caller>,
}

impl TraceStep {
    /// What kind of step it is, in a word for readers.
    pub fn kind(&self) -> &'static str {
        match self.call {
            Some(_) => "call",
            None => self.event.name(),
        }
    }
}

/// The place of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The file.
    pub file: String,
    /// The line there.
    pub line: u32,
    /// The calling function.
    pub function: String,
}

/// A thread that holds a lock at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The thread; `main` is 0.
    pub thread: u32,
    /// The file where the thread took the lock.
    pub file: String,
    /// The line there.
    pub line: u32,
}

/// An event of a thread at a site, for a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduled {
    /// The thread; `main` is 0.
    pub thread: u32,
    /// The index of the site in the record.
    pub site: u32,
}

/// The steps of a thread between two switches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Context {
    /// The round, from 0; in round 0 only `main` has a context.
    pub round: u32,
    /// The thread; `main` is 0.
    pub thread: u32,
    /// The first step of the trace at or after the context's begin.
    pub step: u32,
    /// The first event of the schedule at or after the context's begin.
    pub event: u32,
    /// Where the thread stopped; `None` if it had ended or was cut.
    pub stopped: Option<Stop>,
    /// Whether the thread was cut at a bound.
    pub cut: bool,
    /// Whether the context belongs to the loop of an infinite run.
    pub repeats: bool,
    /// How many earlier positions the thread has in this context at the line where it stopped, if it
    /// left none out: it comes to the line at most so often before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub passes: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A thread that takes no step in the loop of a lasso.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starved {
    /// The thread; `main` is 0.
    pub thread: u32,
    /// Whether the thread waits there; otherwise only an unfair schedule keeps it from running.
    pub waits: bool,
    /// Whether it goes round a loop while it waits.
    #[serde(default)]
    pub spins: bool,
    /// Where the thread stands.
    pub stop: Stop,
}

/// What the loop of a lasso of threads assumes: choices that the environment of a program may
/// repeat for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestsOn {
    /// A thread could run at some moments of the loop, but others were faster: nothing is granted
    /// in the order of requests.
    Order,
    /// A condition variable with several waiting threads wakes any of them.
    AnyWaiter,
    /// A waiting thread wakes without a signal.
    SpuriousWakeup,
    /// A timed wait ends by its timeout.
    Timeout,
}

impl RestsOn {
    const ALL: [RestsOn; 4] = [
        RestsOn::Order,
        RestsOn::AnyWaiter,
        RestsOn::SpuriousWakeup,
        RestsOn::Timeout,
    ];

    /// Its number in the steps of a trace.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// The value of a number in the steps of a trace.
    pub fn of_number(number: u32) -> Option<RestsOn> {
        RestsOn::ALL.into_iter().find(|r| r.number() == number)
    }
}

/// An assumption of a lasso's loop, with the thread concerned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopRests {
    /// The assumption.
    pub on: RestsOn,
    /// The thread that could run, that wakes another one, or that is woken; `main` is 0.
    pub thread: u32,
}

/// The position of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// File as the user knows it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Its next step, or the object that it waits for.
    pub what: String,
}

/// A value that the program gets from its environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The function that returned the value, or the variable that had it.
    pub name: String,
    /// The value.
    pub value: i128,
    /// The index of the site that chooses the value in the instrumented program; `None` if a
    /// function of this name without a definition gives it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub site: Option<u32>,
}

/// The kinds of events in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// `main` starts: letter 0.
    Start,
    /// An object that a proposition reads is written.
    Write,
    /// An area is entered.
    Enter,
    /// An area is left.
    Leave,
    /// A proposition holds at this position only.
    Pulse,
    /// A sample label is reached.
    Sample,
    /// The state is saved: the loop of a lasso begins.
    Save,
    /// The saved state occurs again: the loop ends and starts again.
    Repeat,
    /// A requested label is reached.
    Reach,
    /// The environment gives a value; not a letter.
    Input,
    /// An object at file scope is written; not a letter.
    Step,
    /// A lock is taken; not a letter.
    Lock,
    /// A lock is released; not a letter.
    Unlock,
    /// Threads synchronise in another way; not a letter.
    Sync,
    /// A thread is blocked for ever.
    Blocked,
    /// A thread is cut at a bound.
    Cut,
    /// The run ends.
    End,
}

impl Event {
    /// Whether a step of this kind is a letter of the word.
    pub fn is_letter(self) -> bool {
        !matches!(
            self,
            Event::Input
                | Event::Reach
                | Event::Repeat
                | Event::Step
                | Event::Lock
                | Event::Unlock
                | Event::Sync
                | Event::Blocked
                | Event::Cut
                | Event::End
        )
    }

    /// The name in JSON and in the text report.
    pub fn name(self) -> &'static str {
        match self {
            Event::Start => "start",
            Event::Write => "write",
            Event::Enter => "enter",
            Event::Leave => "leave",
            Event::Pulse => "pulse",
            Event::Sample => "sample",
            Event::Save => "save",
            Event::Repeat => "repeat",
            Event::Reach => "reach",
            Event::Input => "input",
            Event::Step => "step",
            Event::Lock => "lock",
            Event::Unlock => "unlock",
            Event::Sync => "sync",
            Event::Blocked => "blocked",
            Event::Cut => "cut",
            Event::End => "end",
        }
    }
}
