//! Programs without `main`: `--entry`, and expressions of calls.
#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::support::{cbmc, Dir};

/// A stack with one level for each element, whose `pop` does or does not look at it.
fn stack(guard: &str) -> String {
    format!(
        "static int level, data[4];\nint push(int x) {{ if (level < 4) data[level++] = x; return x; }}\n\
         int pop(void) {{ {guard}return data[--level]; }}\n"
    )
}

/// A stack in a structure, which has to be initialised first.
const OBJECT: &str = "struct stack { int data[4]; int top; };\nint wrong;\n\
    void init(struct stack *s) { s->top = 0; }\n\
    int push(struct stack *s, int v) { if (s->top < 0 || s->top > 4) wrong = 1; if (s->top >= 4) return -1; s->data[s->top++] = v; return 0; }\n\
    int pop(struct stack *s) { if (s->top == 0) return -1; return s->data[--s->top]; }\n";

/// The texts of the calls of the first property's run.
fn calls(result: &Value) -> Vec<String> {
    let steps = result["properties"][0]["trace"].as_array().unwrap().iter();
    steps
        .filter_map(|step| step["call"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn functions_are_called_in_any_order_with_any_arguments() {
    if !cbmc() {
        return;
    }
    let ask = [
        "--entry",
        "push",
        "--entry",
        "pop",
        "--ltl",
        "G {level >= 0}",
        "p.c",
    ];
    let dir = Dir::with(&[("p.c", &stack(""))]);
    let (result, status) = dir.verify(&[&["--unwind", "2"][..], &ask].concat());
    assert_eq!(status, 10, "{result}");
    assert!(calls(&result).contains(&"pop()".to_string()), "{result}");
    assert!(
        result["assumptions"]
            .to_string()
            .contains("without an end, with any arguments: push, pop"),
        "{result}"
    );
    let dir = Dir::with(&[("p.c", &stack("if (!level) return 0; "))]);
    let ran = dir.run(&[&["prove", "--engine", "induction"][..], &ask].concat());
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        ran.stdout.contains("proved: every run, of any length"),
        "{ran:?}"
    );
}

/// The objects of a structure type are one, which keeps what calls leave in it; `init` comes first only where an
/// expression says so.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn an_expression_of_calls_is_a_life_cycle() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", OBJECT)]);
    let formula = ["--ltl", "G {!wrong}", "p.c", "--entry-nonnull"];
    let any = [
        "--entry", "init", "--entry", "push", "--entry", "pop", "--unwind", "1",
    ];
    let (result, status) = dir.verify(&[&any[..], &formula].concat());
    assert_eq!(status, 10, "{result}");
    let calls = calls(&result);
    assert!(
        calls[0].starts_with("at first: stack_data_0 = "),
        "{calls:?}"
    );
    assert!(calls[1].starts_with("push(&stack, "), "{calls:?}");
    let cycle = [
        "prove",
        "--engine",
        "induction",
        "--entry",
        "init (push | pop)*",
    ];
    let ran = dir.run(&[&cycle[..], &formula].concat());
    assert_eq!(ran.status, 0, "{ran:?}");
    let spec = r#"{ "ltl": "G {!wrong}", "entry": "init (push | pop)*" }"#;
    dir.write("s.json", spec);
    let (result, _) = dir.verify(&["--unwind", "3", "--entry-nonnull", "s.json", "p.c"]);
    assert_eq!(
        result["properties"][0]["verdict"], "presumably_true",
        "{result}"
    );
}

/// `main` returns where an expression may end, so that a formula about the future fails there.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn calls_end_where_an_expression_may_end() {
    if !cbmc() {
        return;
    }
    let program = "int opened, closed;\nvoid open(void) { opened = 1; }\nvoid step(void) { }\nvoid close(void) { closed = opened; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    for (entry, holds) in [
        ("open step? close", "proved"),
        ("open step? close?", "refuted"),
        ("open step* close", "refuted"),
    ] {
        let ran = dir.run(&[
            "prove",
            "--format",
            "json",
            "-q",
            "--entry",
            entry,
            "--ltl",
            "F {closed}",
            "p.c",
        ]);
        let result: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(result["properties"][0]["holds"], holds, "{entry}: {ran:?}");
    }
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn arrays_have_the_length_that_another_argument_gives() {
    if !cbmc() {
        return;
    }
    let program = "#include <stddef.h>\nint sum, seen;\n\
        void add(const unsigned char *data, size_t len) { sum = 0; if (!data) return; for (size_t i = 0; i < len; i++) sum += data[i]; seen = (int)len; }\n\
        int length(const char *s) { int n = 0; if (s) while (s[n]) n++; return seen = n; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let ask = |formula: &str, entry: &str, most: &str| {
        dir.verify(&[
            "--unwind",
            "5",
            "--entry",
            entry,
            "--entry-length",
            most,
            "--ltl",
            formula,
            "p.c",
        ])
        .1
    };
    assert_eq!(ask("G {sum <= 510 && seen <= 2}", "add", "2"), 0);
    assert_eq!(ask("G {sum < 510}", "add", "2"), 10);
    assert_eq!(ask("G {seen <= 2}", "length", "3"), 0);
    assert_eq!(ask("G {seen < 2}", "length", "3"), 10);
    let (result, _) = dir.verify(&[
        "--unwind",
        "5",
        "--entry",
        "add",
        "--ltl",
        "G {sum != 7 || seen != 2}",
        "p.c",
    ]);
    let calls = calls(&result);
    let last = calls
        .iter()
        .any(|call| call.starts_with("add({") && call.ends_with("}, 2)"));
    assert!(last, "{calls:?}");
}

#[test]
fn the_calls_of_a_run_are_replayed() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", &stack(""))]);
    let ask = [
        "verify",
        "--engine",
        "bounded",
        "--unwind",
        "3",
        "--format",
        "json",
        "--entry",
        "push",
        "--entry",
        "pop",
        "--ltl",
        "G {level < 2}",
        "p.c",
    ];
    let ran = dir.run(&ask);
    assert_eq!(ran.status, 10, "{ran:?}");
    dir.write("trace.json", &ran.stdout);
    let ran = dir.run(&["replay", "trace.json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.stdout.contains("confirmed"), "{ran:?}");
}

#[test]
fn callbacks_are_functions_of_the_program() {
    if !cbmc() {
        return;
    }
    let program = "int called;\nstatic void one(int x) { called = 1; }\nstatic void two(int x) { called = 2; }\n\
        void run(void (*f)(int), int (*g)(void)) { if (f) f(3); if (g) called = g(); }\n";
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, status) in [("G {called != 2}", 10), ("G {called != 7}", 10)] {
        let (result, found) =
            dir.verify(&["--unwind", "1", "--entry", "run", "--ltl", formula, "p.c"]);
        assert_eq!(found, status, "{result}");
        let text = result["assumptions"].to_string();
        assert!(text.contains("callbacks whose type no function"), "{text}");
    }
}

/// A handle that a function makes is what others take: the driver makes none of its own.
#[test]
fn handles_come_from_the_functions_that_make_them() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdlib.h>\nstruct queue { int used; };\nint wrong;\n\
        struct queue *queue_new(void) { struct queue *q = malloc(sizeof *q); if (q) q->used = 0; return q; }\n\
        void queue_put(struct queue *q) { if (!q) return; if (q->used < 0) wrong = 1; if (q->used < 3) q->used++; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (result, status) = dir.verify(&[
        "--unwind",
        "3",
        "--entry",
        "queue_new",
        "--entry",
        "queue_put",
        "--ltl",
        "G {!wrong}",
        "p.c",
    ]);
    assert_eq!(status, 0, "{result}");
    let text = result["assumptions"].to_string();
    assert!(text.contains("is what queue_new gave last"), "{text}");
}

#[test]
fn entries_beside_interrupts() {
    if !cbmc() {
        return;
    }
    let program = "volatile unsigned char flag, seen;\nvoid TIMER_IRQHandler(void) { flag = 1; }\n\
        void setup(void) { flag = 0; }\nvoid loop(void) { if (flag) seen = 1; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let ask = [
        "--unwind",
        "2",
        "--entry",
        "setup loop*",
        "--ltl",
        "G {!seen}",
        "p.c",
    ];
    let (result, status) = dir.verify(&ask);
    assert_eq!(status, 0, "{result}");
    assert_eq!(
        result["findings"][0]["kind"], "uncalled_handler",
        "{result}"
    );
    let (result, status) = dir.verify(&[&["--interrupt", "auto"][..], &ask].concat());
    assert_eq!(status, 10, "{result}");
}

/// The step form has the callers already: they were asked for again there, and the answer was an error about its `main`.
#[test]
fn entries_beside_interrupts_on_all_runs() {
    if !cbmc() {
        return;
    }
    let program =
        "volatile unsigned char seen;\nint level;\nvoid TIMER_IRQHandler(void) { seen = 1; }\n\
        void push(void) { if (level < 3) level++; }\nvoid pop(void) { if (level > 0) level--; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let engine = ["--engine", "steps", "--interrupt", "TIMER_IRQHandler"];
    let entries = ["--entry", "push", "--entry", "pop", "--ltl"];
    for (formula, holds) in [
        ("G {level >= 0 && level <= 3}", "proved"),
        ("G {level < 3}", "refuted"),
    ] {
        let ask = [&engine[..], &entries, &[formula, "p.c"]].concat();
        let (result, _) = dir.verify(&ask);
        assert_eq!(
            result["properties"][0]["holds"], holds,
            "{formula} {result}"
        );
    }
}

#[test]
fn what_cannot_be_called_is_refused_with_what_can() {
    let dir = Dir::with(&[
        ("p.c", "#include <stdio.h>\nint x;\nint f(int v) { return x = v; }\nint g(FILE *f) { return fgetc(f); }\nint h(int n, ...) { return n; }\n"),
        ("m.c", "int f(void) { return 0; }\nint main(void) { return f(); }\n"),
    ]);
    for (arguments, status, message) in [
        (&["p.c"][..], 3, "`--entry f`; it has: f, g, h"),
        (&["--entry", "k", "p.c"], 3, "no function `k`"),
        (&["--entry", "g", "p.c"], 3, "`g` takes a file"),
        (
            &["--entry", "h", "p.c"],
            3,
            "a variable number of arguments",
        ),
        (&["--entry", "f", "m.c"], 3, "the program has a `main`"),
        (&["--entry", "f (g", "p.c"], 2, "a `)` is missing"),
        (&["--entry", "f*", "--entry", "g", "p.c"], 2, "stands alone"),
    ] {
        let ran = dir.run(&[&["check", "--ltl", "G {x >= 0}"][..], arguments].concat());
        assert_eq!(ran.status, status, "{ran:?}");
        assert!(ran.stderr.contains(message), "{ran:?}");
    }
}
