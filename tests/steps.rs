//! The step form of threaded programs (`sequentialise --form steps`): the search of all states decides
//! formulas about all schedules, of any length. `tests/steps/table.json` has for each program a formula, the fairness
//! of its threads, and the answers for the program as it is and compiled with -DWRONG; an empty one is not asked.
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
fn the_step_form_is_followed_like_any_program() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/steps/peterson.c");
    let fair = |t: u32| format!("G F {{sequential_fair_{t} == 1}}");
    let answers = "G ({asks0 == 1} -> F {in0 == 1})";
    let fairly = format!("({} && {} && {}) -> {answers}", fair(0), fair(1), fair(2));
    let dir = Dir::new();
    written(&dir, program.to_str().unwrap(), &[]).unwrap();
    assert_eq!(holds(&dir, &fairly), "proved");
    assert_eq!(holds(&dir, "G !{sequential_deadlock == 1}"), "proved");
}

/// What `verify` says about all schedules of a program.
fn verified(program: &str, formula: &str, more: &[&str]) -> Value {
    let program = repository(program);
    let asked = ["--engine", "steps", "--ltl", formula, program.to_str().unwrap()];
    let (result, _) = Dir::new().verify(&[&asked[..], more].concat());
    result["properties"][0].clone()
}

#[test]
fn all_schedules_are_decided() {
    if !cbmc() {
        return;
    }
    let text = std::fs::read_to_string(repository("tests/steps/table.json")).unwrap();
    let table: Vec<[String; 5]> = serde_json::from_str(&text).unwrap();
    for [name, formula, fairness, right, wrong] in &table {
        for (expected, defines) in [(right, &[][..]), (wrong, &["-DWRONG"][..])] {
            if expected.is_empty() {
                continue;
            }
            let program = format!("tests/steps/{name}.c");
            let more = [&["--no-trace", "--fairness", fairness][..], defines].concat();
            let got = verified(&program, formula, &more);
            assert_eq!(got["holds"], *expected.as_str(), "{name} {defines:?} {formula}: {got}");
            assert_eq!(got["decided_by"], "steps", "{got}");
        }
    }
}

/// A run on the step form is told as one of the program: its threads, its lines, its formula.
#[test]
fn a_run_is_told_as_one_of_the_program() {
    if !cbmc() {
        return;
    }
    let formula = "G !({in0 == 1} && {in1 == 1})";
    let got = verified("tests/steps/peterson.c", formula, &["-DWRONG"]);
    assert_eq!(got["verdict"], "false", "{got}");
    assert_eq!(got["ltl"], formula);
    assert!(!got["trace"].to_string().contains("sequential"), "{got}");
    let steps = got["trace"].as_array().unwrap();
    let of = |thread: u32, line: u32| {
        let is = |step: &&Value| step["thread"] == thread && step["line"] == line;
        steps.iter().find(is).map(|step| step["what"].clone())
    };
    assert_eq!(of(1, 18), Some("in0 = 1".into()), "{got}");
    assert_eq!(of(2, 32), Some("in1 = 1".into()), "{got}");
}

/// A thread that goes round a loop without an access of shared memory did so within one step, and no other thread could
/// go on: runs in which it spins for ever were unfair, and formulas were proved that such a run violates.
#[test]
fn a_thread_that_spins_within_a_step_is_followed() {
    if !cbmc() {
        return;
    }
    let formula = "G({want == 1} -> F {have == 1})";
    for (name, define) in [("busy", "HEAD"), ("waits", "SWITCHED")] {
        let program = format!("tests/threads/{name}.c");
        let define = format!("-D{define}");
        let got = verified(&program, formula, &["--no-trace", &define]);
        assert_eq!(got["holds"], "proved", "{name}: {got}");
        let got = verified(&program, formula, &["--no-trace", &define, "-DDEAD"]);
        assert_eq!(got["holds"], "refuted", "{name}: {got}");
    }
}

/// The models of waits with a limit gave the codes of POSIX where C11 has its own, and could be late though nothing
/// stood in the way: formulas that hold were refuted.
#[test]
fn waits_with_a_limit_answer_as_their_library_says() {
    if !cbmc() {
        return;
    }
    let either = "F ({got == 1} || {late == 1})";
    let got = verified("tests/threads/timed.c", either, &["--no-trace", "-DCONDITION"]);
    assert_eq!(got["holds"], "proved", "{got}");
    let got = verified("tests/threads/mutex.c", "F {have == 1}", &["--no-trace", "-DTIMED"]);
    assert_eq!(got["holds"], "proved", "{got}");
}

/// A formula that counts letters is about those of the program, and what has no step form says why.
#[test]
fn what_steps_cannot_say_has_its_reason() {
    if !cbmc() {
        return;
    }
    let got = verified("tests/steps/peterson.c", "G X {in0 == 0}", &[]);
    assert_eq!(got["holds"], "unknown", "{got}");
    assert!(got["reason"].to_string().contains("counts letters"), "{got}");
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
