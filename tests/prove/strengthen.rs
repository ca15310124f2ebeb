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
        (
            "airlock",
            "G {alarm == 0}",
            "RIGHT",
            "proved",
            "(!((left == 3)) || (!(right == 7)))",
        ),
        ("crossing", crossing, "RIGHT", "proved", "phase == 14"),
        ("crossing", crossing, "BROKEN", "refuted", ""),
        ("airlock", "G {alarm == 0}", "BROKEN", "refuted", ""),
        (
            "dock",
            "G {inside >= 0 && inside <= 3}",
            "RIGHT",
            "proved",
            "== (unsigned)inside",
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

/// What five elements of an array have together is kept by transfers between any two of them; elements that are written through a
/// pointer lie within the bounds of what is written; and a counted variable tells where a pointer stands.
#[test]
fn sums_bounds_and_positions_are_found() {
    if !cbmc() {
        return;
    }
    let sum = "(unsigned)account[0] + (unsigned)account[1] + (unsigned)account[2]";
    let rows = [
        (
            "pointer_stack",
            "G {depth >= 0 && depth <= 8}",
            "(int)(sp - st) : -1) == depth",
        ),
        ("bank", "G {ok == 1}", sum),
        ("requests", "G {out >= 0 && out <= 100}", "r.data[5] <= 100"),
    ];
    for (name, formula, invariant) in crate::support::sample(rows, 3) {
        let program = repository(&format!("tests/prove/{name}.c"));
        let dir = Dir::new();
        let asked = ["--ltl", formula, program.to_str().unwrap()];
        let how = [
            "--engine",
            "induction",
            "--no-trace",
            "--certificate",
            "proof.c",
        ];
        let (got, property) = prove(&dir, &[&how[..], &asked].concat());
        assert_eq!(got, "proved", "{name}: {property}");
        assert!(rests_on(&property, invariant), "{name}: {property}");
        let out = ran(&mut dir.command(&["verify", "-q", "proof.c"]));
        assert_eq!(out.status, 0, "{name}: {out:?}");
    }
}

/// A certificate with a sum that is wrong, or whose summands are no expressions of their own, is refused.
#[test]
fn forged_sums_are_refused() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void); int a[2] = {3, 4};\nint main(void) { while (1) { int i = nondet_int() & 1, x = nondet_int(); \
                   if (x > 0 && a[i] >= x) { a[i] -= x; a[1 - i] += x; } } }\n";
    let dir = Dir::with(&[("prog.c", program)]);
    let how = ["--engine", "induction", "--certificate", "proof.c"];
    let asked = ["--ltl", "G {a[0] <= 7}", "prog.c"];
    let (got, property) = prove(&dir, &[&how[..], &asked].concat());
    assert_eq!(got, "proved", "{property}");
    let (text, argument) = {
        let text = dir.read("proof.c");
        let at = text.rfind("/* baproduct-certificate").unwrap();
        (text[..at].to_string(), text[at..].to_string())
    };
    let summands = "[\"a[0]\",\"a[1]\"],\"7\"";
    assert!(argument.contains(summands), "{argument}");
    let forged = [
        "[\"a[0]\",\"a[1]\"],\"6\"",
        "[\"a[0]\",\"a[1]) == (7\"],\"7\"",
        "[\"a[0]\",\"a[1] = 7\"],\"7\"",
        "[\"a[0]\"],\"7\"",
    ];
    for other in forged {
        let forged = text.clone() + &argument.replace(summands, other);
        std::fs::write(dir.path("forged.c"), forged).unwrap();
        let out = ran(&mut dir.command(&["verify", "-q", "forged.c"]));
        assert_eq!(out.status, 5, "{other}: {out:?}");
    }
}

/// A limit that can be set begins with a constant, which is no bound of it: those of what it is set to are. A request that each round
/// takes back at its beginning needs that the automata have read its letter last, and nothing else: few questions are enough.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn what_is_set_has_bounds_and_what_is_taken_back_ends() {
    if !cbmc() {
        return;
    }
    let level = "int asked(void);\nint limit = 50, level;\nint main(void) {\n  for (;;) {\n    int n = asked();\n\
        if (n >= 10 && n <= MOST) { limit = n; if (level > limit) level = limit; }\n    n = asked();\n    if (n < 0) continue;\n\
        if (n > limit) n = limit;\n    level = n;\n  }\n}\n";
    let watchdog = "unsigned now(void); int kicked(void);\nunsigned last, timeout; int reset;\nint main(void) {\n  timeout = now();\n\
        if (timeout < 10) timeout = 10;\n  last = now();\n  for (;;) {\n    unsigned t = now();\n    if (MOST < 2000) reset = 0;\n\
        if (kicked()) last = t;\n    else if (t - last > timeout) { reset = 1; last = t; }\n  }\n}\n";
    let dir = Dir::with(&[("level.c", level), ("watchdog.c", watchdog)]);
    let bounded = "G {level >= 0 && level <= 1000}";
    let ends = "G({reset == 1} -> F {reset == 0})";
    for (program, formula) in [("level.c", bounded), ("watchdog.c", ends)] {
        for (most, expected) in [("MOST=1000", "proved"), ("MOST=2000", "refuted")] {
            let engine = ["--engine", "induction", "--no-trace", "-D", most];
            let few = ["--questions", "24", "--ltl", formula, program];
            let (got, property) = prove(&dir, &[&engine[..], &few].concat());
            assert_eq!(got, expected, "{program} {most}: {property}");
        }
    }
}
