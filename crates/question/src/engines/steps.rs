//! The engine for all schedules of a threaded program: all states of its step form, and invariants of it where these are many.

use std::time::Duration;

use ::verify::portfolio::{Board, Search, Stage};
use ::verify::result::{Engine, Event, FindingKind, Holds, VerifyResult};
use forms::Listener;

use super::{Applies, Question};
use crate::prove;

/// How long an engine is waited for that shows what the threads of a deadlock wait for.
const PATIENCE: Duration = Duration::from_secs(10);

/// The properties that are violated by a run which may end in a deadlock: a run of the step form does not show what each thread
/// waits for.
fn stuck(result: &VerifyResult) -> Vec<&str> {
    let mut findings = result.findings.iter();
    if !findings.any(|finding| finding.kind == FindingKind::Deadlock) {
        return Vec::new();
    }
    let ended = |event: Option<&Event>| event == Some(&Event::End);
    let properties = result.properties.iter().filter(|p| {
        p.answer.holds == Holds::Refuted && ended(p.run.trace.last().map(|step| &step.event))
    });
    properties.map(|p| p.asked.name.as_str()).collect()
}

/// All states, on all schedules.
pub(super) struct Steps<'a> {
    question: &'a Question<'a>,
    output: &'a dyn Listener,
}

impl<'a> Steps<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a dyn Listener) -> Self {
        Steps { question, output }
    }
}

impl Applies for Steps<'_> {
    fn applies(&self) -> bool {
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
        let fairness = question.settings.threads.fairness;
        let result = prove::steps::answers(
            &prove::Question {
                source: question.source,
                backend: question.backend,
                options: question.options,
                until: Some(question.until),
                output: self.output,
                ways: prove::Ways {
                    explicit: true,
                    induction: question.engines.has(Engine::Induction),
                    ..prove::Ways::default()
                },
                states: question.states,
                questions: None,
                certificate: None,
                board,
                turns: &::verify::explicit::Turns::default(),
                publishes: false,
            },
            fairness,
        )?;
        let stuck = stuck(&result);
        if !stuck.is_empty() {
            board.wait_for_engine(Engine::Bounded, &stuck, PATIENCE);
        }
        Ok(result)
    }
}
