//! `prove --engine explicit` explores all states of compiled programs; its answers are compared
//! with the oracle's graphs, the induction and SPIN.
//!
//! `BAPRODUCT_CASES=20` checks twenty times as many generated programs; `BAPRODUCT_SEED=7` checks
//! other programs.

use std::process::Command;

use crate::support::{cases, cbmc, installed, oracle, ran, repository, skip, Dir, AMPLE, FEW};
use serde_json::Value;

/// The answer to one formula, and the property as JSON.
fn prove(dir: &Dir, engine: &str, args: &[&str]) -> (String, Value) {
    let mut all = vec!["prove", "--engine", engine, "--format", "json", "-q"];
    all.extend(args);
    let out = ran(&mut dir.command(&all));
    let result: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let property = result["properties"][0].clone();
    (property["holds"].as_str().unwrap().to_string(), property)
}

fn of(program: &str, formula: &str) -> (String, Value) {
    let dir = Dir::with(&[("prog.c", program)]);
    prove(&dir, "explicit", &["--ltl", formula, "prog.c"])
}

/// An input in one member of a structure has nothing to do with what is computed in another one, unless the program accesses the
/// structure otherwise than by its members' names.
#[test]
fn members_of_a_structure_are_told_apart() {
    if !cbmc() {
        return;
    }
    let program = |more: &str, rest: &str| {
        format!("int nondet_int(void); struct panel {{ int code; int left; }} p, o;\nint s;\n{more}\nint main(void) {{\n  while (1) {{\n    p.code = nondet_int();\n    if (p.code == 7 && s == 0) {{ p.left = 5; s = 1; }}\n    if (p.left > 0) {{ p.left--; if (p.left == 0) s = 0; }}\n    {rest}\n  }}\n}}\n")
    };
    let formula = "G({s == 1} -> F {s == 0})";
    let (holds, property) = of(&program("", ""), formula);
    assert_eq!(holds, "proved", "{property}");
    for (more, rest) in [
        ("int *q = &p.left;", "if (s == 0) *q = p.code;"),
        ("", "if (s == 0) p.left = p.code;"),
        ("", "o = p; if (s == 0) p.left = o.code;"),
        ("", "o = p; if (s == 0) { o.left = o.code; p = o; }"),
    ] {
        let (holds, property) = of(&program(more, rest), formula);
        assert_eq!(holds, "unknown", "{more} {rest}: {property}");
        let reason = property["reason"].as_str().unwrap();
        assert!(reason.contains("is computed with"), "{reason}");
    }
}

/// One value stands for all of an input that is only added up and shown, however often and through whatever places; what something
/// depends on has all its values, and keeps the search from an answer.
#[test]
fn what_is_added_up_and_shown_has_one_value() {
    if !cbmc() {
        return;
    }
    let program = |rest: &str| {
        format!("#include <stdio.h>\nint nondet_int(void);\nint top, last, st[2], on;\nint twice(int n) {{ return 2 * n; }}\nint main(void) {{\n  while (1) {{\n    int v = nondet_int();\n    on = v > 220 || (on && v > 180);\n    last = v;\n    if (top < 2) st[top++] = twice(v) - last;\n    else {{ st[0] = st[0] + st[1]; top = 1; }}\n    {rest}\n    printf(\"%d.%d %d\\n\", last / 10, last % 10, st[0] * 3);\n  }}\n}}\n")
    };
    let formula = "G {top >= 0 && top <= 2}";
    let (holds, property) = of(&program(""), formula);
    assert_eq!(holds, "proved", "{property}");
    let (holds, property) = of(&program(""), "G F {on == 0}");
    assert_eq!(holds, "refuted", "{property}");
    for rest in [
        "if (st[0] == 77) top = 3;",
        "if (last % 10 == 7) top = st[1] > 5 ? 3 : 1;",
    ] {
        let (holds, property) = of(&program(rest), formula);
        assert_ne!(holds, "proved", "{rest}: {property}");
    }
}

/// A loop of a function over an array of its caller is passed if its condition, a part of it, or a statement of its body counts it to
/// an end.
#[test]
fn a_loop_that_a_part_of_its_condition_ends_is_passed() {
    if !cbmc() {
        return;
    }
    let program = |step: &str| {
        format!("int nondet_int(void);\nint len, bad;\nstatic void trim(int *w, int n) {{\n  while (n > 0 && w[n - 1] == 0) {step}\n  len = n;\n}}\nint main(void) {{\n  int w[3] = {{ 0, 0, 0 }}, at = 0;\n  for (;;) {{\n    w[at] = nondet_int() > 5;\n    at = (at + 1) % 3;\n    trim(w, 3);\n    bad = w[2] == 0;\n  }}\n}}\n")
    };
    let counts = program("w[--n] = 7;");
    let (holds, property) = of(&counts, "G {bad == 0}");
    assert_eq!(holds, "proved", "{property}");
    let (holds, property) = of(&counts, "G {len <= 2}");
    assert_eq!(holds, "refuted", "{property}");
    let (holds, property) = of(&program("if (w[0] == 0) w[--n] = 7;"), "G {len <= 3}");
    assert_eq!(holds, "unknown", "{property}");
}

/// What a function of the compiler's copies, or one that a pointer leads to, is no longer told apart.
#[test]
fn what_is_copied_without_a_name_is_not_taken_for_one_value() {
    if !cbmc() {
        return;
    }
    for copy in [
        "__builtin_memcpy(m, &b, sizeof b);",
        "void *(*f)(void *, const void *, unsigned long) = memcpy; f(m, &b, sizeof b);",
        "__atomic_load(&b, m, 5);",
        "m[0] = __atomic_load_n(&b, 5);",
    ] {
        let program = format!("void *memcpy(void *, const void *, unsigned long);\nint nondet_int(void);\nint b, bad;\nint main(void) {{\n  while (1) {{\n    int m[2] = {{ 0, 0 }};\n    b = nondet_int();\n    {copy}\n    bad = m[0] == 12345;\n  }}\n}}\n");
        let (holds, property) = of(&program, "G {bad == 0}");
        assert_ne!(holds, "proved", "{copy}: {property}");
    }
}

/// The members of the elements of an array of structures are told apart, too, unless the program accesses them otherwise than by
/// their names.
#[test]
fn members_of_elements_are_told_apart() {
    if !cbmc() {
        return;
    }
    let program = |more: &str, rest: &str| {
        format!(
            "#include <string.h>\nint nondet_int(void); struct job {{ int left; unsigned char age; }} jobs[2][2], copy;\nint s;\n{more}\n\
            int main(void) {{\n  while (1) {{\n    int n = nondet_int() == 1;\n    if (jobs[0][n].left == 0) jobs[0][n].left = 2; else jobs[0][n].left--;\n\
            \x20   jobs[1][n].age++;\n    {rest}\n  }}\n}}\n"
        )
    };
    let (holds, property) = of(&program("", ""), "G {jobs[0][1].left <= 2 && s == 0}");
    assert_eq!(holds, "proved", "{property}");
    // Not 256 times as many for each age.
    let states = property["proof"]["explored"]["states"].as_u64().unwrap();
    assert!(states < 40, "{property}");
    for (more, rest) in [
        ("", "s = jobs[1][0].age == 5;"),
        ("struct job *p = jobs[1];", "s = p->age == 5;"),
        ("", "s = (*jobs[1]).age == 5;"),
        ("unsigned char *q = &jobs[1][0].age;", "s = *q == 5;"),
        ("", "copy = jobs[1][0]; s = copy.age == 5;"),
        (
            "",
            "memcpy(&copy, jobs[1], sizeof copy); s = copy.age == 5;",
        ),
        (
            "struct job *at(int i) { return &jobs[1][i]; }",
            "s = at(0)->age == 5;",
        ),
    ] {
        let (holds, property) = of(&program(more, rest), "G {s == 0}");
        assert_eq!(holds, "refuted", "{more} {rest}: {property}");
    }
    let (holds, property) = of(&program("", ""), "G {jobs[1][0].age < 5}");
    assert_eq!(holds, "refuted", "{property}");
}

/// What an input is compared with is computed from values that have bounds, or from an object that nothing writes.
#[test]
fn computed_bounds_tell_inputs_apart() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void); static int target = 21, door = -1, heat, steps[2] = { 10, 30 };\n\
        int main(void) {\n  for (;;) {\n    int n = nondet_int(), code = nondet_int(), t = nondet_int();\n    if (n < 0 || n >= 4) continue;\n\
        \x20   if (code == 1000 + 3 * n) door = n;\n    if (code > 1010 - n % 2) door = code == 1011 ? 5 : 4;\n\
        \x20   if (t < target - 2) heat = 1; else if (t == target * 2 + 1) heat = 2; else if (t > steps[n & 1] * 4 / 3 + n) heat = 3;\n  }\n}\n";
    for (formula, expected) in [
        ("G {door >= -1 && door <= 5 && heat <= 3}", "proved"),
        ("G {door != 3}", "refuted"),
        ("G {door != 5}", "refuted"),
        ("G {heat != 2}", "refuted"),
        ("G {heat != 3}", "refuted"),
        ("G ({heat == 1} -> F {heat == 2})", "refuted"),
    ] {
        let (holds, property) = of(program, formula);
        assert_eq!(holds, expected, "{formula}: {property}");
    }
    // What is written again is no constant.
    let changes = program.replace("heat = 3;", "{ heat = 3; target = code; }");
    assert_ne!(of(&changes, "G {heat <= 3}").0, "refuted");
}

/// A converter's result is twelve bits of a register, and is compared with one number.
#[test]
fn low_bits_of_an_input_are_told_apart_by_what_they_are_compared_with() {
    if !cbmc() {
        return;
    }
    let program = |more: &str| {
        format!("unsigned nondet_uint(void); volatile struct {{ unsigned status, data; }} adc;\nint lit;\n\
        int main(void) {{ for (;;) {{ unsigned s = (adc.data = nondet_uint()) & 0xfff; lit = s > 2048; {more} }} }}\n")
    };
    let (holds, property) = of(&program(""), "G {lit <= 1}");
    assert_eq!(holds, "proved", "{property}");
    let states = property["proof"]["explored"]["states"].as_u64().unwrap();
    assert!(states < 20, "{property}");
    // The whole register is looked at elsewhere.
    let (holds, _) = of(&program("if (adc.data > 5000) lit = 3;"), "G {lit <= 1}");
    assert_ne!(holds, "proved");
}

/// A state variable with ranges that rules compute, and one that follows it. `volatile` keeps the search from telling values apart
/// by classes.
const COMPUTED: &str = "int nondet_int(void);
#ifndef KIND
#define KIND
#endif
KIND int a = 20, b = 7;
int mode;
int main(void) {
  while (1) {
    int in = nondet_int();
    if (in < 1 || in > 3) return 0;
    if (in == 1 && a > 13 && a <= 60) { a = (((a % 5) + 30) * 2) / 2; mode = 1; }
    else if (in == 1 && a > 60) { a = a / 5 - -14; b = a * 3 - 20; mode = 2; }
    else if (in == 2 && 60 >= a) { a = (((a * 9) / 10) % 40) + 101; b -= 2000; b %= 90; mode = 3; }
    else if (in == 2) { a = ((a - 61) % 20) + 62; if (b / 3 > 11) mode = 4; }
    else if (!(a <= 140)) { b = -b; mode = 5; }
    else mode = b > 4 ? 6 : 7;
  }
}
";

#[test]
fn classes_of_values_answer_as_all_values_do() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("prog.c", COMPUTED)]);
    // Which are answered by classes: with a proposition about `b`, its sums are not followed; without `b`, its value is of no account.
    let formulas = [
        ("G !{mode == 5}", true),
        ("G {a > 13}", false),
        ("G({mode == 1} -> {a <= 60})", true),
        ("G F {mode == 3}", true),
        ("{mode != 4} W {mode == 3}", true),
        ("G({b < 0} -> F {b >= 0})", false),
    ];
    for (formula, by_classes) in crate::support::sample(formulas, 2) {
        let (holds, property) = prove(&dir, "explicit", &["--ltl", formula, "prog.c"]);
        let all = ["--ltl", formula, "prog.c", "-D", "KIND=volatile"];
        let (wanted, values) = prove(&dir, "explicit", &all);
        assert_eq!(holds, wanted, "{formula}: {property} {values}");
        assert_ne!(holds, "unknown", "{formula}: {property}");
        let states = |of: &Value| of["proof"]["explored"]["states"].as_u64().unwrap();
        assert_eq!(
            by_classes,
            10 * states(&property) < states(&values),
            "{formula}: {property}"
        );
    }
}

/// A member, an element, a local of the main loop and a temporary are computed from each other; `switch` asks for a quotient.
const TERMS: &str = "int nondet_int(void);
#ifndef KIND
#define KIND
#endif
struct state { int step; KIND int level; };
KIND int a = 20, table[2] = {7, 90};
struct state s = {0, -3};
int mode;
int main(void) {
  KIND int kept = 200;
  while (1) {
    int in = nondet_int();
    if (in < 1 || in > 3) return 0;
    if (in == 1 && a > 13) {
      int t = a * s.level % 14999;
      s.level = t % 5 - 100;
      mode = 1;
    } else if (in == 2) {
      switch (table[1] / 1000) {
        case 0: table[1] = a * a % 14999 / 3 % 30 + 1500; mode = 2; break;
        case 1: case 4: table[1] = table[1] % 7 + 20; kept *= s.level; kept = kept % 3 + 200; mode = 3; break;
        default: mode = 7;
      }
    } else if (in == 3 && s.level < a) {
      a = (a - kept) % 4 + 100;
      mode = kept > 150 ? 4 : 5;
    } else mode = 6;
  }
}
";

#[test]
fn values_that_are_computed_from_several_are_told_apart_by_classes() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("prog.c", TERMS)]);
    let formulas = [
        "G {mode != 7}",
        "G {mode != 5}",
        "G({mode == 2} -> F {mode != 2})",
        "{mode != 3} W {mode == 2}",
    ];
    for formula in crate::support::sample(formulas, 2) {
        let (holds, property) = prove(&dir, "explicit", &["--ltl", formula, "prog.c"]);
        let all = ["--ltl", formula, "prog.c", "-D", "KIND=volatile"];
        let (wanted, values) = prove(&dir, "explicit", &all);
        assert_eq!(holds, wanted, "{formula}: {property} {values}");
        assert_ne!(holds, "unknown", "{formula}: {property}");
        let states = |of: &Value| of["proof"]["explored"]["states"].as_u64().unwrap();
        assert!(5 * states(&property) < states(&values), "{property}");
    }
}

/// Whether SPIN is installed; it has no `--version`.
fn spin() -> bool {
    let asked = Command::new("spin").arg("-V").output();
    let found = asked.is_ok_and(|output| output.status.success());
    if !found {
        skip("spin");
    }
    found
}

const LAMP: &str = "int nondet_int(void);\nint on, level;\nint main(void) {\n  while (1) {\n    int key = nondet_int();\n    \
                    if (key == 3) on = 1;\n    else if (key == 4) on = 0;\n    else if (key > 100 && level < 5) level++;\n  }\n}\n";

#[test]
fn inputs_are_told_apart_by_what_they_are_compared_with() {
    if !cbmc() {
        return;
    }
    let (holds, property) = of(LAMP, "G {level <= 5 && on >= 0}");
    assert_eq!(holds, "proved", "{property}");
    assert_eq!(property["evidence"], "complete");
    assert!(property["proof"]["explored"]["states"].as_u64().unwrap() >= 12);
    let (holds, property) = of(LAMP, "G({on == 1} -> F {on == 0})");
    assert_eq!(
        (holds.as_str(), &property["evidence"]),
        ("refuted", &"lasso".into())
    );
    assert!(property["loop"].is_u64() && !property["trace"].as_array().unwrap().is_empty());
}

#[test]
fn a_global_that_is_given_and_compared_has_negative_values() {
    if !cbmc() {
        return;
    }
    // The conversion to a wider unsigned type has constants that no `int` reaches.
    let program = "extern int nondet_int(void);\nint q, bad;\nint main(void) { while (1) { q = nondet_int(); if (q < 0) bad = 1; } }\n";
    assert_eq!(of(program, "G({bad == 0})").0, "refuted");
}

/// A part of a value may lie in another equivalence class than the value: in a bit-field, an
/// initialised member of a structure, the bytes of an object, or after a conversion whose result is
/// bounded.
#[test]
fn what_is_stored_in_a_narrower_place_wraps_around() {
    if !cbmc() {
        return;
    }
    let program = |before: &str, body: &str| {
        format!("int nondet_int(void);\nunsigned nondet_uint(void);\nvoid __VERIFIER_assume(int);\nint y, bad;\n{before}\nint main(void) {{ while (1) {{ {body} }} }}\n")
    };
    let programs = [
        program("struct { unsigned f : 3; } s;", "int x = nondet_int(); s.f = x; if (x > 100 && s.f == 3) bad = 1;"),
        program("", "int x = nondet_int(); struct { int a; unsigned char c; } s = { 0, x }; if (x > 1000 && s.c == 3) bad = 1;"),
        program("", "int x = nondet_int(); unsigned char a[2] = { 1, x }; if (x > 1000 && a[1] == 3) bad = 1;"),
        program("struct { int a; } s;", "s.a = nondet_int(); if (s.a > 1000 && *(unsigned char *)&s == 3) bad = 1;"),
        program("", "int x = nondet_uint(); __VERIFIER_assume(x >= -3 && x <= 3); y = x + 1; if (y < 0) bad = 1;"),
    ];
    let answers: Vec<String> = programs.iter().map(|p| of(p, "G {bad == 0}").0).collect();
    assert_eq!(
        answers,
        ["refuted", "refuted", "refuted", "unknown", "unknown"],
        "every one has a run that violates it"
    );
}

/// If an input is tested at once, and read only where the test holds, it takes the values that pass
/// the test, and one other.
#[test]
fn a_test_around_all_reads_of_an_input_bounds_it() {
    if !cbmc() {
        return;
    }
    let program = |behind: &str| {
        format!("int nondet_int(void);\nstruct {{ unsigned f : 3; }} s;\nint bad, last;\nint main(void) {{ while (1) {{ int r = nondet_int(); if (r >= 0 && r < 8) {{ s.f = r; if (s.f != r) bad = 1; }} {behind} }} }}\n")
    };
    assert_eq!(of(&program(""), "G {bad == 0}").0, "proved");
    // Here the other values enter a computation, too.
    let (holds, property) = of(
        &program("last = r + 1; if (last < -1000) bad = 1;"),
        "G {bad == 0}",
    );
    assert_eq!(holds, "unknown", "{property}");
}

/// What passes a test is told apart by itself: the values that do not pass come to no place behind it. What the test is about must not
/// have changed since.
#[test]
fn a_value_that_is_computed_with_behind_a_test_has_the_values_that_pass() {
    if !cbmc() {
        return;
    }
    let queue = std::fs::read_to_string(repository("tests/prove/scanf_lift.c")).unwrap();
    let moves = "G({moving == 1} -> F {moving == 0})";
    assert_eq!(of(&queue, moves).0, "proved");
    assert_eq!(of(&queue, "G {level <= 2}").0, "refuted");
    let program = |rest: &str| {
        format!("int nondet_int(void);\nint t[6], g, bad;\nint main(void) {{\n  int r = 0;\n  while (1) {{\n    int again = nondet_int();\n    {rest}\n    bad = g > 100;\n    g = 0;\n  }}\n}}\n")
    };
    let read = "r = nondet_int();";
    for (rest, expected) in [
        ("if (r < 0) r = 0; if (r > 5) r = 5; g = t[r] + r;", "proved"),
        ("if (r >= 0 && r < 6) g = r * 2; else if (r == 77) g = r;", "proved"),
        ("if (r < 1 || r > 9) { g = 1; continue; } g = 10 / r;", "proved"),
        // Other values come there, too.
        ("if (r >= 0 && r < 6) { r = nondet_int(); g = r * 2; }", "refuted"),
        ("if (again == 1) goto in; if (r >= 0 && r < 6) { in: g = r * 2; }", "refuted"),
        ("if (r >= 0 && r < 6) while (again > 0) { g = r * 2; r = again; again = nondet_int(); }", "refuted"),
    ] {
        let (holds, property) = of(&program(&format!("{read} {rest}")), "G {bad == 0}");
        assert_eq!(holds, expected, "{rest}: {property}");
    }
}

/// Inputs that enter computations are unbounded and refused with their place; explicit bounds make
/// them finite.
#[test]
fn inputs_that_are_not_finite_are_refused_with_their_place() {
    if !cbmc() {
        return;
    }
    let program = |test: &str| {
        format!("int nondet_int(void);\nint sum;\nint main(void) {{\n  while (1) {{\n    int k = nondet_int();\n{test}    sum = k + 1;\n  }}\n}}\n")
    };
    let holding = "G {sum % 2 <= 1}";
    let (holds, property) = of(&program(""), holding);
    assert_eq!(holds, "unknown");
    let reason = property["reason"].as_str().unwrap();
    assert!(
        reason.contains("prog.c:6") && reason.contains("is computed with"),
        "{reason}"
    );
    let guarded = program("    if (k < 0 || 3 < k) continue;\n");
    assert_eq!(of(&guarded, "G {sum < 5}").0, "proved");
    assert_eq!(of(&guarded, "G {sum < 4}").0, "refuted");
}

/// A discarded run does not count: it does not continue after the assumption.
#[test]
fn runs_that_an_assumption_discards_are_none() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void); void __VERIFIER_assume(int);\nint x;\nint main(void) {\n  while (1) {\n    if (nondet_int() == 1) {\n      \
                   x = 1;\n      while (1) __VERIFIER_assume(nondet_int() != nondet_int() && 0);\n    }\n  }\n}\n";
    let program = program.replace("nondet_int() != nondet_int() && 0", "0");
    assert_eq!(of(&program, "G {x == 0}").0, "proved");
}

/// Static locals once kept their first value in the states of both engines, which led to wrong
/// proofs.
#[test]
fn static_locals_are_part_of_the_state() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nint a = 1;\nint main(void) {\n  static int s = 3;\n  int x = nondet_int() & 3;\n  do {\n    s = (x + 2) & 3;\n    \
                   x = nondet_int() & 1;\n    for (int i = 0; i < 2; i++) if (nondet_int() == 5) a = s;\n  } while (nondet_int() == 1);\n  return 0;\n}\n";
    let dir = Dir::with(&[("prog.c", program)]);
    for engine in ["explicit", "induction"] {
        let (holds, property) = prove(
            &dir,
            engine,
            &["--questions", FEW, "--ltl", "G F {a > 0}", "prog.c"],
        );
        assert_ne!(holds, "proved", "{engine}: {property}");
    }
    assert_eq!(of(program, "G F {a > 0}").0, "refuted");
}

/// The header's `atomic_load` declares a variable that `__atomic_load` gives its value. It once counted as
/// read before it had one.
#[test]
fn atomic_loads_give_their_temporary_variables_a_value() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdatomic.h>\natomic_size_t head; int x;\nint main(void) {\n  while (1) {\n    size_t at = atomic_load(&head);\n    \
                   x = at > 2;\n    int next; if (!__builtin_add_overflow((int)at, 1, &next)) atomic_store(&head, next % 3);\n  }\n}\n";
    let program = program.replace("size_t at", "__SIZE_TYPE__ at");
    assert_eq!(of(&program, "G {x == 0}").0, "proved");
    assert_eq!(of(&program, "G F {head == 0}").0, "proved");
}

/// Undefined behaviour ends the search, which then proves nothing.
#[test]
fn undefined_behaviour_is_no_proof() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nint a[3], n, d;\nint main(void) { while (1) { if (nondet_int() == 1) n = 6 / d; } }\n";
    let (holds, property) = of(program, "G {a[0] == 0 && n >= 0}");
    assert_eq!(holds, "unknown");
    assert!(
        property["reason"].as_str().unwrap().contains("undefined"),
        "{property}"
    );
}

/// No answer contradicts the oracle's full graph of states, and few programs are left open.
/// A run in which a signed integer overflows is no run of the program. A violation by such a run once counted.
#[test]
fn a_violation_by_the_search_of_all_states_never_rests_on_an_overflow() {
    if !cbmc() {
        return;
    }
    let program = |other: &str| {
        format!("int nondet_int(void);\nint bad;\nint main(void) {{\n  int x = 2147483646;\n  for (;;) {{\n    int c = nondet_int();\n    if (c == 7) {{\n      x = x + 1;\n      if (x < 0) {{ bad = 1; x = 0; }}\n    }}\n    {other}\n    if (x < 2147483646) x = 2147483646;\n  }}\n}}\n")
    };
    let (holds, property) = of(&program(""), "G {bad == 0}");
    assert_eq!(holds, "unknown", "{property}");
    let reason = property["reason"].as_str().unwrap();
    assert!(
        reason.contains("a signed integer overflows, at prog.c:8"),
        "{reason}"
    );
    // Another run without an overflow violates the formula, although a shorter one has an overflow.
    let longer = "if (c == 9 && x == 2147483647) bad++; if (bad > 0 && bad < 5) bad++;";
    let (holds, property) = of(&program(longer), "G {bad < 1}");
    assert_eq!(holds, "refuted", "{property}");
    // Wrapped values do no harm where the formula holds on them, too.
    let (holds, property) = of(&program(""), "G {bad >= 0}");
    assert_eq!(holds, "proved", "{property}");
}

#[test]
fn generated_programs_have_the_oracles_answers() {
    if !installed("python3") || !cbmc() {
        return;
    }
    let count = cases(12);
    let seed: u64 = std::env::var("BAPRODUCT_SEED")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(0);
    let dir = Dir::new();
    let generated = ran(Command::new("python3")
        .arg(repository("tests/oracle/generate.py"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args([
            "--kind",
            "lasso",
            "--seed",
            &(500 + 1000 * seed).to_string(),
        ])
        .args(["--count", &count.to_string()])
        .arg(dir.path("cases")));
    assert_eq!(generated.status, 0, "{generated:?}");
    let (mut wrong, mut open) = (Vec::new(), Vec::new());
    for case in (0..count).map(|i| dir.path(&format!("cases/case_{i}"))) {
        let read = |name: &str| std::fs::read_to_string(case.join(name)).unwrap();
        let expected: Value = serde_json::from_str(&read("expected.json")).unwrap();
        let here = Dir::with(&[
            ("prog.c", &read("prog.c")),
            ("spec.json", &read("spec.json")),
        ]);
        let (got, property) = prove(&here, "explicit", &["spec.json", "prog.c"]);
        let truth = if expected["violated"] == true {
            "refuted"
        } else {
            "proved"
        };
        match got.as_str() {
            "unknown" => open.push(property["reason"].clone()),
            got if got != truth => wrong.push(format!("{case:?}: {got}, not {truth}")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(open.len() * 4 <= count, "{open:#?}");
}

/// SPIN's search of the same states has the same answers, if it has any.
#[test]
fn spin_agrees() {
    if !spin() || !cbmc() {
        return;
    }
    let dir = Dir::with(&[("lamp.c", LAMP)]);
    let rows = [
        ("G {level <= 5}", "proved"),
        ("G({on == 1} -> F {on == 0})", "refuted"),
        ("F G {level > 0}", "refuted"),
        ("G({level == 5} -> X G {level == 5})", "proved"),
    ];
    for (formula, expected) in crate::support::sample(rows, 4) {
        let (holds, property) = prove(&dir, "spin", &["--ltl", formula, "lamp.c"]);
        assert_eq!(holds, expected, "{formula}: {property}");
    }
    let ends = "int nondet_int(void); void __VERIFIER_assume(int);\nint x;\nint main(void) {\n  while (1) {\n    int k = nondet_int();\n    \
                if (k == 1) { x = 1; while (1) __VERIFIER_assume(0); }\n    if (k == 2) { x = 2; return 0; }\n  }\n}\n";
    let dir = Dir::with(&[("ends.c", ends)]);
    for (formula, expected) in [
        ("G {x != 1}", "proved"),
        ("G F {x == 0}", "refuted"),
        ("F {x == 2}", "refuted"),
    ] {
        let (holds, property) = prove(&dir, "spin", &["--ltl", formula, "ends.c"]);
        assert_eq!(holds, expected, "{formula}: {property}");
    }
}

/// Values that the specification gives to an input are the ones that are tried, even a single one.
#[test]
fn values_of_the_specification_are_the_inputs() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void);\nint level;\nint main(void) {\n  while (1) level = nondet_int();\n}\n";
    for (values, formula, expected) in [
        (r#""values": [5]"#, "X(G {level == 5})", "proved"),
        (r#""values": [5, 7]"#, "G(F {level == 5})", "refuted"),
        (
            r#""values": [5, 7]"#,
            "X(G({level == 5} || {level == 7}))",
            "proved",
        ),
        (
            r#""range": [-2, 3]"#,
            "G {level >= -2 && level <= 3}",
            "proved",
        ),
        (r#""range": [-2, 3]"#, "G {level != 3}", "refuted"),
    ] {
        let spec =
            format!(r#"{{"ltl": "{formula}", "inputs": [{{"call": "nondet_int", {values}}}]}}"#);
        let dir = Dir::with(&[("prog.c", program), ("spec.json", &spec)]);
        let (holds, property) = prove(&dir, "explicit", &["spec.json", "prog.c"]);
        assert_eq!(holds, expected, "{values}, {formula}: {property}");
    }
}

/// Inputs that are stored in narrow types, bit-fields and `_Bool`, converted, and compared with
/// constants of several types.
#[test]
fn given_values_have_the_oracles_answers() {
    if !cbmc() {
        return;
    }
    let Some(generated) = oracle::made_by("given.py", 8, 5, &[]) else {
        return;
    };
    generated.agree_on_all_runs(|case| of(&case.program_text(), case.formula()).0);
}

/// A local that a function gives a value only if it says so has no values of its own: one mark stands for all of them, and a
/// run that reads it all the same is followed with each of them, or is no ground for a proof.
#[test]
fn a_local_without_a_value_is_not_taken_to_have_one() {
    if !cbmc() {
        return;
    }
    let begin =
        "int nondet_int(void); void *memcpy(void *, const void *, unsigned long); int bad;\n\
        struct two { unsigned char a, b; };\n\
        static int get(unsigned char *p) { if (nondet_int()) { *p = 3; return 1; } return 0; }\n\
        static int is(const unsigned char *p) { return *p == 7; }\n";
    let cases = [
        (
            "int v; unsigned char c; if (get(&c)) { v = c; if (v != 3) bad = 1; }",
            "proved",
        ),
        ("unsigned char v; if (get(&v) && v != 3) bad = 1;", "proved"),
        ("unsigned char v; get(&v); if (v == 7) bad = 1;", "refuted"),
        (
            "unsigned char v; if (nondet_int()) v = 1; if (v == 7) bad = 1;",
            "refuted",
        ),
        ("unsigned char v; get(&v); if (is(&v)) bad = 1;", "refuted"),
        (
            "unsigned char v, w = 0; get(&v); memcpy(&w, &v, 1); if (w == 7) bad = 1;",
            "refuted",
        ),
        (
            "struct two v, w; get(&v.a); w = v; if (w.b == 7) bad = 1;",
            "unknown",
        ),
        (
            "struct two v; v.b = 1; if (get(&v.a) && v.a + v.b != 4) bad = 1;",
            "proved",
        ),
        (
            "int v; *(char *)&v = 1; if (v * nondet_int() == 7) bad = 1;",
            "refuted",
        ),
    ];
    for (body, expected) in cases {
        let program = format!("{begin}int main(void) {{ while (1) {{ {body} }} }}\n");
        let (holds, property) = of(&program, "G {bad == 0}");
        assert_eq!(holds, expected, "{body}: {property}");
    }
}

/// Functions without a body that change nothing, inputs that a condition reads, and functions of the library that look into a line
/// of text: `strtol` with the place where the number ends, `strcspn`, several `strcmp` in a row.
#[test]
fn what_programs_do_with_a_line_is_followed() {
    if !cbmc() {
        return;
    }
    let paced = "void wait_second(void);\nint x;\nint main(void) { while (1) { x = 1 - x; wait_second(); } }\n";
    let summed = "#include <stdio.h>\nint s;\nint main(void) { int c; while ((c = getchar()) != EOF) s = (s + c) & 1; return 0; }\n";
    let lines = |body: &str| {
        format!("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint x, bad;\nint main(void) {{\n  char line[8]; char *end;\n  while (fgets(line, sizeof line, stdin)) {{ {body} }}\n  return 0;\n}}\n")
    };
    let number = lines("long v = strtol(line, &end, 10); bad = end == line; if (!bad && v >= 0 && v < 4) x = (int)v;");
    let commands = lines("line[strcspn(line, \"\\n\")] = 0; if (strcmp(line, \"on\") == 0) x = 1; else if (strcmp(line, \"off\") == 0) x = 0;");
    let ends = "#include <stdio.h>\nint x;\nint main(void) {\n  char line[4];\n  while (fgets(line, sizeof line, stdin)) {\n    int n = 0;\n    for (int i = 0; line[i]; i++) n += line[i] == '\\n';\n    x = n;\n  }\n}\n";
    for (program, formula, expected) in [
        // No line goes on behind its end.
        (ends, "G {x <= 1}", "unknown"),
        (ends, "G {x == 0}", "refuted"),
        (paced, "G F {x == 1}", "proved"),
        (paced, "G {x == 0}", "refuted"),
        (summed, "G {s == 0 || s == 1}", "proved"),
        (summed, "G {s == 0}", "refuted"),
        (&number, "G {x < 4}", "proved"),
        // What rests on a contract is no violation, but a line shows one.
        (&number, "G {x < 3}", "refuted"),
        (&commands, "G {x == 0 || x == 1}", "proved"),
    ] {
        let (holds, property) = of(program, formula);
        assert_eq!(holds, expected, "{program}{formula}: {property}");
    }
}

/// An input that is compared with a place is told apart only within the values that the place may hold; these are all values where
/// something else is stored there.
#[test]
fn inputs_are_compared_with_what_places_hold() {
    if !cbmc() {
        return;
    }
    let program = |more: &str| {
        format!("#include <string.h>\nint in(void);\nint queue[2], n, hit;\nint main(void) {{\n  while (1) {{\n    int w = in();\n    for (int i = 0; i < 2; i++) if (queue[i] == w && w > 50) hit = 1;\n    if ((w == 1 || w == 3) && n < 2) queue[n++] = w;\n    {more}\n  }}\n}}\n")
    };
    let (holds, property) = of(&program(""), "G {hit == 0}");
    assert_eq!(holds, "proved", "{property}");
    for more in [
        "if (w == 77) queue[0] = w;",
        "queue[0] = 77;",
        "queue[0] = n ? 77 : queue[1];",
        "if (queue[0] < 90) queue[0]++;",
        "if (queue[0] < 90) queue[0] += 9;",
        "int *p = queue; *p = 77;",
        "memset(queue, 77, sizeof queue);",
    ] {
        let (holds, property) = of(&program(more), "G {hit == 0}");
        assert_ne!(holds, "proved", "{more}: {property}");
    }
}

/// A byte that is read has a few values where it is compared with a size, and one place that says which.
#[test]
fn a_byte_that_is_read_is_an_input_with_a_place() {
    if !cbmc() {
        return;
    }
    let program = "#include <unistd.h>\nenum { START, LEN, BODY, DONE, BAD } st;\nunsigned char buf[4];\nunsigned len, got;\n\
        static void feed(unsigned char c) {\n  switch (st) {\n  case START: st = c == 0x7e ? LEN : START; break;\n\
        \x20 case LEN: if (c > LIMIT) st = BAD; else { len = c; got = 0; st = c ? BODY : DONE; } break;\n\
        \x20 case BODY: buf[got++] = c; if (got == len) st = DONE; break;\n  default: st = START; break;\n  }\n}\n\
        int main(void) {\n  unsigned char c;\n  while (read(0, &c, 1) == 1) feed(c);\n  return 0;\n}\n";
    let right = program.replace("LIMIT", "sizeof buf");
    let (holds, property) = of(&right, "G {got <= 4}");
    assert_eq!(holds, "proved", "{property}");
    let states = property["proof"]["explored"]["states"].as_u64().unwrap();
    assert!(states < 1000, "{property}");
    // The length is signed here, and what is negative is no small length.
    let signed = right
        .replace("unsigned char c", "signed char c")
        .replace("&c", "(unsigned char *)&c");
    let (holds, property) = of(
        &signed.replace("sizeof buf", "(int)sizeof buf"),
        "G {len <= 4}",
    );
    assert_eq!(holds, "refuted", "{property}");
}

/// A program without threads that allocates in a loop has its states in step form, where what is allocated has names. The other
/// engines do not look for what they cannot follow.
#[test]
fn lists_in_allocated_memory_are_states() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdio.h>\n#include <stdlib.h>\nstruct node { int value; struct node *next; } *head;\nint count, last = -1;\n\
        static void push(int v) {\n  struct node *n = malloc(sizeof *n);\n  n->value = v; n->next = head; head = n; count++;\n}\n\
        static void pop(void) {\n  struct node *n = head;\n  if (!n) return;\n  last = n->value; head = n->next; count--;\n  FREE(n);\n}\n\
        int main(void) {\n  int c;\n  while ((c = getchar()) != EOF) { if (c == '+' && count < 4) push(count); else if (c == '-') pop(); }\n\
        \x20 while (head) pop();\n  return 0;\n}\n";
    let dir = Dir::new();
    dir.write("list.c", program.replace("FREE(n)", "free(n)"));
    for (formula, expected) in [
        ("G({count >= 0 && count <= 4} && {last < 4})", "proved"),
        ("G {last < 3}", "refuted"),
    ] {
        let engine = ["--engine", "explicit", "--ltl", formula];
        let (result, _) = dir.verify(&[engine.as_slice(), &["--budget", AMPLE, "list.c"]].concat());
        let property = &result["properties"][0];
        assert_eq!(property["holds"], expected, "{formula}: {property}");
    }
    // There is room for as many objects as the program counts.
    let longer = program
        .replace("FREE(n)", "free(n)")
        .replace("count < 4", "count < 12");
    dir.write("list.c", longer.replace("push(count)", "push(0)"));
    let (holds, property) = prove(&dir, "explicit", &["--ltl", "G {count <= 12}", "list.c"]);
    assert_eq!(holds, "proved", "{property}");
    // Without a call that frees, some run needs more objects than there are, which is no proof.
    dir.write("list.c", program.replace("FREE(n)", "(void)n"));
    let (holds, property) = prove(&dir, "explicit", &["--ltl", "G {count <= 4}", "list.c"]);
    assert_eq!(holds, "unknown", "{property}");
    let (holds, property) = prove(&dir, "explicit", &["--ltl", "G {last < 3}", "list.c"]);
    assert_eq!(holds, "refuted", "{property}");
}

/// Marks cannot be put into registers: where there was none to put, the search tried without end to do without them.
#[test]
fn programs_with_registers_are_searched() {
    if !cbmc() {
        return;
    }
    let program = |more: &str| {
        format!("int x, a[2];\nint main(void) {{ register int i; {more} for (i = 0; i < 3; i++) x ^= 1; while (1) x ^= a[x]; }}\n")
    };
    let (holds, property) = of(&program(""), "G {x < 2}");
    assert_eq!(holds, "proved", "{property}");
    // What would have to be marked has no answer.
    let read = "int n[2]; if (x) n[1] = a[0]; x ^= n[1] & 1;";
    let (holds, property) = of(&program(read), "G {x < 2}");
    assert_eq!(holds, "unknown", "{property}");
    let reason = property["reason"].as_str().unwrap();
    assert!(
        reason.contains("`n` may be read before it has a value"),
        "{property}"
    );
}

#[test]
fn an_input_that_a_loop_counts_down_has_few_values() {
    if !cbmc() {
        return;
    }
    let program = |condition: &str, behind: &str| {
        format!(
            "int nondet_int(void);\nstatic int level, last;\nint main(void) {{\n  for (;;) {{\n    int n = nondet_int();\n\
            \x20   if (n > 5) n = 5;\n    level = 0;\n    while ({condition}) level++;\n    {behind}\n  }}\n}}\n"
        )
    };
    for (condition, most) in [
        ("n-- > 0", 5),
        ("0 <= --n", 5),
        ("n-- > 2", 3),
        ("--n > 0", 4),
    ] {
        for (bound, expected) in [(most, "proved"), (most - 1, "refuted")] {
            let formula = format!("G {{level <= {bound}}}");
            let (holds, property) = of(&program(condition, ""), &formula);
            assert_eq!(holds, expected, "{condition}: {formula}: {property}");
        }
    }
    // What is counted further is read behind the loop: each value makes a difference.
    let (holds, property) = of(&program("n-- > 0", "last = n;"), "G {last >= -1}");
    assert_ne!(holds, "proved", "{property}");
}

/// How many characters a conversion prints is not computed: the search took any number, and refuted what every run satisfies. That the
/// output fails is a run, and a text without conversions has its length.
#[test]
fn numbers_of_printed_characters_refute_nothing_alone() {
    if !cbmc() {
        return;
    }
    let counted =
        "n = printf(\"%d %s\\n\", 12, \"ab\"); if (n >= 0 && n != 6) bad = 1; if (n < 0) less = 1;";
    for (body, formula, expected) in [
        (counted, "G {bad == 0}", "unknown"),
        (counted, "G {less == 0}", "refuted"),
        (counted, "G {n < 1000}", "unknown"),
        ("n = printf(\"abc\");", "G {n != 3}", "refuted"),
        ("n = printf(\"abc\");", "G {n <= 3}", "proved"),
    ] {
        let program = format!(
            "#include <stdio.h>\nint bad, less, n;\nint main(void) {{ {body} return 0; }}\n"
        );
        let (holds, property) = of(&program, formula);
        assert_eq!(holds, expected, "{formula}: {property}");
    }
}
