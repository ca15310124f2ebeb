//! Verdicts that depend on where control goes and on what names mean.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::json;
use support::{cbmc, Dir};

/// The verdict of `ltl`, in which `p` is `x == 1` between the labels `in` and `out` of `main`.
fn verdict(ltl: &str, main: &str) -> String {
    let spec = json!({
        "ltl": ltl,
        "pa": [{ "name": "p", "default": false, "expr": "is_one", "span": ["in", "out"], "params": ["x"] }]
    });
    let text =
        format!("#include <stdlib.h>\nint x;\nint is_one(int v) {{ return v == 1; }}\n{main}\n");
    let dir = Dir::with(&[("p.c", &text), ("s.json", &spec.to_string())]);
    let (result, _) = dir.verify(&["s.json", "p.c"]);
    result["verdict"].as_str().unwrap().to_string()
}

#[test]
fn an_end_in_an_initialiser_leaves_the_area() {
    if !cbmc() {
        return;
    }
    let main = "int main(void) { in: x = 1; int y = (exit(0), 1); out: x = y; return 0; }";
    assert_eq!(verdict("G F !p", main), "presumably_true");
}

#[test]
fn a_parameter_of_a_prototype_is_no_global() {
    if !cbmc() {
        return;
    }
    let text =
        "int f(int x); int x; int f(int y) { return y; } int main(void) { x = f(1); return 0; }";
    let dir = Dir::with(&[("p.c", text)]);
    let (result, _) = dir.verify(&["--ltl", "F {x == 1}", "p.c"]);
    assert_eq!(result["verdict"], "true");
}
