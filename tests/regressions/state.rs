//! State that decides whether a run goes on, and that the searches for infinite runs and for proofs once left out.

use crate::support::{cbmc, Dir, Ran, AMPLE, FEW};

const HEAD: &str = "#include <pthread.h>\n#include <semaphore.h>\n\
    extern void __VERIFIER_assume(int);\nint n = 3, x; pthread_mutex_t m[2]; sem_t s; pthread_once_t once;\n\
    extern void die(void) __attribute__((noreturn));\nextern void go_on(void);\n\
    void need(int p) { if (!p) __VERIFIER_assume(0); }\n";

/// Verifies a `main` with this body against `F G {x == 1}` with infinite runs.
fn verify(body: &str) -> Ran {
    let dir = Dir::with(&[("p.c", &format!("{HEAD}int main(void) {{\n{body}\n}}\n"))]);
    let formula = ["verify", "--ltl", "F G {x == 1}", "p.c", "--lasso"];
    dir.run(&[&formula[..], &["--unwind", "8", "--format", "json"]].concat())
}

/// What an assumption reads decides whether a run goes on. It was once no part of the state: the tool claimed a
/// run that repeats a loop for ever, although the third round is discarded.
#[test]
fn what_an_assumption_reads_is_state() {
    if !cbmc() {
        return;
    }
    let rows = [
        (
            "while (1) { n--; x = 1; x = 0; __VERIFIER_assume(n >= 0); }",
            "unknown",
        ),
        ("while (1) { n--; x = 1; x = 0; need(n >= 0); }", "unknown"),
        (
            "while (1) { n--; x = 1; x = 0; if (n < 0) __VERIFIER_assume(0); }",
            "unknown",
        ),
        // Here the state does come back.
        (
            "while (1) { n = 3 - n; x = 1; x = 0; __VERIFIER_assume(n >= 0); }",
            "false",
        ),
        (
            "static unsigned turns; while (1) { turns--; x = 1; x = 0; __VERIFIER_assume(x >= 0); }",
            "false",
        ),
    ];
    for (body, verdict) in rows {
        let ran = verify(body);
        let got: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let property = &got["properties"][0];
        assert_eq!(property["verdict"], verdict, "{body}: {property:#}");
    }
}

/// A lock that is taken for the second time blocks the run for ever, with `x == 1`. Locks were no part of the
/// state: the tool claimed a run that comes back to the loop's head for ever.
#[test]
fn what_blocks_a_run_is_state() {
    if !cbmc() {
        return;
    }
    let rows = [
        "while (1) { n--; x = 1; pthread_mutex_lock(m); x = 0; if (n) pthread_mutex_unlock(m); }",
        "sem_init(&s, 0, 3); while (1) { x = 1; sem_wait(&s); x = 0; }",
        "pthread_mutex_lock(m + 1);\nwhile (1) { n--; x = 1; pthread_mutex_lock(m + !n); x = 0; pthread_mutex_unlock(m + !n); }",
    ];
    for body in rows {
        let ran = verify(body);
        assert_eq!(ran.status, 3, "{body}: {ran:?}");
        let refusal = "changes the state of an object of threads, which cannot be compared";
        assert!(ran.stderr.contains(refusal), "{body}: {ran:?}");
    }
}

/// A proof once took `n` for irrelevant, although an assumption reads it: with its first value, the assumption
/// discarded every round but the first, and the formula was proved for runs of any length.
#[test]
fn a_proof_goes_on_after_an_assumption() {
    if !cbmc() {
        return;
    }
    let body = "int c = 0;\nwhile (c < 40) { if (c > 0) __VERIFIER_assume(n > 0);\n\
        n = 1; c++; if (c == 30) x = 1; }";
    let text = format!("{HEAD}int main(void) {{\n{body}\n}}\n").replace("n = 3", "n = 0");
    let dir = Dir::with(&[("p.c", &text)]);
    let prove = ["prove", "--engine", "induction", "--ltl", "G {x == 0}"];
    let ran = dir.run(&[&prove[..], &["p.c", "--format", "json"]].concat());
    let got: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(got["properties"][0]["verdict"], "false", "{got:#}");
    assert_eq!(got["properties"][0]["holds"], "refuted", "{got:#}");
}

/// As above, where a run ends by a function that does not return: every run stops with `x == 1`.
#[test]
fn what_decides_a_call_that_does_not_return_is_state() {
    if !cbmc() {
        return;
    }
    let rows = [
        "if (n == 0) die();",
        "(n == 0) ? die() : (void)0;",
        "if (n == 0) __builtin_trap();",
        "if (n == 0) __builtin_unreachable();",
        "void (*then)(void) = n == 0 ? die : go_on; then();",
    ];
    for call in rows {
        let ran = verify(&format!("while (1) {{ n--; x = 1;\n{call} x = 0; }}"));
        let got: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let property = &got["properties"][0];
        assert_ne!(property["verdict"], "false", "{call}: {property:#}");
    }
    let round = "if (c > 0 && n == 3) die();\nn = 1; c++; if (c == 30) x = 1;";
    let text =
        format!("{HEAD}int main(void) {{ int c = 0; while (c < 40) {{ {round} }} return 0; }}\n");
    let dir = Dir::with(&[("p.c", &text)]);
    let prove = ["prove", "--engine", "induction", "--ltl", "G {x == 0}"];
    let ran = dir.run(&[&prove[..], &["p.c", "--format", "json"]].concat());
    let got: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(got["properties"][0]["holds"], "refuted", "{got:#}");
}

/// The recursion stays in itself if `k` is 9000, with `x == 1`. What decides whether a recursion goes on was no part of the
/// state: a search of all states and an induction claimed that `x` is 0 again and again, and a search for lassos claimed a run
/// that repeats the loop for ever.
#[test]
fn what_decides_whether_a_recursion_ends_is_state() {
    if !cbmc() {
        return;
    }
    let program = |ty: &str, n: u32| {
        format!("int x; {ty} k;\nstatic int stay({ty} n) {{ if (n == {n}) return stay(n); return 0; }}\nint main(void) {{ while (1) {{ x = 1; k++; stay(k); x = 0; }} }}\n")
    };
    let holds = |program: &str, args: &[&str]| {
        let dir = Dir::with(&[("p.c", program)]);
        let ran = dir.run(&[args, &["--format", "json", "p.c"]].concat());
        let got: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        got["properties"][0]["holds"].as_str().unwrap().to_string()
    };
    let asked = |engine, formula| {
        [
            "prove",
            "--budget",
            AMPLE,
            "--questions",
            FEW,
            "--engine",
            engine,
            "--ltl",
            formula,
        ]
    };
    for engine in ["explicit", "induction"] {
        let got = holds(&program("unsigned", 9000), &asked(engine, "G F {x == 0}"));
        assert_ne!(got, "proved", "{engine}");
    }
    let lasso = [
        "verify",
        "--lasso",
        "--unwind",
        "3",
        "--ltl",
        "F G {x == 1}",
    ];
    assert_eq!(holds(&program("unsigned char", 200), &lasso), "unknown");
}

/// A variable in the definitions of `sprintf` and `ffs` had the name of the one by which the search of all states records a part of
/// the state: what they did with an input was not seen, and only one value of it was tried.
#[test]
fn the_definitions_of_functions_of_the_library_tell_inputs_apart() {
    if !cbmc() {
        return;
    }
    for (begin, body) in [
        (
            "stdio.h",
            "char b[20]; if (sprintf(b, \"%x\", given()) == 8) hit = 1;",
        ),
        (
            "stdio.h",
            "char b[20]; if (snprintf(b, 20, \"%u\", given()) == 3) hit = 1;",
        ),
        ("strings.h", "if (ffs(given()) == 7) hit = 1;"),
    ] {
        let program = format!("#include <{begin}>\nint hit; extern int given(void);\nint main(void) {{ {body} return 0; }}\n");
        let dir = Dir::with(&[("p.c", &program)]);
        let (got, _) = dir.verify(&["--engine", "explicit", "--ltl", "G {hit == 0}", "p.c"]);
        assert_ne!(got["holds"], "proved", "{body}");
        let (got, _) = dir.verify(&["--engine", "bounded", "--ltl", "G {hit == 0}", "p.c"]);
        assert_eq!(got["holds"], "refuted", "{body}");
    }
}
