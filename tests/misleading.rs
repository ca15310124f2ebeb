//! Answers and traces that once misled, by what they did not say.

use crate::support::{cbmc, Dir};

/// A proposition of what only a thread writes, or of an area in its function, has one value alone if no
/// run starts the thread. Each was once plainly "proved".
#[test]
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
