//! Specifications in the formats of other tools: formulas in the comments of a program, property files and
//! task definitions of the competition on software verification.

use crate::support::{cbmc, installed, ran, repository, skip, Dir};

const ANNOTATED: &str = "//#Unsafe
//@ ltl invariant positive: [](AP(x == 1) ==> <>AP(y == 0));
int x, y = 1;
int main(void) { x = 1; y = 2; return 0; }
";

const REACH: &str = "extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));
void reach_error() { __assert_fail(\"0\", \"r.c\", 3, \"reach_error\"); }
extern int __VERIFIER_nondet_int(void);
int x = 3;
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (!(n > 2)) abort();
  x = n - 3;
  if (x == BAD) { ERROR: { reach_error(); abort(); } }
  return 0;
}
";

const UNREACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

const TASK: &str = "format_version: '2.0'

input_files: 'r.c'

properties:
  - property_file: unreach-call.prp
    expected_verdict: EXPECTED
  - property_file: memory.prp
    expected_verdict: true

options:
  language: C
  data_model: ILP32
";

fn competition() -> Dir {
    Dir::with(&[
        ("r.c", &REACH.replace("BAD", "4")),
        ("ok.c", &REACH.replace("BAD", "-1")),
        ("unreach-call.prp", UNREACH),
        ("memory.prp", "CHECK( init(main()), LTL(G valid-free) )\n"),
        ("x.prp", "CHECK( init(main()), LTL(G \"x >= 0\") )\n"),
        ("false.yml", &TASK.replace("EXPECTED", "false")),
        ("true.yml", &TASK.replace("EXPECTED", "true")),
    ])
}

#[test]
fn formulas_in_comments_are_verified() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("a.c", ANNOTATED)]);
    let (result, status) = dir.verify(&["a.c", "--no-trace"]);
    assert_eq!(result["verdict"], "presumably_false");
    assert_eq!(result["properties"][0]["name"], "positive");
    assert_eq!(result["complete"], true);
    assert_eq!(status, 10);
    // Another specification replaces them.
    let (result, status) = dir.verify(&["--ltl", "F {y == 2}", "a.c", "--no-trace"]);
    assert_eq!((&result["verdict"], status), (&"true".into(), 0));
    // `check`, `instrument` and `deepen` read them, too.
    assert!(dir
        .run(&["check", "a.c"])
        .stdout
        .contains("positive: [](AP(x == 1)"));
    assert_eq!(dir.run(&["instrument", "a.c", "-o", "out.c"]).status, 0);
    let (again, _) = dir.verify(&["out.c", "--no-trace"]);
    assert_eq!(again["verdict"], "presumably_false");
    assert_eq!(dir.run(&["deepen", "a.c", "--no-trace"]).status, 10);
}

#[test]
fn formulas_in_comments_have_places() {
    let dir = Dir::with(&[(
        "a.c",
        "int x;\n//@ ltl invariant p: [](AP(x == 1) ==>);\nint main(void) { return 0; }\n",
    )]);
    let ran = dir.run(&["check", "a.c"]);
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("a.c:2:"), "{}", ran.stderr);
    let ran = dir.run(&["check", "--ltl", "G {x > 0}", "a.c"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    dir.write("none.c", "int main(void) { return 0; }\n");
    assert_eq!(dir.run(&["check", "none.c"]).status, 2);
}

#[test]
fn property_files_are_specifications() {
    if !cbmc() {
        return;
    }
    let dir = competition();
    let (result, status) = dir.verify(&["unreach-call.prp", "r.c", "--no-trace"]);
    assert_eq!((&result["verdict"], status), (&"false".into(), 10));
    assert_eq!(result["properties"][0]["name"], "unreach-call");
    let (result, status) = dir.verify(&["unreach-call.prp", "ok.c", "--no-trace"]);
    assert_eq!((&result["verdict"], status), (&"presumably_true".into(), 0));
    assert_eq!(result["complete"], true);
    let (result, _) = dir.verify(&[
        "x.prp",
        "--properties",
        "unreach-call.prp",
        "ok.c",
        "--no-trace",
    ]);
    assert_eq!(result["properties"].as_array().map(Vec::len), Some(2));
    let refused = dir.run(&["verify", "memory.prp", "ok.c"]);
    assert_eq!(refused.status, 3);
    assert!(
        refused.stderr.contains("--also-safety"),
        "{}",
        refused.stderr
    );
}

#[test]
fn task_definitions_name_program_and_properties() {
    if !cbmc() {
        return;
    }
    let dir = competition();
    // The expectation of a task counts like that of a specification.
    for (task, status) in [("false.yml", 0), ("true.yml", 10)] {
        let (result, ended) = dir.verify(&[task, "--no-trace"]);
        assert_eq!(
            (&result["verdict"], ended),
            (&"false".into(), status),
            "{task}"
        );
        assert_eq!(result["properties"].as_array().map(Vec::len), Some(1));
    }
    let (result, status) = dir.verify(&["false.yml", "x.prp", "--no-trace"]);
    assert_eq!((&result["verdict"], status), (&"presumably_true".into(), 0));
    let more = dir.run(&["verify", "false.yml", "r.c"]);
    assert_eq!(more.status, 2, "{}", more.stderr);
}

#[test]
fn a_task_for_32_bits_has_such_widths_where_that_matters() {
    if !cbmc() {
        return;
    }
    let dir = competition();
    dir.write(
        "r.c",
        "long x;\nvoid reach_error() {}\nint main(void) { x = sizeof x; if (x != 4) reach_error(); return 0; }\n",
    );
    let (result, status) = dir.verify(&["true.yml"]);
    assert_eq!((&result["complete"], status), (&true.into(), 0), "{result}");
}

/// Benchmark programs copy the attribute `noreturn` of the error function to all other functions;
/// if it were believed, every run would end at its first input.
#[test]
fn functions_of_the_field_return() {
    if !cbmc() {
        return;
    }
    let program = "//@ ltl invariant positive: <>AP(y >= 1);
extern unsigned int __VERIFIER_nondet_uint() __attribute__((__noreturn__));
extern void __VERIFIER_assume() __attribute__((__noreturn__));
unsigned short x, y;
int main() { x = __VERIFIER_nondet_uint(); __VERIFIER_assume(x > 2); while (x > 0) { x--; y = 1; } return 0; }
";
    let dir = Dir::with(&[("p.c", program)]);
    let (result, status) = dir.verify(&["p.c", "--no-trace"]);
    assert_eq!(
        (&result["verdict"], status),
        (&"true".into(), 0),
        "{result}"
    );
}

/// The body of a function whose area is watched may be empty.
#[test]
fn an_empty_function_is_entered_and_left() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[
        ("unreach-call.prp", UNREACH),
        (
            "p.c",
            "void reach_error(void) {}\nint main(void) { reach_error(); return 0; }\n",
        ),
    ]);
    let (result, status) = dir.verify(&["unreach-call.prp", "p.c", "--no-trace"]);
    assert_eq!(
        (&result["verdict"], status),
        (&"false".into(), 10),
        "{result}"
    );
}

/// Violations have witnesses that other verifiers can check: SV-COMP's format 2.0.
#[test]
fn violations_have_witnesses() {
    if !cbmc() {
        return;
    }
    let dir = competition();
    let args = [
        "verify",
        "unreach-call.prp",
        "r.c",
        "--witness",
        "w.yml",
        "-q",
    ];
    assert_eq!(dir.run(&args).status, 10);
    let witness = dir.read("w.yml");
    for part in [
        "- content:\n",
        "value: \"\\\\result == 7\"",
        "type: \"function_return\"",
        "type: \"target\"",
        "entry_type: \"violation_sequence\"",
        "format_version: \"2.0\"",
        "specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"",
    ] {
        assert!(witness.contains(part), "{part}\n{witness}");
    }
    // The target is the call, not the function.
    let call = dir
        .read("r.c")
        .lines()
        .position(|line| line.contains("ERROR: {"));
    let (_, target) = witness.split_once("function_return").unwrap();
    let place = format!(
        "function: \"main\"\n              line: {}\n",
        call.unwrap() + 1
    );
    assert!(target.contains(&place), "{place}\n{witness}");
    if !installed("python3") {
        return;
    }
    // Other tools check that it is YAML and conforms to the published schema.
    let schema = repository("tests/witness.schema.json");
    let check = "import json, sys\ntry:\n    import yaml, jsonschema\nexcept ImportError:\n    sys.exit(77)\n\
                 jsonschema.validate(yaml.safe_load(open('w.yml')), json.load(open(sys.argv[1])))\n";
    let mut python = std::process::Command::new("python3");
    let ran = ran(python
        .args(["-c", check])
        .arg(schema)
        .current_dir(dir.path("")));
    match ran.status {
        77 => skip("python3-modules"),
        status => assert_eq!(status, 0, "{}", ran.stderr),
    }
    // A run that satisfies the formula has no witness, and no file is written.
    let held = dir.run(&[
        "verify",
        "unreach-call.prp",
        "ok.c",
        "--witness",
        "none.yml",
    ]);
    assert_eq!(held.status, 0);
    assert!(
        held.stderr.contains("no witness is written"),
        "{}",
        held.stderr
    );
    assert!(!dir.path("none.yml").exists());
}
