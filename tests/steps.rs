//! The step form of threaded programs: `prove` decides formulas about all schedules, of any length.
//! `tests/steps/table.json` has for each program the fairness, a formula and its answers for the program as
//! it is and compiled with -DWRONG (an empty one is not asked), and whether it is one of the few that are
//! always asked; `BAPRODUCT_STEPS_ALL=1` asks all.
//!
//! Random programs are compared with an independent explorer of interleavings by
//! `tests/oracle/steps.py`.

use serde_json::Value;

use crate::support::{cbmc, ran, repository, Dir};

/// Writes the step form of a program as `steps.c`; returns what is said if it is refused.
fn written(dir: &Dir, program: &str, defines: &[&str]) -> Result<(), String> {
    let words = [
        "sequentialise",
        "--form",
        "steps",
        "-q",
        "-o",
        "steps.c",
        program,
    ];
    let out = ran(&mut dir.command(&[&words[..], defines].concat()));
    match out.status {
        0 => Ok(()),
        _ => Err(out.stderr),
    }
}

/// What a `prove` of a program says of a formula.
fn proved(dir: &Dir, words: &[&str], formula: &str, program: &str) -> Value {
    let asked = ["prove", "--engine", "explicit", "--format", "json", "-q"];
    let rest = ["--ltl", formula, program];
    let out = ran(&mut dir.command(&[&asked[..], words, &rest].concat()));
    serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

/// The `holds` of the only property.
fn holds(result: &Value) -> &str {
    result["properties"][0]["holds"].as_str().unwrap()
}

#[test]
fn all_schedules_are_decided() {
    if !cbmc() {
        return;
    }
    let text = std::fs::read_to_string(repository("tests/steps/table.json")).unwrap();
    let table: Vec<(String, String, String, String, String, bool)> =
        serde_json::from_str(&text).unwrap();
    let all = std::env::var_os("BAPRODUCT_STEPS_ALL").is_some();
    let quick: Vec<_> = table.iter().filter(|row| row.5).collect();
    let rows = match all {
        true => table.iter().collect(),
        false => crate::support::sample(quick, 18).collect::<Vec<_>>(),
    };
    for (name, fairness, formula, right, wrong, _) in rows {
        let program = repository(&format!("tests/steps/{name}.c"));
        for (expected, define) in [(right, "-DRIGHT"), (wrong, "-DWRONG")] {
            if expected.is_empty() {
                continue;
            }
            let words = ["--no-trace", "--fairness", fairness, define];
            let program = program.to_str().unwrap();
            let result = proved(&Dir::new(), &words, formula, program);
            assert_eq!(
                holds(&result),
                expected,
                "{name} {define} {fairness} {formula}"
            );
        }
    }
}

/// The step form as any verifier of sequential programs gets it, with fairness as a premise.
#[test]
fn the_step_form_is_a_program() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    let program = repository("tests/steps/peterson.c");
    written(&dir, program.to_str().unwrap(), &[]).unwrap();
    let served = "G ({asks0 == 1} -> F {in0 == 1})";
    let fair = (0..3).map(|t| format!("G F {{sequential_fair_{t} == 1}}"));
    let fair = fair.collect::<Vec<_>>().join(" && ");
    let premised = format!("({fair}) -> {served}");
    for (formula, expected) in [(served, "refuted"), (&premised, "proved")] {
        let result = proved(&dir, &["--no-trace"], formula, "steps.c");
        assert_eq!(holds(&result), expected, "{formula}");
    }
}

/// `prove` makes the step form by itself, and shows the user's program.
#[test]
fn prove_follows_threads() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/steps/peterson.c");
    let program = program.to_str().unwrap();
    let apart = "G !({in0 == 1} && {in1 == 1})";
    let served = "G ({asks0 == 1} -> F {in0 == 1})";
    let dir = Dir::new();
    for (words, formula, expected) in [
        (&[][..], apart, "proved"),
        (&[], served, "proved"),
        (&["--fairness", "none"], served, "refuted"),
        (&["--fairness", "strong"], served, "proved"),
    ] {
        let result = proved(&dir, words, formula, program);
        assert_eq!(holds(&result), expected, "{words:?} {formula}");
        assert_eq!(result["properties"][0]["ltl"], formula);
        assert!(!result.to_string().contains("sequential_"), "{result}");
    }
    let result = proved(&dir, &["-DWRONG"], apart, program);
    assert_eq!(holds(&result), "refuted");
    let trace = result["properties"][0]["trace"].as_array().unwrap();
    let decides = |s: &&Value| s["verdict"] == "false";
    let step = trace.iter().find(decides).unwrap();
    let place = (&step["function"], &step["line"], &step["thread"]);
    let text = std::fs::read_to_string(repository("tests/steps/peterson.c")).unwrap();
    let line = |what: &str| text.lines().position(|l| l.contains(what)).unwrap() + 1;
    let (first, second) = (line("in0 = 1"), line("in1 = 1"));
    let expected = match *place.2 == 1 {
        true => ("first", first, 1),
        false => ("second", second, 2),
    };
    let (function, line, thread) = expected;
    assert_eq!(
        (place.0, place.1, place.2),
        (&function.into(), &line.into(), &thread.into())
    );
}

/// The characters of a line that one thread compares in one step are no part of the state beside the other threads.
#[test]
fn lines_that_are_compared_are_no_states() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/steps/pump_input.c");
    let formula = "G ({speed > 0} -> {running == 1})";
    let words = ["--no-trace"];
    let result = proved(&Dir::new(), &words, formula, program.to_str().unwrap());
    assert_eq!(holds(&result), "proved", "{result}");
    let states = &result["properties"][0]["proof"]["explored"]["states"];
    assert!(states.as_u64().is_some_and(|n| n < 2_000), "{result}");
}

/// A deadlock ends the run, as it does for `verify`.
#[test]
fn a_deadlock_is_told() {
    if !cbmc() {
        return;
    }
    let dir = Dir::new();
    let program = repository("tests/steps/forks.c");
    let program = program.to_str().unwrap();
    for (defines, is_deadlock) in [(&["-DWRONG"][..], true), (&[], false)] {
        let result = proved(&dir, defines, "G {eats0 <= 1}", program);
        assert_eq!(holds(&result), "proved");
        let findings = result["findings"].as_array().unwrap();
        let told = findings.iter().any(|f| f["kind"] == "deadlock");
        assert_eq!(told, is_deadlock, "{findings:?}");
    }
}

/// Areas that are left in several ways, and locals of the functions that threads call.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn areas_and_locals_of_threads_are_decided() {
    if !cbmc() {
        return;
    }
    let [spec, program] = ["areas.json", "areas.c"].map(|f| repository("tests/steps").join(f));
    let all = [
        ("marked_inside", "proved", "proved"),
        ("apart", "proved", "refuted"),
        ("second_comes", "refuted", "proved"),
        ("all_leave", "proved", "refuted"),
        ("marked_as_not_clear", "proved", "proved"),
    ];
    for (define, is_wrong) in [("-DRIGHT", false), ("-DWRONG", true)] {
        let asked = ["prove", "--engine", "explicit", "--format", "json", "-q"];
        let rest = [define, spec.to_str().unwrap(), program.to_str().unwrap()];
        let out = ran(&mut Dir::new().command(&[&asked[..], &rest].concat()));
        let result: Value = serde_json::from_str(&out.stdout).unwrap();
        for (number, (name, right, wrong)) in all.iter().enumerate() {
            let property = &result["properties"][number];
            let expected = if is_wrong { wrong } else { right };
            assert_eq!(property["name"], *name);
            assert_eq!(property["holds"], *expected, "{define} {name}: {property}");
        }
        let text = result.to_string();
        assert!(!text.contains("woven"), "{text}");
        if is_wrong {
            let trace = result["properties"][1]["trace"].as_array().unwrap();
            let step = trace.iter().find(|s| s["verdict"] == "false").unwrap();
            assert_eq!(step["function"], "stay", "{step}");
            assert_eq!(step["line"], 7, "{step}");
        }
    }
}

/// What the step form does not have leaves the answer open, with the reason.
#[test]
fn what_the_step_form_lacks_is_unknown() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nint x;\n\
        int twice(int k) { int d = 2 * k; return d; }\n\
        _Bool is_one(int v) { return v == 1; }\n\
        void *f(void *a) { int i = 1; i = 0; x = twice(i); L: x = 2; return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 1; return 0; }\n";
    let spec = |evaluation: &str, more: &str| {
        format!("{{\"pa\": [{{\"name\": \"p\", \"default\": false, {evaluation}}}], \"ltl\": \"G !p\"{more}}}")
    };
    let whole = "\"cond\": \"x == 7\", \"span\": [\"_begin\", \"_end\"]";
    let cases = [
        (
            spec(
                "\"cond\": \"f::i == 7\", \"span\": [\"_begin\", \"_end\"]",
                "",
            ),
            "`p`",
        ),
        (
            spec(
                "\"cond\": \"twice::d == 7\", \"span\": [\"_begin\", \"_end\"]",
                "",
            ),
            "`p`",
        ),
        (spec("\"cond\": \"x == 7\", \"at\": \"L\"", ""), "`p`"),
        (
            spec(
                "\"expr\": \"is_one\", \"params\": [\"x\"], \"span\": [\"_begin\", \"_end\"]",
                "",
            ),
            "`is_one`",
        ),
        (spec(whole, ", \"prune\": [\"L\"]"), "labels"),
        (
            spec(
                whole,
                ", \"inputs\": [{\"call\": \"twice\", \"values\": [1, 2]}]",
            ),
            "`twice`",
        ),
    ];
    for (spec, reason) in cases {
        let dir = Dir::with(&[("p.c", program), ("s.json", &spec)]);
        let words = ["prove", "--format", "json", "-q", "s.json", "p.c"];
        let out = ran(&mut dir.command(&words));
        let result: Value =
            serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {spec} {out:?}"));
        assert_eq!(holds(&result), "unknown", "{spec}");
        let said = result["properties"][0]["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{said}");
    }
}

/// Threads and activations have copies in step form: violations within them count, and a proof needs that no run has more.
#[test]
fn what_needs_more_copies_is_not_proved() {
    if !cbmc() {
        return;
    }
    let threads = "#include <pthread.h>\nint x, n;\n";
    let recursion = "void go(int k) { if (k) { x++; go(k - 1); } }\n\
        void *f(void *a) { go(n); return a; }\n\
        int main(void) { pthread_t t; n = 9; pthread_create(&t, 0, f, 0); n = 8; return 0; }\n";
    let creation = "void *f(void *a) { x = 1; return a; }\n\
        int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, f, 0); } }\n";
    for (program, place) in [(recursion, "p.c:3"), (creation, "p.c:4")] {
        let dir = Dir::with(&[("p.c", &format!("{threads}{program}"))]);
        let words = ["--no-trace", "--budget", "60"];
        let result = proved(&dir, &words, "G {x < 1}", "p.c");
        assert_eq!(holds(&result), "refuted", "{result}");
        let result = proved(&dir, &words, "G {x < 20}", "p.c");
        assert_eq!(holds(&result), "unknown", "{result}");
        let said = result["properties"][0]["reason"].as_str().unwrap();
        assert!(said.contains(place), "{said}");
    }
}

/// A run that uses freed memory ends there, also if the only question is about fair runs; the finding has the place.
#[test]
fn uses_of_freed_memory_are_found() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/steps/requests.c");
    let program = program.to_str().unwrap();
    let formula = "G F {answers == 1}";
    let result = proved(&Dir::new(), &["--no-trace", "-DWRONG"], formula, program);
    assert_eq!(holds(&result), "unknown", "{result}");
    let mut findings = result["findings"].as_array().unwrap().iter();
    let found = findings.find(|f| f["kind"] == "use_after_free").unwrap();
    assert_eq!(found["line"], 30, "{found}");
    // What is given out again is not taken for what was freed before.
    let reused = "#include <stdlib.h>\nint seen;\nint main(void) {\n  int *a = malloc(sizeof *a), *b;\n  for (;;) {\n\
        \x20   free(a);\n    b = malloc(sizeof *b);\n    *b = 2;\n    seen = *READ;\n    a = b;\n  }\n}\n";
    let dir = Dir::with(&[("p.c", reused)]);
    for (read, formula, expected) in [
        ("-DREAD=b", "G F {seen == 2}", "proved"),
        ("-DREAD=b", "G {seen == 0}", "refuted"),
        ("-DREAD=a", "G F {seen == 2}", "unknown"),
    ] {
        let result = proved(&dir, &["--no-trace", read], formula, "p.c");
        assert_eq!(holds(&result), expected, "{read} {formula}: {result}");
    }
}

/// What `malloc` gives has any content until the program writes it, and the step form has a few objects for each
/// call: an answer that would rest on zeros, or on there being no more objects, is none.
#[test]
fn what_is_allocated_is_not_assumed_to_be_zero_or_enough() {
    if !cbmc() {
        return;
    }
    let begin = "#include <pthread.h>\n#include <stdlib.h>\nstruct node { struct node *next; unsigned char n; };\n\
        struct node *top; int seen;\nvoid *f(void *a) { struct node *p = a; seen = p->n; return 0; }\n";
    let threaded = |body: &str| {
        format!("{begin}int main(void) {{ pthread_t t; {body} pthread_join(t, 0); return 0; }}\n")
    };
    let create = "pthread_create(&t, 0, f, p);";
    let unset = threaded(&format!("struct node *p = malloc(sizeof *p); {create}"));
    let set = threaded(&format!(
        "struct node *p = malloc(sizeof *p); if (!p) return 1; p->n = 0; {create}"
    ));
    let one_way = threaded(&format!(
        "struct node *p = malloc(sizeof *p); if (top) p->n = 0; {create}"
    ));
    let cleared = threaded(&format!("struct node *p = calloc(1, sizeof *p); {create}"));
    let many = threaded(&format!(
        "struct node *p = 0; for (int i = 0; i < 9; i++) {{ struct node *q = calloc(1, sizeof *q); q->next = p; p = q; }} {create}"
    ));
    let cases = [
        (&unset, "G {seen == 0}", "refuted"),
        (&one_way, "G {seen == 0}", "refuted"),
        (&set, "G {seen == 0}", "proved"),
        (&cleared, "G {seen == 0}", "proved"),
        (&many, "G {seen == 0}", "unknown"),
        (&many, "F {top != 0}", "unknown"),
    ];
    for (program, formula, expected) in cases {
        let dir = Dir::with(&[("p.c", program)]);
        let result = proved(&dir, &["--no-trace"], formula, "p.c");
        assert_eq!(holds(&result), expected, "{formula} {program}");
    }
}

/// The step form is instrumented like any other program, so names are its own.
#[test]
fn a_name_of_the_step_form_is_refused() {
    let program = "#include <pthread.h>\nint sequential_x;\n\
        void *f(void *a) { sequential_x = 1; return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let said = written(&dir, "p.c", &[]).unwrap_err();
    assert!(
        said.contains("`sequential_`") && said.contains("p.c:2"),
        "{said}"
    );
    let member = program.replace(
        "int sequential_x;",
        "struct disk { int sequential_x; } disk;",
    );
    let member = member.replace("{ sequential_x", "{ disk.sequential_x");
    let dir = Dir::with(&[("p.c", &member)]);
    written(&dir, "p.c", &[]).unwrap();
}

/// What stands for `exit` is no function, and has no address.
#[test]
fn addresses_of_functions_that_are_replaced_are_refused() {
    let program = "#include <pthread.h>\n#include <stdlib.h>\n\
        void *f(void *a) { void (*volatile leave)(int) = 0;\n leave = &exit; leave(0); return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let said = written(&dir, "p.c", &[]).unwrap_err();
    assert!(
        said.contains("address of `exit`") && said.contains("p.c:4"),
        "{said}"
    );
    let called = program.replace("leave = &exit; leave(0);", "exit(0);");
    let dir = Dir::with(&[("p.c", &called)]);
    written(&dir, "p.c", &[]).unwrap();
}

/// Between the last event and the end of the process others may take steps, however it ends.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn others_may_run_before_the_process_ends() {
    if !cbmc() {
        return;
    }
    let begin =
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nint x, y, one = 1;\n\
        void *f(void *a) { y = 1; return a; }\nstatic void leave(int how) { if (how) exit(0); }\n";
    let ends = [
        "return 0;",
        "exit(0);",
        "leave(one);",
        "assert(!one); return 0;",
    ];
    for end in ends {
        let program = format!(
            "{begin}int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); x = 1; {end} }}\n"
        );
        let dir = Dir::with(&[("p.c", &program)]);
        let rises = "G !({x == 1} && {y == 0} && F {y == 1})";
        let result = proved(&dir, &["--no-trace"], rises, "p.c");
        assert_eq!(holds(&result), "refuted", "{end}: {result}");
    }
}

/// Accesses that no other thread and no formula can observe are no steps of their own: fewer states, the same answers as the
/// full form has, which is a program of its own.
#[test]
fn fewer_steps_give_the_same_answers() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint n, odd, left, in;\n\
        static void *run(void *a) {\n  for (;;) {\n    pthread_mutex_lock(&m);\n    n = n + 1; odd = n % 2; if (n == 4) n = 0;\n\
        LOOSE in = 1; in = 0;\n    pthread_mutex_unlock(&m);\n  }\n  return a;\n}\n\
        int main(void) { pthread_t s, t; pthread_create(&s, 0, run, 0); pthread_create(&t, 0, run, 0); pthread_join(s, 0); return 0; }\n";
    let formulas = [
        "G {in <= 1}",
        "G !({in == 1} && {odd == 0})",
        "G {left <= 1}",
        "G F {in == 1}",
    ];
    for loose in ["", "left = 2 - left; left = 0;"] {
        let dir = Dir::with(&[("p.c", &program.replace("LOOSE", loose))]);
        written(&dir, "p.c", &[]).unwrap();
        for formula in crate::support::sample(formulas, 2) {
            let words = ["--no-trace", "--fairness", "none"];
            let fewer = proved(&dir, &words, formula, "p.c");
            let full = proved(&dir, &["--no-trace"], formula, "steps.c");
            assert_eq!(holds(&fewer), holds(&full), "{loose} {formula}");
            let states = |of: &Value| of["properties"][0]["proof"]["explored"]["states"].as_u64();
            if let (Some(fewer), Some(full)) = (states(&fewer), states(&full)) {
                assert!(4 * fewer < 3 * full, "{loose} {formula}: {fewer} {full}");
            }
        }
    }
}

/// A run that violates a formula for good is found where it ends in a deadlock, too, after which its schedule is fair.
#[test]
fn what_is_violated_for_good_is_refuted_under_fairness() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nint a = 1, b = 1;\n\
        void *f(void *p) { while (b == 1) { } return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let result = proved(&dir, &[], "{a == 0} U {b == 0}", "p.c");
    assert_eq!(holds(&result), "refuted", "{result}");
    assert_eq!(result["properties"][0]["verdict"], "false", "{result}");
}

/// The beginning of a run is enough where whatever follows violates the formula: a counter that grows has no loop.
#[test]
fn a_part_of_the_states_refutes_what_a_prefix_violates() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nunsigned long n;\n\
        void *f(void *a) { for (;;) n++; return a; }\nvoid *g(void *a) { for (;;) n += 2; return a; }\n\
        int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_join(s, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, expected, evidence) in [
        ("G {n <= 20}", "refuted", Some("prefix")),
        ("F {n > 100000}", "unknown", None),
    ] {
        let result = proved(&dir, &["--states", "3000"], formula, "p.c");
        let property = &result["properties"][0];
        assert_eq!(property["holds"], expected, "{formula}: {property}");
        assert_eq!(property["evidence"].as_str(), evidence, "{property}");
        if evidence.is_some() {
            let trace = property["trace"].as_array().unwrap();
            let last = trace.iter().rev().find_map(|s| s["verdict"].as_str());
            assert_eq!(last, Some("false"), "{property}");
        }
    }
}

/// Where the program discards runs, the beginning of one need not go on fairly.
#[test]
fn a_run_that_no_fair_one_continues_violates_nothing() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nvoid __VERIFIER_assume(int);\nint n, m;\n\
        void *f(void *a) { for (;;) { n++; __VERIFIER_assume(n < 15); } return a; }\n\
        void *g(void *a) { for (;;) m = !m; return a; }\n\
        int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_join(s, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    for (fairness, expected) in [("none", "refuted"), ("weak", "proved")] {
        let words = ["--no-trace", "--fairness", fairness];
        let result = proved(&dir, &words, "G {n <= 10}", "p.c");
        assert_eq!(holds(&result), expected, "{fairness}: {result}");
    }
}

/// A watchdog computes with times, on which nothing depends: when a wait is over is a choice.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn times_of_waits_are_no_inputs() {
    if !cbmc() {
        return;
    }
    let program = repository("tests/steps/watchdog.c");
    let program = program.to_str().unwrap();
    let dir = Dir::new();
    for (define, formula, expected) in [
        ("-DRIGHT", "G F {works == 1}", "proved"),
        ("-DRIGHT", "F G {barks == 0}", "refuted"),
        ("-DWRONG", "F G {barks == 0}", "proved"),
    ] {
        let words = ["--no-trace", "--fairness", "strong", define];
        let result = proved(&dir, &words, formula, program);
        assert_eq!(holds(&result), expected, "{define} {formula}: {result}");
    }
    // With the carry, and from other clocks.
    let text = std::fs::read_to_string(program).unwrap();
    let asks = "clock_gettime(CLOCK_REALTIME, &ts);";
    assert!(text.contains(asks));
    let others = [
        "clock_gettime(CLOCK_REALTIME, &ts); ts.tv_nsec += 5; if (ts.tv_nsec >= 1000000000L) { ts.tv_sec++; ts.tv_nsec -= 1000000000L; }",
        "ts.tv_nsec = 0; ts.tv_sec = time(NULL);",
        "struct timeval tv; gettimeofday(&tv, NULL); ts.tv_sec = tv.tv_sec; ts.tv_nsec = tv.tv_usec * 1000;",
    ];
    for other in crate::support::sample(others, 3) {
        let text = text
            .replace(asks, other)
            .replace("<time.h>", "<time.h>\n#include <sys/time.h>");
        let dir = Dir::with(&[("p.c", &text)]);
        let words = ["--no-trace", "--fairness", "strong"];
        let result = proved(&dir, &words, "G F {works == 1}", "p.c");
        assert_eq!(holds(&result), "proved", "{other}: {result}");
    }
}

/// Conditions may use the program's macros, as in the program itself.
#[test]
fn conditions_may_use_macros_of_the_program() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\n#define MOST 2\n#define FULL (n == MOST)\nint n;\n\
        void *f(void *a) { for (;;) { if (n < MOST) n++; else n = 0; } return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, expected) in [
        ("G {n <= MOST}", "proved"),
        ("G F {FULL}", "proved"),
        ("G !{FULL}", "refuted"),
    ] {
        let result = proved(&dir, &["--no-trace"], formula, "p.c");
        assert_eq!(holds(&result), expected, "{formula}: {result}");
    }
}

/// Numbers of threads and sizes that the program bounds: by a call, a test of what it was given, or the machine. Where more may
/// be needed than there is room for, nothing is proved.
#[test]
fn sizes_that_the_program_bounds_have_room() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int total, ends;\n\
        static void *work(void *a) { pthread_mutex_lock(&m); total++; pthread_mutex_unlock(&m); return a; }\n\
        static int run(long n) {\n  pthread_t *t = malloc(n * sizeof *t);\n\
        \x20 for (long i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);\n\
        \x20 for (long i = 0; i < n; i++) pthread_join(t[i], 0);\n  free(t); return total == n;\n}\n\
        int main(int argc, char **argv) { (void)argc; (void)argv; ends = run(SIZE) ? 1 : 2; return 0; }\n";
    let clipped = program.replace(
        "(void)argv; ends",
        "(void)argv; long n = SIZE; if (n < 1 || n > 2) n = 2; ends",
    );
    let clipped = clipped.replace("run(SIZE)", "run(n)");
    let far = program.replace("ends = run(SIZE)", "SIZE; ends = run(3 + 40)");
    for (text, size, expected) in [
        (&clipped, "sysconf(_SC_NPROCESSORS_ONLN)", "proved"),
        (&clipped, "atoi(argv[1])", "proved"),
        (&far, "0", "unknown"),
    ] {
        let dir = Dir::with(&[("p.c", text)]);
        let define = format!("-DSIZE={size}");
        let result = proved(&dir, &["--no-trace", &define], "F {ends == 1}", "p.c");
        assert_eq!(holds(&result), expected, "{size}: {result}");
    }
}

/// A thread that takes signals by `sigwait`: one may come or not, and one that is not blocked ends the process.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn signals_that_a_thread_waits_for_come_or_not() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\n#include <signal.h>\nint ends, stop; static sigset_t set;\n\
        static void *waits(void *a) { int n; if (sigwait(&set, &n) == 0 && n == SIGTERM) stop = 1; return a; }\n\
        int main(void) {\n  pthread_t t; sigemptyset(&set); sigaddset(&set, SIGTERM);\n  BLOCK;\n\
        \x20 pthread_create(&t, 0, waits, 0); pthread_join(t, 0);\n  ends = 1;\n  while (1) ;\n}\n";
    let blocks = "-DBLOCK=pthread_sigmask(SIG_BLOCK, &set, NULL)";
    let sends = "-DBLOCK=pthread_sigmask(SIG_BLOCK, &set, NULL); raise(SIGTERM)";
    let dir = Dir::with(&[("p.c", program)]);
    for (define, formula, expected) in [
        (blocks, "G ({stop == 1} -> F {ends == 1})", "proved"),
        (blocks, "F {stop == 1}", "refuted"),
        ("-DBLOCK=0", "G !{ends == 1}", "proved"),
        (sends, "F {ends == 1}", "proved"),
    ] {
        let result = proved(&dir, &["--no-trace", define], formula, "p.c");
        assert_eq!(holds(&result), expected, "{define} {formula}: {result}");
    }
}

/// The last step of a run may have no event and no choice: the run is shown nevertheless.
#[test]
fn a_run_that_ends_without_an_event_is_shown() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nint a = 1, b = 1;\n\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        void *t1(void *arg) {\n  if (b == 1) b = 1;\n  b = 1;\n  if (pthread_mutex_trylock(&m) == 0) { a = 1; pthread_mutex_unlock(&m); } else a = 0;\n  return arg;\n}\n\
        int main(void) {\n  pthread_t id[3];\n  for (int i = 0; i < 3; i++) pthread_create(&id[i], 0, t1, 0);\n\
        \x20 for (int i = 0; i < 3; i++) pthread_join(id[i], 0);\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let words = ["--fairness", "none"];
    let result = proved(&dir, &words, "G F {a == 1}", "p.c");
    assert_eq!(holds(&result), "refuted", "{result}");
}

/// Macros write a block with a head as a loop with one iteration (`ATOMIC_BLOCK` of avr-libc): what it sets has a value behind it,
/// and nothing jumps back.
#[test]
fn a_loop_with_one_iteration_is_a_block() {
    let written = |rest: &str| {
        let program = format!(
            "#include <pthread.h>\nint n;\nstatic int begin(void) {{ n++; return 1; }}\n\
             void *f(void *x) {{ for (int on = begin(); on; on = 0) {{ if (n > 1) continue; n = 2; {rest} }} return x; }}\n\
             int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); n = 1; pthread_join(t, 0); return 0; }}\n"
        );
        let dir = Dir::with(&[("p.c", &program)]);
        let ran = dir.run(&["sequentialise", "p.c", "--form", "steps", "-o", "-"]);
        assert_eq!(ran.status, 0, "{ran:?}");
        ran.stdout
    };
    let (block, looping) = (written(""), written("on = n;"));
    assert!(!block.contains("/* loop"), "{block}");
    assert!(looping.contains("/* loop"), "{looping}");
}
