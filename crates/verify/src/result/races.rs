//! Data races, as an answer beside the verdicts.

use serde::{Deserialize, Serialize};

use super::{Finding, FindingKind, Holds, TraceStep, VerifyResult};

/// Whether a threaded program has a data race (docs/semantics.md, "Data races").
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Races {
    /// Whether no explored run has a race; `None` if that is not known.
    pub free: Option<bool>,
    /// Whether no run of any length has one.
    pub holds: Holds,
    /// The races that were found.
    pub pairs: Vec<RacePair>,
    /// Pairs of accesses of which it is not known whether they are a race.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub possible: Vec<RacePair>,
    /// Why it is not known.
    pub reason: Option<String>,
    /// A run with the race that was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<TraceStep>,
    /// How the threads take turns in it, in sentences.
    #[serde(skip)]
    pub turns: Vec<String>,
    /// Whether the command line asks for races, so that the exit status says whether there are some.
    #[serde(skip)]
    pub asked: bool,
}

/// Two accesses of one object, by two threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RacePair {
    /// The object, as the program names it.
    pub object: String,
    /// One access.
    pub first: RaceAccess,
    /// The other access.
    pub second: RaceAccess,
}

/// An access of a pair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceAccess {
    /// The file.
    pub file: String,
    /// The line there.
    pub line: u32,
    /// The thread, `main` is 0; `None` if no run shows it.
    pub thread: Option<u32>,
    /// The function with which the thread begins.
    pub routine: String,
    /// Whether the access writes.
    pub writes: bool,
    /// Whether the access is atomic.
    pub atomic: bool,
    /// The locks that the thread holds on all paths to the access.
    pub held: Vec<String>,
}

impl RaceAccess {
    /// In words: `the write in p.c:7 (thread 1, work; holds m)`.
    fn words(&self) -> String {
        let kind = match (self.atomic, self.writes) {
            (true, true) => "atomic write",
            (true, false) => "atomic read",
            (false, true) => "write",
            (false, false) => "read",
        };
        let thread = match self.thread {
            Some(0) => "main".to_owned(),
            Some(n) => format!("thread {n}, {}", self.routine),
            None => self.routine.clone(),
        };
        let held = match self.held.is_empty() {
            true => "no lock held".to_owned(),
            false => format!("holds {}", self.held.join(", ")),
        };
        format!(
            "the {kind} at {}:{} ({thread}; {held})",
            self.file, self.line
        )
    }
}

impl RacePair {
    /// In one sentence.
    pub fn words(&self) -> String {
        let (first, second) = (self.first.words(), self.second.words());
        format!("`{}`: {first} and {second}", self.object)
    }
}

impl Races {
    /// The exit status as far as races decide it.
    pub(super) fn exit_status(&self) -> u8 {
        match self.free {
            _ if !self.asked => 0,
            Some(true) => 0,
            Some(false) => 10,
            None => 5,
        }
    }

    /// The answer in sentences.
    pub fn sentences(&self) -> Vec<String> {
        let reason = self.reason.as_deref().unwrap_or("it was not searched");
        let mut out = Vec::new();
        match (self.free, self.holds) {
            (Some(false), _) => {
                let races = self.pairs.iter().map(RacePair::words);
                out.extend(races.map(|r| {
                    format!("a data race on {r}: nothing orders them, and the program is undefined")
                }));
                out.extend(self.turns.iter().cloned());
            }
            (Some(true), Holds::Proved) => {
                out.push(
                    "free of races on all runs: sequential consistency is no assumption".to_owned(),
                );
            }
            (Some(true), _) => out.push(format!("no searched run has a race; {reason}")),
            (None, _) => {
                out.push(format!(
                    "it is not known whether the program has a race: {reason}"
                ));
                let possible = self.possible.iter().take(SHOWN).map(RacePair::words);
                out.extend(possible.map(|r| format!("perhaps on {r}")));
            }
        }
        out
    }
}

/// The most possible races that the text shows.
const SHOWN: usize = 5;

/// When C promises sequential consistency: what stands behind the assumption of it where races were not asked.
pub(crate) const NOT_ASKED: &str = ", which C promises only to programs without data races; whether this one has any was not asked (--memory-model tso or pso does without the assumption)";

/// Adds the answer about races to a result: without races, sequential consistency is no assumption
/// (Adve and Hill, "A Unified Formalization of Four Shared-Memory Models", 1993; Boehm and Adve, PLDI
/// 2008). `weaker` says whether the program has atomic operations with weaker orders, for which that
/// is no theorem.
pub fn add_races(races: Races, weaker: bool, result: &mut VerifyResult) {
    let assumed = format!("{}{NOT_ASKED}", weave::SEQUENTIAL);
    let known = match (races.free, races.holds) {
        (Some(true), Holds::Proved) if !weaker => None,
        (Some(true), Holds::Proved) => Some(
            ", which C promises only to programs without data races and without weaker orders of atomic operations".to_owned(),
        ),
        (Some(false), _) => Some(
            ", which C promises only to programs without data races; this one has one, so that its runs may be others".to_owned(),
        ),
        _ => None,
    };
    let proved = races.holds == Holds::Proved && !weaker;
    let assumptions = &mut result.premises.assumptions;
    if proved {
        assumptions.retain(|a| *a != assumed);
    } else if let Some(known) = known {
        for assumption in assumptions.iter_mut().filter(|a| **a == assumed) {
            *assumption = format!("{}{known}", weave::SEQUENTIAL);
        }
    } else {
        let why = races.reason.as_deref().unwrap_or("it was not searched");
        for assumption in assumptions.iter_mut().filter(|a| **a == assumed) {
            *assumption = format!(
                "{}, which C promises only to programs without data races; whether this one has any is not known ({why}; --memory-model tso or pso does without the assumption)",
                weave::SEQUENTIAL
            );
        }
    }
    let found = races.pairs.iter().map(|pair| Finding {
        kind: FindingKind::DataRace,
        message: format!("a data race on {}", pair.words()),
        file: Some(pair.second.file.clone()),
        line: Some(pair.second.line),
        function: None,
    });
    result.findings.extend(found);
    result.races = Some(races);
}
