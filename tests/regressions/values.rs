//! Values that a model checker computes otherwise than the compiler does: the monitored program has to have the
//! compiler's, in `main` and in a thread.

use super::verdict;
use crate::support::{cbmc, repository, Dir};

/// Checks that a program satisfies a formula if a thread executes the body of its `main`.
fn in_a_thread(program: &str, formula: &str) {
    let file = repository(&format!("tests/regressions/{program}"));
    let text = std::fs::read_to_string(file).unwrap();
    let threaded = text.replace("int main(void) {", "void *work(void *of) {")
        + "#include <pthread.h>\nint main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }\n";
    let dir = Dir::with(&[("threaded.c", &threaded)]);
    let args = ["--ltl", formula, "threaded.c", "--schedules"];
    for schedules in ["all", "rounds:1"] {
        let (result, _) = dir.verify(&[&args[..], &[schedules]].concat());
        assert_eq!(result["verdict"], "true", "{schedules}: {result}");
    }
}

/// `p = (struct point){p.y, p.x}`: CBMC reads the second member after it has written the first.
#[test]
fn a_structure_may_be_made_from_members_of_its_target() {
    if !cbmc() {
        return;
    }
    let formula = "F {right == 9}";
    assert_eq!(verdict("made_of_its_target.c", formula, 1), "true");
    in_a_thread("made_of_its_target.c", formula);
}

/// CBMC computes with operands of enumerated types as `int`, the compiler as `unsigned int`.
#[test]
fn an_enumeration_without_negative_constants_is_unsigned() {
    if !cbmc() {
        return;
    }
    let formula = "F {bad == 1023} && F {watched == 0x1fffffff}";
    assert_eq!(verdict("enumerations.c", formula, 1), "true");
    in_a_thread("enumerations.c", formula);
    let file = repository("tests/regressions/enumerations.c");
    let program = file.to_str().unwrap();
    let args = ["--ltl", formula, program, "--backend", "native"];
    let (result, _) = Dir::new().verify(&args);
    assert_eq!(result["verdict"], "true", "{result}");
}

#[test]
fn conditions_take_enumerations_as_the_compiler_does() {
    if !cbmc() {
        return;
    }
    for formula in ["F {v > B}", "F {-v - 1 > 0}", "F {v / 2 > 3}"] {
        assert_eq!(
            verdict("enumerated_condition.c", formula, 1),
            "true",
            "{formula}"
        );
    }
}

/// CBMC (bit-fields) and ESBMC (all) convert to one bit before they compute: `1 ^ 2` was 0, and `1
/// & 2` was 1.
#[test]
fn truth_values_are_computed_with_in_full() {
    if !cbmc() {
        return;
    }
    let file = repository("tests/regressions/truth_values_in_parts.c");
    let program = file.to_str().unwrap();
    let watched = "F {main::done == 1 && main::turned == 1 && main::taken == 0}";
    for formula in ["F {main::done == 1}", watched] {
        let args = ["-DBITS", "--unwind", "1", "--ltl", formula, program];
        let (result, _) = Dir::new().verify(&args);
        assert_eq!(result["verdict"], "true", "{formula}: {result}");
    }
}

/// The search of all states once took the results of functions with output for 0.
#[test]
fn functions_with_output_return_any_value() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdio.h>\n#include <string.h>\n#include <errno.h>\nint printed, wrote, failed, told, n;\n\
        int main(void) {\n  int r = printf(\"x\\n\");\n  if (r > 0) printed = 1;\n  if (fwrite(&n, sizeof n, 1, stdout) == 1) wrote = 1;\n\
        \x20 if (fflush(stdout) == EOF) { failed = 1; fprintf(stderr, \"%s\\n\", strerror(errno)); }\n\
        \x20 if (strerror(n) == NULL) told = 1;\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    for (condition, expected) in [
        ("printed", "refuted"),
        ("wrote", "refuted"),
        ("failed", "refuted"),
        ("told", "proved"),
    ] {
        let formula = format!("G !{{{condition}}}");
        let (result, _) = dir.verify(&["--ltl", &formula, "p.c", "--engine", "explicit"]);
        assert_eq!(result["holds"], expected, "{condition}: {result}");
    }
}

/// Bit-fields that are wider than `int` (gcc computes in their width), complex numbers, wide literals, comparisons without
/// exceptions, `int : 0` behind another member.
#[test]
fn constructs_that_model_checkers_compute_otherwise() {
    if !cbmc() {
        return;
    }
    let formula = "F {checks == 72} && G {wrong == 0}";
    assert_eq!(verdict("computed_as_gcc.c", formula, 3), "presumably_true");
    let file = repository("tests/regressions/computed_as_gcc.c");
    let program = file.to_str().unwrap();
    let args = ["--ltl", formula, program, "--backend", "native"];
    let (result, _) = Dir::new().verify(&args);
    assert_eq!(result["verdict"], "presumably_true", "{result}");
}

/// `printf("hello\n") != 6` was refuted, since a model checker lets the call return anything.
#[test]
fn how_much_is_printed_is_no_ground_of_a_refutation() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdio.h>\nint wrong, right;\nint main(void) {\n  if (printf(\"hello\\n\") != 6) wrong = 1; else right = 1;\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let formulas = ["--ltl", "G {wrong == 0}", "--ltl", "G {right == 0}"];
    let (result, _) = dir.verify(&[&["p.c", "--engine", "bounded"], &formulas[..]].concat());
    let holds = [0, 1].map(|of| result["properties"][of]["holds"].clone());
    assert_eq!(holds, ["unknown", "refuted"], "{result}");
    let reason = result["properties"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("`printf` may give values"), "{reason}");
    // The search of all states knows the length, and that an output may fail.
    let (result, _) = dir.verify(&["p.c", "--engine", "explicit", "--ltl", "G {wrong == 0}"]);
    let trace = result["properties"][0]["trace"].to_string();
    assert!(trace.contains("gives -1"), "{result}");
}

/// A constant that its type does not have, as in `(int)2147483648.0f`, counted as defined.
#[test]
fn constants_that_their_type_does_not_have_are_undefined() {
    if !cbmc() {
        return;
    }
    let program = "int wrong;\nint main(void) {\n  int i = (int)2147483648.0f;\n  if (i != 2147483647) wrong = 1;\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let args = ["--ltl", "G {wrong == 0}", "p.c", "--engine", "bounded"];
    let (result, _) = dir.verify(&args);
    assert_eq!(result["properties"][0]["defined"], false, "{result}");
}

/// What `__builtin_constant_p` says rests on what a compiler finds out.
#[test]
fn constants_of_the_compiler_are_an_assumption() {
    if !cbmc() {
        return;
    }
    let program = |e: &str| {
        format!("int found;\nint main(void) {{\n  int n = 3;\n  if (__builtin_constant_p({e})) found = 1;\n  return 0;\n}}\n")
    };
    for (e, formula, is_told) in [
        ("n", "G {found == 0}", true),
        ("3", "F {found == 1}", false),
    ] {
        let dir = Dir::with(&[("p.c", &program(e))]);
        let (result, _) = dir.verify(&["--ltl", formula, "p.c", "--engine", "bounded"]);
        assert_eq!(result["holds"], "proved", "{result}");
        let told = result["assumptions"].to_string();
        assert_eq!(told.contains("__builtin_constant_p"), is_told, "{told}");
    }
}

/// A compiler may compute `llabs` itself, whatever the program's own function does: the search that compiles the program has
/// another answer than CBMC where that is something else.
#[test]
fn functions_in_the_place_of_the_librarys_are_an_assumption() {
    let program = |kind: &str| {
        format!("int wrong;\n{kind}long long llabs(long long n) {{ wrong = 1; return n; }}\nint main(void) {{ return llabs(3) != 3; }}\n")
    };
    for (kind, is_told) in [("", true), ("static ", false)] {
        let dir = Dir::with(&[("p.c", &program(kind))]);
        let args = ["--ltl", "G {wrong == 0}", "p.c", "--engine", "explicit"];
        let (result, _) = dir.verify(&args);
        let told = result["assumptions"].to_string();
        assert_eq!(told.contains("in their place: llabs"), is_told, "{told}");
    }
}

/// What was stored in a union with an array of more than 64 elements was lost: reads gave 0.
#[test]
fn long_arrays_in_unions_keep_what_is_stored() {
    if !cbmc() {
        return;
    }
    let program = "#include <string.h>\nunion packet { unsigned char bytes[100]; struct { unsigned short kind, length; unsigned char data[96]; } p; } packet, other;\nint nondet_int(void); int seen, wrong;\nint main(void) {\n  packet.bytes[0] = 7; packet.p.length = 300; packet.p.data[2] = 9;\n  if (packet.p.kind != 7 || packet.bytes[2] + 256 * packet.bytes[3] != 300 || packet.bytes[6] != 9) wrong = 1;\n  unsigned char *p = packet.bytes + 10; *p++ = 'a'; *p++ = 0;\n  if (strlen((char *)packet.bytes + 10) != 1) wrong = 2;\n  other = packet;\n  int i = nondet_int(); if (i < 0 || i > 95) return 0;\n  other.p.data[i] = 77; if (other.bytes[i + 4] == 77) seen = 1; else wrong = 3;\n  return 0;\n}\n";
    let dir = Dir::with(&[
        ("p.c", program),
        ("long.c", &program.replace("100]", "2000]")),
    ]);
    let formulas = ["--ltl", "G {wrong == 0}", "--ltl", "G {seen == 0}"];
    let (result, _) = dir.verify(&[&["p.c"], &formulas[..]].concat());
    let verdicts = [0, 1].map(|of| result["properties"][of]["verdict"].clone());
    assert_eq!(verdicts, ["presumably_true", "false"], "{result}");
    let ran = dir.run(&[&["verify", "long.c"], &formulas[..]].concat());
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(
        ran.stderr.contains("an array of 2000 elements in a union"),
        "{ran:?}"
    );
}

/// Under `#pragma pack` model checkers align unions otherwise, and on an 80386 numbers of 64 bits.
#[test]
fn layouts_of_packed_unions_and_of_an_80386_are_refused_where_they_show() {
    let packed = "#pragma pack(2)\nunion u { long long a; char b[9]; };\nstruct s { char c; union u v; char d; } x;\n#pragma pack()\n";
    let long = "struct s { char c; long long v; } x;\n\n\n\n";
    let m32 = &["--target", "ilp32"][..];
    for (types, target, line, place) in [
        (packed, &[][..], "a = sizeof x;", true),
        (packed, &[], "a = *((char *)&x + 13);", true),
        (packed, &[], "x.v.a = 7; a = x.v.b[0];", false),
        (long, m32, "a = sizeof(struct s) == 12;", true),
        (
            long,
            m32,
            "__builtin_memset(&x, 0, sizeof x); a = x.v;",
            false,
        ),
        (long, &[], "a = sizeof(struct s) == 16;", false),
    ] {
        let program = format!("{types}int a;\nint main(void) {{ {line} return 0; }}\n");
        let dir = Dir::with(&[("p.c", &program)]);
        let args = [
            "verify",
            "--engine",
            "bounded",
            "--ltl",
            "G {a >= 0}",
            "p.c",
        ];
        let ran = dir.run(&[&args[..], target].concat());
        match place {
            true => assert_eq!(ran.status, 3, "{program}{ran:?}"),
            false if cbmc() => assert_eq!(ran.status, 0, "{program}{ran:?}"),
            false => {}
        }
        assert_eq!(ran.stderr.contains("p.c:6:"), place, "{program}{ran:?}");
    }
}

/// Sizes of structures in which bit-fields have attributes of their own, and the alignment of a function, were other ones than the
/// compiler's.
#[test]
fn layouts_that_model_checkers_have_otherwise_are_refused() {
    let structure = "struct s { int a : 3 __attribute__((packed)); unsigned b : 7 __attribute__((aligned(4))); char c; } x;\n";
    for (line, place) in [
        ("a = sizeof(struct s)", Some("2:29")),
        ("struct s *p = (void *)&a; a = p->a", Some("2:")),
        ("a = __alignof__(main)", Some("2:29")),
        ("x.b = 7; a = x.b", None),
    ] {
        let program = format!("{structure}int a; int main(void) {{ {line}; return 0; }}\n");
        let dir = Dir::with(&[("p.c", &program)]);
        let ran = dir.run(&[
            "verify",
            "--engine",
            "bounded",
            "--ltl",
            "F {a == 7}",
            "p.c",
        ]);
        match place {
            Some(place) => {
                assert_eq!(ran.status, 3, "{line}: {ran:?}");
                assert!(
                    ran.stderr.contains(&format!("p.c:{place}")),
                    "{line}: {ran:?}"
                );
            }
            None if cbmc() => assert_eq!(ran.status, 0, "{line}: {ran:?}"),
            None => {}
        }
    }
}
