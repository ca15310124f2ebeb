//! Every way to verify an example gives the same verdict, and every trace of a violation is the run
//! of a real execution. Here for a subset; `BAPRODUCT_THOROUGH=1` checks all examples, and
//! `scripts/check-examples` checks them with several versions of CBMC.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use crate::support::{cbmc, installed, repository, thorough, Dir, Ran};
use serde_json::Value;

/// Examples that take less than a second for each way.
const QUICK: [&str; 2] = ["answer_simple", "race"];

fn wanted(name: &str) -> bool {
    thorough() || QUICK.contains(&name)
}

/// The arguments of `verify` for a run of an example.
fn arguments(run: &Value) -> Vec<String> {
    let strings = |key: &str| -> Vec<String> {
        let values = run[key].as_array().into_iter().flatten();
        values.map(|v| v.as_str().unwrap().to_owned()).collect()
    };
    let mut all = vec!["verify".to_owned(), run["spec"].as_str().unwrap().into()];
    all.extend(strings("program"));
    all.extend(strings("args"));
    all.extend(["--unwind".into(), run["unwind"].to_string()]);
    all
}

fn run_in(directory: &Path, dir: &Dir, args: &[String], more: &[&str]) -> Ran {
    let mut command = dir.command(&[]);
    crate::support::ran(command.current_dir(directory).args(args).args(more))
}

/// Name, verdict and completeness of each property.
fn verdicts(result: &Value) -> Vec<(String, String, Value)> {
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let properties = result["properties"].as_array().unwrap().iter();
    properties
        .map(|p| (text(&p["name"]), text(&p["verdict"]), p["complete"].clone()))
        .collect()
}

/// Runs an example in all ways and reports the disagreements.
fn disagreements(directory: &Path, run: &Value) -> Vec<String> {
    let name = run["name"].as_str().unwrap();
    let (dir, args, mut wrong) = (Dir::new(), arguments(run), Vec::new());
    let mut first: Option<Vec<(String, String, Value)>> = None;
    for monitor in run["monitors"].as_array().unwrap() {
        let monitor = monitor.as_str().unwrap();
        for levels in ["together", "separate"] {
            // A test of the command line asks an example both ways (`levels_asked_apart_or_together_give_the_same`), and
            // which levels are asked together does not depend on the form of the monitor.
            if levels == "separate" && !thorough() && (monitor == "buchi" || name == "race") {
                continue;
            }
            let traced = (monitor, levels) == ("dfa", "together");
            let mut more = vec!["--format", "json", "--monitor", monitor, "--levels", levels];
            more.extend((!traced).then_some("--no-trace"));
            let ran = run_in(directory, &dir, &args, &more);
            let Ok(result) = serde_json::from_str::<Value>(&ran.stdout) else {
                wrong.push(format!("{name}: {}", ran.stderr));
                continue;
            };
            let found = verdicts(&result);
            match &first {
                None => first = Some(found),
                Some(first) if *first == found => {}
                Some(first) => wrong.push(format!(
                    "{name}, {monitor}, {levels}: {found:?}, not {first:?}"
                )),
            }
            if traced {
                dir.write("trace.json", &ran.stdout);
                let unsure = result["warnings"].to_string();
                if unsure.contains("confirmed") || unsure.contains("no trace") {
                    wrong.push(format!("{name}: {unsure}"));
                }
            }
        }
    }
    let violated = first
        .iter()
        .flatten()
        .any(|(_, v, _)| v == "false" || v == "presumably_false");
    if violated {
        let trace = dir.path("trace.json").display().to_string();
        let ran = run_in(directory, &dir, &["replay".into(), trace], &[]);
        if ran.status != 0 {
            wrong.push(format!(
                "{name} is not confirmed: {}{}",
                ran.stdout, ran.stderr
            ));
        }
    }
    wrong
}

#[test]
fn every_way_gives_the_same_verdict_and_every_trace_is_confirmed() {
    if !cbmc() || !installed("gcc") {
        return;
    }
    let (mut wrong, mut runs) = (Vec::new(), 0);
    let mut directories: Vec<_> = std::fs::read_dir(repository("spec-examples"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("expected.json").exists())
        .collect();
    directories.sort();
    for directory in directories {
        let text = std::fs::read_to_string(directory.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&text).unwrap();
        for run in expected["runs"].as_array().unwrap() {
            if wanted(run["name"].as_str().unwrap()) {
                runs += 1;
                wrong.extend(disagreements(&directory, run));
            }
        }
    }
    assert!(runs >= QUICK.len(), "only {runs} examples were found");
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
}

/// `scanf` with several values, with any value, and a variable with a free initial value.
#[test]
fn every_choice_of_the_environment_is_fed() {
    if !cbmc() || !installed("gcc") {
        return;
    }
    let program = "#include <stdio.h>\nint y;\nint main(void) {\n  int n, m;\n  short limit;\n  if (scanf(\"%d %d\", &n, &m) != 2) return 1;\n  if (n == 7 && m == -3 && limit == 41) y = 1;\n  return 0;\n}\n";
    let spec = r#"{ "ltl": "G {y == 0}", "inputs": [ { "variable": "main::limit", "range": [40, 50] } ] }"#;
    let dir = Dir::with(&[("p.c", program), ("s.json", spec)]);
    let (json, _) = dir.verify(&["s.json", "p.c"]);
    assert_eq!(json["verdict"], "false", "{json}");
    dir.write("t.json", json.to_string());
    let ran = dir.run(&["replay", "t.json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.stdout.contains("confirmed: ⊥ false"), "{}", ran.stdout);

    // With another value the run differs.
    let other = json.to_string().replace("\"value\":-3", "\"value\":-4");
    assert_ne!(other, json.to_string());
    dir.write("t.json", other);
    let ran = dir.run(&["replay", "t.json"]);
    assert_eq!(ran.status, 5, "{ran:?}");
    assert!(ran.stdout.contains("not confirmed"), "{}", ran.stdout);
}

#[test]
fn the_loop_of_an_infinite_run_is_gone_round_a_thousand_times() {
    if !cbmc() || !installed("gcc") {
        return;
    }
    let program = "int asked(void);\nint red, green;\nint main(void) {\n  while (1) {\n    if (asked()) green = 1;\n    red = !red;\n  }\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (json, _) = dir.verify(&[
        "--ltl",
        "G F {green == 1}",
        "p.c",
        "--lasso",
        "--unwind",
        "4",
    ]);
    assert_eq!(
        (
            json["verdict"].as_str(),
            json["properties"][0]["evidence"].as_str()
        ),
        (Some("false"), Some("lasso")),
        "{json}"
    );
    dir.write("t.json", json.to_string());
    let ran = dir.run(&["replay", "t.json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.stdout.contains("1000 times"), "{}", ran.stdout);

    // A program that only begins in the same way does not loop for ever.
    dir.write(
        "p.c",
        program.replace(
            "red = !red;",
            "red = !red; static int n; if (++n == 700) green = 1;",
        ),
    );
    let ran = dir.run(&["replay", "t.json"]);
    assert_ne!(ran.status, 0, "{ran:?}");
}
