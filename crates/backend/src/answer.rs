//! The answer of a backend: outcomes of assertions, other failures, traces, and why an answer is
//! missing.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use thiserror::Error;

/// The prefix of the texts of all assertions that baproduct generates.
pub const OWN_PREFIX: &str = "baproduct:";

/// A decided assertion, within the bounds of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// No run violates it.
    Holds,
    /// Some run violates it.
    Fails,
}

/// A complete answer of a model checker: the outcome of every assertion that it decided, failures
/// of its own checks, and traces of violated assertions, if requested.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Outcomes by text, for texts that begin with [`OWN_PREFIX`] and that the backend decided. A
    /// text at several places fails if it fails at one, and holds if it holds at all of them.
    pub outcomes: BTreeMap<String, Outcome>,
    /// By text, why the backend left an assertion of baproduct's undecided.
    pub undecided: BTreeMap<String, String>,
    /// Why all other assertions are undecided: some of the questions reached a limit of time or
    /// memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    /// All other failures: unwinding assertions, the program's own assertions, missing function
    /// bodies.
    pub other_failures: Vec<OtherFailure>,
    /// The traces of violated assertions by text, if requested.
    pub traces: BTreeMap<String, Vec<TraceStep>>,
    /// The backend's warnings, each once, in order.
    pub warnings: Vec<String>,
}

impl Answer {
    /// Whether some check of the program or of baproduct's fails, so that the answer says something
    /// even if the rest is undecided.
    pub(crate) fn shows_violation(&self) -> bool {
        let own = self.outcomes.values().any(|o| *o == Outcome::Fails);
        let mut others = self.other_failures.iter();
        own || others.any(|other| other.kind == OtherKind::Program)
    }
}

/// A failing check that baproduct did not generate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OtherFailure {
    /// The kind of check.
    pub kind: OtherKind,
    /// The backend's description.
    pub text: String,
    /// The backend's identifier.
    pub id: String,
    /// The place of the check.
    pub location: Location,
}

/// The kinds of checks that baproduct did not generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OtherKind {
    /// A loop or a recursion that would go on past its bound.
    Unwinding,
    /// A function that is called and has no body: its effects are not modelled.
    NoBody,
    /// A check of the program itself, or one that the backend added.
    Program,
}

impl OtherKind {
    /// The kind of a failing check, from the backend's identifier and text.
    pub fn of(id: &str, text: &str) -> Self {
        if text.starts_with("unwinding assertion")
            || text.starts_with("recursion unwinding assertion")
            || id.contains(".unwind.")
            || id.contains(".recursion")
        {
            OtherKind::Unwinding
        } else if id.contains(".no-body.") || text.starts_with("no body for ") {
            OtherKind::NoBody
        } else {
            OtherKind::Program
        }
    }
}

/// A place in the source, as far as the backend reported it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    /// File as in the line markers of the source.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Function.
    pub function: Option<String>,
}

/// One step of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStep {
    /// The backend's number of the thread; `main` runs in thread 0.
    pub thread: Option<u32>,
    /// The place.
    pub location: Location,
    /// The action.
    pub kind: StepKind,
}

impl TraceStep {
    /// An assignment of a value in a thread.
    pub fn assigns(thread: u32, location: Location, lhs: &str, value: Value) -> TraceStep {
        TraceStep {
            thread: Some(thread),
            location,
            kind: StepKind::Assignment {
                lhs: lhs.to_owned(),
                value,
            },
        }
    }
}

/// The action of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// An object gets a value.
    Assignment {
        /// The object, as the backend writes it.
        lhs: String,
        /// The value.
        value: Value,
    },
    /// A function is called.
    Call {
        /// Its name.
        function: String,
    },
    /// A function returns.
    Return {
        /// Its name.
        function: String,
    },
    /// An assertion is violated.
    Violation {
        /// Its text.
        text: String,
    },
}

/// A value in a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value {
    /// The text as in C source: no suffix, `true`/`false`, `{.a=1, .b=2}`.
    pub text: String,
    /// The number, if the value is one (truth values are 0 and 1).
    pub number: Option<i128>,
}

/// The time and memory of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Greatest resident size of a process of the job, in KiB, if the system reports it. Measured
    /// by polling, so growth in the last milliseconds may be missing.
    pub max_rss_kib: Option<u64>,
    /// How many processes were started.
    pub runs: u32,
}

impl Usage {
    /// Adds a later run to this one.
    pub fn add(&mut self, other: Usage) {
        self.seconds += other.seconds;
        self.max_rss_kib = self.max_rss_kib.max(other.max_rss_kib);
        self.runs += other.runs;
    }
}

/// A finished job.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The answer, or why there is none.
    pub result: Result<Answer, Failure>,
    /// The time and memory, also of a failure.
    pub usage: Usage,
    /// The last command line, quoted for a shell, for repeating it.
    pub command: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Failure {
    /// The program is not installed.
    #[error("{program} was not found (looked at {})", looked.join(", "))]
    NotFound {
        /// Its name.
        program: String,
        /// The places that were searched.
        looked: Vec<String>,
    },
    /// The program could not be started.
    #[error("cannot start {program}: {message}")]
    Spawn {
        /// The path.
        program: String,
        /// The system's reason.
        message: String,
    },
    /// The time limit of the job was reached.
    #[error("timed out after {} s", (limit.as_secs_f64() * 10.0).round() / 10.0)]
    Timeout {
        /// The limit.
        limit: Duration,
    },
    /// The backend ran out of memory.
    #[error("out of memory{}", mib.map(|m| format!(" (limit {m} MiB)")).unwrap_or_default())]
    MemoryOut {
        /// The limit, if the job had one.
        mib: Option<u64>,
    },
    /// The job was cancelled, or this process was interrupted.
    #[error("cancelled")]
    Cancelled,
    /// The backend ended unexpectedly.
    #[error("the backend crashed ({status}){}", tail(stderr))]
    Crashed {
        /// Exit code or signal.
        status: String,
        /// The end of its messages.
        stderr: String,
    },
    /// The backend does not accept the program or the options.
    #[error("the backend refuses: {message}")]
    Refused {
        /// The backend's message.
        message: String,
    },
    /// The backend gave up without an answer.
    #[error("the backend does not know: {message}")]
    Undecided {
        /// The backend's message.
        message: String,
    },
    /// The output is incomplete, not understood, or contradicts itself or the exit code.
    #[error("the backend's output cannot be trusted: {message}")]
    Unparsable {
        /// What is wrong with the output.
        message: String,
    },
}

impl Failure {
    /// A short name of the failure, for machines.
    pub fn name(&self) -> &'static str {
        match self {
            Failure::NotFound { .. } => "backend_not_found",
            Failure::Spawn { .. } => "backend_not_started",
            Failure::Timeout { .. } => "timeout",
            Failure::MemoryOut { .. } => "memory_out",
            Failure::Cancelled => "cancelled",
            Failure::Crashed { .. } => "backend_crashed",
            Failure::Refused { .. } => "backend_refused",
            Failure::Undecided { .. } => "backend_undecided",
            Failure::Unparsable { .. } => "backend_output",
        }
    }

    /// A failure for output that is not understood.
    pub(crate) fn unparsable(message: impl Into<String>) -> Self {
        Failure::Unparsable {
            message: message.into(),
        }
    }
}

/// The last line of a crashed program's messages, for a one-line message.
fn tail(stderr: &str) -> String {
    let lines = || stderr.lines().rev().filter(|l| !l.trim().is_empty());
    // CBMC's report of a failed invariant has its reason above useless addresses.
    let reason = lines().find(|l| l.starts_with("Reason: "));
    match reason.or_else(|| lines().next()) {
        Some(line) => format!(": {}", line.trim()),
        None => String::new(),
    }
}

/// Collects the results of single checks and merges those with the same text.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    outcomes: BTreeMap<String, Outcome>,
    undecided: BTreeSet<String>,
    others: Vec<OtherFailure>,
}

/// The result of one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    Holds,
    Fails,
    Undecided,
}

impl Tally {
    /// Adds one check. `id` and `location` matter only for checks that baproduct did not generate.
    pub(crate) fn add(&mut self, text: &str, id: &str, location: Location, check: Check) {
        if !text.starts_with(OWN_PREFIX) {
            if check == Check::Fails {
                let (text, id) = (text.to_owned(), id.to_owned());
                let kind = OtherKind::of(&id, &text);
                self.others.push(OtherFailure {
                    kind,
                    text,
                    id,
                    location,
                });
            }
            return;
        }
        match check {
            Check::Undecided => {
                self.undecided.insert(text.to_owned());
            }
            Check::Fails => {
                self.outcomes.insert(text.to_owned(), Outcome::Fails);
            }
            Check::Holds => {
                self.outcomes
                    .entry(text.to_owned())
                    .or_insert(Outcome::Holds);
            }
        }
    }

    /// The answer with the certain outcomes: a text is left out if it is undecided at one place and
    /// holds at the others.
    pub(crate) fn into_answer(mut self) -> Answer {
        self.outcomes
            .retain(|text, o| *o == Outcome::Fails || !self.undecided.contains(text));
        self.undecided
            .retain(|text| !self.outcomes.contains_key(text));
        self.others.sort();
        self.others.dedup();
        let reason = |text: &str| format!("the backend left the assertion {text} undecided");
        Answer {
            outcomes: self.outcomes,
            undecided: self
                .undecided
                .into_iter()
                .map(|text| {
                    let reason = reason(&text);
                    (text, reason)
                })
                .collect(),
            other_failures: self.others,
            ..Answer::default()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn tally(checks: &[(&str, Check)]) -> Answer {
        let mut tally = Tally::default();
        for (text, check) in checks {
            tally.add(text, "id", Location::default(), *check);
        }
        tally.into_answer()
    }

    #[test]
    fn one_violation_decides_a_text_and_one_doubt_leaves_it_open() {
        let answer = tally(&[
            ("baproduct:a", Check::Holds),
            ("baproduct:a", Check::Fails),
            ("baproduct:b", Check::Holds),
            ("baproduct:b", Check::Undecided),
            ("baproduct:c", Check::Undecided),
            ("baproduct:c", Check::Fails),
            ("baproduct:d", Check::Holds),
        ]);
        let found: Vec<_> = answer
            .outcomes
            .iter()
            .map(|(t, o)| (t.as_str(), *o))
            .collect();
        let expected = [
            ("baproduct:a", Outcome::Fails),
            ("baproduct:c", Outcome::Fails),
            ("baproduct:d", Outcome::Holds),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn other_checks_count_only_when_they_fail() {
        let answer = tally(&[
            ("x > 0", Check::Holds),
            ("unwinding assertion loop 0", Check::Fails),
        ]);
        assert!(answer.outcomes.is_empty());
        assert_eq!(answer.other_failures.len(), 1);
        assert_eq!(answer.other_failures[0].kind, OtherKind::Unwinding);
    }

    #[test]
    fn messages_say_what_happened() {
        let crashed = Failure::Crashed {
            status: "signal 11".into(),
            stderr: "a\nb\n\n".into(),
        };
        assert_eq!(crashed.to_string(), "the backend crashed (signal 11): b");
        let invariant = Failure::Crashed {
            status: "signal 6".into(),
            stderr: "Invariant check failed\nReason: no type\ncbmc(+0x1) [0x7f]\n".into(),
        };
        assert!(invariant.to_string().ends_with(": Reason: no type"));
        let memory = Failure::MemoryOut { mib: Some(100) };
        assert_eq!(memory.to_string(), "out of memory (limit 100 MiB)");
    }
}
