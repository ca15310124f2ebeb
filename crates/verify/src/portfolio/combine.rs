//! The one rule by which answers are combined.

use super::Answered;
use crate::result::{
    Engine, Evidence, Holds, PropertyResult, Schedules, Tried, Verdict, VerifyResult,
};
use std::collections::BTreeSet;
use std::time::Duration;

/// One engine has a proof and another a violation of the same property: an error of this tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{property} is proved by {proved} and refuted by {refuted}: this is an error of baproduct, please report it")]
pub struct Contradiction {
    /// The property.
    pub property: String,
    /// The engine with the proof.
    pub proved: Engine,
    /// The engine with the violation.
    pub refuted: Engine,
}

/// The answer of all engines: each property has the answer of the engine that decided it, else the best that there is.
/// What the answers rest on is that of the engines whose answers these are. Engines with an error only add to what was
/// tried.
///
/// # Errors
/// The outer one is the first engine's, if none has a result.
pub fn combined<E: std::fmt::Display>(
    answered: Vec<Answered<E>>,
) -> Result<Result<VerifyResult, Contradiction>, Option<E>> {
    let mut results: Vec<VerifyResult> = Vec::new();
    let mut tried: Vec<Tried> = Vec::new();
    let mut first_error = None;
    for one in answered {
        let seconds = one.took.as_secs_f64();
        match one.result {
            Ok(result) => results.push(told(result, one.engine, seconds)),
            Err(error) => {
                tried.push(Tried {
                    engine: one.engine,
                    said: error.to_string(),
                    seconds,
                });
                first_error = first_error.or(Some(error));
            }
        }
    }
    let Some(first) = results.first() else {
        return Err(first_error);
    };
    let mut properties = Vec::new();
    let mut winners = BTreeSet::new();
    for asked in &first.properties {
        match best(&results, &asked.asked.name) {
            Ok(Some((winner, mut property))) => {
                winners.insert(winner);
                property.answer.tried.extend(tried.iter().cloned());
                property.answer.settle();
                properties.push(property);
            }
            Ok(None) => {}
            Err(contradiction) => return Ok(Err(contradiction)),
        }
    }
    Ok(Ok(joined(results, &winners, properties)))
}

/// The best answer about a property, and the number of its result.
fn best(
    results: &[VerifyResult],
    name: &str,
) -> Result<Option<(usize, PropertyResult)>, Contradiction> {
    let mut best: Option<(usize, PropertyResult)> = None;
    for (number, result) in results.iter().enumerate() {
        let Some(property) = result.properties.iter().find(|p| p.asked.name == name) else {
            continue;
        };
        best = Some(match best {
            None => (number, property.clone()),
            Some((before, known)) => {
                let (later, property) = better(known, property.clone())?;
                (if later { number } else { before }, property)
            }
        });
    }
    Ok(best)
}

/// One result with these answers, which are those of some results; all of them count for costs and findings.
fn joined(
    results: Vec<VerifyResult>,
    winners: &BTreeSet<usize>,
    properties: Vec<PropertyResult>,
) -> VerifyResult {
    let mut all = results.into_iter().enumerate();
    let Some((first, mut whole)) = all.next() else {
        return VerifyResult::default();
    };
    whole.properties = properties;
    let mut has_premises = winners.contains(&first) || winners.is_empty();
    for (number, other) in all {
        whole.backend.runs += other.backend.runs;
        whole.backend.seconds += other.backend.seconds;
        add(&mut whole.findings, other.findings);
        whole.exhausted |= other.exhausted;
        match (has_premises, winners.contains(&number)) {
            (_, false) => {}
            (false, true) => {
                whole.premises = other.premises;
                whole.warnings = other.warnings;
                has_premises = true;
            }
            (true, true) => {
                add(&mut whole.premises.assumptions, other.premises.assumptions);
                add(&mut whole.premises.rests_on, other.premises.rests_on);
                whole.premises.unwind = whole.premises.unwind.max(other.premises.unwind);
                whole.premises.schedules = whole.premises.schedules.or(other.premises.schedules);
                add(&mut whole.warnings, other.warnings);
            }
        }
    }
    whole
}

/// Results about different properties as one, in this order of the properties.
pub fn beside(results: Vec<VerifyResult>, order: &[String]) -> VerifyResult {
    let mut properties: Vec<PropertyResult> = results
        .iter()
        .flat_map(|r| r.properties.iter().cloned())
        .collect();
    let place = |p: &PropertyResult| order.iter().position(|name| *name == p.asked.name);
    properties.sort_by_key(place);
    let all = (0..results.len()).collect();
    joined(results, &all, properties)
}

/// The answer of an engine that was asked alone.
pub fn alone(engine: Engine, took: Duration, result: VerifyResult) -> VerifyResult {
    let mut result = told(result, engine, took.as_secs_f64());
    for property in &mut result.properties {
        property.answer.settle();
    }
    result
}

/// The result of one engine, with its name at each property.
fn told(mut result: VerifyResult, engine: Engine, seconds: f64) -> VerifyResult {
    let rounds = matches!(result.premises.schedules, Some(Schedules::Rounds(_)));
    for property in &mut result.properties {
        property.doubt();
        let by = decider(property, engine, rounds);
        if property.answer.holds != Holds::Unknown {
            property.answer.decided_by = Some(by);
        }
        let open = property.answer.holds == Holds::Unknown;
        if !open || property.answer.tried.is_empty() {
            let said = said(property);
            if open && said.is_empty() {
                continue;
            }
            // Other properties may have taken it longer.
            let mut own = property.answer.tried.iter();
            let own = own.find(|tried| tried.engine == by);
            let seconds = own.map_or(seconds, |tried| tried.seconds);
            property
                .answer
                .tried
                .retain(|tried| tried.engine != by && !tried.said.is_empty());
            property.answer.tried.push(Tried {
                engine: by,
                said,
                seconds,
            });
        }
    }
    result
}

/// The engine whose argument an answer has.
fn decider(property: &PropertyResult, engine: Engine, rounds: bool) -> Engine {
    let answer = &property.answer;
    let explored = answer.proof.as_ref().is_some_and(|p| p.explored.is_some());
    match (engine, answer.evidence) {
        (Engine::Bounded, _) if rounds => Engine::Rounds,
        (Engine::Steps, Some(Evidence::Induction | Evidence::Ranking)) if !explored => {
            Engine::Induction
        }
        (Engine::Bounded | Engine::Rounds | Engine::Lasso | Engine::Steps, _) => engine,
        _ if explored => Engine::Explicit,
        (_, Some(Evidence::Lasso)) => Engine::Lasso,
        (_, Some(Evidence::Ended | Evidence::Prefix | Evidence::Complete)) => Engine::Bounded,
        _ => engine,
    }
}

/// What an engine said of a property, in a few words.
fn said(property: &PropertyResult) -> String {
    let answer = &property.answer;
    match (answer.holds, answer.verdict) {
        (Holds::Proved | Holds::Refuted, _) => answer.holds.name().to_owned(),
        (Holds::Unknown, Verdict::Unknown) => answer.reason.clone().unwrap_or_default(),
        (Holds::Unknown, verdict) => match answer.complete {
            Some(false) => format!("{verdict}, but runs were cut"),
            _ => format!("{verdict}, but not of all runs"),
        },
    }
}

/// Adds what is not there yet.
pub(super) fn add<T: PartialEq>(all: &mut Vec<T>, more: Vec<T>) {
    for item in more {
        if !all.contains(&item) {
            all.push(item);
        }
    }
}

/// The better of two answers about one property: one that decides it for good, with a run; else one with a verdict,
/// which tells of runs up to a bound, the greater one; else the first. Also tells whether it is the second. What was tried is kept
/// of both.
fn better(
    first: PropertyResult,
    second: PropertyResult,
) -> Result<(bool, PropertyResult), Contradiction> {
    let engine = |p: &PropertyResult| p.answer.decided_by.unwrap_or(Engine::Bounded);
    let contradiction = |proved: &PropertyResult, refuted: &PropertyResult| Contradiction {
        property: proved.asked.name.clone(),
        proved: engine(proved),
        refuted: engine(refuted),
    };
    let mut tried = first.answer.tried.clone();
    for later in &second.answer.tried {
        match tried.iter_mut().find(|t| t.engine == later.engine) {
            // The same engine, at greater bounds.
            Some(earlier) => {
                earlier.said.clone_from(&later.said);
                earlier.seconds += later.seconds;
            }
            None => tried.push(later.clone()),
        }
    }
    let rank = |p: &PropertyResult| {
        let decided = p.answer.holds != Holds::Unknown;
        // What was decided by another engine first may have no run.
        let shown = p.answer.holds == Holds::Refuted && !p.run.trace.is_empty();
        let bound = p.answer.unwind;
        (
            decided,
            shown,
            p.answer.verdict != Verdict::Unknown,
            bound.filter(|_| !decided),
        )
    };
    match (first.answer.holds, second.answer.holds) {
        (Holds::Proved, Holds::Refuted) => return Err(contradiction(&first, &second)),
        (Holds::Refuted, Holds::Proved) => return Err(contradiction(&second, &first)),
        _ => {}
    }
    let later = rank(&second) > rank(&first);
    let (mut winner, loser) = match later {
        true => (second, first),
        false => (first, second),
    };
    let (verdict, reason) = (loser.answer.verdict, loser.answer.reason);
    if winner.answer.holds == Holds::Proved && winner.answer.verdict == Verdict::Unknown {
        // A bounded search has seen what words the runs have.
        winner.answer.verdict = verdict;
    }
    if winner.answer.holds == Holds::Unknown {
        winner.answer.proof = winner.answer.proof.or(loser.answer.proof);
        winner.answer.reason = winner.answer.reason.or(reason);
    }
    if winner.asked.propositions.is_empty() {
        winner.asked = crate::result::Asked {
            expect: winner.asked.expect.or(loser.asked.expect),
            ..loser.asked
        };
    }
    winner.answer.tried = tried;
    Ok((later, winner))
}
