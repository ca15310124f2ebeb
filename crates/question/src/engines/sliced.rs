//! The engine for programs that compute more than what is asked: proofs about the program without the computations on which nothing
//! depends (program slicing; Weiser 1984). A counter of errors that is never looked at makes of a few states too many.

use std::time::Duration;

use forms::Listener;
use verify::portfolio::{Board, Search, Stage};
use verify::result::{Answer, Asked, Engine, Holds, PropertyResult, VerifyResult};

use super::wide::steps;
use super::{Applies, Question};
use crate::prove;
use crate::source::Source;

/// How long the engines that follow the whole program are waited for.
const PATIENCE: Duration = Duration::from_secs(3);

/// Proofs, without the computations that nothing depends on.
pub(super) struct Sliced<'a> {
    question: &'a Question<'a>,
    output: &'a dyn Listener,
}

impl<'a> Sliced<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a dyn Listener) -> Self {
        Sliced { question, output }
    }

    fn has_threads(&self) -> bool {
        self.question.source.whole.record.threads
    }

    fn ways(&self) -> prove::Ways {
        let has = |engine| self.question.engines.has(engine);
        prove::Ways {
            explicit: match self.has_threads() {
                true => has(Engine::Steps),
                false => has(Engine::Explicit),
            },
            induction: has(Engine::Induction),
            beside_bounds: true,
            ..prove::Ways::default()
        }
    }

    /// The slice, with the specification; `None` if there is none.
    fn slice(&self) -> anyhow::Result<Option<Source>> {
        let question = self.question;
        let source = match self.has_threads() {
            true => question.source.clone(),
            false => question.source.without_state(self.output),
        };
        let text = source.spec.text();
        let one = match source.program.paths().len() {
            1 => source,
            _ => match source.program.followed(text)? {
                Some(Ok(one)) => match source.of(one, self.output)? {
                    Ok(one) => one,
                    Err(_) => return Ok(None),
                },
                _ => return Ok(None),
            },
        };
        let Some(program) = one.program.sliced(one.spec.text())? else {
            return Ok(None);
        };
        let slice = one.of(program, self.output)?.ok();
        Ok(slice.filter(|slice| steps(&slice.whole.record) == steps(&one.whole.record)))
    }

    /// A property of which this search says nothing.
    fn open(&self, number: usize) -> PropertyResult {
        let record = &self.question.source.whole.record;
        Asked::of(record, number).answered(Answer::default())
    }

    /// What stands for nothing but proofs. What stands in the way of others is said of the program itself.
    fn proofs(&self, found: VerifyResult) -> VerifyResult {
        let mut whole = found;
        for (number, property) in whole.properties.iter_mut().enumerate() {
            match property.answer.holds {
                Holds::Proved => property.answer.proof.get_or_insert_default().sliced = true,
                _ => *property = self.open(number),
            }
        }
        whole.findings.clear();
        whole.warnings.clear();
        whole
    }
}

impl Applies for Sliced<'_> {
    fn applies(&self) -> bool {
        let source = self.question.source;
        self.ways().explicit && source.spec.formulas() > 0 && !source.program.models_memory()
    }
}

impl Search<anyhow::Error> for Sliced<'_> {
    fn engine(&self) -> Engine {
        match self.has_threads() {
            true => Engine::Steps,
            false => Engine::Induction,
        }
    }

    fn stage(&self) -> Stage {
        Stage::Late(PATIENCE)
    }

    fn run(&self, board: &Board) -> anyhow::Result<VerifyResult> {
        let question = self.question;
        let Some(slice) = self.slice()? else {
            let all = 0..question.source.spec.formulas();
            return Ok(VerifyResult {
                properties: all.map(|number| self.open(number)).collect(),
                ..VerifyResult::default()
            });
        };
        let asked = prove::Question {
            source: &slice,
            backend: question.backend,
            options: question.options,
            until: Some(question.until),
            output: self.output,
            ways: self.ways(),
            states: match self.has_threads() {
                true => question.states,
                false => prove::STATES,
            },
            questions: None,
            certificate: None,
            board,
            turns: &::verify::explicit::Turns::default(),
            publishes: false,
        };
        let found = match self.has_threads() {
            true => prove::steps::answers(&asked, question.settings.threads.fairness)?,
            false => prove::answers(&asked)?,
        };
        Ok(self.proofs(found))
    }
}
