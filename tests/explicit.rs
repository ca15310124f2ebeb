//! `prove --engine explicit` explores all states of compiled programs; its answers are compared
//! with the oracle's graphs, the induction and SPIN.
//!
//! `BAPRODUCT_CASES=20` checks twenty times as many generated programs; `BAPRODUCT_SEED=7` checks
//! other programs.

mod dead;
mod few_values;
mod inputs;
mod orders;

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

/// A loop of a function over an array of its caller is passed if its condition, a part of it, or a statement of its body counts it to
/// an end.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
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
    let shifted = "if (c == 3) { int y = -c; bad = y << 1 < 0; }";
    let (holds, property) = of(
        &program(shifted).replace("x = x + 1", "x = x"),
        "G {bad == 0}",
    );
    assert_eq!(holds, "unknown", "{property}");
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
/// run that reads it all the same is followed with each of them, or is no ground for a proof. To read one whose address is never taken
/// is undefined.
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
            "unknown",
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
#[ignore = "takes long: scripts/test --thorough"]
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

/// A program without threads that allocates in a loop has its states in step form, where what is allocated has names. The other
/// engines do not look for what they cannot follow.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
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

/// The value of a local that has none was chosen, and a violation that rests on it refuted the formula: reading it is undefined. A
/// proof is about all values, and runs that read none stand, although no path tells.
#[test]
fn no_violation_rests_on_a_local_without_a_value() {
    if !cbmc() {
        return;
    }
    let program = |body: &str| {
        format!("extern int nondet_int(void);\nint x, y;\nint main(void) {{\n  for (;;) {{\n    int i, c = nondet_int();\n    if (c == 3) i = 5;\n    {body}\n  }}\n}}\n")
    };
    let few = "if (i == 6) x = 1;";
    let many = "if (i == 6 || i == 8 || i > 10) x = 1;";
    for (body, expected) in [(few, "unknown"), (many, "unknown")] {
        let (holds, property) = of(&program(body), "G {x == 0}");
        assert_eq!(holds, expected, "{body}: {property}");
        let reason = property["reason"].as_str().unwrap();
        let told = reason.contains("before it has a value: `i`") && reason.contains("prog.c:5");
        assert!(told, "{body}: {reason}");
    }
    let guarded = "if (c == 3 && i == 5) x = 1;";
    // Some runs are tried at random where the values of a pointer cannot be.
    let pointer = "int *p; if (c == 3) p = &y; if (p == 0) x = 1;";
    for (body, formula, expected) in [
        (pointer, "G {x == 0}", "unknown"),
        (guarded, "G {x == 0}", "refuted"),
        (few, "G {x < 2}", "proved"),
        (
            "if (i == 5) y = 1; else y = 0; if (c == 4) x = 1;",
            "G {x < 2}",
            "proved",
        ),
    ] {
        let (holds, property) = of(&program(body), formula);
        assert_eq!(holds, expected, "{body}: {property}");
    }
}

/// Random runs do not end where they may go on, and every other one has few values of each input: else the end of the input, and
/// commands that are none, keep them from what needs many of one command.
#[test]
fn random_runs_find_what_needs_many_inputs_of_one_kind() {
    let program = "#include <stdio.h>
int key[8], used;
int main(void) {
  int op, k;
  while (scanf(\"%d %d\", &op, &k) == 2) {
    if (k < 1 || k > 20 || op != 17) continue;
    int i = k % 8;
    for (int n = 0; n < 8 && key[i] && key[i] != k; n++) i = (i + 1) % 8;
    key[i] = k;
    used++;
  }
  return 0;
}
";
    let dir = Dir::with(&[("prog.c", program)]);
    let args = ["--ltl", "G {used <= 8}", "prog.c", "--states", "20000"];
    let (holds, result) = prove(&dir, "explicit", &args);
    assert_eq!(holds, "refuted", "{result}");
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

/// A register as a number and as bit-fields that fill it is a part of the state, as the number: no bit of it is left out. Bits without a
/// name have no value that one may rely on.
#[test]
fn unions_of_a_register_and_its_bit_fields_are_states() {
    if !cbmc() {
        return;
    }
    let program = |fields: &str, body: &str| {
        format!("extern int nondet_int(void);\nunion {{ {fields} }} u;\nint b;\nint main(void) {{ for (;;) {{ int v = nondet_int(); {body} }} }}\n")
    };
    let fields = "struct { unsigned on : 1, mode : 2, rest : 29; }; unsigned raw;";
    let narrow = "unsigned char low : 3, raw;";
    let unnamed = "struct { unsigned on : 1, mode : 2, : 29; }; unsigned raw;";
    let set = "b = u.raw >> 1; u.mode = v & 3;";
    for (fields, body, formula, expected) in [
        (fields, set, "G {b <= 3}", "proved"),
        (fields, set, "G {b <= 2}", "refuted"),
        (
            narrow,
            "b = u.raw == 200; u.raw = v & 1 ? 200 : 0;",
            "G {b == 0}",
            "refuted",
        ),
        (unnamed, set, "G {b <= 3}", "unknown"),
    ] {
        let (holds, property) = of(&program(fields, body), formula);
        assert_eq!(holds, expected, "{fields} {body}: {property}");
    }
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

/// A local has no value where a jump has passed its initialiser. It had that of the place in memory, and the formula was proved.
#[test]
fn a_jump_past_an_initialiser_matters_where_the_local_is_read() {
    if !cbmc() {
        return;
    }
    let program = |body: &str| {
        format!("int nondet_int(void);\nint bad;\nint main(void) {{ int c = nondet_int(); {body} return 0; }}\n")
    };
    for (body, expected) in [
        ("if (c == 1) goto in; { int v = 3; in: if (v == 9) bad = 1; }", "unknown"),
        ("switch (c) { int v = 4; case 1: if (v == 9) bad = 1; default: v = 2; }", "unknown"),
        ("if (c == 1) goto out; int v = 3; if (v == 9) bad = 1; out: c = 0;", "proved"),
        ("switch (c) { int v = 4; case 1: v = 5; default: if (v == 9) bad = 1; v = 1; case 2: c = 0; }", "unknown"),
        ("switch (c) { int v = 4; case 1: v = 5; if (v == 9) bad = 1; case 2: c = 0; }", "proved"),
    ] {
        let (holds, property) = of(&program(body), "G {bad == 0}");
        assert_eq!(holds, expected, "{body}: {property}");
        let reason = property["reason"].as_str().unwrap_or_default();
        let told = reason.contains("a jump may pass the declaration of `v`");
        assert_eq!(told, expected == "unknown", "{body}: {property}");
    }
}

/// What is accessed through pointers past objects or to locals that are dead goes unnoticed in the search: its runs refuted formulas. They are
/// executed once more, with the compiler's sanitizers.
#[test]
fn a_run_that_follows_a_pointer_to_no_object_refutes_nothing() {
    if !cbmc() {
        return;
    }
    let program = |body: &str| {
        format!(
            "int nondet_int(void);\nint bad;\nstatic int a[4];\nint *q;\nstatic void f(void) {{ int l = 3; q = &l; }}\n\
             int main(void) {{\n  for (;;) {{\n    int i = nondet_int(), *p = a;\n    if (i < 0 || i > 6) continue;\n    {body}\n  }}\n}}\n"
        )
    };
    for (body, formula, expected) in [
        ("p[i] = 1; if (i == 6) bad = 1;", "G {bad == 0}", "unknown"),
        ("f(); if (*q == 3) bad = 1;", "G {bad == 0}", "unknown"),
        ("p[4] = 1; bad = 0;", "F {bad == 1}", "unknown"),
        // Into different objects, and to what was there before.
        (
            "q = i == 5 ? &bad : a; if (q - a > 3 || q - a < 0) bad = 1;",
            "G {bad == 0}",
            "unknown",
        ),
        (
            "q = i == 5 ? &bad : a; if (q < a || q > a + 4) bad = 1;",
            "G {bad == 0}",
            "unknown",
        ),
        (
            "{ int l = i; if (q && *q == 5) bad = 1; q = &l; }",
            "G {bad == 0}",
            "unknown",
        ),
        // Before it, and without it.
        ("if (i == 2) bad = 1; p[4] = 1;", "G {bad == 0}", "refuted"),
        ("p[i & 3] = 1; bad = 0;", "F {bad == 1}", "refuted"),
        (
            "q = a + 4; if (q - p == 4 && q > a + i % 4) bad = 1;",
            "G {bad == 0}",
            "refuted",
        ),
        (
            "{ int l = i, *at = &l; if (*at == 5) bad = 1; }",
            "G {bad == 0}",
            "refuted",
        ),
    ] {
        let (holds, property) = of(&program(body), formula);
        assert_eq!(holds, expected, "{body}: {property}");
        let reason = property["reason"].as_str().unwrap_or_default();
        let placed = reason.contains("whether by a run that does nothing undefined before")
            && reason.contains("prog.c:10");
        assert_eq!(placed, expected == "unknown", "{body}: {property}");
    }
}
