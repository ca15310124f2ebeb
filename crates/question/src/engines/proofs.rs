//! The engines that follow all runs of programs without threads.

use forms::Listener;
use verify::portfolio::{Board, Search, Stage};
use verify::result::{Engine, VerifyResult};

use super::{Applies, Question};
use crate::prove;

/// All states, induction and the k-induction of another model checker.
pub(super) struct Proofs<'a> {
    question: &'a Question<'a>,
    output: &'a dyn Listener,
}

impl<'a> Proofs<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a dyn Listener) -> Self {
        Proofs { question, output }
    }

    fn ways(&self) -> prove::Ways {
        let has = |engine| self.question.engines.has(engine);
        prove::Ways {
            explicit: has(Engine::Explicit),
            induction: has(Engine::Induction),
            k_induction: has(Engine::KInduction),
            lasso: has(Engine::Lasso),
            spin: false,
            beside_bounds: has(Engine::Bounded),
        }
    }
}

impl Applies for Proofs<'_> {
    fn applies(&self) -> bool {
        let source = self.question.source;
        self.ways().any() && !source.whole.record.threads && source.spec.formulas() > 0
    }
}

impl Search<anyhow::Error> for Proofs<'_> {
    fn engine(&self) -> Engine {
        Engine::Induction
    }

    fn stage(&self) -> Stage {
        self.question.beside()
    }

    fn run(&self, board: &Board) -> anyhow::Result<VerifyResult> {
        let question = self.question;
        let source = question.source.without_state(self.output);
        prove::answers(&prove::Question {
            source: &source,
            backend: question.backend,
            options: question.options,
            until: Some(question.until),
            output: self.output,
            ways: self.ways(),
            states: prove::STATES,
            questions: None,
            certificate: None,
            board,
            turns: &::verify::explicit::Turns::default(),
            publishes: true,
        })
    }
}
