//! Inputs that the program brings into an interval before it computes with them, in the search of all states.

use crate::support::{cbmc, ran, Dir};
use serde_json::Value;

/// The answer of the search of all states, and its reason.
fn all_states(program: &str, formula: &str) -> (String, String) {
    let dir = Dir::with(&[("prog.c", program)]);
    let args = ["prove", "--engine", "explicit", "--format", "json", "-q"];
    let all = [&args[..], &["--ltl", formula, "prog.c"]].concat();
    let out = ran(&mut dir.command(&all));
    let result: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let property = &result["properties"][0];
    let text = |key: &str| property[key].as_str().unwrap_or_default().to_owned();
    (text("holds"), text("reason"))
}

/// Halves and triples of a number that is at most 30 at first.
fn halved(rest: &str) -> String {
    format!(
        "unsigned nondet_uint(void);\nunsigned n, kept; int done;\nint main(void) {{\n  n = nondet_uint();\n  kept = n;\n  \
         if (n < 1 || n > 30) n = 1;\n  while (n != 1) {{\n    if (n % 2) n = 3 * n + 1; else n /= 2;\n    {rest}\n  }}\n  done = 1;\n  return 0;\n}}\n"
    )
}

/// What is computed from a number is no input, so only the values of the input that come to the computation are tried.
#[test]
fn what_the_program_computes_is_no_input() {
    if !cbmc() {
        return;
    }
    let (holds, reason) = all_states(&halved(""), "F {done == 1}");
    assert_eq!(holds, "proved", "{reason}");
    // 27 has 111 steps; the others up to 30 have fewer.
    let counts = halved("steps++;").replace("int done;", "int done, steps;");
    let (holds, reason) = all_states(&counts, "G {steps <= 111}");
    assert_eq!(holds, "proved", "{reason}");
    let (holds, reason) = all_states(&counts, "G {steps <= 110}");
    assert_eq!(holds, "refuted", "{reason}");
}

/// An input that comes to a computation past the tests has any value there, also where only computed values lead to the place at which
/// it is stored.
#[test]
fn an_input_past_the_tests_has_any_value() {
    if !cbmc() {
        return;
    }
    let all = [
        "if (n > 60) n = nondet_uint();",
        "if (n > 60) n = kept;",
        "if (n > 60) { unsigned m = kept; n = m; }",
        "if (n > 60) n = (unsigned)(n > 70 ? kept : n / 2);",
    ];
    for rest in crate::support::sample(all, 3) {
        // Every run has an end, so that each can be executed.
        let program = halved(&format!("{rest} if (++rounds > 200) n = 1;"));
        let program = program.replace("int done;", "int done, rounds;");
        let (holds, reason) = all_states(&program, "G {done <= 1}");
        assert_eq!(holds, "unknown", "{rest}: {reason}");
        assert!(reason.contains("computed with"), "{rest}: {reason}");
    }
}
