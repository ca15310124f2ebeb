//! The engines of a question.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use verify::portfolio::{Board, Search, Stage};
use verify::result::{Engine, VerifyResult};

use super::Question;
use crate::commands::prove;
use crate::commands::verify::many;
use crate::commands::verify::schedules;
use crate::commands::verify::{open_backend, search_of, Input, Schedule};
use crate::options::Output;

/// How long the bounded search has the machine for itself.
const ALONE: Duration = Duration::from_millis(400);

/// How long the search of all states has the machine for itself, if the program has a model of its memory.
const STEPS_ALONE: Duration = Duration::from_secs(20);

/// The factor between the bounds of a search that has time.
const DEEPER: u32 = 4;

/// All runs up to the default bound, and the schedules of threads.
pub(super) struct Bounded<'a> {
    question: &'a Question<'a>,
    output: &'a Output,
    /// The result, for the search at greater bounds.
    found: Mutex<Option<VerifyResult>>,
}

impl<'a> Bounded<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a Output) -> Self {
        Bounded {
            question,
            output,
            found: Mutex::default(),
        }
    }

    /// Whether it is asked, and applies.
    pub(super) fn applies(&self) -> bool {
        let threads = self.question.source.whole.record.threads;
        let engines = self.question.engines;
        engines.has(Engine::Bounded) || (threads && engines.has(Engine::Rounds))
    }

    fn found(&self) -> Option<VerifyResult> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.clone()
    }
}

impl Search<anyhow::Error> for Bounded<'_> {
    fn engine(&self) -> Engine {
        Engine::Bounded
    }

    fn stage(&self) -> Stage {
        match self.question.leaves_rounds() {
            true => Stage::Beside(STEPS_ALONE),
            false => Stage::First,
        }
    }

    fn run(&self, board: &Board) -> anyhow::Result<VerifyResult> {
        let question = self.question;
        let result = match search_of(question.args, question.input) {
            Schedule::Plain => {
                let bound = question.bound();
                question.within(&[1, bound], board, self.output, question.backend)?
            }
            by_schedules => self.schedules(by_schedules, board)?,
        };
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        *found = Some(result.clone());
        Ok(result)
    }
}

impl Bounded<'_> {
    fn schedules(&self, which: Schedule, board: &Board) -> anyhow::Result<VerifyResult> {
        let question = self.question;
        let search = schedules::Search {
            program: question.backend.program(),
            files: question.input.files(),
            record: question.input.record(),
            args: question.args,
            options: question.options,
            output: self.output,
            stop: board.cancel().part(),
        };
        match which {
            Schedule::Both => search.both(|backend| {
                let bound = question.bound();
                question.within(&[bound], board, self.output, backend)
            }),
            _ => search.or_by_switches(search.alone()?),
        }
    }
}

impl Question<'_> {
    /// When an engine starts that follows all runs: soon after the bounded search, if that is asked.
    pub(super) fn beside(&self) -> Stage {
        match self.engines.has(Engine::Bounded) && !self.leaves_rounds() {
            true => Stage::Beside(ALONE),
            false => Stage::First,
        }
    }

    /// Whether rounds wait for the search of all states: a model of the memory makes many steps of each access, which rounds
    /// write out one by one.
    fn leaves_rounds(&self) -> bool {
        let memory = self.source.program.memory();
        memory.is_some_and(|m| !m.objects.is_empty()) && self.engines.has(Engine::Steps)
    }

    /// The bound of a search that is not asked for another one.
    fn bound(&self) -> u32 {
        self.options
            .unwind
            .unwrap_or(self.source.whole.record.unwind)
    }

    /// The answers at these bounds, the least first.
    fn within(
        &self,
        bounds: &[u32],
        board: &Board,
        output: &Output,
        backend: &dyn backend::Backend,
    ) -> anyhow::Result<VerifyResult> {
        let job = many::Job {
            program: &self.source.program,
            spec: &self.source.spec,
            weaving: &self.source.weaving,
            args: &many::Options {
                bounds: bounds.to_vec(),
                ..self.args.many.clone()
            },
            backend,
            options: self.options,
            output,
            board: Some(board),
        };
        many::run(&job, &self.source.whole)
    }
}

/// All runs up to greater bounds, when the other engines have given up.
pub(super) struct Deeper<'a> {
    question: &'a Question<'a>,
    output: &'a Output,
    first: &'a Bounded<'a>,
}

impl<'a> Deeper<'a> {
    pub(super) fn new(
        question: &'a Question<'a>,
        output: &'a Output,
        first: &'a Bounded<'a>,
    ) -> Self {
        Deeper {
            question,
            output,
            first,
        }
    }

    /// Whether it is asked, and applies: schedules are searched once.
    pub(super) fn applies(&self) -> bool {
        let question = self.question;
        let plain = search_of(question.args, question.input) == Schedule::Plain;
        let free = question.args.weaving.unwind.is_none();
        plain && free && self.first.applies()
    }
}

impl Search<anyhow::Error> for Deeper<'_> {
    fn engine(&self) -> Engine {
        Engine::Bounded
    }

    fn stage(&self) -> Stage {
        Stage::Last
    }

    fn run(&self, board: &Board) -> anyhow::Result<VerifyResult> {
        let Some(found) = self.first.found() else {
            anyhow::bail!("no run was searched");
        };
        let question = self.question;
        let deepens = found.properties.iter().any(|p| {
            board.is_open(&p.asked.name) && many::is_open(p) && p.answer.complete == Some(false)
        });
        if !deepens {
            return Ok(found);
        }
        let next = |bound: &u32| bound.checked_mul(DEEPER);
        let bounds = std::iter::successors(next(&question.bound()), next);
        let bounds: Vec<u32> = bounds.take_while(|bound| *bound < MOST).collect();
        question.within(&bounds, board, self.output, question.backend)
    }
}

/// The greatest bound that is worth a try.
const MOST: u32 = 100_000;

/// All states, induction and the k-induction of another model checker.
pub(super) struct Proofs<'a> {
    question: &'a Question<'a>,
    output: &'a Output,
}

impl<'a> Proofs<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a Output) -> Self {
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

    /// Whether one of them is asked, and applies.
    pub(super) fn applies(&self) -> bool {
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
            fairness: &::verify::explicit::Fairness::default(),
            publishes: true,
        })
    }
}

/// Infinite runs of threads, in a few rounds.
pub(super) struct Lassos<'a> {
    question: &'a Question<'a>,
    output: &'a Output,
}

impl<'a> Lassos<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a Output) -> Self {
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
        let mut args = question.args.clone();
        args.set_lasso(true);
        let source = question.source.with_lassos(self.output)?;
        let input = Input::Source(Box::new(source));
        let backend = open_backend(&args)?;
        let search = schedules::Search {
            program: backend.program(),
            files: input.files(),
            record: input.record(),
            args: &args,
            options: question.options,
            output: self.output,
            stop: board.cancel().part(),
        };
        search.or_by_switches(search.alone()?)
    }
}
