//! The step form of threaded programs (`sequentialise --form steps`): the search of all states decides
//! formulas about all schedules, of any length. `tests/steps/table.json` has for each program a formula
//! and its answers for the program as it is and compiled with -DWRONG; an empty one is not asked.
//!
//! Random programs are compared with an independent explorer of interleavings by
//! `tests/oracle/steps.py`.

use serde_json::Value;

use crate::support::{cbmc, ran, repository, Dir};

/// Writes the step form of a program as `steps.c`; returns what is said if it is refused.
fn written(dir: &Dir, program: &str, defines: &[&str]) -> Result<(), String> {
    let words = [
        "sequentialise",
        "--form",
        "steps",
        "-q",
        "-o",
        "steps.c",
        program,
    ];
    let out = ran(&mut dir.command(&[&words[..], defines].concat()));
    match out.status {
        0 => Ok(()),
        _ => Err(out.stderr),
    }
}

/// What the search of all states says of a formula about `steps.c`.
fn holds(dir: &Dir, formula: &str) -> String {
    let words = [
        "prove",
        "--engine",
        "explicit",
        "--format",
        "json",
        "-q",
        "--no-trace",
        "--ltl",
        formula,
        "steps.c",
    ];
    let out = ran(&mut dir.command(&words));
    let result: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    result["properties"][0]["holds"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn all_schedules_are_decided() {
    if !cbmc() {
        return;
    }
    let text = std::fs::read_to_string(repository("tests/steps/table.json")).unwrap();
    let table: Vec<(String, String, String, String)> = serde_json::from_str(&text).unwrap();
    for (name, formula, right, wrong) in &table {
        let program = repository(&format!("tests/steps/{name}.c"));
        for (expected, defines) in [(right, &[][..]), (wrong, &["-DWRONG"][..])] {
            if expected.is_empty() {
                continue;
            }
            let dir = Dir::new();
            written(&dir, program.to_str().unwrap(), defines).unwrap();
            assert_eq!(
                &holds(&dir, formula),
                expected,
                "{name} {defines:?} {formula}"
            );
        }
    }
}

/// Nothing is bounded in step form, so what would need a bound is refused where it stands.
#[test]
fn what_needs_a_bound_is_refused() {
    let threads = "#include <pthread.h>\nint x, n;\n";
    let recursion = "void go(int k) { if (k) { x++; go(k - 1); } }\n\
        void *f(void *a) { go(n); return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); n = 2; return 0; }\n";
    let creation = "void *f(void *a) { x++; return a; }\n\
        int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, f, 0); } }\n";
    for (program, line) in [(recursion, "p.c:3"), (creation, "p.c:4")] {
        let dir = Dir::with(&[("p.c", &format!("{threads}{program}"))]);
        let said = written(&dir, "p.c", &[]).unwrap_err();
        assert!(said.contains("cut at a bound"), "{said}");
        assert!(said.contains(line), "{said}");
    }
}

/// The step form is instrumented like any other program, so names are its own.
#[test]
fn a_name_of_the_step_form_is_refused() {
    let program = "#include <pthread.h>\nint sequential_x;\n\
        void *f(void *a) { sequential_x = 1; return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let said = written(&dir, "p.c", &[]).unwrap_err();
    assert!(
        said.contains("`sequential_`") && said.contains("p.c:2"),
        "{said}"
    );
}
