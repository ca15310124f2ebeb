//! Inputs that are only copied, and compared with each other: the search tells them apart by their order.

use super::of;
use crate::support::random::Random;
use crate::support::{cases, cbmc, ran, Dir};
use serde_json::Value;

/// What keeps values of inputs and compares them was once "the program distinguishes too many values of this input".
#[test]
fn values_that_are_only_compared_with_each_other_are_told_apart_by_their_order() {
    if !cbmc() {
        return;
    }
    let most = "int nondet_int(void);\nint most = -1, fresh;\nint main(void) {\n  for (;;) {\n    int v = nondet_int();\n    fresh = v < 0;\n    if (fresh) most = -1;\n    else if (v > most) most = v;\n  }\n}\n";
    let rising = "int nondet_int(void);\nint rising, alarm;\nint main(void) {\n  int last = nondet_int();\n  for (;;) {\n    int v = nondet_int();\n    if (v > last) { if (rising < 3) rising++; } else rising = 0;\n    last = v;\n    alarm = rising == 3;\n  }\n}\n";
    let sorted = "#include <stdio.h>\nstruct job { int urgent; } q[4]; int n, wrong;\nint main(void) {\n  int what, v, i;\n  while (scanf(\"%d\", &what) == 1) {\n    if (what == 1 && n < 4) {\n      if (scanf(\"%d\", &v) != 1) return 1;\n      for (i = n; i > 0 && q[i - 1].urgent < v; i--) q[i] = q[i - 1];\n      q[i].urgent = v; n++;\n    } else if (what == 2 && n > 0) {\n      int first = q[0].urgent;\n      for (i = 1; i < n; i++) q[i - 1] = q[i];\n      n--;\n      if (n > 0 && q[0].urgent > first) wrong = 1;\n    }\n  }\n  return 0;\n}\n";
    let median = "short nondet_short(void);\nshort w[3], med; int n;\nstatic short of(short a, short b, short c) {\n  if (a > b) { short t = a; a = b; b = t; }\n  if (b > c) b = c;\n  return a > b ? a : b;\n}\nint main(void) {\n  for (;;) {\n    short s = nondet_short();\n    if (s < 0 || s > 1023) continue;\n    w[n] = s; n = (n + 1) % 3;\n    med = of(w[0], w[1], w[2]);\n  }\n}\n";
    for (text, formula) in [
        (most, "G {most >= -1}"),
        (most, "G({fresh == 1} -> F {most < 0})"),
        (rising, "G({alarm == 1} -> {rising != 2})"),
        (sorted, "G {wrong == 0}"),
        (median, "G {med >= 0 && med <= 1023}"),
    ] {
        let (holds, property) = of(text, formula);
        assert_eq!(holds, "proved", "{text}\n{property}");
    }
}

/// Where a value is computed with, or comes from elsewhere, its order with others is not all that matters.
#[test]
fn values_that_are_used_otherwise_are_not_told_apart_by_their_order() {
    if !cbmc() {
        return;
    }
    let program = |more: &str, rest: &str| {
        format!("int nondet_int(void);\nint most, on, n;\n{more}\nint main(void) {{\n  for (;;) {{\n    int v = nondet_int();\n    if (v > most) most = v;\n    {rest}\n  }}\n}}\n")
    };
    let (holds, property) = of(&program("", ""), "G {most >= 0}");
    assert_eq!(holds, "proved", "{property}");
    for (more, rest) in [
        ("", "on = most - v == 1;"),
        ("", "most++; on = most == 77;"),
        ("", "on = most % 2;"),
        ("", "if (n < 5) n++; if (v > 3) most = n; on = most == 4;"),
        (
            "int w[2] = { 3, 7 };",
            "if (v == most) most = w[n & 1]; on = most == 3; n = on;",
        ),
        ("unsigned u;", "u = most; on = u > 0x80000000u; most = v;"),
        (
            "#include <string.h>",
            "memset(&most, 1, sizeof most); on = most == 0x01010101;",
        ),
        (
            "static void set(int *p) { *p += 2; }",
            "set(&most); on = most == 2;",
        ),
        (
            "",
            "if (n < 5) n++; most = v > 3 ? n : v; on = most == 4 && v == 77;",
        ),
    ] {
        let (holds, property) = of(&program(more, rest), "G {on == 0}");
        assert_ne!(holds, "proved", "{more} {rest}: {property}");
    }
}

/// A random program that copies and compares the values of inputs.
struct Case<'r>(&'r mut Random);

const CELLS: [&str; 7] = ["a", "b", "s.x", "q[0]", "q[1]", "q[f & 1]", "local"];

impl Case<'_> {
    fn value(&mut self) -> String {
        let (one, other) = (self.0.of(&CELLS), self.0.of(&CELLS));
        match self.0.below(12) {
            0..=3 => one.to_owned(),
            4..=6 => "v".to_owned(),
            7 => self.0.of(&["0", "3", "5"]).to_owned(),
            8 => format!("greater({one}, v)"),
            9 => format!("({one} > {other} ? {one} : v)"),
            10 => "*p".to_owned(),
            _ => format!("({one} = {other})"),
        }
    }

    fn condition(&mut self) -> String {
        let (one, other) = (self.value(), self.value());
        let by = self.0.of(&["<", "<=", "==", "!=", ">", ">="]);
        match self.0.below(8) {
            0 => one,
            1 => format!("!{one}"),
            2 => format!("{one} {by} {}", self.0.of(&["0", "3", "5"])),
            3 => format!("g == {}", self.0.below(3)),
            _ => format!("{one} {by} {other}"),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        let (to, value) = (self.0.of(&CELLS), self.value());
        match self.0.below(if depth == 0 { 9 } else { 13 }) {
            0..=2 => format!("{to} = {value};"),
            3 => format!("f = {};", self.condition()),
            4 => "g = (g + 1) % 3;".to_owned(),
            5 => format!("if ({}) f = 2;", self.condition()),
            6 => format!(
                "*p = {value}; p = {};",
                self.0.of(&["&q[1]", "&q[0]", "&b"])
            ),
            7 => format!("swap(&{to}, &{});", self.0.of(&CELLS)),
            8 => "v = input();".to_owned(),
            _ => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.condition(),
                self.block(depth - 1),
                self.block(depth - 1)
            ),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        let count = 1 + self.0.below(3);
        let all: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        all.join(" ")
    }

    /// The program, with the values of inputs that `restricts` leaves.
    fn program(&mut self, restricts: &str) -> String {
        let body = self.block(2);
        format!(
            "int nondet_int(void); void __VERIFIER_assume(int);\nint a, b, q[2], *p = q, f, g; struct {{ int x; }} s;\n\
             static int greater(int x, int y) {{ return x > y ? x : y; }}\n\
             static void swap(int *x, int *y) {{ int t = *x; *x = *y; *y = t; }}\n\
             static int input(void) {{ int v = nondet_int(); {restricts} return v; }}\n\
             int main(void) {{\n  int local = input();\n  for (;;) {{\n    int v = input();\n    {body}\n  }}\n}}\n"
        )
    }
}

/// What is proved by the order of values holds where inputs have few values, which are all tried.
#[test]
fn random_programs_have_no_run_that_violates_what_is_proved() {
    if !cbmc() {
        return;
    }
    let formulas = [
        "G {f <= 1}",
        "G {a >= 0}",
        "G {a <= b || f == 1}",
        "G {q[0] <= 5}",
        "G F {g == 0}",
        "G ({f == 1} -> F {f == 0})",
        "({f == 0}) W ({b > 3})",
        "G {s.x == q[1] || g == 1}",
    ];
    let count = cases(12) as u64;
    let (mut proved, mut known) = (0, 0);
    for seed in 1..=count {
        let answers = |restricts: &str| {
            let text = Case(&mut Random(seed * 0x9e37_79b9)).program(restricts);
            let dir = Dir::with(&[("prog.c", &text)]);
            let mut args = vec![
                "prove", "--engine", "explicit", "--format", "json", "-q", "prog.c",
            ];
            formulas.iter().for_each(|f| args.extend(["--ltl", f]));
            let out = ran(&mut dir.command(&args));
            let result: Value =
                serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
            let properties = result["properties"].as_array().unwrap().clone();
            (properties, text)
        };
        let ((by_order, text), (few, _)) =
            (answers(""), answers("__VERIFIER_assume(v >= 0 && v <= 6);"));
        for (by_order, few) in by_order.iter().zip(&few) {
            let wrong = by_order["holds"] == "proved" && few["holds"] == "refuted";
            assert!(!wrong, "{seed}: {text}\n{by_order}\n{few}");
            proved += usize::from(by_order["holds"] == "proved");
            known += usize::from(few["holds"] == "proved");
        }
    }
    assert!(known > 0 && proved > 0, "{proved} of {known}");
    eprintln!("{proved} proved by order, {known} with few values");
}
