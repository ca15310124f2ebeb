//! A second question for programs with assembler whose effect is not known: whether a formula holds whatever the outputs
//! of its statements are. Runs that violate one then count for nothing, for the statements may never give such values.

use forms::Listener;
use verify::portfolio;
use verify::result::{Holds, VerifyResult};

use crate::source::Source;

/// The question about the program with any values of outputs.
pub struct Wider {
    /// The program, woven.
    pub source: Source,
    /// What its proofs rest on.
    premise: String,
    /// What is said of violations.
    rests: String,
}

impl Wider {
    /// The question for a program; `None` if all of its assembler is known, or none of the rest can be followed so.
    ///
    /// # Errors
    /// If an earlier weaving came to an unexpected end.
    pub fn of(source: &Source, output: &dyn Listener) -> anyhow::Result<Option<Wider>> {
        let Some((program, places)) = source.program.with_any_outputs(source.spec.text())? else {
            return Ok(None);
        };
        let Ok(source) = source.of(program, output)? else {
            return Ok(None);
        };
        let premise = format!(
            "assembler statements that are not known write nothing but their outputs, which may get any values: {}",
            places.join(", ")
        );
        let rests = format!(
            "a run violates the formula, with values that assembler statements which are not known may never give: {}",
            places.join(", ")
        );
        Ok(Some(Wider {
            source,
            premise,
            rests,
        }))
    }

    /// Whether an answer leaves something to ask.
    pub fn is_needed(result: &VerifyResult) -> bool {
        let mut properties = result.properties.iter();
        properties.any(|p| p.answer.holds == Holds::Unknown)
    }

    /// Takes the proofs of this question's answer.
    pub fn onto(&self, result: &mut VerifyResult, answer: VerifyResult) {
        portfolio::widened(result, answer, &self.premise, &self.rests);
    }
}
