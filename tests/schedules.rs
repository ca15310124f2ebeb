//! The part of the suite of threaded programs (`tests/schedules`) that is quick: each variant explored
//! by rounds has the verdict of its variant. `tests/schedules/run.py` runs all of it.

use std::path::Path;
use std::process::Command;

#[test]
fn quick_programs_have_their_verdicts() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/schedules");
    let output = Command::new("python3")
        .arg(tests.join("run.py"))
        .arg("--ci")
        .env("BAPRODUCT", env!("CARGO_BIN_EXE_baproduct"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
}
