//! The parts of a result besides its verdicts: answers within a time limit, full traces, vacuity,
//! coverage and profiles.

use crate::support::{cbmc, Dir, AMPLE, PATIENCE};

/// Up to bound 30 the program is easy; then the solver must show that a number of 62 bits is prime.
const HARD: &str = "extern int nondet_int(void);\nint err, n;\n\
    int main(void) { for (n = 0; n < 40; n++) { unsigned x = nondet_int(), y = nondet_int();\n\
    if (n == 1 && x == 77) err = 1;\n\
    if (n == 30 && x > 1 && y > 1 && (unsigned long long)x * y == 4611686018427387847ull) err = 2; } return 0; }\n";

/// A time limit at a large bound once gave no answer although a small bound has one.
#[test]
fn a_budget_gives_the_best_answer_that_there_was() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", HARD)]);
    let ran = dir.run(&[
        "verify",
        "--ltl",
        "G {err == 0}",
        "p.c",
        "--unwind",
        "32",
        "--budget",
        AMPLE,
        "--format",
        "json",
    ]);
    let got: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let property = &got["properties"][0];
    assert_eq!(property["verdict"], "false", "{got}");
    assert_eq!(property["holds"], "refuted", "{got}");
    // A definite answer is not asked for again at larger bounds.
    assert_eq!(property["unwind"], 2, "{got}");
    assert!(
        ran.stderr.contains("bound 2") && ran.stderr.contains("decided"),
        "{ran:?}"
    );
}

/// If the time ends before the last bound, the answer of the previous bound stands, and the result
/// says so.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn when_the_time_is_over_the_last_sure_answer_stays() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", HARD)]);
    let start = std::time::Instant::now();
    let (got, status) = dir.verify(&[
        "--ltl",
        "G {err != 2}",
        "p.c",
        "--unwind",
        "40",
        "--budget",
        "8",
    ]);
    // The machine may be busy, but without a limit this would take many minutes.
    assert!(start.elapsed() < PATIENCE);
    let property = &got["properties"][0];
    let unknown = property["verdict"] == "unknown";
    assert!(unknown || property["verdict"] == "presumably_true", "{got}");
    assert_eq!(status == 5, unknown, "{got}");
    if !unknown && property["unwind"] != 40 {
        assert_eq!(property["holds"], "unknown", "{got}");
        // The report once named the bound that had no answer.
        let formula = ["verify", "--ltl", "G {err != 2}", "p.c", "--unwind", "32"];
        let ran = dir.run(&[&formula[..], &["--budget", "8"]].concat());
        assert!(ran.stdout.contains("or --budget"), "{ran:?}");
        assert!(!ran.stdout.contains("s, unwind 32"), "{ran:?}");
    }
}

const LOCKED: &str = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint consumed, err;\n\
    void *t(void *q) { pthread_mutex_lock(&m);\nconsumed++;\nconsumed++;\npthread_mutex_unlock(&m); return 0; }\n\
    int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_mutex_lock(&m);\n\
    if (consumed == 2) err = 1;\npthread_mutex_unlock(&m); pthread_join(h, 0); return 0; }\n";

/// A trace once jumped from step 0 to 2 and did not say which thread held which lock.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_full_trace_shows_what_others_can_see() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", LOCKED)]);
    for schedules in ["all", "rounds:2"] {
        let trace = |how: &[&str]| {
            let arguments = ["--ltl", "G {err == 0}", "p.c", "--schedules", schedules];
            let (got, _) = dir.verify(&[&arguments[..], how].concat());
            got["properties"][0].clone()
        };
        let full = trace(&["--trace", "full"]);
        let steps = full["trace"].as_array().unwrap();
        let told: Vec<String> = steps
            .iter()
            .map(|s| format!("{} {} {}", s["thread"], s["event"], s["what"]).replace('"', ""))
            .collect();
        let expected = [
            "1 lock takes m",
            "1 step consumed = 1",
            "1 step consumed = 2",
            "1 unlock gives back m",
            "0 lock takes m",
            "0 write err = 1",
        ];
        // By rounds, too; there, the trace omits locks for which no thread ever waits.
        let mut left = told.iter();
        for wanted in expected {
            assert!(
                left.any(|t| t == wanted),
                "{schedules}: no `{wanted}` in its place: {told:?}"
            );
        }
        assert_eq!(full["left_out"], 0);
        // The short trace has only letters, and says how many steps it omits.
        let short = trace(&[]);
        assert!(short["left_out"].as_u64().unwrap() >= 2, "{short}");
        assert!(short["trace"].as_array().unwrap().len() < steps.len());
    }
    let ran = dir.run(&["verify", "--ltl", "G {err == 0}", "p.c"]);
    assert!(ran.stdout.contains("more steps of this run"), "{ran:?}");
    let ran = dir.run(&[
        "verify",
        "--ltl",
        "G {err == 0}",
        "p.c",
        "--trace=full",
        "--report",
        "r",
    ]);
    assert!(ran.stdout.contains("|* takes m"), "{ran:?}");
    assert!(dir.read("r/report.html").contains("class=\"lanes\""));
    // A full trace can be replayed like a short one.
    let ran = dir.run(&["replay", "r/report.json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
}

const WAITING: &str = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
    pthread_cond_t full = PTHREAD_COND_INITIALIZER;\nint items, eaten;\n\
    void *eats(void *q) {\n pthread_mutex_lock(&m);\n while (!items)\n  pthread_cond_wait(&full, &m);\n\
    eaten = eaten + items;\n pthread_mutex_unlock(&m);\n return 0;\n}\n\
    int main(void) {\n pthread_t h;\n pthread_create(&h, 0, eats, 0);\n pthread_mutex_lock(&m);\n items = 2;\n\
    pthread_cond_signal(&full);\n pthread_mutex_unlock(&m);\n pthread_join(h, 0);\n if (eaten != 2) {\n\
    pthread_mutex_lock(&m);\n  items = 9;\n  pthread_mutex_unlock(&m);\n }\n return eaten;\n}\n";

/// By rounds, a full trace shows starts and ends of threads, waits and wakeups, and a report shows
/// the lines that threads reach; with both model checkers.
#[test]
fn rounds_tell_waits_and_the_lines_that_threads_reach() {
    let checkers = [("cbmc", cbmc()), ("esbmc", crate::support::esbmc())];
    for (backend, there) in checkers {
        // ESBMC takes as long as the rest of this file.
        if !there || (backend == "esbmc" && !crate::support::thorough()) {
            continue;
        }
        let dir = Dir::with(&[("p.c", WAITING)]);
        let (got, _) = dir.verify(&[
            "--ltl",
            "G {eaten == 0}",
            "p.c",
            "--backend",
            backend,
            "--schedules",
            "rounds:2",
            "--unwind",
            "2",
            "--trace=full",
            "--report",
            "r",
        ]);
        let steps = got["properties"][0]["trace"].as_array().unwrap();
        let told: Vec<String> = steps
            .iter()
            .map(|s| format!("{} {}", s["thread"], s["what"]).replace('"', ""))
            .collect();
        for wanted in [
            "0 starts a thread",
            "0 items = 2",
            "0 wakes one that waits for full",
            "1 takes m",
        ] {
            assert!(told.iter().any(|t| t == wanted), "{backend}: {told:#?}");
        }
        // The letters are those of the run.
        let first = &steps[0]["props"]["{eaten == 0}"];
        let written = steps.iter().find(|s| s["event"] == "write");
        assert_eq!(*first, true, "{backend}: {steps:#?}");
        let decided = written.map(|s| (&s["line"], &s["props"]["{eaten == 0}"]));
        assert!(
            decided.is_some_and(|(line, value)| *line == 9 && *value == false),
            "{backend}: {steps:#?}"
        );
        // Each step occurs once: declarations that a model checker shows are no steps.
        let twice = |of: &str| told.iter().filter(|t| t.as_str() == of).count() > 1;
        assert!(!twice("0 starts a thread"), "{backend}: {told:#?}");
        let functions = ["main", "eats", ""];
        let named = |s: &serde_json::Value| functions.iter().any(|f| s["function"] == *f);
        assert!(steps.iter().all(named), "{backend}: {steps:#?}");
        assert!(
            !told.iter().any(|t| t.contains("NULL")),
            "{backend}: {told:#?}"
        );
        let file = &got["coverage"]["files"][0];
        let has = |part: &str, line: u32| file[part].as_array().unwrap().contains(&line.into());
        assert!(has("reached", 9) && has("reached", 18), "{backend}: {file}");
        assert!(has("never", 23) && !has("reached", 23), "{backend}: {file}");
    }
}

/// `--vacuity full` checks every part of a formula, and a witness shows a run in which a part
/// matters.
#[test]
fn full_vacuity_asks_for_every_part() {
    if !cbmc() {
        return;
    }
    let program = |body: &str| {
        format!("extern int nondet_int(void);\nint req, ack, mode, n;\nint main(void) {{ {body} return 0; }}\n")
    };
    // The body of `main`, the formula, and the parts that do not matter.
    let rows: &[(&str, &str, &[&str])] = &[
        (
            "if (nondet_int()) { req = 1; ack = 1; req = 0; ack = 0; }",
            "G({req == 1} -> F {ack == 1})",
            &[],
        ),
        (
            "req = 1; ack = 1;",
            "G({req == 1} -> F {ack == 1} || F {mode == 1})",
            &["F {mode == 1}", "{req == 1}"],
        ),
        // Neither is constant, yet the request does not matter: the answer comes in any case.
        (
            "req = 1; req = 0; ack = 1;",
            "G({req == 1} -> F {ack == 1})",
            &["{req == 1}"],
        ),
        (
            "ack = 1; ack = 0; req = 1; req = 0;",
            "{req == 1} R {ack == 0} || F {ack == 1}",
            &["{req == 1} R {ack == 0}"],
        ),
        (
            "for (n = 0; n < 2; n++) { req = 1; req = 0; }",
            "G({req == 1} -> F {req == 0})",
            &["{req == 1}"],
        ),
    ];
    let mut wrong = Vec::new();
    for (body, formula, vacuous) in rows {
        let dir = Dir::with(&[("p.c", &program(body))]);
        let (got, _) = dir.verify(&["--ltl", formula, "p.c", "--vacuity", "full"]);
        let property = &got["properties"][0];
        let said = property["vacuous"].as_array().unwrap();
        let said: Vec<&str> = said.iter().map(|v| v["what"].as_str().unwrap()).collect();
        let holds = ["presumably_true", "true"].map(|v| property["verdict"] == v);
        if said != *vacuous || !holds.contains(&true) {
            wrong.push(format!(
                "{body} | {formula}: {} {said:?}",
                property["verdict"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let dir = Dir::with(&[("p.c", &program(rows[0].0))]);
    let ran = dir.run(&[
        "verify",
        "--ltl",
        rows[0].1,
        "p.c",
        "--vacuity",
        "full",
        "--trace",
        "--report",
        "r",
    ]);
    // The witness contains a request, and can be replayed.
    assert!(
        ran.stdout.contains("a witness") && ran.stdout.contains("req = 1"),
        "{ran:?}"
    );
    let ran = dir.run(&["replay", "r/report.json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
}

/// Explains a surprising ⊤ᵖ: a report shows which lines the runs reach.
#[test]
fn a_report_shows_what_explored_runs_reach() {
    if !cbmc() {
        return;
    }
    let program =
        "extern int nondet_int(void);\nint req, mode;\nint main(void) {\n  int x = nondet_int();\n\
        if (x > 5 && mode == 7)\n    req = 1;\n  if (x > 5)\n    mode = 3;\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    dir.verify(&["--ltl", "G {req == 0}", "p.c", "--report", "r"]);
    let got: serde_json::Value = serde_json::from_str(&dir.read("r/report.json")).unwrap();
    let file = &got["coverage"]["files"][0];
    let has = |key: &str, line: u64| file[key].as_array().unwrap().iter().any(|n| *n == line);
    assert!(has("never", 6) && !has("reached", 6), "{got}");
    assert!(has("reached", 8) && has("reached", 4), "{got}");
    let idle = got["coverage"]["idle"].to_string();
    assert!(
        idle.contains("p.c:6") && idle.contains("req = 1") && !idle.contains("p.c:8"),
        "{idle}"
    );
    assert!(dir
        .read("r/report.html")
        .contains("What explored runs reach"));
}

/// Lines that runs reach are not asked for under a weak memory model: they were once those of sequential consistency, and the report
/// said that no run comes to the line of the violation.
#[test]
fn coverage_is_that_of_the_memory_model() {
    let program = "#include <pthread.h>\nint a, b, r1, r2, err;\n\
        void *t1(void *q) { a = 1; r1 = b; return 0; }\nvoid *t2(void *q) { b = 1; r2 = a; return 0; }\n\
        int main(void) {\n pthread_t x, y;\n pthread_create(&x, 0, t1, 0);\n pthread_create(&y, 0, t2, 0);\n\
        pthread_join(x, 0);\n pthread_join(y, 0);\n if (r1 == 0 && r2 == 0)\n  err = 1;\n return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let asked = [
        "--engine",
        "steps",
        "--memory-model",
        "tso",
        "--report",
        "r",
    ];
    let (got, _) = dir.verify(&[&["--ltl", "G {err == 0}", "p.c"], &asked[..]].concat());
    assert_eq!(got["properties"][0]["holds"], "refuted", "{got}");
    assert!(got["coverage"].is_null(), "{got}");
}

/// Statements of every kind, with lines that no run reaches.
const LINES: &str = r#"extern int nondet_int(void);
int req, mode, n;
enum { OFF, ON };
static int twice(int v)
{
  if (v > 100)
    return 0;
  return v * 2;
}
int main(void) {
  int x = nondet_int(), y;
  if (x > 5 && mode == 7)
    req = 1;
  else if (x > 3) mode = 3;
  else
    for (int i = 0; i < 2; i++)
      n++;
  switch (mode) {
    case 0:
      y = 1; break;
    case 1: case 2:
      y = 2;
      break;
    default:
      y = twice(mode);
  }
  do
    n--;
  while (n > 7);
  while (n > 9) {
    n = 0;
  }
  if (n > 50) goto out;
  y = n; { int z = y;
    n = z;
  }
  if (n < 40) switch (x) { case 1: n = 1;
    default: mode = 1; }
  for (int i = 0; i < 2; i++) mode = ON;
  return 0;
  mode = OFF;
out: mode = 9;
  if (mode) while (1) { break; } else
    mode = 8;
  return 1;
}
"#;

/// ESBMC does not report coverage itself: its answers agree with CBMC's on each line that both know.
#[test]
fn lines_that_runs_reach_are_those_of_both_model_checkers() {
    if !cbmc() || !crate::support::esbmc() {
        return;
    }
    let lines = |program: &str, arguments: &[&str]| {
        let dir = Dir::with(&[("p.c", program)]);
        let common = [
            "--ltl",
            "G {req == 0}",
            "p.c",
            "--report",
            "r",
            "--no-trace",
        ];
        let (_, status) = dir.verify(&[&common[..], arguments].concat());
        let got: serde_json::Value = serde_json::from_str(&dir.read("r/report.json")).unwrap();
        assert!([0, 10].contains(&status), "{got:#}");
        let file = &got["coverage"]["files"][0];
        assert_eq!(file["file"], "p.c", "{arguments:?}: {got:#}");
        let of = |key: &str| -> Vec<u64> {
            let numbers = file[key].as_array().unwrap().iter();
            numbers.filter_map(serde_json::Value::as_u64).collect()
        };
        (of("reached"), of("never"))
    };
    let (reached, never) = lines(LINES, &["--backend", "esbmc"]);
    assert_eq!(
        never,
        [7, 13, 22, 23, 31, 41, 42, 43, 44, 45],
        "{reached:?}"
    );
    for line in [
        6, 8, 11, 12, 14, 16, 17, 18, 20, 25, 27, 28, 30, 33, 34, 35, 37, 38, 39, 40,
    ] {
        assert!(reached.contains(&line), "{line}: {reached:?}");
    }
    let (told, not) = lines(LINES, &["--backend", "cbmc"]);
    assert_eq!(never, not, "{told:?}");
    assert!(!reached.iter().any(|line| not.contains(line)), "{not:?}");
    if !crate::support::thorough() {
        return;
    }
    // All schedules up to the bound of context switches.
    let threads = "#include <pthread.h>\nint req, mode;\nvoid *t(void *q) {\n  if (mode == 7)\n    req = 1;\n  mode = 2;\n\
        if (mode == 4)\n    mode = 5;\n  return q;\n}\nint main(void) {\n  pthread_t h;\n  pthread_create(&h, 0, t, 0);\n\
        mode = 4;\n  pthread_join(h, 0);\n  return 0;\n}\n";
    let all = [
        "--backend",
        "esbmc",
        "--schedules",
        "all",
        "--context-bound",
        "2",
    ];
    let (reached, never) = lines(threads, &all);
    assert_eq!(never, [5, 8], "{reached:?}");
    let more = [
        "--backend",
        "esbmc",
        "--schedules",
        "all",
        "--context-bound",
        "3",
    ];
    let (reached, never) = lines(threads, &more);
    assert_eq!(never, [5], "{reached:?}");
}

/// `profile` says which part of a program is expensive.
#[test]
fn a_profile_names_the_loop_that_makes_the_formula_large() {
    if !cbmc() {
        return;
    }
    let program = "extern int nondet_int(void);\nint total, alarm;\n\
        void small(void) { int n = nondet_int(); while (n > 0) { n--; alarm = n & 1; } }\n\
        void large(void) { int n = nondet_int(); while (n > 0) { n--; total += total * n; } }\n\
        int main(void) { total = nondet_int(); small(); large(); return 0; }\n";
    let spec = r#"{ "properties": [ { "name": "even", "ltl": "G {total != 7}" },
        { "name": "quiet", "ltl": "F {alarm == 1}" } ], "pa": [] }"#;
    let dir = Dir::with(&[("p.c", program), ("s.json", spec)]);
    let profile = &["profile", "s.json", "p.c", "--unwind", "4", "--format"];
    let ran = dir.run(&[profile.as_slice(), &["json"]].concat());
    assert_eq!(ran.status, 0, "{ran:?}");
    let got: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let part = |what: &str| {
        let parts = got["parts"].as_array().unwrap();
        let part = parts
            .iter()
            .find(|p| p["what"].as_str().unwrap().contains(what));
        part.unwrap_or_else(|| panic!("{what}: {got}"))
    };
    let saved = |what: &str| part(what)["saved_clauses"].as_i64().unwrap();
    assert!(saved("in large") > 10 * saved("in small").max(1), "{got}");
    assert_eq!(part("in large")["hint"], "--unwindset large:3", "{got}");
    assert!(saved("even") > 0 && saved("quiet") > 0, "{got}");
    assert!(
        got["clauses"].as_i64().unwrap() > saved("in large"),
        "{got}"
    );
    // The proposed bound makes the formula as much smaller as `profile` predicts.
    let less = dir.run(&[profile.as_slice(), &["json", "--unwindset", "large:3"]].concat());
    let less: serde_json::Value = serde_json::from_str(&less.stdout).unwrap();
    assert_eq!(
        got["clauses"].as_i64().unwrap() - less["clauses"].as_i64().unwrap(),
        saved("in large")
    );
    let alone = ["profile", "--ltl", "G {total != 7}", "p.c", "--unwind", "4"];
    let text = dir.run(&alone).stdout;
    assert!(
        text.contains("What saves most: --unwindset large:3"),
        "{text}"
    );
    // Only CBMC tells the size of a formula.
    let ran = dir.run(&[&alone[..], &["--backend", "esbmc"]].concat());
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.stderr.contains("does not tell how large"), "{ran:?}");
}

/// By rounds, the formula grows with the rounds and with the positions at which a thread can be
/// interrupted.
#[test]
fn a_profile_of_threads_has_rounds_and_places() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x;\n\
        void *w(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); x = 0; return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x = 2; pthread_join(t, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let ran = dir.run(&[
        "profile",
        "--ltl",
        "G {x < 3}",
        "p.c",
        "--schedules",
        "rounds:3",
        "--format",
        "json",
    ]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let got: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(got["rounds"], 3, "{got}");
    assert_eq!(got["parts"][0]["kind"], "rounds", "{got}");
    assert_eq!(got["parts"][0]["hint"], "--schedules rounds:2", "{got}");
    assert_eq!(got["threads"].as_array().map(Vec::len), Some(2), "{got}");
    assert!(
        got["threads"][1]["positions"].as_u64().unwrap() >= 2,
        "{got}"
    );
}

/// Whether a violation rests on undefined behaviour is asked whether its run is shown or not: nothing is left unchecked.
#[test]
fn a_violation_without_a_run_is_checked() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", "int x;\nint main(void) { x = 1; return 0; }\n")]);
    let said = |more: &[&str]| {
        let bounded = ["verify", "--unwind", "5", "--ltl", "G {x == 0}", "p.c"];
        let ran = dir.run(&[&bounded[..], more].concat());
        assert_eq!(ran.status, 10, "{ran:?}");
        ran.stdout
            .contains("not checked whether a run with this verdict does something undefined")
    };
    assert!(!said(&["--no-trace"]));
    assert!(!said(&[]));
    let holds = dir.run(&["verify", "--ltl", "G {x < 2}", "p.c", "--no-trace"]);
    assert!(!holds.stdout.contains("not checked"), "{holds:?}");
}

/// Pointers that may point anywhere, in thousands of writes: what may influence what is found in seconds. Larger programs have
/// no such list.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn instrumenting_takes_seconds_where_pointers_may_point_anywhere() {
    let objects: String = (0..400)
        .map(|i| format!("int o{i}, *q{i} = &o{i};\n"))
        .collect();
    let function = |f: usize| {
        let statement = |s: usize| {
            let (a, b, c) = ((f + s) % 400, (s * 7 + f) % 400, s % 400);
            format!("  *p = *any() + o{a}; q{b} = p; *q{c} += *p;\n")
        };
        let body: String = (0..25).map(statement).collect();
        format!("void f{f}(int *p) {{\n{body}}}\n")
    };
    for (functions, lists) in [(55, true), (200, false)] {
        let bodies: String = (0..functions).map(function).collect();
        let calls: String = (0..functions).map(|f| format!(" f{f}(any());")).collect();
        let program =
            format!("int *any(void);\n{objects}{bodies}int main(void) {{{calls} return 0; }}\n");
        let dir = Dir::with(&[("p.c", &program)]);
        let begin = std::time::Instant::now();
        let arguments = ["instrument", "--ltl", "G {o0 < 5}", "p.c", "-o", "out.c"];
        let ran = dir.run(&arguments);
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
        let listed = dir.read("out.c").contains("\"what\":\"any\"");
        assert_eq!(listed, lists, "{functions}");
    }
}

/// An instrumented program lists what verdicts may rest on: a later verification reports the same, and so does the
/// plan.
#[test]
fn an_instrumented_program_says_what_verdicts_rest_on() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdio.h>\nextern int nondet_int(void);\nint get(int *p);\nint mode, err, n;\n\
        int f(void) { return ++n; }\nint main(void) {\n  mode = (int)(long)&err;\n  printf(\"x\");\n  int y;\n  get(&y);\n\
        err = n + f() + y;\n  if (nondet_int())\n    mode = 3;\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let formula = ["--ltl", "G {err == 0}", "p.c"];
    let (of_source, _) = dir.verify(&[&formula[..], &["--no-trace"]].concat());
    let told = dir.run(&[&["instrument", "-v", "-o", "out.c"], &formula[..]].concat());
    let (of_woven, _) = dir.verify(&["out.c", "--no-trace"]);
    assert_eq!(of_woven["rests_on"], of_source["rests_on"], "{of_woven:#}");
    assert_eq!(of_woven["assumptions"], of_source["assumptions"]);
    let rests = of_woven["rests_on"].to_string();
    assert!(
        rests.contains("n + f()") && rests.contains("p.c:10"),
        "{rests}"
    );
    let plan = dir.run(&[&["check"], &formula[..]].concat());
    for text in [&told.stderr, &plan.stdout] {
        for line in [
            "what `get` gives or stores, which has no body here (p.c:10)",
            "the order in which `n + f()` is evaluated (p.c:11)",
            "speak of, and on where runs go: `nondet_int` (p.c:12), `printf` (p.c:8), numbers that were pointers (p.c:7)",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(!text.contains("what `f` gives"), "{text}");
    }
}
