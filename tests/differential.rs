//! Generated programs whose runs the oracle enumerates, against `verify` with CBMC: the same
//! verdict, and the same answer to whether a run was cut.
//!
//! `BAPRODUCT_CASES=20` checks twenty times as many; `BAPRODUCT_SEED=7` checks others.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::support::cbmc;
use crate::support::oracle::{self, Case, Generated};
use serde_json::Value;

/// Generates cases of a kind and verifies each; `extra` are options of `verify`.
fn agree(kind: &str, count: usize, seed: usize, extra: &[&str]) {
    let Some(generated) = generated(kind, count, seed, &[]) else {
        return;
    };
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for case in &generated.cases {
        seen.insert(case.expected["verdict"].to_string());
        wrong.extend(difference(&generated, case, &case.expected, extra));
    }
    check(kind, &generated, &wrong);
    assert!(seen.len() >= 2, "all cases have one verdict: {seen:?}");
}

/// Cases for CBMC; none where it or python3 is missing.
fn generated(kind: &str, count: usize, seed: usize, extra: &[&str]) -> Option<Generated> {
    cbmc().then(|| oracle::generate(kind, count, seed, extra))?
}

fn check(kind: &str, generated: &Generated, wrong: &[String]) {
    let seed = generated.seed;
    assert!(
        wrong.is_empty(),
        "{kind}, seed {seed}: {}",
        wrong.join("\n")
    );
}

/// What `verify` says otherwise than the oracle.
fn difference(
    generated: &Generated,
    case: &Case,
    expected: &Value,
    extra: &[&str],
) -> Option<String> {
    let got = case.verify(&generated.dir, extra);
    let complete = expected.get("complete").unwrap_or(&got["complete"]);
    let findings = got["findings"].as_array().into_iter().flatten();
    let deadlock = findings.filter(|f| f["kind"] == "deadlock").count() > 0;
    let same_ends = expected["deadlock"].as_bool().is_none_or(|d| d == deadlock);
    let same = got["verdict"] == expected["verdict"] && got["complete"] == *complete && same_ends;
    (!same).then(|| {
        format!(
            "{extra:?}: got {} (complete: {}, deadlock: {deadlock}, {}), {}",
            got["verdict"],
            got["complete"],
            got["reason"],
            case.told()
        )
    })
}

/// Generates threaded cases and explores each by 1, 2, 3 rounds: the verdict, and whether a run was cut,
/// is that of the oracle's runs of so many rounds.
fn agree_by_rounds(kind: &str, count: usize, seed: usize) {
    let Some(generated) = generated(kind, count, seed, &["--rounds", "3"]) else {
        return;
    };
    let mut wrong = Vec::new();
    for case in &generated.cases {
        for rounds in ["1", "2", "3"] {
            let schedules = format!("rounds:{rounds}");
            // Deadlocks are not what is compared here.
            let at = &case.expected["rounds"][rounds];
            wrong.extend(difference(
                &generated,
                case,
                at,
                &["--schedules", &schedules],
            ));
        }
    }
    check(kind, &generated, &wrong);
}

#[test]
fn threads_by_rounds() {
    agree_by_rounds("threads", 6, 2);
}

#[test]
fn threads_that_wait_by_rounds() {
    agree_by_rounds("waits", 6, 4);
}

#[test]
fn threads_that_share_their_code_by_rounds() {
    agree_by_rounds("crew", 4, 6);
}

#[test]
fn sequential_programs() {
    agree("sequential", 40, 1, &[]);
}

#[test]
fn threads() {
    agree("threads", 20, 2, &[]);
}

/// Pointers, arrays, structures, bit-fields and what may alias.
#[test]
fn memory() {
    agree("memory", 16, 4, &[]);
}

#[test]
fn threads_that_wait() {
    agree("waits", 20, 4, &[]);
}

/// Threads that share their code: several instances of areas, locks that are taken again, what is done
/// once, spins on locks, loops by `goto`, ends of the process in threads.
#[test]
fn threads_that_share_their_code() {
    agree("crew", 16, 6, &[]);
}

/// Areas of a recursive function, several of whose activations are in them when the run ends.
#[test]
fn recursive_functions_that_end_the_run() {
    agree("recursive", 20, 7, &[]);
}

/// Jumps out of functions, for which the program returns through them.
#[test]
fn jumps_out_of_functions() {
    agree("far", 20, 8, &[]);
}

#[test]
fn one_run_for_each_level() {
    agree("mixed", 8, 3, &["--levels", "separate"]);
}

/// Main loops with inputs, samples, discarded runs, labels to be reached and several properties: every
/// property has the verdict of the oracle.
#[test]
fn reactive_programs() {
    let Some(generated) = generated("inputs", 30, 4, &[]) else {
        return;
    };
    let mut seen = BTreeSet::new();
    for case in &generated.cases {
        let got = case.verify(&generated.dir, &[]);
        for property in got["properties"].as_array().unwrap() {
            let name = property["name"].as_str().unwrap();
            let wanted = &case.expected["verdicts"][name];
            assert_eq!(property["verdict"], *wanted, "{name}, {}", case.told());
            if wanted != "unknown" {
                let complete = &case.expected["complete"];
                assert_eq!(property["complete"], *complete, "{}", case.told());
            }
            seen.insert(wanted.to_string());
        }
    }
    assert!(seen.len() >= 4, "few verdicts occur: {seen:?}");
}
