//! One property with its verdict, and the run and evidence of the verdict.

use ltl::Expectation;
use serde::{Deserialize, Serialize};
use weave::record::{PropositionRecord, Record, REACH};

use super::engine::{Engine, Tried};
use super::findings::Undefined;
use super::run::{Context, LoopRests, Scheduled, Starved, TraceStep};
use super::threads::Threads;
use super::{wire, Holds, Verdict};

/// One property and its verdict.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "wire::Property")]
pub struct PropertyResult {
    /// The question.
    pub asked: Asked,
    /// The answer.
    pub answer: Answer,
    /// The run that decides it.
    pub run: ShownRun,
}

/// The question about a property. The caller that asks fills it in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Name in the specification.
    pub name: String,
    /// The formula as it was parsed.
    pub ltl: String,
    /// The sentence of the requirement whose formula it is, if the property is one.
    pub requirement: Option<String>,
    /// The verdict that the specification expects.
    pub expect: Option<Expectation>,
    /// What finite runs can show about the formula, in a sentence or two; may be empty. Not in the
    /// JSON of reports.
    pub explanation: String,
    /// The propositions of the formula, in the order in which reports show them.
    pub propositions: Vec<Proposition>,
    /// Whether the property is the reachability of a label, not a formula of the specification.
    pub reach: bool,
}

/// The answer about a property. The deciding pass fills it in: the combination of levels, the
/// native run, the search of all states, or the proof. Three passes add to it: the one that tries
/// greater bounds (`unwind` and `bounds`), the one that asks coverage questions (`vacuity`), and
/// the one that reads the deciding run (`evidence`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The least value over all runs, or unknown.
    pub verdict: Verdict,
    /// Why the verdict is unknown, or not more definite.
    pub reason: Option<String>,
    /// Whether no run was cut at a bound; `None` if unknown.
    pub complete: Option<bool>,
    /// The kind of run or argument behind the verdict.
    pub evidence: Option<Evidence>,
    /// Whether the formula holds on all runs of any length.
    pub holds: Holds,
    /// The argument of an answer for runs of any length; without such an answer, the invariants
    /// that were shown.
    pub proof: Option<Rests>,
    /// What the explored runs do not show about the formula and its areas.
    pub vacuity: Vacuity,
    /// The answer for each level.
    pub levels: Vec<LevelResult>,
    /// Whether the run that decides the verdict is a deadlock.
    pub deadlock: bool,
    /// Whether the verdict is that of one executed run, not of a search.
    pub observed: bool,
    /// The bound of loops at which the verdict was found, if several were tried.
    pub unwind: Option<u32>,
    /// The verdicts at all bounds, least bound first; empty for a single bound.
    pub bounds: Vec<AtBound>,
    /// The engine that decided the property for good, if several were asked.
    pub decided_by: Option<Engine>,
    /// What each engine said, if several were asked.
    pub tried: Vec<Tried>,
}

impl Answer {
    /// Makes verdict and `holds` agree (`docs/semantics.md`, "Whether the formula holds"). A violation that is
    /// certain is ⊥, unless a run that ends shows it, whose word is ⊥ᵖ; where no run violates the formula, a ⊥ or
    /// ⊥ᵖ was that of a run that goes on. No part of a violated formula is called vacuous.
    pub fn settle(&mut self) {
        let ended = self.evidence == Some(Evidence::Ended);
        self.verdict = match (self.holds, self.verdict) {
            (Holds::Refuted, Verdict::PRESUMABLY_FALSE) if ended => Verdict::PRESUMABLY_FALSE,
            (Holds::Refuted, _) => Verdict::FALSE,
            (Holds::Proved, verdict) if verdict.is_violation() => Verdict::PRESUMABLY_TRUE,
            (Holds::Proved, Verdict::Unknown) => Verdict::PRESUMABLY_TRUE,
            (_, verdict) => verdict,
        };
        // What no explored run shows is about runs that do not violate the formula.
        if self.holds == Holds::Refuted {
            self.vacuity.parts.clear();
        }
    }
}

/// What explored runs do not show, so that the answer means less than it seems to
/// (docs/semantics.md, "Vacuity").
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vacuity {
    /// The parts of the formula that the verdict does not depend on.
    pub parts: Vec<Vacuous>,
    /// The propositions whose areas some explored runs enter, while no explored run reaches the
    /// exit label from there.
    pub never_left: Vec<NeverLeft>,
    /// Where explored runs were cut; `None` if no run was, or if this was not asked.
    pub cuts: Option<Cuts>,
}

/// A run that has the verdict, if one was requested and exists. The reader of traces fills it in,
/// and the explanation of the trace adds `why`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownRun {
    /// The letters and the steps between them; empty if no run is shown.
    pub trace: Vec<TraceStep>,
    /// The number of steps visible to other threads that the trace does not show.
    pub left_out: u32,
    /// All events of the run in order, including those that are not letters.
    pub schedule: Vec<Scheduled>,
    /// The threads of the run besides `main`.
    pub threads: Threads,
    /// The contexts of the run in order, if threads take turns in rounds.
    pub contexts: Vec<Context>,
    /// For a lasso of threads: the threads that take no step in its loop.
    pub starved: Vec<Starved>,
    /// For a lasso of threads: what its loop assumes besides the threads' own steps.
    pub rests_on: Vec<LoopRests>,
    /// For a lasso: the step to which the loop goes back.
    pub loop_start: Option<u32>,
    /// For a run to a requested label: the iteration of its outermost loop in which it reaches the
    /// label.
    pub iterations: Option<u32>,
    /// Whether the run has no undefined behaviour up to the step that decides, as far as the
    /// backend's checks can tell; `false` if every run with this verdict has some, `None` if that
    /// was not checked.
    pub defined: Option<bool>,
    /// The undefined behaviour of the run; if `defined` is `None`, the possible one.
    pub undefined: Vec<Undefined>,
    /// Why the trace has the verdict: the obligation that stayed open, or the step that broke it.
    pub why: Option<String>,
}

impl ShownRun {
    /// The run where nobody wants to see it: what is known of undefined behaviour stays.
    pub fn hidden(self) -> ShownRun {
        ShownRun {
            defined: self.defined,
            undefined: self.undefined,
            ..ShownRun::default()
        }
    }
}

impl Asked {
    /// A question with only a name and a formula.
    pub fn named(name: impl Into<String>, ltl: impl Into<String>) -> Asked {
        Asked {
            name: name.into(),
            ltl: ltl.into(),
            ..Asked::default()
        }
    }

    /// The question about a property of a woven program's record.
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
            requirement: None,
            expect: property.expect.as_deref().and_then(Expectation::from_name),
            explanation: property.explanation.clone(),
            propositions: used.map(shown).collect(),
            reach: property.monitor == REACH,
        }
    }

    /// The property without an answer.
    pub fn open(self, reason: impl Into<String>) -> PropertyResult {
        let answer = Answer {
            reason: Some(reason.into()),
            ..Answer::default()
        };
        self.answered(answer)
    }

    /// The property with an answer and without a run.
    pub fn answered(self, answer: Answer) -> PropertyResult {
        PropertyResult {
            asked: self,
            answer,
            run: ShownRun::default(),
        }
    }
}

/// Why a violation of which nobody knows whether it rests on undefined behaviour is none.
const UNANSWERED: &str = "the formula is violated, and whether by a run that does nothing undefined before was asked, and not answered: \
                          more time or a smaller bound may give an answer";

impl PropertyResult {
    /// A property without an answer, with only a name and a formula.
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

    /// Takes back a violation that rests on undefined behaviour (`docs/semantics.md`, "Undefined behaviour"): a run
    /// that does something undefined before the step that decides is none of the program's. Where all runs with the
    /// violation are such, or no run is known that is not, the answer is unknown, with the place.
    pub fn doubt(&mut self) {
        let answer = &self.answer;
        if !answer.verdict.is_violation() && answer.holds != Holds::Refuted {
            return;
        }
        let mut before = self.run.undefined.iter().filter(|u| !u.after);
        let reason = match self.run.defined {
            Some(true) => return,
            Some(false) => {
                let only = before.next();
                only.map(|u| format!("the formula is violated only by {}", u.placed()))
            }
            // An entry without a place is a check without an answer.
            None => match before.find(|u| u.line.is_some()) {
                None => return,
                Some(u) => Some(format!(
                    "the formula is violated, and whether by a run that does nothing undefined before is not known: some run has {}",
                    u.placed()
                )),
            },
        };
        self.answer.holds = Holds::Unknown;
        self.answer.verdict = Verdict::Unknown;
        self.answer.evidence = None;
        self.answer.reason = reason.or(self.answer.reason.take());
    }

    /// Takes back a violation of which it was asked whether it rests on undefined behaviour, without an answer: what needs a run
    /// that does nothing undefined has none (`docs/semantics.md`, "Undefined behaviour").
    pub fn doubt_unanswered(&mut self) {
        let refutes = self.answer.verdict.is_violation() || self.answer.holds == Holds::Refuted;
        // An entry without a place is a part of the question without an answer.
        let mut told = self.run.undefined.iter();
        let asked = self.run.defined.is_none() && told.all(|u| u.line.is_none());
        if !refutes || !asked || self.asked.reach {
            return;
        }
        self.answer.holds = Holds::Unknown;
        self.answer.verdict = Verdict::Unknown;
        self.answer.evidence = None;
        self.answer.reason = Some(UNANSWERED.into());
    }

    /// Whether a violation was taken back because it rests on undefined behaviour: a greater bound may have another run.
    pub fn is_doubted(&self) -> bool {
        let rests = self.run.defined != Some(true) && !self.run.undefined.is_empty();
        self.answer.verdict == Verdict::Unknown && self.answer.holds == Holds::Unknown && rests
    }

    /// Whether a violation says no more than a result at a smaller bound that was taken back: of no run is it known that it does
    /// nothing undefined, because the check had no time.
    pub fn is_no_better_than(&self, before: &PropertyResult) -> bool {
        let unchecked = self.run.defined != Some(true) && self.answer.verdict.is_violation();
        unchecked && before.is_doubted()
    }

    /// Whether the verdict is the expected one, if the specification expects one.
    pub fn as_expected(&self) -> Option<bool> {
        let expected = self.asked.expect?;
        let fits = |values: [ltl::B4; 2]| values.into_iter().any(|v| expected.holds(v));
        Some(match (self.answer.verdict.value(), self.answer.holds) {
            (Some(value), _) => expected.holds(value),
            // A proof has no verdict of a run.
            (None, Holds::Proved) => fits([ltl::B4::True, ltl::B4::PresumablyTrue]),
            (None, Holds::Refuted) => fits([ltl::B4::False, ltl::B4::PresumablyFalse]),
            (None, Holds::Unknown) => false,
        })
    }
}

/// The kind of run that a verdict rests on (docs/semantics.md, "The end of a run, and prefixes").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// A complete run.
    Ended,
    /// A run that was cut at a bound.
    Prefix,
    /// A run that repeats a loop for ever.
    Lasso,
    /// All runs to their ends: none violates the formula.
    Complete,
    /// Invariants of the program's loops.
    Induction,
    /// Invariants, and ranking functions that decrease along infinite runs.
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

/// The argument of an answer for runs of any length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rests {
    /// Conditions in C that hold at heads of loops, each after its loop's place.
    pub invariants: Vec<String>,
    /// Ranking functions, with the places where they decrease.
    pub ranking: Vec<String>,
    /// The k of the induction.
    pub k: u32,
    /// For a violation along which no state repeats: how inputs are chosen, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<String>,
    /// The states of the program, if all of them were visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explored: Option<Visited>,
    /// Whether it is an argument about the program without the computations that nothing depends on (program slicing).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sliced: bool,
}

/// The size of a search of all states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visited {
    /// States at heads of loops, and ends of runs.
    pub states: u64,
    /// Steps between them.
    pub steps: u64,
    /// The greatest distance of a state from the start, in steps; 0 if the search ended before it was known.
    pub depth: u64,
    /// The memory of the search, in KiB.
    pub memory_kib: Option<u64>,
}

/// A part of a formula that the answer does not depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacuous {
    /// The part, as the tool prints it.
    pub what: String,
    /// Why, in words.
    pub because: String,
    /// Whether the part has one value alone in all runs, which is told even where the formula would not hold with
    /// another value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub constant: bool,
}

/// An area that explored runs enter, while none reaches its exit label from there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeverLeft {
    /// The proposition.
    pub what: String,
    /// The exit label.
    pub label: String,
}

/// Where explored runs were cut.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cuts {
    /// Whether some explored run ended other than at a bound.
    pub some_end: bool,
    /// The loops and recursions at whose bounds runs were cut; empty if they are too many to ask for each.
    pub at: Vec<CutPlace>,
}

/// A place at which runs were cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutPlace {
    /// What was followed up to a bound, in words.
    pub what: String,
    /// File.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Function.
    pub function: String,
}

/// The verdict at one bound of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtBound {
    /// The bound.
    pub unwind: u32,
    /// The verdict there.
    pub verdict: Verdict,
}

/// A proposition in the form for readers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposition {
    /// Its name in the formula.
    pub name: String,
    /// Its meaning: condition or function, area, default. May be empty.
    pub meaning: String,
}

/// The answer to one question: does some run end with this value of the lattice?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelResult {
    /// The value.
    pub level: Verdict,
    /// Whether some run ends with the value; `None` if there is no answer.
    pub reachable: Option<bool>,
    /// Wall-clock seconds of the run that answered; equal for levels that were asked together.
    pub seconds: f64,
    /// Greatest resident size of that run, in KiB.
    pub max_rss_kib: Option<u64>,
    /// Why there is no answer.
    pub reason: Option<String>,
}
