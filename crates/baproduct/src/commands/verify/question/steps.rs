//! The engine for all schedules of a threaded program: all states of its step form.

use ::verify::portfolio::{Board, Search, Stage};
use ::verify::result::{Engine, VerifyResult};

use super::Question;
use crate::commands::prove;
use crate::options::Output;

/// All states, on all schedules.
pub(super) struct Steps<'a> {
    question: &'a Question<'a>,
    output: &'a Output,
}

impl<'a> Steps<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a Output) -> Self {
        Steps { question, output }
    }

    /// Whether it is asked, and applies.
    pub(super) fn applies(&self) -> bool {
        let source = self.question.source;
        let threads = source.whole.record.threads;
        threads && source.spec.formulas() > 0 && self.question.engines.has(Engine::Steps)
    }
}

impl Search<anyhow::Error> for Steps<'_> {
    fn engine(&self) -> Engine {
        Engine::Steps
    }

    fn stage(&self) -> Stage {
        self.question.beside()
    }

    fn run(&self, board: &Board) -> anyhow::Result<VerifyResult> {
        let question = self.question;
        let fairness = question.args.fairness();
        prove::steps::answers(
            &prove::Question {
                source: question.source,
                backend: question.backend,
                options: question.options,
                until: Some(question.until),
                output: self.output,
                ways: prove::Ways {
                    explicit: true,
                    ..prove::Ways::default()
                },
                states: prove::STATES,
                questions: None,
                certificate: None,
                board,
            },
            fairness,
        )
    }
}
