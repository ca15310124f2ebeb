//! The JSON of `verify` (docs/results.md, "JSON"), with keys in a fixed order.

use super::{
    Answer, Asked, AtBound, Context, Cuts, Engine, Evidence, Finding, Holds, LevelResult,
    LoopRests, NeverLeft, PropertyResult, Proposition, Rests, Scheduled, ShownRun, Starved,
    Threads, TraceStep, Tried, Undefined, Vacuity, Vacuous, Verdict, VerifyResult,
};
use ltl::Expectation;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeStruct, Serializer};

#[derive(serde::Serialize)]
struct Tool<'a> {
    name: &'static str,
    version: &'a str,
}

impl Serialize for VerifyResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let alone = match self.properties.as_slice() {
            [only] => Some(only),
            _ => None,
        };
        let fields = if alone.is_some() { 18 } else { 13 };
        let mut json = serializer.serialize_struct("VerifyResult", fields)?;
        let tool = Tool {
            name: "baproduct",
            version: &self.tool_version,
        };
        json.serialize_field("tool", &tool)?;
        if let Some(only) = alone {
            json.serialize_field("verdict", only.answer.verdict.name())?;
            json.serialize_field("symbol", only.answer.verdict.symbol())?;
            json.serialize_field("complete", &only.answer.complete)?;
            json.serialize_field("holds", &only.answer.holds)?;
            if let Some(proof) = &only.answer.proof {
                json.serialize_field("evidence", &only.answer.evidence)?;
                json.serialize_field("proof", proof)?;
            }
            json.serialize_field("reason", &only.answer.reason)?;
        }
        json.serialize_field("properties", &self.properties)?;
        json.serialize_field("backend", &self.backend)?;
        json.serialize_field("unwind", &self.premises.unwind)?;
        json.serialize_field("assumptions", &self.premises.assumptions)?;
        if !self.premises.rests_on.is_empty() {
            json.serialize_field("rests_on", &self.premises.rests_on)?;
        }
        json.serialize_field::<Vec<Finding>>("findings", &self.findings)?;
        if let Some(safety) = &self.safety {
            json.serialize_field("safety", safety)?;
        }
        if let Some(schedules) = &self.premises.schedules {
            json.serialize_field("schedules", schedules)?;
        }
        if let Some(races) = &self.races {
            json.serialize_field("races", races)?;
        }
        if let Some(coverage) = &self.coverage {
            json.serialize_field("coverage", coverage)?;
        }
        json.serialize_field("warnings", &self.warnings)?;
        json.serialize_field("command", &self.command)?;
        json.end()
    }
}

impl Serialize for PropertyResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let PropertyResult { asked, answer, run } = self;
        let mut json = serializer.serialize_struct("PropertyResult", 23)?;
        json.serialize_field("name", &asked.name)?;
        json.serialize_field("ltl", &asked.ltl)?;
        if let Some(requirement) = &asked.requirement {
            json.serialize_field("requirement", requirement)?;
        }
        json.serialize_field("verdict", answer.verdict.name())?;
        json.serialize_field("symbol", answer.verdict.symbol())?;
        json.serialize_field("complete", &answer.complete)?;
        json.serialize_field("evidence", &answer.evidence)?;
        json.serialize_field("holds", &answer.holds)?;
        if let Some(cuts) = &answer.vacuity.cuts {
            json.serialize_field("cuts", cuts)?;
        }
        if let Some(proof) = &answer.proof {
            json.serialize_field("proof", proof)?;
        }
        json.serialize_field("vacuous", &answer.vacuity.parts)?;
        if !answer.vacuity.never_left.is_empty() {
            json.serialize_field("never_left", &answer.vacuity.never_left)?;
        }
        json.serialize_field("reason", &answer.reason)?;
        json.serialize_field("iterations", &run.iterations)?;
        json.serialize_field("deadlock", &answer.deadlock)?;
        json.serialize_field("expect", &asked.expect.map(Expectation::name))?;
        json.serialize_field("as_expected", &self.as_expected())?;
        json.serialize_field("defined", &run.defined)?;
        json.serialize_field("undefined", &run.undefined)?;
        json.serialize_field("propositions", &asked.propositions)?;
        json.serialize_field::<Vec<LevelResult>>("levels", &answer.levels)?;
        json.serialize_field::<Vec<TraceStep>>("trace", &run.trace)?;
        json.serialize_field("left_out", &run.left_out)?;
        json.serialize_field("schedule", &run.schedule)?;
        if !run.threads.is_empty() {
            json.serialize_field("threads", &run.threads)?;
        }
        if !run.contexts.is_empty() {
            json.serialize_field("contexts", &run.contexts)?;
        }
        if !run.starved.is_empty() {
            json.serialize_field("starved", &run.starved)?;
        }
        if !run.rests_on.is_empty() {
            json.serialize_field("rests_on", &run.rests_on)?;
        }
        json.serialize_field("loop", &run.loop_start)?;
        if !answer.bounds.is_empty() {
            json.serialize_field("unwind", &answer.unwind)?;
            json.serialize_field("bounds", &answer.bounds)?;
        }
        json.serialize_field("why", &run.why)?;
        if !answer.tried.is_empty() {
            json.serialize_field("decided_by", &answer.decided_by)?;
            json.serialize_field("tried", &answer.tried)?;
        }
        json.end()
    }
}

/// A property in the form of its JSON, one object without groups. (`serde(flatten)` would do the
/// same, but cannot read numbers of 128 bits.)
#[derive(Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct Property {
    name: String,
    ltl: String,
    requirement: Option<String>,
    verdict: Verdict,
    complete: Option<bool>,
    evidence: Option<Evidence>,
    holds: Holds,
    proof: Option<Rests>,
    cuts: Option<Cuts>,
    vacuous: Vec<Vacuous>,
    never_left: Vec<NeverLeft>,
    reason: Option<String>,
    iterations: Option<u32>,
    deadlock: bool,
    #[serde(deserialize_with = "expectation")]
    expect: Option<Expectation>,
    defined: Option<bool>,
    undefined: Vec<Undefined>,
    propositions: Vec<Proposition>,
    levels: Vec<LevelResult>,
    trace: Vec<TraceStep>,
    left_out: u32,
    schedule: Vec<Scheduled>,
    threads: Threads,
    contexts: Vec<Context>,
    starved: Vec<Starved>,
    rests_on: Vec<LoopRests>,
    #[serde(rename = "loop")]
    loop_start: Option<u32>,
    unwind: Option<u32>,
    bounds: Vec<AtBound>,
    why: Option<String>,
    decided_by: Option<Engine>,
    tried: Vec<Tried>,
}

impl From<Property> for PropertyResult {
    fn from(read: Property) -> PropertyResult {
        PropertyResult {
            asked: Asked {
                name: read.name,
                ltl: read.ltl,
                requirement: read.requirement,
                expect: read.expect,
                propositions: read.propositions,
                ..Asked::default()
            },
            answer: Answer {
                verdict: read.verdict,
                reason: read.reason,
                complete: read.complete,
                evidence: read.evidence,
                holds: read.holds,
                proof: read.proof,
                vacuity: Vacuity {
                    parts: read.vacuous,
                    never_left: read.never_left,
                    cuts: read.cuts,
                },
                levels: read.levels,
                deadlock: read.deadlock,
                observed: false,
                unwind: read.unwind,
                bounds: read.bounds,
                decided_by: read.decided_by,
                tried: read.tried,
            },
            run: ShownRun {
                trace: read.trace,
                left_out: read.left_out,
                schedule: read.schedule,
                threads: read.threads,
                contexts: read.contexts,
                starved: read.starved,
                rests_on: read.rests_on,
                loop_start: read.loop_start,
                iterations: read.iterations,
                defined: read.defined,
                undefined: read.undefined,
                why: read.why,
            },
        }
    }
}

/// Reads an expectation from its name.
fn expectation<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Expectation>, D::Error> {
    let Some(name) = Option::<String>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let wrong = || D::Error::custom(format!("'{name}' is not an expected verdict"));
    Expectation::from_name(&name).map(Some).ok_or_else(wrong)
}
