//! Infinite runs with real CBMC: a lasso is found if there is one within the bound, and never for a
//! property that every infinite run satisfies.
//!
//! `BAPRODUCT_CASES=20` checks twenty times as many generated programs; `BAPRODUCT_SEED=7` checks
//! other programs.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::support::{cbmc, oracle, Dir, AMPLE};
use serde_json::{json, Value};

/// Verdict and evidence of each property.
fn verdicts(program: &str, spec: &Value, unwind: u32, extra: &[&str]) -> Vec<(String, String)> {
    let dir = Dir::with(&[("prog.c", program), ("spec.json", &spec.to_string())]);
    let unwind = unwind.to_string();
    let mut args = vec!["--lasso", "--unwind", &unwind, "--timeout", AMPLE];
    args.extend(extra);
    args.extend(["spec.json", "prog.c"]);
    let (result, _) = dir.verify(&args);
    let text = |p: &Value, key: &str| p[key].as_str().unwrap_or_default().to_string();
    let properties = result["properties"].as_array().unwrap().iter();
    properties
        .map(|p| (text(p, "verdict"), text(p, "evidence")))
        .collect()
}

/// The verdict and evidence of one formula with conditions in braces.
fn of_formula(program: &str, formula: &str, unwind: u32) -> (String, String) {
    let spec = json!({"ltl": formula});
    verdicts(program, &spec, unwind, &["--no-trace"]).remove(0)
}

fn lasso() -> (String, String) {
    ("false".into(), "lasso".into())
}

/// A program whose only loop never ends.
fn server(globals: &str, body: &str) -> String {
    format!("int nondet_int(void);\n{globals}\nint main(void) {{\n  while (1) {{ {body} }}\n}}\n")
}

#[test]
fn a_loop_that_can_go_on_for_ever_violates_a_promise() {
    if !cbmc() {
        return;
    }
    for (program, formula) in [
        (server("int a;", "a = nondet_int() & 1;"), "G F {a == 1}"),
        (server("int a;", "a = !a;"), "F G {a == 1}"),
        (server("int f[4], i, all;", "f[i] = nondet_int() & 1; i = (i + 1) & 3; all = f[0] && f[1] && f[2] && f[3];"), "F {all == 1}"),
        (server("int a, b;", "for (int i = 0; i < 2; i++) { a = !a; if (nondet_int()) b = 0; } b = nondet_int() & 1;"), "F G {b == 0}"),
        (server("int a;", "static int s; s = (s + 1) & 1; a = s;"), "F G {a == 1}"),
        (server("int a, b; int *p = &a;", "*p = 1 - *p; p = nondet_int() ? &a : &b;"), "G F {b == 1}"),
        (server("int a; struct { int state; unsigned ticks; } c;", "c.ticks++; c.state = (c.state + 1) % 3; a = c.state;"), "F G {a == 1}"),
        (server("double d; int a;", "d = 1.5 - d; a = d > 1;"), "F G {a == 1}"),
        ("int nondet_int(void); int a;\nint main(void) {\nagain: a = nondet_int() & 1;\n  if (a == 2) return 0;\n  goto again;\n}\n".into(), "F {a == 1}"),
        ("int nondet_int(void); int a;\nvoid rest(void) { while (nondet_int()) { } a = 1; }\nint main(void) { while (1) { a = 0; rest(); } }\n".into(), "G F {a == 1}"),
        ("int nondet_int(void); int a;\nint down(int n) { return n ? down(n - 1) : 0; }\nint main(void) { do { a = nondet_int() & 1; down(a); } while (1); }\n".into(), "G F {a == 1}"),
    ] {
        assert_eq!(of_formula(&program, formula, 5), lasso(), "{formula}\n{program}");
    }
}

#[test]
fn a_state_that_never_comes_back_is_no_lasso() {
    if !cbmc() {
        return;
    }
    for (program, formula) in [
        (server("int n, b;", "n++; if (n == 1000) b = 1;"), "F {b == 1}"),
        (server("int a;", "static int n; if (++n == 1000) a = 1;"), "F {a == 1}"),
        (server("int f[3], b;", "f[2]++; b = f[2] == 1000;"), "F {b == 1}"),
        (server("struct { int x, n; } s; int b;", "s.n++; s.x = s.n == 1000; b = s.x;"), "F {b == 1}"),
        (server("int n, b; int *p = &n;", "(*p)++; b = n == 1000;"), "F {b == 1}"),
        // The counter is a local of the loop's function, or of a caller.
        ("int b;\nint main(void) { int n = 0; while (1) { n++; if (n == 1000) b = 1; } }\n".into(), "F {b == 1}"),
        ("int b;\nvoid f(int *n) { int r = 2; while (r) { r--; } ++*n; }\nint main(void) { int n = 0; while (1) { f(&n); if (n == 1000) b = 1; } }\n".into(), "F {b == 1}"),
        // A constant has another value each time its block is entered.
        ("int b, r;\nint main(void) { while (r < 2) { const int k = r; r++; int more = 3; while (more) { more--; b = k; } } return 0; }\n".into(), "F {b == 1}"),
    ] {
        let (_, evidence) = of_formula(&program, formula, 5);
        assert_ne!(evidence, "lasso", "{formula}\n{program}");
    }
}

#[test]
fn letters_count_where_the_formula_counts_them() {
    if !cbmc() {
        return;
    }
    let twice = server("int b;", "b = 1; b = 1; b = 0;");
    let once = server("int b;", "b = 1; b = 0;");
    let formula = "G F ({b == 1} && X {b == 1})";
    assert_ne!(of_formula(&twice, formula, 4).1, "lasso");
    assert_eq!(of_formula(&once, formula, 4), lasso());
}

#[test]
fn areas_and_samples_and_many_properties() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void); int t;\nint main(void) {\n  int x = 0;\n  while (1) {\n\
        b_a: x = nondet_int() & 1; while (x == 1) { x = 1 + (nondet_int() & 1); t = x; }\n\
        e_a: ;\n  }\n}\n";
    let spec = json!({"ltl": "G(p -> F !p)", "pa": [
        {"name": "p", "cond": "main::x == 1", "span": ["b_a", "e_a"], "default": false}]});
    assert_eq!(verdicts(program, &spec, 4, &[]), [lasso()]);
    let program = server("int a, b;", "a = nondet_int() & 1; if (a) b = !b;\ntick: ;");
    let property = |name: &str, ltl: &str| json!({"name": name, "ltl": ltl});
    let spec = json!({"trace": {"mode": "sample", "at": ["tick"]},
        "properties": [property("next", "G(p -> X !p)"), property("often", "G F p"),
            property("holds", "G(p || !p)"), property("once", "F p -> G F p")],
        "pa": [{"name": "p", "cond": "b == 1", "span": ["_begin", "_end"], "default": false}]});
    let found = verdicts(&program, &spec, 4, &["--levels", "separate"]);
    let falses: Vec<bool> = found.iter().map(|(v, _)| v == "false").collect();
    assert_eq!(falses, [true, true, false, true], "{found:?}");
    assert_eq!((&found[1], &found[3]), (&lasso(), &lasso()));
}

#[test]
fn a_prefix_of_a_run_that_is_discarded_later_proves_nothing() {
    if !cbmc() {
        return;
    }
    let spec = json!({"prune": ["err"],
        "properties": [{"name": "safe", "ltl": "G !p"}, {"name": "often", "ltl": "G F p"}],
        "pa": [{"name": "p", "cond": "b == 1", "span": ["_begin", "_end"], "default": false}]});
    let doomed = server("int b;", "if (b) { err: ; } b = nondet_int() & 1;");
    let found = verdicts(&doomed, &spec, 4, &["--no-trace"]);
    assert_eq!(found[0].0, "presumably_false");
    assert_eq!(found[1], lasso());
    let lives = server(
        "int a, b;",
        "a = nondet_int() & 3; if (a == 3) { err: ; } b = a == 2;",
    );
    assert_eq!(
        verdicts(&lives, &spec, 4, &["--no-trace"]),
        [lasso(), lasso()]
    );
}

/// An object that only an assumption reads is part of the state: every round must satisfy the
/// assumption.
#[test]
fn what_an_assumption_reads_counts() {
    if !cbmc() {
        return;
    }
    let program = server("unsigned n; int b;", "n++;\nhere: ;");
    let spec = |cond: &str| {
        json!({"ltl": "F p", "assume": [{"at": "here", "cond": cond}],
        "pa": [{"name": "p", "cond": "b == 1", "span": ["_begin", "_end"], "default": false}]})
    };
    assert_ne!(
        verdicts(&program, &spec("n < 9"), 4, &["--no-trace"])[0].1,
        "lasso"
    );
    assert_eq!(
        verdicts(&program, &spec("b == 0"), 4, &["--no-trace"]),
        [lasso()]
    );
}

#[test]
fn the_trace_marks_the_loop() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[(
        "p.c",
        &server("int a; int read_it(void);", "a = 1; a = read_it() & 1;"),
    )]);
    let (result, status) =
        dir.verify(&["--lasso", "--unwind", "3", "--ltl", "F G {a == 1}", "p.c"]);
    assert_eq!(status, 10);
    let property = &result["properties"][0];
    let trace = property["trace"].as_array().unwrap();
    let start = property["loop"].as_u64().unwrap() as usize;
    assert_eq!(trace[start]["event"], "save");
    assert_eq!(trace[trace.len() - 1]["event"], "repeat");
    assert_eq!(trace[start]["props"], trace[trace.len() - 1]["props"]);
    let letters = |value: bool| {
        let mut inside = trace[start..].iter();
        inside.any(|step| {
            step["props"]
                .as_object()
                .unwrap()
                .values()
                .any(|v| *v == value)
        })
    };
    assert!(letters(true) && letters(false), "{trace:?}");
    let text = dir.run(&[
        "verify",
        "--lasso",
        "--unwind",
        "3",
        "--ltl",
        "F G {a == 1}",
        "p.c",
    ]);
    assert!(
        text.stdout.contains("repeats the steps from"),
        "{}",
        text.stdout
    );
}

#[test]
fn state_without_a_name_is_refused_unless_it_is_declared() {
    let heap = "#include <stdlib.h>\nint b;\nint main(void) {\n  int *p = malloc(4);\n  while (1) {\nhead: *p = 1; b = 1 - b; }\n}\n";
    let thread = "#include <pthread.h>\nint b;\nvoid *f(void *x) { return x; }\nint main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  while (1) b = 1 - b;\n}\n";
    let joined = "union u { int a; char *c; } x; int b;\nint main(void) { while (1) { x.a = 1 - x.a; b = x.a; } }\n";
    for (program, what) in [
        (heap, "`malloc` allocates memory"),
        (thread, "programs with threads"),
        (joined, "`x` is a union"),
    ] {
        let dir = Dir::with(&[("p.c", program)]);
        let all = ["--schedules", "all"];
        let ran = dir.run(
            &[
                &["verify", "--lasso", "--ltl", "F {b == 2}", "p.c"],
                &all[..],
            ]
            .concat(),
        );
        assert_eq!(ran.status, 3, "{ran:?}");
        assert!(ran.stderr.contains(what), "{}", ran.stderr);
    }
    if !cbmc() {
        return;
    }
    let spec = json!({"ltl": "F {b == 2}", "lasso": {"state": ["b"], "at": ["head"]}});
    assert_eq!(verdicts(heap, &spec, 4, &["--no-trace"]), [lasso()]);
}

#[test]
fn the_plan_lists_the_state() {
    let program = server("int a; unsigned ticks;", "ticks++; a = nondet_int() & 1;");
    let spec = json!({"ltl": "G F {a == 1}"}).to_string();
    let dir = Dir::with(&[("p.c", &program), ("spec.json", &spec)]);
    let ran = dir.run(&["check", "--lasso", "spec.json", "p.c"]);
    assert!(ran.stdout.contains("the state is: a\n"), "{ran:?}");
    assert!(ran.stdout.contains("depends on it: ticks\n"), "{ran:?}");
    let unused = json!({"ltl": "G F {a == 1}", "lasso": {"state": ["a"]}}).to_string();
    dir.write("unused.json", unused);
    let ran = dir.run(&["check", "unused.json", "p.c"]);
    assert!(
        ran.stderr.contains("give --lasso to search them"),
        "{ran:?}"
    );
}

/// What is copied, passed, initialised or filled as a whole influences each member by that member alone.
#[test]
fn structures_flow_member_by_member() {
    let declared = "struct m { int on; unsigned count; } a, b[2], *p = &a; void f(struct m v) { a.on = v.on; }\n\
                    void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);";
    for (step, state) in [
        (
            "b[0].on = nondet_int() & 1; b[0].count++; a = b[0];",
            "a.on, b[].on",
        ),
        ("a.count++; memset(p, 0, sizeof *p); a.on = !a.on;", "a.on"),
        (
            "b[1].count++; b[1].on = !b[1].on; memcpy(&a, &b[1], sizeof a);",
            "a.on, b[].on",
        ),
        (
            "a.count++; b[1] = *p; f(b[1]); b[0].on = !b[1].on;",
            "a.on, b[].on",
        ),
        (
            "a.count++; struct m m = { a.on ^ 1, a.count }; f(m);",
            "a.on",
        ),
        // All of the bytes.
        (
            "a.count++; memcpy((char *)&a, (char *)&a.count, 4);",
            "a.on, a.count",
        ),
    ] {
        let spec = json!({"ltl": "G F {a.on == 1}"}).to_string();
        let dir = Dir::with(&[("p.c", &server(declared, step)), ("spec.json", &spec)]);
        let ran = dir.run(&["check", "--lasso", "spec.json", "p.c"]);
        let wanted = format!("the state is: {state}\n");
        assert!(ran.stdout.contains(&wanted), "{step}: {ran:?}");
    }
}

#[test]
fn generated_programs_agree_with_the_oracle() {
    if !cbmc() {
        return;
    }
    let Some(generated) = oracle::generate("lasso", 24, 5, &[]) else {
        return;
    };
    let (mut wrong, mut found) = (Vec::new(), 0);
    for case in &generated.cases {
        let expected = &case.expected;
        let spec: Value = serde_json::from_str(&case.spec_text()).unwrap();
        let unwind = expected["unwind"].as_u64().unwrap() as u32;
        let got = verdicts(&case.program_text(), &spec, unwind, &["--no-trace"]).remove(0);
        let repeats = got == lasso();
        found += usize::from(repeats);
        let same = |verdict: &str| expected["verdict"].is_null() || expected["verdict"] == verdict;
        let right = match expected["lasso"].as_str().unwrap() {
            "never" => !repeats && same(&got.0),
            "must" => got.0 == "false",
            _ => repeats || same(&got.0),
        };
        if !right {
            wrong.push(format!("got {got:?}, {}", case.told()));
        }
    }
    let (seed, count) = (generated.seed, generated.cases.len());
    assert!(wrong.is_empty(), "seed {seed}: {}", wrong.join("\n"));
    assert!(
        found >= count / 8,
        "only {found} of {count} cases have a lasso"
    );
}

/// A local that only an assumption reads is part of the state: here no run is infinite.
#[test]
fn what_an_assumption_reads_is_compared() {
    if !cbmc() {
        return;
    }
    let program = "int done;
int main(void) {
  int left = 1;
  while (1) {
  here: done = 0;
    left = 0;
  }
}
";
    let spec =
        r#"{ "ltl": "F {done == 1}", "assume": [{ "at": "here", "cond": "main::left == 1" }] }"#;
    let dir = Dir::with(&[("p.c", program), ("s.json", spec)]);
    let (got, _) = dir.verify(&["--lasso", "--unwind", "4", "--no-trace", "s.json", "p.c"]);
    assert_ne!(got["verdict"], "false", "{got}");
}

/// An object that a proposition reads only at its label is no part of the state if it is written
/// before.
#[test]
fn what_is_written_before_its_label_is_not_compared() {
    if !cbmc() {
        return;
    }
    let program = "int next(void);
int main(void) {
  int seen = 5;
  while (1) {
    seen = next();
  here: ;
  }
}
";
    let spec = r#"{ "ltl": "G F seen",
  "pa": [{ "name": "seen", "cond": "main::seen == 1", "at": "here" }],
  "trace": { "mode": "sample", "at": ["here"] },
  "inputs": [{ "call": "next", "range": [0, 4] }] }"#;
    let dir = Dir::with(&[("p.c", program), ("s.json", spec)]);
    let (got, _) = dir.verify(&["--lasso", "--unwind", "1", "--no-trace", "s.json", "p.c"]);
    assert_eq!(got["properties"][0]["evidence"], "lasso", "{got}");
}

/// Objects are compared in the file that sees them: a static object of another file, and not its
/// namesake in the file with the loop.
#[test]
fn objects_of_several_files_are_those_that_are_meant() {
    let main = |own: &str| {
        format!("void step(void);\n{own}\nint main(void) {{ while (1) {{ step(); }} }}\n")
    };
    let spec = |ltl: &str| {
        format!(
            r#"{{ "ltl": "{ltl}", "pa": [{{ "name": "p", "cond": "a == 1", "span": ["_begin", "_end"] }}] }}"#
        )
    };
    let turns = "struct turn { int now; };\nstatic struct turn s;\nint a;\nvoid step(void) { static unsigned char k; k = !k; s.now = k; a = s.now; }\n";
    let counts = "static int s;\nint a;\nvoid step(void) { if (++s == 1000) a = 1; }\n";
    if !cbmc() {
        return;
    }
    for (own, other, ltl, found) in [
        ("", turns, "F G p", true),
        (
            "static int s = 3; int seen(void) { return s; }",
            turns,
            "F G p",
            true,
        ),
        ("", counts, "F p", false),
        (
            "static int s = 3; int seen(void) { return s; }",
            counts,
            "F p",
            false,
        ),
        (
            "static int s; int a; int seen(void) { s = a; return s; }",
            "extern int a;\nvoid step(void) { a = !a; }\n",
            "F G p",
            true,
        ),
    ] {
        let dir = Dir::with(&[("m.c", &main(own)), ("t.c", other), ("s.json", &spec(ltl))]);
        let (got, _) = dir.verify(&["--lasso", "--unwind", "4", "s.json", "m.c", "t.c"]);
        let property = &got["properties"][0];
        assert_ne!(property["verdict"], "unknown", "{own} {other}: {got}");
        assert_eq!(
            property["evidence"] == "lasso",
            found,
            "{own} {other}: {got}"
        );
        if found {
            dir.write("got.json", got.to_string());
            let replayed = dir.run(&[
                "replay", "got.json", "--", "--lasso", "s.json", "m.c", "t.c",
            ]);
            assert_eq!(replayed.status, 0, "{replayed:?}");
        }
    }
}

/// Unsupported requests are refused, with an alternative.
#[test]
fn an_execution_searches_no_infinite_run() {
    let dir = Dir::with(&[("p.c", &server("int a;", "a = !a;"))]);
    for command in ["verify", "deepen"] {
        let ran = dir.run(&[
            command,
            "--lasso",
            "--backend",
            "native",
            "--ltl",
            "G F {a == 1}",
            "p.c",
        ]);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("--lasso"), "{}", ran.stderr);
    }
}

/// With growing bounds, groups and kept results: a property with a lasso is finished.
#[test]
fn lassos_with_bounds_and_groups_and_kept_results() {
    if !cbmc() {
        return;
    }
    let list = "often: G F {a == 1}\nnever: G {a != 7}\nsettles: F G {a == 0}\n";
    let program = server("int nondet_int(void); int a;", "a = nondet_int() & 1;");
    let dir = Dir::with(&[("p.c", &program), ("l.txt", list)]);
    let list = [
        "--lasso",
        "--properties",
        "l.txt",
        "p.c",
        "--no-trace",
        "--format",
        "json",
    ];
    let of = |result: &Value| -> Vec<(String, String)> {
        let text = |v: &Value| v.as_str().unwrap_or_default().to_string();
        let properties = result["properties"].as_array().unwrap().iter();
        properties
            .map(|p| (text(&p["verdict"]), text(&p["evidence"])))
            .collect()
    };
    let expected = [
        lasso(),
        ("presumably_true".into(), "prefix".into()),
        lasso(),
    ];
    let deepened = dir.run(&[&["deepen", "--bounds", "1,2,3"], &list[..]].concat());
    let deepened: Value = serde_json::from_str(&deepened.stdout).unwrap();
    assert_eq!(of(&deepened), expected);
    let last = deepened["rounds"].as_array().unwrap().last().unwrap();
    assert_eq!(
        last["properties"].as_array().unwrap().len(),
        1,
        "what has a lasso is done"
    );
    let kept = ["--group", "1", "--bounds", "2,3", "--results", "r.jsonl"];
    let (first, _) = dir.verify(&[&list[..5], &kept].concat());
    assert_eq!(of(&first), expected);
    let lines = dir.read("r.jsonl").lines().count();
    let (again, _) = dir.verify(&[&list[..5], &kept, &["--resume"]].concat());
    assert_eq!(
        (of(&again), dir.read("r.jsonl").lines().count()),
        (expected.to_vec(), lines)
    );
    // Without --lasso, the query is a different one.
    let (other, _) = dir.verify(&[&list[1..5], &kept, &["--resume"]].concat());
    assert!(
        of(&other).iter().all(|(_, evidence)| evidence == "prefix"),
        "{other}"
    );
}

/// A counter that a call of the compiler's sets back is none: its loop comes to the same state again.
#[test]
fn a_counter_that_a_call_sets_back_recurs() {
    if !cbmc() {
        return;
    }
    let program = "int x;\nint main(void) {\n  for (int i = 0; i < 3; i++) { x = 1; if (__builtin_add_overflow(i, -1, &i)) x = 2; }\n  x = 3;\n  return 0;\n}\n";
    assert_eq!(of_formula(program, "F {x == 3}", 5), lasso());
}
