//! ESBMC from end to end, played by `tests/support/esbmc.py` with CBMC's help: its options, its
//! output, the C that it is given, as a version with a table of results and as one before.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use crate::support::{cbmc, installed, ran, repository, Dir, Ran};
use serde_json::Value;

const VERSIONS: [&str; 2] = ["8.4.0", "7.8.0"];

/// Whether ESBMC can be played.
fn playable() -> bool {
    installed("python3") && cbmc()
}

fn command(dir: &Dir, version: &str, args: &[&str]) -> Command {
    let player = repository("tests/support/esbmc.py");
    let mut command = dir.command(&["verify", "--backend", "esbmc", "--backend-path"]);
    command.arg(player).args(["--timeout", "60"]).args(args);
    command.env("PLAY_ESBMC", version);
    if let Some(path) = std::env::var_os("BAPRODUCT_CBMC") {
        command.env("PLAY_CBMC", path);
    }
    command
}

fn play(dir: &Dir, version: &str, args: &[&str]) -> Ran {
    ran(&mut command(dir, version, args))
}

fn verdict(dir: &Dir, version: &str, args: &[&str]) -> Value {
    let ran = play(dir, version, &[&["--format", "json"], args].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:?}"))
}

const COUNTS: &str = "int x;\nint nondet_int(void);\nint main(void)\n{\n    for (int i = 0; i < 3; i++) {\n        x = nondet_int() & 3;\n    }\n    return 0;\n}\n";

/// Two threads that take two locks in different orders, one of them in a loop.
const LOCKS: &str = "#include <pthread.h>\npthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\nint want, have;\nvoid *one(void *p)\n{\n    pthread_mutex_lock(&FIRST);\n    pthread_mutex_lock(&SECOND);\n    pthread_mutex_unlock(&SECOND);\n    pthread_mutex_unlock(&FIRST);\n    return p;\n}\nint main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, one, 0);\n    want = 1;\n    pthread_mutex_lock(&a);\n    pthread_mutex_lock(&b);\n    have = 1;\n    pthread_mutex_unlock(&b);\n    pthread_mutex_unlock(&a);\n    pthread_join(t, 0);\n    return 0;\n}\n";

/// The second thread's depth of recursion is its own.
const DEPTHS: &str = "#include <pthread.h>\nint x;\nvoid down(int n)\n{\n    if (n > 0)\n        down(n - 1);\n}\nvoid *f(void *p)\n{\n    down(1);\n    x++;\n    return p;\n}\nint main(void)\n{\n    pthread_t t, u;\n    pthread_create(&t, 0, f, 0);\n    pthread_create(&u, 0, f, 0);\n    pthread_join(t, 0);\n    pthread_join(u, 0);\n    return 0;\n}\n";

#[test]
fn verdicts_are_the_same_with_every_version() {
    if !playable() {
        return;
    }
    let cases: [(&str, &[&str], &str, bool); 7] = [
        (
            COUNTS,
            &["--ltl", "G {x < 3}", "--unwind", "3"],
            "false",
            true,
        ),
        (
            COUNTS,
            &["--ltl", "G {x < 4}", "--unwind", "3"],
            "presumably_true",
            true,
        ),
        (
            COUNTS,
            &["--ltl", "F {x == 2}", "--unwind", "2"],
            "presumably_false",
            false,
        ),
        (
            LOCKS,
            &["--ltl", "G ({want} -> F {have})", "-DFIRST=b", "-DSECOND=a"],
            "presumably_false",
            true,
        ),
        (
            LOCKS,
            &["--ltl", "G ({want} -> F {have})", "-DFIRST=a", "-DSECOND=b"],
            "presumably_true",
            true,
        ),
        (
            DEPTHS,
            &["--ltl", "F {x > 0}", "--unwind", "2"],
            "true",
            true,
        ),
        (
            DEPTHS,
            &["--ltl", "F {x > 0}", "--unwind", "1"],
            "presumably_false",
            false,
        ),
    ];
    for (program, args, expected, complete) in cases {
        let dir = Dir::with(&[("p.c", program)]);
        // Arrays of threads' objects cost CBMC much time, though not ESBMC.
        let cheap = program == COUNTS || expected == "presumably_false" && !complete;
        for version in VERSIONS.into_iter().take(1 + usize::from(cheap)) {
            let result = verdict(&dir, version, &[args, &["p.c", "--no-trace"]].concat());
            let found = (result["verdict"].as_str(), result["complete"].as_bool());
            assert_eq!(
                found,
                (Some(expected), Some(complete)),
                "{version} {args:?}: {}",
                result["reason"]
            );
            assert_eq!(result["backend"]["version"], version);
        }
    }
}

#[test]
fn counterexamples_show_the_same_with_every_version() {
    if !playable() {
        return;
    }
    for version in VERSIONS {
        let dir = Dir::with(&[("p.c", COUNTS)]);
        let result = verdict(
            &dir,
            version,
            &["--ltl", "G {x != 3}", "p.c", "--unwind", "3"],
        );
        assert_eq!(result["warnings"], Value::Array(Vec::new()), "{version}");
        let trace = result["properties"][0]["trace"].as_array().unwrap();
        let write = trace.iter().find(|s| s["event"] == "write").unwrap();
        assert_eq!(
            (write["line"].as_u64(), write["thread"].as_u64()),
            (Some(6), Some(0))
        );
        let last = trace.iter().rfind(|s| s["event"] == "write").unwrap();
        assert!(last["what"].as_str().unwrap().starts_with("x = "), "{last}");
    }
}

#[test]
fn objects_of_threads_need_a_version_that_has_them() {
    if !playable() {
        return;
    }
    let program = DEPTHS.replace("int x;", "int x;\n_Thread_local int mine;");
    let dir = Dir::with(&[("p.c", &program)]);
    let args = ["--ltl", "F {x > 0}", "p.c", "--unwind", "2", "--no-trace"];
    assert_eq!(verdict(&dir, "8.4.0", &args)["verdict"], "true");
    let old = verdict(&dir, "7.8.0", &args);
    assert_eq!(old["verdict"], "unknown");
    let reason = old["reason"].as_str().unwrap();
    for part in ["before 8.4", "mine at p.c:3", "CBMC"] {
        assert!(reason.contains(part), "{reason}");
    }
}

#[test]
fn an_option_that_does_not_exist_is_told() {
    if !playable() {
        return;
    }
    let dir = Dir::with(&[("p.c", COUNTS)]);
    for version in VERSIONS {
        let args = ["--ltl", "G {x < 4}", "p.c", "--backend-arg", "--frobnicate"];
        let result = verdict(&dir, version, &args);
        let reason = result["reason"].as_str().unwrap_or_default();
        assert!(reason.contains("--frobnicate"), "{version}: {result}");
    }
}

/// ESBMC's front end is clang's, which is stricter than gcc's.
#[test]
fn clang_takes_what_is_emitted_for_all_examples() {
    if !installed("clang") {
        return;
    }
    let root = repository("spec-examples");
    for entry in std::fs::read_dir(&root).unwrap() {
        let directory = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(directory.join("expected.json")) else {
            continue;
        };
        let expected: Value = serde_json::from_str(&text).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for run in expected["runs"].as_array().unwrap() {
            if !seen.insert((run["spec"].to_string(), run["program"].to_string())) {
                continue;
            }
            let words = |key: &str| -> Vec<String> {
                let list = run[key].as_array().into_iter().flatten();
                list.map(|w| w.as_str().unwrap().to_owned()).collect()
            };
            let woven = Dir::new();
            let macros = words("args").into_iter().filter(|a| a.starts_with("-D"));
            let mut instrument = woven.command(&["instrument"]);
            instrument
                .current_dir(&directory)
                .arg(run["spec"].as_str().unwrap());
            instrument.args(words("program")).args(macros);
            let made = ran(instrument.arg("-o").arg(woven.path("woven.c")));
            assert_eq!(made.status, 0, "{directory:?}: {made:?}");
            for version in ["-std=gnu17", "-std=gnu11"] {
                let mut clang = Command::new("clang");
                clang.args([
                    "-fsyntax-only",
                    "-w",
                    version,
                    "-DBA_ESBMC",
                    "-DBA_ONE_COPY",
                ]);
                clang.args([
                    "-Werror=implicit-function-declaration",
                    "-Werror=int-conversion",
                ]);
                let checked = ran(clang.arg(woven.path("woven.c")));
                assert_eq!(checked.status, 0, "{directory:?}: {}", checked.stderr);
            }
        }
    }
}

/// The same infinite run is found; where there is none, none is.
#[test]
fn infinite_runs_are_found_with_every_version() {
    if !playable() {
        return;
    }
    let program = "int nondet_int(void);\nint a;\nint main(void)\n{\n    while (1) {\n        a = nondet_int() & 1;\n    }\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    for version in VERSIONS {
        let of = |formula: &str| {
            let found = verdict(
                &dir,
                version,
                &["--lasso", "--unwind", "3", "--ltl", formula, "p.c"],
            );
            let property = found["properties"][0].clone();
            (
                property["verdict"].clone(),
                property["evidence"].clone(),
                property,
            )
        };
        let (verdict, evidence, property) = of("G F {a == 1}");
        assert_eq!(
            (verdict.as_str(), evidence.as_str()),
            (Some("false"), Some("lasso")),
            "{property}"
        );
        let trace = property["trace"].as_array().unwrap();
        let start = property["loop"].as_u64().unwrap() as usize;
        assert_eq!(
            (&trace[start]["event"], &trace[trace.len() - 1]["event"]),
            (&"save".into(), &"repeat".into())
        );
        let (verdict, evidence, property) = of("G F {a < 2}");
        assert_eq!(
            (verdict.as_str(), evidence.as_str()),
            (Some("presumably_true"), Some("prefix")),
            "{property}"
        );
    }
}
