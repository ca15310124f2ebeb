//! Hostile inputs: each must be accepted or refused quickly and without a panic.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use spec::{from_ltl, read, render, Diagnostic};

/// Reads a text and renders all diagnostics.
fn survive(text: &str) {
    for diagnostics in [read(text), from_ltl(text)] {
        let diagnostics = match diagnostics {
            Ok(spec) => spec.warnings,
            Err(errors) => {
                assert!(!errors.is_empty());
                errors
            }
        };
        assert!(diagnostics.len() <= 200);
        for d in diagnostics.iter().take(5) {
            assert!(text.get(d.span.clone()).is_some(), "{d:?}");
            assert!(d.title.len() < 10_000);
            assert!(render(d, text, false).len() < 1 << 20);
        }
    }
}

#[test]
fn huge_and_deep_inputs() {
    let n = testing::tried(10_000, 100_000);
    for text in [
        "[".repeat(n),
        "{\"a\":".repeat(n),
        format!("{{\"ltl\": \"{}\"}}", "(".repeat(n)),
        format!("{{\"ltl\": \"{}{{x}}\"}}", "!".repeat(n)),
        format!("{{\"ltl\": \"{}{{x}}\"}}", "\\u00ac".repeat(n)),
        format!("{{\"ltl\": \"{}\"}}", "{x} U ".repeat(n)),
        format!("{{\"ltl\": \"{}true\"}}", "p && ".repeat(n)),
        format!("{{{}}}", "\"k\":1,".repeat(n)),
        format!("{{\"reach\": [{}\"x\"]}}", "\"a b\",\n".repeat(20_000)),
        format!(
            "{{\"ltl\": \"F {{x}}\", \"pa\": [{}{{}}]}}",
            "{},".repeat(20_000)
        ),
        format!("{{\"{}\": 1}}", "k".repeat(n)),
        format!("{{\"name\": \"{}\", \"ltl\": \"1\"}}", "é".repeat(n)),
        format!(
            "{{\"ltl\": \"1\", \"lasso\": {{\"state\": [\"{}\"]}}}}",
            "*".repeat(n)
        ),
        format!(
            "{{\"ltl\": \"1\", \"lasso\": {{\"state\": [\"x{}\"]}}}}",
            "[1]".repeat(n)
        ),
        format!("{{\"unwind\": {}}}", "9".repeat(n)),
        format!(
            "{{\"ltl\": \"{}\"}}",
            (0..20_000).map(|i| format!("p{i} && ")).collect::<String>() + "1"
        ),
        format!(
            "{{\"ltl\": \"{}1\"}}",
            (0..20_000)
                .map(|i| format!("\\n{{x{i}}} && "))
                .collect::<String>()
        ),
        format!("{{\"ltl\": \"{}p\"}}", "G".repeat(n)),
        "\0".repeat(n),
        "\n".repeat(n) + "x",
        "\u{feff}{}".to_owned(),
        "\u{202e}{".to_owned(),
    ] {
        survive(&text);
    }
}

#[test]
fn many_propositions_are_fast() {
    let many = testing::tried(5_000, 20_000);
    let declared: String = (0..many)
        .map(|i| format!(r#"{{"name":"p{i}","at":"l","cond":"x"}},"#))
        .collect();
    let formula: String = (0..many).map(|i| format!("p{i} && ")).collect();
    let text = format!(
        r#"{{"pa": [{}], "ltl": "{formula}1"}}"#,
        declared.trim_end_matches(',')
    );
    assert_eq!(read(&text).unwrap().propositions.len(), many);
    survive(&text.replace("p1", "q1").replacen("q1", "p1", many / 2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::tried(200, 600) as u32))]

    #[test]
    fn any_text(text in "\\PC{0,60}") {
        survive(&text);
    }

    #[test]
    fn damaged_specifications(
        at in 0usize..1000,
        cut in 0usize..8,
        insert in prop::sample::select(vec!["", "\"", "{", "}", "[", "]", ",", "\\", "é", "0", "null", "\\u00e9"]),
    ) {
        let base = r#"{"properties": [{"name": "a", "ltl": "G(p -> \u25c7 {x > 1})", "expect": "true"}],
            "pa": [{"name": "p", "default": 0, "expr": "f", "params": ["f::s[2].len"], "span": ["a", "b"]}],
            "trace": {"mode": "sample", "at": ["l"]}, "inputs": [{"call": "f", "range": [0, 1]}],
            "alphabet": ["!p"], "prune": ["e*"], "assume": [{"at": "l", "cond": "x"}], "unwind": 3}"#;
        let mut at = at % base.len();
        while !base.is_char_boundary(at) { at -= 1; }
        let mut end = (at + cut).min(base.len());
        while !base.is_char_boundary(end) { end += 1; }
        survive(&format!("{}{insert}{}", &base[..at], &base[end..]));
    }

    #[test]
    fn json_agrees_with_serde(text in r#"[\[\]{}",:0-9eE.\-+truefalsn\\/u ]{0,14}"#) {
        let ours = match read(&text) {
            Ok(_) => true,
            Err(errors) => !errors[0].title.starts_with("not JSON"),
        };
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        // RFC 8259 lets parsers set limits: serde_json refuses numbers beyond a double, and never reads what follows.
        prop_assume!(!theirs.as_ref().is_err_and(|e| e.to_string().contains("out of range")));
        prop_assert_eq!(ours, theirs.is_ok(), "{}", text);
    }

    #[test]
    fn rendering_takes_any_span(text in "\\PC{0,20}(\n\\PC{0,9}){0,3}", a in 0usize..60, b in 0usize..60, c in 0usize..60) {
        let d = Diagnostic::error("a title\nof two lines", a..b)
            .secondary(b..c, "there")
            .label("here")
            .note("a note")
            .help("do \u{1b}[31m that")
            .in_source("x");
        let shown = render(&d, &text, false);
        let escaped = shown.contains('\u{1b}');
        prop_assert!(shown.contains("a title") && !escaped);
        let (line, column) = d.position(&text);
        prop_assert!(line >= 1 && column >= 1);
    }
}
