//! Helpers of the backends' tests.
#![allow(clippy::unwrap_used)]

use crate::answer::{Answer, Outcome};
use crate::locate::{Kind, Program, Version};
use std::path::PathBuf;
use tempfile::TempDir;

/// A program that is a shell script, and its directory.
pub(crate) fn fake(kind: Kind, version: (u32, u32, u32), script: &str) -> (TempDir, Program) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(kind.name());
    crate::scratch::write_program(&path, &format!("#!/bin/sh\n{script}\n")).unwrap();
    (
        dir,
        Program {
            kind,
            path,
            version: Version {
                numbers: version,
                text: "fake".into(),
            },
        },
    )
}

/// The assertions of an answer, each with its outcome.
pub(crate) fn outcomes(answer: &Answer) -> Vec<(&str, Outcome)> {
    let all = answer.outcomes.iter();
    all.map(|(text, outcome)| (text.as_str(), *outcome))
        .collect()
}

/// A C file in a directory of its own.
pub(crate) fn c_file(text: &str) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("prog.c");
    std::fs::write(&path, text).unwrap();
    (dir, path)
}

/// The real CBMC; without it the test is skipped.
pub(crate) fn real_cbmc() -> Option<Box<dyn crate::Backend>> {
    match crate::open(Kind::CBMC, None) {
        Ok(backend) => Some(backend),
        Err(failure) => {
            eprintln!("{failure}; scripts/fetch cbmc brings one");
            testing::skip("CBMC");
            None
        }
    }
}
