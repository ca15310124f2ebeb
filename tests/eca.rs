//! Event-condition-action systems of `tests/oracle/eca.py`, which knows the verdicts from exploring
//! all states: prefixes of programs with long chains of rules, and infinite runs.
//!
//! `BAPRODUCT_ECA=50` checks 50 systems; `BAPRODUCT_SEED=7` checks other systems.
#![allow(missing_docs, clippy::unwrap_used)]

use std::process::{Command, Stdio};

use crate::support::{cbmc, installed, ran, repository, Dir, AMPLE};
use serde_json::Value;

/// Generates systems into `cases/`; returns their names and expected results.
fn systems(dir: &Dir, count: usize, options: &[&str]) -> Vec<(String, Value)> {
    let number = |name: &str, default: usize| {
        let given = std::env::var(name).ok();
        given.map_or(default, |text| text.parse().unwrap())
    };
    let made = ran(Command::new("python3")
        .arg(repository("tests/oracle/eca.py"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["--count", &number("BAPRODUCT_ECA", count).to_string()])
        .args(["--seed", &number("BAPRODUCT_SEED", 1).to_string()])
        .args(options)
        .arg(dir.path("cases")));
    assert_eq!(made.status, 0, "{made:?}");
    let cases = std::fs::read_dir(dir.path("cases")).unwrap();
    let cases = cases.map(|case| {
        let name = case.unwrap().file_name().to_string_lossy().into_owned();
        let text = dir.read(&format!("cases/{name}/expected.json"));
        (name, serde_json::from_str(&text).unwrap())
    });
    cases.collect()
}

/// The verdicts of a system's properties, by name.
fn verdicts(dir: &Dir, name: &str, expected: &Value, extra: &[&str]) -> Vec<(String, Value)> {
    let file = |f: &str| format!("cases/{name}/{f}");
    let (spec, program, list) = (file("spec.json"), file("prog.c"), file("properties.txt"));
    let unwind = expected["unwind"].to_string();
    let mut args = vec![&*spec, &program, "--properties", &list, "--unwind", &unwind];
    args.extend(["--no-trace", "--timeout", AMPLE]);
    args.extend(extra);
    let (got, _) = dir.verify(&args);
    let properties = got["properties"].as_array().unwrap().iter();
    properties
        .map(|p| (p["name"].as_str().unwrap().to_string(), p.clone()))
        .collect()
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn infinite_runs_are_found_where_they_fit_and_nowhere_else() {
    let options = "--lassos --states 6 --padding 6 --formulas 12";
    lassos_are_exact(3, &options.split(' ').collect::<Vec<_>>());
}

/// Programs like those of the RERS challenge: guards that compare with several values, and infinite
/// runs from nearly all states.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn infinite_runs_of_programs_like_the_challenge() {
    let options = "--lassos --states 12 --rules 50 --errors 12 --depth 5 --inputs 4 --outputs 4 --formulas 12 --unwind 7";
    lassos_are_exact(1, &options.split(' ').collect::<Vec<_>>());
}

/// Induction alone decides all runs of a small system: the combinations of values in which its loop is reached are invariants. No
/// answer contradicts the graph of all states.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn all_runs_are_decided_by_induction() {
    if !installed("python3") || !cbmc() {
        return;
    }
    let dir = Dir::new();
    let options = "--states 8 --padding 8 --formulas 4";
    let (mut wrong, mut proved, mut satisfied) = (Vec::new(), 0, 0);
    for (name, expected) in systems(&dir, 1, &options.split(' ').collect::<Vec<_>>()) {
        let file = |f: &str| format!("cases/{name}/{f}");
        let (spec, program, list) = (file("spec.json"), file("prog.c"), file("properties.txt"));
        let limits = "--engine induction --no-trace --format json -q";
        let asked = ["--budget", AMPLE, "--properties", &list, &spec, &program];
        let prove: Vec<&str> = ["prove"].into_iter().chain(limits.split(' ')).collect();
        let out = ran(&mut dir.command(&[&prove[..], &asked].concat()));
        let result: Value = serde_json::from_str(&out.stdout).unwrap();
        for got in result["properties"].as_array().unwrap() {
            let of = &expected["properties"][got["name"].as_str().unwrap()];
            let holds = of["infinite"] == "satisfied";
            satisfied += usize::from(holds);
            proved += usize::from(got["holds"] == "proved");
            let contradicts = if holds { "refuted" } else { "proved" };
            if got["holds"] == contradicts {
                wrong.push(format!("{name} {of}: {got}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        satisfied > 0 && proved * 10 >= satisfied * 9,
        "{proved} of {satisfied}"
    );
}

/// State variables with large values, computed by sums, products, quotients and remainders, are told apart by classes: each formula
/// is decided, whatever the number of their values; also those that are computed from each other, beside arrays, pointers and temporaries.
#[test]
fn computed_values_are_told_apart_by_classes() {
    if !installed("python3") || !cbmc() {
        return;
    }
    let dir = Dir::new();
    let options = "--states 14 --rules 40 --errors 12 --depth 7 --inputs 6 --outputs 6 --formulas 12 --ranges 2";
    let data = format!("{options} --data");
    let kinds = crate::support::sample([&*data, options], 2);
    let all = kinds
        .into_iter()
        .flat_map(|of| systems(&dir, 1, &of.split(' ').collect::<Vec<_>>()));
    for (name, expected) in all {
        let file = |f: &str| format!("cases/{name}/{f}");
        let (spec, program, list) = (file("spec.json"), file("prog.c"), file("properties.txt"));
        let asked = "prove --engine explicit --no-trace --format json -q --properties";
        let asked: Vec<&str> = asked.split(' ').chain([&*list, &spec, &program]).collect();
        let out = ran(&mut dir.command(&asked));
        let result: Value = serde_json::from_str(&out.stdout).unwrap();
        let properties = result["properties"].as_array().unwrap();
        assert_eq!(properties.len(), 12);
        for got in properties {
            let of = &expected["properties"][got["name"].as_str().unwrap()];
            let holds = of["infinite"] == "satisfied";
            let wanted = if holds { "proved" } else { "refuted" };
            assert_eq!(got["holds"], wanted, "{name} {of}: {got}");
            let states = got["proof"]["explored"]["states"].as_u64().unwrap();
            assert!(states < 100, "{states} classes");
        }
    }
}

/// Every violation whose lasso fits the bound is found, and none if all infinite runs satisfy the
/// formula.
fn lassos_are_exact(count: usize, options: &[&str]) {
    if !installed("python3") || !cbmc() {
        return;
    }
    let dir = Dir::new();
    let (mut wrong, mut lassos, mut satisfied) = (Vec::new(), 0, 0);
    for (name, expected) in systems(&dir, count, options) {
        for (property, got) in verdicts(&dir, &name, &expected, &["--lasso"]) {
            let of = &expected["properties"][&property];
            let (violated, fits) = (of["infinite"] == "violated", of["lasso"].is_u64());
            lassos += usize::from(got["evidence"] == "lasso");
            satisfied += usize::from(!violated);
            let refuted = got["verdict"] == "false";
            if (fits && !refuted) || (refuted && !violated) {
                wrong.push(format!("{name} {property} {of}: {got}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(lassos > 3 && satisfied > 3, "{lassos} {satisfied}");
}

/// Hundreds of rules, tried one after the other: the emitted program divides the chain.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn long_chains_of_rules() {
    if !installed("python3") || !cbmc() {
        return;
    }
    let dir = Dir::new();
    let options = ["--states", "14", "--padding", "70", "--formulas", "12"];
    let mut wrong = Vec::new();
    for (name, expected) in systems(&dir, 3, &options) {
        for (property, got) in verdicts(&dir, &name, &expected, &[]) {
            let of = &expected["properties"][&property];
            if got["verdict"] != of["prefix"] {
                wrong.push(format!("{name} {property} {of}: {got}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The compiled programs have the same output as before.
#[test]
fn a_divided_chain_computes_what_it_did() {
    if !installed("python3") || !installed("gcc") {
        return;
    }
    let dir = Dir::new();
    for (name, _) in systems(&dir, 3, &["--states", "14", "--padding", "70"]) {
        let file = |f: &str| format!("cases/{name}/{f}");
        let (spec, program, out) = (file("spec.json"), file("prog.c"), file("out.c"));
        let list = file("properties.txt");
        let made = dir.run(&[
            "instrument",
            &spec,
            &program,
            "--properties",
            &list,
            "-o",
            &out,
        ]);
        assert_eq!(made.status, 0, "{made:?}");
        let text = dir.read(&out);
        assert!(text.contains("if (ba_any_0_0_") && text.contains("ba_returned_0 = 1;"));
        for seed in 0..20_u32 {
            let digits = (0..60_u32).map(|n| (seed * 7919 + n * n * 31 + n * seed) / 5 % 3 + 1);
            // 99 is no input: it ends the program.
            let input: String = digits.chain([99]).map(|d| format!("{d}\n")).collect();
            let (before, after) = (
                outcome(&dir, &program, &file("before"), &input),
                outcome(&dir, &out, &file("after"), &input),
            );
            assert_eq!(before, after, "{name}, seed {seed}");
        }
    }
}

/// The output of a compiled program for an input, and its end; compiles the program only once.
fn outcome(dir: &Dir, source: &str, program: &str, input: &str) -> (String, Option<i32>) {
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;
    let path = dir.path(program);
    if !path.exists() {
        let compiled = ran(Command::new("gcc")
            .arg("-w")
            .arg("-o")
            .arg(&path)
            .arg(dir.path(source)));
        assert_eq!(compiled.status, 0, "{compiled:?}");
    }
    let mut child = Command::new(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // A program that ends early leaves the rest unread.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let end = output.status.code().or(output.status.signal());
    (String::from_utf8_lossy(&output.stdout).into_owned(), end)
}
