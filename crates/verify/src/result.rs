//! What a verification found: the one type that all reports are made from.
//!
//! The names of the verdicts and their order are those of Morse et al. 2015 (definition 2). The JSON
//! form is in a module of its own, apart from these types, so that either can change without the other.

mod findings;
mod holds;
mod property;
mod run;
mod threads;
mod verdict;
mod wire;

pub use findings::{Finding, FindingKind, Safety, Undefined};
pub use holds::{Explored, Holds};
pub use property::{
    Answer, Asked, AtBound, Evidence, LevelResult, NeverLeft, PropertyResult, Proposition, Rests,
    ShownRun, Vacuity, Vacuous, Visited,
};
pub use run::{
    Caller, Context, Event, Holder, Input, LoopRests, RestsOn, Scheduled, Starved, Stop, TraceStep,
};
pub use threads::{StartedThread, Threads};
pub use verdict::Verdict;

use serde::{Deserialize, Serialize};

/// Everything that `verify` found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerifyResult {
    /// Version of baproduct.
    pub tool_version: String,
    /// One for each property, in the order of the spec.
    pub properties: Vec<PropertyResult>,
    /// Who answered.
    pub backend: BackendInfo,
    /// Under what the verdicts hold.
    pub premises: Premises,
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
    /// Which lines explored runs reach, if that was asked for.
    pub coverage: Option<Coverage>,
}

/// Under what the verdicts of a verification hold. The pass that verifies writes it; the pass that looks for the places
/// of assumptions adds `rests_on`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Premises {
    /// How often each loop and recursion was followed.
    pub unwind: Option<u32>,
    /// Which schedules of the threads were explored; none in a program without threads, or where
    /// nothing was searched.
    pub schedules: Option<Schedules>,
    /// Inputs, prunes, assumptions, modelled functions.
    pub assumptions: Vec<String>,
    /// What is known of single assumptions: where they are made, and whether the verdicts can depend on them.
    pub rests_on: Vec<Assumed>,
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

/// Which schedules of a threaded program's threads were explored (docs/semantics.md, "Schedules").
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
    /// The exit status of `verify`: 0, 10 or 5, as docs/results.md, "Exit statuses", has them. Where a property has an
    /// expectation, only that counts: another lattice value is a failure, even a greater one.
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
        self.properties.iter().map(of).fold(safety, worst)
    }

    /// The exit status of `prove`: 0 if everything is proved, 10 if something is refuted, else 5. Where a property has an
    /// expectation, 0 is for an answer that meets it, and 10 for another one.
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
        let all: Vec<u8> = self.properties.iter().map(of).collect();
        match all.contains(&10) {
            true => 10,
            false => all.into_iter().max().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests;
