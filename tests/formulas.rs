//! The influence of a formula's class on a verification: explanations, alphabets, and monitors that
//! are too large for the deterministic form.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir};
use serde_json::json;

/// A traffic light and a counter.
const PROGRAM: &str = "\
enum colour { RED, GREEN };
#define LIMIT 10

enum colour light = RED;
int speed = 0;

void change(void) {
    light = light == RED ? GREEN : RED;
    speed += 6;
}

int main(void) {
    change();
    change();
    return 0;
}
";

/// Conditions that are evaluated in the whole program.
fn spec(ltl: &str, more: serde_json::Value) -> String {
    let whole = |name: &str, cond: &str| json!({ "name": name, "default": false, "cond": cond, "span": ["_begin", "_end"] });
    let mut spec = json!({
        "ltl": ltl,
        "pa": [whole("red", "light == RED"), whole("green", "light == GREEN"),
               whole("slow", "speed < LIMIT"), whole("fast", "speed > 11")]
    });
    if let Some(more) = more.as_object() {
        for (key, value) in more {
            spec[key] = value.clone();
        }
    }
    spec.to_string()
}

fn project(ltl: &str, more: serde_json::Value) -> Dir {
    Dir::with(&[("p.c", PROGRAM), ("s.json", &spec(ltl, more))])
}

/// The text of `check`.
fn check(ltl: &str, more: serde_json::Value) -> String {
    let dir = project(ltl, more);
    let ran = dir.run(&["check", "s.json", "p.c"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    ran.stdout
}

#[test]
fn check_explains_the_formula() {
    let text = check("G((red -> F green) && (green -> F red))", json!({}));
    assert!(
        text.contains("No finite run satisfies or violates this formula whatever follows"),
        "{text}"
    );
}

#[test]
fn conditions_over_one_object_restrict_the_alphabet() {
    // Enumeration constants, macros and numbers are known to differ.
    for ltl in ["F(red && green)", "F(slow && fast)"] {
        let text = check(ltl, json!({}));
        assert!(
            text.contains("No run can satisfy this formula; ⊥ is all"),
            "{text}"
        );
        assert!(
            text.contains("Without the alphabet's restriction"),
            "{text}"
        );
    }
    let text = check("F(red && slow)", json!({}));
    assert!(
        text.contains("Satisfaction always shows in a finite run"),
        "{text}"
    );
    assert!(!text.contains("restriction"), "{text}");
}

#[test]
fn a_declared_alphabet_is_an_assumption_of_the_verdict() {
    let text = check("F(red && slow)", json!({ "alphabet": ["!(red && slow)"] }));
    assert!(text.contains("No run can satisfy this formula"), "{text}");
    assert!(
        text.contains("the specification's alphabet: !(red && slow) always holds"),
        "{text}"
    );
}

#[test]
fn locals_of_several_calls_are_not_one_object() {
    let program = "int f(int x) {\nin:\n    x = x + 1;\nout:\n    return x;\n}\nint main(void) { return f(0) + f(1); }\n";
    let area = |name: &str, cond: &str| json!({ "name": name, "default": false, "cond": cond, "span": ["in", "out"] });
    let spec =
        json!({ "ltl": "F(a && b)", "pa": [area("a", "f::x == 1"), area("b", "f::x == 2")] });
    let dir = Dir::with(&[("p.c", program), ("s.json", &spec.to_string())]);
    let text = dir.run(&["check", "s.json", "p.c"]).stdout;
    assert!(
        text.contains("Satisfaction always shows in a finite run"),
        "{text}"
    );
}

/// A formula whose negation has a small automaton, but whose deterministic monitor has 2^16 states.
fn large() -> String {
    format!("G(red -> {} green)", "X ".repeat(16))
}

#[test]
fn a_monitor_that_is_too_large_falls_back_and_says_so() {
    let text = check(&large(), json!({}));
    assert!(
        text.contains("so all runs of the automaton of the negation are followed instead"),
        "{text}"
    );
    let dir = project(&large(), json!({}));
    let ran = dir.run(&["check", "s.json", "p.c", "--monitor", "dfa"]);
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("is too large: more than"), "{ran:?}");
    if cbmc() {
        let (result, code) = dir.verify(&["s.json", "p.c"]);
        assert_eq!(result["verdict"], json!("presumably_false"), "{result}");
        assert_eq!(code, 10);
    }
}

/// A program that executes these assignments; each variable of the formula is a condition.
fn played(ltl: &str, writes: &str) -> Dir {
    let mut names: Vec<&str> = ltl
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    names.sort_unstable();
    names.dedup();
    let conditions: Vec<String> = names
        .iter()
        .map(|name| format!("{{ \"name\": \"{name}\", \"cond\": \"{name}\", \"default\": false, \"span\": [\"_begin\", \"_end\"] }}"))
        .collect();
    let spec = format!(
        "{{ \"ltl\": \"{ltl}\", \"pa\": [{}] }}",
        conditions.join(", ")
    );
    let program = format!(
        "int {};\nint main(void) {{\n{writes}\nreturn 0;\n}}\n",
        names.join(", ")
    );
    Dir::with(&[("p.c", &program), ("s.json", &spec)])
}

fn all(count: usize, each: impl Fn(usize) -> String, joined: &str) -> String {
    (0..count).map(each).collect::<Vec<_>>().join(joined)
}

/// Formulas with a large deterministic monitor: some split into independent parts, for others all
/// runs of an automaton are tracked.
#[test]
fn large_formulas_have_exact_verdicts() {
    let responses = all(8, |i| format!("G(r{i} -> F a{i})"), " && ");
    let never = all(5, |i| format!("G !e{i}"), " && ");
    let some = all(9, |i| format!("F p{i}"), " && ");
    let reached = all(9, |i| format!("p{i} = 1;"), " ");
    let fair = all(5, |i| format!("(G F e{i} -> G F s{i})"), " && ");
    let fair = format!("({fair}) -> G(r -> F a)");
    let mixed = format!("({never}) || ({some})");
    let until = (1..10).fold("p0".to_string(), |f, i| format!("({f}) U p{i}"));
    let late = format!("F(p && {} q)", "X ".repeat(15));
    let soon = format!("G(p -> {} q)", "X ".repeat(15));
    // Every assignment is a letter: p in the second, q in the one that is `letters` later.
    let delayed = |letters: usize| format!("p = 1; {} q = 1;", "p = 0; ".repeat(letters - 1));
    let (at_15, at_14) = (delayed(15), delayed(14));
    let cases: &[(&str, &str, &str)] = &[
        (&responses, "", "presumably_true"),
        (&responses, "r3 = 1; a3 = 1; r3 = 0;", "presumably_true"),
        (
            &responses,
            "r3 = 1; a3 = 1; a3 = 0; r5 = 1;",
            "presumably_false",
        ),
        (&never, "", "presumably_true"),
        (&never, "e2 = 1; e2 = 0;", "false"),
        (&some, &reached, "true"),
        (&some, "p0 = 1; p8 = 1;", "presumably_false"),
        (&mixed, "e2 = 1;", "presumably_false"),
        (&mixed, &format!("e2 = 1; {reached}"), "true"),
        (&mixed, "p1 = 1;", "presumably_true"),
        (&fair, "", "presumably_true"),
        (&fair, "r = 1;", "presumably_false"),
        (&fair, "r = 1; e0 = 1;", "presumably_true"),
        (&fair, "r = 1; e0 = 1; s0 = 1;", "presumably_false"),
        (&until, "", "false"),
        (&late, &at_15, "true"),
        (&late, &at_14, "presumably_true"),
        (&late, "p = 1;", "presumably_false"),
        (&soon, &at_14, "presumably_true"),
        (&soon, "p = 1;", "presumably_false"),
        (&soon, &format!("p = 1; {}", "p = 0; ".repeat(15)), "false"),
    ];
    for (number, (ltl, writes, verdict)) in crate::support::sample(cases.iter().enumerate(), 3) {
        let dir = played(ltl, writes);
        let mut backends = vec!["native"];
        if number % 5 == 0 && cbmc() {
            backends.push("cbmc");
        }
        for backend in backends {
            let (result, _) = dir.verify(&["s.json", "p.c", "--backend", backend]);
            assert_eq!(
                result["verdict"],
                json!(verdict),
                "{ltl}: {writes}: {result}"
            );
        }
    }
}

/// What is known about a formula for every program must not contradict the answer for this one:
/// "no finite run can ever prove or refute this formula" once stood below "proved".
#[test]
fn words_about_the_formula_do_not_contradict_the_answer() {
    if !cbmc() {
        return;
    }
    let program = "int x;\nint main(void) { x = 1; x = 2; return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    for formula in [
        "G F {x == 2}",
        "G F {x == 1}",
        "G {x < 3}",
        "F {x == 7}",
        "F {x == 1}",
        "{x == 0} && G F {x == 2}",
        "{x == 1} || G F {x == 1}",
    ] {
        let ran = dir.run(&["verify", "--ltl", formula, "p.c", "--report", "r"]);
        assert!(ran.stdout.contains("proved") != ran.stdout.contains("refuted"));
        for file in [
            "r/report.txt",
            "r/report.html",
            "r/report.sarif",
            "r/report.xml",
        ] {
            let text = dir
                .read(file)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            let decided = [
                "can prove",
                "can refute",
                "prove this",
                "refute this",
                "ever prove",
            ];
            let contradicts = decided.iter().find(|words| text.contains(**words));
            assert_eq!(contradicts, None, "{formula}: {file}: {text}");
        }
        assert!(ran.stdout.contains("about the formula"), "{ran:?}");
    }
}
