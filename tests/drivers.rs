//! Code in the shape of drivers of an operating system's kernel: `tests/drivers` has the programs, each preprocessed here
//! with its header, as such code comes.
#![allow(missing_docs, clippy::unwrap_used)]

use std::process::Command;

use crate::support::{cbmc, installed, repository, thorough, Dir, AMPLE};

/// The programs, with a formula and what two rounds say of it.
const PROGRAMS: [(&str, &str, &str); 8] = [
    ("ring", "G {drained <= received}", "presumably_true"),
    ("miscdev", "G {opens <= 1}", "presumably_true"),
    ("waitq", "F {woken == 1}", "presumably_false"),
    ("workq", "G {finished <= started}", "presumably_true"),
    ("parser", "G {errors == 0}", "presumably_true"),
    ("ldv", "G {on >= 0}", "presumably_true"),
    // It reads what each processor has of its own, by instructions that are not known.
    ("percpu", "G {level <= 9}", "unknown"),
    ("refs", "G {uses_after_close == 0}", "presumably_true"),
];

/// The program, preprocessed.
fn preprocessed(dir: &Dir, name: &str) -> String {
    let file = format!("{name}.i");
    let source = repository("tests/drivers").join(format!("{name}.c"));
    let done = Command::new("gcc")
        .args(["-E", "-P", "-o"])
        .arg(dir.path(&file))
        .arg(source)
        .status();
    assert!(done.unwrap().success(), "{name}");
    file
}

#[test]
fn what_is_made_of_them_compiles() {
    if !installed("gcc") {
        return;
    }
    let dir = Dir::new();
    for (name, formula, _) in PROGRAMS {
        let file = preprocessed(&dir, name);
        let bounds = ["--rounds", "2", "--unwind", "2"];
        let sequentialise = ["sequentialise", &file, "-o", "threads.c"];
        let instrument = ["instrument", "--ltl", formula, &file, "-o", "woven.c"];
        for command in [&[&sequentialise[..], &bounds].concat()[..], &instrument] {
            let ran = dir.run(command);
            assert_eq!(ran.status, 0, "{name}: {}", ran.stderr);
        }
        for made in ["threads.c", "woven.c"] {
            let mut gcc = Command::new("gcc");
            gcc.args(["-w", "-fsyntax-only"]).arg(dir.path(made));
            assert!(gcc.status().unwrap().success(), "{name}: {made}");
        }
    }
}

/// The others take longer: `BAPRODUCT_THOROUGH=1`.
#[test]
fn they_have_their_verdicts_by_rounds() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    for (name, formula, verdict) in PROGRAMS {
        if !thorough() && !matches!(name, "ldv" | "percpu") {
            continue;
        }
        let file = preprocessed(&dir, name);
        let bounds = ["--schedules", "rounds:2", "--unwind", "3"];
        let args = ["--ltl", formula, &file, "--timeout", AMPLE];
        let (result, _) = dir.verify(&[&args[..], &bounds].concat());
        assert_eq!(result["verdict"], verdict, "{name}: {}", result["reason"]);
    }
}

/// Interpreters that jump by tables of labels, guards that end with their block, tables with ranges and arrays whose length
/// is a variable: what is decided for good about them.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn extensions_of_gcc_are_decided() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    let questions = [
        ("dispatch", "F {halted == 1}", "proved"),
        ("dispatch", "G {acc <= 2}", "refuted"),
        ("guards", "G({held > 0} -> F {held == 0})", "proved"),
        ("guards", "G {held <= 1}", "refuted"),
        ("tables", "G({state == 2} -> G {state == 2})", "proved"),
        ("tables", "G F {state == 0}", "refuted"),
        ("lengths", "F {finished == 1}", "proved"),
        ("lengths", "G {best <= 8}", "refuted"),
    ];
    for (number, (name, formula, expected)) in questions.into_iter().enumerate() {
        if !thorough() && number % 2 == 1 {
            continue;
        }
        let file = preprocessed(&dir, name);
        let asked = ["--engine", "auto", "--no-trace", "--ltl", formula, &file];
        let (result, _) = dir.verify(&[&asked[..], &["--timeout", AMPLE]].concat());
        let property = &result["properties"][0];
        assert_eq!(property["holds"], expected, "{name}: {formula}: {property}");
    }
}

/// Locks of a kernel are unions, with tickets in them, and use assembler.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn all_schedules_of_a_work_queue_are_decided() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    let file = preprocessed(&dir, "workq");
    for (formula, expected) in [
        ("G {finished <= started}", "proved"),
        ("G {finished == 0}", "refuted"),
    ] {
        let asked = ["--engine", "steps", "--no-trace", "--ltl", formula, &file];
        let (result, _) = dir.verify(&[&asked[..], &["--timeout", AMPLE]].concat());
        let property = &result["properties"][0];
        assert_eq!(property["holds"], expected, "{formula}: {property}");
    }
}

/// Guards in the heads of loops, comparisons by `__auto_type`, and locks in functions that this driver does not call.
#[test]
fn what_later_headers_have_is_decided() {
    if !cbmc() {
        return;
    }
    let file = repository("tests/drivers/scoped.c");
    for (flags, expected) in [("-DWHOLE", "proved"), ("-DBROKEN", "refuted")] {
        let asked = ["--no-trace", "--ltl", "G {entered <= 1}", flags];
        let more = [
            "--engine",
            "auto",
            "--timeout",
            AMPLE,
            file.to_str().unwrap(),
        ];
        let (result, _) = Dir::new().verify(&[&asked[..], &more].concat());
        let property = &result["properties"][0];
        assert_eq!(property["holds"], expected, "{flags}: {property}");
    }
}

/// A ladder of `goto`s gives back what was taken in the reverse order, and the last reference to an object ends it; each with a mistake,
/// too.
#[test]
fn probes_and_references_are_decided() {
    if !cbmc() {
        return;
    }
    let rows = [
        ("probe", "G {leaks == 0 && order == 0}"),
        ("objects", "G {used_dead == 0}"),
    ];
    for (name, formula) in crate::support::sample(rows, 2) {
        let file = repository("tests/drivers").join(format!("{name}.c"));
        for (flags, expected) in [(&[][..], "proved"), (&["-DBROKEN"], "refuted")] {
            let asked = ["--engine", "auto", "--no-trace", "--ltl", formula];
            let file = [file.to_str().unwrap(), "--timeout", AMPLE];
            let (result, _) = Dir::new().verify(&[&asked[..], &file, flags].concat());
            let property = &result["properties"][0];
            assert_eq!(property["holds"], expected, "{name}: {flags:?}: {property}");
        }
    }
}
