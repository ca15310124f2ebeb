//! The part of the suite of threaded programs (`tests/schedules`) that is quick: each variant explored
//! by rounds has the verdict of its variant. `tests/schedules/run.py` runs all of it.

use std::path::Path;
use std::process::Command;

/// Runs the suite's runner and expects it to be content.
fn run(arguments: &[&str]) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/schedules");
    let output = Command::new("python3")
        .arg(tests.join("run.py"))
        .args(arguments)
        .env("BAPRODUCT", env!("CARGO_BIN_EXE_baproduct"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
}

#[test]
fn quick_programs_have_their_verdicts() {
    run(&["--ci"]);
}

#[test]
fn other_names_of_threads_change_no_verdict() {
    run(&["--change", "names", "test_and_set", "lost_wakeup"]);
}

#[test]
fn another_order_of_threads_changes_no_verdict() {
    run(&["--change", "order", "dekker", "lock_order"]);
}

#[test]
fn a_thread_without_effect_changes_no_verdict() {
    run(&["--change", "unused", "test_and_set", "lost_wakeup"]);
}
