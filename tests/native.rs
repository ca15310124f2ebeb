//! Native runs: the program is compiled and executed, its letters are recorded, and the result
//! claims nothing beyond the observed run.
#![allow(clippy::unwrap_used)]

use crate::support::{repository, Dir};
use serde_json::{json, Value};

/// `verify --backend native` on files of this directory.
fn native(dir: &Dir, args: &[&str]) -> (Value, i32) {
    dir.verify(&[&["--backend", "native", "--trace"], args].concat())
}

/// The letters of a result: for each step that is a letter, the propositions that hold.
fn letters(result: &Value) -> Vec<String> {
    let steps = result["properties"][0]["trace"].as_array().unwrap();
    let letter = |step: &Value| {
        let props = step["props"].as_object().unwrap();
        let holds: Vec<&str> = props
            .iter()
            .filter(|(_, v)| **v == json!(true))
            .map(|(k, _)| k.as_str())
            .collect();
        holds.join(" ")
    };
    let marks = ["input", "end", "cut", "blocked"].map(|s| json!(s));
    steps
        .iter()
        .filter(|s| !marks.contains(&s["event"]))
        .map(letter)
        .collect()
}

const LIFT: &str = "int open, moving;
int main(void) {
  open = 1;
  open = 0;
  moving = 1;
  moving = 0;
  return 3;
}
";

#[test]
fn the_letters_are_those_of_the_run_and_the_run_is_all_that_is_claimed() {
    let dir = Dir::with(&[("lift.c", LIFT)]);
    let (result, status) = native(&dir, &["--ltl", "G !({open} && {moving})", "lift.c"]);
    assert_eq!(letters(&result), ["", "{open}", "", "{moving}", ""]);
    assert_eq!((&result["verdict"], status), (&json!("presumably_true"), 0));
    assert_eq!(
        result["complete"],
        json!(false),
        "one run says nothing of others"
    );
    assert_eq!(result["unwind"], Value::Null);
    assert!(
        result["assumptions"][0]
            .as_str()
            .unwrap()
            .starts_with("one observed run"),
        "{result}"
    );
    let (result, status) = native(&dir, &["--ltl", "G {!open}", "lift.c"]);
    assert_eq!((&result["verdict"], status), (&json!("false"), 10));
    assert_eq!(result["properties"][0]["evidence"], json!("ended"));
}

#[test]
fn the_programs_own_output_is_not_mixed_with_the_result() {
    let source = LIFT.replace(
        "open = 1;",
        "puts(\"R baproduct:ltl:false\\nE\"); open = 1;",
    );
    let dir = Dir::with(&[("lift.c", &format!("int puts(const char *);\n{source}"))]);
    let (result, _) = native(&dir, &["--ltl", "F {moving}", "lift.c"]);
    assert_eq!(result["verdict"], json!("true"));
}

#[test]
fn a_run_that_does_not_end_gives_the_verdict_of_its_prefix() {
    let source = "#include <unistd.h>\nint x;\nint main(void) { x = 1; for (;;) sleep(1); }\n";
    let dir = Dir::with(&[("p.c", source)]);
    let (result, _) = native(&dir, &["--ltl", "G {x < 2}", "p.c", "--timeout", "2"]);
    assert_eq!(result["verdict"], json!("presumably_true"), "{result}");
    assert_eq!(result["properties"][0]["evidence"], json!("prefix"));
}

#[test]
fn a_crash_is_no_verdict() {
    let dir = Dir::with(&[(
        "p.c",
        "int x;\nint main(void) { x = 1; *(volatile int *)0 = 1; return 0; }\n",
    )]);
    let (result, status) = native(&dir, &["--ltl", "G {x < 2}", "p.c"]);
    assert_eq!((&result["verdict"], status), (&json!("unknown"), 5));
    assert!(
        result["reason"].as_str().unwrap().contains("SIGSEGV"),
        "{result}"
    );
}

#[test]
fn inputs_without_a_source_are_chosen_from_the_seed() {
    let source = "int nondet_int(void);\nint x;\nint main(void) { x = nondet_int() & 1; x = 2; return 0; }\n";
    let dir = Dir::with(&[("p.c", source)]);
    let mut verdicts = std::collections::BTreeSet::new();
    for seed in 1..=8 {
        let (result, _) = native(
            &dir,
            &["--ltl", "G {x != 1}", "p.c", "--seed", &seed.to_string()],
        );
        verdicts.insert(result["verdict"].as_str().unwrap().to_string());
    }
    assert_eq!(
        verdicts.into_iter().collect::<Vec<_>>(),
        ["false", "presumably_true"]
    );
}

#[test]
fn every_end_of_a_threaded_run_is_one() {
    let source = "#include <pthread.h>\n#include <stdlib.h>\nint x;
static void *f(void *a) { x = 1; END_OF_THREAD; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); END_OF_MAIN; return 0; }\n";
    for (thread, main) in [
        ("", "pthread_join(t, 0)"),
        ("", "pthread_exit(0)"),
        ("pthread_exit(0)", "pthread_exit(0)"),
        ("exit(0)", "pthread_join(t, 0)"),
    ] {
        let dir = Dir::with(&[("p.c", source)]);
        let defines = [
            format!("-DEND_OF_THREAD={thread}"),
            format!("-DEND_OF_MAIN={main}"),
        ];
        let (result, _) = native(
            &dir,
            &["--ltl", "F {x == 1}", "p.c", &defines[0], &defines[1]],
        );
        assert_eq!(result["verdict"], json!("true"), "{defines:?}: {result}");
        assert_eq!(letters(&result), ["", "{x == 1}"], "{defines:?}");
    }
}

#[test]
fn a_program_with_names_like_the_emitted_ones_runs_too() {
    let dir = Dir::with(&[(
        "p.c",
        "int ba_native_begin, BA_x;\nint main(void) { ba_native_begin = 1; return BA_x; }\n",
    )]);
    let (result, _) = native(&dir, &["--ltl", "F {ba_native_begin}", "p.c"]);
    assert_eq!(result["verdict"], json!("true"), "{result}");
}

#[test]
fn atomic_blocks_of_many_threads_do_not_overlap() {
    // Each write toggles a proposition: a lost or duplicated letter would break the strict
    // alternation of each thread's own proposition.
    let source = "#include <pthread.h>\nint a, b;
static void *f(void *x) { for (int i = 0; i < 2000; i++) { a = 1; a = 0; } return x; }
static void *g(void *x) { for (int i = 0; i < 2000; i++) { b = 1; b = 0; } return x; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);
  pthread_join(t, 0); pthread_join(u, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", source)]);
    let (result, _) = native(
        &dir,
        &[
            "--ltl",
            "G({a == 1} -> F {a == 0}) && G({b == 1} -> F {b == 0})",
            "p.c",
        ],
    );
    assert_eq!(result["verdict"], json!("presumably_true"));
    let steps = result["properties"][0]["trace"].as_array().unwrap();
    let letters = steps
        .iter()
        .filter(|s| s["event"] == json!("write"))
        .count();
    assert_eq!(letters, 8000);
}

#[test]
fn a_threaded_example_runs_natively() {
    let dir = Dir::new();
    let example = |name: &str| {
        repository(&format!("spec-examples/{name}"))
            .display()
            .to_string()
    };
    let (spec, program) = (example("race/race.json"), example("race/race.c"));
    let (result, _) = native(&dir, &[&spec, &program]);
    assert_ne!(result["verdict"], json!("unknown"), "{result}");
}

#[test]
fn samples_discarded_runs_and_labels_to_be_reached() {
    let program = "int x;\nint main(void) {\n  for (int i = 0; i < 3; i++) { x = 7; x = i; tick: ; }\n  end: return 0;\n}\n";
    let spec = |more: &str| {
        format!(
            r#"{{ "ltl": "G !seven", "pa": [{{ "name": "seven", "cond": "x == 7", "default": false, "span": ["_begin", "_end"] }},
                {{ "name": "two", "cond": "x == 2", "default": false, "span": ["_begin", "_end"] }}], {more} }}"#
        )
    };
    let dir = Dir::with(&[
        ("p.c", program),
        (
            "s.json",
            &spec(r#""trace": {"mode": "sample", "at": ["tick"]}"#),
        ),
        ("d.json", &spec(r#""prune": ["end"]"#)),
        ("r.json", &spec(r#""reach": ["end"]"#)),
    ]);
    let (result, _) = native(&dir, &["s.json", "p.c"]);
    assert_eq!(result["verdict"], json!("presumably_true"), "{result}");
    assert_eq!(
        letters(&result).len(),
        3,
        "a letter for each sample: {result}"
    );
    let (result, _) = native(&dir, &["d.json", "p.c"]);
    assert_eq!(result["verdict"], json!("unknown"));
    assert!(
        result["reason"].as_str().unwrap().contains("discards"),
        "{result}"
    );
    let (result, _) = native(&dir, &["r.json", "p.c"]);
    assert_eq!(
        result["properties"][0]["verdict"],
        json!("false"),
        "{result}"
    );
    assert_eq!(
        result["properties"][1]["verdict"],
        json!("false"),
        "{result}"
    );
}

/// In gnu89, an inline function is a definition for other files, too; in C11 it is not.
#[test]
fn native_runs_are_in_the_dialect_of_the_program() {
    let program = "int x;\ninline int two(void) { return 2; }\n\
        int main(void) { int (*give)(void) = two; x = give() == 2 ? 5 : 7; return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let args = [
        "--ltl",
        "F {x == 5}",
        "p.c",
        "--backend",
        "native",
        "--std",
        "gnu89",
    ];
    let (result, _) = dir.verify(&args);
    assert_eq!(result["verdict"], "true", "{result}");
}
