//! The engine that searches runs of threads which repeat a state.

use forms::Listener;
use verify::portfolio::{Board, Search, Stage};
use verify::result::{Engine, VerifyResult};

use super::{Applies, Question};
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
}

impl Applies for Lassos<'_> {
    fn applies(&self) -> bool {
        // Without threads, proofs look for infinite runs.
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
