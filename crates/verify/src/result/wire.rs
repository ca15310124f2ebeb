//! The JSON of `verify`, as CLI.md fixes it. Keys come in one order, always.

use super::{Finding, LevelResult, PropertyResult, TraceStep, VerifyResult};
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
        let fields = if alone.is_some() { 17 } else { 12 };
        let mut json = serializer.serialize_struct("VerifyResult", fields)?;
        let tool = Tool {
            name: "baproduct",
            version: &self.tool_version,
        };
        json.serialize_field("tool", &tool)?;
        if let Some(only) = alone {
            json.serialize_field("verdict", only.verdict.name())?;
            json.serialize_field("symbol", only.verdict.symbol())?;
            json.serialize_field("complete", &only.complete)?;
            json.serialize_field("holds", &only.holds)?;
            if let Some(proof) = &only.proof {
                json.serialize_field("evidence", &only.evidence)?;
                json.serialize_field("proof", proof)?;
            }
            json.serialize_field("reason", &only.reason)?;
        }
        json.serialize_field("properties", &self.properties)?;
        json.serialize_field("backend", &self.backend)?;
        json.serialize_field("unwind", &self.unwind)?;
        json.serialize_field("assumptions", &self.assumptions)?;
        if !self.rests_on.is_empty() {
            json.serialize_field("rests_on", &self.rests_on)?;
        }
        json.serialize_field::<Vec<Finding>>("findings", &self.findings)?;
        if let Some(safety) = &self.safety {
            json.serialize_field("safety", safety)?;
        }
        if let Some(schedules) = &self.schedules {
            json.serialize_field("schedules", schedules)?;
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
        let mut json = serializer.serialize_struct("PropertyResult", 21)?;
        json.serialize_field("name", &self.name)?;
        json.serialize_field("ltl", &self.ltl)?;
        json.serialize_field("verdict", self.verdict.name())?;
        json.serialize_field("symbol", self.verdict.symbol())?;
        json.serialize_field("complete", &self.complete)?;
        json.serialize_field("evidence", &self.evidence)?;
        json.serialize_field("holds", &self.holds)?;
        if let Some(proof) = &self.proof {
            json.serialize_field("proof", proof)?;
        }
        json.serialize_field("vacuous", &self.vacuous)?;
        json.serialize_field("reason", &self.reason)?;
        json.serialize_field("iterations", &self.iterations)?;
        json.serialize_field("deadlock", &self.deadlock)?;
        json.serialize_field("expect", &self.expect.map(Expectation::name))?;
        json.serialize_field("as_expected", &self.as_expected())?;
        json.serialize_field("defined", &self.defined)?;
        json.serialize_field("undefined", &self.undefined)?;
        json.serialize_field("propositions", &self.propositions)?;
        json.serialize_field::<Vec<LevelResult>>("levels", &self.levels)?;
        json.serialize_field::<Vec<TraceStep>>("trace", &self.trace)?;
        json.serialize_field("left_out", &self.left_out)?;
        json.serialize_field("schedule", &self.schedule)?;
        if !self.threads.is_empty() {
            json.serialize_field("threads", &self.threads)?;
        }
        if !self.contexts.is_empty() {
            json.serialize_field("contexts", &self.contexts)?;
        }
        if !self.starved.is_empty() {
            json.serialize_field("starved", &self.starved)?;
        }
        if !self.rests_on.is_empty() {
            json.serialize_field("rests_on", &self.rests_on)?;
        }
        json.serialize_field("loop", &self.loop_start)?;
        if !self.bounds.is_empty() {
            json.serialize_field("unwind", &self.unwind)?;
            json.serialize_field("bounds", &self.bounds)?;
        }
        json.serialize_field("why", &self.why)?;
        json.end()
    }
}

/// Reads an expectation from its name.
pub(super) fn expectation<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Expectation>, D::Error> {
    let Some(name) = Option::<String>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let wrong = || D::Error::custom(format!("'{name}' is not an expected verdict"));
    Expectation::from_name(&name).map(Some).ok_or_else(wrong)
}
