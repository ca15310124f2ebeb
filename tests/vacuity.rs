//! Small programs, each with the expected remarks on its answer: whether the formula holds, which
//! of its parts do not matter and why, and on which assumption the answer rests. There must be no
//! other remarks.

use crate::support::{cbmc, Dir};

/// A row: the body of `main`, the formula, `holds`, the parts that do not matter with a word of the
/// reason, and a word of an assumption (other words of [`ASSUMPTIONS`] must not occur).
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
);

const HEAD: &str = "extern int nondet_int(void);\nextern void __VERIFIER_assume(int);\n\
    int req, ack, mode, err, n, idle = 1; unsigned left; _Bool on;\nvoid never(void) { req = 1; ack = 1; }\n";

/// Words of the assumptions that rows may have.
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
    // Safety: the formula says that something bad never happens, so this is not vacuous.
    (
        "if (mode == 7) err = 1; return 0;",
        "G !{err == 1}",
        "proved",
        &[],
        "",
    ),
    (
        "if (mode == 7) { int *p = &err; *p = 1; } return 0;",
        "G !{err == 1}",
        "proved",
        &[],
        "",
    ),
    // It means less if nothing could make it happen.
    (
        "return 0;",
        "G !{err == 1}",
        "proved",
        &[("{err == 1}", "nothing in the program writes `err`")],
        "",
    ),
    (
        "req = 1; return 0;",
        "G !{err == 1}",
        "proved",
        &[("{err == 1}", "nothing in the program writes `err`")],
        "",
    ),
    (
        "int *p = &req; *p = 1; return 0;",
        "G !{err == 1}",
        "proved",
        &[("{err == 1}", "nothing in the program writes `err`")],
        "",
    ),
    (
        "err = 0; return 0;",
        "G !{req == 1}",
        "proved",
        &[("{req == 1}", "only `never` would write `req`")],
        "",
    ),
    (
        "return 0;",
        "G {err + n == mode}",
        "proved",
        &[(
            "{err + n == mode}",
            "nothing in the program writes `mode`, `err` or `n`",
        )],
        "",
    ),
    (
        "n = mode; return 0;",
        "G {err + n == mode}",
        "proved",
        &[],
        "",
    ),
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
    // Antecedents with several parts.
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
        &[("{mode == 7}", "nothing in the program writes `mode`")],
        "",
    ),
    (
        "mode = 6; req = 1; ack = 1; return 0;",
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
        &[("{idle == 1}", "nothing in the program writes `idle`")],
        "",
    ),
    (
        "idle = req + 1; req = 1; return 0;",
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
        "for (;;) { mode = 7; mode = 0; if (mode) err = 1; }",
        "G !{err == 1}",
        "unknown",
        &[],
        "",
    ),
    (
        "for (;;) { mode = 7; mode = 0; }",
        "G !{err == 1}",
        "unknown",
        &[("{err == 1}", "nothing in the program writes `err`")],
        "",
    ),
    // Conditions that C's types decide, and similar ones that the program decides.
    (
        "left = 3; return 0;",
        "G {left >= 0}",
        "proved",
        &[("{left >= 0}", "always holds, whatever the program does")],
        "",
    ),
    (
        "left = 3; req = 1; return 0;",
        "G({left < 0} -> F {ack == 1})",
        "proved",
        &[("F {ack == 1}", "`{left < 0}` never holds, whatever")],
        "",
    ),
    (
        "on = mode + 1; return 0;",
        "G !{on > 1}",
        "proved",
        &[("{on > 1}", "`{on > 1}` never holds, whatever")],
        "",
    ),
    ("left = 3; return 0;", "G {left != -1}", "proved", &[], ""),
    ("n = 3; return 0;", "G {n >= 0}", "proved", &[], ""),
    ("left = 3; return 0;", "F {left < 0}", "refuted", &[], ""),
];

#[test]
fn what_has_to_be_said_is_said_and_nothing_else() {
    if !cbmc() {
        return;
    }
    assert!(ROWS.len() >= 40);
    let mut wrong = Vec::new();
    for (number, (body, formula, holds, vacuous, assumption)) in
        crate::support::sample(ROWS.iter().enumerate(), 3)
    {
        let program = format!("{HEAD}int main(void) {{ {body} }}\n");
        let dir = Dir::with(&[("p.c", &program)]);
        let search = ["--no-trace", "--unwind", "4", "--report", "r"];
        let (got, _) = dir.verify(&[&["--ltl", formula, "p.c"], &search[..]].concat());
        wrong.extend(forms(&dir, vacuous).map(|why| format!("row {number}: {body}: {why}")));
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

/// What is wrong with the remarks on vacuity in the forms of a report; `None` if each of them tells
/// the same.
fn forms(dir: &Dir, vacuous: &[(&str, &str)]) -> Option<String> {
    let told = |file: &str, text: &str, what: &str| {
        let right = text.contains(what);
        (!right).then(|| format!("{file} lacks {what}"))
    };
    let words = |file: &str| {
        let text = dir.read(file);
        let plain = [
            ("&#38;", "&"),
            ("&#60;", "<"),
            ("&#62;", ">"),
            ("&#39;", "'"),
            ("<code>", "`"),
            ("</code>", "`"),
        ];
        let text = plain.iter().fold(text, |t, (from, to)| t.replace(from, to));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let whats: Vec<&str> = vacuous.iter().map(|(what, _)| *what).collect();
    let sarif = dir.read("r/report.sarif");
    let notes = sarif.matches("\"ruleId\": \"vacuous\"").count();
    if notes != usize::from(!vacuous.is_empty()) {
        return Some(format!("SARIF has {notes} notes"));
    }
    for file in ["r/report.txt", "r/report.html", "r/report.xml"] {
        let text = words(file);
        for (what, because) in vacuous {
            // The order in which a report names the parts is that of the formula.
            let parts = ["does not matter", "has one value alone"];
            if !parts
                .iter()
                .any(|p| text.contains(&format!("`{what}` {p}")))
            {
                return Some(format!("{file} lacks {what}"));
            }
            if let Some(why) = told(file, &text, because) {
                return Some(why);
            }
        }
        if vacuous.is_empty() && text.contains("vacuous:") {
            return Some(format!("{file} has a remark too many"));
        }
    }
    let cell = format!(",proved,{},", whats.join("; "));
    let csv = dir.read("r/report.csv");
    match csv.contains(",proved,") {
        true => told("r/report.csv", &csv, &cell),
        false => None,
    }
}

/// What `prove` says about a formula, whichever search has the answer.
#[test]
fn each_engine_of_prove_tells_what_does_not_matter() {
    if !cbmc() {
        return;
    }
    // A step that is discarded shows nothing, and neither does code that nothing calls.
    let body = |step: &str| format!("for (;;) {{ n = nondet_int() ? 1 : 0; {step} ack = n; }}");
    let rows = [
        ("", true),
        ("if (mode == 7) never();", true),
        ("if (n == 1) { req = 1; __VERIFIER_assume(0); }", true),
        ("if (n == 1) { req = 1; ack = 1; req = 0; }", false),
    ];
    for (step, told) in crate::support::sample(rows, 5) {
        let program = format!("{HEAD}int main(void) {{ {} }}\n", body(step));
        for engine in ["induction", "explicit"] {
            let dir = Dir::with(&[("p.c", &program)]);
            let asked = ["prove", "--ltl", ANSWER, "p.c", "--engine", engine];
            let ran = dir.run(&[&asked[..], &["--report", "r"]].concat());
            let json: serde_json::Value = serde_json::from_str(&dir.read("r/report.json")).unwrap();
            assert_eq!(json["holds"], "proved", "{engine} {step}: {ran:?}");
            let wanted = [("F {ack == 1}", "`{req == 1}` holds in no explored run")];
            let wanted = if told { &wanted[..] } else { &[] };
            assert_eq!(forms(&dir, wanted), None, "{engine} {step}");
        }
        let dir = Dir::with(&[("p.c", &program)]);
        let plain = ["prove", "--ltl", ANSWER, "p.c", "--engine", "explicit"];
        let none = dir.run(&[&plain[..], &["--vacuity", "none"]].concat());
        assert!(!none.stdout.contains("does not matter"), "{none:?}");
    }
}

/// A row: declarations, the body of `main`, and for each assumption its subject (empty for a
/// pointer in a narrow integer) and whether the verdict of `G {err == 0}` can depend on it.
type Assumed = (&'static str, &'static str, &'static [(&'static str, bool)]);

const ASSUMED: &[Assumed] = &[
    ("", "if (nondet_int()) err = 1;", &[("nondet_int", true)]),
    ("", "mode = nondet_int();", &[("nondet_int", false)]),
    (
        "",
        "mode = nondet_int(); if (mode) err = 1;",
        &[("nondet_int", true)],
    ),
    (
        "",
        "mode = nondet_int(); if (mode) req = 1; if (ack) err = 1;",
        &[("nondet_int", false)],
    ),
    (
        "",
        "mode = nondet_int(); req = mode; ack = req + 1; err = ack;",
        &[("nondet_int", true)],
    ),
    // Nothing happens after an endless loop.
    (
        "",
        "while (nondet_int()) ; err = 1;",
        &[("nondet_int", true)],
    ),
    // Nothing happens after an assumption that does not hold, or in a thread that waits for itself.
    (
        "extern void __VERIFIER_assume(int);",
        "int v = nondet_int(); __VERIFIER_assume(v > 5); err = 1;",
        &[("nondet_int", true)],
    ),
    (
        "extern void __VERIFIER_assume(int); void need(int p) { if (!p) __VERIFIER_assume(0); }",
        "need(nondet_int() > 5); err = 1;",
        &[("nondet_int", true)],
    ),
    (
        "#include <pthread.h>\npthread_mutex_t m;",
        "if (nondet_int()) pthread_mutex_lock(&m); pthread_mutex_lock(&m); err = 1;",
        &[("nondet_int", true)],
    ),
    (
        "#include <pthread.h>\npthread_mutex_t m;",
        "mode = nondet_int(); pthread_mutex_lock(&m); err = 1;",
        &[("nondet_int", false)],
    ),
    (
        "extern int noise(void);",
        "mode = noise(); if (nondet_int()) err = 1;",
        &[("noise", false), ("nondet_int", true)],
    ),
    (
        "extern void get(int *);",
        "int x; get(&x); if (x) err = 1;",
        &[("get", true)],
    ),
    (
        "extern void get(int *);",
        "int x; get(&x); if (x) mode = 1;",
        &[("get", false)],
    ),
    (
        "int f(void) { return nondet_int(); }",
        "if (f()) err = 1;",
        &[("nondet_int", true)],
    ),
    (
        "void set(int *p) { *p = nondet_int(); }",
        "set(&mode); err = mode;",
        &[("nondet_int", true)],
    ),
    (
        "void set(int *p) { *p = nondet_int(); }",
        "set(&mode); err = ack;",
        &[("nondet_int", false)],
    ),
    (
        "#include <stdlib.h>",
        "int *p = malloc(4); if (p) *p = 1;",
        &[("malloc", false)],
    ),
    (
        "#include <stdlib.h>",
        "int *p = malloc(4); if (!p) err = 1;",
        &[("malloc", true)],
    ),
    (
        "#include <stdlib.h>",
        "int *p = malloc(4); *p = 1; err = *p;",
        &[("malloc", true)],
    ),
    (
        "#include <stdio.h>",
        "printf(\"%d\", err); err = 1;",
        &[("printf", false)],
    ),
    ("", "mode = (int)(long)&req; err = 1;", &[("", false)]),
    (
        "",
        "mode = (int)(long)&req; if (mode) err = 1;",
        &[("", true)],
    ),
    // The order of evaluation of operands.
    (
        "int f(void) { return ++n; } int g(void) { return n; }",
        "mode = f() + g();",
        &[("f() + g()", false)],
    ),
    (
        "int f(void) { return ++n; } int g(void) { return n; }",
        "err = f() - g();",
        &[("f() - g()", true)],
    ),
    (
        "int f(void) { return ++n; } int g(void) { return req; }",
        "err = f() - g();",
        &[],
    ),
    (
        "int f(void) { return ++n; }",
        "err = n + f();",
        &[("n + f()", true)],
    ),
    ("int f(void) { return ++n; }", "err = f() && n;", &[]),
    ("", "err = 1;", &[]),
];

#[test]
fn what_a_verdict_depends_on_is_told_from_what_occurs() {
    if !cbmc() {
        return;
    }
    let mut wrong = Vec::new();
    for (declarations, body, assumed) in crate::support::sample(ASSUMED, 2) {
        let head = HEAD.split("void never").next().unwrap();
        let program = format!("{head}{declarations}\nint main(void) {{ {body} return 0; }}\n");
        let dir = Dir::with(&[("p.c", &program)]);
        let (got, _) = dir.verify(&["--ltl", "G {err == 0}", "--no-trace", "p.c"]);
        let nothing = Vec::new();
        let told = got["rests_on"].as_array().unwrap_or(&nothing);
        // Of discarded runs there is only the place.
        let of_runs = |a: &&serde_json::Value| {
            let text = a["assumption"].as_str().unwrap();
            text.starts_with("runs are discarded")
        };
        let told: Vec<(&str, Option<bool>)> = told
            .iter()
            .filter(|a| !of_runs(a))
            .map(|a| (a["about"].as_str().unwrap(), a["matters"].as_bool()))
            .collect();
        let wanted: Vec<(&str, Option<bool>)> =
            assumed.iter().map(|(a, m)| (*a, Some(*m))).collect();
        let placed = told.is_empty() || got["rests_on"].to_string().contains("p.c:");
        if told != wanted || !placed {
            wrong.push(format!("{declarations} {body}: {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let program = format!("{HEAD}int main(void) {{ mode = nondet_int(); return 0; }}\n");
    let dir = Dir::with(&[("p.c", &program)]);
    let ran = dir.run(&["verify", "--ltl", "G {err == 0}", "p.c", "--report", "r"]);
    assert!(
        ran.stdout
            .contains("without influence on what the formulas"),
        "{ran:?}"
    );
    assert!(dir
        .read("r/report.html")
        .contains("can it change a verdict?"));
}

/// What the machine may do otherwise than the model stands beside the verdict, if it can decide it,
/// and not only among all that is assumed.
#[test]
fn what_a_verdict_may_rest_on_stands_beside_it() {
    if !cbmc() {
        return;
    }
    let fails = "#include <stdlib.h>\nint err, *p;\nint main(void) { p = malloc(4);";
    let order =
        "int err, n;\nint f(void) { return ++n; } int g(void) { return n; }\nint main(void) {";
    let (never, first) = (
        "that `malloc` never fails",
        "the order in which `f() - g()`",
    );
    let rows = [
        (fails, "if (!p) err = 1;", "proved", never),
        // The value of the pointer reaches nothing that the formula speaks of.
        (fails, "if (p) *p = 1;", "proved", ""),
        // A run without a failure violates the formula.
        (fails, "if (p) err = 1;", "refuted", ""),
        // Cut runs, too.
        (fails, "for (;;) if (!p) err = 1;", "unknown", never),
        (order, "if (f() - g()) err = 1;", "proved", first),
        (order, "err = f() - g() + 1;", "refuted", first),
        (order, "if (f()) err = 0;", "proved", ""),
    ];
    for (head, body, holds, rests) in crate::support::sample(rows, 5) {
        let program = format!("{head} {body} return 0; }}\n");
        let dir = Dir::with(&[("p.c", &program)]);
        let bounded = ["verify", "--engine", "bounded", "--unwind", "5"];
        let asked = ["--ltl", "G {err == 0}", "p.c", "--report", "r"];
        let ran = dir.run(&[bounded.as_slice(), &asked].concat());
        let json: serde_json::Value = serde_json::from_str(&dir.read("r/report.json")).unwrap();
        assert_eq!(json["holds"], holds, "{body}: {ran:?}");
        assert_eq!(
            ran.stdout.contains("may rest on: "),
            !rests.is_empty(),
            "{body}: {ran:?}"
        );
        assert!(ran.stdout.contains(rests), "{body}: {ran:?}");
        let page = dir.read("r/report.html");
        assert_eq!(page.contains("may rest on: "), !rests.is_empty(), "{body}");
        let sarif = dir.read("r/report.sarif");
        assert_eq!(sarif.contains("may rest on: "), !rests.is_empty(), "{body}");
    }
    let dir = Dir::with(&[("p.c", &format!("{fails} if (!p) err = 1; return 0; }}\n"))]);
    let ran = dir.run(&["prove", "--ltl", "G {err == 0}", "p.c"]);
    assert!(ran.stdout.contains(never), "{ran:?}");
    let (got, _) = dir.verify(&["--ltl", "G {err == 0}", "p.c"]);
    assert_eq!(got["rests_on"][0]["kind"], "allocation", "{got}");
}

/// A proposition of an area reads values that were given before the area begins: parameters, and
/// variables that are written in front of it. They were once said to be without influence, beside
/// the trace in which they decided.
#[test]
fn what_an_area_finds_when_it_begins_has_influence() {
    if !cbmc() {
        return;
    }
    let spec = |read: &str| {
        format!(
            r#"{{ "ltl": "G low", "pa": [ {{ "name": "low", "cond": "{read} < 4", "span": ["start", "done"], "default": true }} ] }}"#
        )
    };
    let work = |body: &str, call: &str| {
        format!(
            "extern int get(void), other(void);\nint noise;\nvoid work(int n) {{ {body}\nstart: noise = 1;\ndone: return; }}\n\
             int main(void) {{ noise = other(); {call} return 0; }}\n"
        )
    };
    let rows = [
        (work("", "work(get());"), "work::n"),
        (work("", "int k = get(); work(k + 1);"), "work::n"),
        (work("int v = n;", "work(get());"), "work::v"),
        (work("static int v; v = n;", "work(get());"), "work::v"),
        // Of the same name as another object, so that a trace does not show it.
        (
            work("int v = n; { int v = 3; noise = v; }", "work(get());"),
            "work::v",
        ),
    ];
    for (program, read) in rows {
        let dir = Dir::with(&[("p.c", &program), ("s.json", &spec(read))]);
        let (got, _) = dir.verify(&["s.json", "p.c"]);
        assert_eq!(got["properties"][0]["verdict"], "false", "{got}");
        let matters = |name: &str| {
            let all = got["rests_on"].as_array().unwrap();
            let of = all.iter().find(|a| a["about"] == name);
            of.unwrap_or_else(|| panic!("{name}: {got}"))["matters"].as_bool()
        };
        assert_eq!(matters("get"), Some(true), "{program}{got}");
        assert_eq!(matters("other"), Some(false), "{program}{got}");
        let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "out.c"]);
        assert_eq!(ran.status, 0, "{ran:?}");
        let (woven, _) = dir.verify(&["out.c", "--no-trace"]);
        assert_eq!(woven["rests_on"], got["rests_on"], "{program}");
    }
}

/// The mark of an area's entry was once a call without a definition if only areas had to be shown:
/// one model checker refused it, the other one reported an area as never entered although it is.
#[test]
fn an_area_that_is_entered_is_never_said_to_be_missed() {
    if !cbmc() {
        return;
    }
    let example = include_str!("../spec-examples/morse_figure4/asserted.c");
    let asserted = include_str!("../spec-examples/morse_figure4/asserted_safety.json");
    let dir = Dir::with(&[("asserted.c", example), ("s.json", asserted)]);
    let (got, _) = dir.verify(&["s.json", "asserted.c", "--no-trace"]);
    let property = &got["properties"][0];
    assert_eq!(property["verdict"], "presumably_true", "{got}");
    let vacuous = property["vacuous"].to_string();
    assert!(!vacuous.contains("no explored run enters"), "{property}");
}

/// Nothing violates `G !p` if the area of `p` is never entered, whatever its condition is.
#[test]
fn an_area_in_dead_code_is_told_of_a_formula_that_holds() {
    if !cbmc() {
        return;
    }
    let spec = r#"{ "ltl": "G !p", "pa": [ { "name": "p", "default": false, "cond": "x == 1", "span": ["begin", "end"] } ] }"#;
    let program = |test: &str| {
        format!(
            "extern int nondet_int(void);\nint x, mode;\nint main(void) {{\n  x = nondet_int() > 3;\n  if ({test}) {{ begin: x = 2; end: ; }}\n  return 0;\n}}\n"
        )
    };
    for (test, entered) in [("0", false), ("mode == 7", false), ("x", true)] {
        let dir = Dir::with(&[("p.c", &program(test)), ("s.json", spec)]);
        let (got, _) = dir.verify(&["s.json", "p.c", "--no-trace"]);
        let property = &got["properties"][0];
        let vacuous = property["vacuous"].to_string();
        let told = vacuous.contains("no explored run enters the area of `p`");
        assert_eq!(told, !entered, "{test}: {property}");
        assert_eq!(
            property["holds"],
            if entered { "refuted" } else { "proved" },
            "{test}"
        );
    }
}

/// An area whose exit label is never reached stays open, and its proposition keeps its value for
/// the rest of the run: probably the label is misplaced. If no path leads to the label, this is
/// intended.
#[test]
fn an_area_that_is_entered_and_never_left_is_told() {
    let spec = r#"{ "ltl": "G(busy -> !{err == 1})", "pa": [ { "name": "busy", "default": false, "cond": "x >= 0", "span": ["starts", "over"] } ] }"#;
    let rows: &[(&str, bool)] = &[
        ("starts: x = 1; over: x = 2;", false),
        ("starts: x = 1; if (mode == 7) { over: x = 2; }", true),
        ("starts: x = 1; if (nondet_int()) { over: x = 2; }", false),
        // The run leaves by another way, so the remark on the label is correct.
        ("starts: x = 1; if (!mode) return 0; over: x = 2;", true),
        // The label is reached, but not from inside the area.
        (
            "if (nondet_int()) goto over; starts: x = 1; if (!mode) return 0; over: x = 2;",
            true,
        ),
        // The area is not entered, which is another remark.
        ("if (!mode) goto over; starts: x = 1; over: x = 2;", false),
        // No path leads to the label.
        ("starts: x = 1; for (;;) x = 1; over: x = 2;", false),
        // The bound cuts the run before the label.
        ("starts: for (x = 0; x < 9; x++) ; over: x = 2;", true),
        ("starts: for (x = 0; x < 3; x++) ; over: x = 2;", false),
        // The runs that reach the label are discarded.
        (
            "starts: x = 1; if (mode || nondet_int()) { over: x = 2; __VERIFIER_assume(0); }",
            true,
        ),
    ];
    let mut checkers = Vec::new();
    if cbmc() {
        checkers.push("cbmc");
    }
    if crate::support::esbmc() {
        checkers.push("esbmc");
    }
    let mut wrong = Vec::new();
    for (number, (body, told)) in crate::support::sample(rows.iter().enumerate(), 3) {
        let program = format!(
            "extern int nondet_int(void);\nextern void __VERIFIER_assume(int);\n\
            int x, mode, err;\nint main(void) {{ {body} return 0; }}\n"
        );
        let dir = Dir::with(&[("p.c", &program), ("s.json", spec)]);
        // ESBMC encodes the program again for each query, so it gets fewer rows.
        let few = |c: &&&str| **c == "cbmc" || number % 4 == 1;
        for checker in checkers.iter().filter(few) {
            let arguments = [
                "s.json",
                "p.c",
                "--no-trace",
                "--unwind",
                "4",
                "--backend",
                checker,
            ];
            let (got, _) = dir.verify(&arguments);
            let said = &got["properties"][0]["never_left"];
            let right = match told {
                true => said[0]["what"] == "busy" && said[0]["label"] == "over",
                // An area that no run enters has another remark.
                false => said.is_null(),
            };
            if !right || got["properties"][0]["verdict"] != "presumably_true" {
                wrong.push(format!("{checker}: {body}: {got:#}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every form of the report has the remark, also with threads.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn an_area_that_threads_never_leave_is_told_in_every_form() {
    if !cbmc() {
        return;
    }
    let spec = r#"{ "ltl": "G(busy -> !{err == 1})", "pa": [ { "name": "busy", "default": false, "cond": "x >= 0", "span": ["starts", "over"] } ] }"#;
    let program = |test: &str| {
        format!("#include <pthread.h>\nint x, mode, err;\nvoid *t(void *q) {{ starts: x = 1; if ({test}) {{ over: x = 2; }} return q; }}\n\
            int main(void) {{ pthread_t h; pthread_create(&h, 0, t, 0); mode = 3; pthread_join(h, 0); return 0; }}\n")
    };
    for schedules in ["all", "rounds:2"] {
        for (test, told) in [("mode == 7", true), ("mode == 3", false)] {
            let dir = Dir::with(&[("p.c", &program(test)), ("s.json", spec)]);
            let (got, _) = dir.verify(&["s.json", "p.c", "--no-trace", "--schedules", schedules]);
            let said = &got["properties"][0]["never_left"];
            assert_eq!(
                said[0]["label"] == "over",
                told,
                "{schedules} {test}: {got:#}"
            );
        }
    }
    let dir = Dir::with(&[("p.c", &program("mode == 7")), ("s.json", spec)]);
    let ran = dir.run(&[
        "verify",
        "s.json",
        "p.c",
        "--schedules",
        "rounds:2",
        "--report",
        "r",
    ]);
    let text = "no explored run that enters the area of `busy` comes to its end `over`";
    assert!(ran.stdout.contains(text), "{ran:?}");
    assert!(dir.read("r/report.html").contains("comes to its end"));
    assert!(dir
        .read("r/report.sarif")
        .contains("\"ruleId\": \"never_left\""));
    assert!(dir.read("r/report.json").contains("\"label\": \"over\""));
}

/// ESBMC encodes a program again for each query, so vacuity is checked in a run of its own, and
/// only if a formula holds; by rounds, too.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn esbmc_is_asked_what_runs_show() {
    if !crate::support::esbmc() {
        return;
    }
    let sequential = "extern int nondet_int(void);\nint req, ack, mode;\n\
        int main(void) { if (nondet_int() > 5 && mode == 7) req = 1; return 0; }\n";
    let threaded = "#include <pthread.h>\nint req, ack, mode;\n\
        void *t(void *q) { if (mode == 7) req = 1; return 0; }\n\
        int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); mode = 3; pthread_join(h, 0); return 0; }\n";
    let shown = threaded.replace("mode = 3", "mode = 7; ack = 1");
    for (program, schedules, vacuous) in [
        (sequential, "all", true),
        (threaded, "rounds:2", true),
        (&shown, "rounds:2", false),
    ] {
        let dir = Dir::with(&[("p.c", program)]);
        let arguments = ["--ltl", ANSWER, "p.c", "--backend", "esbmc", "--schedules"];
        let (got, _) = dir.verify(&[&arguments[..], &[schedules]].concat());
        let said = got["properties"][0]["vacuous"].as_array().unwrap();
        assert_eq!(said.len(), usize::from(vacuous), "{got:#}");
        for part in said {
            assert_eq!(part["what"], "F {ack == 1}");
            assert!(part["because"].as_str().unwrap().contains("{req == 1}"));
        }
    }
}

/// Without vacuity questions the verdict is the same, and the report mentions only what the text shows: conditions that
/// C's types decide, and objects that nothing writes.
#[test]
fn without_questions_the_verdict_is_the_same_and_nothing_is_said() {
    if !cbmc() {
        return;
    }
    let program = "unsigned left;\nint req, ack, mode;\nint main(void) { if (mode == 7) req = ack = 1; return 0; }\n";
    let dir = Dir::with(&[("p.c", program)]);
    for (vacuity, said) in [("plain", 1), ("none", 0)] {
        let (got, status) = dir.verify(&["--ltl", ANSWER, "p.c", "--vacuity", vacuity]);
        let property = &got["properties"][0];
        assert_eq!(property["holds"], "proved", "{got:#}");
        assert_eq!(status, 0);
        let parts = property["vacuous"].as_array().map_or(0, Vec::len);
        assert_eq!(parts, said, "{got:#}");
    }
    let (got, _) = dir.verify(&["--ltl", "G {left >= 0}", "p.c", "--vacuity", "none"]);
    let parts = &got["properties"][0]["vacuous"];
    assert_eq!(parts[0]["what"], "{left >= 0}", "{got:#}");
    let (got, _) = dir.verify(&["--ltl", "G {left != 5}", "p.c", "--vacuity", "none"]);
    let parts = &got["properties"][0]["vacuous"];
    assert_eq!(parts[0]["what"], "{left != 5}", "{got:#}");
    let both = ["--vacuity", "none", "--fail-on", "vacuous"];
    let ran = dir.run(&[&["verify", "--ltl", ANSWER, "p.c"], &both[..]].concat());
    assert_eq!(ran.status, 2, "{ran:?}");
}
