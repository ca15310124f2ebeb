//! `prove --engine induction` on recursive functions, with real CBMC: what a summary of a recursive function forgets, and what it
//! does not show. The rows `rec_…` of `prove/table.json` are proofs and refutations.

use crate::support::{cbmc, ran, Dir, AMPLE, FEW};
use serde_json::Value;

/// A bound of the work of searches that find nothing.
const FEW_QUESTIONS: [&str; 2] = ["--questions", FEW];

/// The answer of the induction within limits, and its reason.
fn asked(program: &str, formula: &str, limits: &[&str]) -> (String, String) {
    let text = format!("extern int nondet_int(void);\nextern void exit(int);\n{program}");
    let dir = Dir::with(&[("p.c", &text)]);
    let args = ["prove", "--engine", "induction", "--format", "json", "-q"];
    let budget = match limits.contains(&"--budget") {
        true => &[][..],
        false => &["--budget", AMPLE],
    };
    let more = ["--no-trace", "--ltl", formula, "p.c"];
    let out = ran(&mut dir.command(&[&args[..], limits, budget, &more].concat()));
    let result: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let property = &result["properties"][0];
    let text = |name: &str| property[name].as_str().unwrap_or_default().to_string();
    (text("holds"), text("reason"))
}

/// A program with a recursive function, a formula that holds, and one that some run violates.
const ROWS: [(&str, &str, &str); 9] = [
    // The local hides the global where the function returns, and the parameter hides it where it is called.
    (
        "int busy, n;\nstatic int f(int n) { if (n <= 0) { int busy = 3; return busy; } busy = n > 2; return f(n - 1); }\nint main(void) { while (1) { f(nondet_int()); n = busy; } }\n",
        "G {busy <= 1}",
        "G {busy == 0}",
    ),
    // A letter that changes back before the call returns.
    (
        "int p, q;\nstatic void f(int n) { if (n <= 0) return; if (n == 40) { p = 1; p = 0; } f(n - 1); }\nint main(void) { while (1) { q = 1; f(nondet_int()); q = 0; } }\n",
        "G F {q == 0}",
        "G {p == 0}",
    ),
    // A static local of the function.
    (
        "int p, q;\nstatic int f(int n) { static int c; c++; if (c > 3) c = 0; if (c == 3) p = 1; else p = 0; if (n <= 0) return c; return f(n - 1); }\nint main(void) { while (1) q = f(nondet_int()); }\n",
        "G {q <= 3}",
        "G {p == 0}",
    ),
    // The run ends inside the recursion.
    (
        "int q;\nstatic void f(int n) { if (n == 60) exit(0); if (n <= 0) return; f(n - 1); }\nint main(void) { f(nondet_int()); q = 1; while (1) { } }\n",
        "G {q <= 1}",
        "F {q == 1}",
    ),
    // What one function keeps, the other one changes.
    (
        "int v, q;\nstatic void f(int n); static void g(int n);\nstatic void f(int n) { v = v + 1; if (v > 5) v = 0; g(n); }\nstatic void g(int n) { if (v == 2) q = 1; if (n <= 0) return; f(n - 1); }\nint main(void) { f(nondet_int()); while (1) { } }\n",
        "G {v <= 6}",
        "G {q == 0}",
    ),
    // The result decides whether a loop behind the call ends.
    (
        "int q;\nstatic int f(int n) { for (int i = n; i > 0; i--) { } if (n <= 0) return 0; if (n == 77) return -1; return f(n - 1); }\nint main(void) { while (1) { q = 1; int r = f(nondet_int()); while (r < 0) { } q = 0; } }\n",
        "G {q <= 1}",
        "G F {q == 0}",
    ),
    // Each call from outside passes another pointer.
    (
        "int a, b;\nstatic void f(int n, int *p) { if (n <= 0) return; *p = 1; *p = 0; f(n - 1, p); }\nint main(void) { while (1) { f(nondet_int(), &a); if (nondet_int() == 3) f(nondet_int(), &b); } }\n",
        "G F {a == 0}",
        "G {b == 0}",
    ),
    // A function is called through a pointer.
    (
        "int q;\nstatic void f(int n); static void g(int n); static void (*const next[2])(int) = { f, g };\nstatic void g(int n) { q = 2; if (n > 0) next[n & 1](n - 1); }\nstatic void f(int n) { q = 1; if (n > 0) next[n & 1](n - 1); }\nint main(void) { while (1) { f(nondet_int()); q = 0; } }\n",
        "G {q <= 2}",
        "G {q <= 1}",
    ),
    // Both functions return nothing, one of them by an expression.
    (
        "int q;\nstatic void g(int n);\nstatic void f(int n) { if (n > 0) return g(n - 1); q = 2; }\nstatic void g(int n) { while (n > 100) n--; if (n == 50) q = 1; f(n); q = 0; }\nint main(void) { while (1) f(nondet_int()); }\n",
        "G {q <= 2}",
        "F G {q == 0}",
    ),
];

#[test]
fn a_summary_forgets_all_that_a_call_may_change() {
    if !cbmc() {
        return;
    }
    for (program, holds, violated) in crate::support::sample(ROWS, 6) {
        let (got, reason) = asked(program, holds, &[]);
        assert_eq!(got, "proved", "{holds} {program}: {reason}");
        let (got, reason) = asked(program, violated, &[]);
        assert_eq!(got, "refuted", "{violated} {program}: {reason}");
    }
}

/// The stack of a machine is finite. Nothing tells at which letter a recursion without an end has used it up; what each prefix
/// satisfies does not depend on that.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_recursion_without_an_end_shows_only_what_its_prefixes_show() {
    if !cbmc() {
        return;
    }
    let program = "int on;\nstatic void serve(void) { on = 1; on = 0; serve(); }\nint main(void) { serve(); on = 7; }\n";
    for formula in crate::support::sample(["G F {on == 1}", "F G {on == 0}"], 2) {
        let (got, reason) = asked(program, formula, &FEW_QUESTIONS);
        assert_eq!(got, "unknown", "{formula}");
        let wanted = "no ranking function was found for runs that stay for ever in p.c:4 (`serve`)";
        assert!(reason.contains(wanted), "{reason}");
    }
    let (got, reason) = asked(program, "G {on <= 1}", &[]);
    assert_eq!(got, "proved", "{reason}");
}

/// A call may write locals of the functions that wait for it. No summary says so: the function and its place are named.
#[test]
fn a_local_of_a_caller_that_a_recursion_writes_is_an_obstacle() {
    if !cbmc() {
        return;
    }
    let program = "int q;\nstatic void f(int n, int *out) { while (n > 90) n--; if (n <= 0) return; *out = n; f(n - 1, out); }\nint main(void) { while (1) { int r = 7; f(nondet_int(), &r); q = r; } }\n";
    // The obstacle is known before anything is searched.
    let (got, reason) = asked(program, "G {q <= 90}", &["--budget", "1"]);
    assert_eq!(got, "unknown");
    let wanted = "`f` (p.c:4) is recursive, and its effect cannot be described: `r` of a function that waits";
    assert!(reason.contains(wanted), "{reason}");
}
