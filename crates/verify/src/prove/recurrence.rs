//! Violations along which no state repeats: a counter grows, a clock goes on.
//!
//! A recurrence set (Gupta, Henzinger, Majumdar, Rybalchenko & Xu, POPL 2008) is a set of states from which
//! the program can go on violating for ever. It is looked for with the machinery of proofs: inputs are
//! chosen by a *strategy*, and if every run of the program under it satisfies the negation of the formula, the invariants of its
//! loops are such a set. A program that discards no run has a run under each strategy, so
//! that one violates the formula.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use backend::{Backend, Cancel};

use super::{prove, Limits, Outcome, Proof, Task};
use crate::result::TraceStep;

/// The variable that counts the inputs of a strategy.
const STEP: &str = "ba_inputs";
/// Inputs that are followed one by one, at most.
const LONGEST: usize = 20;
/// Constants that are tried for all inputs, beside those of the program.
const CONSTANTS: [i64; 4] = [0, 1, i32::MAX as i64, -1];
/// Constants of the program that are tried, at most.
const MOST: usize = 4;

/// How inputs are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strategy {
    /// The first inputs, in their order.
    pub first: Vec<i128>,
    /// What all others are; nothing if they may be anything.
    pub then: Option<i64>,
}

impl Strategy {
    /// In words, for a report.
    pub fn words(&self) -> String {
        let first: Vec<String> = self.first.iter().map(ToString::to_string).collect();
        match (first.is_empty(), self.then) {
            (true, None) => "whatever the inputs are".into(),
            (true, Some(value)) => format!("with {value} for each input"),
            (false, None) => format!(
                "with {} for the first inputs, whatever follows",
                first.join(", ")
            ),
            (false, Some(value)) => format!(
                "with {} for the first inputs, and then {value} for each",
                first.join(", ")
            ),
        }
    }

    /// The declaration in front of the program.
    pub fn declaration(&self) -> String {
        match self.first.is_empty() {
            true => String::new(),
            false => format!("static unsigned {STEP};\n"),
        }
    }

    /// Definitions of the functions that give inputs, behind the program.
    pub fn definitions(&self, inputs: &[String]) -> String {
        if self.first.is_empty() && self.then.is_none() {
            return String::new();
        }
        let cases: String = self
            .first
            .iter()
            .enumerate()
            .map(|(i, value)| {
                format!(
                    "case {i}: {STEP} = {}; return (__typeof__(ba_given())){value}{}; ",
                    i + 1,
                    suffix(*value)
                )
            })
            .collect();
        inputs
            .iter()
            .map(|name| {
                let switch = match cases.is_empty() {
                    true => String::new(),
                    false => {
                        format!("switch ({STEP}) {{ {} }} ", cases.replace("ba_given", name))
                    }
                };
                let last = match self.then {
                    Some(value) => format!("{value}{}", suffix(value.into())),
                    None => "nondet_ba_integer()".into(),
                };
                format!("\n__typeof__({name}()) {name}(void) {{ {switch}return (__typeof__({name}())){last}; }}")
            })
            .collect()
    }

    /// The variables that it adds to the state, with the number of their values.
    pub fn state(&self) -> Vec<(String, usize)> {
        match self.first.len() {
            0 => Vec::new(),
            n => vec![(STEP.to_string(), n + 1)],
        }
    }
}

fn suffix(value: i128) -> &'static str {
    match i32::try_from(value) {
        Ok(_) => "",
        Err(_) if i64::try_from(value).is_ok() => "LL",
        Err(_) => "ULL",
    }
}

/// Where a violation without a repeated state is looked for.
pub struct Field {
    /// The program with the monitor of the negation.
    pub task: Task,
    /// The functions without parameters whose results are inputs.
    pub inputs: Vec<String>,
}

/// Why no violation is looked for in this way; nothing if it is.
pub fn obstacle(task: &Task) -> Option<String> {
    let ends = |a: &&String| a.starts_with("runs that `assume_abort_if_not` aborts");
    let assumptions = task.record.assumptions.iter();
    let other = assumptions.clone().find(|a| !ends(a));
    match (task.record.discards, other) {
        (true, _) => Some("the program discards runs, so that it may have none".into()),
        (_, Some(what)) => Some(format!("inputs are restricted: {what}")),
        _ => None,
    }
}

/// The strategies, simplest first. `seen` is a run that has not satisfied the formula yet.
pub fn strategies(field: &Field, seen: &[TraceStep]) -> Vec<Strategy> {
    let mut out = vec![Strategy::default()];
    if field.inputs.is_empty() {
        return out;
    }
    let constants: BTreeSet<i64> = field
        .task
        .hints
        .constants
        .values()
        .flatten()
        .copied()
        .collect();
    let mut all: Vec<i64> = CONSTANTS.to_vec();
    let own = constants.into_iter().filter(|c| !CONSTANTS.contains(c));
    all.extend(own.take(MOST));
    let first: Vec<i128> = given(field, seen);
    let last = first.last().and_then(|v| i64::try_from(*v).ok());
    if !first.is_empty() {
        let ways = [last, None, Some(0), Some(1)];
        let mut known = BTreeSet::new();
        let ways = ways.into_iter().filter(|w| known.insert(*w));
        let one = ways.map(|then| Strategy {
            first: first.clone(),
            then,
        });
        out.extend(one);
    }
    let at = out.len().min(2);
    let simple = all.into_iter().map(|value| Strategy {
        first: Vec::new(),
        then: Some(value),
    });
    out.splice(at..at, simple);
    out
}

/// The inputs of a run, if all are results of the functions that strategies define.
fn given(field: &Field, seen: &[TraceStep]) -> Vec<i128> {
    let inputs = seen.iter().filter_map(|s| s.input.as_ref());
    let known = inputs
        .clone()
        .all(|i| i.site.is_none() && field.inputs.contains(&i.name));
    match known {
        true => inputs.map(|i| i.value).take(LONGEST).collect(),
        false => Vec::new(),
    }
}

/// Looks for a violation under the strategies in turn. `each` is the time that one may take.
pub fn search(
    field: &Field,
    strategies: &[Strategy],
    backend: &dyn Backend,
    limits: &Limits,
    each: Duration,
    cancel: &Cancel,
) -> Option<(Strategy, Proof)> {
    for strategy in strategies {
        let now = Instant::now();
        if cancel.is_cancelled() || limits.until.is_some_and(|u| u <= now) {
            return None;
        }
        let until = [limits.until, Some(now + each)].into_iter().flatten().min();
        let task = Task {
            declarations: strategy.declaration(),
            definitions: strategy.definitions(&field.inputs),
            added: strategy.state(),
            ..field.task.clone()
        };
        let limits = Limits {
            until,
            ..limits.clone()
        };
        if let (Outcome::Proved(proof), _) = prove(&task, backend, &limits, cancel, &|_| {}) {
            return Some((strategy.clone(), *proof));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_is_a_definition_of_each_input() {
        let strategy = Strategy {
            first: vec![3, -7_000_000_000],
            then: Some(1),
        };
        let text = strategy.definitions(&["f".into()]);
        assert_eq!(
            text,
            "\n__typeof__(f()) f(void) { switch (ba_inputs) { case 0: ba_inputs = 1; return (__typeof__(f()))3; \
             case 1: ba_inputs = 2; return (__typeof__(f()))-7000000000LL;  } return (__typeof__(f()))1; }"
        );
        assert_eq!(strategy.state(), [("ba_inputs".to_string(), 3)]);
        assert_eq!(Strategy::default().definitions(&["f".into()]), "");
    }
}
