//! The results of `verify` in every form: the documented keys of the JSON, reports, traces.
#![allow(clippy::unwrap_used)]

use crate::support::sample::{project, PROGRAM};
use crate::support::{cbmc, Dir};
use serde_json::{json, Value};

/// The keys of an object, in order.
fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn the_json_result_has_the_promised_keys() {
    if !cbmc() {
        return;
    }
    let (result, _) = project("G !big").verify(&["s.json", "p.c", "--unwind", "5"]);
    for key in [
        "tool",
        "properties",
        "backend",
        "unwind",
        "assumptions",
        "verdict",
        "symbol",
        "complete",
        "reason",
    ] {
        assert!(keys(&result).contains(&key), "{key} is missing in {result}");
    }
    assert_eq!(result["tool"]["name"], "baproduct");
    assert_eq!(result["tool"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        (&result["verdict"], &result["symbol"]),
        (&json!("false"), &json!("⊥"))
    );
    assert_eq!(
        (&result["complete"], &result["reason"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(result["backend"]["name"], "cbmc");
    assert!(result["backend"]["runs"].as_u64().unwrap() >= 1);
    assert!(result["backend"]["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(result["unwind"], 5);
    let property = &result["properties"][0];
    for key in [
        "name", "ltl", "verdict", "symbol", "complete", "evidence", "reason", "levels", "trace",
    ] {
        assert!(
            keys(property).contains(&key),
            "{key} is missing in {property}"
        );
    }
    let levels: Vec<&str> = property["levels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["level"].as_str().unwrap())
        .collect();
    assert_eq!(levels, ["false", "presumably_false", "presumably_true"]);
    assert_eq!(property["levels"][0]["reachable"], true);
    let step = &property["trace"][1];
    assert_eq!(
        *step,
        json!({"step": 1, "file": "p.c", "line": 10, "function": "work", "thread": 0, "event": "write",
               "what": "x += 2", "props": {"big": true}, "monitor": step["monitor"],
               "values": {"x": "3"}, "verdict": "false"})
    );
    assert_eq!(
        property["why"],
        "decided in step 1: `big` holds in step 1 (p.c:10)"
    );
}

#[test]
fn several_properties_have_no_verdict_together() {
    if !cbmc() {
        return;
    }
    let spec = json!({"properties": [
        {"name": "small", "ltl": "G {x < 3}"}, {"name": "done", "ltl": "F {x == 3}"}]});
    let dir = Dir::with(&[("p.c", PROGRAM), ("s.json", &spec.to_string())]);
    let (result, status) = dir.verify(&["s.json", "p.c"]);
    assert!(!keys(&result).contains(&"verdict"));
    let verdicts: Vec<&Value> = result["properties"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["verdict"])
        .collect();
    assert_eq!(verdicts, [&json!("false"), &json!("true")]);
    assert_eq!(status, 10);
}

#[test]
fn a_report_has_every_form() {
    if !cbmc() {
        return;
    }
    let dir = project("G !big");
    let (result, _) = dir.verify(&["s.json", "p.c", "--report", "out/report"]);
    let mut names: Vec<String> = std::fs::read_dir(dir.path("out/report"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "report.csv",
            "report.html",
            "report.json",
            "report.sarif",
            "report.txt",
            "report.xml"
        ]
    );
    let json: Value = serde_json::from_str(&dir.read("out/report/report.json")).unwrap();
    assert_eq!(json, result);
    let page = dir.read("out/report/report.html");
    assert!(
        page.starts_with("<!DOCTYPE html>") || page.starts_with("<!doctype html>"),
        "{}",
        &page[..100]
    );
    // The page shows the source beside the trace.
    assert!(page.contains("x += 2;"), "{page}");
    let sarif: Value = serde_json::from_str(&dir.read("out/report/report.sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    assert!(dir.read("out/report/report.xml").contains("<testsuite"));
    assert!(dir.read("out/report/report.txt").contains("⊥"));
}

#[test]
fn traces_are_shown_as_wished() {
    if !cbmc() {
        return;
    }
    let steps = |ltl: &str, wish: &[&str]| {
        let (result, _) = project(ltl).verify(&[&["s.json", "p.c"], wish].concat());
        result["properties"][0]["trace"].as_array().unwrap().len()
    };
    assert!(steps("G !big", &[]) > 0);
    assert!(steps("G !big", &["--trace"]) > 0);
    assert_eq!(steps("G !big", &["--no-trace"]), 0);
    assert_eq!(steps("G (big -> F !big)", &[]), 0);
    assert!(steps("G (big -> F !big)", &["--trace"]) > 0);
    // The last option counts.
    assert_eq!(steps("G !big", &["--trace", "--no-trace"]), 0);
    assert!(steps("G !big", &["--no-trace", "--trace"]) > 0);
}

/// The members of a structure that a function of the program returns were once reported as inputs.
#[test]
fn what_a_function_with_a_body_returns_is_no_input() {
    if !cbmc() {
        return;
    }
    let program = "struct pair { int a, b; };\nint x;\n\
        static struct pair make(int a) { struct pair p = { a, 2 }; x = a; return p; }\n\
        int main(void) { x = make(3).b; return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (result, _) = dir.verify(&["--ltl", "G {x < 3}", "p.c"]);
    let steps = result["properties"][0]["trace"].as_array().unwrap();
    assert!(!steps.is_empty(), "{result}");
    let inputs = steps.iter().filter(|s| s["event"] == "input");
    assert_eq!(inputs.count(), 0, "{result}");
}

#[test]
fn every_format_of_the_result_is_well_formed() {
    if !cbmc() {
        return;
    }
    let dir = project("G !big");
    let run = |format: &str| dir.run(&["verify", "s.json", "p.c", "--format", format]);
    let text = run("text");
    assert_eq!(text.status, 10);
    assert!(
        text.stdout.contains("false") && text.stdout.contains("x += 2"),
        "{}",
        text.stdout
    );
    assert!(!text.stdout.contains('\u{1b}'), "colours in a pipe");
    let coloured = dir.run(&["verify", "s.json", "p.c", "--color", "always"]);
    assert!(coloured.stdout.contains('\u{1b}'));
    let sarif: Value = serde_json::from_str(&run("sarif").stdout).unwrap();
    assert_eq!(sarif["runs"][0]["tool"]["driver"]["name"], "baproduct");
    assert!(run("junit").stdout.starts_with("<?xml"));
}

/// A loop over a table that the bound cuts is reported with the bound that it needs; at that bound
/// no loop is cut.
#[test]
fn a_loop_over_a_table_that_is_cut_is_named() {
    if !cbmc() {
        return;
    }
    let program = "struct rule { int from, to; };
static const struct rule rules[] = { {0, 1}, {1, 2}, {2, 3}, {3, 0} };
int state;
int choose(void);
void tell(int state);
int main(void) {
  int from = choose();
  for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++)
    if (rules[i].from == from) state = rules[i].to;
  tell(state);
  return 0;
}
";
    let dir = Dir::with(&[("p.c", program)]);
    let args = ["--ltl", "G {state < 4}", "p.c", "--unwind", "3"];
    let (result, _) = dir.verify(&args);
    let warnings = result["warnings"].to_string();
    assert!(warnings.contains("--unwindset main:4"), "{warnings}");
    assert_eq!(
        result["findings"],
        json!([]),
        "a function that gives nothing is no finding"
    );
    let (result, _) = dir.verify(&[&args[..], &["--unwindset", "main:4"]].concat());
    assert_eq!(result["warnings"], json!([]));
    assert_eq!(result["properties"][0]["holds"], "proved");
}
