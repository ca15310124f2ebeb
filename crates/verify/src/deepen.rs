//! Verification with growing bounds.
//!
//! With the bound the explored runs grow, and the verdict of a cut run may change: ⊥ᵖ and ⊤ᵖ
//! describe the word up to the cut. Morse et al. 2015 (section 5.3) describe verdicts that
//! alternate for ever; this module recognises such a sequence and reports its meaning.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use backend::{Backend, Cancel};
use weave::record::Record;

use crate::levels::verify;
use crate::result::{BackendInfo, Premises, PropertyResult, Verdict, VerifyResult};
use crate::run::{Options, Verification};

/// The first file of a woven program, and the files that are linked with it.
pub type Sources = (PathBuf, Vec<PathBuf>);

/// The source of the woven programs.
pub trait Programs {
    /// Gives a program with at least the monitors of these properties; called again when properties
    /// have been decided.
    ///
    /// # Errors
    /// Why there is no program, in words.
    fn program(&mut self, properties: &[String]) -> Result<(Record, Sources), String>;

    /// The results of an earlier run for some of these properties at a bound.
    fn known(&self, unwind: u32, properties: &[String]) -> Vec<PropertyResult>;

    /// Stores the results at a bound before the next bound starts.
    ///
    /// # Errors
    /// If the results cannot be stored, since they would be lost.
    fn found(&mut self, unwind: u32, properties: &[PropertyResult]) -> Result<(), String>;
}

/// How far to deepen.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The bounds in order; 1, 2, 3, … if the list is empty.
    pub bounds: Vec<u32>,
    /// The last of 1, 2, 3, …; `None` if only the time limit ends them.
    pub last: Option<u32>,
    /// Wall-clock time for all rounds together.
    pub budget: Option<Duration>,
}

/// Why deepening stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Every property is decided: no greater bound could change a verdict.
    Decided,
    /// The verdicts of all open properties alternate.
    Oscillating,
    /// The requested bounds are done.
    Bounds,
    /// The time budget is used up.
    Budget,
    /// There is no answer at this bound, so none is expected at greater ones; the reason.
    Unanswered(String),
    /// The user interrupted it.
    Cancelled,
}

impl Stop {
    /// The name of the reason in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Stop::Decided => "decided",
            Stop::Oscillating => "oscillating",
            Stop::Bounds => "bounds",
            Stop::Budget => "budget",
            Stop::Unanswered(_) => "unanswered",
            Stop::Cancelled => "cancelled",
        }
    }
}

/// The answers at one bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The bound.
    pub unwind: u32,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The result for the properties that were open.
    pub result: VerifyResult,
}

/// All rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Deepened {
    /// The rounds in order.
    pub rounds: Vec<Round>,
    /// The last result of each property, in the order of the first round, with its bound.
    pub properties: Vec<(u32, PropertyResult)>,
    /// Why deepening stopped.
    pub stop: Stop,
}

impl Deepened {
    /// The verdicts of a property, with their bounds.
    pub fn sequence(&self, property: &str) -> Vec<(u32, Verdict)> {
        let of = |round: &Round| {
            let found = round
                .result
                .properties
                .iter()
                .find(|p| p.asked.name == property)?;
            Some((round.unwind, found.answer.verdict))
        };
        self.rounds.iter().filter_map(of).collect()
    }
}

/// Whether no greater bound can change a property's verdict: some run violates the formula whatever
/// follows, every run (a cut one too, and each longer run extends one) satisfies it whatever
/// follows, or no run was cut.
pub fn is_decided(property: &PropertyResult) -> bool {
    match property.answer.verdict {
        Verdict::FALSE | Verdict::TRUE => true,
        Verdict::PRESUMABLY_FALSE | Verdict::PRESUMABLY_TRUE => {
            property.answer.complete == Some(true)
        }
        Verdict::Unknown => false,
    }
}

/// Whether a sequence of verdicts alternates between ⊥ᵖ and ⊤ᵖ. At least three changes count, so
/// that a sequence that settles late is not taken for an endless alternation.
pub fn oscillates(verdicts: &[Verdict]) -> bool {
    let presumed: Vec<Verdict> = verdicts
        .iter()
        .copied()
        .filter(|v| matches!(*v, Verdict::PRESUMABLY_FALSE | Verdict::PRESUMABLY_TRUE))
        .collect();
    presumed
        .windows(2)
        .filter(|pair| pair[0] != pair[1])
        .count()
        >= 3
}

/// The meaning of a sequence of verdicts in a sentence; `None` if there is nothing to say.
pub fn meaning(sequence: &[(u32, Verdict)]) -> Option<String> {
    let verdicts: Vec<Verdict> = sequence.iter().map(|(_, v)| *v).collect();
    if oscillates(&verdicts) {
        return Some(
            "the verdict goes back and forth with the bound: it depends on where runs are cut, so the formula is \
             neither refuted nor confirmed at any bound. The cut leaves an obligation open at some bounds and none at others; \
             runs go on for ever and keep raising and meeting it. Only an argument about infinite runs decides (--lasso)"
                .into(),
        );
    }
    let last = *verdicts.last()?;
    let same = verdicts.iter().rev().take_while(|v| **v == last).count();
    match last {
        Verdict::PRESUMABLY_FALSE | Verdict::PRESUMABLY_TRUE
            if same > 1 && same == verdicts.len() =>
        {
            Some(format!(
                "{} at all {same} bounds; runs that are cut may still change it",
                last.symbol()
            ))
        }
        Verdict::PRESUMABLY_FALSE | Verdict::PRESUMABLY_TRUE if same > 1 => Some(format!(
            "{} at the last {same} bounds; runs that are cut may still change it",
            last.symbol()
        )),
        _ => None,
    }
}

/// Verifies with growing bounds until no property is open. Calls `told` with each round.
///
/// Decided properties are not asked again. The last round gets at most the remaining budget.
///
/// # Errors
/// If `programs` gives no program.
pub fn deepen(
    programs: &mut dyn Programs,
    properties: &[String],
    backend: &dyn Backend,
    options: &Options,
    plan: &Plan,
    cancel: &Cancel,
    told: &mut dyn FnMut(&Round),
) -> Result<Deepened, String> {
    let start = Instant::now();
    let mut open = properties.to_vec();
    let mut out = Deepened {
        rounds: Vec::new(),
        properties: Vec::new(),
        stop: Stop::Bounds,
    };
    let bounds: Box<dyn Iterator<Item = u32>> = match plan.bounds.is_empty() {
        true => Box::new(1..=plan.last.unwrap_or(u32::MAX)),
        false => Box::new(plan.bounds.iter().copied()),
    };
    for unwind in bounds {
        let budget = plan.budget;
        let left = budget.map(|budget| budget.saturating_sub(start.elapsed()));
        if left.is_some_and(|left| left < Duration::from_millis(100)) {
            out.stop = Stop::Budget;
            break;
        }
        let options = Options {
            unwind: Some(unwind),
            timeout: [options.timeout, left].into_iter().flatten().min(),
            ..options.clone()
        };
        let began = Instant::now();
        let result = at(programs, &open, backend, &options, cancel)?;
        let round = Round {
            unwind,
            seconds: began.elapsed().as_secs_f64(),
            result,
        };
        told(&round);
        let decided = |name: &String| {
            let mut found = round.result.properties.iter();
            found.any(|p| p.asked.name == *name && is_decided(p))
        };
        open.retain(|name| !decided(name));
        keep(&mut out.properties, &round);
        let unanswered = unanswered(&round, &open);
        out.rounds.push(round);
        let over = plan.budget.is_some_and(|budget| start.elapsed() >= budget);
        let swings = |name: &String| {
            let verdicts: Vec<Verdict> = out.sequence(name).into_iter().map(|(_, v)| v).collect();
            oscillates(&verdicts)
        };
        out.stop = if open.is_empty() {
            Stop::Decided
        } else if cancel.is_cancelled() {
            Stop::Cancelled
        } else if over {
            Stop::Budget
        } else if let Some(reason) = unanswered {
            Stop::Unanswered(reason)
        } else if plan.bounds.is_empty() && open.iter().all(swings) {
            Stop::Oscillating
        } else {
            continue;
        };
        return Ok(out);
    }
    Ok(out)
}

/// The open properties at one bound: known results of an earlier run, the rest verified.
fn at(
    programs: &mut dyn Programs,
    open: &[String],
    backend: &dyn Backend,
    options: &Options,
    cancel: &Cancel,
) -> Result<VerifyResult, String> {
    let unwind = options.unwind.unwrap_or_default();
    let known = programs.known(unwind, open);
    let is_left = |name: &&String| !known.iter().any(|p| p.asked.name == **name);
    let left: Vec<String> = open.iter().filter(is_left).cloned().collect();
    let program = backend.program();
    let mut result = VerifyResult {
        backend: BackendInfo {
            name: program.kind.name().to_string(),
            version: program.version.to_string(),
            ..BackendInfo::default()
        },
        premises: Premises {
            unwind: Some(unwind),
            ..Premises::default()
        },
        ..VerifyResult::default()
    };
    if !left.is_empty() {
        let (record, (source, linked)) = programs.program(&left)?;
        let options = Options {
            linked,
            ..options.clone()
        };
        let asked = Verification {
            record: &record,
            source: &source,
            backend,
            options: &options,
            cancel,
        };
        result = verify(&asked, &|_| {});
        result.properties.retain(|p| left.contains(&p.asked.name));
        if !cancel.is_cancelled() {
            programs.found(unwind, &result.properties)?;
        }
    }
    result.properties.extend(known);
    let place = |p: &PropertyResult| open.iter().position(|name| *name == p.asked.name);
    result.properties.sort_by_key(place);
    Ok(result)
}

/// Updates the last result of each property; an unknown verdict at a greater bound replaces none.
fn keep(properties: &mut Vec<(u32, PropertyResult)>, round: &Round) {
    for result in &round.result.properties {
        let known = properties
            .iter_mut()
            .find(|(_, p)| p.asked.name == result.asked.name);
        match known {
            None => properties.push((round.unwind, result.clone())),
            Some(_) if result.answer.verdict == Verdict::Unknown && !result.is_doubted() => {}
            Some((_, known)) if result.is_no_better_than(known) => {}
            Some(known) => *known = (round.unwind, result.clone()),
        }
    }
}

/// The reason why no open property has an answer, if there is one.
fn unanswered(round: &Round, open: &[String]) -> Option<String> {
    let mut left = round
        .result
        .properties
        .iter()
        .filter(|p| open.contains(&p.asked.name));
    let reason = left.clone().find_map(|p| p.answer.reason.clone());
    let all = left.all(|p| p.answer.verdict == Verdict::Unknown && !p.is_doubted());
    // A program that reaches no end at this bound may reach one at a greater bound.
    reason.filter(|reason| all && !reason.contains("raise --unwind"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::{Answer, Asked};
    use Verdict::Unknown;

    const F: Verdict = Verdict::PRESUMABLY_FALSE;
    const T: Verdict = Verdict::PRESUMABLY_TRUE;
    const FALSE: Verdict = Verdict::FALSE;

    #[test]
    fn three_changes_are_an_oscillation() {
        assert!(oscillates(&[F, T, F, T]));
        assert!(oscillates(&[F, F, T, Unknown, T, F, F, T]));
        assert!(!oscillates(&[F, T, F]));
        assert!(!oscillates(&[F, F, F, T, T, T]));
        assert!(!oscillates(&[F, T, T, FALSE]));
    }

    #[test]
    fn a_value_is_decided_by_itself_or_by_completeness() {
        let property = |verdict, complete| {
            Asked::named("p", "G p").answered(Answer {
                verdict,
                complete,
                ..Answer::default()
            })
        };
        assert!(is_decided(&property(FALSE, Some(false))));
        assert!(is_decided(&property(Verdict::TRUE, None)));
        assert!(is_decided(&property(F, Some(true))));
        assert!(!is_decided(&property(T, Some(false))));
        assert!(!is_decided(&property(T, None)));
        assert!(!is_decided(&property(Unknown, Some(true))));
    }

    #[test]
    fn sequences_have_their_meaning() {
        let numbered = |verdicts: &[Verdict]| {
            (1..)
                .zip(verdicts.iter().copied())
                .collect::<Vec<(u32, Verdict)>>()
        };
        assert!(meaning(&numbered(&[F, T, F, T])).is_some_and(|m| m.contains("back and forth")));
        assert!(meaning(&numbered(&[F, T, T])).is_some_and(|m| m.contains("the last 2 bounds")));
        assert_eq!(meaning(&numbered(&[FALSE])), None);
    }
}
