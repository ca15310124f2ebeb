//! Programs that the search by rounds refuses, with a model checker that enumerates interleavings:
//! explores schedules with few switches, to have an answer in time.

use std::time::{Duration, Instant};

use verify::result::{Schedules, Verdict, VerifyResult};

use crate::schedules::{is_refused, is_violated, Search};
use crate::searches::verify_files;

/// The greatest number of switches away from each thread. Most errors show with two (Musuvathi and
/// Qadeer, PLDI 2007).
const MOST: u32 = 3;

/// The time limit without a budget.
const PATIENCE: Duration = Duration::from_secs(120);

impl Search<'_> {
    /// The answer for schedules of one switch, two switches, … for a program that the search by
    /// rounds refuses; otherwise, or if the backend cannot bound switches, the answer of that
    /// search.
    ///
    /// # Errors
    /// If there is no backend, or files cannot be written.
    pub fn or_by_switches(&self, rounds: VerifyResult) -> anyhow::Result<VerifyResult> {
        let can = self.settings.backend.capabilities();
        let fit = can.enumerates && can.context_bound && self.record.lasso.is_none();
        if !fit || !is_refused(&rounds) {
            return Ok(rounds);
        }
        let limit = self.settings.budget.or(self.options.timeout);
        let deadline = Instant::now() + limit.unwrap_or(PATIENCE);
        let mut best = None;
        for switches in 1..=MOST {
            if self.stop.is_cancelled() || (best.is_some() && Instant::now() >= deadline) {
                break;
            }
            let options = verify::Options {
                context_bound: Some(switches),
                deadline: Some(deadline),
                ..self.options.clone()
            };
            let backend = self.settings.open_plain()?;
            let cancel = self.stop.part();
            let (files, record) = (self.files, self.record);
            let result = verify_files(
                files,
                record,
                backend.as_ref(),
                &options,
                &cancel,
                self.output,
            )?;
            let violated = is_violated(&result);
            let better = best
                .as_ref()
                .is_none_or(|best| unknown(&result) <= unknown(best));
            best = if better { Some(result) } else { best };
            if violated {
                break;
            }
        }
        let Some(mut best) = best else {
            return Ok(rounds);
        };
        let why = rounds
            .properties
            .iter()
            .find_map(|p| p.answer.reason.as_deref());
        best.warnings.push(format!(
            "the search by rounds gave no answer ({}); this one is that of {}",
            why.unwrap_or_default(),
            best.premises.schedules.unwrap_or(Schedules::All)
        ));
        Ok(best)
    }
}

/// The number of properties without a verdict.
fn unknown(result: &VerifyResult) -> usize {
    let properties = result.properties.iter();
    properties
        .filter(|p| p.answer.verdict == Verdict::Unknown)
        .count()
}
