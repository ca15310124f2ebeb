//! A run of the program as reports show it: its steps, who took them when, and what its loop rests on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Verdict;

/// One letter of the run's word: an observable event and the valuation after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStep {
    /// From 0.
    pub step: u32,
    /// File as the user knows it.
    pub file: String,
    /// Line, from 1; 0 where there is none, as at the end of a run.
    pub line: u32,
    /// Function; may be empty.
    pub function: String,
    /// Thread; `main` is 0.
    pub thread: u32,
    /// What sort of event.
    pub event: Event,
    /// The source text, or a description.
    pub what: String,
    /// The valuation after the event.
    pub props: BTreeMap<String, bool>,
    /// The monitor's state after it.
    pub monitor: u32,
    /// The values of the variables that the propositions read, by name, as far as they were written.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub values: BTreeMap<String, String>,
    /// The value of the word up to this letter; none where it is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub verdict: Option<Verdict>,
    /// For a thread that is blocked for good: what it waits for, where the source text does not say it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub object: Option<String>,
    /// For a thread that is blocked for good: who holds the lock that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub holders: Vec<Holder>,
    /// For a thread that is blocked for good: what would let it go on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub missing: Option<String>,
    /// For an input: what gave it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<Input>,
    /// For the entry of a function: where it is called, if the backend tells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub called: Option<Caller>,
}

/// The place of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The file.
    pub file: String,
    /// The line there.
    pub line: u32,
    /// The function that calls.
    pub function: String,
}

/// A thread that holds a lock at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The thread; `main` is 0.
    pub thread: u32,
    /// Where it locked it.
    pub file: String,
    /// The line there.
    pub line: u32,
}

/// Who did what at which site, for a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduled {
    /// The thread; `main` is 0.
    pub thread: u32,
    /// The number of the site in the instrumented program.
    pub site: u32,
}

/// The steps that a thread takes between two switches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Context {
    /// The round, from 0: in that one only `main` has a context.
    pub round: u32,
    /// The thread; `main` is 0.
    pub thread: u32,
    /// The trace's first step that is not before it.
    pub step: u32,
    /// The first event of the schedule that is not before it.
    pub event: u32,
    /// Where the thread stopped; none if it had ended or was cut.
    pub stopped: Option<Stop>,
    /// Whether it was cut at a bound.
    pub cut: bool,
    /// Whether it belongs to the loop of an infinite run.
    pub repeats: bool,
}

/// A thread that takes no step in the loop of a lasso.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starved {
    /// The thread; `main` is 0.
    pub thread: u32,
    /// Whether it waits there; else it could go on, and only an unfair schedule never lets it.
    pub waits: bool,
    /// Where it stands.
    pub stop: Stop,
}

/// What the loop of a lasso of threads rests on: what the environment of a program may do again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestsOn {
    /// A thread could go on at some moments, and others were faster: nothing is granted in the order of asking.
    Order,
    /// A condition variable for which several threads wait wakes any of them.
    AnyWaiter,
    /// A thread that waits for a condition variable wakes without a signal.
    SpuriousWakeup,
    /// The time of a wait is over.
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

    /// What a number in the steps of a trace means.
    pub fn of_number(number: u32) -> Option<RestsOn> {
        RestsOn::ALL.into_iter().find(|r| r.number() == number)
    }
}

/// What the loop of a lasso of threads rests on, with the thread that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopRests {
    /// What it is.
    pub on: RestsOn,
    /// The thread that could go on, that wakes another one, or that is woken; `main` is 0.
    pub thread: u32,
}

/// Where a thread stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    /// File as the user knows it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// What it would do next, or what it waits for.
    pub what: String,
}

/// A value that the program gets from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The function that returned it, or the variable that had it.
    pub name: String,
    /// The value.
    pub value: i128,
    /// The number of the site that chooses it in the instrumented program; none if a function of
    /// this name without a definition gives it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub site: Option<u32>,
}

/// The sorts of events in a trace.
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
    /// A proposition that holds only at one position.
    Pulse,
    /// A sample label is reached.
    Sample,
    /// The state is saved: the loop of a lasso begins.
    Save,
    /// The saved state has come back: the loop ends, and begins anew.
    Repeat,
    /// A label whose reachability is asked for is reached.
    Reach,
    /// The environment gives a value; not a letter.
    Input,
    /// An object at file scope is written; not a letter.
    Step,
    /// A lock is taken; not a letter.
    Lock,
    /// A lock is given back; not a letter.
    Unlock,
    /// Threads meet otherwise; not a letter.
    Sync,
    /// A thread is blocked for good.
    Blocked,
    /// A thread is cut at a bound.
    Cut,
    /// The run ends.
    End,
}

impl Event {
    /// Whether a step of this sort is a letter of the word.
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
