//! Violation witnesses, format 2.0, for other verifiers to check: a sequence of segments, each with
//! a waypoint to follow, the last one with the target. (Ayaziová, Beyer, Lingsch-Rosenfeld,
//! Spiessl, Strejček: Software Verification Witnesses 2.0, SPIN 2024.)
//!
//! Inputs that functions return become `function_return` waypoints. The target is the step after
//! which no continuation can satisfy the formula, or the last place of a run that ended with the
//! formula violated. The format has no threads and no infinite runs: these have no witness.

use std::collections::BTreeMap;

use serde_json::{json, Value};
use verify::result::{Event, Evidence, PropertyResult, TraceStep, Verdict, VerifyResult};

/// Facts about the program and the witness that the result does not contain.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The files of the program, each with the SHA-256 of its text in hexadecimal.
    pub files: BTreeMap<String, String>,
    /// A fresh UUID (RFC 9562).
    pub uuid: String,
    /// The time of its creation (RFC 3339).
    pub time: String,
    /// The name of the program's data model: `LP64`, `ILP32`.
    pub data_model: String,
}

/// Renders the witness of the first property that a finite run violates for good, as a YAML
/// document.
///
/// # Errors
/// The reason why there is no witness.
pub fn render(result: &VerifyResult, about: &About) -> Result<String, String> {
    let mut text = String::new();
    block(&entry(result, about)?, 0, &mut text);
    Ok(text)
}

/// The witness as a JSON value.
///
/// # Errors
/// As [`render`].
pub fn entry(result: &VerifyResult, about: &About) -> Result<Value, String> {
    let refuted = |p: &&PropertyResult| p.answer.verdict.is_violation() && !p.asked.reach;
    let property = result
        .properties
        .iter()
        .find(|p| refuted(p) && target(p).is_some())
        .ok_or_else(|| reason(result))?;
    let target = target(property).ok_or_else(|| reason(result))?;
    if property.run.trace.iter().any(|step| step.thread != 0) {
        return Err("a thread takes part in the run, and witnesses 2.0 have no threads".into());
    }
    let before = property
        .run
        .trace
        .iter()
        .take_while(|s| s.step < target.step);
    let mut content: Vec<Value> = before.filter_map(returned).map(segment).collect();
    content.push(segment(json!({
        "type": "target",
        "action": "follow",
        "location": target_location(target),
    })));
    let specification = specification(&property.asked.ltl);
    Ok(json!([{
        "entry_type": "violation_sequence",
        "metadata": metadata(result, about, &specification),
        "content": content,
    }]))
}

/// Why there is no witness.
fn reason(result: &VerifyResult) -> String {
    let lasso = |p: &PropertyResult| p.answer.evidence == Some(Evidence::Lasso);
    let open = |p: &PropertyResult| p.answer.verdict.is_violation();
    match result.properties.iter().find(|p| open(p)) {
        None => "no property is violated".into(),
        Some(p) if lasso(p) => "the run goes on for ever, and witnesses 2.0 are finite".into(),
        Some(p) if p.run.trace.is_empty() => "no run is shown: leave out --no-trace".into(),
        Some(_) => "the violation is not definite: the run was cut at the bound".into(),
    }
}

/// The step, with a place, at which a finite run violates the formula for good.
fn target(property: &PropertyResult) -> Option<&TraceStep> {
    if property.answer.evidence == Some(Evidence::Lasso) {
        return None;
    }
    let mut placed = property.run.trace.iter().filter(|step| step.line > 0);
    match property.answer.verdict {
        Verdict::FALSE => placed.find(|step| step.verdict == Some(Verdict::FALSE)),
        Verdict::PRESUMABLY_FALSE if property.answer.evidence == Some(Evidence::Ended) => {
            placed.next_back()
        }
        _ => None,
    }
}

/// The waypoint of an input that a function returned.
fn returned(step: &TraceStep) -> Option<Value> {
    let input = step.input.as_ref().filter(|_| step.event == Event::Input)?;
    // A value stored through a pointer, or a variable's first value, is no result of a call.
    let call = format!("{}()", input.name);
    if step.line == 0 || !step.what.starts_with(&call) {
        return None;
    }
    Some(json!({
        "type": "function_return",
        "action": "follow",
        "location": location(step),
        "constraint": { "value": format!("\\result == {}", input.value), "format": "acsl_expression" },
    }))
}

/// The place of a violation. A violation at a function's entry is placed at the call.
fn target_location(step: &TraceStep) -> Value {
    match step.called.as_ref().filter(|_| step.event == Event::Enter) {
        Some(caller) => place(&caller.file, caller.line, &caller.function),
        None => location(step),
    }
}

fn segment(waypoint: Value) -> Value {
    json!({ "segment": [{ "waypoint": waypoint }] })
}

fn location(step: &TraceStep) -> Value {
    place(&step.file, step.line, &step.function)
}

fn place(file: &str, line: u32, function: &str) -> Value {
    let mut place = json!({ "file_name": file, "line": line });
    if !function.is_empty() {
        place["function"] = json!(function);
    }
    place
}

fn metadata(result: &VerifyResult, about: &About, specification: &str) -> Value {
    let files: Vec<&String> = about.files.keys().collect();
    json!({
        "format_version": "2.0",
        "uuid": about.uuid,
        "creation_time": about.time,
        "producer": { "name": "baproduct", "version": result.tool_version },
        "task": {
            "input_files": files,
            "input_file_hashes": about.files,
            "specification": specification,
            "data_model": about.data_model,
            "language": "C",
        },
    })
}

/// The formula in the syntax of property files.
fn specification(ltl: &str) -> String {
    let mut text = String::new();
    let mut rest = ltl;
    while let Some(c) = rest.chars().next() {
        if let Some((function, behind)) = quoted_call(rest) {
            text.push_str(&format!("call({function}())"));
            rest = behind;
            continue;
        }
        match c {
            '{' | '}' => text.push('"'),
            c => text.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    format!("CHECK( init(main()), LTL({text}) )")
}

/// Splits a text that begins with `"call(f)"` into `f` and the rest.
fn quoted_call(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("\"call(")?;
    let end = rest.find(")\"")?;
    Some((&rest[..end], &rest[end + 2..]))
}

/// Writes a value in YAML's block style; strings are in double quotes, which YAML and JSON read
/// alike.
fn block(value: &Value, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Array(items) => {
            for item in items {
                let mut inner = String::new();
                block(item, depth + 1, &mut inner);
                let inner = inner.trim_start();
                text.push_str(&format!("{indent}- {inner}"));
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                let key = match key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                    true => key.clone(),
                    false => Value::String(key.clone()).to_string(),
                };
                match member {
                    Value::Array(_) | Value::Object(_) => {
                        text.push_str(&format!("{indent}{key}:\n"));
                        block(member, depth + 1, text);
                    }
                    scalar => text.push_str(&format!("{indent}{key}: {scalar}\n")),
                }
            }
        }
        scalar => text.push_str(&format!("{indent}{scalar}\n")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use verify::result::{Caller, Input};

    fn step(step: u32, line: u32, event: Event, verdict: Verdict) -> TraceStep {
        let mut step = TraceStep {
            step,
            line,
            event,
            verdict: Some(verdict),
            ..crate::testing::violated().properties[0].run.trace[0].clone()
        };
        step.thread = 0;
        step
    }

    fn violated() -> VerifyResult {
        let mut result = crate::testing::violated();
        result.tool_version = "1.0".into();
        let property = &mut result.properties[0];
        property.asked.ltl = "G ! \"call(reach_error)\" && G {x > 0}".into();
        property.answer.verdict = Verdict::FALSE;
        property.answer.evidence = Some(Evidence::Ended);
        let mut input = step(1, 9, Event::Input, Verdict::PRESUMABLY_TRUE);
        input.what = "__VERIFIER_nondet_int() gives -7".into();
        input.input = Some(Input {
            name: "__VERIFIER_nondet_int".into(),
            value: -7,
            site: None,
        });
        property.run.trace = vec![
            step(0, 8, Event::Start, Verdict::PRESUMABLY_TRUE),
            input,
            TraceStep {
                called: Some(Caller {
                    file: "src/mutex.c".into(),
                    line: 17,
                    function: "main".into(),
                }),
                ..step(2, 3, Event::Enter, Verdict::FALSE)
            },
        ];
        result
    }

    #[test]
    fn a_violation_has_a_witness() {
        let about = About {
            files: BTreeMap::from([("src/a.c".into(), "00ff".into())]),
            uuid: "u".into(),
            time: "2026-01-01T00:00:00Z".into(),
            data_model: "LP64".into(),
        };
        insta::assert_snapshot!(render(&violated(), &about).unwrap());
    }

    #[test]
    fn without_a_finite_violation_there_is_none() {
        let about = About::default();
        let mut lasso = violated();
        lasso.properties[0].answer.evidence = Some(Evidence::Lasso);
        assert!(render(&lasso, &about).unwrap_err().contains("for ever"));
        let mut cut = violated();
        cut.properties[0].answer.verdict = Verdict::PRESUMABLY_FALSE;
        cut.properties[0].answer.evidence = Some(Evidence::Prefix);
        assert!(render(&cut, &about).unwrap_err().contains("cut"));
        let mut threads = violated();
        threads.properties[0].run.trace[1].thread = 1;
        assert!(render(&threads, &about).unwrap_err().contains("threads"));
        let mut holds = violated();
        holds.properties[0].answer.verdict = Verdict::PRESUMABLY_TRUE;
        assert!(render(&holds, &about).is_err());
    }
}
