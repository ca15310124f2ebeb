//! What a verification finds besides verdicts: failing checks, undefined behaviour.

use serde::{Deserialize, Serialize};

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
