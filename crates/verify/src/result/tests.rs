#![allow(clippy::unwrap_used)]
use super::*;
use ltl::Expectation;

fn with(verdicts: &[(Verdict, Option<Verdict>)]) -> VerifyResult {
    let property = |(verdict, expect): &(Verdict, Option<Verdict>)| {
        let asked = Asked {
            expect: expect.and_then(Verdict::value).map(Expectation::Exactly),
            ..Asked::named("P", "G p")
        };
        asked.answered(Answer {
            verdict: *verdict,
            reason: Some("why".into()),
            ..Answer::default()
        })
    };
    VerifyResult {
        tool_version: "0.0.0".into(),
        properties: verdicts.iter().map(property).collect(),
        backend: BackendInfo::default(),
        premises: Premises {
            unwind: Some(5),
            ..Premises::default()
        },
        findings: vec![],
        warnings: vec![],
        command: vec![],
        exhausted: false,
        safety: None,
        coverage: None,
        races: None,
    }
}

#[test]
fn the_exit_status_is_that_of_the_worst_property() {
    use Verdict::Unknown;
    let cases: &[(&[Verdict], u8, u8)] = &[
        (&[], 0, 0),
        (&[Verdict::TRUE, Verdict::PRESUMABLY_TRUE], 0, 0),
        (&[Verdict::TRUE, Verdict::PRESUMABLY_FALSE], 10, 0),
        (&[Verdict::FALSE], 10, 10),
        (&[Unknown, Verdict::TRUE], 5, 5),
        (&[Unknown, Verdict::PRESUMABLY_FALSE], 10, 5),
        (&[Verdict::FALSE, Unknown], 10, 10),
    ];
    for (verdicts, status, lenient) in cases {
        let all: Vec<_> = verdicts.iter().map(|v| (*v, None)).collect();
        assert_eq!(
            with(&all).exit_status(FailOn::Violation),
            *status,
            "{verdicts:?}"
        );
        assert_eq!(
            with(&all).exit_status(FailOn::False),
            *lenient,
            "{verdicts:?}"
        );
    }
}

#[test]
fn an_expectation_decides_instead_of_the_verdict() {
    use Verdict::Unknown;
    let cases = [
        (Verdict::FALSE, Verdict::FALSE, 0),
        (Verdict::TRUE, Verdict::TRUE, 0),
        (Verdict::TRUE, Verdict::FALSE, 10),
        (Verdict::PRESUMABLY_TRUE, Verdict::PRESUMABLY_FALSE, 10),
        (Unknown, Verdict::FALSE, 5),
    ];
    for (verdict, expect, status) in cases {
        let result = with(&[(verdict, Some(expect))]);
        assert_eq!(
            result.exit_status(FailOn::Violation),
            status,
            "{verdict} for {expect}"
        );
    }
}

#[test]
fn names_are_read_back() {
    for verdict in Verdict::LATTICE.into_iter().chain([Verdict::Unknown]) {
        assert_eq!(verdict.name().parse::<Verdict>().unwrap(), verdict);
        let json = serde_json::to_string(&verdict).unwrap();
        assert_eq!(json, format!("\"{verdict}\""));
    }
    assert!("maybe".parse::<Verdict>().is_err());
    assert!(Verdict::LATTICE.is_sorted());
}

#[test]
fn one_property_stands_at_top_level_too() {
    let json = serde_json::to_value(with(&[(Verdict::FALSE, None)])).unwrap();
    assert_eq!(json["verdict"], "false");
    assert_eq!(json["symbol"], "⊥");
    assert_eq!(json["reason"], "why");
    assert!(json["complete"].is_null());
    assert_eq!(json["properties"][0]["verdict"], "false");
    let json =
        serde_json::to_value(with(&[(Verdict::FALSE, None), (Verdict::TRUE, None)])).unwrap();
    assert!(json.get("verdict").is_none());
    assert_eq!(json["tool"]["name"], "baproduct");
    assert_eq!(json["unwind"], 5);
}
