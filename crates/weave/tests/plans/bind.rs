//! Tests of the room `bind`: names of a specification are resolved in a program.

use std::fmt::Write as _;

use expect_test::{expect, Expect};
use weave::bind::resolve::resolve;
use weave::code::Code;

use crate::given::{program, specification, Given};

/// Compares the areas and the objects that each proposition reads; or why names are refused.
fn check(text: &str, spec: &str, expected: Expect) {
    let Given { unit, facts, .. } = program("", text);
    let code = Code::new(unit);
    let mut out = String::new();
    match resolve(&specification(spec), &facts, &code) {
        Ok(bound) => {
            for area in &bound.areas {
                let function = &facts.functions[area.function].name;
                writeln!(out, "area {} of {function}: {:?}", area.name, area.extent).unwrap();
            }
            for proposition in &bound.propositions {
                let objects = proposition.objects.iter();
                let objects: Vec<&str> = objects.map(|&o| facts.objects[o].name.as_str()).collect();
                let (name, area) = (&proposition.identifier, proposition.area);
                writeln!(out, "{name} ({area:?}) reads {}", objects.join(", ")).unwrap();
            }
            let evaluating = facts.functions.iter().zip(&bound.evaluating);
            for (function, _) in evaluating.filter(|(_, evaluates)| **evaluates) {
                writeln!(out, "{} evaluates", function.name).unwrap();
            }
        }
        Err(errors) => {
            for error in errors {
                writeln!(out, "refused: {}", error.title).unwrap();
            }
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn conditions_read_globals_members_and_locals() {
    let text = "
int x;
struct { int a, b; } s;
int main(void) {
  static int y;
  return y + x;
}";
    check(
        text,
        "G ({x < s.a} && {main::y == 1})",
        expect![[r#"
        x_s_a (None) reads x, s
        main_y_1 (None) reads y
    "#]],
    );
}

#[test]
fn functions_evaluate() {
    let text = "
int x, y;
int deep(void) { return y; }
int p(void) { return x && deep(); }
int main(void) { return 0; }";
    check(
        text,
        "G {p()}",
        expect![[r#"
        p (None) reads x, y
        deep evaluates
        p evaluates
    "#]],
    );
}

#[test]
fn propositions_of_the_same_labels_share_an_area() {
    let spec = r#"{ "properties": [{"name": "r", "ltl": "G (p || q)"}], "pa": [
      {"name": "p", "default": true, "cond": "x < 3", "span": ["b", "e"]},
      {"name": "q", "default": true, "cond": "x > 5", "span": ["b", "e"]}] }"#;
    let text = "
int x;
int main(void) {
b: x = 1;
e: return 0;
}";
    check(
        text,
        spec,
        expect![[r#"
        area p of main: Labels { entry: 0, exit: 1 }
        p (Some(0)) reads x
        q (Some(0)) reads x
    "#]],
    );
}

#[test]
fn a_name_that_means_nothing_is_refused() {
    check(
        "int x; int main(void) { return x; }",
        "G {z < 3}",
        expect![[r#"
            refused: the program has no variable `z`
        "#]],
    );
}

#[test]
fn an_evaluation_with_an_effect_is_refused() {
    let text = "
int x;
int p(void) { return x++; }
int main(void) { return 0; }";
    check(
        text,
        "G {p()}",
        expect![[r#"
        refused: `p` cannot evaluate a proposition: `p` has side effects
    "#]],
    );
}

#[test]
fn a_name_that_means_two_things_is_refused() {
    let text = "
int f(void) { int x = 0; { int x = 1; return x; } }
int main(void) { return f(); }";
    check(
        text,
        "G {f::x == 1}",
        expect![[r#"
        refused: `x` is declared more than once there, on lines 1, 1
    "#]],
    );
}
