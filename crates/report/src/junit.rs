//! The JUnit XML report for continuous integration: each property is a test case. A violation is a
//! failure, a missing verdict an error; if the spec expects a verdict, any other one is a failure.

use crate::meaning;
use crate::text::{self, Options};
use askama::Template;
use verify::result::{PropertyResult, Verdict, VerifyResult};

#[derive(Template)]
#[template(path = "report/junit.xml")]
struct Page {
    suite: String,
    time: String,
    failures: usize,
    errors: usize,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    time: String,
    /// The sentence of the requirement, if it is one.
    requirement: Option<String>,
    problem: Option<Problem>,
    output: String,
}

struct Problem {
    /// `failure` or `error`.
    element: &'static str,
    kind: &'static str,
    message: String,
    text: String,
}

/// Renders the document with a final newline.
///
/// # Errors
/// Only by the signature of the template engine; the template itself cannot fail.
pub fn render(result: &VerifyResult) -> Result<String, askama::Error> {
    let properties = result.properties.iter().map(|p| case(p, result));
    let cases: Vec<Case> = properties.chain(safety(result)).collect();
    let count = |element: &str| {
        let problems = cases.iter().filter_map(|c| c.problem.as_ref());
        problems.filter(|p| p.element == element).count()
    };
    let page = Page {
        suite: clean(&format!("baproduct.{}", result.backend.name)),
        time: seconds(result.backend.seconds),
        failures: count("failure"),
        errors: count("error"),
        cases,
    };
    let mut xml = page.render()?;
    xml.push('\n');
    Ok(xml)
}

/// The test case for the program's assertions and the backend's checks.
fn safety(result: &VerifyResult) -> Option<Case> {
    let safety = result.safety.as_ref()?;
    let text = meaning::safety(result).unwrap_or_default();
    let findings = result.findings.iter().map(text::finding);
    let problem = |element, kind| Problem {
        element,
        kind,
        message: clean(&text),
        text: clean(&findings.collect::<Vec<_>>().join("\n")),
    };
    Some(Case {
        name: "safety".into(),
        time: seconds(safety.seconds),
        requirement: None,
        problem: match safety.holds {
            Some(true) => None,
            Some(false) => Some(problem("failure", "safety")),
            None => Some(problem("error", "unknown")),
        },
        output: String::new(),
    })
}

fn case(property: &PropertyResult, result: &VerifyResult) -> Case {
    let decided = meaning::decided(property);
    let element = match (property.as_expected(), property.answer.verdict) {
        (Some(true), _) => None,
        (None, Verdict::Unknown) if decided == Some(true) => None,
        (None, Verdict::Unknown) if decided == Some(false) => Some("failure"),
        (_, Verdict::Unknown) => Some("error"),
        (Some(false), _) | (None, Verdict::FALSE | Verdict::PRESUMABLY_FALSE) => Some("failure"),
        (None, _) => None,
    };
    let problem = element.map(|element| {
        let mut text = vec![meaning::verdict(property)];
        text.extend(property.answer.reason.clone());
        text.extend(meaning::facts(property, result));
        let verdict = match (property.answer.verdict, meaning::decision(property)) {
            (Verdict::Unknown, Some(decision)) => decision,
            (verdict, _) => verdict.words(),
        };
        let message = match meaning::expectation(property) {
            Some(expectation) => format!("{verdict}, but {expectation}"),
            None => verdict.to_owned(),
        };
        Problem {
            element,
            kind: property.answer.verdict.name(),
            message: clean(&message),
            text: clean(&text.join("\n")),
        }
    });
    // The text report of this property alone, with its trace.
    let alone = VerifyResult {
        properties: vec![property.clone()],
        ..result.clone()
    };
    let output = text::render(
        &alone,
        &Options {
            verbose: true,
            ..Options::default()
        },
    );
    let time = property
        .answer
        .levels
        .iter()
        .map(|level| level.seconds)
        .fold(0.0, f64::max);
    Case {
        name: clean(&property.asked.name),
        time: seconds(time),
        requirement: property.asked.requirement.as_deref().map(clean),
        problem,
        output: clean(&output),
    }
}

fn seconds(seconds: f64) -> String {
    format!(
        "{:.3}",
        if seconds.is_finite() {
            seconds.max(0.0)
        } else {
            0.0
        }
    )
}

/// Replaces characters that XML 1.0 cannot contain, even escaped.
fn clean(text: &str) -> String {
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
    text.chars()
        .map(|c| if allowed(c) { c } else { '\u{FFFD}' })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::{several, violated};

    #[test]
    fn properties_are_test_cases() {
        insta::assert_snapshot!(render(&several()).unwrap());
    }

    #[test]
    fn markup_and_control_characters_do_no_harm() {
        let mut result = violated();
        result.properties[0].asked.name = "a<b>&\"c\"\u{0}\u{1b}".into();
        result.properties[0].answer.reason = Some("]]></failure>".into());
        let xml = render(&result).unwrap();
        assert!(
            !xml.contains("a<b>") && !xml.contains("]]></failure>"),
            "{xml}"
        );
        assert!(!xml.chars().any(|c| c.is_control() && c != '\n'));
    }
}
