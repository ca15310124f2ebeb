//! Sequences of letters and counts in formulas, on programs, in every search.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, thorough, Dir, AMPLE};
use serde_json::json;

/// A program whose letters are six periods again and again: a request in the first, its grant in the fourth, and the
/// data in the one with this number.
fn program(data: u32) -> String {
    format!(
        "int request, grant, data;
int main(void)
{{
    unsigned phase = 0;
    for (;;) {{
        request = phase == 0;
        grant = phase == 3;
        data = phase == {data};
tick:   ;
        phase = phase < 5 ? phase + 1 : 0;
    }}
}}
"
    )
}

/// The verdict and what holds, by these arguments.
fn asked(ltl: &str, data: u32, arguments: &[&str]) -> (String, String) {
    let spec = json!({
        "trace": {"mode": "sample", "at": ["tick"]},
        "properties": [{"name": "handshake", "ltl": ltl}]
    });
    let dir = Dir::with(&[("p.c", &program(data)), ("s.json", &spec.to_string())]);
    let (result, _) = dir.verify(&[arguments, &["s.json", "p.c"]].concat());
    let text = |key: &str| {
        result["properties"][0][key]
            .as_str()
            .unwrap_or_default()
            .to_string()
    };
    (text("verdict"), text("holds"))
}

const HANDSHAKE: &str = "G({{request}; !{grant}[*2:4]; {grant}} |=> {data})";

#[test]
fn a_sequence_is_followed_in_every_search() {
    if !cbmc() {
        return;
    }
    for engine in crate::support::sample(["explicit", "induction"], 2) {
        let quiet = ["--engine", engine, "--no-trace", "--budget", AMPLE];
        let (_, holds) = asked(HANDSHAKE, 4, &quiet);
        assert_eq!(holds, "proved", "{engine}");
    }
    for arguments in [&["--engine", "explicit"][..], &["--unwind", "7"]] {
        let found = asked(HANDSHAKE, 5, &[arguments, &["--no-trace"]].concat());
        assert_eq!(found, ("false".into(), "refuted".into()), "{arguments:?}");
    }
}

#[test]
fn a_sequence_that_never_ends_is_a_lasso() {
    if !cbmc() {
        return;
    }
    // Whenever there is a request, there has to come a grant and then a request together with data.
    let ltl = "G({request} -> {(!{grant})[*]; {grant}; [*]; {request} && {data}}!)";
    let (_, holds) = asked(ltl, 0, &["--engine", "explicit", "--no-trace"]);
    assert_eq!(holds, "proved");
    let (_, holds) = asked(ltl, 2, &["--engine", "explicit", "--no-trace"]);
    assert_eq!(holds, "refuted");
}

#[test]
fn letters_are_counted_in_a_window() {
    if !cbmc() {
        return;
    }
    let explicit = ["--engine", "explicit", "--no-trace"];
    let (_, holds) = asked("G O[<=1 in <=5] {request}", 0, &explicit);
    assert_eq!(holds, "proved");
    let found = asked("G O[<=1 in <=6] {request}", 0, &explicit);
    assert_eq!(found, ("false".into(), "refuted".into()));
    let between = "G({{request}; (!{grant})[*] && {data}[=1]} |-> false)";
    let (_, holds) = asked(between, 4, &explicit);
    assert_eq!(holds, "proved");
    let (verdict, _) = asked(between, 2, &["--unwind", "7", "--no-trace"]);
    assert_eq!(verdict, "false");
}

/// Formulas about the periods of [`program`], some of which hold.
const ASKED: [&str; 14] = [
    "G({{request}; !{grant}[*2]; {grant}} |=> {data})",
    "G({{request}; !{grant}[*3]; {grant}} |=> false)",
    "G({{request}; !{grant}[*2]; {grant}} |=> !{data})",
    "G({request} -> {[*3]; {grant}; {data}}!)",
    "G({request} -> {[*3]; {grant}; [*2]; {data}}!)",
    "G({grant} -> {(!{request})[*]; {data}})",
    "{[*]; {data}; {data}}!",
    "{[*]; {grant}; {data}}! && G F {request}",
    "G({{request}; [*]; {data}} <>-> {grant})",
    "G({{grant}; [+]; {request}} <>=> {data}) || F {data} && G F {grant}",
    "G({{request} : {data}[->2]} |-> X !{request})",
    "G({{request} : {data}[->2]} |=> X {request})",
    "G({{data}[=2] && [*7]} |-> {data})",
    "F G({{grant}} |=> {data}) && !G({{grant}} |=> !{data})",
];

/// Whether the word of [`program`] with these data satisfies a formula.
fn holds(ltl: &str, data: u32) -> bool {
    let parsed = ltl::parse(ltl).unwrap();
    let letter = |phase: u32| -> ltl::lasso::Letter {
        let held = [
            (phase == 0, "request"),
            (phase == 3, "grant"),
            (phase == data, "data"),
        ];
        let held = held.into_iter().filter(|(holds, _)| *holds);
        let atoms = held.filter_map(|(_, name)| {
            let atom = ltl::Atom::Condition(name.to_owned());
            parsed.arena.find_atom(&atom)
        });
        atoms.collect()
    };
    let word = ltl::lasso::Lasso::new(Vec::new(), (0..6).map(letter).collect()).unwrap();
    word.satisfies(&parsed.arena, parsed.root)
}

/// What each search says of [`ASKED`]: the right answer or none; returns how many it decides.
fn decided(program: &str, data: u32, arguments: &[&str]) -> usize {
    let properties = ASKED.iter().enumerate();
    let properties: Vec<serde_json::Value> = properties
        .map(|(n, ltl)| json!({"name": format!("p{n}"), "ltl": ltl}))
        .collect();
    let spec = json!({
        "trace": {"mode": "sample", "at": ["tick"]},
        "properties": properties
    });
    let dir = Dir::with(&[("p.c", program), ("s.json", &spec.to_string())]);
    let quiet = ["--no-trace", "s.json", "p.c"];
    let (result, _) = dir.verify(&[arguments, &quiet].concat());
    let mut count = 0;
    for (ltl, property) in ASKED.iter().zip(result["properties"].as_array().unwrap()) {
        let right = if holds(ltl, data) {
            "proved"
        } else {
            "refuted"
        };
        let said = property["holds"].as_str().unwrap();
        assert!(
            [right, "unknown"].contains(&said),
            "{arguments:?} {data}: {ltl}: {property}"
        );
        count += usize::from(said == right);
    }
    count
}

#[test]
fn no_search_is_wrong_about_sequences() {
    if !cbmc() {
        return;
    }
    for data in crate::support::sample([4, 2], 2) {
        let all = decided(&program(data), data, &["--engine", "explicit"]);
        assert_eq!(all, ASKED.len(), "{data}");
    }
    // The other searches ask a model checker about each formula, which takes long.
    let violated = ASKED.iter().filter(|ltl| !holds(ltl, 4)).count();
    let bounded = ["--engine", "bounded", "--unwind", "8"];
    let found = decided(&program(4), 4, &bounded);
    assert!((1..=violated).contains(&found), "{found}");
    if thorough() {
        for (data, engine) in [4, 2]
            .into_iter()
            .flat_map(|data| [(data, "lasso"), (data, "induction")])
        {
            decided(&program(data), data, &["--engine", engine]);
        }
    }
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn no_search_is_wrong_about_sequences_of_threads() {
    if !cbmc() {
        return;
    }
    let threaded = |data| {
        let program = program(data).replace("    unsigned phase = 0;\n", "    unsigned phase = 0;\n    pthread_t worker;\n    pthread_create(&worker, 0, work, 0);\n    pthread_join(worker, 0);\n");
        format!("#include <pthread.h>\nint ready;\nstatic void *work(void *p) {{ ready = 1; return p; }}\n{program}")
    };
    for data in crate::support::sample([4, 2], 2) {
        let program = threaded(data);
        decided(
            &program,
            data,
            &[
                "--engine",
                "rounds",
                "--schedules",
                "rounds:2",
                "--unwind",
                "8",
            ],
        );
        // The step form has other letters, so nothing is said there.
        assert_eq!(decided(&program, data, &["--engine", "steps"]), 0, "{data}");
    }
}
