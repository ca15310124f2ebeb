//! C library calls that read bytes: the values that the model checker takes them to store, and that
//! no program is refused for them. Verdicts come from a real CBMC.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir, AMPLE};
use serde_json::Value;

/// A program that reads in many ways; each global is set if one of them can have stored a value.
const READER: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct record { int a, b; char c[30]; };
int large, structure, kept, part, string, allocated, number;
static char buffer[2000];
struct record record;

void line_of(char *to, unsigned size) {
    if (fgets(to, size, stdin))
        if (to[3] == 'x' && to[size - 1] == 0) string = 1;
}

int main(void) {
    char *memory = malloc(300);
    int value;
    char line[10];
    if (fread(buffer, 1, sizeof buffer, stdin) == sizeof buffer && buffer[1999] == 7) large = 1;
    read(0, &record, sizeof record);
    if (record.b == 77) structure = 1;
    buffer[30] = 5;
    if (pread(0, buffer + 10, 20, 0) > 0 && buffer[29] == 3) part = 1;
    if (buffer[30] != 5) kept = 1;
    line_of(line, 10);
    read(0, memory, 300);
    if (memory[299] == 1) allocated = 1;
    read(0, &value, sizeof value);
    if (value == 1000000) number = 1;
    return 0;
}
";

fn verify(program: &str, more: &[&str]) -> Value {
    let dir = Dir::with(&[("p.c", program)]);
    let args = ["p.c", "--timeout", AMPLE, "--no-trace"];
    dir.verify(&[&args, more].concat()).0
}

#[test]
fn a_read_stores_any_bytes_wherever_its_pointer_shows() {
    if !cbmc() {
        return;
    }
    let names = [
        "large",
        "structure",
        "part",
        "string",
        "allocated",
        "number",
        "kept",
    ];
    let list: String = names.map(|n| format!("{n}: G {{{n} == 0}}\n")).concat();
    let dir = Dir::with(&[("p.c", READER), ("list", &list)]);
    let args = [
        "p.c",
        "--properties",
        "list",
        "--timeout",
        AMPLE,
        "--no-trace",
    ];
    let result = dir.verify(&args).0;
    for (name, property) in names.iter().zip(result["properties"].as_array().unwrap()) {
        let expected = match *name {
            "kept" => "presumably_true",
            _ => "false",
        };
        assert_eq!(property["verdict"], expected, "{name}: {property}");
    }
}

/// Reads `READ` bytes into a part of a buffer.
const PART: &str = "\
#include <unistd.h>
int x, y;
char buffer[800];
void fill(char *to) { y = 1; read(0, to, READ); y = 2; }
int main(void) {
    fill(buffer + 1);
    if (buffer[2] == 5) x = 1;
    return 0;
}
";

#[test]
fn a_read_that_is_not_modelled_makes_the_verdict_unknown_and_says_where() {
    if !cbmc() {
        return;
    }
    let result = verify(PART, &["-DREAD=100", "--ltl", "G {x == 0}"]);
    assert_eq!(result["verdict"], "unknown", "{result}");
    let reason = result["reason"].as_str().unwrap();
    assert!(reason.contains("p.c:4"), "{reason}");
    let result = verify(PART, &["-DREAD=64", "--ltl", "G {x == 0}"]);
    assert_eq!(result["verdict"], "false", "{result}");
}

#[test]
fn what_is_false_before_such_a_read_is_false() {
    if !cbmc() {
        return;
    }
    let result = verify(PART, &["-DREAD=100", "--ltl", "G {y == 0}"]);
    assert_eq!(result["verdict"], "false", "{result}");
    assert_eq!(result["complete"], false, "{result}");
}

#[test]
fn a_read_that_no_run_reaches_does_no_harm() {
    if !cbmc() {
        return;
    }
    let program = "\
#include <stdio.h>
int x;
static char input[65536];
static char word[100];
void never(char *to) { scanf(\"%s\", to); }
int main(int argc, char **argv) {
    (void)argv;
    x = 1;
    if (argc < 0) { never(word); fread(input, 1, argc, stdin); }
    x = 0;
    return 0;
}
";
    let result = verify(program, &["--ltl", "F {x == 1}"]);
    assert_eq!(result["verdict"], "true", "{result}");
    let result = verify(
        &program.replace("argc < 0", "argc > 1"),
        &["--ltl", "G {x != 2}"],
    );
    assert_eq!(result["verdict"], "unknown", "{result}");
}

#[test]
fn declared_values_of_a_read_do_not_reach_further_than_its_bytes() {
    if !cbmc() {
        return;
    }
    let spec = r#"{"ltl": "G {x == 0}", "inputs": [{"call": "read", "values": [1, 2]}], "pa": []}"#;
    let program = |size: u32| {
        format!(
            "#include <unistd.h>\nint x;\nchar b[4];\nvoid fill(char *to) {{ read(0, to, {size}); }}\n\
             int main(void) {{\n    fill(b);\n    if (b[1] != 0 || b[0] > 2) x = 1;\n    return 0;\n}}\n"
        )
    };
    for (size, expected) in [(1, "presumably_true"), (2, "unknown")] {
        let dir = Dir::with(&[("p.c", &program(size)), ("s.json", spec)]);
        let args = ["s.json", "p.c", "--timeout", AMPLE, "--no-trace"];
        let result = dir.verify(&args).0;
        assert_eq!(result["verdict"], expected, "{result}");
    }
}

#[test]
fn large_buffers_are_accepted_and_a_native_run_reads_them() {
    let program = "\
#include <stdio.h>
int x;
static char input[65536];
int main(void) {
    FILE *file = fopen(\"in\", \"rb\");
    if (file && fread(input, 1, sizeof input, file) == 4 && input[2] == 'c') x = 1;
    return 0;
}
";
    let dir = Dir::with(&[("p.c", program), ("in", "abcd")]);
    let args = ["p.c", "--ltl", "G {x == 0}", "--backend", "native"];
    let result = dir.verify(&args).0;
    assert_eq!(result["verdict"], "false", "{result}");
}

#[test]
fn structures_are_stored_by_functions_without_body() {
    if !cbmc() {
        return;
    }
    let program = "\
#include <stddef.h>
#include <sys/time.h>
struct point { int x, y[20]; };
void measure(struct point *p);
int x, y;
int main(void) {
    struct point p = { 0, { 0 } };
    struct timeval now = { 0, 0 };
    measure(&p);
    if (p.y[19] == 4) x = 1;
    gettimeofday(&now, NULL);
    if (now.tv_usec == 5) y = 1;
    return 0;
}
";
    for formula in ["G {x == 0}", "G {y == 0}"] {
        let result = verify(program, &["--ltl", formula]);
        assert_eq!(result["verdict"], "false", "{result}");
    }
}

#[test]
fn what_an_unknown_function_of_the_library_stores_makes_the_verdict_unknown() {
    if !cbmc() {
        return;
    }
    let program = "\
#define _GNU_SOURCE
#include <stdlib.h>
int x;
static int compare(const void *a, const void *b, void *c) { return *(const int *)a - *(const int *)b; }
int main(int argc, char **argv) {
    int v[3] = { 3, 1, 2 };
    (void)argv;
    if (argc > LEAST) qsort_r(v, 3, sizeof *v, compare, 0);
    if (v[0] == 1) x = 1;
    return 0;
}
";
    let result = verify(program, &["-DLEAST=0", "--ltl", "G {x == 0}"]);
    assert_eq!(result["verdict"], "unknown", "{result}");
    let reason = result["reason"].as_str().unwrap();
    assert!(
        reason.contains("qsort_r") && reason.contains("inputs"),
        "{reason}"
    );
}

/// Input that never ends was a silent premise of each of these proofs.
#[test]
fn input_ends_where_the_program_looks_for_its_end() {
    if !cbmc() {
        return;
    }
    let program = |condition: &str| {
        format!("#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint done;\nint main(void) {{ char b[8] = \"kept\"; int x = 7, y = 7; (void)b; if ({condition}) done = 1; return 0; }}\n")
    };
    let told = |condition: &str| {
        let told = verify(
            &program(condition),
            &["--unwind", "1", "--ltl", "G {done == 0}"],
        );
        let verdict = told["properties"][0]["verdict"]
            .as_str()
            .unwrap()
            .to_string();
        (verdict, told)
    };
    for possible in [
        "!fgets(b, 8, stdin) && b[0] == 'k'",
        "scanf(\"%d %d\", &x, &y) == 1 && x == 3 && y == 7",
        "scanf(\"%d\", &x) == 0 && x == 7",
        "scanf(\"%c\", b) == -1 && b[0] == 'k'",
        "read(0, b, 8) == 3 && b[2] == 'x' && b[3] == 't'",
        "read(0, b, 8) < 0 && b[0] == 'k'",
        "read(0, &x, sizeof x) == 2 && x != 7",
        "fread(&x, sizeof x, 1, stdin) == 0 && x == 7",
        "getchar() == -1",
        "rand() % 6 == 5",
    ] {
        assert_eq!(told(possible).0, "false", "{possible}");
    }
    for impossible in [
        "scanf(\"%c\", b) == 0",
        "scanf(\"%d %d\", &x, &y) > 2",
        "read(0, b, 8) > 8 || read(0, b, 8) < -1",
        "read(0, b, 2) == 2 && b[3] != 't'",
        "getchar() > 255 || getchar() < -1",
        "rand() % 6 < 0",
    ] {
        let (verdict, told) = told(impossible);
        assert_eq!(verdict, "presumably_true", "{impossible}: {told}");
    }
    // Nothing tells the program of an end of this input.
    let unread = program("x == 3").replace("(void)b;", "scanf(\"%d\", &x);");
    let told = verify(&unread, &["--unwind", "1", "--ltl", "G {done == 0}"]);
    let assumptions = told["assumptions"].to_string();
    assert!(
        assumptions.contains("input never ends where"),
        "{assumptions}"
    );
}

/// `scanf` stored any bytes in whole arrays, whatever its format said, and lines of `fgets` went on behind their end: formulas that
/// no run violates were refuted.
#[test]
fn what_is_read_has_the_form_that_the_call_asks_for() {
    if !cbmc() {
        return;
    }
    let possible = [
        "scanf(\"%3s\", b) == 1 && b[0] == 'a' && b[2] == 'c' && !b[3]",
        "scanf(\"%3s\", b) == 1 && b[0] == 'a' && !b[1] && b[2] == 'p'",
        "scanf(\"%s\", b) == 1 && b[6] == 'z'",
        "scanf(\"%[a-c]%d\", b, &x) == 2 && b[0] == 'b' && x == 5",
        "scanf(\" %[^\\n]\", b) == 1 && b[1] == ' '",
        "scanf(\"%2c\", b) == 1 && b[0] == '\\n' && b[1] == '\\n' && b[2] == 'p'",
        "scanf(\"%3d%n\", &x, &y) == 1 && x == -99 && y == 3",
        "scanf(\"%d\", a) == 1 && a[0] == 5",
        "scanf(\"%d%*c%3s\", &x, &b[4]) == 2 && b[4] == 'y' && !b[5]",
        "fgets(b, 8, stdin) && b[5] == 'x' && b[6] == '\\n' && !b[7]",
        "read_line(b, 5) && b[2] == '\\n' && !b[3] && b[4] == '4'",
    ];
    let impossible = [
        "scanf(\"%3s\", b) == 1 && (b[1] == ' ' || b[0] == '\\n')",
        "scanf(\"%3s\", b) == 1 && b[1] && b[2] && b[3]",
        "scanf(\"%3s\", b) == 1 && b[4] != '4'",
        "scanf(\"%3s\", b) == 0",
        "scanf(\"%s\", b) == 1 && b[1] && b[2] && b[3] && b[4] && b[5] && b[6] && b[7]",
        "scanf(\"%[a-c]\", b) == 1 && (b[0] < 'a' || b[0] > 'c' || b[1] > 'c')",
        "scanf(\"%2c\", b) == 1 && b[2] != 'p'",
        "scanf(\"%c\", b) == 1 && b[1] != 'e'",
        "scanf(\"%3d%n\", &x, &y) == 2",
        "scanf(\"%3d%n\", &x, &y) == 1 && (x < -99 || x > 999 || y < 0)",
        "scanf(\"%d\", a) == 1 && a[1]",
        "fgets(b, 8, stdin) && b[0] == '\\n' && b[1]",
        "read_line(b, 5) && b[0] == '\\n' && b[1]",
        "read_line(b, 5) && b[5] != 'p'",
    ];
    let mut program = "#include <stdio.h>\nint met;\nstatic char *read_line(char *to, int most) { return fgets(to, most, stdin); }\nint main(void) {\n  char b[8] = \"kept4pt\"; int a[2] = { 0, 0 }, x = 7, y = 7; (void)a; (void)x; (void)y;\n  switch (getchar()) {\n".to_owned();
    let mut args: Vec<String> = ["--unwind", "1"].map(String::from).to_vec();
    for (number, condition) in possible.iter().chain(&impossible).enumerate() {
        program += &format!("  case {number}: if ({condition}) met = {number} + 1; break;\n");
        args.extend(["--ltl".into(), format!("G {{met != {number} + 1}}")]);
    }
    program += "  }\n  return 0;\n}\n";
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let told = verify(&program, &args);
    for (number, condition) in possible.iter().chain(&impossible).enumerate() {
        let wanted = match number < possible.len() {
            true => "false",
            false => "presumably_true",
        };
        assert_eq!(told["properties"][number]["verdict"], wanted, "{condition}");
    }
}

/// What a function without a body leaves in `errno` is as open as its result. A program that tried again while
/// `errno == EINTR` was proved to end.
#[test]
fn a_call_may_leave_any_number_in_errno() {
    if !cbmc() {
        return;
    }
    let program = "#include <errno.h>\nint attempts, up, down;\nint dial(void);\nint main(void) {\n  while (!up && !down) {\n\
        \x20   if (dial() == 0) { up = 1; break; }\n    if (errno != EINTR) attempts++;\n    if (attempts >= 3) down = 1;\n  }\n  return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let asked = |formula: &str, engine: &str| {
        let words = ["--engine", engine, "--no-trace", "--ltl", formula, "p.c"];
        dir.verify(&words).0["properties"][0]["holds"].clone()
    };
    assert_eq!(asked("F({up} || {down})", "explicit"), "refuted");
    assert_eq!(asked("G {attempts <= 3}", "explicit"), "proved");
    assert_eq!(asked("G {attempts <= 2}", "bounded"), "refuted");
}

#[test]
fn programs_that_open_files_are_followed() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdio.h>\nint depth, wrong;\nint main(void) {\n\
        \x20 FILE *in = fopen(\"in\", \"r\");\n  if (!in) { perror(\"in\"); return 1; }\n  int c;\n  while ((c = fgetc(in)) != EOF) {\n\
        \x20   if (c == '{' && depth < 8) depth++;\n    else if (c == '}') { if (depth == 0) wrong = 1; else depth--; }\n  }\n\
        \x20 fclose(in);\n  return depth;\n}\n";
    let dir = Dir::with(&[("p.c", program), ("in", "{{{}{")]);
    let asked = |formula: &str, engine: &str| {
        let words = ["--engine", engine, "--no-trace", "--ltl", formula, "p.c"];
        dir.verify(&words).0["properties"][0]["holds"].clone()
    };
    assert_eq!(asked("G {depth >= 0 && depth <= 8}", "induction"), "proved");
    assert_eq!(asked("G {depth >= 0 && depth <= 8}", "explicit"), "proved");
    assert_eq!(asked("G {depth <= 7}", "explicit"), "refuted");
    assert_eq!(asked("G {depth <= 1}", "bounded"), "refuted");
    // What is executed opens the file itself.
    assert_eq!(executed(&dir), Some(3));
    std::fs::remove_file(dir.path("in")).unwrap();
    assert_eq!(executed(&dir), Some(1));
}

#[test]
fn an_instrumented_program_that_is_executed_has_its_own_errno() {
    let program =
        "#include <errno.h>\n#include <unistd.h>\nint bad;\nint main(void) {\n  char c;\n\
        \x20 if (read(-1, &c, 1) < 0 && errno == EBADF) bad = 1;\n  return bad;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    assert_eq!(executed(&dir), Some(1));
    let words = ["--ltl", "F {bad}", "--backend", "native", "p.c"];
    assert_eq!(dir.verify(&words).0["verdict"], "true");
}

/// The exit status of a program, instrumented and compiled.
fn executed(dir: &Dir) -> Option<i32> {
    let made = dir.run(&["instrument", "--ltl", "G {1}", "p.c", "-o", "out.c"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    let compiled = std::process::Command::new("gcc")
        .args(["-w", "-o"])
        .args([dir.path("out"), dir.path("out.c")])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    let mut out = std::process::Command::new(dir.path("out"));
    let ran = out.current_dir(dir.path(".")).output();
    ran.unwrap().status.code()
}
