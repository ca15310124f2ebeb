//! Tests that integration tests of several files declare each of them: a file that is no module would never be run.
#![allow(clippy::unwrap_used)]

use std::path::Path;

/// The files beside a `main.rs` that it does not declare as modules.
fn undeclared(main: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(main).unwrap();
    let files = std::fs::read_dir(main.parent().unwrap()).unwrap();
    let paths = files.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|e| e == "rs") && path != main)
        .filter(|path| {
            let name = path.file_stem().unwrap().to_string_lossy();
            !text.lines().any(|line| line == format!("mod {name};"))
        })
        .map(|path| path.display().to_string())
        .collect()
}

#[test]
fn every_file_is_a_module() {
    let (mut programs, mut wrong) = (0, Vec::new());
    for (_, sources) in testing::crates() {
        let Ok(folders) = std::fs::read_dir(sources.join("../tests")) else {
            continue;
        };
        for folder in folders {
            let main = folder.unwrap().path().join("main.rs");
            if main.exists() {
                programs += 1;
                wrong.extend(undeclared(&main));
            }
        }
    }
    assert!(programs >= 5, "{programs}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
