//! Verdicts that depend on control flow and on the scopes of names.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir};
use serde_json::json;

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

/// An area that a jump has closed is not reported as left again when the function returns.
#[test]
fn an_area_is_said_to_be_left_once() {
    let left = |body: &str| {
        let text = format!("int in(void);\nint x;\nint main(void) {{\n{body}\nreturn 0;\n}}\n");
        let spec = json!({
            "ltl": "G p",
            "pa": [{ "name": "p", "default": true, "cond": "x >= 0", "span": ["b", "e"] }]
        });
        let dir = Dir::with(&[("p.c", &text), ("s.json", &spec.to_string())]);
        let ran = dir.run(&["check", "s.json", "p.c"]);
        assert_eq!(ran.status, 0, "{ran:?}");
        ran.stderr.matches("is left here").count()
    };
    assert_eq!(left("while (in()) { b: if (x) continue; x++; e: ; }"), 1);
    assert_eq!(left("while (in()) { b: x++; e: ; }"), 0);
    assert_eq!(left("b: if (x) return 1; x++; e: ;"), 1);
    assert_eq!(
        left("if (x) goto e; b: x++; if (in()) goto out; e: ; out: x--;"),
        1
    );
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

#[test]
fn the_area_of_a_function_and_bounds_of_single_loops() {
    if !cbmc() {
        return;
    }
    let program = "\
int n;

void count(int most) {
    int i;
    for (i = 0; i < most; i++) {
        n = n + 1;
    }
}

int main(void) {
    n = 5;
    count(3);
    n = 6;
outer:
    while (n < 9) {
        n = n + 1;
    }
    return 0;
}
";
    let spec = json!({
        "properties": [
            {"name": "inside", "ltl": "F eight"},
            {"name": "outside", "ltl": "F six"},
            {"name": "argument", "ltl": "F called"},
            {"name": "end", "ltl": "F nine"}
        ],
        "pa": [
            {"name": "eight", "default": false, "cond": "n == 8", "function": "count"},
            {"name": "six", "default": false, "cond": "n == 6 && count::most == 2", "function": "count"},
            {"name": "called", "default": false, "cond": "count::most == 3", "function": "count"},
            {"name": "nine", "default": false, "cond": "n == 9", "span": ["_begin", "_end"]}
        ]
    });
    let dir = Dir::with(&[("p.c", program), ("s.json", &spec.to_string())]);
    let run = |unwindset: &str| {
        let bounds = ["--unwind", "1", "--unwindset", unwindset];
        let (result, _) = dir.verify(&[&["s.json", "p.c", "--no-trace"], &bounds[..]].concat());
        let properties = result["properties"].as_array().unwrap().clone();
        let verdicts: Vec<String> = properties
            .iter()
            .map(|p| p["verdict"].as_str().unwrap().to_string())
            .collect();
        (verdicts, properties[0]["complete"] == json!(true))
    };
    let of = |verdicts: [&str; 4]| verdicts.map(str::to_string).to_vec();
    let all = of(["true", "presumably_false", "true", "true"]);
    assert_eq!(run("count:3,outer:3"), (all, true));
    let cut_outside = of(["true", "presumably_false", "true", "presumably_false"]);
    assert_eq!(run("count:3,outer:2"), (cut_outside, false));
    let cut_inside = of([
        "presumably_false",
        "presumably_false",
        "true",
        "presumably_false",
    ]);
    assert_eq!(run("count:2,outer:3"), (cut_inside, false));
}
