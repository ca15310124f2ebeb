//! Every trace of a violation of `spec-examples` is reproduced by the real program, compiled by
//! gcc, with the same verdict.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, repository, Dir, AMPLE, PATIENCE};
use serde_json::{json, Value};

/// Verifies the violations of one directory of examples with CBMC, then replays them.
fn replays(names: &[&str]) {
    if !crate::support::cbmc() {
        return;
    }
    for name in names {
        let dir = Dir::new();
        let example = |file: &Value| {
            let path = format!("spec-examples/{name}/{}", file.as_str().unwrap());
            repository(&path).display().to_string()
        };
        let expected =
            std::fs::read_to_string(repository(&format!("spec-examples/{name}/expected.json")));
        let expected: Value = serde_json::from_str(&expected.unwrap()).unwrap();
        let violated = expected["runs"].as_array().unwrap().iter().filter(|run| {
            let verdict = run["verdict"].as_str();
            matches!(verdict, Some("false" | "presumably_false"))
        });
        for run in crate::support::sample(violated, 3) {
            let mut args = vec![example(&run["spec"]), example(&run["program"][0])];
            args.extend(
                run["args"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|a| a.as_str().unwrap().to_string()),
            );
            args.extend(["--unwind".to_string(), run["unwind"].to_string()]);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let (result, _) = dir.verify(&args);
            assert!(
                !result["properties"][0]["trace"]
                    .as_array()
                    .unwrap()
                    .is_empty(),
                "{result}"
            );
            dir.write("trace.json", result.to_string());
            let replayed = dir.run(&["replay", "trace.json", "--timeout", AMPLE]);
            assert_eq!(replayed.status, 0, "{}: {replayed:?}", run["name"]);
            assert!(replayed.stdout.contains("confirmed"), "{replayed:?}");
        }
    }
}

/// Facts that a trace once omitted: the number of arguments of `main`, the activation that is
/// followed, and that no sample was taken.
#[test]
fn what_is_no_letter_comes_back_too() {
    if !crate::support::cbmc() {
        return;
    }
    for name in [
        "area_jumped_over",
        "area_skipped_in_switch",
        "failed_assertion_ends",
        "each_in_recursion",
        "no_sample_taken",
    ] {
        let dir = Dir::new();
        let file = |ending| repository(&format!("tests/small/{name}.{ending}"));
        let files = [file("json"), file("c")].map(|f| f.display().to_string());
        let (result, _) = dir.verify(&[&files[0], &files[1], "--trace"]);
        dir.write("trace.json", result.to_string());
        let replayed = dir.run(&["replay", "trace.json", "--timeout", AMPLE]);
        assert_eq!(replayed.status, 0, "{name}: {replayed:?}");
        assert!(!replayed.stdout.contains("not confirmed"), "{replayed:?}");
    }
}

#[test]
fn sequential_examples() {
    replays(&[
        "morse_choice",
        "morse_counter",
        "morse_figure4",
        "morse_loops",
    ]);
}

#[test]
fn threaded_examples() {
    let all = [
        "answer",
        "battery",
        "crossing",
        "mutual_exclusion",
        "prod_cons",
        "race",
    ];
    replays(&crate::support::sample(all, 3).collect::<Vec<_>>());
}

const SENSOR: &str = "int sensor(int which);
int alarm;
int main(void) {
  for (int i = 0; i < 3; i++) {
    if (sensor(i) > 1000) alarm = 1;
  }
  return 0;
}
";

#[test]
fn a_trace_that_the_program_does_not_have_is_not_confirmed() {
    if !crate::support::cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", SENSOR)]);
    let (result, status) = dir.verify(&["--ltl", "G !{alarm}", "p.c", "--unwind", "3"]);
    assert_eq!(status, 10);
    dir.write("good.json", result.to_string());
    let good = dir.run(&["replay", "good.json"]);
    assert_eq!(good.status, 0, "{good:?}");

    // The same letters with inputs that do not lead there.
    let mut harmless = result.clone();
    for step in harmless["properties"][0]["trace"].as_array_mut().unwrap() {
        if step["event"] == json!("input") {
            step["input"]["value"] = json!(5);
        }
    }
    dir.write("harmless.json", harmless.to_string());
    let ran = dir.run(&["replay", "harmless.json"]);
    assert_eq!(ran.status, 5, "{ran:?}");
    assert!(ran.stdout.contains("not confirmed"), "{ran:?}");

    // Another verdict than that of the run.
    let mut other = result;
    other["properties"][0]["verdict"] = json!("presumably_false");
    dir.write("other.json", other.to_string());
    let ran = dir.run(&["replay", "other.json"]);
    assert_eq!(ran.status, 5, "{ran:?}");
    assert!(
        ran.stdout
            .contains("the run has the verdict ⊥ (false), not ⊥ᵖ"),
        "{ran:?}"
    );

    // A program that was changed since.
    dir.write("p.c", SENSOR.replace("alarm = 1", "alarm = 2"));
    let ran = dir.run(&["replay", "good.json"]);
    assert_eq!(ran.status, 5, "{ran:?}");
    assert!(ran.stdout.contains("it has changed since"), "{ran:?}");

    // A file without a trace, and a missing file.
    dir.write("none.json", r#"{"properties": []}"#);
    assert_eq!(dir.run(&["replay", "none.json"]).status, 3);
    assert_eq!(dir.run(&["replay", "missing.json"]).status, 3);
}

#[test]
fn the_test_that_is_kept_runs_by_itself() {
    if !crate::support::cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", SENSOR)]);
    let (result, _) = dir.verify(&["--ltl", "G !{alarm}", "p.c", "--unwind", "3"]);
    dir.write("trace.json", result.to_string());
    let ran = dir.run(&[
        "replay",
        "-o",
        "kept",
        "trace.json",
        "--ltl",
        "G !{alarm}",
        "p.c",
    ]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let script = std::process::Command::new(dir.path("kept/run.sh"))
        .output()
        .unwrap();
    let record = String::from_utf8_lossy(&script.stdout).into_owned();
    assert!(record.contains("R baproduct:ltl:false\n"), "{record}");
    assert!(record.contains("N followed"), "{record}");
}

#[test]
fn inputs_are_fed_wherever_the_call_stands() {
    if !crate::support::cbmc() {
        return;
    }
    let program = "int nondet_int(void);
int level, alarm;
static int twice(void) { return nondet_int(); }
int main(void) {
  int first = nondet_int();
  for (int i = 0; i < 2; i++) {
    level = nondet_int();
    int t = twice() + nondet_int();
    if (level > 1000 && first == 77 && t == -5) alarm = 1;
  }
  return 0;
}
";
    let dir = Dir::with(&[("p.c", program)]);
    let (result, status) = dir.verify(&["--ltl", "G !{alarm}", "p.c", "--unwind", "3"]);
    assert_eq!(status, 10);
    dir.write("trace.json", result.to_string());
    let ran = dir.run(&["replay", "trace.json"]);
    assert_eq!(ran.status, 0, "{ran:?} {result}");
}

/// Replay once tried twenty thousand schedules, each of which ended in the same crash.
#[test]
fn a_program_that_crashes_is_told_at_once() {
    if !cbmc() {
        return;
    }
    let program = |first: &str| {
        format!(
            "#include <pthread.h>\nint err, x, *p{first};\nvoid *t(void *q) {{ *p = 1; err = 1; return 0; }}\n\
            int main(void) {{ pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); return 0; }}\n"
        )
    };
    let dir = Dir::with(&[("p.c", &program(" = &x"))]);
    let ran = dir.run(&["verify", "--ltl", "G {err == 0}", "p.c", "--report", "r"]);
    assert_eq!(ran.status, 10, "{ran:?}");
    // A program that crashes by itself is refuted by nothing, so it is made to do so now.
    dir.write("p.c", program(""));
    let begin = std::time::Instant::now();
    let ran = dir.run(&["replay", "r/report.json"]);
    assert_eq!(ran.status, 5, "{ran:?}");
    assert!(ran.stdout.contains("not confirmed"), "{ran:?}");
    assert!(begin.elapsed() < PATIENCE, "{ran:?}");
}

/// The refutations of `prove` are reproduced: a prefix, a run that ends and an infinite run, found
/// by explicit exploration and by bounded runs. A changed program does not reproduce them.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn refutations_for_all_runs_come_out_of_the_program() {
    if !cbmc() {
        return;
    }
    let program = |step: i32| {
        format!("int nondet_int(void);\nint on, level;\nint main(void) {{\n  while (1) {{\n    int key = nondet_int();\n    if (key == 3) on = 1;\n    \
                 else if (key == 4) on = 0;\n    else if (key == -7) level = level + {step};\n    if (level == 2) return 0;\n  }}\n}}\n")
    };
    let cases = [
        ("G {level < 2}", "prefix"),
        ("F {on == 1}", "ended"),
        ("G({on == 1} -> F {on == 0})", "lasso"),
    ];
    for engine in ["explicit", "induction"] {
        for (formula, evidence) in cases {
            let dir = Dir::with(&[("prog.c", &program(1))]);
            let out = dir.run(&[
                "prove", "--engine", engine, "--format", "json", "-q", "--ltl", formula, "prog.c",
            ]);
            let result: Value = serde_json::from_str(&out.stdout).unwrap();
            let property = &result["properties"][0];
            assert_eq!(property["holds"], "refuted", "{engine} {formula}: {out:?}");
            dir.write("trace.json", &out.stdout);
            let replayed = dir.run(&["replay", "trace.json"]);
            assert_eq!(
                replayed.status, 0,
                "{engine} {evidence} {formula}: {replayed:?}"
            );
            assert!(replayed.stdout.contains("confirmed: ⊥"), "{replayed:?}");
            if formula == "G {level < 2}" {
                dir.write("prog.c", program(3));
                let replayed = dir.run(&["replay", "trace.json"]);
                assert_eq!(replayed.status, 5, "{engine}: {replayed:?}");
                assert!(replayed.stdout.contains("not confirmed"), "{replayed:?}");
            }
        }
    }
}

/// The threads of the real program take the recorded turns of a run by rounds: the first attempt
/// succeeds, where a search for the letters fails in hundreds.
#[test]
fn threads_take_the_recorded_turns() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/schedules/programs/dekker.c");
    let dir = Dir::new();
    let formula = "G(!({inside0 == 1} && {inside1 == 1}))";
    let mut args = vec!["--schedules", "rounds:2", "--unwind", "2", "-DWRONG"];
    args.extend(["--ltl", formula, program.to_str().unwrap()]);
    let (result, _) = dir.verify(&args);
    assert_eq!(result["verdict"], "false", "{result}");
    dir.write("trace.json", result.to_string());
    let kept = dir.run(&["replay", "trace.json", "--timeout", AMPLE, "-o", "kept"]);
    assert_eq!(kept.status, 0, "{kept:?}");
    // How many letters the run has is the solver's choice.
    for told in [
        "the first run of the real program gives the ",
        " recorded letters; its threads take the 5 recorded turns",
    ] {
        assert!(kept.stdout.contains(told), "{kept:?}");
    }
    let script = dir.read("kept/run.sh");
    assert!(script.contains("BA_NATIVE_LINES=ba_lines "), "{script}");
}
