//! Answers that did not stand: they rested on something undefined, or on one of several orders that C allows.

use crate::support::{cbmc, Dir, AMPLE};

/// What is said of `G {err == 0}`, and why.
fn said(program: &str, how: &[&str]) -> (String, String) {
    let dir = Dir::with(&[("p.c", program)]);
    let ask = ["--ltl", "G {err == 0}", "p.c", "--timeout", AMPLE];
    let (result, _) = dir.verify(&[&ask[..], how].concat());
    let property = &result["properties"][0];
    let text = |key: &str| property[key].as_str().unwrap_or_default().to_owned();
    (text("holds"), text("reason"))
}

/// Each row: a program, what is said of it, and a part of the reason.
fn check(rows: &[(&str, &str, &str)], how: &[&str]) {
    for (program, holds, why) in rows {
        let (said, reason) = said(program, how);
        assert!(
            said == *holds && reason.contains(why),
            "{program}: {said}, {reason}"
        );
    }
}

/// Calls that are operands of one expression were taken in the order of the text, and what holds in that order was proved; gcc
/// takes arguments from right to left, and the target of an assignment before its value.
#[test]
fn calls_whose_order_is_open_prove_nothing() {
    if !cbmc() {
        return;
    }
    let before = "int c, err, a[4]; static int f(void) { return c = c * 2 + 1; }\n\
        static int g(void) { return c = c + 1; } static int h(int x, int y) { return x == 3 && y == 1; }\n";
    let program = |body: &str| format!("{before}int main(void) {{ {body} return 0; }}\n");
    let order = "C leaves the order open";
    let (result, _) = Dir::with(&[(
        "p.c",
        "int n, err; int f(int i) { n++; return i < 2 ? i : f(i - 1) + f(i - 2); }\nint main(void) { err = f(5) != 5 || n != 15; return 0; }\n",
    )])
    .verify(&["--ltl", "G {err == 0}", "p.c", "--engine", "explicit"]);
    assert_eq!(result["properties"][0]["holds"], "proved", "{result}");
    let assumptions = result["assumptions"].to_string();
    let assumed = "operands are evaluated in the order of the text where C leaves it open";
    assert!(assumptions.contains(assumed), "{assumptions}");
    check(
        &[
            (&program("err = h(f(), g());"), "unknown", order),
            (&program("a[c] = f(); err = a[0];"), "unknown", order),
            (
                &program("int x = f(), y = g(); err = h(x, y);"),
                "proved",
                "",
            ),
            (&program("err = h(f(), 2);"), "proved", ""),
            (
                &program("int y = g(), x = f(); err = h(x, y);"),
                "refuted",
                "",
            ),
        ],
        &["--unwind", "2"],
    );
}

/// `*p + i++` where `p` leads to `i` was followed in one order.
#[test]
fn an_object_that_a_pointer_uses_while_it_changes() {
    if cbmc() {
        check(
            &[
                (
                    "int err; int main(void) { int i = 1, *p = &i; err = *p + i++; return 0; }\n",
                    "unknown",
                    "`i`",
                ),
                (
                    "int err; int main(void) { int i = 1, *p = &i; err = *p + i; i++; return 0; }\n",
                    "refuted",
                    "",
                ),
            ],
            &["--unwind", "2"],
        );
    }
}

/// Forms of threaded programs keep what ends with a function or a thread, and no check saw that a pointer to it was left.
#[test]
fn an_object_of_a_thread_that_is_over() {
    if !cbmc() {
        return;
    }
    let program = |storage: &str| {
        format!(
            "#include <pthread.h>\nint err, *p; static void *t(void *a) {{ {storage}int x = 5; p = &x; return 0; }}\n\
             int main(void) {{ pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); err = *p; return 0; }}\n"
        )
    };
    check(
        &[
            (&program(""), "unknown", "used after its end"),
            (&program("static "), "refuted", ""),
        ],
        &["--unwind", "2", "--schedules", "rounds:2"],
    );
}

/// A thread gives back what another one uses: the search of all schedules has no check of that.
#[test]
fn memory_that_another_thread_gives_back() {
    if !cbmc() {
        return;
    }
    let program = |kept: &str| {
        format!(
            "#include <pthread.h>\n#include <stdlib.h>\nint err, *p; static void *t(void *a) {{ {kept}free(p); return 0; }}\n\
             int main(void) {{ pthread_t h; p = malloc(4); if (!p) return 0; *p = 1; pthread_create(&h, 0, t, 0);\n\
             pthread_join(h, 0); err = {}; return 0; }}\n",
            if kept.is_empty() { "*p" } else { "1" }
        )
    };
    check(
        &[(&program(""), "unknown", "")],
        &["--unwind", "2", "--schedules", "all"],
    );
    check(
        &[
            (&program(""), "unknown", "deallocated"),
            (&program("*p = 2; "), "refuted", ""),
        ],
        &["--unwind", "2", "--schedules", "rounds:2"],
    );
}
