//! Programs beyond Rust and gcc that tests need and that may be missing ("parts"). A test without
//! its part is skipped; `scripts/test` counts and lists these tests, because the test runner hides
//! the output of passing tests. If a part is required, its absence is a failure.
//!
//! - `BAPRODUCT_REQUIRE`: the required parts, separated by blanks, or `all`; `CI=true` requires
//!   all. The tools of the integrations ([`TOOLS`]) are required only if named.
//! - `BAPRODUCT_SKIPPED`: the file to which each skipped test appends a line.
//! - `BAPRODUCT_THOROUGH`: whether tests of many generated or listed cases try all of them ([`tried`]), for hours.
//! - `BAPRODUCT_ESBMC`: the ESBMC for the tests. No package archive has ESBMC, so it is required
//!   exactly if this is set.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the part that [`ESBMC`] provides.
const ESBMC_PART: &str = "ESBMC";

/// The environment variable that names the ESBMC for the tests.
pub const ESBMC: &str = "BAPRODUCT_ESBMC";

/// Tools for the tests of the integrations; `scripts/fetch` does not install them.
pub const TOOLS: [&str; 5] = ["cmake", "ctest", "meson", "ninja", "benchexec for Python"];

/// Whether a missing part is a failure.
pub fn required(part: &str) -> bool {
    if part == ESBMC_PART {
        return std::env::var_os(ESBMC).is_some();
    }
    let listed = std::env::var("BAPRODUCT_REQUIRE").unwrap_or_default();
    if listed
        .split_whitespace()
        .any(|word| word.eq_ignore_ascii_case(part))
    {
        return true;
    }
    let all = listed.split_whitespace().any(|word| word == "all");
    (all || std::env::var("CI").is_ok_and(|v| v == "true")) && !TOOLS.contains(&part)
}

/// Reports that the test of this thread is skipped because a part is missing.
///
/// # Panics
/// If the part is required.
pub fn skip(part: &str) {
    assert!(!required(part), "{part} is missing, and required here");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    eprintln!("SKIPPED: {test}: {part} is missing; nothing was tested");
    let Some(path) = std::env::var_os("BAPRODUCT_SKIPPED").map(PathBuf::from) else {
        return;
    };
    let mut options = std::fs::OpenOptions::new();
    // One write per line, since tests run in parallel.
    let line = format!("{part}\t{test}\n");
    let file = options.append(true).create(true).open(&path);
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        panic!("cannot write to {}: {error}", path.display());
    }
}

/// Whether a program can be started with `--version`; if not, the test is skipped.
///
/// # Panics
/// If the program is missing but required.
pub fn installed(program: &str) -> bool {
    let mut command = Command::new(program);
    let found = command.arg("--version").output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        skip(program);
    }
    found
}

/// Whether to run all tests, however long they take.
pub fn thorough() -> bool {
    std::env::var_os("BAPRODUCT_THOROUGH").is_some()
}

/// How many of a test's cases are tried, or how large its inputs are: as many as take a moment, or all if [`thorough`].
pub fn tried(usual: usize, all: usize) -> usize {
    match thorough() {
        true => all,
        false => usual,
    }
}

/// The crates of the workspace: name and source directory of each; empty if the workspace cannot be
/// read.
pub fn crates() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sources = entries.map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, entry.path().join("src"))
    });
    let mut crates: Vec<_> = sources.filter(|(_, sources)| sources.is_dir()).collect();
    crates.sort();
    crates
}
