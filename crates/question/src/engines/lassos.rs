//! The engine that searches runs of threads which repeat a state.

use forms::Listener;
use verify::portfolio::{Board, Search, Stage};
use verify::result::{Engine, VerifyResult};

use super::Question;
use crate::schedules;

/// Infinite runs of threads, in a few rounds.
pub(super) struct Lassos<'a> {
    question: &'a Question<'a>,
    output: &'a dyn Listener,
}

impl<'a> Lassos<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a dyn Listener) -> Self {
        Lassos { question, output }
    }

    /// Whether it is asked, and applies: without threads, proofs look for infinite runs.
    pub(super) fn applies(&self) -> bool {
        let threads = self.question.source.whole.record.threads;
        threads && self.question.engines.has(Engine::Lasso)
    }
}

impl Search<anyhow::Error> for Lassos<'_> {
    fn engine(&self) -> Engine {
        Engine::Lasso
    }

    fn stage(&self) -> Stage {
        Stage::Last
    }

    fn run(&self, board: &Board) -> anyhow::Result<VerifyResult> {
        let question = self.question;
        let source = question.source.with_lassos(self.output)?;
        let backend = question.settings.open()?;
        let search = schedules::Search {
            program: backend.program(),
            files: &source.whole.files,
            record: &source.whole.record,
            settings: question.settings,
            options: question.options,
            output: self.output,
            stop: board.cancel().part(),
        };
        search.or_by_switches(search.alone()?)
    }
}
