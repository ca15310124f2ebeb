//! Programs that once got a wrong verdict, each under the name of what was wrong. The programs are
//! in `tests/regressions`.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::support::{cbmc, repository, Dir};

/// Verifies a program against a formula with conditions in braces.
fn verdict(program: &str, formula: &str, unwind: u32) -> String {
    let file = repository("tests/regressions").join(program);
    let unwind = unwind.to_string();
    let (result, _) = Dir::new().verify(&[
        "--ltl",
        formula,
        file.to_str().unwrap(),
        "--unwind",
        &unwind,
        "--timeout",
        "120",
    ]);
    assert_eq!(result["reason"], serde_json::Value::Null);
    result["verdict"].as_str().unwrap().to_string()
}

/// CBMC (5.12 to 6.6) leaves a read of a shared object free if the object is read in two alternative
/// branches of one atomic block; the state came out as one that the monitor was never in.
#[test]
fn an_object_read_in_two_branches_of_an_atomic_block() {
    if cbmc() {
        let p = "{a > 0 && b == 2}";
        let formula = format!("G (({p} && !{{a == 1}}) -> ({p} U {{a == 1}}))");
        assert_eq!(verdict("branches.c", &formula, 1), "presumably_true");
    }
}

/// A parameter of a prototype was taken for the global of its name, which is written and is not.
#[test]
fn a_parameter_of_a_prototype_is_no_global() {
    if cbmc() {
        assert_eq!(verdict("prototype.c", "F {is_three(level)}", 1), "true");
        assert_eq!(verdict("prototype.c", "G !{level == 3}", 1), "false");
    }
}

/// A write through a pointer may change one of two propositions. The value of the one that it does not
/// change was read in a branch, and again behind it: the second read was free.
#[test]
fn a_value_that_a_write_leaves_is_read_once() {
    if cbmc() {
        let formula = "F {x == 1} && F {y == 1}";
        assert_eq!(verdict("two_targets.c", formula, 1), "true");
    }
}

/// As above, where a function that a proposition calls reads a structure or an array in branches.
#[test]
fn a_structure_or_an_array_read_in_two_branches() {
    if cbmc() {
        for function in ["of_pair", "of_list"] {
            let formula = format!("G {{!{function}()}}");
            let got = verdict("evaluations.c", &formula, 1);
            assert_eq!(got, "presumably_true", "{function}");
        }
    }
}

/// As above, where two propositions of one event read the copy of a local, each if its area is open.
#[test]
fn the_copy_of_a_local_read_for_two_areas() {
    if cbmc() {
        let spec = repository("tests/regressions").join("copies.json");
        let program = repository("tests/regressions").join("copies.c");
        let files = [spec.to_str().unwrap(), program.to_str().unwrap()];
        let (result, _) = Dir::new().verify(&files);
        assert_eq!(result["verdict"], "presumably_true", "{}", result["reason"]);
    }
}

/// Programs of verification competitions declare printf themselves, and __VERIFIER_error with an argument, which CBMC knows without.
#[test]
fn functions_that_the_program_declares_itself() {
    if !cbmc() {
        return;
    }
    let program = "extern int printf(const char *format, ...);
extern void __VERIFIER_error(int);
int x, y;
int main(void) { x = 1; printf(\"%d\\n\", x); if (x == 1) __VERIFIER_error(3); y = 1; return 0; }
";
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, expected) in [("F {x == 1}", "true"), ("F {y == 1}", "presumably_false")] {
        let (got, _) = dir.verify(&["--ltl", formula, "--no-trace", "p.c"]);
        assert_eq!(got["verdict"], expected, "{got}");
        assert_eq!(got["complete"], true, "{got}");
        assert_eq!(got["findings"], serde_json::json!([]), "{got}");
    }
}

/// What functions without a model give is told where assumptions are, so that a ⊥ that rests on it
/// can be seen through.
#[test]
fn a_function_that_the_model_checker_does_not_know_is_an_assumption() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[(
        "p.c",
        "#include <string.h>\nint x;\nint main(void) { x = strspn(\"ab\", \"a\") != 1; return 0; }\n",
    )]);
    let (result, _) = dir.verify(&["--ltl", "G {x == 0}", "p.c"]);
    let assumptions = result["assumptions"].to_string();
    assert!(assumptions.contains("does not know: strspn"), "{result}");
    let found = result["findings"].to_string();
    assert!(found.contains("does not know `strspn`"), "{result}");
}
