//! Helpers of the integration tests.

#![allow(clippy::unwrap_used, dead_code)]

use std::path::Path;
use std::process::Command;

use cfront::preprocess::{preprocess, Options};
use cfront::{Source, Unit};

/// Reads a text that needs no preprocessing.
pub fn unit(text: &str) -> Unit {
    match Unit::parse(Source::from_bytes(text.as_bytes().to_vec())) {
        Ok(unit) => unit,
        Err(list) => panic!("{}", messages(&list).join("\n")),
    }
}

/// The messages that a text is refused with.
pub fn refused(text: &str) -> Vec<String> {
    match Unit::parse(Source::from_bytes(text.as_bytes().to_vec())) {
        Ok(_) => panic!("accepted: {text}"),
        Err(list) => messages(&list),
    }
}

fn messages(list: &[cfront::Diagnostic]) -> Vec<String> {
    list.iter()
        .map(|d| d.to_string().replacen("::", "", 0))
        .collect()
}

/// Preprocesses and reads a file.
pub fn read(file: &Path) -> Unit {
    let source = preprocess(file, &Options::default()).unwrap().source;
    match Unit::parse(source) {
        Ok(unit) => unit,
        Err(list) => panic!("{}: {}", file.display(), messages(&list).join("\n")),
    }
}

/// gcc's assembly of a file, without the lines that name files.
pub fn assembly(file: &Path, flags: &[&str]) -> String {
    let out = Command::new("gcc")
        .args(["-std=gnu11", "-S", "-O0", "-w", "-x", "c", "-o", "-"])
        .args(flags)
        .arg(file)
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "gcc refuses {}:\n{}",
        file.display(),
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8_lossy(&out.stdout)
        .lines()
        .filter(|l| !l.trim_start().starts_with(".file") && !l.trim_start().starts_with(".ident"))
        .collect::<Vec<_>>()
        .join("\n")
}
