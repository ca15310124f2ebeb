//! `deepen`: the sequence of verdicts, the reason to stop, and the meaning of the result.
#![allow(clippy::unwrap_used)]

use crate::support::{repository, Dir, AMPLE, PATIENCE};
use serde_json::{json, Value};

fn deepen(dir: &Dir, args: &[&str]) -> (Value, i32) {
    let ran = dir.run(&[&["deepen", "--format", "json", "--no-trace"], args].concat());
    let json = serde_json::from_str(&ran.stdout);
    (json.unwrap_or_else(|e| panic!("{e}: {ran:?}")), ran.status)
}

/// The verdicts of a property, bound by bound.
fn verdicts(result: &Value, property: &str) -> Vec<String> {
    let rounds = result["rounds"].as_array().unwrap().iter();
    let of = |round: &Value| {
        let properties = round["properties"].as_array().unwrap().clone();
        let found = properties
            .into_iter()
            .find(|p| p["name"] == json!(property))?;
        Some(found["verdict"].as_str().unwrap().to_string())
    };
    rounds.filter_map(of).collect()
}

#[test]
fn a_verdict_that_goes_back_and_forth_is_recognised() {
    if !crate::support::cbmc() {
        return;
    }
    let example = |name: &str| {
        repository(&format!("spec-examples/morse_counter/{name}"))
            .display()
            .to_string()
    };
    let (spec, program) = (example("response.json"), example("counter.c"));
    let (result, status) = deepen(&Dir::new(), &[&spec, &program, "--budget", AMPLE]);
    let (t, f) = ("presumably_true", "presumably_false");
    assert_eq!(verdicts(&result, "ltl"), [t, f, t, f], "{result}");
    assert_eq!(result["stopped"], json!("oscillating"));
    assert_eq!(result["sequences"][0]["oscillates"], json!(true));
    assert_eq!(status, 10);
    let (result, _) = deepen(&Dir::new(), &[&spec, &program, "--bounds", "1,3,6,7"]);
    assert_eq!(verdicts(&result, "ltl"), [t, t, t, t]);
    assert_eq!(result["stopped"], json!("bounds"));
}

const STEPS: &str = "int x;
int main(void) {
  for (int i = 0; i < 3; i++) x = x + 1;
  return 0;
}
";

#[test]
fn a_decided_property_is_not_asked_for_again_and_completeness_ends_it() {
    if !crate::support::cbmc() {
        return;
    }
    let spec = r#"{ "properties": [ {"name": "early", "ltl": "G {x < 2}"}, {"name": "late", "ltl": "G {x < 9}"},
        {"name": "done", "ltl": "F {x == 1}"} ] }"#;
    let dir = Dir::with(&[("p.c", STEPS), ("s.json", spec)]);
    let (result, status) = deepen(&dir, &["s.json", "p.c"]);
    assert_eq!(
        verdicts(&result, "early"),
        ["presumably_true", "false"],
        "{result}"
    );
    assert_eq!(verdicts(&result, "done"), ["true"]);
    assert_eq!(verdicts(&result, "late"), ["presumably_true"; 3]);
    assert_eq!(result["stopped"], json!("decided"));
    let names: Vec<&Value> = result["properties"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| &p["name"])
        .collect();
    assert_eq!(names, ["early", "late", "done"]);
    assert_eq!(status, 10);
}

#[test]
fn the_budget_is_kept_and_bounds_are_checked() {
    if !crate::support::cbmc() {
        return;
    }
    let dir = Dir::with(&[(
        "p.c",
        "int x;\nint main(void) { while (1) { x = 1; x = 0; } }\n",
    )]);
    let start = std::time::Instant::now();
    let (result, _) = deepen(&dir, &["--ltl", "G {x < 2}", "p.c", "--budget", "4"]);
    assert!(start.elapsed() < PATIENCE, "{result}");
    assert_eq!(result["stopped"], json!("budget"), "{result}");
    assert_eq!(
        result["properties"][0]["verdict"],
        json!("presumably_true"),
        "an unknown does not replace a value"
    );
    assert_eq!(
        dir.run(&["deepen", "--ltl", "G {x < 2}", "p.c", "--bounds", "0"])
            .status,
        2
    );
}

/// `--unwind` is the last of growing bounds; `deepen` ignored it once.
#[test]
fn growing_bounds_end_at_the_one_that_is_given() {
    if !crate::support::cbmc() {
        return;
    }
    let dir = Dir::with(&[(
        "p.c",
        "int x;\nint main(void) { while (1) { x = 1; x = 0; } }\n",
    )]);
    let program = ["--ltl", "G {x < 2}", "p.c", "--unwind"];
    let (result, status) = deepen(&dir, &[&program[..], &["3"]].concat());
    let bounds: Vec<u64> = result["rounds"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|r| r["unwind"].as_u64())
        .collect();
    assert_eq!(bounds, [1, 2, 3], "{result}");
    assert_eq!(result["stopped"], json!("bounds"));
    assert_eq!(status, 0);
    let ran = dir.run(&[&["deepen"], &program[..], &["0"]].concat());
    assert_eq!(ran.status, 2, "{ran:?}");
}

/// `deepen` refuses the same programs as `verify`.
#[test]
fn what_cannot_be_followed_is_refused() {
    let program =
        "#include <setjmp.h>\njmp_buf j; int x;\nvoid f(void) { x = 1; longjmp(j, 1); }\n\
int main(void) { while (!setjmp(j)) { f(); x = 2; } return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    for command in ["verify", "deepen"] {
        let ran = dir.run(&[command, "--ltl", "G {x != 2}", "p.c"]);
        assert_eq!(ran.status, 3, "{command}: {ran:?}");
    }
}

#[test]
fn options_of_verify_are_obeyed_or_refused() {
    if !crate::support::cbmc() {
        return;
    }
    let dir = Dir::with(&[
        (
            "p.c",
            "int x;\nint main(void) { x = 1; x = 2; return 0; }\n",
        ),
        ("l.txt", "a: G {x < 2}\nb: G {x < 3}\n"),
    ]);
    let program = ["deepen", "p.c", "--properties", "l.txt"];
    let ran = |more: &[&str]| dir.run(&[&program, more].concat());
    let table = ran(&[
        "--format", "csv", "--csv", "t.csv", "--report", "r", "--only", "b",
    ]);
    assert_eq!(table.status, 0, "{table:?}");
    assert_eq!(table.stdout, dir.read("t.csv"));
    assert_eq!(table.stdout.lines().count(), 2, "{table:?}");
    let told: Value = serde_json::from_str(&dir.read("r/report.json")).unwrap();
    assert_eq!(told["properties"][0]["name"], "b");
    assert_eq!(ran(&["--only", "c"]).status, 2);
    for refused in [
        &["--group", "1"][..],
        &["--context-bound", "2"],
        &["--also-safety"],
    ] {
        let ran = ran(refused);
        assert_eq!(ran.status, 2, "{ran:?}");
        assert!(ran.stderr.contains(refused[0]), "{ran:?}");
    }
}
