//! What tests need besides Rust and gcc: programs that may be missing. A test without such a part is
//! skipped; `scripts/test` counts these tests and names them at its end, because the test runner keeps
//! what a passing test says. Where a part is required its absence is a failure.
//!
//! - `BAPRODUCT_REQUIRE`: parts that are required, with blanks between them, or `all`;
//!   with `CI=true` all are. Other people's tools that the project only works together with
//!   ([`TOOLS`]) are required where they are named.
//! - `BAPRODUCT_SKIPPED`: the file that gets a line for each skipped test.
//! - `BAPRODUCT_ESBMC`: the ESBMC that tests use. No package archive has one, so it is required
//!   exactly where this is set.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the part that only [`ESBMC`] brings.
const ESBMC_PART: &str = "ESBMC";

/// Names the ESBMC that tests use.
pub const ESBMC: &str = "BAPRODUCT_ESBMC";

/// What the project's integrations are tried with where it is installed; `scripts/fetch` does not bring it.
pub const TOOLS: [&str; 5] = ["cmake", "ctest", "meson", "ninja", "benchexec for Python"];

/// Whether tests may not be skipped for want of a part.
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

/// Says that the test of this thread is skipped for want of a part.
///
/// # Panics
/// Where the part is required.
pub fn skip(part: &str) {
    assert!(!required(part), "{part} is missing, and required here");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    eprintln!("SKIPPED: {test}: {part} is missing; nothing was tested");
    let Some(path) = std::env::var_os("BAPRODUCT_SKIPPED").map(PathBuf::from) else {
        return;
    };
    let mut options = std::fs::OpenOptions::new();
    // One write for a line, since tests run beside each other.
    let line = format!("{part}\t{test}\n");
    let file = options.append(true).create(true).open(&path);
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        panic!("cannot write to {}: {error}", path.display());
    }
}

/// Whether a program can be started with `--version`; if not, the test is skipped.
///
/// # Panics
/// Where the program is missing but required.
pub fn installed(program: &str) -> bool {
    let mut command = Command::new(program);
    let found = command.arg("--version").output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        skip(program);
    }
    found
}

/// The crates of the workspace: their names, and where their sources are. None where nothing can be read.
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
