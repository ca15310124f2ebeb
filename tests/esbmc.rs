//! The real ESBMC from end to end. Other tests check that CBMC gives the same answers.
#![allow(clippy::unwrap_used)]

use std::process::Command;

use crate::support::{cbmc, esbmc, installed, none_wrong, ran, repository, thorough, Dir, AMPLE};
use serde_json::Value;

/// Runs `verify` with ESBMC; returns the result and the exit status.
fn verify(dir: &Dir, args: &[&str]) -> (Value, i32) {
    dir.verify(&[&["--backend", "esbmc", "--timeout", AMPLE], args].concat())
}

const COUNTS: &str = "int x;\nint nondet_int(void);\nint main(void)\n{\n    for (int i = 0; i < 3; i++) {\n        x = nondet_int() & 3;\n    }\n    return 0;\n}\n";

/// Verdict, completeness and evidence.
type Found<'a> = (Option<&'a str>, Option<bool>, Option<&'a str>);

fn found(result: &Value) -> Found<'_> {
    let property = &result["properties"][0];
    (
        property["verdict"].as_str(),
        property["complete"].as_bool(),
        property["evidence"].as_str(),
    )
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn verdicts_do_not_depend_on_how_it_is_asked() {
    if !esbmc() {
        return;
    }
    // `scripts/check-examples` checks every example in every way.
    let ways: [&[&str]; 4] = [
        &["--levels", "together"],
        &["--levels", "separate"],
        &["--monitor", "buchi"],
        &["--backend-arg=--z3"],
    ];
    let cases = [
        ("G {x < 3}", "3", "false", true, "ended", &ways[..]),
        (
            "G {x < 4}",
            "3",
            "presumably_true",
            true,
            "complete",
            &ways[..2],
        ),
        (
            "F {x == 2}",
            "2",
            "presumably_false",
            false,
            "prefix",
            &ways[..1],
        ),
    ];
    let dir = Dir::with(&[("p.c", COUNTS)]);
    for (formula, unwind, verdict, complete, evidence, ways) in cases {
        for way in ways {
            let args = ["--ltl", formula, "--unwind", unwind, "p.c", "--no-trace"];
            let (result, _) = verify(&dir, &[&args[..], way].concat());
            assert_eq!(
                found(&result),
                (Some(verdict), Some(complete), Some(evidence)),
                "{formula} {way:?}: {}",
                result["reason"]
            );
            assert_eq!(result["backend"]["name"], "esbmc");
        }
    }
}

/// Programs that ESBMC refuses, each with a word of the reason.
const REFUSED: [(&str, &str); 4] = [
    ("case_ranges", "range of cases"),
    ("overflow_builtins", "does not know"),
    ("unknown_function_fills_an_array", "is not modelled"),
    ("unknown_function_gets_void", "is not modelled"),
];

/// The programs of `tests/small` without threads have the verdicts that CBMC gives: all refused
/// ones, and every sixth of the others, since each takes two seconds; all with
/// `BAPRODUCT_THOROUGH=1`.
#[test]
fn small_programs_have_their_verdicts() {
    if !esbmc() {
        return;
    }
    let entries = std::fs::read_dir(repository("tests/small")).unwrap();
    let mut specs: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    specs.retain(|path| {
        let sequential = || {
            let text = std::fs::read_to_string(path.with_extension("c")).unwrap();
            !["pthread", "threads.h", "semaphore.h"]
                .iter()
                .any(|name| text.contains(name))
        };
        path.extension().is_some_and(|e| e == "json") && sequential()
    });
    assert!(specs.len() > 80, "{}", specs.len());
    specs.sort();
    let mut number = 0;
    specs.retain(|path| {
        number += 1;
        let name = path.file_stem().unwrap().to_string_lossy();
        thorough() || number % 60 == 0 || REFUSED.iter().any(|(refused, _)| *refused == name)
    });
    none_wrong(specs, |spec| {
        let program = spec.with_extension("c");
        let files = [spec.to_str().unwrap(), program.to_str().unwrap()];
        let args = ["--levels", "together", "--no-trace"];
        let (result, status) = verify(&Dir::new(), &[&files[..], &args].concat());
        let property = &result["properties"][0];
        let name = spec.file_stem().unwrap().to_string_lossy().into_owned();
        let refused = REFUSED.iter().find(|(refused, _)| *refused == name);
        let right = match refused {
            Some((_, word)) => status == 5 && property["reason"].to_string().contains(word),
            None => status == 0 && property["reason"].is_null(),
        };
        let told = format!("{name}: {}, {}", property["verdict"], property["reason"]);
        (!right).then_some(told).into_iter().collect()
    });
}

/// Programs without threads that once got a wrong verdict.
#[test]
fn regressions_have_their_verdicts() {
    if !esbmc() {
        return;
    }
    let prototype = repository("tests/regressions/prototype.c");
    let prototype = prototype.to_str().unwrap();
    let declared = "extern int printf(const char *format, ...);\nextern void __VERIFIER_error(int);\nint x, y;\nint main(void) { x = 1; printf(\"%d\\n\", x); if (x == 1) __VERIFIER_error(3); y = 1; return 0; }\n";
    let dir = Dir::with(&[("declared.c", declared)]);
    for (program, formula, expected) in [
        (prototype, "F {is_three(level)}", "true"),
        (prototype, "G !{level == 3}", "false"),
        ("declared.c", "F {x == 1}", "true"),
        ("declared.c", "F {y == 1}", "presumably_false"),
    ] {
        let args = ["--ltl", formula, "--no-trace", program, "--unwind", "1"];
        let (result, _) = verify(&dir, &args);
        let property = &result["properties"][0];
        assert_eq!(property["verdict"], expected, "{result}");
        assert_eq!(property["complete"], true, "{result}");
    }
}

/// A step without the values that model checkers choose.
fn shape(step: &Value) -> [&Value; 6] {
    ["event", "file", "line", "function", "thread", "what"].map(|key| &step[key])
}

#[test]
fn traces_are_those_of_cbmc_and_are_confirmed() {
    if !esbmc() || !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", COUNTS)]);
    let args = [
        "--ltl",
        "F ({x == 3} && X G {x == 0})",
        "p.c",
        "--unwind",
        "3",
    ];
    let (ours, _) = verify(&dir, &args);
    let (theirs, _) = dir.verify(&args);
    assert_eq!(ours["warnings"], Value::Array(Vec::new()));
    let trace = |result: &Value| result["properties"][0]["trace"].as_array().unwrap().clone();
    let (ours_trace, theirs_trace) = (trace(&ours), trace(&theirs));
    assert_eq!(shape(&ours_trace[0]), shape(&theirs_trace[0]));
    assert_eq!(ours_trace[0]["props"], theirs_trace[0]["props"]);
    assert_eq!(ours_trace[0]["values"], theirs_trace[0]["values"]);
    let inputs = ours_trace.iter().filter(|step| !step["input"].is_null());
    assert!(inputs.count() >= 3, "{ours}");
    let write = ours_trace.iter().find(|s| s["event"] == "write").unwrap();
    assert_eq!(
        (write["line"].as_u64(), write["thread"].as_u64()),
        (Some(6), Some(0))
    );
    dir.write("trace.json", ours.to_string());
    let replayed = dir.run(&["replay", "trace.json", "--timeout", AMPLE]);
    assert_eq!(replayed.status, 0, "{replayed:?}");
    assert!(replayed.stdout.contains("confirmed"), "{replayed:?}");
}

/// An infinite run is found if there is one, and only then.
#[test]
fn infinite_runs_are_found() {
    if !esbmc() {
        return;
    }
    let program = "int nondet_int(void);\nint a;\nint main(void)\n{\n    while (1) {\n        a = nondet_int() & 1;\n    }\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let of = |formula: &str| verify(&dir, &["--lasso", "--unwind", "3", "--ltl", formula, "p.c"]).0;
    let result = of("G F {a == 1}");
    let property = &result["properties"][0];
    assert_eq!(property["verdict"], "false", "{property}");
    assert_eq!(property["evidence"], "lasso", "{property}");
    let trace = property["trace"].as_array().unwrap();
    let start = property["loop"].as_u64().unwrap() as usize;
    assert_eq!(trace[start]["event"], "save");
    assert_eq!(trace[trace.len() - 1]["event"], "repeat");
    let result = of("G F {a < 2}");
    assert_eq!(found(&result).0, Some("presumably_true"), "{result}");
}

#[test]
fn an_option_that_does_not_exist_is_told() {
    if !esbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", COUNTS)]);
    let args = ["--ltl", "G {x < 4}", "p.c", "--unwind", "3"];
    let args = [&args[..], &["--backend-arg", "--frobnicate"]].concat();
    let (result, status) = verify(&dir, &args);
    let reason = result["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("--frobnicate"), "{result}");
    assert_eq!(status, 5);
}

const RACE: &str = "#include <pthread.h>\nint x, y;\nstatic void *other(void *unused) { (void)unused; x = 1; y = 1; return 0; }\nint main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, other, 0);\n    x = 2;\n    pthread_join(t, 0);\n    return 0;\n}\n";

/// If only some schedules were explored, violations count, but nothing is proved.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn schedules_of_few_switches_refute_but_do_not_prove() {
    if !esbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", RACE)]);
    let args = ["p.c", "--unwind", "1", "--no-trace"];
    let of = |formula: &str, more: &[&str]| {
        verify(&dir, &[&["--ltl", formula], &args[..], more].concat()).0
    };
    let few = ["--context-bound", "2"];
    let rows = [
        ("G !{x == 2 && y == 1}", "false", "refuted"),
        ("F {x == 1}", "true", "unknown"),
        ("G {x < 3}", "presumably_true", "unknown"),
    ];
    for (formula, verdict, holds) in crate::support::sample(rows, 4) {
        let result = of(formula, &few);
        let property = &result["properties"][0];
        assert_eq!(property["verdict"], verdict, "{result}");
        assert_eq!(property["holds"], holds, "{result}");
        assert_eq!(result["schedules"]["switches"], 2, "{result}");
    }
    let result = of("G {x < 3}", &["--schedules", "all"]);
    assert_eq!(result["properties"][0]["holds"], "unknown", "{result}");
    assert_eq!(result["schedules"], "statements", "{result}");
}

/// ESBMC switches threads between statements only; `holds` once said `proved` for programs that
/// another thread can disturb within a statement.
#[test]
fn what_happens_within_a_statement_is_not_taken_for_proved() {
    if !esbmc() {
        return;
    }
    let program = |main: &str, other: &str| {
        format!("#include <pthread.h>\n#include <stdio.h>\nint g, h, seen;\nint five(void) {{ return 5; }}\nstatic void *run(void *unused) {{ (void)unused; {other} return 0; }}\nint main(void)\n{{\n    pthread_t t;\n    pthread_create(&t, 0, run, 0);\n    {main}\n    pthread_join(t, 0);\n    return 0;\n}}\n")
    };
    let stored = program("g = five(); g = 0;", "if (g == 5) seen = 1;");
    let torn = program(
        "g = 1; h = 1;",
        "int sum = 2 * g + h; if (sum == 1) seen = 1;",
    );
    for text in crate::support::sample([torn, stored], 2) {
        let dir = Dir::with(&[("p.c", &text)]);
        let of = |schedules| {
            let args = [
                "p.c",
                "--ltl",
                "G {seen == 0}",
                "--no-trace",
                "--schedules",
                schedules,
            ];
            verify(&dir, &args).0
        };
        let all = of("all");
        assert_eq!(all["properties"][0]["holds"], "unknown", "{all}");
        assert!(
            all["assumptions"].to_string().contains("of one expression"),
            "{all}"
        );
        let rounds = of("rounds:2");
        assert_eq!(rounds["properties"][0]["holds"], "refuted", "{rounds}");
    }
}

/// A program that the search by rounds refuses is searched with few context switches, within a time
/// limit.
#[test]
fn a_program_that_takes_no_rounds_is_searched_by_switches() {
    if !esbmc() {
        return;
    }
    let jump = "static void *other(void *unused) { (void)unused; int n = 2; if (y == 7) n++; int a[n][n]; a[0][0] = 1; x = a[0][0]; y = 1; return 0; }";
    let start = RACE.find("static void *other").unwrap();
    let end = start + RACE[start..].find('\n').unwrap();
    let program = RACE[..start].to_string() + jump + &RACE[end..];
    let dir = Dir::with(&[("p.c", &program)]);
    let args = [
        "--ltl",
        "G !{x == 2 && y == 1}",
        "p.c",
        "--unwind",
        "2",
        "--no-trace",
    ];
    let (result, _) = verify(&dir, &args);
    assert_eq!(found(&result).0, Some("false"), "{result}");
    assert!(result["schedules"]["switches"].is_u64(), "{result}");
    let told = result["warnings"].to_string();
    assert!(
        told.contains("the search by rounds gave no answer"),
        "{told}"
    );
}

/// A pointer that threads share: ESBMC follows it, CBMC cannot.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn pointers_that_threads_share_are_followed() {
    if !esbmc() {
        return;
    }
    let program = "#include <pthread.h>\nint a, b;\nint *shared = &a;\nstatic void *other(void *unused)\n{\n    (void)unused;\n    shared = &b;\n    return 0;\n}\nint main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, other, 0);\n    *shared = 1;\n    pthread_join(t, 0);\n    return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, verdict) in [
        ("G {b == 0}", "false"),
        ("G {a == 0}", "false"),
        ("G !{a == 1 && b == 1}", "presumably_true"),
        ("F {a == 1 || b == 1}", "true"),
    ] {
        let args = [
            "--ltl",
            formula,
            "p.c",
            "--schedules",
            "all",
            "--unwind",
            "1",
        ];
        let (result, _) = verify(&dir, &[&args[..], &["--context-bound", "2"]].concat());
        assert_eq!(found(&result).0, Some(verdict), "{result}");
        if verdict == "false" {
            let trace = result["properties"][0]["trace"].as_array().unwrap();
            let write = trace.iter().find(|s| s["event"] == "write").unwrap();
            assert_eq!((&write["line"], &write["thread"]), (&14.into(), &0.into()));
            let object = &formula[3..4];
            assert_eq!(write["values"][object], "1", "{result}");
        }
        if cbmc() {
            let refused = dir.run(&[&["verify"], &args[..]].concat());
            assert_eq!(refused.status, 3, "{refused:?}");
            assert!(refused.stderr.contains("shared"), "{refused:?}");
        }
    }
}

/// Environment variables and configuration files could turn ESBMC's assertions off.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn only_the_command_line_tells_it_what_to_do() {
    if !esbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", COUNTS), ("esbmc.toml", "no-assertions = true\n")]);
    let args = [
        "verify",
        "--backend",
        "esbmc",
        "--ltl",
        "G {x < 3}",
        "--unwind",
        "3",
        "p.c",
    ];
    let mut command = dir.command(&args);
    command
        .env("ESBMC_OPTS", "--no-assertions")
        .env("ESBMC_CONFIG_FILE", dir.path("esbmc.toml"));
    assert_eq!(ran(&mut command).status, 10);
    let mut command = dir.command(&args);
    command.env_remove("HOME");
    assert_eq!(ran(&mut command).status, 10);
}

/// The program's own assertions and the checks of memory and arithmetic, beside the verdict.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn safety_is_checked_beside() {
    if !esbmc() {
        return;
    }
    let program = "#include <assert.h>\nint nondet_int(void);\nint x, a[3];\nint main(void)\n{\n    int i = nondet_int();\n    x = 1;\n    a[i] = 1;\n    assert(i != 2);\n    return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let args = ["--ltl", "F {x == 1}", "p.c", "--also-safety", "--no-trace"];
    let (result, _) = verify(&dir, &args);
    assert_eq!(found(&result).0, Some("true"), "{result}");
    assert_eq!(result["safety"]["holds"], false, "{result}");
    let lines = result["findings"].as_array().unwrap().iter();
    let lines: std::collections::BTreeSet<u64> = lines.filter_map(|f| f["line"].as_u64()).collect();
    assert!(lines.contains(&8) && lines.contains(&9), "{result}");
    let safe = program.replace("a[i] = 1;", "if (i >= 0 && i < 2) a[i] = 1;");
    let safe = safe.replace("i != 2", "x == 1");
    let (result, _) = verify(&Dir::with(&[("p.c", &safe)]), &args);
    assert_eq!(result["safety"]["holds"], true, "{result}");
}

/// Searches two factors of a product of primes, which takes long.
const FACTORS: &str = "unsigned nondet_uint(void);\nint x;\nint main(void)\n{\n    unsigned long a = nondet_uint(), b = nondet_uint();\n    if (a > 1 && b > 1 && a * b == 1000000016000000063ul)\n        x = 1;\n    return 0;\n}\n";

#[test]
fn limits_of_time_and_memory_are_reasons() {
    if !esbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", FACTORS)]);
    std::fs::create_dir(dir.path("tmp")).unwrap();
    for (limit, word) in [(["--timeout", "1"], "timed out"), (["--memory", "100"], "")] {
        let args = ["--backend", "esbmc", "--ltl", "G {x == 0}", "p.c"];
        let how = [
            "verify",
            "--engine",
            "bounded",
            "--format",
            "json",
            "--no-trace",
        ];
        let mut command = dir.command(&how);
        let told = ran(command
            .args(args)
            .args(limit)
            .env("TMPDIR", dir.path("tmp")));
        let result: Value = serde_json::from_str(&told.stdout).unwrap();
        let verdict = (found(&result).0, told.status);
        assert_eq!(verdict, (Some("unknown"), 5), "{result}");
        let reason = result["reason"].as_str().unwrap();
        assert!(reason.contains(word), "{reason}");
        // ESBMC unpacks its headers, and removes them only if it ends by itself.
        let left = std::fs::read_dir(dir.path("tmp")).unwrap().count();
        assert_eq!(left, 0, "{told:?}");
    }
}

/// ESBMC uses clang's front end, which is stricter than gcc's.
#[test]
fn clang_takes_what_is_emitted_for_all_examples() {
    if !installed("clang") {
        return;
    }
    let root = repository("spec-examples");
    let mut examples: Vec<_> = std::fs::read_dir(&root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    examples.retain(|directory| directory.join("expected.json").exists());
    examples.sort();
    for directory in crate::support::sample(examples, 2) {
        let text = std::fs::read_to_string(directory.join("expected.json")).unwrap();
        let expected: Value = serde_json::from_str(&text).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for run in expected["runs"].as_array().unwrap() {
            if !seen.insert((run["spec"].to_string(), run["program"].to_string())) {
                continue;
            }
            let spec = directory.join(run["spec"].as_str().unwrap());
            let spec: Value =
                serde_json::from_str(&std::fs::read_to_string(spec).unwrap()).unwrap();
            // Programs with interrupts are not instrumented alone.
            if spec["interrupts"].is_array() {
                continue;
            }
            let words = |key: &str| -> Vec<String> {
                let list = run[key].as_array().into_iter().flatten();
                list.map(|w| w.as_str().unwrap().to_owned()).collect()
            };
            let woven = Dir::new();
            let args = words("args");
            let meant = |n: &usize| {
                let named = ["--requirements", "--tick"];
                let is = |at: usize| args.get(at).is_some_and(|a| named.contains(&a.as_str()));
                args[*n].starts_with("-D") || is(*n) || (*n > 0 && is(n - 1))
            };
            let meant = (0..args.len()).filter(meant).map(|n| &args[n]);
            let mut instrument = woven.command(&["instrument"]);
            instrument
                .current_dir(&directory)
                .arg(run["spec"].as_str().unwrap());
            instrument.args(words("program")).args(meant);
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

/// Preprocessed programs, as other tools exchange them: gcc's headers contain text that ESBMC's
/// front end refuses, and declare streams with other types than its library.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn preprocessed_programs_are_taken() {
    if !esbmc() {
        return;
    }
    let program = "#include <stdio.h>\n#include <stdlib.h>\nint x;\nint main(void)\n{\n    char line[8];\n    int *n = malloc(sizeof *n);\n    if (n && fgets(line, 8, stdin)) x = line[0] == 'k';\n    else fprintf(stderr, \"no line\\n\");\n    return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let cpp = ran(Command::new("gcc")
        .arg("-E")
        .arg(dir.path("p.c"))
        .arg("-o")
        .arg(dir.path("p.i")));
    assert_eq!(cpp.status, 0, "{cpp:?}");
    for file in ["p.c", "p.i"] {
        let (result, _) = verify(&dir, &["--ltl", "G {x == 0}", file]);
        assert_eq!(found(&result).0, Some("false"), "{result}");
    }
}

/// ESBMC accepts `--funsigned-char`, but a `char` of 200 remains negative.
#[test]
fn an_unsigned_plain_char_is_refused() {
    if !esbmc() {
        return;
    }
    let program = "int big;\nint main(void)\n{\n    char c = (char)200;\n    big = c > 100;\n    return 0;\n}\n";
    let database = r#"[{"directory": ".", "file": "p.c", "arguments": ["cc", "-funsigned-char", "-c", "p.c"]}]"#;
    let dir = Dir::with(&[("p.c", program), ("db.json", database)]);
    let args = [
        "--ltl",
        "F {big == 1}",
        "--compile-commands",
        "db.json",
        "p.c",
        "--engine",
        "bounded",
    ];
    let (result, status) = verify(&dir, &args);
    assert_eq!(found(&result).0, Some("unknown"), "{result}");
    let reason = result["properties"][0]["reason"].to_string();
    assert!(reason.contains("-funsigned-char"), "{reason}");
    assert_eq!(status, 5);
}

/// ESBMC converts to one bit before it computes: `1 ^ 2` was 0, and `1 & 2` was 1.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn truth_values_are_computed_with_in_full() {
    if !esbmc() {
        return;
    }
    let file = repository("tests/regressions/truth_values_in_parts.c");
    let program = file.to_str().unwrap();
    let formula = "F {main::done == 1}";
    let (result, _) = verify(
        &Dir::new(),
        &["--unwind", "1", "--ltl", formula, program, "--no-trace"],
    );
    assert_eq!(result["verdict"], "true", "{result}");
}

/// ESBMC takes advice on unrolling for the bound of a loop. Then it cut loops before the program
/// did, and there was no verdict.
#[test]
fn advice_on_unrolling_is_no_bound() {
    if !esbmc() {
        return;
    }
    let advice = [
        "#pragma unroll 3",
        "#pragma GCC unroll 3",
        "#pragma  GCC  unroll(3)",
        "#pragma clang loop unroll_count(3)",
        "#pragma nounroll",
        "_Pragma(\"unroll 3\")",
    ];
    for line in crate::support::sample(advice, 6) {
        let program = format!(
            "int n, err;\nint main(void)\n{{\n{line}\n    for (int i = 0; i < 5; i++)\n        n++;\n\
             if (n == 5)\n        err = 1;\n    return 0;\n}}\n"
        );
        let dir = Dir::with(&[("p.c", &program)]);
        for (unwind, expected) in [("4", "presumably_true"), ("6", "false")] {
            let formula = "G {err == 0}";
            let (result, _) = verify(
                &dir,
                &["--unwind", unwind, "--ltl", formula, "p.c", "--no-trace"],
            );
            assert_eq!(result["verdict"], expected, "{line}: {result}");
        }
    }
}
