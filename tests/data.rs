//! Formulas that remember values of the program and compare them later, in every search.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir};
use serde_json::{json, Value};

/// A sender that hands over messages through `hand_over`.
fn relay(hand_over: &str) -> String {
    format!(
        "extern unsigned char nondet_uchar(void);
unsigned char msg, data;
_Bool sent, received;
int main(void)
{{
    for (;;) {{
        msg = nondet_uchar() & 3;
        sent = 1;
        sent = 0;
        {hand_over}
        received = 1;
        received = 0;
    }}
}}
"
    )
}

/// What is received next is what was sent.
const NEXT: &str = "G ({sent} -> let v = msg in (!{received} W ({received} && data == v)))";

/// What was sent is received some time.
const SOME_TIME: &str = "G ({sent} -> let v = msg in F ({received} && data == v))";

/// The result of the properties, by these arguments.
fn asked(program: &str, formulas: &[&str], arguments: &[&str]) -> Vec<Value> {
    let properties: Vec<Value> = formulas.iter().map(|ltl| json!({"ltl": ltl})).collect();
    let spec = json!({ "properties": properties }).to_string();
    let dir = Dir::with(&[("p.c", program), ("s.json", &spec)]);
    let (result, _) = dir.verify(&[arguments, &["s.json", "p.c"]].concat());
    result["properties"].as_array().unwrap().clone()
}

#[test]
fn all_states_decide_what_becomes_of_each_value() {
    let right = asked(
        &relay("data = msg;"),
        &[NEXT, SOME_TIME],
        &["--engine", "explicit"],
    );
    assert_eq!(right[0]["holds"], "proved", "{right:?}");
    assert_eq!(right[1]["holds"], "proved", "{right:?}");
    // One of four values is lost.
    let wrong = relay("data = msg == 2 ? 1 : msg;");
    let found = asked(&wrong, &[NEXT, SOME_TIME], &["--engine", "explicit"]);
    assert_eq!(found[0]["holds"], "refuted", "{found:?}");
    assert_eq!(found[1]["holds"], "refuted", "{found:?}");
}

#[test]
fn the_value_that_was_chosen_is_shown_where_it_is_chosen() {
    if !cbmc() {
        return;
    }
    let wrong = relay("data = msg == 2 ? 1 : msg;");
    let found = asked(&wrong, &[NEXT], &["--unwind", "2"]);
    assert_eq!(found[0]["verdict"], "false", "{found:?}");
    assert_eq!(found[0]["holds"], "refuted", "{found:?}");
    let steps = found[0]["trace"].as_array().unwrap();
    let chosen: Vec<&Value> = steps
        .iter()
        .filter(|step| step["props"]["v := msg"] == true)
        .collect();
    let [chosen] = chosen.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(chosen["props"]["{sent}"], true, "{chosen}");
    assert_eq!(chosen["values"]["v"], "2", "{chosen}");
    let right = asked(
        &relay("data = msg;"),
        &[NEXT],
        &["--unwind", "2", "--no-trace"],
    );
    assert_eq!(right[0]["verdict"], "presumably_true", "{right:?}");
}

#[test]
fn values_of_threads_are_remembered() {
    if !cbmc() {
        return;
    }
    let program = |second: &str| {
        format!(
            "#include <pthread.h>
int ticket, served;
void *server(void *unused) {{ (void)unused; served = ticket{second}; return 0; }}
int main(void)
{{
    pthread_t t;
    ticket = 7;
    pthread_create(&t, 0, server, 0);
    pthread_join(t, 0);
    return 0;
}}
"
        )
    };
    let formula = "G ({ticket} -> let v = ticket in F served == v)";
    for (second, verdict) in [("", "presumably_true"), (" + 1", "presumably_false")] {
        let found = asked(
            &program(second),
            &[formula],
            &["--unwind", "1", "--no-trace"],
        );
        let given = found[0]["verdict"].as_str().unwrap();
        let holds = if second.is_empty() {
            "proved"
        } else {
            "refuted"
        };
        assert_eq!(given, verdict, "{found:?}");
        assert_eq!(found[0]["holds"], holds, "{found:?}");
    }
}

/// A letter: two propositions, two variables.
type Letter = (bool, bool, u8, u8);

const WORD: [Letter; 7] = [
    (true, false, 1, 0),
    (false, true, 1, 1),
    (true, true, 2, 0),
    (false, false, 0, 2),
    (true, false, 0, 2),
    (false, true, 2, 0),
    (false, false, 1, 1),
];

/// The word, whose last letter stays for ever.
fn at(i: usize) -> Letter {
    WORD[i.min(WORD.len() - 1)]
}

/// Whether it is so at some position from one on.
fn some(from: usize, is: &dyn Fn(usize) -> bool) -> bool {
    (from..from.max(WORD.len()) + 1).any(is)
}

fn all(from: usize, is: &dyn Fn(usize) -> bool) -> bool {
    !some(from, &|i| !is(i))
}

/// A formula, and its value by the definition.
type Case = (&'static str, fn() -> bool);

/// Formulas over the sampled letters.
const CASES: [Case; 8] = [
    ("G ({p} -> let a = x in F y == a)", || {
        all(0, &|i| !at(i).0 || some(i, &|j| at(j).3 == at(i).2))
    }),
    ("G ({p} -> let b = x in X F ({q} && y == b))", || {
        all(0, &|i| {
            !at(i).0 || some(i + 1, &|j| at(j).1 && at(j).3 == at(i).2)
        })
    }),
    ("G let c = x in X x != c", || {
        all(0, &|i| at(i + 1).2 != at(i).2)
    }),
    ("G let d = y in F[<=3] {x == d}", || {
        all(0, &|i| (i..=i + 3).any(|j| at(j).2 == at(i).3))
    }),
    ("!F ({q} && let e = x in G {x <= e})", || {
        !some(0, &|i| at(i).1 && all(i, &|j| at(j).2 <= at(i).2))
    }),
    (
        "G ({p} -> let f = x in X let g = x in X {x + f >= g})",
        || all(0, &|i| !at(i).0 || at(i + 2).2 + at(i).2 >= at(i + 1).2),
    ),
    ("let h = x in G (X {q} -> X {y + 1 >= h})", || {
        all(0, &|i| !at(i + 1).1 || at(i + 1).3 + 1 >= at(0).2)
    }),
    ("G (Y {q} -> let k = x in ({p} R y != k))", || {
        all(1, &|i| {
            !at(i - 1).1 || all(i, &|j| at(j).3 != at(i).2 || (i..j).any(|m| at(m).0))
        })
    }),
];

#[test]
fn words_are_judged_as_the_definition_says() {
    if !cbmc() {
        return;
    }
    let column = |of: fn(&Letter) -> u8| {
        let all: Vec<String> = WORD.iter().map(|l| of(l).to_string()).collect();
        all.join(", ")
    };
    let program = format!(
        "static const unsigned char ps[] = {{ {} }}, qs[] = {{ {} }}, xs[] = {{ {} }}, ys[] = {{ {} }};
unsigned char p, q, x, y;
int main(void)
{{
    for (int i = 0; i < {}; i++) {{
        p = ps[i]; q = qs[i]; x = xs[i]; y = ys[i];
tick:   ;
    }}
    return 0;
}}
",
        column(|l| l.0.into()),
        column(|l| l.1.into()),
        column(|l| l.2),
        column(|l| l.3),
        WORD.len()
    );
    let properties: Vec<Value> = CASES.iter().map(|(ltl, _)| json!({"ltl": ltl})).collect();
    let spec = json!({ "properties": properties, "trace": {"mode": "sample", "at": ["tick"]} });
    let dir = Dir::with(&[("p.c", &program), ("s.json", &spec.to_string())]);
    let bound = (WORD.len() + 1).to_string();
    let (bounded, _) = dir.verify(&["s.json", "p.c", "--unwind", &bound, "--no-trace"]);
    let (searched, _) = dir.verify(&["s.json", "p.c", "--engine", "explicit", "--no-trace"]);
    for result in [bounded, searched] {
        for (case, found) in CASES.iter().zip(result["properties"].as_array().unwrap()) {
            let expected = if case.1() { "proved" } else { "refuted" };
            assert_eq!(found["holds"], expected, "{} {found}", case.0);
        }
    }
}

#[test]
fn what_cannot_be_remembered_is_refused_with_its_place() {
    let program = "struct s { int a; } box; int x; int main(void) { x = 1; return 0; }";
    for (formula, message) in [
        ("G let v = box in F x == v", "this is no truth value"),
        ("F let v = x in G x == v", "`let v` within `F`"),
        ("G let v = y in F x == v", "no variable `y`"),
        ("G let v = x in F y == v", "no variable `y`"),
    ] {
        let spec = json!({ "ltl": formula }).to_string();
        let dir = Dir::with(&[("p.c", program), ("s.json", &spec)]);
        let output = dir.run(&["check", "s.json", "p.c"]);
        let said = output.stderr;
        assert_eq!(output.status, 3, "{formula}: {said}");
        assert!(said.contains(message), "{formula}: {said}");
    }
}
