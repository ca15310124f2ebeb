//! `init --harness`: a `main` for programs that have none.

use crate::support::{cbmc, Dir};

/// A stack whose `pop` does or does not look at its level, and a function with a length.
fn library(guard: &str) -> Dir {
    Dir::with(&[(
        "stack.c",
        &format!(
            "static int level;\nint push(int x) {{ if (level < 4) level++; return x; }}\nvoid pop(void) {{ {guard}level--; }}\n\
             int last(const unsigned char *data, unsigned n) {{ return data ? data[n - 1] : 0; }}\nstatic void own(void) {{ }}\n"
        ),
    )])
}

#[test]
fn functions_are_called_in_any_order() {
    for (guard, status) in [("", 10), ("if (level > 0) ", 0)] {
        let dir = library(guard);
        let ran = dir.run(&["init", "--harness", "stack.c", "-o", "harness.c"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        if !cbmc() {
            continue;
        }
        let asked = ["--ltl", "G {level >= 0}", "stack.c", "harness.c"];
        let ran = dir.run(&[&["prove"][..], &asked].concat());
        assert_eq!(ran.status, status, "{ran:?}");
    }
}

#[test]
fn the_values_of_arguments() {
    let dir = library("");
    let ran = dir.run(&["init", "--harness", "stack.c", "--entry", "last"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    for line in [
        "static unsigned char last_0[4];",
        "last_0[3] = __VERIFIER_nondet_uchar();",
        "last(__VERIFIER_nondet_int() ? &last_0[0] : 0, 1 + __VERIFIER_nondet_uint() % 4);",
    ] {
        assert!(ran.stdout.contains(line), "{ran:?}");
    }
    assert!(!ran.stdout.contains("push"), "{ran:?}");
}

#[test]
fn what_has_no_values_is_refused() {
    for (program, entry, message) in [
        (
            "struct s { int a; };\nvoid f(struct s *p) { p->a = 1; }\n",
            "f",
            "`f` has the parameter `p` of a type without values",
        ),
        (
            "static void f(void) { }\n",
            "f",
            "defines no function `f` that other files can call",
        ),
        (
            "void f(void) { }\nint main(void) { f(); }\n",
            "f",
            "the program has a `main`",
        ),
    ] {
        let dir = Dir::with(&[("p.c", program)]);
        let ran = dir.run(&["init", "--harness", "p.c", "--entry", entry, "-o", "h.c"]);
        assert_eq!(ran.status, 3, "{ran:?}");
        assert!(ran.stderr.contains(message), "{ran:?}");
    }
}
