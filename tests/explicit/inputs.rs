//! Inputs: which of their values the search of all states tells apart.

use super::{of, prove, LAMP};
use crate::support::{cbmc, repository, Dir};
use serde_json::Value;

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
#[ignore = "takes long: scripts/test --thorough"]
fn what_is_added_up_and_shown_has_one_value() {
    if !cbmc() {
        return;
    }
    let program = |rest: &str| {
        format!("#include <stdio.h>\nint nondet_int(void);\nint top, last, on;\nunsigned st[2];\nint twice(int n) {{ return 2 * n; }}\nint main(void) {{\n  while (1) {{\n    int v = nondet_int();\n    on = v > 220 || (on && v > 180);\n    last = v;\n    if (top < 2) st[top++] = twice(v) - last;\n    else {{ st[0] = st[0] + st[1]; top = 1; }}\n    {rest}\n    printf(\"%d.%d %u\\n\", last / 10, last % 10, st[0] * 3);\n  }}\n}}\n")
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
#[ignore = "takes long: scripts/test --thorough"]
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
#[ignore = "takes long: scripts/test --thorough"]
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

/// A remainder that is stored is an input as it is, not a value that the program has computed from one.
#[test]
fn a_stored_remainder_of_an_input_is_an_index() {
    if !cbmc() {
        return;
    }
    for (first, index) in [("unsigned f;", ""), ("", "static unsigned f;")] {
        let program = format!(
            "#include <stdbool.h>\nunsigned nondet_uint(void); bool wanted[3]; {index}\n\
             int main(void) {{ {first} for (;;) {{ f = nondet_uint() % 3; wanted[f] = true; }} }}\n"
        );
        let (holds, _) = of(&program, "G !{wanted[0] && wanted[1] && wanted[2]}");
        assert_eq!(holds, "refuted", "{program}");
    }
}

/// Masks and remainders that change no value that an input has, as `c & 0xff` with an `unsigned char`: all that depends on the value does.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_mask_that_takes_all_bits_changes_nothing() {
    if !cbmc() {
        return;
    }
    for body in [
        "unsigned char c = nondet_uchar(); if ((c & 0xff) == 'a') seen[3] = 1;",
        "unsigned char c = nondet_uchar() & 7; seen[c & 15] = 1;",
        "unsigned char c = nondet_uchar() % 8u; if ((c & 15) == 3) seen[3] = 1;",
        "unsigned char c = nondet_uchar() % 5u; if (c % 8 == 3) seen[3] = 1;",
        "unsigned char c = nondet_uchar(); if (c % 300 == 200) seen[3] = 1;",
    ] {
        let program = format!(
            "unsigned char nondet_uchar(void); int seen[16];\nint main(void) {{ for (;;) {{ {body} }} }}\n"
        );
        let (holds, _) = of(&program, "G {seen[3] == 0}");
        assert_eq!(holds, "refuted", "{body}");
    }
    // What a comparison tells apart are three values.
    let program = "unsigned char nondet_uchar(void); int seen;\n\
        int main(void) { for (;;) { unsigned char c = nondet_uchar(); seen = (c & 0xff) == 'a'; } }\n";
    let (holds, property) = of(program, "G {seen <= 1}");
    assert_eq!(holds, "proved", "{property}");
    let steps = property["proof"]["explored"]["steps"].as_u64();
    assert!(steps.is_some_and(|steps| steps < 20), "{property}");
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
#[ignore = "takes long: scripts/test --thorough"]
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

/// An input that is compared with a place is told apart only within the values that the place may hold; these are all values where
/// something else is stored there.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
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

/// A table of operations with an input as its index, behind a test as drivers have it: with a cast, beside a size, or of an enumeration.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn an_index_behind_a_test_of_its_unsigned_value_has_the_values_that_pass() {
    if !cbmc() {
        return;
    }
    let program = |ty: &str, test: &str| {
        format!("extern int nondet_int(void);\nenum command {{ ON, OFF, START, STOP }};\nint on;\nstatic void put(int v) {{ on = v; }}\nstatic void none(int v) {{ (void)v; }}\n\
             static void (*const table[4])(int) = {{ put, none, none, put }};\nstatic const int values[4] = {{ 1, 0, 7, 0 }};\n\
             static void dispatch({ty} c) {{\n  if ({test}) return;\n  table[c](values[c]);\n}}\n\
             int main(void) {{\n  for (;;) dispatch(({ty})nondet_int());\n}}\n")
    };
    let length = "sizeof table / sizeof table[0]";
    for (ty, test) in [
        ("int", "(unsigned)c >= 4".to_string()),
        ("int", format!("c >= {length}")),
        ("enum command", format!("(unsigned)c >= {length}")),
    ] {
        for (formula, expected) in [("G {on <= 1}", "proved"), ("G {on == 0}", "refuted")] {
            let (holds, property) = of(&program(ty, &test), formula);
            assert_eq!(holds, expected, "{ty}: {test}: {property}");
        }
    }
    // What is narrowed before the test may have been any other value.
    let narrow = program("int", "(unsigned char)c >= 4");
    let (holds, property) = of(&narrow, "G {on <= 1}");
    assert_ne!(holds, "proved", "{property}");
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
