//! Every run of `spec-examples` gives its published verdict, with real CBMC and each monitor form
//! that is exact for it. Runs marked `"thorough"`, all but one form of the monitor for each run, in turns, and two of three
//! runs of a long series run only with `BAPRODUCT_THOROUGH=1`.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{cbmc, sample, thorough, AMPLE};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec-examples")
}

/// Runs `baproduct verify` in the example's directory and returns its result.
fn verify(directory: &Path, run: &Value, monitor: &str) -> Result<Value, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_baproduct"));
    command
        .current_dir(directory)
        .arg("verify")
        .arg(run["spec"].as_str().unwrap());
    let strings = |key: &str| -> Vec<String> {
        run[key]
            .as_array()
            .into_iter()
            .flatten()
            .map(|v| v.as_str().unwrap().to_string())
            .collect()
    };
    command.args(strings("program")).args(strings("args"));
    command.args([
        "--backend",
        "cbmc",
        "--format",
        "json",
        "--timeout",
        AMPLE,
        "--memory",
        "6000",
    ]);
    command.args(["--monitor", monitor, "--unwind", &run["unwind"].to_string()]);
    let output = command.output().map_err(|e| e.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("{e}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// The wrong verdicts among several properties.
fn properties(result: &Value, run: &Value, label: &str) -> Vec<String> {
    let found = result["properties"].as_array().unwrap();
    let wanted = run["verdicts"].as_object().unwrap();
    assert_eq!(found.len(), wanted.len(), "{label}");
    let pairs = found
        .iter()
        .map(|p| (p, &wanted[p["name"].as_str().unwrap()]));
    pairs
        .filter(|(p, verdict)| p["verdict"] != **verdict || p["complete"] != run["complete"])
        .map(|(p, verdict)| {
            format!(
                "{label}, {}: {}, not {verdict} ({})",
                p["name"], p["verdict"], p["reason"]
            )
        })
        .collect()
}

fn check_directory(name: &str) {
    if !cbmc() {
        return;
    }
    let directory = examples().join(name);
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(directory.join("expected.json")).unwrap())
            .unwrap();
    let mut failures = Vec::new();
    let mut runs = 0;
    let waits = |run: &Value, monitor: &Value| {
        let listed = run["thorough"].as_array();
        let listed = listed.is_some_and(|all| all.contains(monitor));
        !thorough() && (listed || run["thorough"] == true)
    };
    let all = expected["runs"].as_array().unwrap();
    // Long series differ in a bound or in a seeded fault from run to run.
    let step = if all.len() > 8 { 3 } else { 1 };
    for (number, run) in sample(all, step).enumerate() {
        let monitors = run["monitors"].as_array().unwrap().iter();
        let mut monitors: Vec<&Value> = monitors.filter(|m| !waits(run, m)).collect();
        if !thorough() && !monitors.is_empty() {
            monitors = vec![monitors[number % monitors.len()]];
        }
        for monitor in monitors {
            runs += 1;
            let monitor = monitor.as_str().unwrap();
            let label = format!("{} with --monitor {monitor}", run["name"]);
            match verify(&directory, run, monitor) {
                Err(e) => failures.push(format!("{label}: {e}")),
                Ok(result) if run["verdicts"].is_object() => {
                    failures.extend(properties(&result, run, &label));
                }
                Ok(result) => {
                    for key in ["verdict", "complete"] {
                        if result[key] != run[key] && !run[key].is_null() {
                            failures.push(format!(
                                "{label}: {key} is {}, not {} ({})",
                                result[key], run[key], result["reason"]
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(runs > 0, "{name} has no runs");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

macro_rules! directories {
    ($($name:ident),* $(,)?) => {
        $(#[test] fn $name() { check_directory(stringify!($name)); })*

        #[test]
        fn every_directory_is_run() {
            let mut found: Vec<String> = std::fs::read_dir(examples()).unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.join("expected.json").exists())
                .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
                .collect();
            found.sort();
            let mut listed = vec![$(stringify!($name)),*];
            listed.sort();
            assert_eq!(found, listed);
        }
    };
}

directories! {
    answer, battery, bicycle, crossing, elevator, firmware, gate, morse_choice, morse_counter, morse_figure4, morse_loops,
    make_demo, mutual_exclusion, oximeter, parser, prod_cons, race, reactor,
}
