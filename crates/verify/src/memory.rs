//! Memory models: what a search under one does not cover.

use crate::result::{Engine, Evidence, Holds, PropertyResult, Verdict, VerifyResult};

/// Takes back what a search under sequential consistency cannot say about a weaker memory model, which has all of its runs and
/// others: a violation stays one, all else is unknown, for this reason.
pub fn doubt(result: &mut VerifyResult, why: &str) {
    let open = result.properties.iter_mut();
    for property in open.filter(|p| !p.answer.verdict.is_violation()) {
        unknown(
            property,
            &format!("{why}; no searched run violates the formula"),
        );
    }
}

/// Takes back all violations, for this reason.
pub fn refutes_nothing(result: &mut VerifyResult, why: &str) {
    let violated = result.properties.iter_mut();
    for property in violated.filter(|p| p.answer.verdict.is_violation() && !p.asked.reach) {
        unknown(property, why);
    }
}

/// Takes back the proofs of all engines but one, which alone asks whether the model of the memory leaves out runs.
pub fn only_by(engine: Engine, result: &mut VerifyResult) {
    let others = result.properties.iter_mut();
    for property in others.filter(|p| p.answer.decided_by != Some(engine)) {
        incomplete(
            std::slice::from_mut(property),
            "whether the model of the memory has all runs of the program was not asked",
        );
    }
}

/// Takes back the proofs of a search that has left out runs, for this reason.
pub fn incomplete(properties: &mut [PropertyResult], why: &str) {
    let proved = properties.iter_mut();
    for property in proved.filter(|p| p.answer.holds == Holds::Proved) {
        unknown(
            property,
            &format!("{why}; no searched run violates the formula"),
        );
    }
}

/// Takes back infinite runs that violate a formula, where one may not be fair to a store. A `safe` formula is violated by a prefix
/// already, which is one of fair runs, too.
pub fn unfair(result: &mut VerifyResult, safe: impl Fn(&str) -> bool) {
    let lassos = result.properties.iter_mut();
    let lassos = lassos.filter(|p| p.answer.evidence == Some(Evidence::Lasso));
    for property in lassos.filter(|p| !safe(&p.asked.name)) {
        unknown(property, UNFAIR);
    }
}

/// Why infinite runs of partial store order count for nothing.
const UNFAIR: &str = "an infinite run violates the formula in which some store may never become visible, while later ones of its thread do";

fn unknown(property: &mut PropertyResult, why: &str) {
    let answer = &mut property.answer;
    (answer.verdict, answer.holds) = (Verdict::Unknown, Holds::Unknown);
    (answer.evidence, answer.complete) = (None, None);
    answer.proof = None;
    answer.reason = Some(why.to_owned());
}
