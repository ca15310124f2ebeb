//! Answers of all engines that are stored: what is decided for good is not searched again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use ::verify::portfolio::{self, Board, Search, Stage};
use ::verify::result::{BackendInfo, Engine, Holds, Premises, PropertyResult, VerifyResult};
use ::verify::store::Key;
use weave::record::PropertyRecord;

use super::Question;
use crate::kept::{self, Kept, Subject};
use crate::selection::Selection;

/// The file of answers, and the question that they are about.
pub(super) struct Stored<'a> {
    question: &'a Question<'a>,
    kept: Kept,
    context: Key,
    /// What this question has added.
    added: HashMap<String, PropertyResult>,
}

impl<'a> Stored<'a> {
    /// Opens the file that the options name, if they do.
    ///
    /// # Errors
    /// If it exists and is not to be continued, or cannot be written.
    pub(super) fn open(question: &'a Question<'a>, many: &Selection) -> anyhow::Result<Self> {
        let kept = Kept::open(many, question.output)?;
        let subject = Subject {
            program: &question.source.program,
            spec: &question.source.spec,
            weaving: &question.source.weaving,
            backend: question.backend,
            options: question.options,
        };
        // Bounds begin at 1: no answer of a bounded search has this key.
        let context = subject
            .context(0, &question.source.whole.record)
            .with(format!(
                "{:?} {:?}",
                question.engines, question.settings.threads.fairness
            ));
        Ok(Stored {
            question,
            kept,
            context,
            added: HashMap::new(),
        })
    }

    fn properties(&self) -> &'a [PropertyRecord] {
        &self.question.source.whole.record.properties
    }

    /// The answers of an earlier run about some of these properties, which are removed from them.
    pub(super) fn known(&self, names: &mut Vec<String>) -> VerifyResult {
        let question = self.question;
        let program = question.backend.program();
        let mut found = VerifyResult {
            tool_version: env!("CARGO_PKG_VERSION").to_string(),
            backend: BackendInfo {
                name: program.kind.name().to_string(),
                version: program.version.to_string(),
                ..BackendInfo::default()
            },
            premises: Premises {
                assumptions: question.options.assumptions(&question.source.whole.record),
                ..Premises::default()
            },
            ..VerifyResult::default()
        };
        for property in self.properties() {
            let wanted = names.iter().position(|name| *name == property.name);
            let (Some(at), Some(result)) = (wanted, self.kept.result(&self.context, property))
            else {
                continue;
            };
            names.remove(at);
            found.properties.push(result);
            for assumption in self.kept.assumptions(&self.context, property) {
                if !found.premises.assumptions.contains(assumption) {
                    found.premises.assumptions.push(assumption.clone());
                }
            }
        }
        found
    }

    /// Stores what is decided for good; what is not may be decided in more time. An answer to which other engines have added
    /// something is stored again: the last one counts.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, result: &VerifyResult) -> anyhow::Result<()> {
        let properties = self.properties();
        let lines: Vec<_> = result
            .properties
            .iter()
            .filter(|p| p.answer.holds != Holds::Unknown)
            .filter_map(|p| {
                let record = properties.iter().find(|r| r.name == p.asked.name)?;
                Some((kept::key(&self.context, record), p))
            })
            .filter(|(key, p)| self.added.get(key) != Some(p))
            .map(|(key, p)| (key, p.clone()))
            .collect();
        if lines.is_empty() {
            return Ok(());
        }
        let texts = lines.iter().map(|(key, p)| (key.as_str(), p));
        let assumptions = &result.premises.assumptions;
        self.kept.add_resting_on(texts, assumptions)?;
        self.added.extend(lines);
        Ok(())
    }
}

/// A search whose answers are stored when it ends, while others go on.
pub(super) struct Storing<'a, 'q> {
    search: &'a dyn Search<anyhow::Error>,
    stored: &'a Mutex<Stored<'q>>,
}

impl<'a, 'q> Storing<'a, 'q> {
    pub(super) fn new(
        search: &'a dyn Search<anyhow::Error>,
        stored: &'a Mutex<Stored<'q>>,
    ) -> Self {
        Storing { search, stored }
    }
}

impl Search<anyhow::Error> for Storing<'_, '_> {
    fn engine(&self) -> Engine {
        self.search.engine()
    }

    fn stage(&self) -> Stage {
        self.search.stage()
    }

    fn run(&self, board: &Board) -> anyhow::Result<VerifyResult> {
        let begun = Instant::now();
        let result = self.search.run(board)?;
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        if !stored.kept.is_open() {
            return Ok(result);
        }
        let mut shown = portfolio::alone(self.engine(), begun.elapsed(), result.clone());
        // A violation without a run waits for the answer of all, which may have one.
        let is_final = |holds: Holds, run: bool| holds == Holds::Proved || run;
        shown
            .properties
            .retain(|p| is_final(p.answer.holds, !p.run.trace.is_empty()));
        stored.add(&shown)?;
        Ok(result)
    }
}
