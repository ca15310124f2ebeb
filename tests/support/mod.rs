//! Helpers for the tests of the command line: a temporary directory, and running the program in it.
#![allow(clippy::unwrap_used)]

pub mod oracle;
pub mod random;
pub mod sample;
pub mod schema;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use serde_json::Value;
pub use testing::{installed, skip, thorough};

/// A budget or time limit, in seconds, that no test comes near to, however slow the machine is: what bounds a search in a
/// test is its work.
pub const AMPLE: &str = "1200";

/// The questions of searches for proofs that may find nothing.
pub const FEW: &str = "24";

/// The preprocessor of a 16-bit machine: its macros stand for a cross compiler.
pub const NARROW: &str =
    "gcc -D__SIZEOF_INT__=2 -D__SIZEOF_LONG__=4 -D__SIZEOF_POINTER__=2 -D__SIZEOF_DOUBLE__=4 -D__SIZEOF_LONG_DOUBLE__=4 -w";

/// How long a test waits for something that takes a moment, however busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// A directory that is removed at the end. The program runs in it, so that file names in its output
/// are the same everywhere.
pub struct Dir(tempfile::TempDir);

/// The exit status of the program, and its output.
#[derive(Debug)]
pub struct Ran {
    /// The exit status; -1 after a signal.
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Dir {
    /// An empty directory.
    pub fn new() -> Dir {
        Dir(tempfile::tempdir().unwrap())
    }

    /// A directory with these files.
    pub fn with(files: &[(&str, &str)]) -> Dir {
        let dir = Dir::new();
        for (name, text) in files {
            dir.write(name, text);
        }
        dir
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Writes an executable shell script.
    pub fn script(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;
        self.write(name, format!("#!/bin/sh\n{text}\n"));
        std::fs::set_permissions(self.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A command that runs the program in this directory.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_baproduct"));
        command.args(args);
        self.prepared(command)
    }

    /// As [`Dir::command`], with the default signal handling of a shell: a background job of a
    /// script ignores SIGINT, and its children would inherit that.
    pub fn command_with_signals(&self, args: &[&str]) -> Command {
        let mut command = Command::new("env");
        command
            .arg("--default-signal=INT,TERM,HUP")
            .arg(env!("CARGO_BIN_EXE_baproduct"))
            .args(args);
        self.prepared(command)
    }

    fn prepared(&self, mut command: Command) -> Command {
        command.current_dir(self.0.path());
        // The tests compare the preprocessor's messages.
        command
            .env("LC_ALL", "C")
            .env("NO_COLOR", "1")
            .env("TERM", "dumb");
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, args: &[&str]) -> Ran {
        ran(&mut self.command(args))
    }

    /// Runs `verify --format json`; returns the result and the exit status. The search is bounded unless an engine is
    /// named: all engines together end by the clock where none of them decides.
    pub fn verify(&self, args: &[&str]) -> (Value, i32) {
        let engine: &[&str] = match args.contains(&"--engine") {
            true => &[],
            false => &["--engine", "bounded"],
        };
        let ran = self.run(&[&["verify", "--format", "json"], engine, args].concat());
        let json = serde_json::from_str(&ran.stdout);
        (json.unwrap_or_else(|e| panic!("{e}: {ran:?}")), ran.status)
    }
}

/// Runs a command to its end.
pub fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// How many of `all` generated cases are tried: a part, so that the suite takes minutes; all if
/// [`thorough`]; times `BAPRODUCT_CASES`.
pub fn cases(all: usize) -> usize {
    let times = std::env::var("BAPRODUCT_CASES").map_or(1, |text| text.parse().unwrap());
    let tried = if thorough() { all } else { all.div_ceil(8) };
    times * tried
}

/// Every `step`-th row of a table, from the first one on, or all if [`thorough`]: rows of model checkers take seconds each, and few
/// of them show most of what all show.
pub fn sample<T>(rows: impl IntoIterator<Item = T>, step: usize) -> impl Iterator<Item = T> {
    let step = if thorough() { 1 } else { step };
    rows.into_iter().step_by(step)
}

/// The number in an environment variable.
pub fn number(variable: &str, default: usize) -> usize {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => default,
    }
}

/// Whether the program finds CBMC; if not, the test is skipped.
pub fn cbmc() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    let found = *FOUND.get_or_init(|| {
        let dir = Dir::with(&[("p.c", "int x; int main(void) { x = 1; return 0; }\n")]);
        dir.run(&["verify", "--ltl", "F {x == 1}", "p.c"]).status == 0
    });
    if !found {
        skip("CBMC");
    }
    found
}

/// Whether the program finds ESBMC (`BAPRODUCT_ESBMC`, or on the path); if not, the test is
/// skipped.
pub fn esbmc() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    let found = *FOUND.get_or_init(|| {
        let dir = Dir::with(&[("p.c", "int x; int main(void) { x = 1; return 0; }\n")]);
        let args = ["verify", "--backend", "esbmc", "--ltl", "F {x == 1}", "p.c"];
        dir.run(&args).status == 0
    });
    if !found {
        skip("ESBMC");
    }
    found
}

/// The installed compilers: gcc, and clang if it is installed; else that part of the test is
/// skipped.
pub fn compilers() -> Vec<&'static str> {
    let mut compilers = vec!["gcc"];
    compilers.extend(installed("clang").then_some("clang"));
    compilers
}

/// Checks several things, two at a time, and expects no errors.
pub fn none_wrong<T: Send>(all: Vec<T>, wrong: impl Fn(T) -> Vec<String> + Sync) {
    let (left, found) = (Mutex::new(all), Mutex::new(Vec::new()));
    let worker = || loop {
        let Some(one) = left.lock().unwrap().pop() else {
            return;
        };
        let wrong = wrong(one);
        found.lock().unwrap().extend(wrong);
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(worker);
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{found:#?}");
}

/// Runs the `run.py` of a suite of programs and expects no errors.
pub fn suite(name: &str, arguments: &[&str]) {
    if !installed("python3") || !cbmc() {
        return;
    }
    let output = Command::new("python3")
        .arg(repository("tests").join(name).join("run.py"))
        // A thorough run asks all of the table.
        .args(arguments.iter().filter(|a| **a != "--ci" || !thorough()))
        .args(["--timeout", AMPLE])
        .env("BAPRODUCT", env!("CARGO_BIN_EXE_baproduct"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
}

/// The path of a file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}
