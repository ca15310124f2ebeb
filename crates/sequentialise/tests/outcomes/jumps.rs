//! Jumps into loops and blocks. The outcomes without interruptions are those of the program without threads.

use super::{native, outcomes, threads};

/// The outcome of the body alone is one of those of a thread that runs it.
#[track_caller]
fn same(globals: &str, body: &str, unwind: u32) {
    let other = "x = x + 0;";
    let direct = format!("{globals}\nint main(void) {{ {body} outcome(x); return 0; }}\n");
    let expected = native(&direct);
    // Another thread accesses the same, so that the body is split into steps.
    let program = threads(globals, &[body, other], "x");
    assert!(
        outcomes(&program, 1, unwind).is_superset(&expected),
        "{body}"
    );
}

#[test]
fn a_switch_into_a_loop() {
    let duff = "switch (n % 4) { case 0: do { x++; case 3: x++; case 2: x++; case 1: x++; } while ((n -= 4) > 0); }";
    for n in [3, 6] {
        same("int x;", &format!("int n = {n}; {duff}"), 4);
    }
    let inner = "int n = 2, i = 0; switch (n) { for (; i < 3; i++) { case 1: x += 10; case 2: x++; } default: x += 100; }";
    same("int x;", inner, 4);
}

#[test]
fn a_jump_into_a_loop() {
    same(
        "int x;",
        "int i = 1; goto in; for (i = 0; i < 3; i++) { x += 10; in: x++; }",
        4,
    );
    same(
        "int x;",
        "int i = 1; if (x == 0) goto in; while (i < 3) { x += 10; if (x > 5) { in: x++; } i++; }",
        4,
    );
    same("int x;", "int i = 0, k = 0; goto in; do { for (k = 0; k < 2; k++) { x += 10; in: x++; } } while (i++ < 1);", 4);
    same("int x;", "int i = 0; if (x == 1) { x = 50; in: x++; } else { if (i == 0) { i = 1; goto out; } } out: x += 3;", 4);
}

#[test]
fn a_jump_out_of_a_statement_expression() {
    same("int x;", "int n = 0; again: n = ({ if (n > 1) goto done; n + 1; }); x += n; goto again; done: x += 10;", 4);
    same(
        "int x; static int f(int n) { int k = ({ if (n > 1) return 7; n; }); return k; }",
        "x = f(1); x += f(2);",
        4,
    );
    same("int x; static int f(int n) { for (int i = 0; i < 3; i++) { n += ({ if (i == 1) continue; if (n > 9) break; 2; }); } return n; }", "x = f(1); x += f(9);", 4);
}
