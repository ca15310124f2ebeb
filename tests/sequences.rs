//! Sequences of letters and counts in formulas, on programs, in every search.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir};
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
    for engine in ["explicit", "induction"] {
        let quiet = ["--engine", engine, "--no-trace"];
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
