//! One property and its verdict, with what the verdict rests on.

use ltl::Expectation;
use serde::{Deserialize, Serialize};
use weave::record::{PropositionRecord, Record, REACH};

use super::findings::Undefined;
use super::run::{Context, LoopRests, Scheduled, Starved, TraceStep};
use super::threads::Threads;
use super::{wire, Holds, Verdict};

/// One property and its verdict.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "wire::Property")]
pub struct PropertyResult {
    /// What was asked.
    pub asked: Asked,
    /// What is known about it.
    pub answer: Answer,
    /// The run that decides it.
    pub run: ShownRun,
}

/// What is asked about a property. Whoever asks writes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Name in the spec.
    pub name: String,
    /// The formula as it was read.
    pub ltl: String,
    /// What the spec expects.
    pub expect: Option<Expectation>,
    /// What finite runs can tell about the formula, in a sentence or two; may be empty. Not in the
    /// JSON of reports.
    pub explanation: String,
    /// The propositions of the formula, in the order in which they are shown.
    pub propositions: Vec<Proposition>,
    /// Whether it is about control reaching a label, not about a formula of the spec.
    pub reach: bool,
}

/// What is known about a property. The pass that decides the property writes it: the combination of levels, the
/// native run, the search of all states, or the proof. Three passes add to it: the one that tries greater bounds
/// (`unwind` and `bounds`), the one that asks what runs show (`vacuity`), and the one that reads the
/// deciding run (`evidence`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
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
    /// What the explored runs do not show of the formula and its areas.
    pub vacuity: Vacuity,
    /// The answer for each level that was asked.
    pub levels: Vec<LevelResult>,
    /// The run that decides the verdict is a deadlock.
    pub deadlock: bool,
    /// The verdict is that of one run that was executed, not of a search.
    pub observed: bool,
    /// The bound of loops at which the verdict was found, where it was looked for at several.
    pub unwind: Option<u32>,
    /// The verdicts at all bounds that were tried, least first; empty if it was one.
    pub bounds: Vec<AtBound>,
}

/// What explored runs do not show, so that an answer means less than it seems to (docs/semantics.md, "Vacuity").
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vacuity {
    /// The parts of the formula that the verdict does not depend on.
    pub parts: Vec<Vacuous>,
    /// The propositions whose areas some explored runs enter, but none comes from there to the exit label.
    pub never_left: Vec<NeverLeft>,
}

/// A run that has the verdict, if one was asked for and there is one. The reader of traces writes it, and the
/// explanation of the trace adds `why`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownRun {
    /// The letters; empty if no run is shown.
    pub trace: Vec<TraceStep>,
    /// How many steps of the run others can see that the trace does not show.
    pub left_out: u32,
    /// All events of the run in order, those that are no letters too.
    pub schedule: Vec<Scheduled>,
    /// The threads of the run beside `main`.
    pub threads: Threads,
    /// The contexts of the run in order, where threads take turns in rounds.
    pub contexts: Vec<Context>,
    /// For a lasso of threads: those that take no step in its loop.
    pub starved: Vec<Starved>,
    /// For a lasso of threads: what its loop rests on beside the threads' own steps.
    pub rests_on: Vec<LoopRests>,
    /// For a lasso: the step that follows the last one.
    pub loop_start: Option<u32>,
    /// In a run to a label that is asked for: in which iteration of its outermost loop it comes there.
    pub iterations: Option<u32>,
    /// Whether the run does nothing undefined, as far as the backend's checks can tell; `false`
    /// where every run with this verdict does, `None` where that was not checked.
    pub defined: Option<bool>,
    /// What is undefined in the run; where `defined` is `None`, what may be.
    pub undefined: Vec<Undefined>,
    /// Why the trace has the verdict: which obligation stayed open, or where it was broken.
    pub why: Option<String>,
}

impl Asked {
    /// A question of which only the name and the formula are known.
    pub fn named(name: impl Into<String>, ltl: impl Into<String>) -> Asked {
        Asked {
            name: name.into(),
            ltl: ltl.into(),
            ..Asked::default()
        }
    }

    /// What the record of a woven program asks about one of its properties.
    pub fn of(record: &Record, index: usize) -> Asked {
        let Some(property) = record.properties.get(index) else {
            return Asked::default();
        };
        let used = record.propositions.iter();
        let used = used.filter(|p| p.used_by.contains(&index));
        let shown = |p: &PropositionRecord| Proposition {
            name: p.name.clone(),
            meaning: p.meaning.clone(),
        };
        Asked {
            name: property.name.clone(),
            ltl: property.ltl.clone(),
            expect: property.expect.as_deref().and_then(Expectation::from_name),
            explanation: property.explanation.clone(),
            propositions: used.map(shown).collect(),
            reach: property.monitor == REACH,
        }
    }

    /// The property without an answer yet.
    pub fn open(self, reason: impl Into<String>) -> PropertyResult {
        let answer = Answer {
            reason: Some(reason.into()),
            ..Answer::default()
        };
        self.answered(answer)
    }

    /// The property with an answer and no run.
    pub fn answered(self, answer: Answer) -> PropertyResult {
        PropertyResult {
            asked: self,
            answer,
            run: ShownRun::default(),
        }
    }
}

impl PropertyResult {
    /// A property without an answer yet, of which only the name and the formula are known.
    pub fn unknown(
        name: impl Into<String>,
        ltl: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        Asked::named(name, ltl).open(reason)
    }

    /// Whether no greater bound can change the verdict: it is definitive, or no run was cut.
    pub fn is_decided(&self) -> bool {
        let answer = &self.answer;
        match answer.verdict {
            Verdict::Unknown => false,
            _ if answer.observed => false,
            Verdict::FALSE | Verdict::TRUE => true,
            _ => answer.complete == Some(true),
        }
    }

    /// Whether the verdict is what the spec expects, if it expects something.
    pub fn as_expected(&self) -> Option<bool> {
        let expected = self.asked.expect?;
        let fits = |values: [ltl::B4; 2]| values.into_iter().any(|v| expected.holds(v));
        Some(match (self.answer.verdict.value(), self.answer.holds) {
            (Some(value), _) => expected.holds(value),
            // A proof has no verdict of a run beside it.
            (None, Holds::Proved) => fits([ltl::B4::True, ltl::B4::PresumablyTrue]),
            (None, Holds::Refuted) => fits([ltl::B4::False, ltl::B4::PresumablyFalse]),
            (None, Holds::Unknown) => false,
        })
    }
}

/// What sort of run a verdict rests on (docs/semantics.md, "The end of a run, and prefixes").
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

/// An area that explored runs enter, and whose exit label none of them comes to while it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeverLeft {
    /// The proposition.
    pub what: String,
    /// The exit label.
    pub label: String,
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
