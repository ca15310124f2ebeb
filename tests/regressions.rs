//! Programs that once got a wrong verdict, each named after the error. The programs are in
//! `tests/regressions`.
#![allow(missing_docs, clippy::unwrap_used)]

mod atomics;
mod schedules;
mod standing;
mod state;
mod steps;
mod values;

use crate::support::{cbmc, repository, Dir, AMPLE};

/// Verifies a program against a formula with conditions in braces.
fn verdict(program: &str, formula: &str, unwind: u32) -> String {
    let file = repository("tests/regressions").join(program);
    let unwind = unwind.to_string();
    let (result, _) = Dir::new().verify(&[
        "--ltl",
        formula,
        file.to_str().unwrap(),
        "--unwind",
        &unwind,
        "--timeout",
        AMPLE,
    ]);
    assert_eq!(result["reason"], serde_json::Value::Null);
    result["verdict"].as_str().unwrap().to_string()
}

/// CBMC (5.12 to 6.6) leaves a read of a shared object unconstrained if two alternative branches of
/// one atomic block read it; the monitor then seemed to be in an impossible state.
#[test]
fn an_object_read_in_two_branches_of_an_atomic_block() {
    if cbmc() {
        let p = "{a > 0 && b == 2}";
        let formula = format!("G (({p} && !{{a == 1}}) -> ({p} U {{a == 1}}))");
        assert_eq!(verdict("branches.c", &formula, 1), "presumably_true");
    }
}

/// What an exchange or a move of 8 bytes does was computed on one byte where the operand in memory was named by a pointer to `char`, as
/// libraries of atomic operations do: programs were refuted, and the woven ones did something else when executed.
#[test]
fn instructions_work_on_as_many_bytes_as_their_names_say() {
    let program = repository("tests/regressions").join("widths_of_instructions.c");
    let program = program.to_str().unwrap();
    if crate::support::installed("gcc") {
        let dir = Dir::new();
        let made = dir.run(&[
            "instrument",
            "--ltl",
            "G {bad == 0}",
            program,
            "-o",
            "out.c",
        ]);
        assert_eq!(made.status, 0, "{made:?}");
        let text = dir.read("out.c");
        assert!(!text.contains("__asm__ __volatile__"), "{text}");
        let mut gcc = std::process::Command::new("gcc");
        gcc.args(["-w", "-O2", "-o"])
            .args([dir.path("out"), dir.path("out.c")]);
        assert!(gcc.status().unwrap().success());
        let ran = std::process::Command::new(dir.path("out"))
            .status()
            .unwrap();
        assert_eq!(ran.code(), Some(0));
    }
    if cbmc() {
        let asked = [
            "--unwind",
            "2",
            "--no-trace",
            "--ltl",
            "G {bad == 0}",
            program,
        ];
        let (result, _) = Dir::new().verify(&[&asked[..], &["--timeout", AMPLE]].concat());
        assert_eq!(result["properties"][0]["holds"], "proved", "{result}");
    }
}

/// A parameter of a prototype was once taken for the global of the same name.
#[test]
fn a_parameter_of_a_prototype_is_no_global() {
    if cbmc() {
        assert_eq!(verdict("prototype.c", "F {is_three(level)}", 1), "true");
        assert_eq!(verdict("prototype.c", "G !{level == 3}", 1), "false");
    }
}

/// A write through a pointer may change one of two propositions. The value of the other one was
/// read in a branch, and again after it: CBMC left the second read unconstrained.
#[test]
fn a_value_that_a_write_leaves_is_read_once() {
    if cbmc() {
        let formula = "F {x == 1} && F {y == 1}";
        assert_eq!(verdict("two_targets.c", formula, 1), "true");
    }
}

/// As above, where a function that a proposition calls reads a structure or an array in branches.
#[test]
fn a_structure_or_an_array_read_in_two_branches() {
    if cbmc() {
        for function in ["of_pair", "of_list"] {
            let formula = format!("G {{!{function}()}}");
            let got = verdict("evaluations.c", &formula, 1);
            assert_eq!(got, "presumably_true", "{function}");
        }
    }
}

/// As above, where two propositions of one event read the copy of a local, each if its area is open.
#[test]
fn the_copy_of_a_local_read_for_two_areas() {
    if cbmc() {
        let spec = repository("tests/regressions").join("copies.json");
        let program = repository("tests/regressions").join("copies.c");
        let files = [spec.to_str().unwrap(), program.to_str().unwrap()];
        let (result, _) = Dir::new().verify(&files);
        assert_eq!(result["verdict"], "presumably_true", "{}", result["reason"]);
    }
}

/// Programs of verification competitions declare printf themselves, and __VERIFIER_error with an
/// argument, unlike CBMC.
#[test]
fn functions_that_the_program_declares_itself() {
    if !cbmc() {
        return;
    }
    let program = "extern int printf(const char *format, ...);
extern void __VERIFIER_error(int);
int x, y;
int main(void) { x = 1; printf(\"%d\\n\", x); if (x == 1) __VERIFIER_error(3); y = 1; return 0; }
";
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, expected) in [("F {x == 1}", "true"), ("F {y == 1}", "presumably_false")] {
        let (got, _) = dir.verify(&["--ltl", formula, "--no-trace", "p.c"]);
        assert_eq!(got["verdict"], expected, "{got}");
        assert_eq!(got["complete"], true, "{got}");
        assert_eq!(got["findings"], serde_json::json!([]), "{got}");
    }
}

/// Results of functions without a model are listed among the assumptions, so that users notice if a
/// ⊥ rests on them.
#[test]
fn a_function_that_the_model_checker_does_not_know_is_an_assumption() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[(
        "p.c",
        "#include <string.h>\nint x;\nint main(void) { x = strcoll(\"a\", \"b\") >= 0; return 0; }\n",
    )]);
    let (result, _) = dir.verify(&["--ltl", "G {x == 0}", "p.c"]);
    let assumptions = result["assumptions"].to_string();
    assert!(assumptions.contains("does not know: strcoll"), "{result}");
    let found = result["findings"].to_string();
    assert!(found.contains("does not know `strcoll`"), "{result}");
}

/// The result for a program given as text, whose formula is the only property.
fn result(program: &str, formula: &str, options: &[&str]) -> serde_json::Value {
    let dir = Dir::with(&[("p.c", program)]);
    let head = ["--ltl", formula, "--no-trace"];
    let (got, _) = dir.verify(&[&head, options, &["p.c"]].concat());
    got
}

/// A run that the program's own assumption discards later was once a violation at a small bound.
#[test]
fn the_program_s_own_assumptions_discard_runs() {
    if !cbmc() {
        return;
    }
    for (name, assume) in [
        ("int", "__VERIFIER_assume"),
        ("_Bool", "__CPROVER_assume"),
        ("_Bool", "__ESBMC_assume"),
    ] {
        let program = |wrapper: &str, call: &str| {
            format!(
                "extern void {assume}({name});\nint x, n;\n{wrapper}\n\
                 int main(void) {{ x = 1; for (n = 0; n < 10; n++); {call}(0); return 0; }}\n"
            )
        };
        let wrapper = format!("void only_if(int holds) {{ {assume}(holds); }}");
        for (wrapper, call) in [("", assume), (wrapper.as_str(), "only_if")] {
            let text = program(wrapper, call);
            let cut = result(&text, "G {x == 0}", &["--unwind", "4"]);
            assert_eq!(cut["verdict"], "presumably_false", "{cut}");
            assert_eq!(cut["holds"], "unknown", "{cut}");
            let all = result(&text, "G {x == 0}", &["--unwind", "12"]);
            assert_eq!(all["verdict"], "unknown", "{all}");
        }
    }
    // An assumption that holds discards nothing.
    let fine = "extern void __VERIFIER_assume(int);\nint x;\n\
                int main(void) { int *p = &x; __VERIFIER_assume(p); x = 1; return 0; }\n";
    let got = result(fine, "G {x == 0}", &[]);
    assert_eq!(got["verdict"], "false", "{got}");
    assert_eq!(got["holds"], "refuted", "{got}");
}

/// A thread whose assumption fails discards the whole run, whatever the others do.
#[test]
fn an_assumption_of_one_thread_discards_the_run() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>\nextern void __VERIFIER_assume(int);\nint x;\n\
        void *other(void *p) { __VERIFIER_assume(x == 0); return p; }\n\
        int main(void) { pthread_t t; x = 1; pthread_create(&t, 0, other, 0); return 0; }\n";
    let got = result(program, "G {x == 0}", &[]);
    // In one run, the program ends before the other thread reaches its assumption.
    assert_eq!(got["verdict"], "false", "{got}");
    let joined = program.replace("return 0;", "pthread_join(t, 0); return 0;");
    let got = result(&joined, "G {x == 0}", &[]);
    assert_eq!(got["verdict"], "unknown", "{got}");
}

/// If no run is left, or the backend gave no answer, the report once spoke of a complete
/// exploration.
#[test]
fn what_was_not_explored_is_not_complete() {
    if !cbmc() {
        return;
    }
    let program = "extern void __VERIFIER_assume(int);\nint x;\n\
                   int main(void) { x = 1; __VERIFIER_assume(x == 0); return 0; }\n";
    let got = result(program, "G {x == 0}", &[]);
    assert_eq!(got["verdict"], "unknown", "{got}");
    assert_eq!(got["complete"], false, "{got}");
    let reason = got["reason"].to_string();
    assert!(
        reason.contains("discarded") && reason.contains("p.c:3"),
        "{got}"
    );
    assert!(!reason.contains("--unwind"), "{got}");
    let refused = result(
        "int x; int main(void) { x = 1; return 0; }\n",
        "G {x == 0}",
        &["--engine", "bounded", "--backend-arg", "--no-such-option"],
    );
    assert_eq!(refused["verdict"], "unknown", "{refused}");
    assert_eq!(refused["complete"], serde_json::Value::Null, "{refused}");
}

/// Public programs declare inputs not to return; every run once ended at its first input.
#[test]
fn functions_that_are_declared_not_to_return_and_do() {
    if !cbmc() {
        return;
    }
    for name in ["__VERIFIER_nondet_int", "nondet_int", "read_sensor"] {
        let program = format!(
            "extern int {name}() __attribute__((__noreturn__));\nint x;\n\
             int main(void) {{ int i = {name}(); if (i > 3) x = 1; return 0; }}\n"
        );
        let got = result(&program, "G {x == 0}", &[]);
        assert_eq!(got["verdict"], "false", "{name} {got}");
    }
    // A function whose result is never used does not return.
    let program = "extern int stop(void) __attribute__((__noreturn__));\nint x;\n\
                   int main(void) { stop(); x = 1; return 0; }\n";
    let got = result(program, "G {x == 0}", &[]);
    assert_eq!(got["holds"], "proved", "{got}");
}

/// `assume_abort_if_not` aborts: the run really ends there, unless the user discards such runs.
#[test]
fn a_function_that_aborts_where_an_assumption_fails() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint x;\n\
        void assume_abort_if_not(int c) { if (!c) { abort(); } }\n\
        int main(void) { int i = __VERIFIER_nondet_int(); assume_abort_if_not(i == 1); x = i; return 0; }\n";
    let ends = result(program, "F {x == 1}", &[]);
    assert_eq!(ends["holds"], "refuted", "{ends}");
    let told = ends["assumptions"].to_string();
    assert!(told.contains("assume_abort_if_not"), "{ends}");
    let pruned = result(program, "F {x == 1}", &["--assert-prunes"]);
    assert_eq!(pruned["holds"], "proved", "{pruned}");
}

/// A ⊥ᵖ of a cut run says nothing about the program; a ⊥ᵖ of a run that ended does.
#[test]
fn a_run_that_ends_is_told_from_one_that_is_cut() {
    if !cbmc() {
        return;
    }
    let program = "extern int more(void);\nint x;\n\
        int main(void) { while (more()) { x = 1; if (STOP) return 0; x = 0; } return 0; }\n";
    for (stop, formula, verdict, holds, evidence) in [
        (
            "more()",
            "G F {x == 0}",
            "presumably_false",
            "refuted",
            "ended",
        ),
        ("0", "G F {x == 0}", "presumably_true", "unknown", "prefix"),
        ("0", "G F {x == 1}", "presumably_false", "refuted", "ended"),
        (
            "0",
            "F {x == 1} || F {x == 5} || {x == 0}",
            "true",
            "proved",
            "prefix",
        ),
    ] {
        let text = program.replace("STOP", stop);
        let got = result(&text, formula, &["--unwind", "3"]);
        let property = &got["properties"][0];
        assert_eq!(property["verdict"], verdict, "{stop} {formula} {got}");
        assert_eq!(property["holds"], holds, "{stop} {formula} {got}");
        assert_eq!(property["evidence"], evidence, "{stop} {formula} {got}");
    }
    let endless = "int x;\nint main(void) { for (;;) { x = 1; x = 0; } }\n";
    let dir = Dir::with(&[("p.c", endless)]);
    let bounded = ["--ltl", "G F {x == 2}", "p.c", "--unwind", "5"];
    let (got, status) = dir.verify(&[&bounded[..], &["--fail-on", "refuted"]].concat());
    assert_eq!(got["verdict"], "presumably_false", "{got}");
    assert_eq!(got["holds"], "unknown", "{got}");
    assert_eq!(status, 0);
}

/// A formula whose antecedent never holds was once ⊤ᵖ without a warning.
#[test]
fn a_formula_whose_antecedent_never_holds() {
    if !cbmc() {
        return;
    }
    let program = "extern int nondet_int(void);\nint mode, req, ack;\n\
        int main(void) { if (nondet_int() > 5 && mode == 7) req = 1; if (req) ack = 1; return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let formula = "G({req == 1} -> F {ack == 1})";
    let (got, status) = dir.verify(&["--ltl", formula, "p.c"]);
    assert_eq!(status, 0, "{got}");
    assert_eq!(got["holds"], "proved", "{got}");
    let vacuous = &got["properties"][0]["vacuous"];
    assert_eq!(vacuous[0]["what"], "F {ack == 1}", "{got}");
    assert_eq!(
        vacuous[0]["because"], "`{req == 1}` holds in no explored run",
        "{got}"
    );
    let (_, status) = dir.verify(&["--ltl", formula, "p.c", "--fail-on", "vacuous"]);
    assert_eq!(status, 10);
    let text = dir.run(&["verify", "--ltl", formula, "p.c"]).stdout;
    assert!(
        text.contains("vacuous: `F {ack == 1}` does not matter"),
        "{text}"
    );
    // A formula whose parts all matter is not vacuous, and neither is one that says that something
    // never holds.
    let fine = program.replace("&& mode == 7", "");
    for (program, formula) in [(fine.as_str(), formula), (program, "G !{req == 1}")] {
        let got = result(program, formula, &["--fail-on", "vacuous"]);
        assert_eq!(got["holds"], "proved", "{got}");
        assert_eq!(
            got["properties"][0]["vacuous"],
            serde_json::json!([]),
            "{got}"
        );
    }
}

/// Preprocessed files once did not compile: the headers that the monitor needs were included again,
/// and the replacements of `printf` and `sleep` changed their declarations.
#[test]
fn files_that_were_preprocessed_before() {
    if !cbmc() {
        return;
    }
    let program =
        "#include <stdio.h>\n#include <unistd.h>\n#include <pthread.h>\n#include <string.h>\n\
        int x;\nvoid *other(void *p) { sleep(1); x = 1; printf(\"%d\\n\", x); return p; }\n\
        #include <errno.h>\n#include <semaphore.h>\n\
        int main(void) { pthread_t t; char b[20]; setvbuf(stdout, 0, _IONBF, 0);\n\
        pthread_create(&t, 0, other, 0); pthread_join(t, 0); strerror_r(1, b, 20); return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let cpp = |options: &[&str]| {
        let mut command = std::process::Command::new("gcc");
        command.args(["-E", "-D_POSIX_C_SOURCE=200809L", "-o"]);
        command.arg(dir.path("p.i")).arg(dir.path("p.c"));
        assert!(command.args(options).status().unwrap().success());
    };
    // Without line markers (`-P`) the text itself declares the types that the model replaces.
    for options in [&[] as &[&str], &["-P"]] {
        cpp(options);
        let (got, _) = dir.verify(&["--ltl", "F {x == 1}", "p.i"]);
        assert_eq!(got["holds"], "proved", "{options:?} {got}");
        let (got, _) = dir.verify(&["--ltl", "G {x == 0}", "p.i"]);
        assert_eq!(got["holds"], "refuted", "{options:?} {got}");
        // Compilers accept it as they accept the file itself.
        let spec = r#"{"ltl": "F p", "pa": [{"name": "p", "default": false, "cond": "x == 1", "span": ["_begin", "_end"]}]}"#;
        dir.write("s.json", spec);
        let ran = dir.run(&["instrument", "s.json", "p.i", "-o", "out.c"]);
        assert_eq!(ran.status, 0, "{ran:?}");
        // Compilers ignore the directives of a file with this ending.
        let ran = dir.run(&["instrument", "s.json", "p.i", "-o", "out.i"]);
        assert_eq!(ran.status, 2, "{ran:?}");
        assert!(ran.stderr.contains("name it `.c`"), "{ran:?}");
        let mut gcc = std::process::Command::new("gcc");
        gcc.args(["-Wall", "-c", "-o"]);
        let output = gcc
            .arg(dir.path("out.o"))
            .arg(dir.path("out.c"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    }
}

/// The library's own aliases of its functions were once refused if no line marker says that they
/// are the library's.
#[test]
fn second_names_of_library_functions() {
    if !cbmc() {
        return;
    }
    let program = "extern int scanf(const char *, ...) __asm__(\"__isoc99_scanf\");\nint x;\n\
                   int main(void) { scanf(\"%d\", &x); return 0; }\n";
    let got = result(program, "G {x == 0}", &[]);
    assert_eq!(got["verdict"], "false", "{got}");
    let own = "void put(void) __asm__(\"own_put\");\nint x;\nvoid own_put(void) { x = 1; }\n\
               int main(void) { put(); return 0; }\n";
    let ran = Dir::with(&[("p.c", own)]).run(&["verify", "--ltl", "G {x == 0}", "p.c"]);
    assert_eq!(ran.status, 3, "{ran:?}");
}

/// gcc takes `a = 0;` at file scope for a declaration, with a warning.
#[test]
fn objects_without_a_type_at_file_scope() {
    if !cbmc() {
        return;
    }
    let program =
        "int x;\na = 3;\nb[2];\nc, d = 4;\nmain() { b[1] = a; x = b[1] + d + c; return 0; }\n";
    // CBMC refuses such a declaration; compilers accept it.
    let native = ["--std", "gnu89", "--backend", "native"];
    let got = result(program, "F {x == 7}", &native);
    assert_eq!(got["verdict"], "true", "{got}");
    // The text for CBMC declares them as integers.
    let got = result(program, "F {x == 7}", &[]);
    assert_eq!(got["verdict"], "true", "{got}");
}

/// The entry of a function can be used as a label: of areas, of positions, and to be reached.
#[test]
fn the_entry_of_a_function_can_be_named_as_a_label() {
    if !cbmc() {
        return;
    }
    let program = "int a, seen;\nint f(int x) {\n  if (x > 2)\n    L: return x;\n  return 0;\n}\n\
        int main(void) { a = f(seen); a = f(3); return 0; }\n";
    let rows = [
        (
            r#""span": ["f::_begin", "L"], "cond": "f::x == 0""#,
            "F p",
            "true",
        ),
        (
            r#""span": ["f::_begin", "L"], "cond": "f::x == 4""#,
            "F p",
            "presumably_false",
        ),
        (r#""at": "f::_begin", "cond": "f::x == 3""#, "F p", "true"),
        (r#""at": "f::_begin", "cond": "1""#, "p", "presumably_false"),
        (
            r#""at": "f::_begin", "cond": "a == 3""#,
            "G !p",
            "presumably_true",
        ),
        (r#""at": "main::_begin", "cond": "1""#, "G !p", "false"),
    ];
    for (area, formula, verdict) in rows {
        let proposition = format!(r#"{{"name": "p", "default": false, {area}}}"#);
        let spec = format!(r#"{{"ltl": "{formula}", "pa": [{proposition}]}}"#);
        let dir = Dir::with(&[("p.c", program), ("s.json", &spec)]);
        let (got, _) = dir.verify(&["s.json", "p.c"]);
        let wanted = match (formula, verdict) {
            // Nothing precedes the first letter: the pulse comes later.
            ("p", _) => "false",
            _ => verdict,
        };
        assert_eq!(got["verdict"], wanted, "{area} {formula}: {got}");
    }
    let spec = r#"{"ltl": "G {a >= 0}", "reach": ["f::_begin"], "assume": [{"at": "f::_begin", "cond": "f::x < 3"}]}"#;
    let dir = Dir::with(&[("p.c", program), ("s.json", spec)]);
    let (got, _) = dir.verify(&["s.json", "p.c"]);
    let reached = &got["properties"][1];
    assert_eq!(reached["name"], "reach _begin in f", "{got}");
    assert_eq!(reached["verdict"], "false", "{got}");
    // Patterns match only labels of the program.
    let spec = r#"{"ltl": "G {a >= 0}", "reach": ["*"]}"#;
    dir.write("s.json", spec);
    let (got, _) = dir.verify(&["s.json", "p.c"]);
    assert_eq!(got["properties"].as_array().unwrap().len(), 2, "{got}");
    let spec = r#"{"ltl": "F p", "pa": [{"name": "p", "default": false, "at": "f", "cond": "1"}]}"#;
    dir.write("s.json", spec);
    let ran = dir.run(&["check", "s.json", "p.c"]);
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("`f::_begin`"), "{ran:?}");
}

/// `check` takes a formula instead of a specification.
#[test]
fn check_takes_a_formula() {
    let dir = Dir::with(&[("p.c", "int x;\nint main(void) { x = 1; return 0; }\n")]);
    let ran = dir.run(&["check", "--ltl", "G {x == 0}", "p.c"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.stdout.contains("x = 1"), "{ran:?}");
    let ran = dir.run(&["check", "--ltl", "G {y == 0}", "p.c"]);
    assert_eq!(ran.status, 3, "{ran:?}");
}

/// A run that is cut after the last assumption exists: its violations count.
#[test]
fn a_cut_behind_the_last_assumption() {
    if !cbmc() {
        return;
    }
    let head =
        "extern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\nint x;\n";
    let verdict = |main: &str| {
        let got = result(&format!("{head}{main}\n"), "G {x < 2}", &["--unwind", "3"]);
        (
            got["verdict"].as_str().unwrap().to_string(),
            got["holds"].as_str().unwrap().to_string(),
        )
    };
    let of = |v: &str, h: &str| (v.to_string(), h.to_string());
    let behind = "int main(void) { __VERIFIER_assume(x == 0); for (;;) x++; }";
    assert_eq!(verdict(behind), of("false", "refuted"));
    for before in [
        "int main(void) { for (;;) { x++; for (int i = 0; i < 9; i++); __VERIFIER_assume(x < 2); } }",
        "void f(void) { x++; x++; for (int i = 0; i < 9; i++); }\nint main(void) { f(); __VERIFIER_assume(x < 2); return 0; }",
        "int main(void) { again: x++; x++; __VERIFIER_assume(x < 2); for (;;) if (__VERIFIER_nondet_int()) goto again; }",
    ] {
        let (got, _) = verdict(before);
        assert_ne!(got, "false", "{before}");
    }
}

/// CBMC keeps only the offset of a pointer in an `int`, so every pointer was 0 there.
#[test]
fn a_pointer_in_a_narrower_integer() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdlib.h>\nint g, h, x;\n\
        void assume_abort_if_not(int c) { if (!c) { abort(); } }\n\
        int same(int a, int b) { return a == b; }\n\
        int main(void) { assume_abort_if_not(&g); int a = (int)(long)&g; int *none = 0;\n\
        if (a && !(int)(long)none && !same((int)(long)&g, (int)(long)&h) && a == (int)(long)&g) x = 1; return 0; }\n";
    let got = result(program, "F {x == 1}", &[]);
    assert_eq!(got["holds"], "proved", "{got}");
    let told = got["assumptions"].to_string();
    assert!(told.contains("narrower integers (first at p.c:5)"), "{got}");
}

/// By rounds, a thread that waits for a lock stood before the preceding write if no other thread
/// can see the write; but the formula is about it.
#[test]
fn a_thread_waits_behind_what_it_has_written() {
    if !cbmc() {
        return;
    }
    let file = repository("tests/regressions/waits_behind_a_letter.c");
    let formula = "G ({asked} -> F {served})";
    for schedules in ["rounds:2", "all"] {
        let program = file.to_str().unwrap();
        let (got, _) = Dir::new().verify(&["--ltl", formula, program, "--schedules", schedules]);
        assert_eq!(got["verdict"], "presumably_false", "{schedules}: {got}");
    }
}

/// By rounds, unlocking was once one step with locking, so that no other thread could try the lock
/// in between.
#[test]
fn a_lock_is_tried_while_another_thread_has_it() {
    if !cbmc() {
        return;
    }
    let file = repository("tests/regressions/tried_between_lock_and_unlock.c");
    let formula = "G {bad == 0}";
    for schedules in ["rounds:2", "all"] {
        let program = file.to_str().unwrap();
        let (got, _) = Dir::new().verify(&["--ltl", formula, program, "--schedules", schedules]);
        assert_eq!(got["verdict"], "false", "{schedules}: {got}");
    }
}

/// A delay that never ends, since no `unsigned char` passes its bound, was skipped: the thread came out of the
/// wait around it.
#[test]
fn a_delay_ends_only_if_its_counter_can_pass_the_bound() {
    if !cbmc() {
        return;
    }
    let file = repository("tests/regressions/endless_delay.c");
    let program = file.to_str().unwrap();
    let formula = "G {late == 0}";
    for schedules in ["rounds:2", "all"] {
        let args = ["--ltl", formula, program, "--schedules", schedules];
        let (got, _) = Dir::new().verify(&args);
        assert_eq!(got["verdict"], "presumably_true", "{schedules}: {got}");
        let (got, _) = Dir::new().verify(&[&args[..], &["-DENDS"]].concat());
        assert_eq!(got["verdict"], "false", "{schedules}: {got}");
    }
}

/// What the compiler's own functions write did not count as written: the state at the head of the loop had no
/// `head`, so that a lasso closed where `head` had changed.
#[test]
fn a_lasso_does_not_close_where_a_function_of_the_compiler_wrote() {
    if !cbmc() {
        return;
    }
    let file = repository("tests/regressions/stored_by_the_compilers_function.c");
    let program = file.to_str().unwrap();
    let args = ["--lasso", "--ltl", "G F {head == 0}", program];
    let (got, _) = Dir::new().verify(&args);
    assert_eq!(got["verdict"], "presumably_false", "{got}");
    let args = ["--lasso", "--ltl", "F G {head == 0}", program];
    let (got, _) = Dir::new().verify(&args);
    assert_eq!(got["verdict"], "false", "{got}");
}

/// A conjunct with a deadline beside one that is no safety property: the negation of the formula forgot the deadline,
/// and the formula was true, and proved, as soon as the other conjunct held.
#[test]
fn a_deadline_is_not_forgotten_beside_an_eventuality() {
    if !cbmc() {
        return;
    }
    let file = repository("tests/regressions/late_after_the_first.c");
    let program = file.to_str().unwrap();
    let formula = "G({request == 1} -> F[0,1] {answer == 1}) && F {answer == 1}";
    let (got, _) = Dir::new().verify(&["--ltl", formula, program]);
    assert_eq!(got["verdict"], "false", "{got}");
}

/// CBMC takes a function of its library that the program declares with other widths for one without a body: `malloc`
/// returned any value, so that what was written through it was not there, and `memset` set nothing.
#[test]
fn a_function_of_the_library_with_another_prototype() {
    if cbmc() {
        let formula = "G {g == 0}";
        assert_eq!(verdict("other_prototype.c", formula, 1), "presumably_true");
        let formula = "F {b[0] == 0}";
        assert_eq!(verdict("other_prototype_writes.c", formula, 1), "true");
    }
}

/// The same where no conversion makes the types those of the library: there is no verdict, and the place is named.
#[test]
fn a_function_of_the_library_with_a_prototype_that_cannot_be_followed() {
    if cbmc() {
        let file = repository("tests/regressions/other_prototype_refused.c");
        let args = ["--ltl", "G {g == 0}", file.to_str().unwrap()];
        let (got, _) = Dir::new().verify(&args);
        let reason = got["reason"].as_str().unwrap();
        assert!(reason.contains("`sqrt`"), "{reason}");
        assert!(reason.contains("other_prototype_refused.c:2"), "{reason}");
    }
}

/// CBMC numbers 256 objects unless it is told more: it refused programs with more of them, such as loops that allocate.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn more_objects_than_the_model_checker_numbers_by_default() {
    if cbmc() {
        let program = "more_objects_than_numbers.c";
        assert_eq!(verdict(program, "G {stored != 14}", 1), "presumably_true");
        assert_eq!(verdict(program, "G {stored != 7}", 1), "false");
    }
}
