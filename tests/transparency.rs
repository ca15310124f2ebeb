//! A program with a monitor computes the same as the original, on the same lines, and no compiler
//! gives a new warning. `scripts/corpus` checks this on real programs.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::process::{Command, Output};

use crate::support::{compilers, repository, Dir};

/// Two propositions of the global `g` that all programs have.
const SPEC: &str = r#"{ "ltl": "G(large -> F !large) && G(even -> F !even)",
  "pa": [ { "name": "large", "default": false, "cond": "g > 1", "span": ["_begin", "_end"] },
          { "name": "even", "default": false, "cond": "g % 2 == 0", "span": ["_begin", "_end"] } ] }"#;

fn compile(compiler: &str, standard: &str, dir: &Dir, file: &str, output: &str) -> Output {
    let flags = ["-Wall", "-Wextra", "-lm", "-o", output];
    Command::new(compiler)
        .current_dir(dir.path(""))
        .env("LC_ALL", "C")
        .args([&format!("-std={standard}"), file])
        .args(flags)
        .output()
        .unwrap()
}

/// The kinds of warnings of a compiler's run, with their lines. A warning of gcc's about an emitted
/// macro belongs to the line of its use, which the following note names.
fn warnings(output: &Output) -> BTreeSet<(String, String)> {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let kinds = lines.iter().enumerate().filter_map(|(at, line)| {
        let (mut place, message) = line.split_once(": warning: ")?;
        if place.starts_with("<baproduct>") {
            let mut behind = lines[at + 1..].iter();
            let user = behind.find_map(|l| l.split_once(": note: in expansion of macro"));
            place = user.map_or(place, |(place, _)| place);
        }
        let number = place.split(':').nth(1)?;
        Some((number.to_string(), message.rsplit_once('[')?.1.to_string()))
    });
    kinds.collect()
}

/// The output of a program, and its exit status.
fn outcome(dir: &Dir, program: &str) -> (Option<i32>, String, String) {
    let ran = Command::new(dir.path(program)).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(program, "PROGRAM");
    (ran.status.code(), text(&ran.stdout), text(&ran.stderr))
}

fn assert_transparent(name: &str, standard: &str, compilers: &[&str]) {
    let source = repository(&format!("tests/transparency/{name}.c"));
    let source = std::fs::read_to_string(source).unwrap();
    for headers in ["include", "expand"] {
        let dir = Dir::with(&[("p.c", &source), ("s.json", SPEC)]);
        std::fs::create_dir(dir.path("woven")).unwrap();
        let args = [
            "instrument",
            "s.json",
            "p.c",
            "-o",
            "woven/p.c",
            "--std",
            standard,
        ];
        let ran = dir.run(&[&args[..], &["--headers", headers]].concat());
        assert_eq!(ran.status, 0, "{name}: {}", ran.stderr);
        // Headers that gcc expanded compile with gcc only.
        let all = compilers.iter();
        for compiler in all.filter(|c| headers == "include" || **c == "gcc") {
            let before = compile(compiler, standard, &dir, "p.c", "original");
            assert!(before.status.success(), "{name}: {before:?}");
            let after = compile(compiler, standard, &dir, "woven/p.c", "monitored");
            assert!(after.status.success(), "{name}: {after:?}");
            let old = warnings(&before);
            let new: Vec<_> = warnings(&after).difference(&old).cloned().collect();
            assert!(new.is_empty(), "{name}, {compiler}: {new:?}");
            let (original, monitored) = (outcome(&dir, "original"), outcome(&dir, "monitored"));
            assert_eq!(original, monitored, "{name}, {compiler}, {headers}");
        }
    }
}

#[test]
fn extensions_of_gnu_c() {
    assert_transparent("extensions", "gnu11", &["gcc"]);
}

#[test]
fn statements_of_all_kinds() {
    assert_transparent("statements", "gnu11", &compilers());
}

#[test]
fn declarators_pragmas_and_cleanups() {
    assert_transparent("declarators", "gnu11", &["gcc"]);
}

#[test]
fn attributes_and_types_of_newer_standards() {
    assert_transparent("newer", "gnu2x", &["gcc"]);
}

#[test]
fn writes_of_all_kinds() {
    assert_transparent("writes", "gnu11", &compilers());
}

#[test]
fn lines_keep_their_numbers() {
    assert_transparent("lines", "gnu11", &["gcc"]);
}

/// Text in a comment once ended that comment when the arguments of a call were evaluated first.
#[test]
fn arguments_that_are_computed_first() {
    assert_transparent("arguments", "gnu11", &compilers());
}

#[test]
fn implicit_types_and_declarations() {
    assert_transparent("implicit", "gnu11", &["gcc"]);
}

#[test]
fn jumps_of_assembler_statements() {
    assert_transparent("asm_goto", "gnu11", &compilers());
}
