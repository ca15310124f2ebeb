//! Compares native runs, letter by letter, with an oracle that evaluates all propositions after
//! every write, label and jump: `tests/oracle/letters.py` generates each program twice, plain and
//! with these evaluations; both are compiled and run.
//!
//! `BAPRODUCT_CASES=20` checks twenty times as many cases; `BAPRODUCT_SEED=7` checks other cases.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::support::{cases, installed, number, ran, repository, Dir};
use serde_json::{json, Value};

/// Cases per program. Each case's trace is read from all steps of the run, so the cost per case
/// grows with their number.
const IN_A_BATCH: usize = 5;

/// The letters of each case; no letter equals its predecessor.
type Words = BTreeMap<String, Vec<String>>;

/// Compiles the oracle of a batch and reads its output: a case's number and a letter per line.
fn expected(batch: &Path) -> Words {
    let oracle = batch.join("oracle");
    let compiled = ran(Command::new("gcc")
        .args(["-w", "-O0", "-o"])
        .args([&oracle, &batch.join("oracle.c")]));
    assert_eq!(compiled.status, 0, "{compiled:?}");
    let run = ran(&mut Command::new(&oracle));
    assert_eq!(run.status, 0, "{run:?}");
    let mut words = Words::new();
    for line in run.stdout.lines() {
        let (case, letter) = line.split_once(' ').unwrap();
        let word = words.entry(format!("case{case}")).or_default();
        word.push(letter.to_string());
    }
    words
}

/// The letters that the tool records: the values of a case's propositions in the order of their
/// names.
fn recorded(dir: &Dir, batch: &Path) -> Words {
    let file = |name: &str| batch.join(name).to_str().unwrap().to_string();
    let (spec, program) = (file("spec.json"), file("prog.c"));
    let (result, _) = dir.verify(&[&spec, &program, "--backend", "native", "--trace"]);
    let marks = ["input", "end", "cut", "blocked"].map(|s| json!(s));
    let mut words = Words::new();
    for property in result["properties"].as_array().unwrap() {
        let steps = property["trace"].as_array().unwrap().iter();
        let letters = steps.filter(|s| !marks.contains(&s["event"])).map(letter);
        let mut word: Vec<String> = letters.collect();
        word.dedup();
        words.insert(property["name"].as_str().unwrap().to_string(), word);
    }
    words
}

fn letter(step: &Value) -> String {
    let values: BTreeMap<String, bool> = serde_json::from_value(step["props"].clone()).unwrap();
    values
        .values()
        .map(|v| if *v { '1' } else { '0' })
        .collect()
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_native_run_has_the_letters_that_a_debugger_sees() {
    if !installed("python3") || !installed("gcc") {
        return;
    }
    let batches = cases(20);
    let seed = 1 + number("BAPRODUCT_SEED", 0);
    let dir = Dir::new();
    let generated = ran(Command::new("python3")
        .arg(repository("tests/oracle/letters.py"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["--seed", &seed.to_string()])
        .args(["--cases", &IN_A_BATCH.to_string()])
        .args(["--count", &batches.to_string()])
        .arg(dir.path("cases")));
    assert_eq!(generated.status, 0, "{generated:?}");
    let (mut letters, mut wrong) = (0, Vec::new());
    for batch in (0..batches).map(|i| dir.path(&format!("cases/batch_{i}"))) {
        let (expected, recorded) = (expected(&batch), recorded(&dir, &batch));
        assert_eq!(expected.len(), IN_A_BATCH);
        for (case, word) in &expected {
            letters += word.len();
            if recorded.get(case) != Some(word) {
                wrong.push(format!(
                    "seed {seed}, {}, {case}:\n  {word:?}\n  {:?}",
                    batch.display(),
                    recorded.get(case)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(letters > 20 * batches, "{letters} letters only");
}
