//! Programs that the oracle generates, with the expected results.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::{cases, installed, number, ran, repository, Dir, AMPLE};

/// Generated programs of one kind.
pub struct Generated {
    /// The seed, to generate them again.
    pub seed: usize,
    pub cases: Vec<Case>,
    /// The directory of their files; removed at the end.
    pub dir: Dir,
}

/// A generated program.
pub struct Case {
    pub spec: PathBuf,
    pub program: PathBuf,
    /// The oracle's answer.
    pub expected: Value,
}

/// Generates a part of `count` cases (see [`cases`]) of a kind, other cases for each
/// `BAPRODUCT_SEED`; `extra` are options of the generator. `None` if python3 is missing: then the
/// test is skipped.
pub fn generate(kind: &str, count: usize, seed: usize, extra: &[&str]) -> Option<Generated> {
    made_by(
        "generate.py",
        count,
        seed,
        &[&["--kind", kind], extra].concat(),
    )
}

/// As [`generate`], with another generator in `tests/oracle`.
pub fn made_by(script: &str, count: usize, seed: usize, extra: &[&str]) -> Option<Generated> {
    if !installed("python3") {
        return None;
    }
    let count = cases(count);
    let seed = seed + 1000 * number("BAPRODUCT_SEED", 0);
    let dir = Dir::new();
    let generated = ran(Command::new("python3")
        .arg(repository(&format!("tests/oracle/{script}")))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["--seed", &seed.to_string()])
        .args(["--count", &count.to_string()])
        .args(extra)
        .arg(dir.path("cases")));
    assert_eq!(generated.status, 0, "{generated:?}");
    let case = |i: usize| {
        let case = dir.path(&format!("cases/case_{i}"));
        let expected = std::fs::read_to_string(case.join("expected.json")).unwrap();
        Case {
            spec: case.join("spec.json"),
            program: case.join("prog.c"),
            expected: serde_json::from_str(&expected).unwrap(),
        }
    };
    let cases = (0..count).map(case).collect();
    Some(Generated { seed, cases, dir })
}

/// Programs of `compared.py` without an answer, as text, each with a formula; for the number of cases and the seed see
/// [`generate`].
pub fn compared(kind: &str, count: usize, seed: usize) -> Option<Vec<(String, String)>> {
    if !installed("python3") {
        return None;
    }
    let (count, seed) = (cases(count), seed + 1000 * number("BAPRODUCT_SEED", 0));
    let dir = Dir::new();
    let generated = ran(Command::new("python3")
        .arg(repository("tests/oracle/compared.py"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["--kind", kind, "--seed", &seed.to_string()])
        .args(["--count", &count.to_string()])
        .arg(dir.path("cases")));
    assert_eq!(generated.status, 0, "{generated:?}");
    let read = |i: usize, name: &str| {
        std::fs::read_to_string(dir.path(&format!("cases/case_{i}/{name}"))).unwrap()
    };
    let case = |i| (read(i, "prog.c"), read(i, "formula.txt").trim().to_string());
    Some((0..count).map(case).collect())
}

impl Generated {
    /// Checks for each case whether its formula holds on all runs: no answer may contradict the
    /// oracle, and some case must have one.
    pub fn agree_on_all_runs(&self, holds: impl Fn(&Case) -> String) {
        let (mut wrong, mut answered) = (Vec::new(), 0);
        for case in &self.cases {
            let got = holds(case);
            let truth = match case.expected["violated"] == true {
                true => "refuted",
                false => "proved",
            };
            answered += usize::from(got != "unknown");
            if got != "unknown" && got != truth {
                wrong.push(format!("got {got}, {}", case.told()));
            }
        }
        let seed = self.seed;
        assert!(wrong.is_empty(), "seed {seed}: {}", wrong.join("\n"));
        assert!(answered > 0, "nothing was answered");
    }
}

impl Case {
    /// The formula, if the expected result contains it.
    pub fn formula(&self) -> &str {
        self.expected["ltl"].as_str().unwrap()
    }

    /// The generated files and the expected result, for messages.
    pub fn told(&self) -> String {
        let (spec, program) = (self.spec_text(), self.program_text());
        format!("expected {}\n{spec}\n{program}", self.expected)
    }

    /// The specification; empty if the expected result contains the formula instead.
    pub fn spec_text(&self) -> String {
        std::fs::read_to_string(&self.spec).unwrap_or_default()
    }

    pub fn program_text(&self) -> String {
        std::fs::read_to_string(&self.program).unwrap()
    }

    /// The result of `verify` at the oracle's bound.
    pub fn verify(&self, dir: &Dir, extra: &[&str]) -> Value {
        self.verify_at(dir, &self.expected["unwind"].to_string(), extra)
    }

    /// The result of `verify` at a bound.
    pub fn verify_at(&self, dir: &Dir, unwind: &str, extra: &[&str]) -> Value {
        let mut args = vec!["--unwind", unwind, "--no-trace", "--timeout", AMPLE];
        args.extend(extra);
        args.extend([self.spec.to_str().unwrap(), self.program.to_str().unwrap()]);
        dir.verify(&args).0
    }
}
