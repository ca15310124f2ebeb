//! The contract of the command line: exit statuses, outputs, the keys of the JSON result, and
//! options that must not change a verdict.
#![allow(clippy::unwrap_used)]

use std::io::Read;
use std::process::Stdio;

use crate::support::sample::{project, with_expectation, LOOP, PROGRAM};
use crate::support::{cbmc, ran, Dir, PATIENCE};
use serde_json::Value;

#[test]
fn the_exit_status_follows_the_verdict() {
    if !cbmc() {
        return;
    }
    for (ltl, verdict, status, lenient) in [
        ("F big", "true", 0, 0),
        ("G (big -> F !big)", "presumably_true", 0, 0),
        ("G F big", "presumably_false", 10, 0),
        ("G !big", "false", 10, 10),
    ] {
        let dir = project(ltl);
        let (result, code) = dir.verify(&["s.json", "p.c"]);
        assert_eq!(
            (result["verdict"].as_str(), code),
            (Some(verdict), status),
            "{ltl}"
        );
        let (result, code) = dir.verify(&["s.json", "p.c", "--fail-on", "false"]);
        assert_eq!(
            (result["verdict"].as_str(), code),
            (Some(verdict), lenient),
            "{ltl} --fail-on false"
        );
    }
}

#[test]
fn an_expectation_alone_decides() {
    if !cbmc() {
        return;
    }
    for (expect, status) in [("false", 0), ("presumably_false", 10), ("true", 10)] {
        let (result, code) = with_expectation(expect).verify(&["s.json", "p.c"]);
        assert_eq!(result["verdict"], "false");
        assert_eq!(result["properties"][0]["expect"], expect);
        assert_eq!(result["properties"][0]["as_expected"], expect == "false");
        assert_eq!(code, status, "expect {expect}");
    }
}

#[test]
fn a_word_that_is_no_option_is_a_usage_error() {
    let dir = project("G !big");
    for args in [
        &["verify", "s.json", "p.c", "--unwnd", "3"][..],
        &["verify"],
        &["instrument", "s.json", "p.c"],
        &["frobnicate"],
        &["verify", "s.json", "p.c", "--backend", "z3"],
        &["verify", "s.json", "p.c", "--unwindset", "work"],
        &["verify", "s.json", "p.c", "--unwindset", "work:many"],
        &["verify", "s.json", "p.c", "--unwind", "-1"],
        &[],
    ] {
        let ran = dir.run(args);
        assert_eq!(ran.status, 2, "{args:?}: {ran:?}");
        assert!(
            ran.stdout.is_empty() && !ran.stderr.is_empty(),
            "{args:?}: {ran:?}"
        );
    }
}

#[test]
fn help_and_version_are_results() {
    let dir = Dir::new();
    for args in [
        &["--help"][..],
        &["--version"],
        &["verify", "--help"],
        &["instrument", "-h"],
    ] {
        let ran = dir.run(args);
        assert_eq!(ran.status, 0, "{args:?}");
        assert!(
            !ran.stdout.is_empty() && ran.stderr.is_empty(),
            "{args:?}: {ran:?}"
        );
    }
}

#[test]
fn a_backend_that_is_not_there_has_a_status_of_its_own() {
    let dir = project("G !big");
    let ran = dir.run(&["verify", "s.json", "p.c", "--backend-path", "nowhere/cbmc"]);
    assert_eq!(ran.status, 4, "{ran:?}");
    assert!(ran.stdout.is_empty());
    assert!(
        ran.stderr.contains("nowhere/cbmc") && ran.stderr.contains("baproduct doctor"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_refused_input_is_said_before_a_missing_backend() {
    let dir = project("G (");
    let ran = dir.run(&["verify", "s.json", "p.c", "--backend-path", "nowhere/cbmc"]);
    assert_eq!(ran.status, 3, "{ran:?}");
}

#[test]
fn an_output_that_cannot_be_written_is_a_failure() {
    let dir = project("G !big");
    let ran = dir.run(&[
        "instrument",
        "s.json",
        "p.c",
        "-o",
        "no/such/directory/out.c",
    ]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(
        ran.stderr.contains("no/such/directory/out.c"),
        "{}",
        ran.stderr
    );
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "."]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert_eq!(dir.names(), ["p.c", "s.json"]);
}

#[test]
fn levels_asked_apart_or_together_give_the_same() {
    if !cbmc() {
        return;
    }
    for ltl in ["F big", "G (big -> F !big)", "G F big", "G !big"] {
        let dir = project(ltl);
        let runs = ["separate", "together", "auto"].map(|levels| {
            let (result, status) = dir.verify(&["s.json", "p.c", "--levels", levels, "--no-trace"]);
            (
                result["verdict"].clone(),
                result["complete"].clone(),
                status,
            )
        });
        assert!(runs.iter().all(|run| *run == runs[0]), "{ltl}: {runs:?}");
    }
}

#[test]
fn a_formula_on_the_command_line_replaces_the_spec() {
    if !cbmc() {
        return;
    }
    let dir = project("G !big");
    let (result, status) = dir.verify(&["--ltl", "G {x < 3}", "p.c"]);
    assert_eq!((result["verdict"].as_str(), status), (Some("false"), 10));
    assert_eq!(result["properties"][0]["ltl"], "G {x < 3}");
    let (result, status) = dir.verify(&["p.c", "--ltl", "F {x == 3}"]);
    assert_eq!((result["verdict"].as_str(), status), (Some("true"), 0));
}

#[test]
fn an_instrumented_program_is_verified_without_its_spec() {
    if !cbmc() {
        return;
    }
    let dir = project("G !big");
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "out.c"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "")
    );
    assert_eq!(dir.names(), ["out.c", "p.c", "s.json"]);
    let (direct, _) = dir.verify(&["s.json", "p.c"]);
    std::fs::remove_file(dir.path("s.json")).unwrap();
    let (later, status) = dir.verify(&["out.c"]);
    assert_eq!(status, 10);
    assert_eq!(later["verdict"], direct["verdict"]);
    assert_eq!(
        later["properties"][0]["trace"],
        direct["properties"][0]["trace"]
    );
    // `instrument` has not written this program.
    let ran = dir.run(&["verify", "p.c"]);
    assert_eq!(ran.status, 3);
    assert!(
        ran.stderr
            .contains("p.c was not written by `baproduct instrument`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn standard_output_and_input_are_files_too() {
    let dir = project("G !big");
    let to_file = dir.run(&["instrument", "s.json", "p.c", "-o", "out.c"]);
    assert_eq!(to_file.status, 0);
    let to_stdout = dir.run(&["instrument", "s.json", "p.c", "-o", "-"]);
    assert_eq!(to_stdout.status, 0);
    assert!(to_stdout.stdout == dir.read("out.c"));
    let mut command = dir.command(&["instrument", "-", "p.c", "-o", "-"]);
    command.stdin(std::fs::File::open(dir.path("s.json")).unwrap());
    assert!(ran(&mut command).stdout == to_stdout.stdout);
}

#[test]
fn a_program_comes_from_standard_input_too() {
    if !cbmc() {
        return;
    }
    let dir = project("G !big");
    assert_eq!(
        dir.run(&["instrument", "s.json", "p.c", "-o", "o.c"])
            .status,
        0
    );
    for (args, input) in [(&["s.json", "-"][..], "p.c"), (&["-"][..], "o.c")] {
        let mut command = dir.command(&[&["verify"], args].concat());
        command.stdin(std::fs::File::open(dir.path(input)).unwrap());
        let ran = ran(&mut command);
        assert!(ran.stdout.starts_with("ltl: false, refuted\n"), "{ran:?}");
        assert_eq!(ran.status, 10);
    }
}

#[test]
fn a_dependency_file_is_written_for_make() {
    let dir = project("G !big");
    dir.write("limit.h", "#define LIMIT 2\n");
    dir.write(
        "p.c",
        PROGRAM.replace(
            "#include <stdio.h>",
            "#include <stdio.h>\n#include \"limit.h\"",
        ),
    );
    let ran = dir.run(&[
        "instrument",
        "s.json",
        "p.c",
        "-o",
        "out.c",
        "-MD",
        "-MF",
        "deps.mk",
    ]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let rule = dir.read("deps.mk");
    let (target, rest) = rule.split_once(": ").unwrap();
    assert_eq!(target, "out.c");
    for name in ["s.json", "p.c", "limit.h"] {
        assert!(rest.contains(name), "{name} is missing in {rule}");
        assert!(
            rest.contains(&format!("\n{name}:\n")),
            "no empty rule for {name} in {rule}"
        );
    }
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "out.c", "-MD"]);
    assert_eq!(ran.status, 0);
    assert_eq!(dir.read("out.d"), rule);
    assert_eq!(
        dir.names(),
        ["deps.mk", "limit.h", "out.c", "out.d", "p.c", "s.json"]
    );
}

#[test]
fn bounds_decide_whether_a_run_is_complete() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("loop.c", LOOP)]);
    let verify = |more: &[&str]| {
        let (result, _) = dir.verify(&[&["--ltl", "F {n == 3}", "loop.c"], more].concat());
        (
            result["verdict"].as_str().unwrap().to_string(),
            result["complete"].as_bool(),
            result["unwind"].as_u64(),
        )
    };
    assert_eq!(
        verify(&["--unwind", "3"]),
        ("true".into(), Some(true), Some(3))
    );
    assert_eq!(
        verify(&["--unwind", "2"]),
        ("presumably_false".into(), Some(false), Some(2))
    );
    assert_eq!(
        verify(&["--unwind", "2", "--unwindset", "main:4"]),
        ("true".into(), Some(true), Some(2))
    );
    assert_eq!(
        verify(&["--unwind", "9", "--unwindset", "main:1"]),
        ("presumably_false".into(), Some(false), Some(9))
    );
}

#[test]
fn bounds_may_change_after_instrumentation() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[
        ("loop.c", LOOP),
        ("s.json", r#"{"ltl": "F {n == 3}", "unwind": 2}"#),
    ]);
    assert_eq!(
        dir.run(&["instrument", "s.json", "loop.c", "-o", "out.c"])
            .status,
        0
    );
    assert_eq!(dir.verify(&["out.c"]).0["verdict"], "presumably_false");
    assert_eq!(dir.verify(&["out.c", "--unwind", "3"]).0["verdict"], "true");
    assert_eq!(
        dir.verify(&["out.c", "--unwindset", "main:3"]).0["verdict"],
        "true"
    );
}

#[test]
fn a_bound_for_nothing_is_a_usage_error() {
    let dir = Dir::with(&[("loop.c", LOOP)]);
    let ran = dir.run(&[
        "verify",
        "--ltl",
        "F {n == 3}",
        "loop.c",
        "--unwindset",
        "mian:4",
    ]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(
        ran.stderr.contains("mian") && ran.stderr.contains("main"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_reader_that_goes_away_is_success() {
    let dir = project("G !big");
    // More output than a pipe holds, so that the writer must notice the closed end.
    let filler: String = (0..20_000)
        .map(|i| format!("int filler_{i} = {i};\n"))
        .collect();
    dir.write("p.c", format!("{PROGRAM}{filler}"));
    let mut command = dir.command(&["instrument", "s.json", "p.c", "-o", "-"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn check_prints_a_plan_and_writes_nothing() {
    let dir = project("G !big");
    let ran = dir.run(&["check", "s.json", "p.c"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    for part in [
        "big: is_big(x) from begin to end, else false",
        "p.c:10",
        "x += 2",
        "enter",
        "leave",
        "printf",
    ] {
        assert!(
            ran.stdout.contains(part),
            "{part} is missing in {}",
            ran.stdout
        );
    }
    assert!(
        ran.stdout.lines().all(|line| line.trim_end() == line),
        "{:?}",
        ran.stdout
    );
    let ran = dir.run(&["check", "s.json", "p.c", "--format", "json"]);
    let plan: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(plan["properties"][0]["ltl"], "G !big");
    assert!(plan["sites"]
        .as_array()
        .unwrap()
        .iter()
        .any(|site| site["line"] == 10 && site["event"] == "write"));
    assert_eq!(dir.names(), ["p.c", "s.json"]);
}

/// A backend that claims to be CBMC.
fn fake(dir: &Dir, rest: &str) {
    dir.script(
        "fake",
        &format!("if [ \"$1\" = --version ]; then echo '6.6.0 (cbmc-6.6.0)'; exit 0; fi\n{rest}"),
    );
}

#[test]
fn a_backend_that_takes_too_long_leaves_it_unknown() {
    let dir = project("G !big");
    fake(&dir, "exec sleep 1000");
    let started = std::time::Instant::now();
    let (result, status) = dir.verify(&[
        "s.json",
        "p.c",
        "--backend-path",
        "./fake",
        "--timeout",
        "1",
        "--engine",
        "bounded",
    ]);
    assert!(started.elapsed() < PATIENCE);
    assert_eq!((result["verdict"].as_str(), status), (Some("unknown"), 5));
    assert_eq!(result["symbol"], "?");
    assert!(
        result["reason"]
            .as_str()
            .unwrap()
            .contains("timed out after 1 s"),
        "{}",
        result["reason"]
    );
}

#[test]
fn a_backend_that_fails_leaves_it_unknown() {
    for answer in [
        "kill -SEGV $$",
        "exit 0",
        "echo '[]'; exit 0",
        "echo 'no JSON at all'; exit 10",
        "echo '[{\"cProverStatus\": \"success\"}]'; exit 0",
        "head -c 2000 /dev/urandom; exit 10",
        "exit 77",
    ] {
        let dir = project("G !big");
        fake(&dir, answer);
        let bounded = ["s.json", "p.c", "--engine", "bounded"];
        let fake = ["--backend-path", "./fake"];
        let (result, status) = dir.verify(&[&bounded[..], &fake].concat());
        assert_eq!(
            (result["verdict"].as_str(), status),
            (Some("unknown"), 5),
            "{answer}"
        );
        assert!(!result["reason"].as_str().unwrap().is_empty(), "{answer}");
    }
}

#[test]
fn a_program_without_a_run_leaves_it_unknown() {
    if !cbmc() {
        return;
    }
    let program = "void __CPROVER_assume(_Bool);\nint x;\nint main(void) { x = 1; __CPROVER_assume(0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (result, status) = dir.verify(&["--ltl", "G {x < 9}", "p.c"]);
    assert_eq!(
        (result["verdict"].as_str(), status),
        (Some("unknown"), 5),
        "{result}"
    );
    assert!(
        result["reason"]
            .as_str()
            .unwrap()
            .contains("every run is discarded"),
        "{}",
        result["reason"]
    );
}

#[test]
fn the_form_of_the_monitor_may_be_asked_for() {
    if !cbmc() {
        return;
    }
    let dir = project("G !big");
    for form in ["auto", "dfa"] {
        let (result, status) = dir.verify(&["s.json", "p.c", "--monitor", form]);
        assert_eq!(
            (result["verdict"].as_str(), status),
            (Some("false"), 10),
            "{form}"
        );
    }
}

#[test]
fn doctor_says_what_there_is() {
    let ran = Dir::new().run(&["doctor"]);
    for name in ["cbmc", "esbmc", "gcc"] {
        assert!(
            ran.stdout.to_lowercase().contains(name),
            "{name} is missing in {ran:?}"
        );
    }
}

#[test]
fn output_bytes_do_not_depend_on_the_run() {
    let dir = project("G (big -> F !big)");
    let texts: Vec<String> = (0..3)
        .map(|_| dir.run(&["instrument", "s.json", "p.c", "-o", "-"]).stdout)
        .collect();
    assert!(!texts[0].is_empty());
    assert!(texts.iter().all(|text| *text == texts[0]));
}
