//! Small programs, one for each way in which a program can change a proposition or end, each with a
//! verdict worked out by hand: `tests/small/NAME.c` and `NAME.json`, whose `expect` is the verdict.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::PathBuf;

use crate::support::{cbmc, none_wrong, repository, Dir, AMPLE};

#[test]
fn small_programs_have_their_verdicts() {
    if !cbmc() {
        return;
    }
    let directory = repository("tests/small");
    let entries = std::fs::read_dir(directory).unwrap();
    let mut specs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    specs.retain(|path| path.extension().is_some_and(|e| e == "json"));
    assert!(specs.len() > 80, "{}", specs.len());
    specs.sort();
    none_wrong(crate::support::sample(specs, 18).collect(), |spec| {
        let program = spec.with_extension("c");
        let (result, status) = Dir::new().verify(&[
            spec.to_str().unwrap(),
            program.to_str().unwrap(),
            "--timeout",
            AMPLE,
        ]);
        // The exit status says that the verdict is the expected one.
        let property = &result["properties"][0];
        let right = status == 0 && property["expect"].is_string() && property["reason"].is_null();
        let name = spec.file_stem().unwrap().to_string_lossy().into_owned();
        let (got, wanted) = (&property["verdict"], &property["expect"]);
        let told = format!("{name}: {got}, not {wanted}");
        (!right).then_some(told).into_iter().collect()
    });
}
