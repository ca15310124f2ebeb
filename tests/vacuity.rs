//! Small programs, each with what has to be said about its answer: whether it holds, which parts of the
//! formula do not matter and why, and which assumption it rests on. What the table does not list must
//! not be said.

use crate::support::{cbmc, Dir};

/// A row: the body of `main` behind the declarations below, the formula, `holds`, the parts that do not
/// matter with a word of the reason, and a word of an assumption (none of the words of [`ASSUMPTIONS`] may be
/// there otherwise).
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
);

const HEAD: &str = "extern int nondet_int(void);\nextern void __VERIFIER_assume(int);\n\
    int req, ack, mode, err, n, idle = 1;\nvoid never(void) { req = 1; ack = 1; }\n";

/// Words of assumptions that the rows may have.
const ASSUMPTIONS: [&str; 3] = ["any values come from", "are discarded", "narrower integers"];

const ANSWER: &str = "G({req == 1} -> F {ack == 1})";

const ROWS: &[Row] = &[
    // Requests and answers.
    (
        "return 0;",
        ANSWER,
        "proved",
        &[("F {ack == 1}", "`{req == 1}` holds in no")],
        "",
    ),
    ("req = 1; ack = 1; return 0;", ANSWER, "proved", &[], ""),
    (
        "ack = 1; return 0;",
        ANSWER,
        "proved",
        &[("F {ack == 1}", "`{req == 1}` holds in no")],
        "",
    ),
    ("ack = 1; req = 1; return 0;", ANSWER, "proved", &[], ""),
    (
        "req = 2; ack = 1; return 0;",
        ANSWER,
        "proved",
        &[("F {ack == 1}", "`{req == 1}`")],
        "",
    ),
    ("req = 1; return 0;", ANSWER, "refuted", &[], ""),
    (
        "if (mode == 7) req = 1; return 0;",
        ANSWER,
        "proved",
        &[("F {ack == 1}", "`{req == 1}`")],
        "",
    ),
    (
        "if (nondet_int()) { req = 1; ack = 1; } return 0;",
        ANSWER,
        "proved",
        &[],
        "any values come from",
    ),
    (
        "if (nondet_int() > 5 && mode == 7) req = 1; return 0;",
        ANSWER,
        "proved",
        &[("F {ack == 1}", "`{req == 1}`")],
        "any values come from",
    ),
    (
        "int i = nondet_int(); __VERIFIER_assume(i < 3); if (i > 5) req = 1; return 0;",
        ANSWER,
        "proved",
        &[("F {ack == 1}", "`{req == 1}`")],
        "are discarded",
    ),
    (
        "int i = nondet_int(); __VERIFIER_assume(i < 9); if (i > 5) req = ack = 1; return 0;",
        ANSWER,
        "proved",
        &[],
        "are discarded",
    ),
    (
        "int i = nondet_int(); if (i) req = ack = 1; __VERIFIER_assume(!i); return 0;",
        ANSWER,
        "proved",
        &[("F {ack == 1}", "`{req == 1}`")],
        "are discarded",
    ),
    (
        "req = 1; req = 0; ack = 1; return 0;",
        ANSWER,
        "proved",
        &[],
        "",
    ),
    (
        "for (n = 0; n < 3; n++) { req = 1; ack = 1; req = 0; ack = 0; } return 0;",
        ANSWER,
        "proved",
        &[],
        "",
    ),
    (
        "for (n = 0; n < 3; n++) ack = !ack; return 0;",
        ANSWER,
        "proved",
        &[("F {ack == 1}", "`{req == 1}`")],
        "",
    ),
    (
        "void (*f)(void) = 0; if (mode) f = never; if (f) f(); return 0;",
        ANSWER,
        "proved",
        &[("F {ack == 1}", "`{req == 1}`")],
        "",
    ),
    (
        "mode = (int)(long)&req; if (!mode) req = 1; return 0;",
        ANSWER,
        "proved",
        &[("F {ack == 1}", "`{req == 1}`")],
        "narrower integers",
    ),
    (
        "mode = (int)(long)&req; if (mode) req = ack = 1; return 0;",
        ANSWER,
        "proved",
        &[],
        "narrower integers",
    ),
    // Safety: that something bad never happens is what the formula says.
    ("return 0;", "G !{err == 1}", "proved", &[], ""),
    ("req = 1; return 0;", "G !{err == 1}", "proved", &[], ""),
    ("err = 1; return 0;", "G !{err == 1}", "refuted", &[], ""),
    (
        "req = 1; return 0;",
        "G({req == 1} -> {err == 0})",
        "proved",
        &[("{req == 1}", "`{err == 0}` always holds")],
        "",
    ),
    (
        "return 0;",
        "G({req == 1} -> {err == 0})",
        "proved",
        &[
            ("{req == 1}", "`{err == 0}` always holds"),
            ("{err == 0}", "`{req == 1}` holds in no"),
        ],
        "",
    ),
    (
        "req = 1; req = 0; err = 1; return 0;",
        "G({req == 1} -> {err == 0})",
        "proved",
        &[],
        "",
    ),
    (
        "req = 1; return 0;",
        "G !({req == 1} && {ack == 1})",
        "proved",
        &[("{req == 1}", "`{ack == 1}` holds in no")],
        "",
    ),
    (
        "req = 1; req = 0; ack = 1; return 0;",
        "G !({req == 1} && {ack == 1})",
        "proved",
        &[],
        "",
    ),
    (
        "return 0;",
        "G !({req == 1} && {ack == 1})",
        "proved",
        &[
            ("{req == 1}", "`{ack == 1}`"),
            ("{ack == 1}", "`{req == 1}`"),
        ],
        "",
    ),
    // Antecedents of several parts.
    (
        "req = 1; req = 0; mode = 7; ack = 1; return 0;",
        "G({req == 1} && {mode == 7} -> F {ack == 1})",
        "proved",
        &[("F {ack == 1}", "`{req == 1} && {mode == 7}` holds in no")],
        "",
    ),
    (
        "mode = 7; req = 1; ack = 1; return 0;",
        "G({req == 1} && {mode == 7} -> F {ack == 1})",
        "proved",
        &[],
        "",
    ),
    (
        "req = 1; ack = 1; return 0;",
        "G({req == 1} || {mode == 7} -> F {ack == 1})",
        "proved",
        &[],
        "",
    ),
    // Until, weak until, eventually.
    (
        "req = 1; return 0;",
        "{idle == 1} U {req == 1}",
        "proved",
        &[],
        "",
    ),
    (
        "idle = 0; return 0;",
        "{idle == 1} W {req == 1}",
        "refuted",
        &[],
        "",
    ),
    (
        "req = 1; return 0;",
        "{idle == 1} W {req == 1}",
        "proved",
        &[("{req == 1}", "`{idle == 1}` always holds")],
        "",
    ),
    (
        "req = 1; idle = 0; return 0;",
        "{idle == 1} W {req == 1}",
        "proved",
        &[],
        "",
    ),
    (
        "req = 1; return 0;",
        "F {req == 1} || G {idle == 1}",
        "proved",
        &[("F {req == 1}", "`{idle == 1}` always holds")],
        "",
    ),
    (
        "idle = 0; req = 1; return 0;",
        "F {req == 1} || G {idle == 1}",
        "proved",
        &[],
        "",
    ),
    (
        "req = 1; idle = 0; return 0;",
        "F {req == 1} || F {ack == 1}",
        "proved",
        &[("F {ack == 1}", "`{ack == 1}` holds in no")],
        "",
    ),
    ("req = 1; return 0;", "F {req == 1}", "proved", &[], ""),
    ("return 0;", "F {req == 1}", "refuted", &[], ""),
    (
        "for (;;) { req = 1; req = 0; ack = 1; ack = 0; }",
        "G({mode == 7} -> F {ack == 1})",
        "unknown",
        &[("F {ack == 1}", "`{mode == 7}` holds in no")],
        "",
    ),
    (
        "for (;;) { mode = 7; mode = 0; }",
        "G !{err == 1}",
        "unknown",
        &[],
        "",
    ),
];

#[test]
fn what_has_to_be_said_is_said_and_nothing_else() {
    if !cbmc() {
        return;
    }
    assert!(ROWS.len() >= 40);
    let mut wrong = Vec::new();
    for (number, (body, formula, holds, vacuous, assumption)) in ROWS.iter().enumerate() {
        let program = format!("{HEAD}int main(void) {{ {body} }}\n");
        let dir = Dir::with(&[("p.c", &program)]);
        let (got, _) = dir.verify(&["--ltl", formula, "--no-trace", "--unwind", "4", "p.c"]);
        let property = &got["properties"][0];
        let said: Vec<(String, String)> = property["vacuous"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| (v["what"].to_string(), v["because"].to_string()))
            .collect();
        let told = said.len() == vacuous.len()
            && vacuous.iter().all(|(what, because)| {
                let mut said = said.iter();
                said.any(|(w, b)| *w == format!("{what:?}") && b.contains(because))
            });
        let assumptions = got["assumptions"].to_string();
        let rests = ASSUMPTIONS.iter().all(|word| {
            assumptions.contains(word) == (*word == *assumption) || *word == ASSUMPTIONS[0]
        });
        let rests = rests && assumptions.contains(assumption);
        if property["holds"] != *holds || !told || !rests {
            wrong.push(format!(
                "row {number}: {body} | {formula}: {property} {assumptions}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
