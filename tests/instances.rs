//! Several instances of an area: successive calls, recursion, threads. Verdicts come from a real
//! CBMC.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::support::{cbmc, Dir, AMPLE};
use serde_json::{json, Value};

/// The verdict of a formula over `p` (and `q`), whose areas have several instances.
fn of_instances(program: &str, ltl: &str, conditions: &[(&str, &str)], instances: &str) -> String {
    let propositions: Vec<Value> = conditions
        .iter()
        .map(|(name, cond)| {
            json!({"name": name, "default": false, "cond": cond, "span": ["begin", "end"], "instances": instances})
        })
        .collect();
    let spec = json!({"ltl": ltl, "pa": propositions});
    let dir = Dir::with(&[("p.c", program), ("s.json", &spec.to_string())]);
    let (result, _) = dir.verify(&[
        "s.json",
        "p.c",
        "--unwind",
        "4",
        "--no-trace",
        "--timeout",
        AMPLE,
    ]);
    result["verdict"].as_str().unwrap().to_string()
}

#[test]
fn instances_of_calls_one_after_the_other() {
    if !cbmc() {
        return;
    }
    let program = "\
void f(int x) {
begin:
    x = x + 1;
end:
    return;
}

int main(void) {
    f(1);
    f(5);
    return 0;
}
";
    let verdict = |ltl, instances| of_instances(program, ltl, &[("p", "f::x == 2")], instances);
    assert_eq!(verdict("F p", "any"), "true");
    assert_eq!(verdict("F p", "all"), "true");
    // In the second call alone, p never holds.
    assert_eq!(verdict("F p", "each"), "presumably_false");
    assert_eq!(verdict("G !p", "each"), "false");
}

#[test]
fn instances_of_a_recursion() {
    if !cbmc() {
        return;
    }
    let program = "\
void f(int n) {
begin:
    if (n > 0)
        f(n - 1);
    n = 7;
end:
    return;
}

int main(void) {
    f(1);
    return 0;
}
";
    let verdict = |ltl, cond, instances| of_instances(program, ltl, &[("p", cond)], instances);
    assert_eq!(verdict("F p", "f::n == 0", "any"), "true");
    // The outer instance is open with 1 while the inner one has 0.
    assert_eq!(verdict("F p", "f::n == 0", "all"), "presumably_false");
    assert_eq!(verdict("F p", "f::n == 7", "all"), "true");
    // The outer instance has 7 after the inner one is closed, but never while it is open.
    assert_eq!(verdict("F (p && X p)", "f::n < 2", "all"), "true");
    assert_eq!(verdict("F p", "f::n == 0", "each"), "presumably_false");
    assert_eq!(verdict("F p", "f::n == 7", "each"), "true");
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn instances_of_two_threads() {
    if !cbmc() {
        return;
    }
    let program = "\
#include <pthread.h>

void *worker(void *arg) {
    int x = 0;
    (void)arg;
begin:
    x = 1;
    x = 2;
end:
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";
    let both = [("p", "worker::x == 1"), ("q", "worker::x == 2")];
    let verdict = |ltl, instances| of_instances(program, ltl, &both, instances);
    assert_eq!(verdict("G !(p && q)", "any"), "false");
    assert_eq!(verdict("G !(p && q)", "all"), "presumably_true");
    // Both propositions follow the same thread.
    assert_eq!(verdict("G !(p && q)", "each"), "presumably_true");
    if !crate::support::thorough() {
        return;
    }
    assert_eq!(verdict("F (p && F q)", "each"), "true");
    // The last thread that reaches 2 finds the other at 2 or ended.
    assert_eq!(verdict("F q", "all"), "true");
    assert_eq!(verdict("F q", "any"), "true");
}

#[test]
fn instances_where_other_code_writes_what_is_read() {
    if !cbmc() {
        return;
    }
    let program = "\
int mode;

void f(int last) {
begin:
    mode = last;
end:
    mode = 9;
}

int main(void) {
    f(3);
    f(4);
    return 0;
}
";
    let verdict = |ltl, instances| of_instances(program, ltl, &[("p", "mode == 3")], instances);
    assert_eq!(verdict("F p", "any"), "true");
    assert_eq!(verdict("F p", "each"), "presumably_false");
}
