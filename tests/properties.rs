//! Lists of properties: their groups, bounds and results; and campaigns.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{cbmc, installed, Dir, Ran, AMPLE};
use serde_json::Value;

const PROGRAM: &str = "int x, y;
int main(void) {
  for (int i = 0; i < 3; i++) { x = i; y = !y; }
  while (1) { y = !y; }
}
";

const LIST: &str = "# five formulas
never: G {x != 2}   # expect: violated
F {x == 2}          # expect: true
toggles: G F {y == 1}
G {x < 3}
#7: y is set before x is 2
(! {x == 2} WU {y == 1})
";

fn verify(dir: &Dir, more: &[&str]) -> Ran {
    let mut args = vec!["verify", "--no-trace", "--timeout", AMPLE, "p.c"];
    args.extend(more);
    dir.run(&args)
}

fn verdicts(ran: &Ran) -> BTreeMap<String, String> {
    let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
    let properties = json["properties"].as_array().unwrap().iter();
    let text = |v: &Value| v.as_str().unwrap().to_string();
    properties
        .map(|p| (text(&p["name"]), text(&p["verdict"])))
        .collect()
}

#[test]
fn groups_bounds_and_resumption_do_not_change_a_verdict() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", PROGRAM), ("l.txt", LIST)]);
    let list = ["--properties", "l.txt", "--format", "json"];
    let with = |more: &[&str]| verify(&dir, &[&list[..], more].concat());
    let whole = with(&["--unwind", "4"]);
    let expected = verdicts(&whole);
    let names: Vec<&str> = expected.keys().map(String::as_str).collect();
    assert_eq!(names, ["#7", "ltl2", "ltl4", "never", "toggles"]);
    assert_eq!(expected["never"], "false");
    assert_eq!(expected["ltl2"], "true");

    let results = ["--unwind", "4", "--group", "2", "--results", "r.jsonl"];
    let part = with(&[&results[..], &["--only", "ltl*", "--only", "never"]].concat());
    assert_eq!(verdicts(&part).len(), 3);
    assert_eq!(dir.read("r.jsonl").lines().count(), 3);
    let again = with(&results);
    assert_eq!(again.status, 2, "results are not overwritten: {again:?}");
    let all = with(&[&results[..], &["--resume"]].concat());
    assert_eq!(verdicts(&all), expected);
    assert_eq!(all.status, whole.status);
    assert_eq!(
        dir.read("r.jsonl").lines().count(),
        5,
        "only what was open is verified"
    );

    let bounds = with(&["--bounds", "2,4"]);
    assert_eq!(verdicts(&bounds), expected);
    let json: Value = serde_json::from_str(&bounds.stdout).unwrap();
    let tried = |name: &str| {
        let properties = json["properties"].as_array().unwrap();
        let property = properties.iter().find(|p| p["name"] == name).unwrap();
        property["bounds"].as_array().unwrap().len()
    };
    assert_eq!(tried("ltl4"), 2, "{bounds:?}");
}

#[test]
fn a_list_is_checked_and_told_as_a_table() {
    let dir = Dir::with(&[("p.c", PROGRAM), ("bad.txt", "a: G {x > 1}\nb: G {x >\n")]);
    let bad = verify(&dir, &["--properties", "bad.txt"]);
    assert_eq!(bad.status, 3);
    assert!(bad.stderr.contains("bad.txt:2:"), "{}", bad.stderr);
    if !cbmc() {
        return;
    }
    dir.write(
        "l.csv",
        "name,ltl,expect\nfirst,\"G {x < 3}\",satisfied\nsecond,G {x == 0},violated\n",
    );
    let good = verify(
        &dir,
        &["--properties", "l.csv", "--unwind", "4", "--csv", "-"],
    );
    assert_eq!(good.status, 0, "as expected: {good:?}");
    let rows: Vec<Vec<&str>> = good
        .stdout
        .lines()
        .map(|l| l.split(',').collect())
        .collect();
    assert_eq!(rows[1][..2], ["first", "presumably_true"]);
    assert_eq!(rows[2][..2], ["second", "false"]);
}

#[test]
fn a_campaign_is_done_once() {
    if !cbmc() {
        return;
    }
    let manifest = r#"{ "unwind": [2, 4], "args": ["--timeout", "1200", "--no-trace"], "cases": [
        { "name": "list", "files": ["p.c"], "properties": ["l.txt"] },
        { "name": "it's refused", "files": ["p.c"], "ltl": "G {nothing == 0}" } ] }"#;
    let dir = Dir::with(&[("p.c", PROGRAM), ("l.txt", LIST), ("c.json", manifest)]);
    let first = dir.run(&["campaign", "c.json", "--format", "json"]);
    assert_eq!(first.status, 3, "the refused task counts most: {first:?}");
    let json: Value = serde_json::from_str(&first.stdout).unwrap();
    assert_eq!(json["counts"]["false"], 1);
    assert_eq!(json["counts"]["unknown"], 0);
    let message = json["tasks"][1]["error"].as_str().unwrap();
    assert!(message.contains("nothing"), "{message}");

    // Only the refused task is left, so the results come without a model checker.
    let mut second = dir.command(&[
        "campaign",
        "c.json",
        "--format",
        "json",
        "--executor",
        "none",
    ]);
    let second = second.env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(String::from_utf8(second.stdout).unwrap(), first.stdout);

    // Another input makes another task.
    dir.write("l.txt", "G {x < 3}\n");
    let third = dir.run(&[
        "campaign",
        "c.json",
        "--format",
        "csv",
        "--executor",
        "none",
    ]);
    assert!(third.stdout.contains("it was not done yet"), "{third:?}");

    dir.write("c.json", "{ \"cases\": [],\n  \"case\": 1 }");
    let bad = dir.run(&["campaign", "c.json"]);
    assert_eq!(bad.status, 3);
    assert!(bad.stderr.contains("c.json:2:"), "{}", bad.stderr);
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_example_of_a_catalogue_is_as_expected() {
    if !cbmc() {
        return;
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_baproduct"));
    command.current_dir(repository().join("spec-examples/rers_like"));
    command.args([
        "verify",
        "spec.json",
        "problem.c",
        "--properties",
        "properties.txt",
    ]);
    let output = command
        .args(["--no-trace", "--timeout", AMPLE])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// Generated event-condition-action programs: the verdicts are those of explicit exploration.
/// `BAPRODUCT_ECA` is the number of programs (default 2, or 4 if thorough), `BAPRODUCT_SEED` the first seed.
#[test]
fn generated_systems_have_the_verdicts_of_their_exploration() {
    if !installed("python3") || !cbmc() {
        return;
    }
    let number = |name: &str, default: u32| {
        let value = std::env::var(name).ok();
        value.map_or(default, |text| text.parse().unwrap())
    };
    let few = if crate::support::thorough() { 4 } else { 2 };
    let dir = Dir::new();
    let generate = Command::new("python3")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(repository().join("tests/oracle/eca.py"))
        .args(["--count", &number("BAPRODUCT_ECA", few).to_string()])
        .args(["--seed", &number("BAPRODUCT_SEED", 1).to_string()])
        .args(["--states", "10", "--padding", "6", "--formulas", "12"])
        .arg(dir.path("cases"))
        .status();
    assert!(generate.unwrap().success());
    let mut wrong = Vec::new();
    for case in std::fs::read_dir(dir.path("cases")).unwrap() {
        let case = case.unwrap().path();
        let text = std::fs::read_to_string(case.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&text).unwrap();
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let file = |f: &str| format!("cases/{name}/{f}");
        let ran = dir.run(&[
            "verify",
            &file("spec.json"),
            &file("prog.c"),
            "--properties",
            &file("properties.txt"),
            "--unwind",
            &expected["unwind"].to_string(),
            "--format",
            "json",
            "--no-trace",
            "--timeout",
            AMPLE,
        ]);
        let found = verdicts(&ran);
        for (property, of) in expected["properties"].as_object().unwrap() {
            let want = of["prefix"].as_str().unwrap();
            if found[property] != want {
                wrong.push(format!(
                    "{name} {property} {}: {}, not {want}",
                    of["ltl"], found[property]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The expectations for labels; if several items name a label, the first expectation counts.
#[test]
fn labels_to_be_reached_have_expectations() {
    let program = "int nondet_int(void);\nint main(void) {\n  int x = nondet_int();\n  if (x == 3) { error_1: return 1; }\n\
  if (x == 3) { error_2: return 2; }\n  return 0;\n}\n";
    let with = |reach: &str| {
        Dir::with(&[
            ("p.c", program),
            ("s.json", &format!("{{ \"reach\": {reach} }}")),
        ])
    };
    let wrong =
        with(r#"[{ "at": "error_*", "expects": "violated" }]"#).run(&["verify", "s.json", "p.c"]);
    assert_eq!(wrong.status, 3);
    assert!(
        wrong.stderr.contains("did you mean `expect`?"),
        "{}",
        wrong.stderr
    );
    if !cbmc() {
        return;
    }
    for (reach, status) in [
        (r#"["error_*"]"#, 10),
        (r#"[{ "at": "error_*", "expect": "satisfied" }]"#, 10),
        (
            r#"[{ "at": "error_1", "expect": "violated" }, "error_2"]"#,
            0,
        ),
        (
            r#"["error_1", { "at": "error_1", "expect": "violated" }, { "at": "error_*", "expect": "presumably_true" }]"#,
            0,
        ),
        (r#"[{ "at": "error_2", "expect": "violated" }]"#, 10),
    ] {
        let ran = with(reach).run(&["verify", "s.json", "p.c", "--no-trace", "--format", "json"]);
        assert_eq!(ran.status, status, "{reach}: {}", ran.stdout);
        let found = verdicts(&ran);
        assert!(found.get("reach error_1").is_none_or(|v| v == "false"));
        assert!(found
            .get("reach error_2")
            .is_none_or(|v| v == "presumably_true"));
    }
}

/// A kept result belongs to the options with which it was found: these discard the only run.
#[test]
fn kept_results_are_those_of_the_same_options() {
    if !crate::support::cbmc() {
        return;
    }
    let dir = Dir::with(&[
        (
            "p.c",
            "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 2); return 0; }\n",
        ),
        ("l.txt", "a: F {x == 1}\n"),
    ]);
    let kept = ["--properties", "l.txt", "--results", "r.jsonl"];
    let first = verify(&dir, &kept);
    assert_eq!(first.status, 0, "{first:?}");
    let again = verify(
        &dir,
        &[&kept[..], &["--resume", "--assert-prunes"]].concat(),
    );
    assert_eq!(again.status, 5, "no run is left: {again:?}");
}

/// An endless program: only engines that follow all runs decide, and what they say of any values is said again.
#[test]
fn answers_about_all_runs_are_stored_with_what_they_rest_on() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nint n;\nint main(void) {\n  while (1) {\n    if (nondet_int()) { if (n < 5) n++; } else if (n > 0) n--;\n  }\n}\n";
    let list = "low: G {n >= 0}\nhigh: G {n <= 4}\n";
    let dir = Dir::with(&[("p.c", program), ("l.txt", list)]);
    let stored = "verify --properties l.txt p.c --format json --results r.jsonl --resume";
    let asked: Vec<&str> = stored.split(' ').collect();
    let json = |more: &[&str]| -> Value {
        let ran = dir.run(&[&asked[..], more].concat());
        serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"))
    };
    let first = json(&["--only", "low"]);
    assert_eq!(first["properties"][0]["holds"], "proved", "{first}");
    let both = json(&[]);
    let holds = |n: usize| both["properties"][n]["holds"].as_str().unwrap();
    assert_eq!((holds(0), holds(1)), ("proved", "refuted"), "{both}");
    assert_eq!(both["properties"][0], first["properties"][0]);
    let again = json(&[]);
    assert_eq!(again["backend"]["runs"], 0, "{again}");
    assert_eq!(again["properties"], both["properties"]);
    let assumed = again["assumptions"].to_string();
    assert!(assumed.contains("nondet_int"), "{assumed}");
    // Another question about the same program.
    let other = json(&["--engine", "explicit"]);
    assert_ne!(other["backend"]["runs"], 0, "{other}");
}

/// Each `--ltl` is a property of its own, named as in a list; a mistake is shown in the formula that has it.
#[test]
fn formulas_on_the_command_line_are_a_list() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", PROGRAM)]);
    let asked = [
        "--unwind",
        "4",
        "--format",
        "json",
        "--ltl",
        "G {x != 2}",
        "--ltl",
        "F {x == 2}",
        "--ltl",
        "G\n{x < 3}",
    ];
    let given = verdicts(&verify(&dir, &asked));
    assert_eq!(given["ltl1"], "false");
    assert_eq!(given["ltl2"], "true");
    assert_eq!(given["ltl3"], "presumably_true");

    let wrong = verify(&dir, &["--ltl", "F {x == 2}", "--ltl", "G ({x < 3}"]);
    assert_eq!(wrong.status, 3, "{wrong:?}");
    assert!(wrong.stderr.contains("2 | G ({x < 3}"), "{wrong:?}");
}
