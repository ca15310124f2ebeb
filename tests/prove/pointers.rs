//! Pointers that change, and programs for which two searches are compared.

use super::prove;
use crate::support::{cbmc, oracle, ran, repository, Dir, FEW};

/// Pointers that change in a loop may lead to the objects whose addresses the program takes. What they lead to, and where in an
/// array they are, may fall.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn pointers_that_change_are_followed_by_induction() {
    if !cbmc() {
        return;
    }
    let rows = [
        ("pointer_swap", "G F {full == 1}", "RIGHT", "proved"),
        ("pointer_swap", "G F {full == 1}", "BROKEN", "refuted"),
        ("double_buffer", "G {one.count <= 4}", "RIGHT", "proved"),
        ("fsm_pointers", "G {steps <= 3}", "RIGHT", "proved"),
        ("hidden_target", "G {y <= 1}", "RIGHT", "proved"),
    ];
    for (name, formula, variant, expected) in crate::support::sample(rows, 2) {
        let program = repository(&format!("tests/prove/{name}.c"));
        let dir = Dir::new();
        let engine = ["--engine", "induction", "--no-trace", "-D", variant];
        let asked = ["--ltl", formula, program.to_str().unwrap()];
        let (got, property) = prove(&dir, &[&engine[..], &asked].concat());
        assert_eq!(got, expected, "{name} {variant}: {property}");
    }
}

/// A pointer that may lead elsewhere is no reason for a proof.
#[test]
fn pointers_that_lead_elsewhere_are_not_followed() {
    if !cbmc() {
        return;
    }
    let program = "extern int __VERIFIER_nondet_int(void);
        int a, *p = &a;
        int main(void) {
            int local = 0;
            while (1) {
                if (__VERIFIER_nondet_int()) p = &local;
                *p = 1;
                if (__VERIFIER_nondet_int()) p = &a;
            }
        }";
    let dir = Dir::with(&[("prog.c", program)]);
    let args = [
        "--engine",
        "induction",
        "--ltl",
        "G {a <= 1}",
        "prog.c",
        "--questions",
        "10",
    ];
    let (got, property) = prove(&dir, &args);
    assert_eq!(got, "unknown", "{property}");
    let reason = property["reason"].as_str().unwrap();
    assert!(reason.contains("a pointer changes in prog.c:5"), "{reason}");
}

/// Induction and the search of all states know nothing of each other. They never contradict each other, for programs whose pointers
/// change, for recursive ones, and for arrays of which some elements count, and both answer most.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn two_searches_agree() {
    if !cbmc() {
        return;
    }
    for (kind, count, seed) in [("pointers", 3, 21), ("recursion", 3, 21), ("queues", 2, 23)] {
        let Some(cases) = oracle::compared(kind, count, seed) else {
            return;
        };
        let mut answered = 0;
        for (program, formula) in &cases {
            let dir = Dir::with(&[("prog.c", program)]);
            let [first, second] = ["explicit", "induction"].map(|engine| {
                let limits = ["--engine", engine, "--questions", FEW, "--no-trace"];
                prove(&dir, &[&limits[..], &["--ltl", formula, "prog.c"]].concat()).0
            });
            let sure = first != "unknown" && second != "unknown";
            assert!(
                !sure || first == second,
                "{first}, {second}: {formula}\n{program}"
            );
            answered += usize::from(sure);
        }
        println!("{kind}: both answer {answered} of {}", cases.len());
        assert!(answered * 2 >= cases.len(), "{kind}: {answered}");
    }
}

/// A loop over an array of the function's caller cannot be cut, since the array has no name there: it is followed. If it has more
/// rounds than that, nothing is proved.
#[test]
fn loops_over_arrays_of_callers_are_followed() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/prove/samples.c");
    let dir = Dir::new();
    let how = [
        "--engine",
        "induction",
        "--no-trace",
        "--certificate",
        "proof.c",
    ];
    let formula = "G({done == 1} -> {level == hi})";
    let asked = ["--ltl", formula, program.to_str().unwrap()];
    let (got, property) = prove(&dir, &[&how[..], &asked].concat());
    assert_eq!(got, "proved", "{property}");
    let out = ran(&mut dir.command(&["verify", "-q", "proof.c"]));
    assert_eq!(out.status, 0, "{out:?}");
    let long = "int nondet_int(void); int x;\nstatic void fill(int *a, int n) { for (int i = 0; i < n; i++) { a[i] = i; x = a[i]; } }\n\
                int main(void) { int w[100]; while (nondet_int()) fill(w, 100); return w[0]; }\n";
    let dir = Dir::with(&[("long.c", long)]);
    let how = ["--engine", "induction", "--no-trace", "--questions", "3"];
    let asked = ["--ltl", "G {x <= 20}", "long.c"];
    let (got, property) = prove(&dir, &[&how[..], &asked].concat());
    assert_eq!(got, "unknown", "{property}");
    let reason = property["reason"].to_string();
    assert!(reason.contains("a loop of `fill`"), "{reason}");
}
