//! Writes that were once missed, separated from their event, or seen where there was none, each
//! named after the error. The programs are in `tests/regressions`; their verdicts are worked out by
//! hand.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::support::{cbmc, repository, Dir, AMPLE};
use serde_json::{json, Value};

/// Verifies a program, with or without a specification.
fn verify(dir: &Dir, program: &str, args: &[&str]) -> Value {
    let file = repository("tests/regressions").join(program);
    let mut all = args.to_vec();
    all.extend([file.to_str().unwrap(), "--timeout", AMPLE]);
    dir.verify(&all).0
}

/// Checks the verdict of a formula with conditions in braces; does nothing without CBMC.
fn gives(program: &str, formula: &str, verdict: &str) {
    if cbmc() {
        let result = verify(&Dir::new(), program, &["--ltl", formula, "--unwind", "3"]);
        assert_eq!(result["reason"], Value::Null, "{program}: {formula}");
        assert_eq!(result["verdict"], json!(verdict), "{program}: {formula}");
    }
}

/// Checks the verdict of a specification; does nothing without CBMC.
fn spec_gives(program: &str, spec: &Value, verdict: &str) {
    if cbmc() {
        let dir = Dir::with(&[("spec.json", &spec.to_string())]);
        let path = dir.path("spec.json");
        let result = verify(&dir, program, &[path.to_str().unwrap(), "--unwind", "3"]);
        assert_eq!(result["reason"], Value::Null, "{program}: {spec}");
        assert_eq!(result["verdict"], json!(verdict), "{program}: {spec}");
    }
}

/// A specification with a proposition whose area lies between the labels `begin` and `end`.
fn within(formula: &str, condition: &str) -> Value {
    json!({"ltl": formula, "pa": [
        {"name": "p", "default": false, "cond": condition, "span": ["begin", "end"]}
    ]})
}

/// A local that a call may have written once counted as written, with an indeterminate value.
#[test]
fn a_call_that_does_not_write_gives_no_value() {
    let spec = within("G !p", "main::x != 7 && rounds >= 0");
    spec_gives("call_may_write.c", &spec, "presumably_true");
    let spec = within("G !p", "main::x == 7 && rounds >= 0");
    spec_gives("call_may_write.c", &spec, "false");
}

/// CBMC has no meaning for the compiler's builtin name of `memcpy`, by which copies of arrays were
/// once made.
#[test]
fn the_copy_of_an_array_has_its_values() {
    let spec = within("F p", "sum(main::x) == 6 && rounds == 1");
    spec_gives("array_of_a_local.c", &spec, "true");
    let spec = within("F p", "sum(main::x) == 3 && rounds == 2");
    spec_gives("array_of_a_local.c", &spec, "presumably_false");
}

/// The same name in the program itself.
#[test]
fn the_compilers_names_of_library_functions_mean_the_same() {
    gives("builtin_memcpy.c", "F {x == 3}", "true");
}

/// Another thread once saw the bytes that `memcpy` had written before their event.
#[test]
fn a_copy_is_one_step_with_its_event() {
    let program = "memcpy_in_threads.c";
    gives(program, "G ({seen == 1} -> {to.a == 1})", "presumably_true");
    gives(program, "F {to.b == 2}", "true");
    // The source may change between reading and writing.
    let late = "G !({to.a == 1} && {from.a == 5} && {seen == 0})";
    gives(program, late, "false");
}

/// The same with what `scanf` stores.
#[test]
fn an_input_is_one_step_with_its_event() {
    let program = "scanf_in_threads.c";
    gives(program, "G ({seen == 1} -> {g == 1})", "presumably_true");
    gives(program, "G !{seen == 1}", "false");
}

/// At the end of a parameter that is copied for one proposition, another proposition that reads it
/// was once evaluated although its area was closed.
#[test]
fn the_end_of_a_copy_changes_only_who_reads_the_copy() {
    let spec = json!({"ltl": "F G !q && F p", "pa": [
        {"name": "p", "default": false, "cond": "top::n == 2 && g >= 0", "function": "top"},
        {"name": "q", "default": false, "cond": "top::n == 2", "span": ["begin", "end"]}
    ]});
    spec_gives("end_of_a_copied_parameter.c", &spec, "presumably_true");
}

/// A static local of a recursive function was once refused as if each activation had its own.
#[test]
fn a_static_local_is_one_object_in_a_recursion() {
    if cbmc() {
        let program = "static_local_in_recursion.c";
        let verdict = |formula: &str| {
            let args = ["--ltl", formula, "--unwind", "5"];
            verify(&Dir::new(), program, &args)["verdict"].clone()
        };
        assert_eq!(verdict("F {sum::memo == 6}"), json!("true"));
        assert_eq!(
            verdict("!{sum::memo > 3} U {sum::memo == 3}"),
            json!("true")
        );
        assert_eq!(verdict("G !{sum::memo == 5}"), json!("false"));
    }
}

/// A library function that the model checker leaves out was once assumed to write nothing.
#[test]
fn a_writer_that_the_model_checker_does_not_know_gives_no_verdict() {
    let program = "qsort_without_a_model.c";
    let sorted = ["--ltl", "F {list[0] == 1}", "--unwind", "3"];
    if cbmc() {
        let result = verify(&Dir::new(), program, &sorted);
        assert_eq!(result["verdict"], json!("unknown"), "{result}");
        assert!(result["reason"].as_str().unwrap().contains("`qsort_r`"));
    }
    let native = [&sorted[..], &["--backend", "native"]].concat();
    let result = verify(&Dir::new(), program, &native);
    assert_eq!(result["verdict"], json!("true"));
}

/// Writes by name were once missed if the condition reads the object through its address, to which
/// the program itself has no pointer; and writes to other elements than the one whose address an
/// evaluation gets.
#[test]
fn what_a_condition_reads_through_an_address_is_watched() {
    let globals = "struct s { int k; struct { int h; } f; } s; int x, a[3], m[2][2], *px;
        static int first(const int *p) { return *p == 1; }
        static int sum(const int *p, int n) { int r = 0; while (n--) r += p[n]; return r == 1; }
        int go(int n) { L: WRITE; M: return a[0] + n; }
        int main(void) { return go(0); }";
    let cases = [
        ("*&x == 1", "x = 1"),
        ("(&x)[0] == 1", "x++"),
        ("first(px ? px : &x)", "x = 1"),
        ("*(px ? px : &x) == 1", "x = 1"),
        ("*(const volatile int *)(void *)&x == 1", "x = 1"),
        ("((unsigned char *)&s)[0] == 1", "s.k = 1"),
        ("((int *)&s)[1] == 1", "s.f.h = 1"),
        ("(&a[1])[1] == 1", "a[2] = 1"),
        ("(&m[0][0])[3] == 1", "m[1][1] = 1"),
        ("sum(&m[0][0], 4)", "m[1][1] = 1"),
        ("sum(&a[1], 2)", "a[2] = 1"),
        ("*&go::n == 1", "n = 1"),
    ];
    for (condition, write) in cases {
        let program = globals.replace("WRITE", write);
        let spec = json!({"ltl": "F p", "pa": [
            {"name": "p", "default": false, "cond": condition, "span": ["L", "M"]}]});
        let dir = Dir::with(&[("prog.c", &program), ("spec.json", &spec.to_string())]);
        let ran = dir
            .verify(&["spec.json", "prog.c", "--backend", "native"])
            .0;
        assert_eq!(ran["verdict"], json!("true"), "{condition}");
        if cbmc() {
            let found = dir.verify(&["spec.json", "prog.c", "--no-trace"]).0;
            assert_eq!(found["verdict"], json!("true"), "{condition} {found}");
        }
    }
}
