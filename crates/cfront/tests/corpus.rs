//! Reads whole files, on demand: `BA_CORPUS` holds a list of C files separated by blanks, or the
//! name of a file with one of them a line after `@`. `BA_CORPUS_FLAGS` are preprocessor arguments.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::time::Instant;

use cfront::preprocess::{preprocess, Options};
use cfront::Unit;

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
