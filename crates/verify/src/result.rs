//! The result of a verification: all reports are made from this one type.
//!
//! The names and the order of the verdicts follow Morse et al. 2015 (definition 2). A module of its
//! own has the JSON form, so that the types and the JSON can change independently.

mod engine;
mod findings;
mod holds;
mod property;
mod races;
mod run;
mod threads;
mod verdict;
mod wire;

pub use engine::{Engine, Tried};
pub use findings::{Finding, FindingKind, Safety, Undefined};
pub use holds::{Explored, Holds};
pub use property::{
    Answer, Asked, AtBound, CutPlace, Cuts, Evidence, LevelResult, NeverLeft, PropertyResult,
    Proposition, Rests, ShownRun, Vacuity, Vacuous, Visited,
};
pub(crate) use races::NOT_ASKED;
pub use races::{add_races, RaceAccess, RacePair, Races};
pub use run::{
    Caller, Context, Event, Holder, Input, LoopRests, RestsOn, Scheduled, Starved, Stop, TraceStep,
};
pub use threads::{StartedThread, Threads};
pub use verdict::Verdict;
pub use weave::record::RestKind;

use serde::{Deserialize, Serialize};

/// The whole result of `verify`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerifyResult {
    /// Version of baproduct.
    pub tool_version: String,
    /// One result for each property, in the order of the specification.
    pub properties: Vec<PropertyResult>,
    /// The backend that answered.
    pub backend: BackendInfo,
    /// The premises of the verdicts.
    pub premises: Premises,
    /// Findings besides the verdicts.
    pub findings: Vec<Finding>,
    /// What the user should know about the verification itself.
    pub warnings: Vec<String>,
    /// The tool's arguments, for repeating the verification; may be empty.
    pub command: Vec<String>,
    /// Whether a run of the backend reached a limit of time or memory.
    pub exhausted: bool,
    /// The result of the checks that are not temporal, if they were requested.
    pub safety: Option<Safety>,
    /// The lines that explored runs reach, if requested.
    pub coverage: Option<Coverage>,
    /// Whether a threaded program has a data race.
    pub races: Option<Races>,
}

/// The premises of the verdicts. The pass that verifies fills them in, except `rests_on`, which the
/// pass that locates assumptions adds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Premises {
    /// The bound of loops and recursions.
    pub unwind: Option<u32>,
    /// The explored schedules of the threads; `None` for a program without threads, or where
    /// nothing was searched.
    pub schedules: Option<Schedules>,
    /// Inputs, prunes, assumptions, modelled functions.
    pub assumptions: Vec<String>,
    /// Details of single assumptions: where they are made, and whether the verdicts can depend on
    /// them.
    pub rests_on: Vec<Assumed>,
}

/// An assumption about one function or object of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumed {
    /// The assumption, with the same text as among the assumptions.
    pub assumption: String,
    /// The kind of construct that it is about, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<RestKind>,
    /// The function that the assumption is about; empty if there is none.
    pub about: String,
    /// Where it is made, as `file:line`.
    pub places: Vec<String>,
    /// Whether it can influence a proposition, or the path to an event; `None` if unknown.
    pub matters: Option<bool>,
}

/// The parts of the program's text that explored runs reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The program's files.
    pub files: Vec<CoveredFile>,
    /// Sites of monitor steps on lines that no explored run reaches.
    pub idle: Vec<String>,
}

/// The lines of a file that have code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoveredFile {
    /// File as the user knows it.
    pub file: String,
    /// Lines that some explored run reaches.
    pub reached: Vec<u32>,
    /// Lines that no explored run reaches.
    pub never: Vec<u32>,
}

/// The explored schedules of a threaded program (docs/semantics.md, "Schedules").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedules {
    /// All.
    All,
    /// All that switch between statements: each statement is one step.
    Statements,
    /// Those with at most this many rounds; in each round every live thread runs at most once.
    Rounds(u32),
    /// Those that switch away from each thread at most this many times.
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
    /// The version that the backend reports.
    pub version: String,
    /// The number of processes.
    pub runs: u32,
    /// Wall-clock time of all of them together, in seconds.
    pub seconds: f64,
}

/// The verdicts that make the exit status 10.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailOn {
    /// ⊥ and ⊥ᵖ.
    #[default]
    Violation,
    /// ⊥ alone.
    False,
    /// Only a violation by some maximal run.
    Refuted,
    /// ⊥ and ⊥ᵖ, and every formula with a part that does not matter.
    Vacuous,
}

impl VerifyResult {
    /// The exit status of `verify`: 0, 10 or 5 (docs/results.md, "Exit statuses"). If a property
    /// has an expectation, only that counts: every other lattice value is a failure, even a greater
    /// one.
    pub fn exit_status(&self, fail_on: FailOn) -> u8 {
        let is_vacuous = |property: &PropertyResult| !property.answer.vacuity.parts.is_empty();
        let fails = |property: &PropertyResult| match fail_on {
            FailOn::Violation => property.answer.verdict.is_violation(),
            FailOn::False => property.answer.verdict == Verdict::FALSE,
            FailOn::Refuted => property.answer.holds == Holds::Refuted,
            FailOn::Vacuous => property.answer.verdict.is_violation() || is_vacuous(property),
        };
        let of = |property: &PropertyResult| match (property.as_expected(), property.answer.verdict)
        {
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
        let races = self.races.as_ref().map_or(0, Races::exit_status);
        self.properties
            .iter()
            .map(of)
            .fold(worst(safety, races), worst)
    }

    /// The exit status of `prove`: 0 if everything is proved, 10 if something is refuted, else 5.
    /// If a property has an expectation, an answer that meets it gives 0, and another answer gives
    /// 10.
    pub fn status_of_proofs(&self, fail_on: FailOn) -> u8 {
        let of = |property: &PropertyResult| match (property.answer.holds, property.as_expected()) {
            (Holds::Unknown, _) => 5,
            (_, Some(true)) => 0,
            (_, Some(false)) => 10,
            (Holds::Proved, None) => 0,
            (Holds::Refuted, None) => match fail_on {
                FailOn::False if property.answer.verdict != Verdict::FALSE => 0,
                _ => 10,
            },
        };
        let races = self.races.iter().map(Races::exit_status);
        let all: Vec<u8> = self.properties.iter().map(of).chain(races).collect();
        match all.contains(&10) {
            true => 10,
            false => all.into_iter().max().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests;
