//! Generated programs whose runs the oracle enumerates, against `verify` with CBMC: both must agree
//! on the verdict and on whether a run was cut.
//!
//! `BAPRODUCT_CASES=20` checks twenty times as many programs; `BAPRODUCT_SEED=7` checks other
//! programs.
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

/// Generates cases for CBMC; `None` if CBMC or python3 is missing.
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

/// The difference between `verify` and the oracle, if there is one.
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

/// Generates threaded cases and explores each with 2 rounds, or with 1, 2 and 3 if thorough: the verdict, and whether a
/// run was cut, must be those of the oracle for as many rounds.
fn agree_by_rounds(kind: &str, count: usize, seed: usize) {
    let Some(generated) = generated(kind, count, seed, &["--rounds", "3"]) else {
        return;
    };
    let mut wrong = Vec::new();
    for case in &generated.cases {
        for rounds in crate::support::sample(["2", "1", "3"], 3) {
            let schedules = format!("rounds:{rounds}");
            // Deadlocks are not compared here.
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

/// Generates programs of endless threads and searches their infinite runs for each kind of
/// fairness: every run that is found must be one of the oracle's, and most of the oracle's must be
/// found.
fn agree_on_fairness(count: usize, seed: usize) {
    let Some(generated) = generated("fair", count, seed, &[]) else {
        return;
    };
    let (mut wrong, mut missed, mut found) = (Vec::new(), Vec::new(), 0);
    for case in &generated.cases {
        for fairness in ["none", "weak", "strong"] {
            let args = ["--lasso", "--schedules", "rounds:4", "--fairness", fairness];
            let got = case.verify_at(&generated.dir, "1", &args);
            let told = || format!("{fairness}: {}", case.told());
            assert_ne!(got["verdict"], "unknown", "{}: {}", got["reason"], told());
            let evidence = &got["properties"][0]["evidence"];
            match (evidence == "lasso", case.expected[fairness] == true) {
                (true, true) => found += 1,
                (true, false) => wrong.push(told()),
                // A prefix that no continuation can repair is just as good.
                (false, true) if got["verdict"] != "false" => missed.push(told()),
                _ => {}
            }
        }
    }
    check("fair", &generated, &wrong);
    let all = found + missed.len();
    assert!(
        found * 10 >= all * 8,
        "{found} of {all} are found: {}",
        missed.join("\n")
    );
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn infinite_runs_of_threads_that_are_fair() {
    agree_on_fairness(5, 1);
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn threads_by_rounds() {
    agree_by_rounds("threads", 6, 2);
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn threads_that_wait_by_rounds() {
    agree_by_rounds("waits", 6, 4);
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
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

/// Pointers, arrays, structures, bit-fields and aliases.
#[test]
fn memory() {
    agree("memory", 16, 4, &[]);
}

#[test]
fn threads_that_wait() {
    agree("waits", 20, 4, &[]);
}

/// Threads that share their code: several instances of areas, recursive locks, `pthread_once`,
/// spinning on locks, loops by `goto`, and threads that end the process.
#[test]
fn threads_that_share_their_code() {
    agree("crew", 16, 6, &[]);
}

/// Areas of a recursive function; several activations are in them when the run ends.
#[test]
fn recursive_functions_that_end_the_run() {
    agree("recursive", 20, 7, &[]);
}

/// Non-local jumps, which the woven program replaces by returns.
#[test]
fn jumps_out_of_functions() {
    agree("far", 20, 8, &[]);
}

#[test]
fn one_run_for_each_level() {
    agree("mixed", 16, 3, &["--levels", "separate"]);
}

/// Main loops with inputs, samples, discarded runs, labels to be reached and several properties:
/// every verdict must be the oracle's.
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
