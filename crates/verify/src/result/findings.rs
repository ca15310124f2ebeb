//! Findings besides verdicts: failing checks, undefined behaviour.

use serde::{Deserialize, Serialize};

/// A finding besides the verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The kind.
    pub kind: FindingKind,
    /// The finding in words.
    pub message: String,
    /// The file, if the finding has a place.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Function.
    pub function: Option<String>,
}

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// An assertion of the program itself fails.
    Assertion,
    /// A check of the backend's own fails: bounds, pointers, division, overflow.
    Check,
    /// Some run is a deadlock.
    Deadlock,
    /// A lock is used in an undefined way.
    Misuse,
    /// A bound was reached that the instrumentation did not expect.
    Bound,
    /// A function without a body is called, so its effects are not part of the model.
    NoBody,
    /// A requested label is reached.
    Reached,
    /// An area is left in a way that its labels do not determine.
    Area,
    /// A function looks like an interrupt handler and nothing calls it, so no run has its interrupts.
    UncalledHandler,
    /// The program reads a volatile object and never writes it, so no run has what hardware puts there.
    UnwrittenVolatile,
    /// Two accesses are a data race.
    DataRace,
    /// Memory is used after it was freed, or freed twice.
    UseAfterFree,
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
            FindingKind::UncalledHandler => "uncalled_handler",
            FindingKind::UnwrittenVolatile => "unwritten_volatile",
            FindingKind::DataRace => "data_race",
            FindingKind::UseAfterFree => "use_after_free",
        }
    }
}

/// Undefined behaviour of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undefined {
    /// The behaviour in words, with the expression.
    pub what: String,
    /// The file, if it has a place.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Function.
    pub function: Option<String>,
    /// Whether it comes after the step that decides, so that the verdict does not rest on it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after: bool,
}

impl Undefined {
    /// What is undefined, and where.
    pub fn placed(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{} at {file}:{line}", self.what),
            _ => self.what.clone(),
        }
    }
}

/// The result of a safety run, besides its findings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Safety {
    /// Whether no check fails within the bounds; `None` if there is no answer.
    pub holds: Option<bool>,
    /// Whether none of the program's own assertions fails, if they were asked alone because all checks together took
    /// too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertions: Option<bool>,
    /// Why there is no answer, or what was not checked.
    pub reason: Option<String>,
    /// Wall-clock seconds of the run.
    pub seconds: f64,
    /// Greatest resident size of the run, in KiB.
    pub max_rss_kib: Option<u64>,
}
