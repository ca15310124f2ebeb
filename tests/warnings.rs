//! Emitted code causes no warnings: gcc, and clang if installed, compile all small programs,
//! regressions and examples, original and woven.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{compilers, none_wrong, repository, Dir};

/// The warnings of a compiler about a file: lines and kinds; `None` if the compiler refuses the
/// file.
fn warnings(compiler: &str, file: &Path) -> Option<BTreeSet<(String, String)>> {
    let directory = file.parent().unwrap();
    let output = Command::new(compiler)
        .env("LC_ALL", "C")
        .args([
            "-std=gnu11",
            "-Wall",
            "-Wextra",
            "-c",
            "-o",
            "/dev/null",
            "-I",
        ])
        .arg(directory)
        .arg(file)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let found = text.lines().filter_map(|line| {
        let (place, message) = line.split_once(": warning: ")?;
        let number = place.rsplit(':').nth(1)?;
        let kind = message.rsplit_once('[').map_or(message, |(_, kind)| kind);
        Some((number.to_string(), kind.to_string()))
    });
    output.status.success().then(|| found.collect())
}

/// The C files of a directory, each with the specification beside it, if there is one that has properties of its own.
fn programs(directory: &str) -> Vec<(PathBuf, Option<PathBuf>)> {
    let entries = std::fs::read_dir(repository(directory)).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let sources = files.filter(|file| file.extension().is_some_and(|e| e == "c"));
    sources
        .map(|file| {
            let spec = file.with_extension("json");
            let asks = |text: String| {
                let keys = ["\"ltl\"", "\"properties\"", "\"reach\""];
                keys.iter().any(|key| text.contains(key))
            };
            let asking = std::fs::read_to_string(&spec).is_ok_and(asks);
            (file, asking.then_some(spec))
        })
        .collect()
}

/// The new warnings of a program, one text per compiler.
fn new_warnings(file: &Path, spec: Option<&Path>, compilers: &[&str]) -> Vec<String> {
    let dir = Dir::with(&[("any.json", r#"{"ltl": "G {1 == 1}"}"#)]);
    let any = dir.path("any.json");
    let woven = dir.path("woven.c");
    let args = [
        "instrument",
        spec.unwrap_or(&any).to_str().unwrap(),
        file.to_str().unwrap(),
        "-o",
        woven.to_str().unwrap(),
        // Handlers are called in other forms than this one.
        "--no-interrupts",
    ];
    let ran = dir.run(&args);
    assert_eq!(ran.status, 0, "{}: {}", file.display(), ran.stderr);
    let mut found = Vec::new();
    for compiler in compilers {
        let woven = warnings(compiler, &woven);
        if woven.as_ref().is_some_and(BTreeSet::is_empty) {
            continue;
        }
        // A program that the compiler refuses anyway is skipped.
        let Some(old) = warnings(compiler, file) else {
            continue;
        };
        let Some(all) = woven else {
            found.push(format!("{compiler} refuses {}", file.display()));
            continue;
        };
        let new: Vec<_> = all.difference(&old).collect();
        if !new.is_empty() {
            found.push(format!("{compiler} {}: {new:?}", file.display()));
        }
    }
    found
}

#[test]
fn no_compiler_warns_of_what_is_emitted() {
    let compilers = compilers();
    assert!(!compilers.is_empty(), "no compiler");
    let mut all = programs("tests/small");
    all.extend(programs("tests/regressions"));
    for example in std::fs::read_dir(repository("spec-examples")).unwrap() {
        let example = example.unwrap().path();
        // Programs with a build system need flags that only the build knows.
        let built = ["CMakeLists.txt", "meson.build"];
        let built = built.iter().any(|file| example.join(file).exists());
        if example.is_dir() && !built {
            all.extend(programs(example.to_str().unwrap()));
        }
    }
    assert!(all.len() > 120, "{}", all.len());
    none_wrong(crate::support::sample(all, 10).collect(), |(file, spec)| {
        new_warnings(&file, spec.as_deref(), &compilers)
    });
}

/// An inline definition with external linkage must not use `static` objects.
#[test]
fn inline_functions_for_other_files() {
    let program = "extern int x;\nint x;\ninline int next(int by) { x += by; return x; }\n\
        extern inline int next(int by);\n\
        int main(void) { static int kept; int *p = &kept; *p = next(2); return *p - 2; }\n";
    let spec = r#"{"ltl": "F {x == 2} && F {main::kept == 2}"}"#;
    let dir = Dir::with(&[("p.c", program), ("p.json", spec)]);
    let (file, spec) = (dir.path("p.c"), dir.path("p.json"));
    let found = new_warnings(&file, Some(&spec), &compilers());
    assert!(found.is_empty(), "{found:?}");
}
