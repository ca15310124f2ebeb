//! Violations along which no state repeats: a counter grows, a clock runs.
//!
//! A recurrence set (Gupta, Henzinger, Majumdar, Rybalchenko & Xu, POPL 2008) is a set of states
//! from which the program can go on violating for ever. The search uses the machinery of proofs: a
//! *strategy* chooses the inputs, and if every run under it satisfies the negation of the formula,
//! the invariants of the loops are such a set. A program that discards no run has a run under each
//! strategy, and that run violates the formula.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use backend::{Backend, Cancel, OtherFailure, OtherKind};
use induction::Hints;
use weave::record::{Record, SiteEvent};
use weave::{AT_ONCE, GOES_ON};

use super::{prove, Limits, Outcome, Proof, Task};
use crate::job::job_for;
use crate::result::{TraceStep, Verdict};

/// The variable that counts the inputs of a strategy.
const STEP: &str = "ba_inputs";
/// The site that asks a strategy: the name is not that of the monitor's own variable, whose values are steps of traces.
const SITE: &str = "ba_asks";
/// The greatest number of inputs that are fixed one by one.
const LONGEST: usize = 20;
/// Constants that are tried for all inputs, besides those of the program.
const CONSTANTS: [i64; 4] = [0, 1, i32::MAX as i64, -1];
/// The visits of heads that are followed before what is repeated for ever: a run has to get there.
const SKIPS: u32 = 100;
/// The fraction (1/PART) of the questions for one strategy.
const PART: u32 = 6;
/// The greatest number of the program's constants that are tried.
const MOST: usize = 4;

/// A choice of inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategy {
    /// The first inputs in order.
    pub first: Vec<i128>,
    /// The values of later inputs, by site.
    pub sites: BTreeMap<u32, i128>,
    /// The value of all other inputs; `None` for any value.
    pub then: Option<i64>,
    /// The first visits of heads that are followed: what holds behind them need not hold before.
    pub skips: u32,
}

impl Strategy {
    /// One value for each input.
    fn constant(value: i64) -> Strategy {
        Strategy {
            then: Some(value),
            ..Strategy::default()
        }
    }

    /// The same strategy for what is behind a beginning of the run that is followed.
    fn later(&self) -> Strategy {
        Strategy {
            skips: SKIPS,
            ..self.clone()
        }
    }

    /// The strategy in words, for a report.
    pub fn words(&self) -> String {
        let list = |all: &[i128]| {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            all.join(", ")
        };
        let mut parts = Vec::new();
        if !self.first.is_empty() {
            parts.push(format!("with {} for the first inputs", list(&self.first)));
        }
        if !self.sites.is_empty() {
            parts.push("with the same values again and again".to_string());
        }
        match self.then {
            Some(value) => parts.push(format!("with {value} for each input")),
            None if parts.is_empty() => parts.push("whatever the inputs are".into()),
            None => {}
        }
        let words = parts.join(", then ");
        match self.skips {
            0 => words,
            skips => format!("{words}, and what is listed holds after {skips} visits of loops"),
        }
    }

    /// The program with its inputs chosen by the strategy.
    pub fn applied(&self, text: &str) -> String {
        if *self == Strategy::default() {
            return text.to_owned();
        }
        let literal = |value: i128| format!("(long long){value}{}", suffix(value));
        let mut body = String::new();
        if !self.first.is_empty() {
            let case = |(i, value): (usize, &i128)| {
                format!("case {i}: {STEP} = {}; return {}; ", i + 1, literal(*value))
            };
            let cases: String = self.first.iter().enumerate().map(case).collect();
            body += &format!("switch ({STEP}) {{ {cases}}} ");
        }
        for (site, value) in &self.sites {
            body += &format!("if ({SITE} == {site}) return {}; ", literal(*value));
        }
        body += &match self.then {
            Some(value) => format!("return {}; ", literal(value.into())),
            None => "return nondet_ba_integer(); ".to_string(),
        };
        let front = format!(
            "long long nondet_ba_integer(void);\nstatic unsigned {STEP};\nstatic long long ba_strategy(unsigned {SITE}) {{ (void){SITE}; {body}}}\n#define BA_ANY(value) ba_strategy(ba_site)\n"
        );
        front + text
    }

    /// Hints from the program's text, and the values of the strategy's inputs: a variable that gets other values than constants may
    /// have one of them.
    fn suggests(&self, hints: &Hints) -> Hints {
        let values = self.sites.values().filter_map(|v| i64::try_from(*v).ok());
        let values: BTreeSet<i64> = values.chain(self.then).take(MOST).collect();
        let mut out = hints.clone();
        for name in &hints.open {
            let known = out.constants.entry(name.clone()).or_default();
            known.extend(values.iter().copied());
        }
        out
    }

    /// The variables that the strategy adds to the state, with the number of their values.
    pub fn state(&self) -> Vec<(String, usize)> {
        match self.first.len() {
            0 => Vec::new(),
            n => vec![(STEP.to_string(), n + 1)],
        }
    }
}

fn suffix(value: i128) -> &'static str {
    match i64::try_from(value) {
        Ok(_) => "LL",
        Err(_) => "ULL",
    }
}

/// Why this search does not apply; `None` if it does.
pub fn obstacle(task: &Task) -> Option<String> {
    const HARMLESS: [&str; 5] = [
        GOES_ON,
        AT_ONCE,
        "runs that `assume_abort_if_not` aborts",
        "any values come from: ",
        "functions without body that change nothing",
    ];
    let ends = |a: &&String| HARMLESS.iter().any(|start| a.starts_with(start));
    let assumptions = task.record.assumptions.iter();
    let other = assumptions.clone().find(|a| !ends(a));
    match (task.record.discards, other) {
        (true, _) => Some("the program discards runs, so that it may have none".into()),
        (_, Some(what)) => Some(format!("inputs are restricted: {what}")),
        _ => None,
    }
}

/// The sites that give inputs. Programs woven from the same text have them in the same order.
fn input_sites(record: &Record) -> Vec<u32> {
    let all = (0u32..).zip(&record.sites);
    all.filter(|(_, s)| s.event == SiteEvent::Input)
        .map(|(n, _)| n)
        .collect()
}

impl Strategy {
    /// The same strategy for another weaving of the same program.
    pub fn moved(&self, from: &Record, to: &Record) -> Strategy {
        let ways: BTreeMap<u32, u32> = input_sites(from).into_iter().zip(input_sites(to)).collect();
        let moved = |(site, value): (&u32, &i128)| Some((*ways.get(site)?, *value));
        Strategy {
            sites: self.sites.iter().filter_map(moved).collect(),
            ..self.clone()
        }
    }
}

/// The strategies, simplest first. `seen` is a run, of the program with that record, that has not
/// satisfied the formula yet.
pub fn strategies(task: &Task, seen: &[TraceStep], record: &Record) -> Vec<Strategy> {
    // A run that goes on for ever only with values that a function never returns is none.
    if !task.record.estimated.is_empty() {
        return Vec::new();
    }
    let mut out = vec![Strategy::default()];
    if !task.heads.own.choosers.iter().any(|c| c.numbers.is_none()) {
        out.push(out[0].later());
        return out;
    }
    let inputs = || seen.iter().filter_map(|s| s.input.as_ref());
    let first: Vec<i128> = inputs().map(|i| i.value).take(LONGEST).collect();
    let last = |i: &crate::result::Input| Some((i.site?, i.value));
    let sites: BTreeMap<u32, i128> = inputs().filter_map(last).collect();
    if !sites.is_empty() {
        let again = Strategy {
            sites,
            ..Strategy::default()
        }
        .moved(record, &task.record);
        let after = Strategy {
            first: first.clone(),
            ..again.clone()
        };
        let repeated = Strategy {
            then: Some(0),
            ..again.later()
        };
        // What is behind a beginning is decided soon.
        out.push(repeated);
        out.extend([0, 1].map(|value| Strategy::constant(value).later()));
        out.extend([again, after]);
    }
    // Behind the first letter at which the formula is open, no further input may be needed.
    let open = |s: &TraceStep| s.verdict == Some(Verdict::PRESUMABLY_FALSE);
    if let Some(at) = seen.iter().position(open) {
        let inputs = seen[..at].iter().filter_map(|s| s.input.as_ref());
        let short: Vec<i128> = inputs.map(|i| i.value).take(LONGEST).collect();
        if !short.is_empty() && short.len() < first.len() {
            out.extend([Some(0), None].map(|then| Strategy {
                first: short.clone(),
                then,
                ..Strategy::default()
            }));
        }
    }
    let own: BTreeSet<i64> = task.hints.constants.values().flatten().copied().collect();
    let own = own.into_iter().filter(|c| !CONSTANTS.contains(c));
    let all = CONSTANTS.into_iter().chain(own.take(MOST));
    let all: Vec<Strategy> = all.map(Strategy::constant).collect();
    out.extend(all.iter().map(Strategy::later));
    out.extend(all);
    if !first.is_empty() {
        out.extend([None, Some(0), Some(1)].map(|then| Strategy {
            first: first.clone(),
            then,
            ..Strategy::default()
        }));
    }
    distinct(out)
}

/// Each strategy once, where it comes first.
fn distinct(all: Vec<Strategy>) -> Vec<Strategy> {
    let mut out = Vec::new();
    for strategy in all {
        if !out.contains(&strategy) {
            out.push(strategy);
        }
    }
    out
}

/// The result of the search.
#[derive(Default)]
pub struct Recurrence {
    /// The strategy under which every run violates the formula, and the proof of it.
    pub found: Option<(Strategy, Proof)>,
    /// Why the run under another strategy is none of the program's: what it does that C leaves undefined, and where.
    pub undefined: Option<String>,
}

/// Looks for a violation under each strategy in turn, in a program with the monitor of the
/// negation. `each` is the time limit of one strategy, which also has its part of the questions. A strategy under which a
/// run may do something undefined shows nothing.
pub fn search(
    task: &Task,
    strategies: &[Strategy],
    backend: &dyn Backend,
    limits: &Limits,
    each: Duration,
    cancel: &Cancel,
) -> Recurrence {
    let mut all = Recurrence::default();
    for strategy in strategies {
        let now = Instant::now();
        if cancel.is_cancelled() || limits.until.is_some_and(|u| u <= now) {
            return all;
        }
        let task = Task {
            text: strategy.applied(&task.text),
            skips: strategy.skips,
            added: strategy.state(),
            hints: strategy.suggests(&task.hints),
            ..task.clone()
        };
        let limits = limits.part(PART, now + each);
        if let (Outcome::Proved(proof), _) = prove(&task, backend, &limits, cancel, &|_| {}) {
            match undefined(&task, &proof, backend, &limits, cancel) {
                None => {
                    all.found = Some((strategy.clone(), *proof));
                    return all;
                }
                Some(why) => all.undefined = all.undefined.or(Some(why)),
            }
        }
    }
    all
}

/// What a run from the states of the argument may do that C leaves undefined, with the place, or why that is not known;
/// `None` if nothing. The model checker's own checks are decided for one step from the invariants, as those are.
fn undefined(
    task: &Task,
    proof: &Proof,
    backend: &dyn Backend,
    limits: &Limits,
    cancel: &Cancel,
) -> Option<String> {
    const UNKNOWN: &str = "whether its run does something undefined is not known";
    let Some(certificate) = &proof.certificate else {
        return Some(UNKNOWN.to_owned());
    };
    let path = task.directory.join(CHECKED);
    let text = certificate.text(&task.text, &serde_json::Value::Null);
    let mut job = match std::fs::write(&path, text) {
        Ok(()) => job_for(&task.record, path),
        Err(error) => return Some(format!("{UNKNOWN}: {error}")),
    };
    job.unwind = Some(certificate.unwind);
    job.memory_mib = limits.memory_mib;
    let left = limits
        .until
        .map(|until| until.saturating_duration_since(Instant::now()));
    job.timeout = [limits.timeout, left].into_iter().flatten().min();
    job.safety = true;
    let answer = match backend.run(&job, cancel).result {
        Ok(answer) if answer.undecided.is_empty() && answer.rest.is_none() => answer,
        Ok(_) => return Some(UNKNOWN.to_owned()),
        Err(failure) => return Some(format!("{UNKNOWN}: {failure}")),
    };
    // What a recursive function does behind a call of itself is asked for any result of that call, but in a run that
    // goes deeper for ever it does not return.
    let entries = certificate.system.cuts.iter();
    let recursive: BTreeSet<&str> = entries
        .filter_map(|cut| cut.entry.as_ref().map(|entry| entry.name.as_str()))
        .collect();
    let own = |f: &&OtherFailure| {
        let file = f.location.file.as_deref().unwrap_or_default();
        let function = f.location.function.as_deref().unwrap_or_default();
        let counts = !file.ends_with(CHECKED) && !recursive.contains(function);
        f.kind == OtherKind::Program && counts
    };
    let failure = answer.other_failures.iter().find(own)?;
    let line = failure.location.line.unwrap_or_default();
    let file = failure.location.file.as_deref().unwrap_or_default();
    Some(format!("only by {} at {file}:{line}", failure.text))
}

/// The file in which the model checker's own checks are decided.
const CHECKED: &str = "defined.c";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_takes_the_place_of_choices() {
        let strategy = Strategy {
            first: vec![3, -7_000_000_000],
            sites: BTreeMap::from([(4, 9)]),
            then: Some(1),
            skips: 0,
        };
        let program = "int ba_given = BA_ANY(nondet_ba_int());";
        let text = strategy.applied(program);
        let (front, rest) = text.rsplit_once('\n').unwrap_or_default();
        assert_eq!(rest, program);
        assert!(front.ends_with("#define BA_ANY(value) ba_strategy(ba_site)"));
        assert!(front.contains(
            "switch (ba_inputs) { case 0: ba_inputs = 1; return (long long)3LL; case 1: ba_inputs = 2; return (long long)-7000000000LL; } \
             if (ba_asks == 4) return (long long)9LL; return (long long)1LL;"
        ), "{front}");
        assert_eq!(strategy.state(), [("ba_inputs".to_string(), 3)]);
        assert_eq!(Strategy::default().applied(program), program);
    }
}
