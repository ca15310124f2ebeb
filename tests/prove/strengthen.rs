//! Invariants that no template gives: combinations of values in which loops are reached, and clauses that exclude the state from which a
//! step fails.

use super::prove;
use crate::support::{cbmc, ran, repository, Dir, AMPLE};

/// Invariants by which the rows below are proved.
fn rests_on(property: &serde_json::Value, part: &str) -> bool {
    let all = property["proof"]["invariants"].as_array();
    let mut all = all.into_iter().flatten().filter_map(|i| i.as_str());
    all.any(|i| i.contains(part))
}

/// The control of `crossing` has few combinations of values; those of `airlock` are computed, and what matters of one of its doors
/// holds in one position of the other; in `dock` a variable counts the flags of an array. (`switches`, with thousands of combinations, is in the table.)
#[test]
fn what_fails_is_excluded() {
    if !cbmc() {
        return;
    }
    let crossing = "G !({lamp == 1} && {signal == 12})";
    let rows = [
        ("crossing", crossing, "RIGHT", "proved", "phase == 14"),
        ("crossing", crossing, "BROKEN", "refuted", ""),
        (
            "airlock",
            "G {alarm == 0}",
            "RIGHT",
            "proved",
            "(!((left == 3)) || (!(right == 7)))",
        ),
        ("airlock", "G {alarm == 0}", "BROKEN", "refuted", ""),
        (
            "dock",
            "G {inside >= 0 && inside <= 3}",
            "RIGHT",
            "proved",
            "(unsigned)inside ==",
        ),
    ];
    for (name, formula, variant, expected, invariant) in crate::support::sample(rows, 5) {
        let program = repository(&format!("tests/prove/{name}.c"));
        let dir = Dir::new();
        let engine = ["--engine", "induction", "--no-trace", "-D", variant];
        let asked = ["--ltl", formula, program.to_str().unwrap()];
        let certificate = ["--certificate", "proof.c", "--budget", AMPLE];
        let (got, property) = prove(&dir, &[&engine[..], &certificate, &asked].concat());
        assert_eq!(got, expected, "{name} {variant}: {property}");
        if expected == "proved" {
            assert!(rests_on(&property, invariant), "{name}: {property}");
            let out = ran(&mut dir.command(&["verify", "-q", "proof.c"]));
            assert_eq!(out.status, 0, "{name}: {out:?}");
        }
    }
}
