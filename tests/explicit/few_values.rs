//! Inputs of which few values matter, because of a loop, a function that decides, or since nothing looks at them.

use super::of;
use crate::support::cbmc;

#[test]
#[ignore = "takes long: scripts/test --thorough"]
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

/// A number that a function of the program decides about once had too many values where the program computes with it.
#[test]
fn inputs_have_the_values_for_which_a_function_that_only_decides_says_so() {
    if !cbmc() {
        return;
    }
    let program = |decides: &str, test: &str| {
        format!("#include <stdio.h>\nint credit, given;\n{decides}\nint main(void) {{\n  int v;\n  while (scanf(\"%d\", &v) == 1) {{\n    given = 0;\n    if ({test}) continue;\n    credit += v;\n    if (credit >= 35) {{ credit = credit - 35; given = 1; }}\n  }}\n  return 0;\n}}\n")
    };
    let one = "static int coin(int v) { return v == 5 || v == 10 || v == 25; }";
    let list = "static int coin(long v) { if (v < 5) return 0; if (v > 25) { return 0; } return v % 5 == 0; }";
    for (decides, test) in [(one, "!coin(v)"), (list, "coin(v) == 0 || !coin(v)")] {
        let (holds, property) = of(&program(decides, test), "G {credit >= 0 && credit < 60}");
        assert_eq!(holds, "proved", "{decides}: {property}");
        let (holds, property) = of(&program(decides, test), "G {credit < 55}");
        assert_eq!(holds, "refuted", "{decides}: {property}");
    }
    for (decides, test) in [
        (
            "static int coin(signed char v) { return v == 5 || v == 10; }",
            "!coin(v)",
        ),
        (
            "static int coin(int v) { if (v == 7) return 0; return v != 5; }",
            "!coin(v)",
        ),
        (
            "static int coin(int v) { if (v < 5) return 1; return v > 25; }",
            "!coin(v)",
        ),
        (
            "static int coin(int v) { v = v % 30; return v > 5; }",
            "!coin(v)",
        ),
    ] {
        let (holds, property) = of(&program(decides, test), "G {credit < 55}");
        assert_ne!(holds, "proved", "{decides}: {property}");
    }
}

/// An input that is only given to a function that prints its further arguments has one value; where something depends on the text
/// or on the argument, it does not.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn an_input_that_is_only_logged_is_not_looked_at() {
    if !cbmc() {
        return;
    }
    let program = |body: &str| {
        format!(
            "#include <stdarg.h>\n#include <stdio.h>\nextern int read_sensor(void);\nstatic int hit;\nstatic char line[16];\n\
             static void note(int severity, const char *format, ...)\n{{\n    va_list all;\n    if (severity < 0) return;\n\
             \x20   va_start(all, format);\n    {body}\n    va_end(all);\n}}\n\
             int main(void)\n{{\n    for (;;) {{\n        int v = read_sensor();\n        note(1, \"%d\\n\", v);\n    }}\n}}\n"
        )
    };
    let (holds, property) = of(&program("vfprintf(stderr, format, all);"), "G {hit == 0}");
    assert_eq!(holds, "proved", "{property}");
    for body in [
        "if (va_arg(all, int) == 12345) hit = 1;",
        "vsnprintf(line, sizeof line, format, all); if (line[4] == '7') hit = 1;",
        "if (vsnprintf(line, sizeof line, format, all) == 9) hit = 1;",
        "va_list own; va_copy(own, all); if (va_arg(own, int) == 12345) hit = 1; va_end(own);",
    ] {
        let (holds, property) = of(&program(body), "G {hit == 0}");
        assert_ne!(holds, "proved", "{body}: {property}");
    }
}

/// Lines of a word and a number are tried with the numbers that matter, also where the program looks for positions in the line.
#[test]
fn lines_that_ask_for_a_number_have_one() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nenum { IDLE, FILLING, FULL } mode;\nint main(void)\n{\n    char line[24];\n\
        \x20   while (fgets(line, sizeof line, stdin)) {\n        line[strcspn(line, \"\\n\")] = '\\0';\n\
        \x20       if (strcmp(line, \"start\") == 0 && mode == IDLE) mode = FILLING;\n        else if (strcmp(line, \"stop\") == 0) mode = IDLE;\n\
        \x20       else if (strncmp(line, \"level \", 6) == 0) {\n            int n = atoi(line + 6);\n\
        \x20           if (n >= 90 && n <= 100 && mode == FILLING) mode = FULL;\n        }\n    }\n    return 0;\n}\n";
    let (holds, property) = of(program, "G ({mode == FULL} -> G {mode != FILLING})");
    assert_eq!(holds, "refuted", "{property}");
}
