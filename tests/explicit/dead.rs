//! Objects of static storage that no run reads before it writes them: states that differ only in them are one.

use super::of;
use crate::support::random::Random;
use crate::support::{cases, cbmc, ran, Dir};
use serde_json::Value;

fn states(of: &Value) -> u64 {
    of["proof"]["explored"]["states"].as_u64().unwrap()
}

/// A loop with these declarations and functions; `v` is an input from 0 to 99.
fn program(more: &str, body: &str) -> String {
    format!("int nondet_int(void);\nint a, b, in, out;\n{more}\nint main(void) {{\n  for (;;) {{\n    int v = nondet_int();\n    if (v < 0 || v > 99) continue;\n    {body}\n  }}\n}}\n")
}

/// Each value of an input that a global keeps until the next one was once a state of its own.
#[test]
fn what_is_written_before_it_is_read_is_no_part_of_the_state() {
    if !cbmc() {
        return;
    }
    for (more, body) in [
        ("", "in = v * v; b = in % 7 == a;"),
        (
            "static void set(int x) { in = x * x; }",
            "set(v); b = in % 7 == a;",
        ),
        (
            "struct { int of, by; } s; static void set(int x) { s.of = x; if (x == 3) s.by = x * x; else s.by = 1; }",
            "set(v); b = (s.of * s.by) % 7 == a;",
        ),
        (
            "",
            "static int last; last = v * v; b = last % 7 == a;",
        ),
        (
            "struct pair { int of, by; } s, none;",
            "s = none; s.of = v * v; b = (s.of + s.by) % 7 == a;",
        ),
    ] {
        let (holds, property) = of(&program(more, body), "G {b == 0}");
        assert_eq!(holds, "refuted", "{body}: {property}");
        let (holds, property) = of(&program(more, body), "G {b <= 1}");
        assert_eq!(holds, "proved", "{body}: {property}");
        assert!(states(&property) < 9, "{body}: {property}");
    }
}

/// Where some way leads to a read without a write, the value stays.
#[test]
fn what_may_be_read_is_a_part_of_the_state() {
    if !cbmc() {
        return;
    }
    for (more, body) in [
        ("", "b = in == 4; if (v != 9) in = v;"),
        ("", "if (v == 1) { b = in == 4; } in = v;"),
        ("", "if (v == 1 || (in = v)) b = in == 4;"),
        ("", "b = v == 9 ? in == 4 : (in = v, 0);"),
        ("int *p = &in;", "b = *p == 4; in = v;"),
        ("int *p = &b;", "if (v == 1) p = &in; b = *p == 4; in = v;"),
        ("", "b = (in == 4) + ({ in = v; 0; });"),
        (
            "",
            "int was = in, is = ({ in = v; v; }); b = was == 4 && is == 1;",
        ),
        ("int w[2];", "b = w[1] == 4; w[v & 1] = v / 2;"),
        ("int w[2];", "w[0] = v; b = w[v & 1] == 4; w[1] = v;"),
        (
            "union { int of; char by; } u;",
            "u.by = 1; b = u.of == 1281; u.of = v * 20;",
        ),
        (
            "struct { int of, by; } s;",
            "s.by = 1; b = s.of == 4; s.of = v;",
        ),
        (
            "static void set(int x) { if (x == 3) return; in = x; }",
            "set(v); b = v == 3 && in == 4;",
        ),
        (
            "static int seen(int x) { if (x > 0) return seen(x - 1); return in == 4; }",
            "b = seen(v & 1); in = v;",
        ),
        (
            "static void one(void) { in = 0; } static void two(void) { } void (*f)(void) = one;",
            "f(); b = in == 4; in = v; f = v & 1 ? one : two;",
        ),
        (
            "static void wait(void) { while (nondet_int() != 5) ; }",
            "in = v; wait(); b = in == 4;",
        ),
        (
            "#include <string.h>\nint copy;",
            "memcpy(&copy, &in, sizeof in); b = copy == 4; in = v;",
        ),
    ] {
        let (holds, property) = of(&program(more, body), "G {b == 0}");
        assert_eq!(holds, "refuted", "{body}: {property}");
    }
}

/// A variable whose address `scanf` gets is written unless there is no number; a program that asks never reads what was left there.
#[test]
fn what_only_inputs_are_stored_to_is_no_part_of_the_state_unless_it_is_read() {
    if !cbmc() {
        return;
    }
    let program = |variable: &str, local: &str, body: &str| {
        format!("#include <stdio.h>\nint a, b, s;\n{variable}\nint main(void) {{\n  {local}\n  while (1) {{\n    {body}\n  }}\n}}\n")
    };
    let never =
        "if (scanf(\"%d\", &v) != 1) return 0; if (v < 0 || v > 99) continue; b = v * v % 7 == a;";
    let kept = "if (scanf(\"%d\", &v) != 1) b = v == 4; else if (v < 0 || v > 99) v = 0;";
    let begun = "int v; if (scanf(\"%d\", &v) != 1) return 0;";
    for (variable, local) in [("int v;", ""), ("static int v;", ""), ("", "int v;")] {
        let text = program(variable, local, never);
        let (holds, property) = of(&text, "G {b <= 1}");
        assert_eq!(holds, "proved", "{text}: {property}");
        assert!(states(&property) < 9, "{text}: {property}");
        let local = if local.is_empty() { "" } else { begun };
        let text = program(variable, local, kept);
        let (holds, property) = of(&text, "G {b == 0}");
        assert_eq!(holds, "refuted", "{text}: {property}");
    }
}

/// A random program; `keeps` is the text behind each head.
struct Case<'r> {
    random: &'r mut Random,
    keeps: &'static str,
}

const GLOBALS: [&str; 7] = ["a", "b", "c", "d", "s.x", "s.y", "t.x"];
const KEEPS: &str = "sink = a + b + c + d + s.x + s.y + t.x + t.y + w[0] + w[1] + (p == &a) + *p;";

impl Case<'_> {
    fn value(&mut self) -> String {
        let of = self.random.of(&GLOBALS);
        match self.random.below(8) {
            0..=2 => self.random.below(3).to_string(),
            3 => format!("({of} + 1) % 3"),
            4 => "v".to_owned(),
            5 => format!("w[{of} & 1]"),
            6 => "*p".to_owned(),
            _ => of.to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (of, with) = (self.value(), self.random.below(3));
        format!("{of} == {with}")
    }

    fn statement(&mut self, depth: usize) -> String {
        let (to, value, keeps) = (self.random.of(&GLOBALS), self.value(), self.keeps);
        match self.random.below(if depth == 0 { 9 } else { 14 }) {
            0..=2 => format!("{to} = {value};"),
            3 => format!("w[{to} & 1] = {value};"),
            4 => format!("*p = {value};"),
            5 => format!("p = {};", self.random.of(&["&a", "&b", "&s.x"])),
            6 => self.random.of(&["s = t;", "t = s;"]).to_owned(),
            7 => format!("if ({} && ({to} = {value}) == 1) c = 0;", self.condition()),
            8 => format!("{to} = ({{ b = {value}; c; }});"),
            9 | 10 => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.condition(),
                self.block(depth - 1),
                self.block(depth - 1)
            ),
            11 => format!(
                "while (nondet_int() == 1) {{ {} {} }}",
                keeps,
                self.block(depth - 1)
            ),
            12 => format!(
                "if ({}) {{ {} {} }}",
                self.condition(),
                self.block(depth - 1),
                "return;"
            ),
            _ => "f();".to_owned(),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        let count = 1 + self.random.below(3);
        let all: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        all.join(" ")
    }

    fn program(&mut self) -> String {
        let f = self.block(1).replace("f();", "a = 0;");
        let first = format!(
            "{} = v; {} = v;",
            self.random.of(&GLOBALS),
            self.random.of(&GLOBALS)
        );
        let (step, keeps) = (self.block(2), self.keeps);
        format!(
            "int nondet_int(void);\nint a, b, c, d, v, w[2], *p = &a, sink;\nstruct pair {{ int x, y; }} s, t;\n\
             static void f(void) {{ {f} }}\nstatic void step(void) {{ {first} {step} }}\n\
             int main(void) {{ for (;;) {{ {keeps} int n = nondet_int(); v = n == 1 ? 1 : n == 2 ? 2 : 0; step(); }} }}\n",
        )
    }
}

/// The answers are compared with those of the same program where all is read behind each head.
#[test]
fn random_programs_have_the_answers_of_all_their_states() {
    if !cbmc() {
        return;
    }
    let formulas = [
        "G {a <= 2}",
        "G {a <= 1}",
        "G F {b == 0}",
        "G ({a == 1} -> F {b == 1})",
        "F {c == 2}",
        "({d == 0}) W ({a == 1})",
    ];
    let count = cases(48) as u64;
    for seed in 1..=count {
        let answers = |keeps: &'static str| {
            let random = &mut Random(seed * 0x9e37_79b9);
            let text = Case { random, keeps }.program();
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
        let ((fast, text), (full, _)) = (answers(""), answers(KEEPS));
        for (fast, full) in fast.iter().zip(&full) {
            assert_eq!(
                fast["holds"], full["holds"],
                "{seed}: {text}\n{fast}\n{full}"
            );
        }
    }
}
