//! Programs that compute more than what is asked: `verify` leaves out what nothing depends on, and looks at states in front of
//! conditions that wait for inputs.

use serde_json::Value;

use crate::support::{cbmc, ran, Dir};

/// The answer of an engine to one formula.
fn verified(program: &str, engine: &str, formula: &str) -> Value {
    let dir = Dir::with(&[("p.c", program)]);
    let words = ["verify", "-q", "--format", "json", "--engine", engine];
    let out = ran(&mut dir.command(&[&words[..], &["--ltl", formula, "p.c"]].concat()));
    let result: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    result["properties"][0].clone()
}

/// A statistic of an input that has too many values is left out.
#[test]
fn what_nothing_depends_on_keeps_no_proof_away() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nstatic int mode, n;\nstatic unsigned worst;\nstatic unsigned last[4];\nint main(void) {\n  for (;;) {\n    int t = nondet_int();\n    \
        if ((unsigned)t * t > worst) worst = (unsigned)t * t;\n    for (int i = 0; i < 3; i++) last[i] = last[i + 1];\n    last[3] = worst;\n    \
        if (last[0] > last[1] && n < 1000) n++;\n    if (t > 5 && mode < 3) mode++;\n    else if (t < 0) mode = 0;\n  }\n}\n";
    let property = verified(program, "explicit", "G {mode >= 0 && mode <= 3}");
    assert_eq!(property["holds"], "proved", "{property}");
    assert_eq!(property["decided_by"], "explicit", "{property}");
    assert_eq!(property["proof"]["sliced"], true, "{property}");
    // What is asked stays.
    let property = verified(
        program,
        "explicit",
        "G {mode >= 0 && mode <= 3 && worst >= 0}",
    );
    assert_eq!(property["holds"], "unknown", "{property}");
}

/// Handlers whose statistics nobody asks for.
#[test]
fn threads_have_slices_too() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nint nondet_int(void);\nstatic int room = 2;\nstatic unsigned worst;\npthread_mutex_t m;\n\
        static void *guest(void *arg) {\n  for (;;) {\n    unsigned t = nondet_int();\n    pthread_mutex_lock(&m);\n    if (room > 0) room--;\n    \
        if (t * t + worst > 77u) worst = t * 3 + worst * 5;\n    room++;\n    if (room > 2) room = 2;\n    pthread_mutex_unlock(&m);\n  }\n}\n\
        int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, guest, 0);\n  pthread_create(&b, 0, guest, 0);\n  pthread_join(a, 0);\n}\n";
    let property = verified(program, "steps", "G {room >= 1 && room <= 3}");
    assert_eq!(property["holds"], "proved", "{property}");
    let property = verified(program, "steps", "G {room >= 1 && room <= 3 && worst >= 0}");
    assert_eq!(property["holds"], "unknown", "{property}");
}

/// What a slice does may be undefined in the program: it proves, and refutes nothing.
#[test]
fn a_slice_refutes_nothing() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nstatic int mode, part;\nint main(void) {\n  for (;;) {\n    part = 10 / (2 - mode);\n    \
        if (nondet_int() > 5) { if (mode < 3) mode++; }\n    else mode = 0;\n  }\n}\n";
    let property = verified(program, "explicit", "G {mode <= 3}");
    assert_eq!(property["holds"], "proved", "{property}");
    let property = verified(program, "explicit", "G {mode <= 2}");
    assert_eq!(property["holds"], "unknown", "{property}");
}

/// A character that the condition of a loop reads is no part of the state in front of it.
#[test]
fn conditions_that_wait_for_inputs_add_no_states() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdio.h>\n#include <ctype.h>\nstatic int n;\nint main(void) {\n  int c;\n  while ((c = getchar()) != EOF) {\n    \
        if (isupper(c) && n < 7) n++;\n    else if (c == ' ') n = 0;\n    else if (c == '#') { for (; (c = getchar()) != '\\n'; ) if (c == EOF) return 0; }\n  }\n  return 0;\n}\n";
    let property = verified(program, "explicit", "G {n <= 7}");
    assert_eq!(property["holds"], "proved", "{property}");
    // Two heads, 8 values, and the end; with the character, there were 256 times as many.
    let states = property["proof"]["explored"]["states"].as_u64().unwrap();
    assert!(states < 40, "{property}");
    let property = verified(program, "explicit", "G {n <= 6}");
    assert_eq!(property["holds"], "refuted", "{property}");
    // The reader sees the loop as it was written.
    let property = verified(program, "induction", "G {n <= 7}");
    assert!(!property.to_string().contains("sizeof"), "{property}");
    assert!(
        property.to_string().contains("(c = getchar()) != "),
        "{property}"
    );
}
