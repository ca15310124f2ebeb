//! Parts that a machine may lack: tests that need them are skipped and counted, and the rest
//! passes.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use crate::support::{ran, Dir, Ran};

/// Runs tests as `scripts/test` does, on a path without any program; returns the output and the
/// skipped tests.
fn without_parts(tested: &str, required: &str) -> (Ran, Vec<String>) {
    let dir = Dir::with(&[("skipped", "")]);
    let mut tests = Command::new(std::env::current_exe().unwrap());
    tests.args([tested, "--test-threads", "2"]);
    tests
        .env("PATH", dir.path("nothing"))
        .env("BAPRODUCT_SKIPPED", dir.path("skipped"))
        .env("BAPRODUCT_REQUIRE", required)
        .env_remove("BAPRODUCT_ESBMC")
        .env_remove("CI");
    let done = ran(&mut tests);
    let lines = dir.read("skipped");
    (done, lines.lines().map(str::to_owned).collect())
}

#[test]
fn a_machine_without_optional_parts_passes_and_counts_what_it_skips() {
    let (done, skipped) = without_parts("esbmc::", "CBMC gcc");
    assert_eq!(done.status, 0, "{done:?}");
    let passed = done.stdout.matches(" ... ok").count();
    assert!(passed > 10, "{done:?}");
    assert_eq!(skipped.len(), passed, "{skipped:?}");
    let of = |part: &str| skipped.iter().filter(|l| l.starts_with(part)).count();
    assert_eq!(
        (of("clang\tesbmc::"), of("ESBMC\tesbmc::")),
        (1, passed - 1)
    );
}

#[test]
fn a_required_part_that_is_missing_is_a_failure() {
    let (done, _) = without_parts("esbmc::", "all");
    assert_eq!(done.status, 101, "{done:?}");
    let told = done.stdout + &done.stderr;
    assert!(
        told.contains("clang is missing, and required here"),
        "{told}"
    );
}

/// Package archives do not provide these tools ready to run; `BAPRODUCT_REQUIRE` must name them.
#[test]
fn tools_that_are_worked_with_are_required_by_name() {
    let (done, skipped) = without_parts("integration::meson", "all");
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(skipped.len(), 1, "{skipped:?}");
    let (done, _) = without_parts("integration::meson", "meson");
    assert_eq!(done.status, 101, "{done:?}");
}
