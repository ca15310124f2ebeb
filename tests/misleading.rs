//! Answers and traces that once misled, by what they did not say.

use crate::support::{cbmc, Dir};

/// A proposition of what only a thread writes, or of an area in its function, has one value alone if no
/// run starts the thread. Each was once plainly "proved".
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_thread_that_never_starts_is_told() {
    if !cbmc() {
        return;
    }
    let head = "#include <pthread.h>\nint err, mode, x;\n\
        void *t(void *q) { go: err = 1; err = 0; stop: return q; }\n\
        void *u(void *q) { x = 1; return q; }\n";
    let area = r#"{ "ltl": "G !p", "pa": [ { "name": "p", "default": false, "cond": "err == 7", "span": ["go", "stop"] } ] }"#;
    let started = "pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0);";
    let other = "pthread_t h; pthread_create(&h, 0, u, 0); pthread_join(h, 0);";
    let rows = [
        (started.to_owned(), ""),
        // Whether the thread starts is up to the run.
        (
            format!("mode = 3; if (mode == 7) {{ {started} }}"),
            "only threads that begin with `t` would write `err`",
        ),
        (format!("mode = 7; if (mode == 7) {{ {started} }}"), ""),
        (
            other.to_owned(),
            "only `t` would write `err`, and nothing calls or starts this function",
        ),
        // The function writes, and `main` calls it.
        (format!("{other} t(0);"), ""),
    ];
    for (body, told) in &rows {
        let program = format!("{head}int main(void) {{ {body} return 0; }}\n");
        let dir = Dir::with(&[("p.c", &program), ("s.json", area)]);
        for schedules in ["all", "rounds:2"] {
            let arguments = ["p.c", "--no-trace", "--schedules", schedules];
            let (got, _) = dir.verify(&[&["--ltl", "G !{err == 2}"], &arguments[..]].concat());
            let property = &got["properties"][0];
            assert_eq!(property["verdict"], "presumably_true", "{body}: {got:#}");
            let parts = property["vacuous"].to_string();
            match told.is_empty() {
                true => assert_eq!(parts, "[]", "{schedules}: {body}"),
                false => assert!(parts.contains(told), "{schedules}: {body}: {parts}"),
            }
            let (got, _) = dir.verify(&[&["s.json"], &arguments[..]].concat());
            let parts = got["properties"][0]["vacuous"].to_string();
            let never = parts.contains("no explored run enters the area of `p`");
            assert_eq!(never, !told.is_empty(), "{schedules}: {body}: {got:#}");
        }
    }
}

/// Nothing is said of objects for which the text does not show who writes them.
#[test]
fn what_the_text_does_not_show_is_not_said_to_be_written_by_nothing() {
    if !cbmc() {
        return;
    }
    let rows = [
        "__attribute__((constructor)) static void early(void) { err = 0; }\nint main(void) { return 0; }",
        "extern void outside(int *);\nint *p = &err;\nint main(void) { outside(p); return 0; }",
        "extern int err2;\nint main(void) { err2 = 1; return 0; }",
    ];
    for (number, program) in rows.iter().enumerate() {
        let declared = if number == 2 {
            "extern int err;"
        } else {
            "int err;"
        };
        let dir = Dir::with(&[("p.c", &format!("{declared}\n{program}\n"))]);
        let (got, _) = dir.verify(&["--ltl", "G({err == 3} || !{err == 3})", "p.c", "--no-trace"]);
        let parts = got["properties"][0]["vacuous"].to_string();
        assert!(!parts.contains("writes `err`"), "{program}: {got:#}");
    }
}

/// Where every run is cut, the report says at which loops and recursions; a proof is what helps.
#[test]
fn where_every_run_is_cut_the_loop_is_named() {
    if !cbmc() {
        return;
    }
    let head = "extern int nondet_int(void);\nint x, n;\n";
    let down = "int down(int k) { return k > 0 ? down(k - 1) : x; }\n";
    let threads =
        "#include <pthread.h>\nint x, n;\nvoid *t(void *q) { for (;;) x = !x; return q; }\n";
    let start = "pthread_t h; pthread_create(&h, 0, t, 0);";
    let rows = [
        (format!("{head}int main(void) {{ for (;;) x = !x; }}"), false, "cut at the loop `for (;;)` (p.c:3)"),
        (format!("{head}{down}int main(void) {{ x = down(9); return 0; }}"), false, "cut at the recursion of `down` (p.c:3)"),
        (
            format!("{head}{down}int main(void) {{\n while (nondet_int()) x = 1;\n x = down(9); return 0; }}"),
            false,
            "cut at the recursion of `down` (p.c:3) or the loop `while (nondet_int())` (p.c:5)",
        ),
        (
            format!("{head}{down}int main(void) {{\n while (nondet_int()) x = 1;\n x = down(1); return 0; }}"),
            true,
            "cut at the loop `while (nondet_int())` (p.c:5)",
        ),
        (
            format!("{head}int main(void) {{\n again: x = !x; if (n < 9) goto again; return 0; }}"),
            false,
            "cut at the loop `goto again` (p.c:4)",
        ),
        (format!("{threads}int main(void) {{ {start}\n while (1) n = x; }}"), false, "cut at the loop `for (;;)` (p.c:3) or the loop `while (1)` (p.c:5)"),
        (format!("{threads}int main(void) {{ {start} pthread_join(h, 0); return 0; }}"), false, "cut at the loop `for (;;)` (p.c:3)"),
    ];
    for (program, some_end, told) in &rows {
        let dir = Dir::with(&[("p.c", &format!("{program}\n"))]);
        let schedules: &[&str] = match program.contains("pthread") {
            true => &["all", "rounds:2"],
            false => &["all"],
        };
        for schedules in schedules {
            let asked = [
                "--ltl",
                "G !{x == 7}",
                "p.c",
                "--unwind",
                "3",
                "--schedules",
                schedules,
            ];
            let (got, _) = dir.verify(&asked);
            let cuts = &got["properties"][0]["cuts"];
            assert_eq!(cuts["some_end"], *some_end, "{program}: {got:#}");
            let ran = dir.run(&[&["verify"], &asked[..]].concat());
            let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(told), "{program}: {text}");
            assert_eq!(text.contains("no explored run ends"), !some_end, "{text}");
            assert_eq!(
                text.contains("Every explored run was cut"),
                !some_end,
                "{text}"
            );
        }
    }
    let dir = Dir::with(&[(
        "p.c",
        "int x;\nint main(void) { for (x = 0; x < 2; x++); return 0; }\n",
    )]);
    let (got, _) = dir.verify(&["--ltl", "G !{x == 7}", "p.c", "--unwind", "3"]);
    assert!(got["properties"][0]["cuts"].is_null(), "{got:#}");
}

/// The end of a run has the place at which the program ends it. It once had none, and where a thread ended the
/// process while another one waited, the trace said that no thread can go on.
#[test]
fn the_end_of_a_run_has_its_place() {
    if !cbmc() {
        return;
    }
    let quit = "#include <stdlib.h>\nextern int nondet_int(void);\nint x;\n\
        void quit(int why) {\n x = why;\n exit(why); }\n";
    let threads = "#include <pthread.h>\n#include <stdlib.h>\nint x;\n\
        void *t(void *q) { x = 1;\n exit(3); return q; }\n";
    let start = "pthread_t h; pthread_create(&h, 0, t, 0);";
    let rows = [
        (format!("{quit}int main(void) {{ quit(2);\n return 0; }}"), "quit", 6, 0),
        (format!("{quit}int main(void) {{ x = 2;\n return 0; }}"), "main", 8, 0),
        (format!("{quit}int main(void) {{ x = 2;\n\n abort(); }}"), "main", 9, 0),
        (format!("{threads}int main(void) {{ {start} pthread_join(h, 0); return 0; }}"), "t", 5, 1),
        (
            format!("{threads}int main(void) {{ {start}\n while (x == 0) ;\n pthread_join(h, 0); return 0; }}"),
            "t",
            5,
            1,
        ),
    ];
    for (program, function, line, thread) in rows {
        let dir = Dir::with(&[("p.c", &format!("{program}\n"))]);
        let (got, _) = dir.verify(&["--ltl", "F {x == 9}", "p.c", "--schedules", "all"]);
        let steps = got["properties"][0]["trace"].as_array().unwrap();
        let last = steps.last().unwrap();
        assert_eq!(last["event"], "end", "{program}: {got:#}");
        assert_eq!(last["function"], function, "{program}: {last:#}");
        assert_eq!(last["line"], line, "{program}: {last:#}");
        assert_eq!(last["thread"], thread, "{program}: {last:#}");
        let what = last["what"].as_str().unwrap();
        assert!(what.starts_with("the run ends"), "{program}: {last:#}");
        let waits = steps.iter().any(|step| step["event"] == "blocked");
        assert!(!waits, "{program}: {got:#}");
    }
    // Where no thread can go on, no place of the program ends the run.
    let blocks = "#include <pthread.h>\nint x; pthread_mutex_t m;\n\
        int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }\n";
    let dir = Dir::with(&[("p.c", blocks)]);
    let (got, _) = dir.verify(&["--ltl", "F {x == 9}", "p.c"]);
    let last = got["properties"][0]["trace"].as_array().unwrap().last();
    assert_eq!(last.unwrap()["what"], "no thread can go on", "{got:#}");
}

/// A trace goes on to the end of the run, and says which of its steps come after the one that decides.
#[test]
fn steps_behind_the_decision_are_told_apart() {
    if !cbmc() {
        return;
    }
    let program = |after: &str| {
        format!("int x;\nint main(void) {{\n x = 1;\n x = 11;\n {after} return 0;\n}}\n")
    };
    let rows = [
        ("G {x < 10}", "", ""),
        (
            "G {x < 10}",
            "x = 2;",
            "the verdict is decided in step 1: the step after it cannot change it",
        ),
        (
            "G {x < 10}",
            "x = 2; x = 12;",
            "the verdict is decided in step 1: the 2 steps after it cannot change it",
        ),
        // Only the end decides.
        ("F {x == 7}", "x = 2;", ""),
    ];
    for (formula, after, told) in rows {
        let dir = Dir::with(&[("p.c", &program(after))]);
        let ran = dir.run(&["verify", "--ltl", formula, "p.c", "--report", "r"]);
        let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let page = dir.read("r/report.html");
        let faint = page.matches("class=\"after\"").count();
        if told.is_empty() {
            assert!(!text.contains("is decided"), "{text}");
            assert!(!text.contains("decided here"), "{text}");
            // The end is no step of its own.
            assert!(faint <= 1, "{formula} {after}: {faint}");
            continue;
        }
        assert!(text.contains(told), "{text}");
        assert!(text.contains("decided here"), "{text}");
        assert!(page.contains(told), "{after}");
        assert_eq!(faint, after.matches(';').count() + 1, "{after}");
    }
}

/// A specification that declares the state of infinite runs was once told that this has no effect without `--lasso`,
/// and `prove` then had no answer. A proof finds the state itself.
#[test]
fn a_declared_state_does_not_keep_a_proof_from_its_answer() {
    if !cbmc() {
        return;
    }
    let spec = |ltl: &str| format!(r#"{{ "ltl": "{ltl}", "lasso": {{ "state": ["a"] }} }}"#);
    let program = "extern int nondet_int(void);\nint a, n;\n\
        int main(void) { for (;;) { a = !a; n = nondet_int() > 3; } }\n";
    let dir = Dir::with(&[
        ("p.c", program),
        ("holds.json", &spec("G F {a == 0}")),
        ("fails.json", &spec("F G {a == 0}")),
    ]);
    for engine in ["auto", "induction", "explicit"] {
        let ran = dir.run(&["prove", "holds.json", "p.c", "--engine", engine]);
        assert!(
            ran.stdout.contains("ltl: ") && ran.stdout.contains("proved"),
            "{ran:?}"
        );
        assert_eq!(ran.status, 0, "{ran:?}");
        assert!(
            ran.stderr
                .contains("note: infinite runs are followed without this"),
            "{ran:?}"
        );
        assert!(!ran.stderr.contains("warning"), "{ran:?}");
        assert!(!ran.stderr.contains("give --lasso"), "{ran:?}");
    }
    let ran = dir.run(&[
        "prove",
        "fails.json",
        "p.c",
        "--engine",
        "explicit",
        "--report",
        "r",
    ]);
    assert_eq!(ran.status, 10, "{ran:?}");
    let ran = dir.run(&["replay", "r/report.json"]);
    assert!(ran.stdout.contains("confirmed: "), "{ran:?}");
    // Without a proof, `--lasso` is what uses the section.
    let ran = dir.run(&["verify", "holds.json", "p.c"]);
    assert!(
        ran.stderr.contains("give --lasso to search them"),
        "{ran:?}"
    );
}

/// `profile` measures what each lock, each area and each proposition without an area adds to the formula.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_profile_has_locks_areas_and_letters() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\npthread_mutex_t big, small;\nint items, done;\n\
        void *work(void *q) {\n  for (int i = 0; i < 2; i++) {\n    pthread_mutex_lock(&big);\n    items = items + 1;\n\
        \x20   pthread_mutex_unlock(&big);\n  }\n  pthread_mutex_lock(&small);\n  done = done + 1;\n  pthread_mutex_unlock(&small);\n\
        stop: return q;\n}\nint main(void) {\n  pthread_t a;\n  pthread_create(&a, 0, work, 0);\n  work(0);\n\
        \x20 pthread_join(a, 0);\n  return 0;\n}\n";
    let spec = r#"{ "ltl": "G(busy -> F {done == 2})", "pa": [ { "name": "busy", "default": false, "cond": "items > 1", "span": ["work::_begin", "stop"] } ] }"#;
    let dir = Dir::with(&[("p.c", program), ("s.json", spec)]);
    for schedules in ["all", "rounds:2"] {
        let profile = [
            "profile",
            "s.json",
            "p.c",
            "--unwind",
            "3",
            "--schedules",
            schedules,
        ];
        let ran = dir.run(&[&profile[..], &["--format", "json"]].concat());
        let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(json["not_measured"], serde_json::json!([]), "{json:#}");
        let parts = json["parts"].as_array().unwrap();
        let part = |kind: &str, what: &str| {
            let of = parts
                .iter()
                .find(|p| p["kind"] == kind && p["what"] == what);
            of.unwrap_or_else(|| panic!("{schedules}: no {kind} {what}: {json:#}"))
        };
        for lock in ["big", "small"] {
            let lock = part("lock", lock);
            assert_eq!(lock["change"], "2 calls left out", "{lock}");
            // A program cannot do without its locks, so nothing is proposed.
            assert!(lock["hint"].is_null(), "{lock}");
            let saved = lock["saved_clauses"].as_i64().unwrap();
            assert!(saved != 0, "{schedules}: {json:#}");
            // Where all orders of accesses are encoded, each access costs.
            assert!(schedules != "all" || saved > 0, "{json:#}");
        }
        let area = part("area", "busy")["change"].as_str().unwrap();
        assert!(area.starts_with("never changes, no letter at "), "{area}");
        let letters = part("letters", "{done == 2}");
        assert!(letters["saved_clauses"].as_i64().unwrap() > 0, "{letters}");
    }
    // A macro makes the calls, so the text has none to leave out.
    let hidden = program.replace("pthread_mutex_lock(&small)", "TAKE");
    let hidden = hidden.replacen('\n', "\n#define TAKE pthread_mutex_lock(&small)\n", 1);
    let dir = Dir::with(&[("p.c", &hidden), ("s.json", spec)]);
    let ran = dir.run(&[
        "profile",
        "s.json",
        "p.c",
        "--unwind",
        "3",
        "--schedules",
        "all",
    ]);
    assert!(
        ran.stdout
            .contains("not measured: small: its calls do not stand"),
        "{ran:?}"
    );
}

/// Where a line has several calls that may block, the deadlock names the one that does. By rounds, the first
/// one of the line was named: a thread seemed to wait for a mutex that nobody held.
#[test]
fn the_call_that_blocks_is_told_apart_from_others_on_its_line() {
    if !cbmc() {
        return;
    }
    let head = "#include <pthread.h>\nint over;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n\
        pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n";
    let main = "int main(void) {\n  pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); over = 1;\n  return 0;\n}\n";
    let rows = [
        (
            "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
            "pthread_cond_wait(&c, &m)",
        ),
        (
            "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_lock(&n);",
            "pthread_mutex_lock(&n)",
        ),
    ];
    for (body, call) in rows {
        let program = format!("{head}void *t(void *a) {{\n  {body} return a;\n}}\n{main}");
        let dir = Dir::with(&[("p.c", &program)]);
        for schedules in ["all", "rounds:2"] {
            let asked = ["--ltl", "F {over == 1}", "--schedules", schedules, "p.c"];
            let (got, _) = dir.verify(&asked);
            assert_eq!(got["properties"][0]["deadlock"], true, "{body}: {got:#}");
            let steps = got["properties"][0]["trace"].as_array().unwrap();
            let blocked = steps
                .iter()
                .filter(|s| s["event"] == "blocked" && s["thread"] == 1);
            let calls: Vec<&str> = blocked.filter_map(|s| s["what"].as_str()).collect();
            assert_eq!(calls, [call], "{schedules}: {body}: {got:#}");
        }
    }
}
