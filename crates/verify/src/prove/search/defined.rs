//! Whether only runs that do something undefined stand in the way of a proof.
//!
//! A counter that only grows is never negative, but no induction shows it: it wraps around where C says nothing of what happens.
//! The answer names such places, which says more than the head at which the formula may be violated.

use backend::{OtherFailure, OtherKind, Selection, Traces};
use induction::emit::Queries;

use super::ways::{Share, PART};
use super::Search;
use crate::prove::Outcome;
use crate::undefined::words;

/// The most places that are named.
const PLACES: usize = 3;

impl Search<'_> {
    /// Asks about the runs that do nothing undefined, if by what is known now some run may, and the model checker can be told to
    /// leave those out.
    pub(super) fn of_defined_runs(&mut self) -> Result<(), String> {
        let can = self.backend.capabilities().avoids_undefined;
        if !can || self.of_defined.is_some() {
            return Ok(());
        }
        let places = self.undefined()?;
        if places.is_empty() {
            return Ok(());
        }
        let limits = match self.allowed(Share::Part).until {
            Some(until) => self.limits.part(PART, until),
            None => self.limits.clone(),
        };
        let mut apart = Search::new(self.task, self.backend, &limits, self.cancel, self.told)?;
        (apart.assumes_defined, apart.together) = (true, self.together);
        (apart.depth, apart.unrolled) = (self.depth, self.unrolled.clone());
        apart.describe()?;
        let found = apart.stages();
        self.asked += apart.asked;
        self.used.runs += apart.used.runs;
        self.used.seconds += apart.used.seconds;
        if matches!(found, Ok(Outcome::Proved(_))) {
            self.of_defined = Some(format!(
                "the formula is violated only by runs that do something undefined before, and whether there are any is open: {}",
                places.join("; ")
            ));
        }
        Ok(())
    }

    /// The places at which something undefined may happen, as far as the invariants say.
    fn undefined(&mut self) -> Result<Vec<String>, String> {
        let said = self.run_once(
            &Queries {
                claims_are_known: true,
                ..Queries::default()
            },
            (Selection::All, Traces::None),
            true,
        )?;
        let all = said.answer.other_failures.iter();
        let told = |other: &OtherFailure| {
            let (file, line) = (other.location.file.as_deref()?, other.location.line?);
            let code = other.text.split_once(" in ");
            let own = code.filter(|(_, code)| code.contains("ba_"));
            // A write stands in a function of the monitor's, whose names say nothing.
            let site = own.and_then(|_| {
                self.task
                    .record
                    .sites
                    .iter()
                    .find(|s| s.file == file && s.line == line)
            });
            let text = match (own, site) {
                (Some((what, _)), Some(site)) => format!("{what} in `{}`", site.what),
                _ => words(&other.text),
            };
            Some(format!("{text}, {file}:{line}"))
        };
        let mut all: Vec<String> = all
            .filter(|other| other.kind == OtherKind::Program)
            .filter_map(told)
            .collect();
        all.dedup();
        all.truncate(PLACES);
        Ok(all)
    }

    /// What resists a proof, in words.
    pub(super) fn resisting(&self, why: String) -> String {
        self.of_defined.clone().unwrap_or(why)
    }
}
