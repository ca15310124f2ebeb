//! Certificates of proofs with real CBMC: a second run confirms them, and it confirms no damaged or forged one.
//!
//! `BAPRODUCT_PROVE_ALL=1` asks for the certificates of all of `prove/table.json`; `BAPRODUCT_CASES=20` forges twenty times as
//! many, `BAPRODUCT_SEED=7` other ones.

use crate::support::{cbmc, number, ran, repository, sample, thorough, Dir, AMPLE};
use serde_json::{json, Value};

/// A program, a text that makes it violate the formula if another text replaces it, and the formula.
struct Case {
    name: &'static str,
    program: &'static str,
    broken: (&'static str, &'static str),
    formula: &'static str,
}

const CASES: [Case; 12] = [
    Case {
        name: "an answer behind an inner loop",
        program: "int nondet_int(void); int taken, given, n;\nint main(void) { while (nondet_int()) { taken = 1; taken = 0; n = nondet_int(); while (n > 0) n--; given = 1; given = 0; } while (1) { } }\n",
        broken: ("n--", "n = n"),
        formula: "G({taken == 1} -> F {given == 1})",
    },
    Case {
        name: "a function that falls until it overflows",
        program: "int nondet_int(void); int n, done;\nint main(void) { n = nondet_int(); while (n > 0) n--; done = 1; return 0; }\n",
        broken: ("n--", "n++"),
        formula: "F {done == 1}",
    },
    Case {
        name: "an invariant",
        program: "int nondet_int(void); int x, y;\nint main(void) { while (1) { if (nondet_int()) { if (x < 3) { x++; y += 2; } } else { x = 0; y = 0; } } }\n",
        broken: ("x < 3", "x < 9"),
        formula: "G {y <= 6}",
    },
    Case {
        name: "two rounds",
        program: "int nondet_int(void);\nunsigned x = 1, y = 100;\nint main(void) { while (1) { unsigned t = x; x = y - 5; y = t + 5; } }\n",
        broken: ("y = 100", "y = 55"),
        formula: "G {x != 50}",
    },
    Case {
        name: "a recursion",
        program: "int nondet_int(void);\nint most;\nstatic int down(int n) { if (n > most) most = n; return n <= 0 ? 0 : down(n - 1); }\nint main(void) { while (1) down(nondet_int() & 7); }\n",
        broken: ("& 7", "& 15"),
        formula: "G {most <= 7}",
    },
    Case {
        name: "a recursion with a loop",
        program: "int nondet_int(void);\nint most, done;\nstatic int down(int n) { int i = n; while (i > 0) { i--; most = i < 7; } return n <= 0 ? 0 : down(n - 1); }\nint main(void) { while (1) { done = 0; if (down(nondet_int()) == 0) done = 1; } }\n",
        broken: ("down(n - 1)", "down(n - 1) + (n == 5)"),
        formula: "G F {done == 1}",
    },
    Case {
        name: "functions that call each other",
        program: "int nondet_int(void);\nint on;\nstatic void ping(unsigned n); static void pong(unsigned n) { on = 0; if (n > 0) ping(n - 1); }\nstatic void ping(unsigned n) { on = 1; pong(n); }\nint main(void) { while (1) ping(nondet_int()); }\n",
        broken: ("ping(n - 1)", "ping(n)"),
        formula: "G F {on == 0}",
    },
    Case {
        name: "loops with few rounds",
        program: "int nondet_int(void); int a[3], ordered;\nint main(void) {\n  int i, swapped;\n  for (i = 0; i < 3; i++) a[i] = nondet_int();\n  do {\n    swapped = 0;\n    for (i = 0; i < 2; i++) if (a[i] > a[i + 1]) { int t = a[i]; a[i] = a[i + 1]; a[i + 1] = t; swapped = 1; }\n  } while (swapped);\n  ordered = 1;\n  return 0;\n}\n",
        broken: ("i < 2", "i < 1"),
        formula: "G({ordered == 1} -> {a[0] <= a[2]})",
    },
    Case {
        name: "the end of a run",
        program: "int nondet_int(void); int busy;\nint main(void) { while (nondet_int()) { busy = 1; if (nondet_int() == 3) { busy = 0; return 0; } busy = 0; } return 0; }\n",
        broken: ("{ busy = 0; return 0; }", "{ return 0; }"),
        formula: "G({busy == 1} -> F {busy == 0})",
    },
    Case {
        name: "a static local",
        program: "int nondet_int(void); int out;\nstatic void step(void) { static unsigned char s = 2; s = s ^ 1; out = s; }\nint main(void) { while (1) { step(); if (nondet_int() == 7) out = 2; } }\n",
        broken: ("s ^ 1", "s + 1"),
        formula: "G {out <= 3}",
    },
    Case {
        name: "a pair of functions",
        program: "int nondet_int(void); int x, y, done;\nint main(void) { x = nondet_int(); y = nondet_int();\nwhile (x > 0 && y > 0) { if (nondet_int()) { x--; y = nondet_int(); } else y--; }\ndone = 1; return 0; }\n",
        broken: ("x--; y", "y"),
        formula: "F {done == 1}",
    },
    Case {
        name: "elements below a number, their sum, and a loop over them that is followed",
        program: "int nondet_int(void); int q[2], n, total;\nint main(void) { int i; while (1) { int x = nondet_int(); if (x >= 1 && x <= 3 && n < 2) { q[n++] = x; total += x; } else if (n > 0) { total -= q[0]; for (i = 1; i < n; i++) q[i - 1] = q[i]; n--; } } }\n",
        broken: ("total -= q[0]", "total -= q[n - 1]"),
        formula: "G {total >= 0 && total <= 6}",
    },
];

/// The begin of the argument.
const MARK: &str = "/* baproduct-certificate ";

/// Numbers that look random; the same for the same seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// The certificate of a program.
fn certificate(program: &str, formula: &str) -> String {
    let dir = Dir::with(&[("prog.c", program)]);
    let args = [
        "prove",
        "-q",
        "--engine",
        "induction",
        "--budget",
        AMPLE,
        "--ltl",
        formula,
        "--certificate",
        "proof.c",
        "prog.c",
    ];
    let out = ran(&mut dir.command(&args));
    assert_eq!(out.status, 0, "{formula}: {out:?}");
    dir.read("proof.c")
}

/// Why a certificate is not confirmed; `None` if it is.
fn refused(text: &str) -> Option<String> {
    let dir = Dir::with(&[("proof.c", text)]);
    let args = [
        "verify",
        "--format",
        "json",
        "-q",
        "--timeout",
        AMPLE,
        "proof.c",
    ];
    let out = ran(&mut dir.command(&args));
    let result: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let confirmed = result["properties"][0]["holds"] == "proved";
    assert_eq!(out.status, if confirmed { 0 } else { 5 }, "{out:?}");
    let reason = result["properties"][0]["reason"].as_str().unwrap();
    (!confirmed).then(|| reason.to_string())
}

/// The text in front of the argument, and the argument.
fn split(text: &str) -> (String, Value) {
    let (front, rest) = text.rsplit_once(MARK).unwrap();
    let argument = rest.strip_suffix(" */\n").unwrap();
    (front.to_string(), serde_json::from_str(argument).unwrap())
}

fn joined(front: &str, argument: &Value) -> String {
    let argument = argument.to_string().replace("*/", "*\\/");
    format!("{front}{MARK}{argument} */\n")
}

/// Whether a confirmed proof is the only thing that a certificate lacks: its text is another one.
fn proves(text: &str) -> bool {
    refused(text).is_none_or(|why| why.contains("though these are a proof"))
}

/// A certificate is confirmed, and no text that differs from it anywhere: an assertion less, an assumption more, a loop that
/// is not cut, a variable that is not forgotten, another monitor, a comment or macro that hides what follows.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_certificate_with_another_text_is_not_confirmed() {
    if !cbmc() {
        return;
    }
    let text = certificate(CASES[0].program, CASES[0].formula);
    assert_eq!(refused(&text), None);
    let (front, argument) = split(&text);
    let begin = front.find("#define BA_HEAD").unwrap();
    let replaced = |from: &str, to: &str| {
        let damaged = front.replacen(from, to, 1);
        assert!(damaged != front, "nothing to damage: {from}");
        damaged
    };
    let mut all = vec![
        replaced("__CPROVER_assume(n > 0)", "__CPROVER_assume(n > 1)"),
        replaced("ba_count = 1;", "__CPROVER_assume(0); ba_count = 1;"),
        replaced("n = nondet_ba_integer();", ""),
        replaced("n = nondet_ba_integer();", "n = nondet_ba_integer() & 1;"),
        replaced("BA_HEAD_7(ba_loop1)", ""),
        replaced("#define BA_CHECK", "#define BA_CHECK 0 /*"),
        replaced("n--", "n++"),
        replaced("ba_value  = 1;", "ba_value  = 2;"),
        replaced("ba_state = 1;", "ba_state = 0;"),
        replaced("!!(taken == 1)", "!!(taken == 9)"),
        replaced("-> F {given == 1}", "-> F {given == 0}"),
        replaced("int main(void) {", "int main(void) { return 0;"),
        replaced("ba_input_0 /* nondet_int */()", "1"),
        format!("#define __CPROVER_assert(c, t)\n{front}"),
        format!("{}/*{}", &front[..begin], &front[begin..]),
        format!("{front}static int spare;\n"),
        front.replace("--unwind 3", "--unwind 2"),
    ];
    // Assertions, one of each kind.
    for kind in ["claim:6", "claim:62", "only:7", "forbidden:7", "falls:0:4"] {
        let assertion = front[..]
            .split("__CPROVER_assert")
            .find(|a| a.contains(&format!("baproduct:{kind}\"")));
        let assertion = assertion.unwrap_or_else(|| panic!("there is no {kind}"));
        let assertion = &assertion[..assertion.find(';').unwrap() + 1];
        all.push(replaced(&format!("__CPROVER_assert{assertion}"), ""));
    }
    for damaged in all {
        let damaged = joined(&damaged, &argument);
        assert!(refused(&damaged).is_some(), "{damaged}");
    }
    assert!(refused(&text.replace("\"version\":\"", "\"version\":\"9")).is_some());
    assert!(refused(text.trim_end()).is_some());
    assert!(refused(&text.replace("\"edges\":[[", "\"edges\":[[[0,0],[9,0],7],[")).is_some());
}

/// The argument of a certificate has expressions. One that does more than read could end runs or skip assertions.
#[test]
fn an_expression_of_an_argument_only_reads() {
    if !cbmc() {
        return;
    }
    let case = &CASES[0];
    let (front, argument) = split(&certificate(
        &case.program.replace(case.broken.0, case.broken.1),
        "G {taken <= 1}",
    ));
    for text in [
        "(n = 0) == 0",
        "ba_way == 1",
        "__COUNTER__ % 2 == 0",
        "1, \"\"); __CPROVER_assume(0); (void)(1",
        "1) /*",
        "1 //",
        "nondet_int()",
        "({ while (1) { } 1; })",
        "__builtin_unreachable(), 1",
    ] {
        for cut in 0..3 {
            let mut forged = argument.clone();
            forged["origin"]["specification"]["formula"] = json!(case.formula);
            forged["invariants"]
                .as_array_mut()
                .unwrap()
                .push(json!({"holds": [cut, text]}));
            let why =
                refused(&joined(&front, &forged)).unwrap_or_else(|| panic!("confirmed: {text}"));
            assert!(
                why.contains("is damaged: its argument has"),
                "{text}: {why}"
            );
        }
    }
    let mut forged = argument;
    forged["phases"][0] = json!("n++ & 1u");
    assert!(refused(&joined(&front, &forged))
        .unwrap()
        .contains("may do more than read"));
}

/// The program, the specification and the options of the certificate are another's, and the argument is the one of the proof,
/// changed at random: there is no proof, so none is confirmed.
#[test]
fn no_forged_certificate_is_confirmed() {
    if !cbmc() {
        return;
    }
    let mut numbers = Numbers(3 + 1000 * number("BAPRODUCT_SEED", 0) as u64);
    for case in sample(&CASES, 8) {
        let text = certificate(case.program, case.formula);
        assert_eq!(refused(&text), None, "{}", case.name);
        let (front, mut argument) = split(&text);
        let program = argument["origin"]["files"][0][1].as_str().unwrap();
        let broken = program.replacen(case.broken.0, case.broken.1, 1);
        assert_ne!(program, broken, "{}", case.name);
        argument["origin"]["files"][0][1] = json!(broken);
        assert!(
            !proves(&joined(&front, &argument)),
            "{}: the same argument",
            case.name
        );
        for _ in 0..if thorough() { 3 } else { 1 } {
            let mut forged = argument.clone();
            for _ in 0..=numbers.below(3) {
                forge(&mut forged, &mut numbers);
            }
            let text = joined(&front, &forged);
            assert!(!proves(&text), "{}: {forged}", case.name);
        }
    }
}

/// Changes an argument at a random place.
fn forge(argument: &mut Value, numbers: &mut Numbers) {
    let heads = argument["phases"].as_array().unwrap().len();
    let edges = argument["edges"].as_array().unwrap().len();
    let list = |argument: &'_ mut Value, name: &str| argument[name].as_array().unwrap().clone();
    match numbers.below(13) {
        0 => {
            let mut all = list(argument, "invariants");
            if !all.is_empty() {
                all.remove(numbers.below(all.len()));
            }
            argument["invariants"] = json!(all);
        }
        1 => argument["invariants"] = json!([]),
        2 => {
            let mut all = list(argument, "invariants");
            let false_ = ["0", "1 == 2", "sizeof(int) == 3"][numbers.below(3)];
            all.push(json!({"holds": [numbers.below(heads), false_]}));
            argument["invariants"] = json!(all);
        }
        3 => {
            let mut all = list(argument, "invariants");
            all.push(json!({"keeps": [numbers.below(heads), numbers.below(4)]}));
            argument["invariants"] = json!(all);
        }
        4 if edges > 0 => {
            // The numbers of edges behind it change, too.
            let mut all = list(argument, "edges");
            all.remove(numbers.below(edges));
            argument["edges"] = json!(all);
        }
        5 => {
            let mut all = list(argument, "edges");
            let node = |numbers: &mut Numbers| json!([numbers.below(heads), numbers.below(2)]);
            all.push(json!([node(numbers), node(numbers), numbers.below(8)]));
            argument["edges"] = json!(all);
        }
        6 if edges > 0 => {
            let all: Vec<usize> = (0..edges).collect();
            let (v, factor) = (numbers.below(4), [1, -1, 2][numbers.below(3)]);
            let function =
                json!({"terms": [[v, factor]], "distance": null, "falls": all, "stays": []});
            let mut functions = list(argument, "functions");
            functions.push(function);
            argument["functions"] = json!(functions);
        }
        7 => {
            for function in argument["functions"].as_array_mut().unwrap() {
                let (v, factor) = (numbers.below(4), [1, -1][numbers.below(2)]);
                function["terms"] = json!([[v, factor]]);
            }
        }
        8 => argument["unwind"] = json!(1 + numbers.below(5)),
        9 => argument["rounds"] = json!(numbers.below(5)),
        10 => argument["depth"] = json!(numbers.below(20)),
        11 => {
            let mut all = list(argument, "invariants");
            let text = ["0", "1 == 2", "sizeof(int) == 3"][numbers.below(3)];
            all.push(json!({"returns": [numbers.below(heads), text]}));
            argument["invariants"] = json!(all);
        }
        _ => {
            let none = list(argument, "follows").is_empty();
            argument["follows"] = if none {
                json!([numbers.below(4)])
            } else {
                json!([])
            };
        }
    }
}

/// A certificate is about the program that it contains. Named behind it, another program or specification is told apart.
#[test]
fn a_certificate_is_compared_with_a_program() {
    if !cbmc() {
        return;
    }
    let case = &CASES[1];
    let (text, program) = (certificate(case.program, case.formula), case.program);
    let other = program.replace("n--", "n = n - 1");
    let dir = Dir::with(&[("proof.c", &text), ("prog.c", program), ("other.c", &other)]);
    let asked =
        |rest: &[&str]| ran(&mut dir.command(&[&["verify", "-q", "proof.c"], rest].concat()));
    for same in [&["prog.c"][..], &["--ltl", case.formula, "prog.c"]] {
        assert_eq!(asked(same).status, 0, "{same:?}");
    }
    for different in [
        &["other.c"][..],
        &["--ltl", "F {done == 0}", "prog.c"],
        &["-D", "n=done", "prog.c"],
    ] {
        let out = asked(different);
        assert_eq!(out.status, 5, "{different:?}");
        assert!(out.stdout.contains("it is about something else"), "{out:?}");
    }
}

/// A program of several files is proved as one, and its certificate has them as one. With the same files behind it, it is
/// confirmed; with another one, it is about something else.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_certificate_is_about_all_files_of_a_program() {
    if !cbmc() {
        return;
    }
    let header = "extern int n; void step(void); struct pair { int a, b; };\n";
    let main = "#include \"n.h\"\nint nondet_int(void); int x;\n\
        int main(void) { while (1) { if (nondet_int()) step(); x = n; } }\n";
    let steps = "#include \"n.h\"\nint n;\nstatic int by = 1;\n\
        void step(void) { n += by; if (n >= 5) by = -1; if (n <= 0) by = 1; }\n";
    let other = steps.replace(">= 5", ">= 6");
    let dir = Dir::with(&[
        ("n.h", header),
        ("main.c", main),
        ("steps.c", steps),
        ("other.c", &other),
    ]);
    let proof = "prove -q --engine induction --certificate proof.c --budget";
    let prove: Vec<&str> = proof
        .split(' ')
        .chain([AMPLE, "--ltl", "G {x <= 5}", "main.c", "steps.c"])
        .collect();
    let out = ran(&mut dir.command(&prove));
    assert_eq!(out.status, 0, "{out:?}");
    for (files, status) in [
        (&[][..], 0),
        (&["main.c", "steps.c"], 0),
        (&["main.c", "other.c"], 5),
    ] {
        let asked = [&["verify", "-q", "proof.c"], files].concat();
        let out = ran(&mut dir.command(&asked));
        assert_eq!(out.status, status, "{files:?}: {out:?}");
    }
}

/// A second run confirms every proof of the table.
#[test]
fn all_certificates_are_confirmed() {
    if !cbmc() || number("BAPRODUCT_PROVE_ALL", 0) == 0 {
        return;
    }
    let text = std::fs::read_to_string(repository("tests/prove/table.json")).unwrap();
    let table: Vec<(String, String, String, String)> = serde_json::from_str(&text).unwrap();
    let (mut confirmed, mut open) = (0, Vec::new());
    for (name, formula, right, broken) in &table {
        let program =
            std::fs::read_to_string(repository(&format!("tests/prove/{name}.c"))).unwrap();
        for (variant, expected) in [(&[][..], right), (&["-D", "BROKEN"], broken)] {
            if expected != "proved" {
                continue;
            }
            let dir = Dir::with(&[("prog.c", &program)]);
            let args = [
                "prove",
                "-q",
                "--no-trace",
                "--budget",
                AMPLE,
                "--ltl",
                formula,
                "--certificate",
                "proof.c",
                "prog.c",
            ];
            let out = ran(&mut dir.command(&[&args, variant].concat()));
            if out.status != 0 || !dir.path("proof.c").exists() {
                open.push(format!("{name} {variant:?} {formula}"));
                continue;
            }
            let out = ran(&mut dir.command(&["verify", "-q", "proof.c"]));
            assert_eq!(out.status, 0, "{name} {formula}: {out:?}");
            confirmed += 1;
        }
    }
    assert!(
        open.len() * 10 <= confirmed,
        "{confirmed} confirmed, without a certificate: {open:#?}"
    );
}
