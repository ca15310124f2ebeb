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
        "extern int last(const unsigned char *, unsigned int);",
        "static unsigned char entry_last_data[4];",
        "entry_last_data[3] = nondet_entry_last_data_3();",
        "const unsigned char *entry_data = nondet_entry_last_data() ? &entry_last_data[4 - entry_n] : 0;",
        "last(entry_data, entry_n);",
    ] {
        assert!(ran.stdout.contains(line), "{ran:?}");
    }
    assert!(!ran.stdout.contains("push"), "{ran:?}");
}

/// Types of the program's own file come with it.
#[test]
fn a_harness_of_structures_is_compiled_and_verified() {
    let header = "struct stack { int data[4]; int top; };\nvoid init(struct stack *);\nint push(struct stack *, int);\n";
    let code = "int wrong;\nvoid init(struct stack *s) { s->top = 0; }\n\
        int push(struct stack *s, int v) { if (s->top > 4) wrong = 1; if (s->top < 4) s->data[s->top++] = v; return 0; }\n";
    let dir = Dir::with(&[
        ("stack.h", header),
        ("apart.c", &format!("#include \"stack.h\"\n{code}")),
        ("whole.c", &format!("{header}{code}")),
    ]);
    let rows = [
        (
            "apart.c",
            "#include \"stack.h\"",
            &["harness_apart.c", "apart.c"][..],
        ),
        ("whole.c", "#include \"whole.c\"", &["harness_whole.c"]),
    ];
    for (program, includes, files) in crate::support::sample(rows, 2) {
        let calls = ["--entry", "init push*", "--entry-nonnull"];
        let written = ["init", "--harness", program, "-o", files[0]];
        let ran = dir.run(&[&written[..], &calls].concat());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        assert!(
            dir.read(files[0]).contains(includes),
            "{}",
            dir.read(files[0])
        );
        let mut compiler = std::process::Command::new("cc");
        compiler
            .args(["-DBY_CHANCE", "-o", "run"])
            .args(files)
            .current_dir(dir.path(""));
        let ran = crate::support::ran(&mut compiler);
        assert_eq!(ran.status, 0, "{ran:?}");
        if cbmc() {
            let ask = ["prove", "--engine", "induction", "--ltl", "G {!wrong}"];
            let ran = dir.run(&[&ask[..], files].concat());
            assert_eq!(ran.status, 0, "{ran:?}");
        }
    }
}

#[test]
fn what_has_no_values_is_refused() {
    for (program, entry, message) in [
        (
            "#include <stdio.h>\nvoid f(FILE *p) { fclose(p); }\n",
            "f",
            "`f` takes a file, for which there are no values",
        ),
        (
            "static void f(void) { }\n",
            "f",
            "`f` is static: no other file can call it",
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
