//! The SARIF 2.1.0 report, for code scanning services and editors.
//!
//! Each property is a result: `fail` for a violation, `pass` if the formula holds, `open` without a
//! verdict. A trace becomes a code flow with one thread flow per thread; `executionOrder` is the
//! order of the steps over all threads.

use crate::meaning;
use serde_json::{json, Value};
use std::collections::BTreeSet;
use verify::result::{Finding, FindingKind, PropertyResult, TraceStep, Verdict, VerifyResult};

/// The rules: identifier and description. `ruleIndex` is the index in this list.
const RULES: [(&str, &str); 20] = [
    ("false", "Some run violates the formula, whatever follows"),
    (
        "presumably_false",
        "Some run violates the formula if nothing changes after it",
    ),
    (
        "presumably_true",
        "No run violates the formula, but a continuation could",
    ),
    ("true", "Every run satisfies the formula, whatever follows"),
    ("unknown", "There is no verdict"),
    ("assertion", "An assertion of the program fails"),
    (
        "check",
        "A check of the model checker's fails: bounds, pointers, arithmetic",
    ),
    ("deadlock", "Some run is a deadlock"),
    ("misuse", "A lock is used wrongly"),
    ("bound", "A bound was reached unexpectedly"),
    ("no_body", "A function without a body is called"),
    ("reached", "A label that should be looked for is reached"),
    (
        "area",
        "A validity area is left in a way that its labels do not show",
    ),
    (
        "uncalled_handler",
        "A function that looks like an interrupt handler is never called",
    ),
    (
        "unwritten_volatile",
        "A volatile object is read and never written",
    ),
    (
        "data_race",
        "Two threads access an object at once, one of them writes, and nothing orders the accesses",
    ),
    (
        "use_after_free",
        "Memory is used after it was freed, or freed twice",
    ),
    (
        "vacuous",
        "A part of the formula does not matter to its verdict",
    ),
    (
        "never_left",
        "Runs enter a validity area, and none comes from there to its end",
    ),
    (
        "undefined",
        "Every run with the verdict does something that C gives no meaning",
    ),
];

/// Renders the log as indented JSON with a final newline.
///
/// # Errors
/// Only by the signature of the serialiser; these values cannot fail.
pub fn render(result: &VerifyResult) -> Result<String, serde_json::Error> {
    let properties = result.properties.iter().map(|p| property(p, result));
    let findings = result.findings.iter().map(finding);
    let notes_of = |p| {
        let notes = [vacuous(p), never_left(p), undefined(p)];
        notes.into_iter().flatten()
    };
    let notes = result.properties.iter().flat_map(notes_of);
    let results: Vec<Value> = properties.chain(notes).chain(findings).collect();
    let notes = result
        .warnings
        .iter()
        .map(|w| json!({"level": "warning", "message": {"text": w}}));
    let log = json!({
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "baproduct",
                "version": result.tool_version,
                "semanticVersion": result.tool_version,
                "rules": RULES.map(|(id, text)| json!({"id": id, "shortDescription": {"text": text}})),
            }},
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notes.collect::<Vec<_>>(),
            }],
            "results": results,
            "properties": {
                "backend": result.backend,
                "unwind": result.premises.unwind,
                "assumptions": result.premises.assumptions,
            },
        }],
    });
    let mut text = serde_json::to_string_pretty(&log)?;
    text.push('\n');
    Ok(text)
}

fn property(property: &PropertyResult, result: &VerifyResult) -> Value {
    let decided = meaning::decided(property);
    let (kind, level) = match (property.as_expected(), property.answer.verdict) {
        (Some(true), _) => ("pass", "none"),
        (None, _) if decided == Some(true) => ("pass", "none"),
        (None, _) if decided == Some(false) => ("fail", "error"),
        (_, Verdict::Unknown) => ("open", "none"),
        (Some(false), _) | (None, Verdict::FALSE) => ("fail", "error"),
        (None, Verdict::PRESUMABLY_FALSE) => ("fail", "warning"),
        (None, _) => ("pass", "none"),
    };
    let mut sentences = vec![
        format!(
            "{}: {} ({}).",
            property.asked.name,
            property.answer.verdict.words(),
            property.asked.ltl
        ),
        meaning::verdict(property),
    ];
    sentences.extend(property.answer.reason.clone());
    sentences.extend(meaning::holds(property, result).map(|h| format!("On all runs: {h}.")));
    sentences.extend(meaning::rests(property, result).map(|r| format!("The verdict {r}.")));
    sentences.extend(
        meaning::proof(property)
            .into_iter()
            .map(|p| format!("{p}.")),
    );
    sentences.extend(meaning::afterwards(property).map(|a| format!("{a}.")));
    sentences.extend(meaning::completeness(property, result).map(|c| format!("Bound: {c}.")));
    sentences.extend(meaning::expectation(property).map(|e| format!("Expectation: {e}.")));
    let mut json = json!({
        "ruleId": property.answer.verdict.name(),
        "ruleIndex": rule_index(property.answer.verdict.name()),
        "kind": kind,
        "level": level,
        "message": {"text": sentences.join(" ")},
        "properties": {
            "property": property.asked.name,
            "verdict": property.answer.verdict.name(),
            "complete": property.answer.complete,
            "evidence": property.answer.evidence,
            "holds": property.answer.holds,
            "proof": property.answer.proof,
            "vacuous": property.answer.vacuity.parts,
            "defined": property.run.defined,
        },
    });
    if let Some(requirement) = &property.asked.requirement {
        json["properties"]["requirement"] = json!(requirement);
    }
    if let Some(step) = deciding_step(&property.run.trace) {
        json["locations"] = json!([step_location(step)]);
        json["codeFlows"] = json!([{"threadFlows": thread_flows(property)}]);
    }
    json
}

/// A note that parts of a formula do not influence the verdict.
fn vacuous(property: &PropertyResult) -> Option<Value> {
    let text = meaning::vacuity(property)?;
    Some(json!({
        "ruleId": "vacuous",
        "ruleIndex": rule_index("vacuous"),
        "kind": "fail",
        "level": "note",
        "message": {"text": format!("{} is {text}.", property.asked.name)},
        "properties": {"property": property.asked.name, "vacuous": property.answer.vacuity.parts},
    }))
}

/// A note that runs enter an area and never reach its exit.
fn never_left(property: &PropertyResult) -> Option<Value> {
    let text = meaning::never_left(property)?;
    Some(json!({
        "ruleId": "never_left",
        "ruleIndex": rule_index("never_left"),
        "kind": "fail",
        "level": "note",
        "message": {"text": format!("{}: {text}.", property.asked.name)},
        "properties": {"property": property.asked.name, "never_left": property.answer.vacuity.never_left},
    }))
}

/// A note that only runs with undefined behaviour have the verdict.
fn undefined(property: &PropertyResult) -> Option<Value> {
    let text = meaning::undefined(property)?;
    let before = property.run.undefined.iter().filter(|u| !u.after);
    let places = before.filter_map(|u| {
        let file = u.file.as_deref()?;
        Some(location(file, u.line, u.function.as_deref()))
    });
    Some(json!({
        "ruleId": "undefined",
        "ruleIndex": rule_index("undefined"),
        "kind": "fail",
        "level": "note",
        "message": {"text": format!("The verdict of {} {text}.", property.asked.name)},
        "locations": places.collect::<Vec<_>>(),
        "properties": {"property": property.asked.name, "undefined": property.run.undefined},
    }))
}

/// The step to look at first: the last step with a place that changed the monitor's state.
pub(crate) fn deciding_step(trace: &[TraceStep]) -> Option<&TraceStep> {
    let placed = |step: &&TraceStep| step.line > 0 && !step.file.is_empty();
    let moves = trace
        .windows(2)
        .filter(|pair| pair[0].monitor != pair[1].monitor);
    let moved = moves.map(|pair| &pair[1]).rfind(placed);
    moved.or_else(|| trace.iter().rfind(placed))
}

fn thread_flows(property: &PropertyResult) -> Vec<Value> {
    let trace = &property.run.trace;
    let threads: BTreeSet<u32> = trace.iter().map(|step| step.thread).collect();
    let flow = |thread: u32| {
        let own = trace
            .iter()
            .filter(|step| step.thread == thread)
            .map(|step| {
                let mut location = json!({
                    "executionOrder": step.step + 1,
                    "state": step.props.iter().map(|(name, value)| {
                        (name.clone(), json!({"text": value.to_string()}))
                    }).collect::<serde_json::Map<_, _>>(),
                });
                if !step.file.is_empty() {
                    location["location"] = step_location(step);
                }
                location
            });
        let mut flow =
            json!({"id": format!("thread {thread}"), "locations": own.collect::<Vec<_>>()});
        if let Some(origin) = property.run.threads.origin(thread) {
            flow["message"] = json!({"text": origin});
        }
        flow
    };
    threads.into_iter().map(flow).collect()
}

fn step_location(step: &TraceStep) -> Value {
    let mut json = location(&step.file, Some(step.line), Some(&step.function));
    json["message"] = json!({"text": format!("{}: {}", step.kind(), step.what)});
    json
}

fn location(file: &str, line: Option<u32>, function: Option<&str>) -> Value {
    let mut json = json!({"physicalLocation": {"artifactLocation": {"uri": uri(file)}}});
    if let Some(line) = line.filter(|line| *line > 0) {
        json["physicalLocation"]["region"] = json!({"startLine": line});
    }
    if let Some(function) = function.filter(|f| !f.is_empty()) {
        json["logicalLocations"] = json!([{"name": function, "kind": "function"}]);
    }
    json
}

fn finding(finding: &Finding) -> Value {
    let level = match finding.kind {
        FindingKind::Assertion
        | FindingKind::Check
        | FindingKind::Misuse
        | FindingKind::DataRace
        | FindingKind::UseAfterFree
        | FindingKind::Deadlock => "error",
        FindingKind::Bound
        | FindingKind::NoBody
        | FindingKind::Area
        | FindingKind::UncalledHandler
        | FindingKind::UnwrittenVolatile => "warning",
        FindingKind::Reached => "note",
    };
    let mut json = json!({
        "ruleId": finding.kind.name(),
        "ruleIndex": rule_index(finding.kind.name()),
        "kind": "fail",
        "level": level,
        "message": {"text": finding.message},
    });
    if let Some(file) = &finding.file {
        json["locations"] = json!([location(file, finding.line, finding.function.as_deref())]);
    }
    json
}

fn rule_index(id: &str) -> Option<usize> {
    RULES.iter().position(|(rule, _)| *rule == id)
}

/// A file name as a URI reference: other bytes than letters, digits and `-._~/` become `%XX`.
fn uri(file: &str) -> String {
    let mut uri = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::{several, violated};

    #[test]
    fn every_kind_of_result_has_its_rule() {
        use FindingKind as K;
        let findings = [
            K::Assertion,
            K::Check,
            K::Deadlock,
            K::Misuse,
            K::Bound,
            K::NoBody,
            K::Reached,
            K::Area,
            K::UncalledHandler,
            K::UnwrittenVolatile,
            K::DataRace,
            K::UseAfterFree,
        ];
        let verdicts = [
            Verdict::FALSE,
            Verdict::PRESUMABLY_FALSE,
            Verdict::PRESUMABLY_TRUE,
            Verdict::TRUE,
            Verdict::Unknown,
        ];
        let names = findings.map(K::name).into_iter();
        let names = names.chain(verdicts.map(Verdict::name));
        let found: std::collections::BTreeSet<_> = names.map(rule_index).collect();
        // Three more rules have neither a finding nor a verdict: two for vacuity, one for undefined
        // behaviour.
        assert_eq!(found.len() + 3, RULES.len());
        assert!(!found.contains(&None));
    }

    #[test]
    fn a_violation_has_its_code_flow() {
        insta::assert_snapshot!(render(&violated()).unwrap());
    }

    #[test]
    fn kinds_and_levels_follow_the_verdict_and_the_expectation() {
        let log: Value = serde_json::from_str(&render(&several()).unwrap()).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let kinds: Vec<_> = results
            .iter()
            .map(|r| format!("{} {} {}", r["ruleId"], r["kind"], r["level"]).replace('"', ""))
            .collect();
        let expected = [
            "presumably_true pass none",
            "true pass none",
            "presumably_false pass none",
            "unknown open none",
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn file_names_become_uris() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/x/é#1.c"), "file:///x/%C3%A9%231.c");
    }
}
