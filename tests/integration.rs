//! The example projects of build systems, and the tool-info module of BenchExec, with the real
//! tools.

use std::path::Path;
use std::process::Command;

use crate::support::{cbmc, installed, ran, repository, skip, Dir, Ran};

/// Runs a command in a directory, with the program on the path.
fn run(directory: &Path, command: &[&str]) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_baproduct"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut process = Command::new(command[0]);
    process
        .args(&command[1..])
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .current_dir(directory);
    ran(&mut process)
}

#[test]
fn cmake_verifies_a_target() {
    if !installed("cmake") || !installed("ctest") || !cbmc() {
        return;
    }
    let dir = Dir::new();
    let project = repository("spec-examples/cmake");
    let source = project.to_str().unwrap();
    let made = run(&dir.path(""), &["cmake", "-S", source, "-B", "build"]);
    assert_eq!(made.status, 0, "{made:?}");
    let tested = run(&dir.path("build"), &["ctest", "--output-on-failure"]);
    assert_eq!(tested.status, 0, "{tested:?}");
    assert!(
        tested.stdout.contains("2 tests") || tested.stdout.contains("out of 2"),
        "{tested:?}"
    );
}

#[test]
fn meson_verifies_a_program() {
    if !installed("meson") || !installed("ninja") || !cbmc() {
        return;
    }
    let dir = Dir::new();
    let project = repository("spec-examples/meson");
    let made = run(
        &dir.path(""),
        &["meson", "setup", "build", project.to_str().unwrap()],
    );
    assert_eq!(made.status, 0, "{made:?}");
    let tested = run(&dir.path(""), &["meson", "test", "-C", "build"]);
    assert_eq!(tested.status, 0, "{tested:?}");
}

#[test]
fn both_projects_have_the_same_program() {
    for file in ["gate.c", "gate.json", "include/gate.h"] {
        let text =
            |of: &str| std::fs::read(repository(&format!("spec-examples/{of}/{file}"))).unwrap();
        assert!(text("cmake") == text("meson"), "{file}");
    }
}

/// Prints the module's answer for each kind of result.
const ASK: &str = "
import json, sys
try:
    import benchexec.result as result
except ImportError:
    sys.exit(77)
import baproduct
from types import SimpleNamespace as Of
tool = baproduct.Tool()
def answer(*holds):
    output = json.dumps({'properties': [{'holds': h} for h in holds]}).split(chr(10))
    return tool.determine_result(Of(was_timeout=False, output=output, exit_code=Of(value=0)))
assert answer('proved') == result.RESULT_TRUE_PROP
assert answer('proved', 'refuted') == result.RESULT_FALSE_PROP
assert answer('proved', 'unknown') == result.RESULT_UNKNOWN
assert tool.determine_result(Of(was_timeout=False, output=['error'], exit_code=Of(value=3))) == 'ERROR (refused)'
task = Of(property_file='p.prp', input_files_or_identifier=['a.c'])
line = tool.cmdline('baproduct', ['--unwind', '3'], task, Of(memory=None))
assert line == ['baproduct', 'verify', '--unwind', '3', '--format', 'json', 'p.prp', 'a.c'], line
assert tool.version(sys.argv[1])
";

#[test]
fn benchexec_knows_the_tool() {
    if !installed("python3") {
        return;
    }
    let modules = repository("scripts/benchexec");
    let mut python = Command::new("python3");
    python
        .args(["-B", "-c", ASK, env!("CARGO_BIN_EXE_baproduct")])
        .env("PYTHONPATH", modules);
    let ran = ran(&mut python);
    match ran.status {
        77 => skip("benchexec for Python"),
        status => assert_eq!(status, 0, "{ran:?}"),
    }
}
