//! What only runs with undefined behaviour violate is unknown, with the place; every other violation is refuted.

use serde_json::Value;

use crate::support::{cbmc, Dir};

/// A row: declarations, the body of `main`, and a word for the undefined behaviour of every run
/// that violates `G {err == 0}`; empty if some run violates it without undefined behaviour.
type Row = (&'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    // Signed overflow.
    (
        "",
        "int x = nondet_int(); if (x > 0 && x + 1 < 0) err = 1;",
        "signed +",
    ),
    (
        "",
        "int x = nondet_int(); int y = x - 1; if (x == 0) err = y;",
        "",
    ),
    (
        "",
        "unsigned x = nondet_int(); if (x > 0 && x + 1 == 0) err = 1;",
        "",
    ),
    (
        "",
        "int x = nondet_int(); if (x * x < 0) err = 1;",
        "signed *",
    ),
    // A run that violates the formula before the undefined behaviour counts.
    ("", "int x = nondet_int(); err = 1; x++; x++;", ""),
    // Returns of functions that must not return.
    (
        "_Noreturn void stop(void) { if (nondet_int()) for (;;) ; }",
        "stop(); err = 1;",
        "must not return",
    ),
    // Floating numbers outside of an integer type.
    (
        "extern double nondet_double(void);",
        "double d = nondet_double(); int i = d; if (d > 3e9 && i < 9) err = 1;",
        "conversion of a floating number",
    ),
    (
        "extern double nondet_double(void);",
        "double d = nondet_double(); unsigned char c = (unsigned char)(d + 1); if (d > 3 && c < 9) err = c;",
        "",
    ),
    // What is computed once only: a call, a compound assignment, a number among others.
    (
        "double next(void) { static double d = 1e9; return d *= 4; }",
        "int i = (int)next(); err = i != 5;",
        "conversion of a floating number",
    ),
    (
        "double next(void) { static double d = 1e9; return d *= 4; }",
        "int i = 5; i *= 1e8; unsigned u[] = { i, next() }; err = u[1] == 4000000000;",
        "",
    ),
    (
        "int b = 5;",
        "b *= 1e9; err = b != 5;",
        "conversion of a floating number",
    ),
    // Division.
    (
        "",
        "int x = nondet_int(), y = 1 / x; if (x == 0) err = 1;",
        "division by zero",
    ),
    (
        "",
        "int x = nondet_int(), y = 1 / x; if (x == 1) err = y;",
        "",
    ),
    // Shifts.
    (
        "",
        "int x = nondet_int(); if (1u << x == 0u) err = 1;",
        "shift distance",
    ),
    // Arrays and pointers.
    (
        "int a[4], b;",
        "int i = nondet_int(); a[i] = 1; if (i == 4) err = 1;",
        "upper bound",
    ),
    (
        "int a[4], b;",
        "int i = nondet_int(); a[i] = 1; if (i == 3) err = 1;",
        "",
    ),
    ("int *p;", "if (*p == 5) err = 1;", "NULL"),
    ("int *p, a;", "p = &a; if (*p == 0) err = 1;", ""),
    (
        "#include <stdlib.h>",
        "int *p = malloc(4); *p = 1; free(p); if (*p == 1) err = 1;",
        "deallocated",
    ),
    (
        "int *f(void) { int x = 1; int *p = &x; return p; }",
        "int *p = f(); if (*p == 1) err = 1;",
        "dead object",
    ),
    // Strings and constants are written.
    ("", "char *p = \"ab\"; if (nondet_int()) { p[0] = 120; err = 1; }", "write to a constant in `p`"),
    ("", "char b[3], *p = nondet_int() ? \"ab\" : b; *p = 120; err = *p == 120;", ""),
    ("const int k = 3;", "int *p = (int *)&k; if (nondet_int()) *p = 4; err = *p != 3;", "write to a constant in `p`"),
    ("#include <string.h>", "strcpy(\"ab\", \"x\"); err = 1;", "write to a constant in `a string`"),
    ("int a[2], b[2];", "int *p = nondet_int() ? b : a; err = p - a > 1;", "same object violation"),
    // Addresses that do not suit a type, and lengths of arrays.
    ("", "char b[8] = {0}; int i = nondet_int(); if (i < 0 || i > 4) return 0; int *p = (int *)(b + i); *p = 3; err = i == 1 && *p == 3;", "does not suit its type"),
    ("", "char b[8] = {0}; int i = nondet_int(); if (i < 0 || i > 4) return 0; int *p = (int *)(b + i); *p = 3; err = i == 4 && *p == 3;", ""),
    ("", "int n = nondet_int(); if (n < 0 || n > 3) return 0; int a[n]; err = sizeof a == 0;", "length of an array that is not positive in `a`"),
    ("", "int n = nondet_int(); if (n < 0 || n > 3) return 0; int a[n]; a[0] = 1; err = sizeof a == 8;", ""),
    // What C demands of arguments.
    ("#include <stdlib.h>", "int x = nondet_int(); if (abs(x) < 0) err = 1;", "absolute value that the type does not have"),
    ("#include <stdlib.h>", "int x = nondet_int(); if (abs(x) == 5) err = 1;", ""),
    ("#include <string.h>", "char b[8] = \"abcdefg\"; memcpy(b + 1, b, 4); err = 1;", "copy of memory onto itself"),
    ("#include <string.h>", "char b[8] = \"abcdefg\"; memcpy(b + 4, b, 4); err = b[4] == 'a';", ""),
    ("#include <string.h>", "char b[2]; memset(b, 0, 3); err = 1;", "access outside of an object"),
    ("#include <stdlib.h>", "char *p = malloc(4); if (!p) return 0; free(p); free(p); err = 1;", "double free"),
    ("#include <stdlib.h>", "int x; free(&x); err = 1;", "free argument"),
    // Uninitialised variables.
    (
        "",
        "int x; if (x == 5) err = 1;",
        "uninitialised variable in `x`",
    ),
    (
        "",
        "int x; if (nondet_int()) x = 5; if (x == 5) err = 1;",
        "",
    ),
    (
        "",
        "int x; if (nondet_int()) x = 4; if (x == 5) err = 1;",
        "uninitialised variable in `x`",
    ),
    // A variable is uninitialised again each time its declaration is executed.
    (
        "",
        "int x = 0; for (int i = 0; i < 3; i++) { int y; if (i == 0) y = 1; x = y; } if (x == 9) err = 1;",
        "uninitialised variable in `y`",
    ),
    (
        "",
        "int x; for (x = 0; x < 3; x++) ; if (x == 3) err = 1;",
        "",
    ),
    (
        "int f(int a) { int z; z += a; return z; }",
        "if (f(1) == 3) err = 1;",
        "uninitialised variable in `z`",
    ),
    // Members and elements are distinguished.
    (
        "",
        "struct { int a, b; } s; s.a = 1; if (s.b == 5) err = 1;",
        "uninitialised variable in `s.b`",
    ),
    (
        "",
        "struct { int a, b; } s; s.a = 1; s.b = nondet_int(); if (s.b == 5) err = s.a;",
        "",
    ),
    (
        "struct p { int a, b; };",
        "struct p s, t; t.a = 1; t.b = 5; s = t; if (s.b == 5) err = 1;",
        "",
    ),
    // Copies of partly initialised structures are not checked.
    (
        "struct p { int a, b; };",
        "struct p s, t; t.a = 1; s = t; if (s.a == 1) err = 1;",
        "",
    ),
    (
        "struct p { int a, b; }; struct p f(void) { struct p r; r.a = r.b = 2; return r; }",
        "struct p s; s = f(); s.a += 3; if (s.a == 5) err = 1;",
        "",
    ),
    (
        "",
        "struct { int a : 3, b : 4; } s; s.a = 1; s.b |= 2; if (s.b & 2) err = 1;",
        "uninitialised variable in `s.b`",
    ),
    (
        "",
        "union { int i; unsigned u; } v; v.u = 5; if (v.i == 5) err = 1;",
        "",
    ),
    (
        "",
        "int a[3]; for (int i = 0; i < 2; i++) a[i] = 0; if (a[2] == 5) err = 1;",
        "uninitialised variable in `a[2]`",
    ),
    (
        "",
        "int a[3]; for (int i = 0; i < 3; i++) a[i] = i; if (a[2] == 2) err = 1;",
        "",
    ),
    (
        "",
        "int a[3], i = nondet_int(); if (i < 0 || i > 2) return 0; a[0] = a[1] = 0; if (a[i] == 5) err = 1;",
        "uninitialised variable in `a[i]`",
    ),
    (
        "",
        "int a[3], i = nondet_int(); if (i < 0 || i > 2) return 0; a[1] = 5; if (a[i] == 5) err = 1;",
        "",
    ),
    (
        "",
        "struct { struct { int k; } in; int v[2][2]; } s; s.in.k = 1; s.v[1][0] = 5; if (s.v[s.in.k - 1][0] == 5) err = 1;",
        "",
    ),
    (
        "",
        "struct { struct { int k; } in; int v[2][2]; } s; s.in.k = 1; s.v[1][0] = 5; if (s.v[0][1] == 5) err = s.in.k;",
        "uninitialised variable in `s.v[0][1]`",
    ),
    (
        "",
        "int x = 0; for (int i = 0; i < 3; i++) { int y[2]; if (i == 0) y[1] = 1; x = y[1]; } if (x == 9) err = 1;",
        "uninitialised variable in `y[1]`",
    ),
    (
        "int f(int *a) { a[0] = 3; return 1; }",
        "int x[2]; f(x); if (x[0] == 3) err = 1;",
        "",
    ),
    // Writes through a pointer are not checked.
    (
        "int f(int *a) { *a = 3; return 1; }",
        "int x; f(&x); if (x == 3) err = 1;",
        "",
    ),
    // Reads before a pointer to the variable exists.
    (
        "int f(int *a) { *a = 3; return 1; }",
        "int x, y = 0; if (x == 5) y = 1; f(&x); if (y) err = 1;",
        "uninitialised variable in `x`",
    ),
    (
        "int f(int *a) { *a = 3; return 1; }",
        "int i, v = 0; for (i = 0; i < 3; i++) { int x; if (i == 2) v = x; else f(&x); } if (v == 7) err = 1;",
        "uninitialised variable in `x`",
    ),
    (
        "int f(int *a) { *a = 3; return 1; }",
        "int x, *p = &x; *p = 5; if (x == 5) err = f(p);",
        "",
    ),
    (
        "struct p { int a, b; }; void f(struct p *s) { s->b = 2; }",
        "struct p s; f(&s); if (s.b == 2) err = 1;",
        "",
    ),
    (
        "struct p { int a, b; }; void f(int *s) { *s = 2; }",
        "struct p s; if (s.a == 2) err = 1; f(&s.b);",
        "uninitialised variable in `s.a`",
    ),
    // An assignment to one member of a union counts for all.
    (
        "",
        "union { int i; unsigned u; } v; if (v.i == 5) err = 1;",
        "uninitialised variable in `v.i`",
    ),
    (
        "",
        "struct { int k; union { int i; char c[4]; } u[2]; } s; s.u[1].c[0] = 5; if (s.u[1].i == 5) err = 1;",
        "",
    ),
    (
        "",
        "struct { int k; union { int i; char c[4]; } u[2]; } s; s.u[1].c[0] = 5; if (s.u[0].c[3] == 5) err = 1;",
        "uninitialised variable in `s.u[0].c[3]`",
    ),
    // A larger array.
    (
        "",
        "int a[200]; a[0] = 0; if (a[199] == 5) err = 1;",
        "uninitialised variable in `a[199]`",
    ),
    (
        "",
        "int a[200], i = nondet_int(); a[100] = 5; if (i >= 0 && i < 200 && a[i] == 5) err = 1;",
        "",
    ),
    // Functions that end without returning a value that the caller uses.
    (
        "int f(int a) { if (a > 3) return 1; }",
        "int y = f(nondet_int()); if (y == 7) err = 1;",
        "missing return value in `f`",
    ),
    (
        "int f(int a) { if (a > 3) return 1; }",
        "int y = f(nondet_int()); if (y == 1) err = 1;",
        "",
    ),
    ("extern int err; int f(int a) { err = a; }", "f(1);", ""),
    // Code that a run never reaches, as the program promises.
    (
        "",
        "int x = nondet_int(); if (x == 3) __builtin_unreachable(); if (x == 3) err = 1;",
        "unreachable code",
    ),
    (
        "",
        "int x = nondet_int(); switch (x & 1) { case 0: break; case 1: err = 1; break; default: __builtin_unreachable(); }",
        "",
    ),
    (
        "",
        "int x = nondet_int(); err = 1; if (x == 3) __builtin_unreachable();",
        "",
    ),
];

fn answer(declarations: &str, body: &str, arguments: &[&str]) -> Value {
    let program = format!(
        "{declarations}\nextern int nondet_int(void);\nint err;\nint main(void) {{ {body} return 0; }}\n"
    );
    let dir = Dir::with(&[("p.c", &program)]);
    let bounded = ["--ltl", "G {err == 0}", "p.c", "--unwind", "5"];
    let (got, _) = dir.verify(&[&bounded[..], arguments].concat());
    got["properties"][0].clone()
}

/// What is wrong with the answers for some rows, a line each.
fn wrong<'a>(rows: impl IntoIterator<Item = &'a Row>) -> String {
    let mut wrong = Vec::new();
    for (declarations, body, word) in rows {
        let got = answer(declarations, body, &[]);
        let said = got["undefined"].to_string();
        let guessed = ["deallocated", "dead object", "double free", "free argument"].contains(word);
        let right = match word.is_empty() {
            true => got["defined"] == true && said == "[]",
            // Whether this run uses an object after its end is unknown.
            false if guessed => got["defined"].is_null() && said.contains(word),
            false => got["defined"] == false && said.contains(word),
        };
        let reason = got["reason"].as_str().unwrap_or_default();
        let stands = match word.is_empty() {
            true => got["verdict"] == "false" && got["holds"] == "refuted",
            false => {
                let told = match guessed {
                    true => reason.contains("is not known: some run has"),
                    false => reason.contains("violated only by"),
                };
                got["verdict"] == "unknown" && got["holds"] == "unknown" && told
            }
        };
        if !stands || !right {
            wrong.push(format!(
                "{body}: {} {} {} {reason} {said}",
                got["verdict"], got["holds"], got["defined"]
            ));
        }
    }
    wrong.join("\n")
}

#[test]
fn verdicts_that_rest_on_undefined_behaviour_say_so_and_others_do_not() {
    if cbmc() {
        let wrong = wrong(crate::support::sample(ROWS, 8));
        assert!(wrong.is_empty(), "{wrong}");
    }
}

/// A variable has no value where a jump has passed its initialiser, also if it had one when its block was last left: what was violated
/// by any value counted as refuted.
#[test]
fn an_initialiser_that_a_jump_passes_gives_no_value() {
    let rows: [Row; 3] = [
        (
            "",
            "for (int i = 0; i < 2; i++) { if (i) goto in; { int v = 3; in: if (v == 9) err = 1; } }",
            "uninitialised variable in `v`",
        ),
        (
            "",
            "for (int i = 0; i < 2; i++) switch (nondet_int()) { int v = 4; case 1: if (v == 4) err = 1; break; default: v = 2; }",
            "uninitialised variable in `v`",
        ),
        (
            "",
            "if (nondet_int()) goto set; { int v = 3; goto in; set: v = 9; in: if (v == 9) err = 1; }",
            "",
        ),
    ];
    if cbmc() {
        let wrong = wrong(&rows);
        assert!(wrong.is_empty(), "{wrong}");
    }
}

/// Writes to strings and constants, and arguments that C forbids, are undefined, whatever the model checker makes of them.
#[test]
fn what_cbmc_has_no_check_of_refutes_nothing() {
    let rows = ROWS
        .iter()
        .filter(|row| row.2.starts_with("write to a constant"));
    if cbmc() {
        let wrong = wrong(rows);
        assert!(wrong.is_empty(), "{wrong}");
    }
}

/// A change and another use of an object without an order is undefined: `i = i++ + 1` had some value, which refuted formulas.
#[test]
fn a_change_without_an_order_refutes_nothing() {
    if !cbmc() {
        return;
    }
    for (body, expected) in [
        ("int i = 0; i = i++ + 1; if (i == 1) err = 1;", "unknown"),
        (
            "int i = 0; i = (i++, i + 1); if (i == 2) err = 1;",
            "refuted",
        ),
    ] {
        let got = answer("", body, &[]);
        assert_eq!(got["holds"], expected, "{body}: {got}");
        let reason = got["reason"].as_str().unwrap_or_default();
        let told = reason.contains("uses `i` at p.c:4 without an order");
        assert_eq!(told, expected == "unknown", "{body}: {got}");
    }
}

/// CBMC has no checks of pointers in programs with threads: what was violated by an access past an object counted as refuted.
#[test]
fn an_access_outside_of_an_object_by_a_thread_refutes_nothing() {
    if !cbmc() {
        return;
    }
    let answer = |body: &str| {
        let program = format!(
            "#include <pthread.h>\nint err, go, a[2];\nvoid *set(void *x) {{ go = 1; return 0; }}\nvoid *use(void *x) {{ {body} return 0; }}\n\
             int main(void) {{ pthread_t t, u; pthread_create(&t, 0, set, 0); pthread_create(&u, 0, use, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }}\n"
        );
        let dir = Dir::with(&[("p.c", &program)]);
        let words = [
            "--ltl",
            "G {err == 0}",
            "p.c",
            "--unwind",
            "2",
            "--schedules",
            "all",
            "--backend",
            "cbmc",
        ];
        let (got, _) = dir.verify(&words);
        got["properties"][0].clone()
    };
    for (body, word) in [
        (
            "int *p = a; if (go) p = a + 3; *p = 7; if (p != a) err = 1;",
            "access outside of an object",
        ),
        (
            "int *p = a; if (go) p = 0; *p = 1; if (!p) err = 1;",
            "access outside of an object",
        ),
        (
            "char *s = \"ab\"; if (go) { s[0] = 120; err = 1; }",
            "write to a constant",
        ),
        (
            "int *p = a; if (go) p++; *p = 7; if (p[0] == 7 && go) err = 1;",
            "",
        ),
    ] {
        let got = answer(body);
        let expected = if word.is_empty() {
            "refuted"
        } else {
            "unknown"
        };
        assert_eq!(got["holds"], expected, "{body}: {got}");
        let reason = got["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(word), "{body}: {got}");
    }
}

/// A program with violations that stand and one that does not, however it is asked: without traces they were once not checked.
#[test]
fn a_violation_stands_or_is_unknown_in_every_way_of_asking() {
    if !cbmc() {
        return;
    }
    let program =
        "extern int nondet_int(void);\nint a, b, c;\nint main(void) {\n  int x = nondet_int();\n\
        if (x > 0 && x + 1 < 0) a = 1;\n  if (x == 3) b = 1;\n  c = 1;\n  return 0;\n}\n";
    let spec = r#"{ "properties": [ { "name": "a", "ltl": "G {a == 0}" }, { "name": "b", "ltl": "G {b == 0}" },
        { "name": "c", "ltl": "G {c == 0}" }, { "name": "d", "ltl": "G {c < 2}" } ], "pa": [] }"#;
    let dir = Dir::with(&[("p.c", program), ("s.json", spec)]);
    let ways: [&[&str]; 7] = [
        &[],
        &["--no-trace"],
        &["--levels", "separate"],
        &["--group", "1", "--no-trace"],
        &["--bounds", "1,2"],
        &["--schedules", "rounds:2"],
        &["--engine", "bounded", "--no-trace"],
    ];
    for way in ways {
        let bounded = ["s.json", "p.c", "--unwind", "2", "--report", "r"];
        let bounded = match way.first() {
            Some(&"--bounds") => &["s.json", "p.c", "--report", "r"][..],
            _ => &bounded[..],
        };
        let (got, status) = dir.verify(&[bounded, way].concat());
        let holds: Vec<&str> = (0..4)
            .filter_map(|i| got["properties"][i]["holds"].as_str())
            .collect();
        let expected = ["unknown", "refuted", "refuted", "proved"];
        assert_eq!(holds, expected, "{way:?}: {got}");
        let first = &got["properties"][0];
        let reason = first["reason"].as_str().unwrap_or_default();
        assert!(
            reason.contains("only by") && reason.contains("p.c:5"),
            "{way:?}: {got}"
        );
        assert_eq!(first["verdict"], "unknown", "{way:?}: {got}");
        assert_eq!(first["defined"], false, "{way:?}: {got}");
        if way.contains(&"--no-trace") {
            assert_eq!(
                first["trace"].as_array().map_or(0, Vec::len),
                0,
                "{way:?}: {got}"
            );
        }
        // What is violated for certain decides the status.
        assert_eq!(status, 10, "{way:?}");
        let sarif = dir.read("r/report.sarif");
        assert!(sarif.contains("only by"), "{way:?}: {sarif}");
        std::fs::remove_dir_all(dir.path("r")).unwrap();
    }
    let (got, status) = dir.verify(&["s.json", "p.c", "--unwind", "2", "--only", "a"]);
    assert_eq!(status, 5, "{got}");
    let junit = dir.run(&[
        "verify", "s.json", "p.c", "--unwind", "2", "--only", "a", "--format", "junit",
    ]);
    assert!(
        junit.stdout.contains("only by") && !junit.stdout.contains("<failure"),
        "{junit:?}"
    );
}

/// Whether a run uses an object after its end is not known by CBMC; an execution that the compiler's sanitizers watch shows it.
#[test]
fn a_run_that_sanitizers_let_pass_stands() {
    if !cbmc() {
        return;
    }
    let declarations = "#include <stdlib.h>";
    let body = |then: &str| {
        format!("int *p = malloc(4); if (!p) return 0; *p = 1; int k = nondet_int(); {then}")
    };
    let stands = body("if (k == 6) err = 1; if (k == 5) { free(p); k = *p; }");
    let got = answer(declarations, &stands, &[]);
    assert_eq!(
        (&got["holds"], &got["defined"]),
        (&"refuted".into(), &true.into()),
        "{got}"
    );
    let rests = body("if (k == 5) { free(p); if (*p == 1) err = 1; }");
    let got = answer(declarations, &rests, &[]);
    assert_eq!(got["holds"], "unknown", "{got}");
}

#[test]
fn threads_are_checked_too() {
    if !cbmc() {
        return;
    }
    let thread = |body: &str| {
        format!(
            "#include <pthread.h>\nint err, a[4], i = 4;\nvoid *t(void *q) {{ {body} return 0; }}"
        )
    };
    let main = "pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0);";
    for how in crate::support::sample(["rounds:2", "all"], 2) {
        let bad = thread("a[i] = 1; if (a[i]) err = 1;");
        let got = answer(
            &bad.replace("int err,", "extern int err; int"),
            main,
            &["--schedules", how],
        );
        assert_eq!(got["defined"], false, "{how} {got}");
        assert_eq!(got["undefined"][0]["line"], 3, "{how} {got}");
        let good = thread("a[i - 1] = 1; if (a[i - 1]) err = 1;");
        let got = answer(
            &good.replace("int err,", "extern int err; int"),
            main,
            &["--schedules", how],
        );
        assert_eq!(got["defined"], true, "{how} {got}");
        let bad = thread("int x; if (q) x = 0; if (x) err = 1;");
        let got = answer(
            &bad.replace("int err,", "extern int err; int"),
            main,
            &["--schedules", how],
        );
        assert_eq!(got["defined"], false, "{how} {got}");
        let what = got["undefined"][0]["what"].as_str();
        assert_eq!(what, Some("uninitialised variable in `x`"), "{how} {got}");
        let bad = thread("struct kv x; x.k = 1; x.v[0] = 0; if (x.v[1]) err = x.k;");
        let got = answer(
            &bad.replace(
                "int err,",
                "struct kv { int k, v[2]; }; extern int err; int",
            ),
            main,
            &["--schedules", how],
        );
        assert_eq!(got["defined"], false, "{how} {got}");
        let what = got["undefined"][0]["what"].as_str();
        assert_eq!(
            what,
            Some("uninitialised variable in `x.v[1]`"),
            "{how} {got}"
        );
    }
}

/// A loop that may only wait saves the values of its variables, to see whether a state comes back. This was once told as a read of the
/// variable by the program.
#[test]
fn what_monitors_save_is_not_read() {
    if !cbmc() {
        return;
    }
    let file = crate::support::repository("tests/regressions/last_but_one.c");
    let asked = ["--ltl", "G {n != 1}", file.to_str().unwrap()];
    let (got, _) =
        Dir::new().verify(&[&asked[..], &["--schedules", "all", "--unwind", "3"]].concat());
    let property = &got["properties"][0];
    assert_eq!(property["holds"], "refuted", "{got}");
    assert_eq!(property["defined"], true, "{got}");
}

/// Every form of the report marks a verdict with undefined behaviour.
#[test]
fn every_form_of_the_report_says_it() {
    if !cbmc() {
        return;
    }
    let program = "extern int nondet_int(void);\nint err;\n\
        int main(void) { int x = nondet_int(); if (x > 0 && x + 1 < 0) err = 1; return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let ran = dir.run(&["verify", "--ltl", "G {err == 0}", "p.c", "--report", "r"]);
    assert!(
        ran.stdout.contains("rests on undefined behaviour"),
        "{ran:?}"
    );
    for (file, text) in [
        ("r/report.html", "rests on undefined behaviour"),
        ("r/report.sarif", "\"ruleId\": \"undefined\""),
        ("r/report.json", "\"defined\": false"),
    ] {
        assert!(dir.read(file).contains(text), "{file}");
    }
}

/// The verdict does not rest on what comes after the violation. It was once told in the same words
/// as what comes before.
#[test]
fn what_comes_after_the_violation_is_told_apart() {
    if !cbmc() {
        return;
    }
    const OVERFLOW: &str = "int t = 2147483647; t = t + 1; int u = t;";
    let body = |before: &str, after: &str| {
        format!("extern void __VERIFIER_assume(int); {before} err = 1; {after}")
    };
    // The body, the formula, `defined`, and which of the undefined behaviour comes after.
    let rows: [(String, &str, bool, &[bool]); 6] = [
        (body("", OVERFLOW), "G {err == 0}", true, &[true]),
        (body(OVERFLOW, ""), "G {err == 0}", false, &[false]),
        (
            body("int z = 0; z = 1 / z;", OVERFLOW),
            "G {err == 0}",
            false,
            &[false, true],
        ),
        // In a loop, the first time counts.
        (
            "int n; for (n = 0; n < 2; n++) { int z = err - err; z = 1 / z; err = n; }".into(),
            "G {err == 0}",
            false,
            &[false],
        ),
        // Here the end of the run decides.
        (
            body("", OVERFLOW),
            "{err == 0} && G F {err == 0}",
            false,
            &[false],
        ),
        // Here the run may be discarded later.
        (
            body("", &format!("{OVERFLOW} __VERIFIER_assume(u != 7);")),
            "G {err == 0}",
            false,
            &[false],
        ),
    ];
    let mut wrong = Vec::new();
    for (body, formula, defined, after) in rows {
        let program = format!("int err;\nint main(void) {{ {body} return 0; }}\n");
        let dir = Dir::with(&[("p.c", &program)]);
        let (got, _) = dir.verify(&["--ltl", formula, "p.c", "--unwind", "5", "--report", "r"]);
        let property = &got["properties"][0];
        let told = property["undefined"].as_array().unwrap();
        let told: Vec<bool> = told.iter().map(|u| u["after"] == true).collect();
        if property["defined"] != defined || told != after {
            wrong.push(format!(
                "{body} | {formula}: {} {}",
                property["defined"], property["undefined"]
            ));
        }
        for file in ["r/report.txt", "r/report.html", "r/report.sarif"] {
            let text = dir.read(file);
            let rests = text.contains("rests on undefined behaviour");
            let afterwards = text.contains("after the violation, which does not rest on it");
            if rests == defined || afterwards != after.contains(&true) {
                wrong.push(format!("{body} | {formula}: {file}: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// ESBMC cannot look for a run without undefined behaviour, so it is asked whether any run has
/// some. It was once asked nothing, and the report did not say so.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn esbmc_tells_what_some_run_does() {
    if !crate::support::esbmc() {
        return;
    }
    let rows: &[(&str, &str, &str)] = &[
        ("", "err = 1;", ""),
        (
            "",
            "unsigned x = nondet_int(); if (x + 1 == 0) err = 1;",
            "",
        ),
        (
            "",
            "int x = nondet_int(); if (x > 0 && x + 1 < 0) err = 1;",
            "arithmetic overflow",
        ),
        (
            "",
            "int x = nondet_int(), y = 1 / x; if (x == 0) err = 1;",
            "division by zero",
        ),
        (
            "",
            "int x; if (x == 5) err = 1;",
            "uninitialised variable in `x`",
        ),
        (
            "int f(int a) { if (a > 3) return 1; }",
            "int y = f(nondet_int()); if (y == 7) err = 1;",
            "missing return value in `f`",
        ),
    ];
    let mut wrong = Vec::new();
    for (declarations, body, word) in crate::support::sample(rows, 5) {
        let got = answer(declarations, body, &["--backend", "esbmc"]);
        let told = got["undefined"].as_array().unwrap();
        let right = match word.is_empty() {
            true => got["defined"] == true && told.is_empty(),
            false => {
                let named = |u: &Value| u["what"].as_str().unwrap().contains(word);
                got["defined"].is_null() && told.len() == 1 && named(&told[0])
            }
        };
        // A violation stands if an execution shows that it does not rest on what some run does.
        let expected = if word.is_empty() { "false" } else { "unknown" };
        if got["verdict"] != expected || !right {
            wrong.push(format!("{body}: {} {told:?}", got["defined"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Without a bound, what only runs with undefined behaviour violate is not refuted: such a run is none of the
/// program's. It was once, and for ever by a counter that overflows, without a word of it.
#[test]
fn what_only_undefined_runs_violate_is_not_refuted() {
    if !cbmc() {
        return;
    }
    let ask = |text: &str, arguments: &[&str]| {
        let dir = Dir::with(&[("p.c", text)]);
        let (got, _) = dir.verify(&[arguments, &["p.c"]].concat());
        got["properties"][0].clone()
    };
    let once = "int nondet_int(void); int err; int main(void) { int x = nondet_int(); if (x > 0 && x + 1 < 0) err = 1; return 0; }";
    let got = ask(
        once,
        &["--engine", "bounded,induction", "--ltl", "G {err == 0}"],
    );
    assert_eq!(got["holds"], "unknown", "{got}");
    assert_eq!(got["verdict"], "unknown", "{got}");
    let reason = got["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("only by") && reason.contains("p.c:1"),
        "{got}"
    );
}

/// A step that does what C leaves undefined is none of a run of the program: the search of all states goes on without it, finds
/// what other runs violate, and proves nothing.
#[test]
fn runs_beside_undefined_ones_are_searched() {
    if !cbmc() {
        return;
    }
    let program =
        "extern unsigned char nondet_uchar(void);\nint a[2], x, ticks;\nint main(void) {\n\
        unsigned char i = nondet_uchar();\n  if (i > 2) i = 0;\n  a[i] = 1;\n  for (;;) {\n\
        ticks = (ticks + 1) % 4;\n    x = ticks == 3;\n  }\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, expected) in [("F G {x == 0}", "refuted"), ("G F {x == 1}", "unknown")] {
        let asked = ["--engine", "explicit", "--ltl", formula, "p.c"];
        let (got, _) = dir.verify(&asked);
        assert_eq!(got["properties"][0]["holds"], expected, "{formula}: {got}");
    }
}

/// An infinite run is none of the program's if a number that nothing reads overflows in the end, although what counts comes back.
#[test]
fn what_nothing_reads_may_end_an_infinite_run() {
    if !cbmc() {
        return;
    }
    const COUNTER: &str = "int n; int main(void) { while (1) { n++; x = !x; } }";
    const ROUND: &str = "int n; int main(void) { while (1) { n = (n + 1) % 3; x = !x; } }";
    // Without the value that a turn leaves, each turn is defined.
    const LATER: &str =
        "int y, v; int main(void) { while (1) { y = v + 2147483647; v = 5; x = 1; x = 0; } }";
    for (line, engine, holds, word) in [
        (COUNTER, "explicit", "unknown", "`n` (p.c:2)"),
        (COUNTER, "bounded", "unknown", ""),
        (ROUND, "explicit", "refuted", ""),
        (LATER, "explicit", "unknown", "p.c:2"),
    ] {
        let program = format!("int x;\n{line}\n");
        let dir = Dir::with(&[("p.c", program.as_str())]);
        let limit: &[&str] = match engine {
            "bounded" => &["verify", "--lasso", "--unwind", "3"],
            _ => &["prove", "--states", "500"],
        };
        let asked = ["--engine", engine, "--format", "json", "-q", "--ltl"];
        let args = [limit, &asked, &["F G {x == 0}", "p.c"]].concat();
        let out = crate::support::ran(&mut dir.command(&args));
        let got: Value =
            serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
        let got = &got["properties"][0];
        assert_eq!(got["holds"], holds, "{engine} {line}: {got}");
        let reason = got["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(word), "{engine} {line}: {got}");
    }
}
