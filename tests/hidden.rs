//! Behaviour that the text of a program does not show: functions that attributes call, aliases of
//! objects, ends through pointers or library functions. Each once gave a wrong verdict. What no
//! model checker follows is refused at its place, and followed in native runs.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::support::{cbmc, installed, Dir};
use serde_json::{json, Value};

/// Checks that `verify` with CBMC refuses a program at this place with these words.
fn refused(program: &str, place: &str, words: &str) {
    if cbmc() {
        let dir = Dir::with(&[("p.c", program)]);
        let ran = dir.run(&["verify", "--ltl", "F {x == 3}", "p.c"]);
        assert_eq!(ran.status, 3, "{program}: {}", ran.stderr);
        assert!(ran.stderr.contains(place), "{program}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{program}: {}", ran.stderr);
    }
}

/// Checks the verdicts that a backend gives for formulas.
fn gives(backend: &str, program: &str, expected: &[(&str, &str)]) {
    let there = match backend {
        "native" => installed("gcc"),
        _ => cbmc(),
    };
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, verdict) in expected.iter().filter(|_| there) {
        let args = ["--ltl", formula, "p.c", "--backend", backend];
        let (result, _) = dir.verify(&args);
        assert_eq!(result["verdict"], json!(verdict), "{program}: {result}");
        assert_eq!(result["reason"], Value::Null, "{program}: {formula}");
    }
}

const ATTRIBUTES: &str = "int x;
void last(int *p) { x = *p; }
__attribute__((destructor)) void behind(void) { x = 3; }
int main(void) {
  int v __attribute__((cleanup(last))) = 2;
  x = 1;
  return 0;
}
";

/// CBMC ignores both attributes, and natively the verdict was once taken before both calls.
#[test]
fn functions_that_attributes_call() {
    refused(ATTRIBUTES, "p.c:3:", "`destructor`");
    let all = "{x == 0} U ({x == 1} U ({x == 2} U {x == 3}))";
    gives(
        "native",
        ATTRIBUTES,
        &[(all, "true"), ("F {x == 2}", "true")],
    );
    let quiet = ATTRIBUTES.replace("x = 3", "x = 2");
    gives("native", &quiet, &[("F {x == 3}", "presumably_false")]);
}

/// The function that `cleanup` names is called where the variable's life ends, also before a jump or a return; in a `for`
/// it is not followed.
#[test]
fn functions_that_cleanup_names() {
    let program = "int x;
void last(int *p) { x = *p; }
int leave(int c) {
  int outer __attribute__((cleanup(last))) = 1;
  {
    int inner __attribute__((cleanup(last))) = 2;
    if (c) return inner + x;
  }
  x = 5;
  return x;
}
int main(void) { int got = leave(1); x = 7 + got; leave(0); return 0; }
";
    let all =
        "{x == 0} U ({x == 2} U ({x == 1} U ({x == 9} U ({x == 2} U ({x == 5} U {x == 1})))))";
    for backend in ["cbmc", "native"] {
        gives(
            backend,
            program,
            &[(all, "true"), ("F {x == 8}", "presumably_false")],
        );
    }
    let header = program.replace(
        "  x = 5;",
        "  for (int k __attribute__((cleanup(last))) = 3; k < 4; k++) ;",
    );
    let ends = all.replace("{x == 5}", "{x == 4}");
    gives("cbmc", &header, &[(&ends, "true")]);
}

/// A write to `x` through its alias was once missed.
#[test]
fn another_name_of_an_object() {
    let program = "int x;
extern int y __attribute__((alias(\"x\")));
int main(void) { y = 3; return 0; }
";
    refused(program, "p.c:2:", "`y` is another name of `x`");
    let label = "int x;\nextern int y __asm__(\"x\");\nint main(void) { y = 3; return 0; }\n";
    refused(label, "p.c:2:", "`y` is another name of `x`");
    let own = "int x __asm__(\"x\");\nint main(void) { x = 3; return 0; }\n";
    gives("cbmc", own, &[("F {x == 3}", "true")]);
}

#[test]
fn another_name_of_a_function() {
    let program = "int x;
void set(void) { x = 3; }
void again(void) __attribute__((alias(\"set\")));
int main(void) { again(); return 0; }
";
    refused(program, "p.c:3:", "second name of a function");
    gives("native", program, &[("F {x == 3}", "true")]);
}

/// CBMC loses runs that end through a pointer to `exit`: only the other runs were judged.
#[test]
fn an_end_through_a_pointer() {
    let program = "#include <stdlib.h>
int x;
void (*leave)(int) = exit;
int main(int argc, char **argv) { if (argc > 1) leave(0); x = 3; return 0; }
";
    refused(program, "p.c:3:", "a call of `exit` through a pointer");
    gives("native", program, &[("F {x == 3}", "true")]);
}

/// Runs that ended in `errx`, or in any function declared not to return, were once lost.
#[test]
fn functions_that_do_not_return_end_the_run() {
    let library = "#include <err.h>
int x;
int main(int argc, char **argv) { x = 1; if (argc > 1) errx(1, \"%d\", argc); x = 3; return 0; }
";
    let declared = "_Noreturn void die(const char *text);
int x;
int main(int argc, char **argv) { x = 1; if (argc > 1) die(\"bad\"); x = 3; return 0; }
";
    for program in [library, declared] {
        let expected = [("F {x == 3}", "presumably_false"), ("F {x == 1}", "true")];
        gives("cbmc", program, &expected);
    }
    let event = library.replace("\"%d\", argc", "\"%d %d\", x = 3, argc");
    gives("cbmc", &event, &[("F {x == 3}", "true")]);
}

/// The return of an inner call of `main` was once taken for the end of the run.
#[test]
fn a_program_that_calls_main() {
    let program = "int x;
int main(void) { if (x < 2) { x++; main(); } x = 3; return 0; }
";
    refused(program, "p.c:2:", "the program calls `main`");
}

/// CBMC has no body for `lfind`, so the effects of the program's own callback were once missed.
#[test]
fn a_library_function_that_calls_back_gives_no_verdict() {
    let program = "#include <search.h>
int x, list[2] = {1, 2};
int compare(const void *a, const void *b) { x = 3; return *(int *)a - *(int *)b; }
int main(void) { int key = 1; unsigned long n = 2; lfind(&key, list, &n, sizeof key, compare); return 0; }
";
    if cbmc() {
        let dir = Dir::with(&[("p.c", program)]);
        let (result, _) = dir.verify(&["--ltl", "F {x == 3}", "p.c"]);
        assert_eq!(result["verdict"], json!("unknown"), "{result}");
        assert!(result["reason"].as_str().unwrap().contains("`lfind`"));
    }
    gives("native", program, &[("F {x == 3}", "true")]);
}

/// Natively, an end that runs no exit handlers once left no verdict, handlers of `quick_exit` ran
/// after the verdict, and a run that had registered handlers counted as discarded.
#[test]
fn native_ends_of_all_kinds() {
    let program = "#include <stdlib.h>
int x;
void handler(void) { x += 3; }
void leave(void) { END; }
int main(void) { atexit(handler); at_quick_exit(handler); x = 1; leave(); x = 9; return 0; }
";
    let handled = [("F {x == 4}", "true"), ("F {x == 9}", "presumably_false")];
    let bare = [("F {x == 1}", "true"), ("F {x == 4}", "presumably_false")];
    for (end, expected) in [
        ("exit(0)", handled),
        ("quick_exit(0)", handled),
        ("_Exit(0)", bare),
        ("abort()", bare),
        ("__builtin_trap()", bare),
    ] {
        gives("native", &program.replace("END", end), &expected);
    }
}

/// CBMC initialises only the first element of a range; a value with effects, which is computed once, is not followed.
#[test]
fn a_range_in_an_initialiser() {
    let program = "int list[4] = {[1 ... 2] = 3}, x;
int main(void) { x = list[2]; return 0; }
";
    gives("native", program, &[("F {x == 3}", "true")]);
    gives("cbmc", program, &[("F {x == 3}", "true")]);
    let effect = "int x; int next(void) { return ++x; }
int main(void) { int list[4] = {[1 ... 2] = next()}; x = list[2]; return 0; }
";
    refused(effect, "p.c:2:", "a range in an initialiser");
}
