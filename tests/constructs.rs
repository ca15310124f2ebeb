//! Constructs of C, GNU C and C23 that are easily misread: each is woven so that a native run sees
//! its writes, or is refused at its place.
#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::support::{installed, Dir};
use serde_json::{json, Value};

/// For each construct: `==== name`, the text before a function, `----`, and the function's body,
/// which sets `x` to 7.
const ACCEPTED: &str = include_str!("constructs/accepted.txt");

/// Names that several of the constructs define.
const COMMON: [&str; 9] = ["f", "g", "a", "t", "v", "y", "T", "M", "watched"];

/// The name, the text before the function and the body of each construct.
fn accepted() -> Vec<(&'static str, &'static str, &'static str)> {
    let parts = ACCEPTED.split("==== ").skip(1);
    let part = |part: &'static str| {
        let (name, rest) = part.split_once('\n').unwrap();
        let (front, body) = rest.split_once("----\n").unwrap();
        (name, front, body)
    };
    parts.map(part).collect()
}

/// A program with a file per construct: a letter proves that the construct set `x`.
#[test]
fn every_write_is_seen() {
    if !installed("gcc") {
        return;
    }
    let table = accepted();
    assert!(table.len() > 100);
    let table: Vec<_> = crate::support::sample(table, 3).collect();
    let dir = Dir::new();
    let (mut calls, mut files) = (String::new(), Vec::new());
    for (name, front, body) in &table {
        let rename = |common: &&str| format!("#define {common} {common}_{name}\n");
        let renamed: String = COMMON.iter().map(rename).collect();
        let file = format!("{name}.c");
        dir.write(
            &file,
            format!("{renamed}extern int x;\n{front}void case_{name}(void) {{\n{body}\n}}\n"),
        );
        files.push(file);
        calls += &format!("  x = 0; {{ void case_{name}(void); case_{name}(); }}\n");
    }
    let main = format!("int x;\nint main(void) {{\n{calls}  return 0;\n}}\n");
    dir.write("main.c", main);
    dir.write("s.json", r#"{"ltl": "G F {x == 7}"}"#);
    let mut args = vec!["s.json", "main.c"];
    args.extend(files.iter().map(String::as_str));
    args.extend(["--backend", "native", "--trace", "-q"]);
    let (result, _) = dir.verify(&args);
    let steps = result["properties"][0]["trace"].as_array().unwrap();
    let holds = |step: &&Value| {
        let props = step["props"].as_object().unwrap();
        props.values().any(|v| *v == json!(true))
    };
    let set: BTreeSet<&str> = steps
        .iter()
        .filter(holds)
        .filter_map(|step| step["file"].as_str())
        .collect();
    let unseen: Vec<&String> = files.iter().filter(|f| !set.contains(f.as_str())).collect();
    assert!(unseen.is_empty(), "{unseen:?}");
}

/// Programs, each with the place and the words of its refusal. A proposition reads `x`.
const REFUSED: [(&str, &str, &str); 15] = [
    (
        "int main(void) {\n  void g(int a) { x = a; }\n  g(7);\n}\n",
        "3:8",
        "`g` is a function within a function",
    ),
    (
        "int main(void) { auto int g(void);\n  x = g();\n  int g(void) { return 7; }\n}\n",
        "4:7",
        "function within a function",
    ),
    (
        "typedef int T;\nvoid f(T) int T; { x = T; }\nint main(void) { return 0; }\n",
        "3:24",
        "syntax error at `T`",
    ),
    (
        "int main(void) {\n  constexpr int k = 7; x = k; }\n",
        "3:13",
        "syntax error at `int`",
    ),
    (
        "int main(void) { x = 'a - 993; }\n",
        "2:22",
        "no end",
    ),
    (
        "int main(void) {\n  bool b = 1; x = b; }\n",
        "3:8",
        "syntax error at `b`",
    ),
    (
        "int main(void) {\n  x = nullptr == 0; }\n",
        "3:7",
        "`nullptr` is not declared",
    ),
    (
        "int main(void) {\n  _BitInt(5) b = 7; x = b; }\n",
        "3:14",
        "syntax error at `b`",
    ),
    (
        "int main(void) {\n  enum e : unsigned char { A = 7 }; x = A; }\n",
        "3:10",
        "syntax error at `:`",
    ),
    (
        "void f(int n; int a[n], int n) { x = a[0]; }\nint main(void) { return 0; }\n",
        "2:13",
        "syntax error at `;`",
    ),
    (
        "int main(void) {\n  for (int i = 0; ({ if (i) break; 1; }); i++) ;\n  return 0;\n}\n",
        "3:29",
        "`break` stands outside",
    ),
    // These were once woven although the assembler text may write to `x`.
    (
        "int main(void) {\n  int *p = &x;\n  __asm__ (\"movl $7, (%0)\" : : \"r\"(p) : \"memory\");\n}\n",
        "4:36",
        "may write to `x` through `p`",
    ),
    (
        "int main(void) {\n  int *p = &x;\n  __asm__ (\"sarl $1, %0\" : \"=m\"(*p));\n}\n",
        "4:34",
        "may write to `x` through `p`",
    ),
    (
        "int main(void) {\n  __asm__ (\"movl $7, x(%%rip)\" : : : \"memory\");\n}\n",
        "3:12",
        "named by assembler text",
    ),
    (
        "__asm__ (\".globl setx\\nsetx: movl $7, x(%rip)\\n ret\");\nvoid setx(void);\nint main(void) { setx(); }\n",
        "2:10",
        "named by assembler text",
    ),
];

#[test]
fn what_is_not_read_is_refused_at_its_place() {
    let dir = Dir::new();
    dir.write("s.json", r#"{"ltl": "G {x != 7}"}"#);
    for (program, place, words) in REFUSED {
        dir.write("p.c", format!("int x;\n{program}"));
        let ran = dir.run(&["check", "s.json", "p.c", "--std", "gnu11"]);
        assert_eq!(ran.status, 3, "{program}: {}", ran.stderr);
        let place = format!("--> p.c:{place}\n");
        assert!(ran.stderr.contains(&place), "{program}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{program}: {}", ran.stderr);
    }
}

/// An assembler statement is accepted if it writes to nothing that a proposition reads.
#[test]
fn other_assembler_statements_are_accepted() {
    let dir = Dir::new();
    dir.write("s.json", r#"{"ltl": "G {x != 7}"}"#);
    for body in [
        "__asm__ volatile (\"\" : : : \"memory\");",
        "int y, *p = &y; __asm__ (\"movl $7, (%0)\" : : \"r\"(p) : \"memory\"); x = y;",
        "int y; __asm__ (\"movl $7, %0\" : \"=r\"(y)); x = y;",
        "int *p = &x, y; __asm__ (\"bswap %[y]\" : [y] \"+r\"(y)); *p = y;",
    ] {
        dir.write(
            "p.c",
            format!("int x;\nint main(void) {{ {body} return 0; }}\n"),
        );
        let ran = dir.run(&["check", "s.json", "p.c"]);
        assert_eq!(ran.status, 0, "{body}: {}", ran.stderr);
    }
}

/// A message about a line of 70,000 characters gives the place in the line and shows a part of it.
#[test]
fn places_in_overlong_lines() {
    let dir = Dir::new();
    dir.write("s.json", r#"{"ltl": "G {x != 7}"}"#);
    let sum = "x + ".repeat(17_500);
    dir.write(
        "p.c",
        format!("int x;\nint main(void) {{ x = {sum}wrong; return 0; }}\n"),
    );
    let ran = dir.run(&["check", "s.json", "p.c"]);
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("--> p.c:2:70022\n"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("x + x + wrong; return"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("^^^^^"), "{}", ran.stderr);
}

/// Two static locks of one name in two files are refused at one of the declarations.
#[test]
fn static_locks_of_one_name_are_refused_at_a_declaration() {
    let other = "#include <pthread.h>\n\nstatic pthread_spinlock_t lock;\nextern int x;\nvoid other(void) {\n  pthread_spin_lock(&lock); x = 2; pthread_spin_unlock(&lock);\n}\n";
    let main = "#include <pthread.h>\nstatic pthread_spinlock_t lock;\nint x;\nvoid other(void);\nstatic void *t(void *a) { pthread_spin_lock(&lock); x = 1; pthread_spin_unlock(&lock); return a; }\nint main(void) { pthread_t h; pthread_create(&h, 0, t, 0); other(); return 0; }\n";
    let spec = r#"{"ltl": "G {x != 7}"}"#;
    let dir = Dir::with(&[("main.c", main), ("other.c", other), ("s.json", spec)]);
    let ran = dir.run(&["check", "s.json", "main.c", "other.c"]);
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("--> other.c:3:27\n"), "{}", ran.stderr);
}
