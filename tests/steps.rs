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

/// What a `prove` of a program says of a formula.
fn proved(dir: &Dir, words: &[&str], formula: &str, program: &str) -> Value {
    let asked = ["prove", "--engine", "explicit", "--format", "json", "-q"];
    let rest = ["--ltl", formula, program];
    let out = ran(&mut dir.command(&[&asked[..], words, &rest].concat()));
    serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

/// The `holds` of the only property.
fn holds(result: &Value) -> &str {
    result["properties"][0]["holds"].as_str().unwrap()
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
                holds(&proved(&dir, &["--no-trace"], formula, "steps.c")),
                expected,
                "{name} {defines:?} {formula}"
            );
        }
    }
}

/// `prove` makes the step form by itself, and shows the user's program.
#[test]
fn prove_follows_threads() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/steps/peterson.c");
    let program = program.to_str().unwrap();
    let apart = "G !({in0 == 1} && {in1 == 1})";
    let served = "G ({asks0 == 1} -> F {in0 == 1})";
    let dir = Dir::new();
    for (words, formula, expected) in [
        (&[][..], apart, "proved"),
        (&[], served, "proved"),
        (&["--fairness", "none"], served, "refuted"),
        (&["--fairness", "strong"], served, "proved"),
    ] {
        let result = proved(&dir, words, formula, program);
        assert_eq!(holds(&result), expected, "{words:?} {formula}");
        assert_eq!(result["properties"][0]["ltl"], formula);
        assert!(!result.to_string().contains("sequential_"), "{result}");
    }
    let result = proved(&dir, &["-DWRONG"], apart, program);
    assert_eq!(holds(&result), "refuted");
    let trace = result["properties"][0]["trace"].as_array().unwrap();
    let decides = |s: &&Value| s["verdict"] == "false";
    let step = trace.iter().find(decides).unwrap();
    let place = (&step["function"], &step["line"], &step["thread"]);
    let text = std::fs::read_to_string(repository("tests/steps/peterson.c")).unwrap();
    let line = |what: &str| text.lines().position(|l| l.contains(what)).unwrap() + 1;
    let (first, second) = (line("in0 = 1"), line("in1 = 1"));
    let expected = match *place.2 == 1 {
        true => ("first", first, 1),
        false => ("second", second, 2),
    };
    let (function, line, thread) = expected;
    assert_eq!(
        (place.0, place.1, place.2),
        (&function.into(), &line.into(), &thread.into())
    );
}

/// A deadlock ends the run, as it does for `verify`.
#[test]
fn a_deadlock_is_told() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    let program = repository("tests/steps/forks.c");
    let program = program.to_str().unwrap();
    for (defines, is_deadlock) in [(&["-DWRONG"][..], true), (&[], false)] {
        let result = proved(&dir, defines, "G {eats0 <= 1}", program);
        assert_eq!(holds(&result), "proved");
        let findings = result["findings"].as_array().unwrap();
        let told = findings.iter().any(|f| f["kind"] == "deadlock");
        assert_eq!(told, is_deadlock, "{findings:?}");
    }
}

/// What the step form does not have leaves the answer open, with the reason.
#[test]
fn what_the_step_form_lacks_is_unknown() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nint x;\n\
        int twice(int k) { int d = 2 * k; return d; }\n\
        _Bool is_one(int v) { return v == 1; }\n\
        void *f(void *a) { int i = 1; i = 0; x = twice(i); L: x = 2; return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; return 0; }\n";
    let spec = |evaluation: &str, more: &str| {
        format!("{{\"pa\": [{{\"name\": \"p\", \"default\": false, {evaluation}}}], \"ltl\": \"G !p\"{more}}}")
    };
    let whole = "\"cond\": \"x == 7\", \"span\": [\"_begin\", \"_end\"]";
    let cases = [
        (
            spec(
                "\"cond\": \"f::i == 7\", \"span\": [\"_begin\", \"_end\"]",
                "",
            ),
            "`p`",
        ),
        (
            spec(
                "\"cond\": \"twice::d == 7\", \"span\": [\"_begin\", \"_end\"]",
                "",
            ),
            "`p`",
        ),
        (spec("\"cond\": \"x == 7\", \"at\": \"L\"", ""), "`p`"),
        (
            spec(
                "\"expr\": \"is_one\", \"params\": [\"x\"], \"span\": [\"_begin\", \"_end\"]",
                "",
            ),
            "`is_one`",
        ),
        (spec(whole, ", \"prune\": [\"L\"]"), "labels"),
        (
            spec(
                whole,
                ", \"inputs\": [{\"call\": \"twice\", \"values\": [1, 2]}]",
            ),
            "`twice`",
        ),
    ];
    for (spec, reason) in cases {
        let dir = Dir::with(&[("p.c", program), ("s.json", &spec)]);
        let words = ["prove", "--format", "json", "-q", "s.json", "p.c"];
        let out = ran(&mut dir.command(&words));
        let result: Value =
            serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {spec} {out:?}"));
        assert_eq!(holds(&result), "unknown", "{spec}");
        let said = result["properties"][0]["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{said}");
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
