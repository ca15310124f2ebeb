//! The parts of a specification about the program's environment: samples, inputs, discarded runs
//! and labels to be reached. Verdicts come from a real CBMC.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use crate::support::{cbmc, Dir, AMPLE};
use serde_json::{json, Value};

/// The verdicts by the names of the properties.
type Verdicts = BTreeMap<String, String>;

fn verify(program: &str, spec: &Value, unwind: u32, more: &[&str]) -> Value {
    let dir = Dir::with(&[("p.c", program), ("s.json", &spec.to_string())]);
    let unwind = unwind.to_string();
    let args = ["s.json", "p.c", "--unwind", &unwind, "--timeout", AMPLE];
    dir.verify(&[&args, more].concat()).0
}

fn verdicts(program: &str, spec: &Value, unwind: u32) -> Verdicts {
    let result = verify(program, spec, unwind, &["--no-trace"]);
    let properties = result["properties"].as_array().unwrap();
    let text = |v: &Value| v.as_str().unwrap().to_string();
    properties
        .iter()
        .map(|p| (text(&p["name"]), text(&p["verdict"])))
        .collect()
}

fn assert_verdicts(program: &str, spec: &Value, unwind: u32, expected: &[(&str, &str)]) {
    let expected: Verdicts = expected
        .iter()
        .map(|(name, verdict)| (name.to_string(), verdict.to_string()))
        .collect();
    assert_eq!(
        verdicts(program, spec, unwind),
        expected,
        "{program}\n{spec}"
    );
}

/// Counts to 3; `sample` is reached with n = 1, 2, 3, and the writes in between make no letters.
const COUNTER: &str = "\
int n, between;

int main(void) {
    int i;
    for (i = 1; i <= 3; i++) {
        between = 1;
        n = i;
sample:
        between = 0;
    }
    return 0;
}
";

#[test]
fn a_letter_is_taken_at_samples_only() {
    if !cbmc() {
        return;
    }
    let whole = |name: &str, cond: &str| json!({"name": name, "default": false, "cond": cond, "span": ["_begin", "_end"]});
    let spec = json!({
        "trace": {"mode": "sample", "at": ["sample"]},
        "properties": [
            {"name": "next is the next sample", "ltl": "one && X two && X X three"},
            {"name": "no letter 0", "ltl": "F zero"},
            {"name": "no letter between", "ltl": "G between"},
            {"name": "the last letter lasts", "ltl": "F G three"}
        ],
        "pa": [whole("zero", "n == 0"), whole("one", "n == 1"), whole("two", "n == 2"),
               whole("three", "n == 3"), whole("between", "between == 1")]
    });
    let expected = [
        ("next is the next sample", "true"),
        ("no letter 0", "presumably_false"),
        ("no letter between", "presumably_true"),
        ("the last letter lasts", "presumably_true"),
    ];
    assert_verdicts(COUNTER, &spec, 5, &expected);
}

#[test]
fn a_run_without_sample_is_the_initial_valuation() {
    if !cbmc() {
        return;
    }
    let program = "int n = 4;\nint main(void) {\n    n = 5;\n    if (n == 6) {\nsample:\n        n = 7;\n    }\n    n = 8;\n    return 0;\n}\n";
    let spec = json!({
        "trace": {"mode": "sample", "at": ["sample"]},
        "properties": [
            {"name": "initial", "ltl": "G {n == 4}"},
            {"name": "later", "ltl": "F {n == 8}"}
        ]
    });
    let expected = [
        ("initial", "presumably_true"),
        ("later", "presumably_false"),
    ];
    assert_verdicts(program, &spec, 5, &expected);
}

#[test]
fn pulses_and_areas_of_locals_at_samples() {
    if !cbmc() {
        return;
    }
    let program = "\
int total;

void add(int amount) {
begin:
    amount = amount + 1;
here:
    total = total + amount;
there:
    amount = 0;
end:
    return;
}

int main(void) {
    add(1);
    add(2);
    return 0;
}
";
    // Letters: here (amount 2), there (2), here (3), there (3).
    let spec = json!({
        "trace": {"mode": "sample", "at": ["here", "there"]},
        "properties": [
            {"name": "pulse", "ltl": "two && X (!two && X !two)"},
            {"name": "area", "ltl": "small && X (small && X (!small && X !small))"},
            {"name": "nowhere", "ltl": "G !never"},
            {"name": "sum", "ltl": "F sum"}
        ],
        "pa": [
            {"name": "two", "default": false, "cond": "add::amount == 2", "at": "here"},
            {"name": "small", "default": false, "cond": "add::amount < 3", "span": ["begin", "end"]},
            {"name": "never", "default": false, "cond": "1", "at": "end"},
            {"name": "sum", "default": false, "cond": "total + add::amount == 5", "span": ["begin", "end"]}
        ]
    });
    let expected = [
        ("pulse", "true"),
        ("area", "true"),
        ("nowhere", "presumably_true"),
        ("sum", "true"),
    ];
    assert_verdicts(program, &spec, 5, &expected);
}

/// Loops until an order stops it; a negative order is an error.
const LOOP: &str = "\
int choose(void);
int error, order;

int main(void) {
    while (1) {
        order = choose();
        if (order == 0) {
            return 0;
        }
        if (order < 0) {
            error = 1;
bad:
            return 1;
        }
again:
        if (order == 2) {
            error = 1;
        }
    }
}
";

#[test]
fn a_pruned_run_does_not_exist() {
    if !cbmc() {
        return;
    }
    let spec = |values: Value, prune: Value| json!({"ltl": "G {error == 0}", "inputs": [{"call": "choose", "values": values}], "prune": prune});
    let verdict = |values, prune, key: &str| {
        verify(LOOP, &spec(values, prune), 3, &["--no-trace"])["properties"][0][key].clone()
    };
    assert_eq!(verdict(json!([-1, 0, 1]), json!([]), "verdict"), "false");
    assert_eq!(
        verdict(json!([-1, 0, 1]), json!(["b?d"]), "verdict"),
        "presumably_true"
    );
    // A run that ended confirms the violation of a cut run.
    assert_eq!(
        verdict(json!([-1, 0, 2]), json!(["bad"]), "verdict"),
        "false"
    );
    // A cut run that the specification might discard later proves nothing.
    assert_eq!(
        verdict(json!([-1, 2]), json!(["bad"]), "verdict"),
        "presumably_false"
    );
    let reason = verdict(json!([-1, 2]), json!(["bad"]), "reason");
    assert!(
        reason.as_str().unwrap().contains("may not exist"),
        "{reason}"
    );
    // No run is discarded, so the prefix is the proof.
    assert_eq!(verdict(json!([-1, 2]), json!([]), "verdict"), "false");
}

#[test]
fn an_assumption_discards_the_runs_in_which_it_fails() {
    if !cbmc() {
        return;
    }
    let spec = |cond: &str| {
        json!({"ltl": "G {error == 0}", "inputs": [{"call": "choose", "values": [0, 1, 2]}],
               "assume": [{"at": "again", "cond": cond}]})
    };
    assert_verdicts(LOOP, &spec("order != 2"), 3, &[("ltl", "presumably_true")]);
    assert_verdicts(LOOP, &spec("order > 0"), 3, &[("ltl", "false")]);
}

#[test]
fn levels_asked_apart_give_the_same() {
    if !cbmc() {
        return;
    }
    let spec = json!({"ltl": "G {error == 0}", "inputs": [{"call": "choose", "values": [-1, 2]}],
                      "prune": ["bad"], "reach": ["bad", "again"]});
    let of = |levels: &str| {
        let result = verify(LOOP, &spec, 2, &["--no-trace", "--levels", levels]);
        let properties = result["properties"].as_array().unwrap().clone();
        let verdicts = properties.into_iter().map(|p| p["verdict"].clone());
        verdicts.collect::<Vec<Value>>()
    };
    assert_eq!(of("together"), ["presumably_false", "false", "false"]);
    assert_eq!(of("separate"), of("together"));
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_prune_in_one_thread_discards_the_whole_run() {
    if !cbmc() {
        return;
    }
    let program = "\
#include <pthread.h>

int seen, asked;
int coin(void);

void *worker(void *p) {
    (void)p;
    if (coin()) {
        seen = 1;
        asked = 1;
given_up:
        return 0;
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
done:
    return asked;
}
";
    let spec = |prune: Value| {
        json!({"ltl": "G {seen == 0}", "prune": prune, "reach": ["given_up", "done"],
                                     "inputs": [{"call": "coin", "values": [0, 1]}]})
    };
    let expected = |verdict| {
        [
            ("ltl", verdict),
            ("reach given_up", "false"),
            ("reach done", "false"),
        ]
    };
    assert_verdicts(program, &spec(json!([])), 2, &expected("false"));
    assert_verdicts(
        program,
        &spec(json!(["given_up"])),
        2,
        &expected("presumably_true"),
    );
    // Only runs in which the worker gives up remain, and there are none.
    let mut always = spec(json!(["given_up"]));
    always["inputs"][0]["values"] = json!([1]);
    let expected = [
        ("ltl", "unknown"),
        ("reach given_up", "false"),
        ("reach done", "unknown"),
    ];
    assert_verdicts(program, &always, 2, &expected);
}

/// A program whose labels tell which values arrive, its inputs, and the labels that are reached.
struct Arrival {
    about: &'static str,
    program: &'static str,
    inputs: Value,
    reached: &'static [&'static str],
    unreached: &'static [&'static str],
}

#[test]
fn inputs_of_every_kind_arrive() {
    if !cbmc() {
        return;
    }
    let cases = [
        Arrival {
            about: "what a library call stores",
            program: "#include <stdio.h>\nint main(void) { int x = 7, y; if (scanf(\"%d %d\", &x, &y) != 2) lost: return 1;\n if (x == 3 && y == 4) both: ; if (x == 7) old: ; return 0; }\n",
            inputs: json!([{"call": "scanf", "values": [3, 4]}]),
            reached: &["both"],
            unreached: &["lost", "old"],
        },
        Arrival {
            about: "what a library call gives",
            program: "#include <stdio.h>\nint main(void) { int c = getchar(); if (c == -1) end: ; if (c == 'x') x: ; if (c == 'y') y: ; return 0; }\n",
            inputs: json!([{"call": "getchar", "values": [-1, 120]}]),
            reached: &["end", "x"],
            unreached: &["y"],
        },
        Arrival {
            about: "a range, through the edge of zero",
            program: "int sensor(void); int main(void) { int v = sensor(); if (v < -5) low: ; if (v == -5) lowest: ; if (v == 9) highest: ; if (v > 9) high: ; return 0; }\n",
            inputs: json!([{"call": "sensor", "range": [-5, 9]}]),
            reached: &["lowest", "highest"],
            unreached: &["low", "high"],
        },
        Arrival {
            about: "a function that has a body",
            program: "int sensor(void) { return 1; } int main(void) { int v = sensor(); if (v == 1) own: ; if (v == 2) given: ; return 0; }\n",
            inputs: json!([{"call": "sensor", "values": [2]}]),
            reached: &["given"],
            unreached: &["own"],
        },
        Arrival {
            about: "an array that is read",
            program: "#include <unistd.h>\nint main(void) { char b[4] = \"zzzz\"; long n = read(0, b, 3); if (n == 3) three: ; if (b[0] == 'a' && b[2] == 'b') both: ; if (b[3] != 'z') beyond: ; if (b[1] == 'z') kept: ; return 0; }\n",
            inputs: json!([{"call": "read", "values": [97, 98]}]),
            reached: &["three", "both"],
            unreached: &["beyond", "kept"],
        },
        Arrival {
            about: "a line",
            program: "#include <stdio.h>\nint main(void) { char b[4]; if (!fgets(b, sizeof b, stdin)) none: return 1; if (b[3] != 0) endless: ; if (b[2] == 'a') a: ; return 0; }\n",
            inputs: json!([{"call": "fgets", "values": [97]}]),
            reached: &["a"],
            unreached: &["none", "endless"],
        },
        Arrival {
            about: "variables of all kinds at their declarations",
            program: "int g = 1; static int a[2]; void f(int p) { static int s = 1; int l = 1; if (s == 1) kept: ; if (l == 5 && p == 6 && s == 4) got: ; s = 9; if (l == 1) old: ; }\nint main(void) { f(0); f(0); if (g == 2 && a[0] == 7 && a[1] == 8) all: ; if (g == 1) first: ; return 0; }\n",
            inputs: json!([{"variable": "g", "values": [2, 3]}, {"variable": "a", "range": [7, 8]},
                           {"variable": "f::l", "values": [5]}, {"variable": "f::p", "values": [6]},
                           {"variable": "f::s", "values": [4]}]),
            reached: &["got", "all"],
            unreached: &["kept", "old", "first"],
        },
        Arrival {
            about: "functions without body and readers give anything",
            program: "#include <stdlib.h>\nunsigned char sensor(void); void both(int *p, const int *q); int main(void) { int x = 1, y = 2; both(&x, &y); if (x == 77) stored: ; if (y != 2) constant: ; if (sensor() == 255) most: ; if (rand() == 5) five: ; return 0; }\n",
            inputs: json!([]),
            reached: &["stored", "most", "five"],
            unreached: &["constant"],
        },
    ];
    for case in cases {
        let labels = [case.reached, case.unreached].concat();
        let spec = json!({"ltl": "G {1}", "inputs": case.inputs, "reach": labels});
        let found = verdicts(case.program, &spec, 2);
        for (labels, verdict) in [(case.reached, "false"), (case.unreached, "presumably_true")] {
            for label in labels {
                let name = format!("reach {label}");
                assert_eq!(found[&name], verdict, "{}: {label}", case.about);
            }
        }
    }
}

#[test]
fn a_label_is_reached_with_its_inputs_in_an_iteration() {
    if !cbmc() {
        return;
    }
    let program = "int step(void);\nint n;\nvoid unused(void) {\nnever:\n    n = 9;\n}\nint main(void) {\n    while (1) {\n        if (step() == 4 && ++n == 3) {\nthird:\n            return 0;\n        }\n    }\n}\n";
    let spec = json!({"inputs": [{"call": "step", "values": [3, 4]}], "reach": ["*"]});
    let result = verify(program, &spec, 3, &[]);
    let property = |name: &str| {
        let all = result["properties"].as_array().unwrap();
        all.iter().find(|p| p["name"] == name).unwrap().clone()
    };
    assert_eq!(property("reach never")["verdict"], "presumably_true");
    let third = property("reach third");
    assert_eq!(
        (&third["verdict"], &third["iterations"]),
        (&json!("false"), &json!(3))
    );
    let trace = third["trace"].as_array().unwrap();
    let inputs = trace.iter().filter(|s| s["event"] == "input");
    let given: Vec<&str> = inputs.map(|s| s["what"].as_str().unwrap()).collect();
    assert_eq!(given, ["step() gives 4"; 3]);
    assert_eq!(trace.last().unwrap()["event"], "reach");
    assert_eq!(trace.last().unwrap()["line"], 10);
}

/// A proposition may have the name of an emitted object.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn propositions_may_be_called_anything() {
    if !cbmc() {
        return;
    }
    let names = [
        "value", "was", "site", "state", "start", "finish", "cut", "at_x", "new_x",
    ];
    let propositions: Vec<Value> = names
        .iter()
        .map(|name| json!({"name": name, "default": false, "cond": "n == 2", "span": ["_begin", "_end"]}))
        .collect();
    let formula: Vec<String> = names.iter().map(|n| format!("F {n}")).collect();
    let mut spec = json!({"ltl": formula.join(" && "), "pa": propositions});
    assert_verdicts(COUNTER, &spec, 4, &[("ltl", "true")]);
    spec["trace"] = json!({"mode": "sample", "at": ["sample"]});
    assert_verdicts(COUNTER, &spec, 4, &[("ltl", "true")]);
}

#[test]
fn what_is_emitted_compiles_and_can_be_read() {
    let program = "\
int read_sensor(void);

int main(void) {
    int level = 0;
    while (1) {
        level = read_sensor();
        if (level < 0) {
broken:
            return 1;
        }
sample:
        ;
    }
}
";
    let spec = json!({
        "ltl": "G (high -> X !high)",
        "trace": {"mode": "sample", "at": ["sample"]},
        "inputs": [{"call": "read_sensor", "values": [-1, 3, 8]}],
        "prune": ["broken"],
        "assume": [{"at": "sample", "cond": "main::level != 3"}],
        "reach": ["broken"],
        "pa": [{"name": "high", "default": false, "cond": "main::level > 5", "at": "sample"}]
    });
    let dir = Dir::with(&[("p.c", program), ("s.json", &spec.to_string())]);
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "o.c"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let text = dir.read("o.c");
    let between = |from: &str, to: &str| {
        let start = text.find(from).unwrap();
        let end = text[start..].find(to).unwrap();
        text[start..start + end].to_string()
    };
    let woven = between("int main(void)", "#line 1 \"<baproduct>\"");
    let own = between("/* A run that comes here", "/* The verdict of the word");
    insta::assert_snapshot!(woven + &own);
    let gcc = std::process::Command::new("gcc")
        .args([
            "-std=gnu11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-unused-label",
            "-fsyntax-only",
            "o.c",
        ])
        .current_dir(dir.path("."))
        .output();
    let gcc = gcc.unwrap();
    assert!(
        gcc.status.success(),
        "{}",
        String::from_utf8_lossy(&gcc.stderr)
    );
}

/// Specifications that do not fit the program, each with the place of its refusal.
#[test]
fn what_does_not_fit_the_program_is_refused() {
    let program = "\
int g[5000];
const int limit = 3;
_Thread_local int mine;
struct pair { int a, b; } one(void);
char letter(void);
int *where(void);

int f(int x) {
inside:
    return x;
}

int main(void) {
    for (int i = 0; i < f(2); i++) {
round:
        ;
    }
    one();
    where();
    return letter() + g[0] + limit + mine;
}
";
    let cases = [
        json!({"trace": {"mode": "sample", "at": ["rond"]}}),
        json!({"prune": ["error_*"]}),
        json!({"prune": ["main::inside"]}),
        json!({"reach": ["insid"]}),
        json!({"reach": ["inside"], "properties": [{"name": "reach inside", "ltl": "G {1}"}]}),
        json!({"assume": [{"at": "nowhere", "cond": "1"}]}),
        json!({"assume": [{"at": "round", "cond": "x > 0"}]}),
        json!({"assume": [{"at": "round", "cond": "f::x > 0"}]}),
        json!({"assume": [{"at": "round", "cond": "main::i = 0"}]}),
        json!({"inputs": [{"call": "lettre", "values": [1]}]}),
        json!({"inputs": [{"call": "letter", "values": [1, 300]}]}),
        json!({"inputs": [{"call": "letter", "values": [1]}, {"call": "letter", "values": [2]}]}),
        json!({"inputs": [{"call": "one", "values": [1]}]}),
        json!({"inputs": [{"call": "where", "values": [1]}]}),
        json!({"inputs": [{"variable": "g", "range": [0, 1]}]}),
        json!({"inputs": [{"variable": "limit", "range": [0, 1]}]}),
        json!({"inputs": [{"variable": "mine", "range": [0, 1]}]}),
        json!({"inputs": [{"variable": "main::i", "range": [0, 1]}]}),
        json!({"inputs": [{"variable": "f::y", "range": [0, 1]}]}),
        json!({"inputs": [{"variable": "g[2]", "range": [0, 1]}]}),
    ];
    let mut messages = Vec::new();
    for case in cases {
        let mut spec = case.clone();
        if spec.get("properties").is_none() {
            spec["ltl"] = json!("G {1}");
        }
        let dir = Dir::with(&[("p.c", program), ("s.json", &spec.to_string())]);
        let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "out.c"]);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (3, ""),
            "{case}: {ran:?}"
        );
        assert_eq!(dir.names(), ["p.c", "s.json"]);
        assert!(
            ran.stderr.contains("--> ") && ran.stderr.contains('^'),
            "{}",
            ran.stderr
        );
        messages.push(format!("{case}\n{}", ran.stderr));
    }
    insta::assert_snapshot!(messages.join("\n"));
}
