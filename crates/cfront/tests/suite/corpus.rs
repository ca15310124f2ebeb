//! Reads whole files, on demand: `BA_CORPUS` holds a list of C files separated by blanks, or the
//! name of a file with one of them a line after `@`. `BA_CORPUS_FLAGS` are preprocessor arguments.

#![allow(clippy::unwrap_used)]

use crate::common;

use std::path::Path;
use std::time::Instant;

use cfront::preprocess::{preprocess, Options};
use cfront::{Edits, Headers, OutputOptions, Unit};

#[test]
fn reads_the_corpus() {
    let Ok(list) = std::env::var("BA_CORPUS") else {
        return;
    };
    let list = match list.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file).unwrap(),
        None => list,
    };
    let flags = std::env::var("BA_CORPUS_FLAGS").unwrap_or_default();
    let options = Options {
        extra: flags.split_whitespace().map(str::to_string).collect(),
        ..Options::default()
    };
    let (mut good, mut bad) = (0, 0);
    for file in list.split_whitespace() {
        let source = match preprocess(Path::new(file), &options) {
            Ok(p) => p.source,
            Err(e) => {
                eprintln!(
                    "{file}: {}",
                    e.to_string().lines().take(3).collect::<String>()
                );
                continue;
            }
        };
        let start = Instant::now();
        match Unit::parse(source) {
            Ok(unit) => {
                good += 1;
                let t = start.elapsed();
                if t.as_millis() > 500 {
                    eprintln!("{file}: {t:?}, {} expressions", unit.tree.exprs.len());
                }
                if std::env::var_os("BA_CORPUS_COMPILE").is_some() {
                    bad += same_code(Path::new(file), &unit, &options.extra);
                }
            }
            Err(list) => {
                bad += 1;
                for d in list.iter().take(3) {
                    eprintln!("{file}: {d}");
                    if let Some(p) = &d.place {
                        eprintln!("    {}", p.text);
                    }
                }
            }
        }
    }
    eprintln!("{good} read, {bad} refused");
    assert_eq!(bad, 0);
}

/// Compares gcc's assembly of the program and of the emitted text; gives the number of differences.
fn same_code(file: &Path, unit: &Unit, flags: &[String]) -> usize {
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let dir = tempfile::tempdir().unwrap();
    // If macros span lines, gcc's code depends on the place of each token, so the reference is the
    // preprocessed text.
    let plain = dir.path().join("plain.c");
    let gcc = |args: &[&str]| {
        std::process::Command::new("gcc")
            .args(["-E", "-std=gnu11", "-U_FORTIFY_SOURCE", "-w", "-x", "c"])
            .args(args)
            .arg(file)
            .arg("-o")
            .arg(&plain)
            .status()
            .unwrap()
    };
    gcc(&flags);
    let expected = match common::try_assembly(&plain, &flags) {
        Ok(text) => text,
        Err(_) => return 0,
    };
    let mut different = 0;
    for headers in [Headers::Include, Headers::Expand] {
        for (kind, edits) in [("plain", Edits::new()), ("edited", common::harmless(unit))] {
            let options = OutputOptions {
                headers,
                ..OutputOptions::default()
            };
            let out = dir.path().join("out.c");
            std::fs::write(&out, unit.emit(&edits, &options).unwrap()).unwrap();
            let mut flags = flags.clone();
            let parent = file.parent().unwrap().to_str().unwrap();
            flags.extend(["-I", parent]);
            match common::try_assembly(&out, &flags) {
                Ok(text) if text == expected => {}
                Ok(_) => {
                    eprintln!("{}: {headers:?} {kind}: other code", file.display());
                    different += 1;
                }
                Err(e) => {
                    let e: Vec<&str> = e.lines().filter(|l| l.contains("error")).take(3).collect();
                    eprintln!("{}: {headers:?} {kind}: {e:?}", file.display());
                    different += 1;
                }
            }
        }
    }
    different
}
