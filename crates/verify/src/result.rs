//! What a verification found: the one type that all reports are made from.
//!
//! The names of the verdicts and their order are those of Morse et al. 2015 (definition 2). The JSON
//! form is in a module of its own, apart from these types, so that either can change without the other.

mod holds;
mod verdict;
mod wire;

pub use holds::{Explored, Holds};
pub use verdict::Verdict;

use ltl::Expectation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a run for safety found, beside its findings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Safety {
    /// Whether no check fails within the bounds; `None` if there is no answer.
    pub holds: Option<bool>,
    /// Why there is no answer, or what was not checked.
    pub reason: Option<String>,
    /// Wall-clock seconds of the run.
    pub seconds: f64,
    /// Greatest resident size of it, in KiB.
    pub max_rss_kib: Option<u64>,
}

/// What sort of run a verdict rests on (SEMANTICS, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// A complete run.
    Ended,
    /// A run that was cut at a bound.
    Prefix,
    /// A run that repeats a loop for ever.
    Lasso,
    /// All runs, each to its end: none violates the formula.
    Complete,
    /// Invariants of the program's loops.
    Induction,
    /// Invariants, and functions of the state that fall along infinite runs.
    Ranking,
    /// A set of states from which the program can violate the formula for ever.
    Recurrence,
}

impl Evidence {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Ended => "ended",
            Evidence::Prefix => "prefix",
            Evidence::Lasso => "lasso",
            Evidence::Complete => "complete",
            Evidence::Induction => "induction",
            Evidence::Ranking => "ranking",
            Evidence::Recurrence => "recurrence",
        }
    }
}

/// Everything that `verify` found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerifyResult {
    /// Version of baproduct.
    pub tool_version: String,
    /// One for each property, in the order of the spec.
    pub properties: Vec<PropertyResult>,
    /// Who answered.
    pub backend: BackendInfo,
    /// How often each loop and recursion was followed.
    pub unwind: Option<u32>,
    /// Under what the verdicts hold: inputs, prunes, assumptions, modelled functions.
    pub assumptions: Vec<String>,
    /// What is known of single assumptions: where they are made, and whether the verdicts can depend on them.
    pub rests_on: Vec<Assumed>,
    /// What was found besides the verdicts.
    pub findings: Vec<Finding>,
    /// What the user should know about how the result came about.
    pub warnings: Vec<String>,
    /// The arguments that the tool was given, for whoever wants to do it again; may be empty.
    pub command: Vec<String>,
    /// Whether a run of the backend got to a limit of time or memory.
    pub exhausted: bool,
    /// The checks that are not temporal, if they were asked for.
    pub safety: Option<Safety>,
    /// Which schedules of the threads were explored; none in a program without threads, or where
    /// nothing was searched.
    pub schedules: Option<Schedules>,
    /// Which lines explored runs reach, if that was asked for.
    pub coverage: Option<Coverage>,
}

/// An assumption about one thing of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumed {
    /// The assumption, as it stands among the assumptions.
    pub assumption: String,
    /// The function that it is about; empty if it is about none.
    pub about: String,
    /// Where it is made, as `file:line`.
    pub places: Vec<String>,
    /// Whether it can influence a proposition, or the way to an event; none if that is not known.
    pub matters: Option<bool>,
}

/// What explored runs reach of the program's text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The program's files.
    pub files: Vec<CoveredFile>,
    /// Places at which a monitor would take a step, on lines that no explored run comes to.
    pub idle: Vec<String>,
}

/// The lines of a file that have code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoveredFile {
    /// File as the user knows it.
    pub file: String,
    /// Lines that some explored run comes to.
    pub reached: Vec<u32>,
    /// Lines that none comes to.
    pub never: Vec<u32>,
}

/// Which schedules of a threaded program's threads were explored (SEMANTICS, section 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedules {
    /// All.
    All,
    /// All that switch between statements: each is one step.
    Statements,
    /// Those of at most so many rounds, in each of which every live thread has one context.
    Rounds(u32),
    /// Those that switch away from each thread at most so often.
    Switches(u32),
}

impl std::fmt::Display for Schedules {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Schedules::All => f.write_str("all schedules"),
            Schedules::Statements => f.write_str("all schedules that switch between statements"),
            Schedules::Rounds(1) => f.write_str("schedules of 1 round"),
            Schedules::Rounds(rounds) => write!(f, "schedules of at most {rounds} rounds"),
            Schedules::Switches(1) => f.write_str("schedules of 1 switch for each thread"),
            Schedules::Switches(n) => {
                write!(f, "schedules of at most {n} switches for each thread")
            }
        }
    }
}

/// The backend of a result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BackendInfo {
    /// `cbmc` or `esbmc`.
    pub name: String,
    /// As it tells it.
    pub version: String,
    /// Processes that were run.
    pub runs: u32,
    /// Wall-clock time of all of them together, in seconds.
    pub seconds: f64,
}

/// One property and its verdict.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct PropertyResult {
    /// Name in the spec.
    pub name: String,
    /// The formula as it was read.
    pub ltl: String,
    /// The least value over all runs, or unknown.
    pub verdict: Verdict,
    /// Why the verdict is unknown, or not sharper than it is.
    pub reason: Option<String>,
    /// Whether no run was cut at a bound; `None` if that is not known.
    pub complete: Option<bool>,
    /// What the verdict rests on.
    pub evidence: Option<Evidence>,
    /// Whether the formula holds on all runs of any length.
    pub holds: Holds,
    /// What an answer for runs of any length rests on; where there is none, what was shown.
    pub proof: Option<Rests>,
    /// The parts of the formula that the verdict does not depend on.
    pub vacuous: Vec<Vacuous>,
    /// Whether it is about control reaching a label, not about a formula of the spec.
    pub reach: bool,
    /// In a run to such a label: in which iteration of its outermost loop it comes there.
    pub iterations: Option<u32>,
    /// The run that decides the verdict is a deadlock.
    pub deadlock: bool,
    /// What finite runs can tell about the formula, in a sentence or two; may be empty. Not in the
    /// JSON of reports.
    pub explanation: String,
    /// What the spec expects.
    #[serde(deserialize_with = "wire::expectation")]
    pub expect: Option<Expectation>,
    /// Whether the run below does nothing undefined, as far as the backend's checks can tell; `false`
    /// where every run with this verdict does, `None` where that was not checked.
    pub defined: Option<bool>,
    /// What is undefined in the run below; where `defined` is `None`, what may be.
    pub undefined: Vec<Undefined>,
    /// The answer for each level that was asked.
    pub levels: Vec<LevelResult>,
    /// The propositions of the formula, in the order in which they are shown.
    pub propositions: Vec<Proposition>,
    /// A run that has the verdict, if one was asked for and there is one.
    pub trace: Vec<TraceStep>,
    /// How many steps of the trace's run others can see that it does not show.
    pub left_out: u32,
    /// All events of the trace's run in order, those that are no letters too.
    pub schedule: Vec<Scheduled>,
    /// The contexts of the trace's run in order, where threads take turns in rounds.
    pub contexts: Vec<Context>,
    /// For a lasso of threads: those that take no step in its loop.
    pub starved: Vec<Starved>,
    /// For a lasso of threads: what its loop rests on beside the threads' own steps.
    pub rests_on: Vec<LoopRests>,
    /// For a lasso: the step that follows the last one.
    pub loop_start: Option<u32>,
    /// The bound of loops at which the verdict was found, where it was looked for at several.
    pub unwind: Option<u32>,
    /// The verdicts at all bounds that were tried, least first; empty if it was one.
    pub bounds: Vec<AtBound>,
    /// The verdict is that of one run that was executed, not of a search.
    pub observed: bool,
    /// Why the trace has the verdict: which obligation stayed open, or where it was broken.
    pub why: Option<String>,
}

impl Default for PropertyResult {
    fn default() -> Self {
        PropertyResult::unknown("", "", "")
    }
}

impl PropertyResult {
    /// A property without an answer yet; whoever fills it in replaces the reason.
    pub fn unknown(
        name: impl Into<String>,
        ltl: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        PropertyResult {
            name: name.into(),
            ltl: ltl.into(),
            verdict: Verdict::Unknown,
            reason: Some(reason.into()),
            complete: None,
            evidence: None,
            holds: Holds::Unknown,
            proof: None,
            vacuous: Vec::new(),
            reach: false,
            iterations: None,
            deadlock: false,
            explanation: String::new(),
            expect: None,
            defined: None,
            undefined: Vec::new(),
            levels: Vec::new(),
            propositions: Vec::new(),
            trace: Vec::new(),
            left_out: 0,
            schedule: Vec::new(),
            contexts: Vec::new(),
            starved: Vec::new(),
            rests_on: Vec::new(),
            loop_start: None,
            unwind: None,
            bounds: Vec::new(),
            observed: false,
            why: None,
        }
    }

    /// Whether no greater bound can change the verdict: it is definitive, or no run was cut.
    pub fn is_decided(&self) -> bool {
        match self.verdict {
            Verdict::Unknown => false,
            _ if self.observed => false,
            Verdict::FALSE | Verdict::TRUE => true,
            _ => self.complete == Some(true),
        }
    }

    /// Whether the verdict is what the spec expects, if it expects something.
    pub fn as_expected(&self) -> Option<bool> {
        let expected = self.expect?;
        let fits = |values: [ltl::B4; 2]| values.into_iter().any(|v| expected.holds(v));
        Some(match (self.verdict.value(), self.holds) {
            (Some(value), _) => expected.holds(value),
            // A proof has no verdict of a run beside it.
            (None, Holds::Proved) => fits([ltl::B4::True, ltl::B4::PresumablyTrue]),
            (None, Holds::Refuted) => fits([ltl::B4::False, ltl::B4::PresumablyFalse]),
            (None, Holds::Unknown) => false,
        })
    }
}

/// What an answer for runs of any length rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rests {
    /// Conditions in C that hold at heads of loops, each behind the place of its loop.
    pub invariants: Vec<String>,
    /// Functions of the state that fall, and where.
    pub ranking: Vec<String>,
    /// The rounds of an induction step.
    pub k: u32,
    /// For a violation along which no state repeats: how the inputs are chosen, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<String>,
    /// The states of the program, if all of them were visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explored: Option<Visited>,
}

/// What a search that visits the states of a program found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visited {
    /// States at heads of loops, and ends of runs.
    pub states: u64,
    /// Steps between them.
    pub steps: u64,
    /// The longest of the shortest ways to states, in steps.
    pub depth: u64,
    /// The memory of the search, in KiB.
    pub memory_kib: Option<u64>,
}

/// A part of a formula that an answer does not depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacuous {
    /// The part, as the tool prints it.
    pub what: String,
    /// Why, in words.
    pub because: String,
}

/// Something that a run does and that C gives no meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undefined {
    /// In words, with the expression.
    pub what: String,
    /// Where, if it has a place.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Function.
    pub function: Option<String>,
}

/// The verdict at one bound of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtBound {
    /// The bound.
    pub unwind: u32,
    /// The verdict there.
    pub verdict: Verdict,
}

/// A proposition as a reader should see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposition {
    /// Its name in the formula.
    pub name: String,
    /// What it means: its condition or function, its area, its default. May be empty.
    pub meaning: String,
}

/// The answer to one question: does some run end with this value of the lattice?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelResult {
    /// The value.
    pub level: Verdict,
    /// Whether some run ends with it; `None` if there was no answer.
    pub reachable: Option<bool>,
    /// Wall-clock seconds of the run that answered. Levels that were asked together have the same.
    pub seconds: f64,
    /// Greatest resident size of it, in KiB.
    pub max_rss_kib: Option<u64>,
    /// Why there was no answer.
    pub reason: Option<String>,
}

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

/// Something that was found besides the verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What sort.
    pub kind: FindingKind,
    /// In words.
    pub message: String,
    /// Where, if it has a place.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Function.
    pub function: Option<String>,
}

/// The sorts of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// An assertion of the program itself fails.
    Assertion,
    /// A check that the backend makes of its own fails: bounds, pointers, division, overflow.
    Check,
    /// Some run is a deadlock.
    Deadlock,
    /// A lock is used in a way that its functions do not define.
    Misuse,
    /// A bound was reached that the instrumentation did not expect.
    Bound,
    /// A function without a body is called: its effects are not part of the model.
    NoBody,
    /// A label that the spec asks for is reached.
    Reached,
    /// An area is left in a way that its labels do not show.
    Area,
}

impl FindingKind {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Assertion => "assertion",
            FindingKind::Check => "check",
            FindingKind::Deadlock => "deadlock",
            FindingKind::Misuse => "misuse",
            FindingKind::Bound => "bound",
            FindingKind::NoBody => "no_body",
            FindingKind::Reached => "reached",
            FindingKind::Area => "area",
        }
    }
}

/// Which verdicts make the exit status 10.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailOn {
    /// ⊥ and ⊥ᵖ.
    #[default]
    Violation,
    /// ⊥ alone.
    False,
    /// What some maximal run violates, and nothing that merely may be.
    Refuted,
    /// ⊥ and ⊥ᵖ, and every formula of which a part does not matter.
    Vacuous,
}

impl VerifyResult {
    /// The exit status of `verify`: 0, 10 or 5, as CLI.md defines them. Where a property has an
    /// expectation, only that counts: another lattice value is a failure, even a greater one.
    pub fn exit_status(&self, fail_on: FailOn) -> u8 {
        let is_vacuous = |property: &PropertyResult| !property.vacuous.is_empty();
        let fails = |property: &PropertyResult| match fail_on {
            FailOn::Violation => property.verdict.is_violation(),
            FailOn::False => property.verdict == Verdict::FALSE,
            FailOn::Refuted => property.holds == Holds::Refuted,
            FailOn::Vacuous => property.verdict.is_violation() || is_vacuous(property),
        };
        let of = |property: &PropertyResult| match (property.as_expected(), property.verdict) {
            _ if fail_on == FailOn::Vacuous && is_vacuous(property) => 10,
            (Some(true), _) => 0,
            (_, Verdict::Unknown) => 5,
            (Some(false), _) => 10,
            (None, _) if fails(property) => 10,
            (None, _) => 0,
        };
        let worst = |statuses: u8, status: u8| match (statuses, status) {
            (10, _) | (_, 10) => 10,
            (a, b) => a.max(b),
        };
        let safety = match self.safety.as_ref().map(|s| s.holds) {
            Some(Some(false)) => 10,
            Some(None) => 5,
            Some(Some(true)) | None => 0,
        };
        self.properties.iter().map(of).fold(safety, worst)
    }

    /// The exit status of `prove`: 0 if everything is proved, 10 if something is refuted, else 5. Where a property has an
    /// expectation, 0 is for an answer that meets it, and 10 for another one.
    pub fn status_of_proofs(&self, fail_on: FailOn) -> u8 {
        let of = |property: &PropertyResult| match (property.holds, property.as_expected()) {
            (Holds::Unknown, _) => 5,
            (_, Some(true)) => 0,
            (_, Some(false)) => 10,
            (Holds::Proved, None) => 0,
            (Holds::Refuted, None) => match fail_on {
                FailOn::False if property.verdict != Verdict::FALSE => 0,
                _ => 10,
            },
        };
        let all: Vec<u8> = self.properties.iter().map(of).collect();
        match all.contains(&10) {
            true => 10,
            false => all.into_iter().max().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests;
