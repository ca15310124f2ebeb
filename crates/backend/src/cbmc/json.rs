//! CBMC's JSON output: an array of messages, one of which holds the results with their traces.
//!
//! The JSON is read as a stream, step by step, and only wanted steps are kept, because a trace may
//! be far larger than the memory.

use super::value::{value, RawValue};
use super::Output;
use crate::answer::{Check, Location, StepKind, Tally, TraceStep};
use crate::job::Traces;
use crate::text::HeadTail;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::Deserialize;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Read;

/// The greatest number of steps kept in all traces together.
const MAX_STEPS: usize = 1_000_000;
/// More assertions than any program has: longer output is not CBMC's.
pub(super) const MAX_RESULTS: usize = 1_000_000;
/// CBMC writes every member of an object on a line of its own. A longer line has a string that is
/// not worth the memory.
const MAX_LINE: usize = 16 << 20;

/// One assertion, as `--show-properties` lists it.
#[derive(Debug, Deserialize)]
pub(super) struct Property {
    pub(super) description: String,
    pub(super) name: String,
}

/// The contents of all messages.
#[derive(Default)]
struct Collected {
    results: Option<Vec<PropertyResult>>,
    properties: Option<Vec<Property>>,
    status: Option<String>,
    errors: Vec<String>,
    warnings: Vec<String>,
}

/// Reads the output of a run to its end.
pub(super) fn read(stream: impl Read, traces: &Traces) -> Output {
    let (collected, problem) = collect(stream, traces);
    let mut output = Output {
        errors: collected.errors,
        warnings: collected.warnings,
        problem,
        ..Output::default()
    };
    if output.problem.is_some() {
        return output;
    }
    match (collected.results, collected.status.as_deref()) {
        (Some(results), Some(status @ ("success" | "failure"))) => {
            output.all_hold = status == "success";
            fill_answer(&mut output, results);
        }
        (Some(_), status) => {
            output.problem = Some(format!("its status is {}", status.unwrap_or("missing")));
        }
        (None, _) => output.problem = Some("it has no results".to_owned()),
    }
    output
}

/// Reads the output of `--show-properties`.
pub(super) fn read_properties(stream: impl Read) -> (Option<Vec<Property>>, Output) {
    let (collected, problem) = collect(stream, &Traces::None);
    let properties = collected.properties.filter(|_| problem.is_none());
    (
        properties,
        Output {
            errors: collected.errors,
            problem,
            ..Output::default()
        },
    )
}

fn collect(stream: impl Read, traces: &Traces) -> (Collected, Option<String>) {
    let mut collected = Collected::default();
    let mut tee = Tee {
        inner: stream,
        kept: HeadTail::new(32 * 1024),
        line: 0,
    };
    let wanted = Wanted {
        traces,
        left: Cell::new(MAX_STEPS),
    };
    let buffered = std::io::BufReader::with_capacity(1 << 16, &mut tee);
    let mut json = serde_json::Deserializer::from_reader(buffered);
    let parsed = Messages {
        collected: &mut collected,
        traces: &wanted,
    }
    .deserialize(&mut json);
    let problem = parsed.and_then(|()| json.end()).err();
    if problem.is_some() {
        // If CBMC refuses an option, it writes its usage text into the JSON, and only after that a
        // JSON message that names the option.
        let _ = std::io::copy(&mut tee, &mut std::io::sink());
        collected.errors.extend(error_messages(&tee.kept.text()));
    }
    (
        collected,
        problem.map(|e| format!("its JSON is not complete or not valid: {e}")),
    )
}

/// Keeps the beginning and the end of the bytes that pass through, and refuses endless lines. Control characters, which JSON
/// has in no string, become question marks: CBMC writes those of the program's literals as they are.
struct Tee<R> {
    inner: R,
    kept: HeadTail,
    /// The length of the current line.
    line: usize,
}

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buffer)?;
        for byte in &mut buffer[..n] {
            if byte.is_ascii_control() && !byte.is_ascii_whitespace() {
                *byte = b'?';
            }
        }
        self.kept.push(&buffer[..n]);
        self.line = match buffer[..n].iter().rposition(|b| *b == b'\n') {
            Some(end) => n - end - 1,
            None => self.line + n,
        };
        match self.line > MAX_LINE {
            true => Err(std::io::Error::other("a line without end")),
            false => Ok(n),
        }
    }
}

/// The error messages in text that is only partly JSON.
fn error_messages(text: &str) -> Vec<String> {
    let message = |line: &str| {
        let quoted = line
            .trim()
            .strip_prefix("\"messageText\": ")?
            .trim_end_matches(',');
        serde_json::from_str::<String>(quoted).ok()
    };
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines
        .windows(2)
        .filter(|pair| pair[1].trim().starts_with("\"messageType\": \"ERROR\""));
    pairs.filter_map(|pair| message(pair[0])).take(5).collect()
}

fn fill_answer(output: &mut Output, results: Vec<PropertyResult>) {
    let mut tally = Tally::default();
    let mut traces = BTreeMap::new();
    let mut ids = BTreeSet::new();
    let mut fails = false;
    for result in results {
        let check = match result.status.as_deref() {
            Some("SUCCESS") => Check::Holds,
            Some("FAILURE") => Check::Fails,
            _ => Check::Undecided,
        };
        fails |= check == Check::Fails;
        let text = result.description.unwrap_or_default();
        let id = result.property.unwrap_or_default();
        if !ids.insert(id.clone()) {
            output.problem = Some(format!("it reports {id} twice"));
            return;
        }
        if let (Check::Fails, Some(trace)) = (check, result.trace) {
            traces.entry(text.clone()).or_insert(trace);
        }
        tally.add(&text, &id, location(result.location), check);
    }
    if fails == output.all_hold {
        output.problem = Some("its status contradicts its results".to_owned());
        return;
    }
    let mut answer = tally.into_answer();
    answer.traces = traces;
    output.answer = Some(answer);
}

/// The wanted steps, and how many more may be kept.
struct Wanted<'a> {
    traces: &'a Traces,
    left: Cell<usize>,
}

/// The array of messages.
struct Messages<'a> {
    collected: &'a mut Collected,
    traces: &'a Wanted<'a>,
}

impl<'de> DeserializeSeed<'de> for Messages<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Messages<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut messages: A) -> Result<(), A::Error> {
        let Messages { collected, traces } = self;
        while let Some(()) = messages.next_element_seed(Message { collected, traces })? {}
        Ok(())
    }
}

/// One message.
struct Message<'a> {
    collected: &'a mut Collected,
    traces: &'a Wanted<'a>,
}

impl<'de> DeserializeSeed<'de> for Message<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Message<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let Message { collected, traces } = self;
        let (mut text, mut kind, mut place) = (String::new(), String::new(), None);
        while let Some(key) = fields.next_key::<String>()? {
            match key.as_str() {
                "messageText" => text = fields.next_value()?,
                "messageType" => kind = fields.next_value()?,
                "sourceLocation" => place = fields.next_value::<Option<RawLocation>>()?,
                "cProverStatus" => collected.status = Some(fields.next_value()?),
                "properties" => collected.properties = Some(fields.next_value()?),
                "result" => {
                    let seed = Each {
                        item: |t| ResultSeed { traces: t },
                        traces,
                    };
                    collected
                        .results
                        .get_or_insert_default()
                        .extend(fields.next_value_seed(seed)?);
                }
                _ => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        let list = match kind.as_str() {
            "ERROR" => &mut collected.errors,
            "WARNING" => &mut collected.warnings,
            _ => return Ok(()),
        };
        let text = text.trim_start_matches("**** WARNING: ").to_owned();
        let text = match location(place) {
            Location {
                file: Some(file),
                line: Some(line),
                ..
            } => format!("{file}:{line}: {text}"),
            _ => text,
        };
        if list.len() < 100 && !list.contains(&text) {
            list.push(text);
        }
        Ok(())
    }
}

/// An array whose elements are read by a seed.
struct Each<'a, F> {
    item: F,
    traces: &'a Wanted<'a>,
}

impl<'de, 'a, F, S> DeserializeSeed<'de> for Each<'a, F>
where
    F: Fn(&'a Wanted<'a>) -> S,
    S: DeserializeSeed<'de>,
{
    type Value = Vec<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, 'a, F, S> Visitor<'de> for Each<'a, F>
where
    F: Fn(&'a Wanted<'a>) -> S,
    S: DeserializeSeed<'de>,
{
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed((self.item)(self.traces))? {
            if all.len() >= MAX_RESULTS {
                return Err(serde::de::Error::custom("more results than can be"));
            }
            all.push(item);
        }
        Ok(all)
    }
}

/// The result of one assertion, with its trace reduced to the wanted steps.
#[derive(Default)]
struct PropertyResult {
    description: Option<String>,
    property: Option<String>,
    status: Option<String>,
    location: Option<RawLocation>,
    trace: Option<Vec<TraceStep>>,
}

struct ResultSeed<'a> {
    traces: &'a Wanted<'a>,
}

impl<'de> DeserializeSeed<'de> for ResultSeed<'_> {
    type Value = PropertyResult;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ResultSeed<'_> {
    type Value = PropertyResult;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the result of an assertion")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut result = PropertyResult::default();
        while let Some(key) = fields.next_key::<String>()? {
            match key.as_str() {
                "description" => result.description = Some(fields.next_value()?),
                "property" => result.property = Some(fields.next_value()?),
                "status" => result.status = Some(fields.next_value()?),
                "sourceLocation" => result.location = fields.next_value()?,
                "trace" => result.trace = Some(fields.next_value_seed(TraceSeed(self.traces))?),
                _ => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(result)
    }
}

struct TraceSeed<'a>(&'a Wanted<'a>);

impl<'de> DeserializeSeed<'de> for TraceSeed<'_> {
    type Value = Vec<TraceStep>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for TraceSeed<'_> {
    type Value = Vec<TraceStep>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a trace")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut steps: A) -> Result<Self::Value, A::Error> {
        let mut kept = Vec::new();
        while let Some(raw) = steps.next_element::<RawStep>()? {
            if self.0.left.get() > 0 {
                let wanted = step(raw, self.0.traces);
                self.0
                    .left
                    .set(self.0.left.get() - usize::from(wanted.is_some()));
                kept.extend(wanted);
            }
        }
        Ok(kept)
    }
}

/// A step as CBMC writes it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawStep {
    #[serde(default)]
    step_type: String,
    #[serde(default)]
    hidden: bool,
    #[serde(default)]
    internal: bool,
    #[serde(default)]
    thread: Option<u32>,
    #[serde(default)]
    source_location: Option<RawLocation>,
    #[serde(default)]
    assignment_type: String,
    #[serde(default)]
    lhs: Option<String>,
    #[serde(default)]
    value: Option<RawValue>,
    #[serde(default)]
    function: Option<RawFunction>,
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawFunction {
    #[serde(default)]
    display_name: String,
}

/// A place; CBMC's JSON has line numbers as strings.
#[derive(Deserialize)]
struct RawLocation {
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    line: Option<String>,
    #[serde(default)]
    function: Option<String>,
}

fn location(raw: Option<RawLocation>) -> Location {
    let Some(raw) = raw else {
        return Location::default();
    };
    let line = raw.line.and_then(|l| l.parse().ok());
    Location {
        file: raw.file,
        line,
        function: raw.function,
    }
}

/// The step in our form; `None` if it is not wanted.
fn step(raw: RawStep, traces: &Traces) -> Option<TraceStep> {
    let hidden = raw.hidden || raw.internal;
    let function = raw.function.map(|f| f.display_name).unwrap_or_default();
    let kind = match raw.step_type.as_str() {
        "assignment" => {
            let parameter = raw.assignment_type == "actual-parameter";
            let lhs = raw.lhs.filter(|lhs| match parameter {
                true => traces.keeps_parameter(lhs, hidden),
                false => traces.keeps(lhs, hidden),
            })?;
            StepKind::Assignment {
                lhs,
                value: raw.value.map(value).unwrap_or_default(),
            }
        }
        "function-call" if traces.keeps_call(&function, hidden) => StepKind::Call { function },
        "function-return" if traces.keeps(&function, hidden) => StepKind::Return { function },
        "failure" => StepKind::Violation {
            text: raw.reason.unwrap_or_default(),
        },
        _ => return None,
    };
    Some(TraceStep {
        thread: raw.thread,
        location: location(raw.source_location),
        kind,
    })
}
