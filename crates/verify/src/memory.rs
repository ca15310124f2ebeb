//! Memory models: what a search under one does not cover.

use weave::record::Record;

use crate::result::{Holds, VerifyResult};
use crate::Options;

/// Takes back what a search under a weak memory model cannot say: in the woven program every atomic operation is
/// sequentially consistent, so that runs are missing in which one with a weaker order is delayed. A violation stays one.
pub fn doubt(record: &Record, options: &Options, result: &mut VerifyResult) {
    let weaker = record.assumptions.iter().any(|a| a == weave::WEAKER);
    let Some(model) = options.memory_model.as_ref().filter(|_| weaker) else {
        return;
    };
    for property in &mut result.properties {
        let answer = &mut property.answer;
        if answer.verdict.is_violation() || answer.verdict == crate::result::Verdict::Unknown {
            continue;
        }
        answer.verdict = crate::result::Verdict::Unknown;
        answer.holds = Holds::Unknown;
        (answer.evidence, answer.complete) = (None, None);
        answer.reason = Some(format!(
            "the program has atomic operations with weaker orders, which may be delayed under {model}, and no run in which one is \
             was searched; no searched run violates the formula"
        ));
    }
}
