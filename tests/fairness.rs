//! Infinite runs of threads that are fair: the quick part of `tests/fairness`, which has programs from the
//! literature with what is to be found without fairness, with weak and with strong fairness.
//! `tests/fairness/run.py` runs all of it.

use std::path::Path;
use std::process::Command;

use crate::support::{cbmc, installed, repository, Dir};

#[test]
fn quick_programs_have_their_answers() {
    if !installed("python3") || !cbmc() {
        return;
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fairness");
    let output = Command::new("python3")
        .arg(tests.join("run.py"))
        .arg("--ci")
        .env("BAPRODUCT", env!("CARGO_BIN_EXE_baproduct"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
}

/// The report says on what a starvation rests.
#[test]
fn who_starves_is_told_with_what_it_waits_for() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/fairness/programs/lost_wakeup.c");
    let (got, _) = Dir::new().verify(&[
        "--lasso",
        "--schedules",
        "rounds:3",
        "--ltl",
        "F {done}",
        program.to_str().unwrap(),
    ]);
    let property = &got["properties"][0];
    assert_eq!(property["evidence"], "lasso", "{got}");
    let starved = property["starved"].as_array().unwrap();
    let waits = starved.iter().any(|s| {
        let what = s["stop"]["what"].as_str().unwrap();
        s["thread"] == 1 && s["waits"] == true && what.contains("pthread_cond_wait")
    });
    assert!(waits, "{starved:?}");
}

/// What cannot be named in the state is refused with its place.
#[test]
fn a_state_without_a_name_is_refused() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\n#include <stdlib.h>\nint *p; int b;\n\
        void *f(void *x) { while (1) { *p = 1 - *p; b = *p; } return x; }\n\
        int main(void) {\n  pthread_t t;\n  p = malloc(sizeof(int));\n  *p = 0;\n\
        pthread_create(&t, 0, f, 0);\n  pthread_join(t, 0);\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (got, _) = dir.verify(&[
        "--lasso",
        "--schedules",
        "rounds:2",
        "--ltl",
        "F {b == 2}",
        "p.c",
    ]);
    assert_eq!(got["verdict"], "unknown", "{got}");
    let reason = got["reason"].as_str().unwrap();
    assert!(reason.contains("p.c:7:"), "{reason}");
    assert!(reason.contains("`malloc` allocates memory"), "{reason}");
}
