//! The engines that search runs up to a bound.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use forms::Listener;
use verify::portfolio::{Board, Search, Stage};
use verify::result::{Engine, VerifyResult};

use super::{Applies, Question};
use crate::many;
use crate::schedules;
use crate::selection::Selection;
use crate::settings::Schedule;

/// How long the search of all states has the machine for itself, if the program has a model of its memory.
const STEPS_ALONE: Duration = Duration::from_secs(20);

/// The factor between the bounds of a search that has time.
const DEEPER: u32 = 4;

/// All runs up to the default bound, and the schedules of threads.
pub(super) struct Bounded<'a> {
    question: &'a Question<'a>,
    output: &'a dyn Listener,
    /// The result, for the search at greater bounds.
    found: Mutex<Option<VerifyResult>>,
}

impl<'a> Bounded<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a dyn Listener) -> Self {
        Bounded {
            question,
            output,
            found: Mutex::default(),
        }
    }

    fn found(&self) -> Option<VerifyResult> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.clone()
    }
}

impl Applies for Bounded<'_> {
    fn applies(&self) -> bool {
        let threads = self.question.source.whole.record.threads;
        let engines = self.question.engines;
        engines.has(Engine::Bounded) || (threads && engines.has(Engine::Rounds))
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
        let result = match question.settings.schedule(&question.source.whole.record) {
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
            files: &question.source.whole.files,
            record: &question.source.whole.record,
            settings: question.settings,
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
        output: &dyn Listener,
        backend: &dyn backend::Backend,
    ) -> anyhow::Result<VerifyResult> {
        // Only who asks for a bound wants it for all loops.
        let free = self.settings.options.unwind.is_none() && self.options.unwindset.is_empty();
        let options = verify::Options {
            follows_counts: free,
            ..self.options.clone()
        };
        let job = many::Job {
            program: &self.source.program,
            spec: &self.source.spec,
            weaving: &self.source.weaving,
            args: &Selection {
                bounds: bounds.to_vec(),
                ..self.settings.many.clone()
            },
            backend,
            options: &options,
            output,
            board: Some(board),
        };
        many::run(&job, &self.source.whole)
    }
}

/// The part of the time after which the next bound is searched although other engines go on.
const PART: u32 = 3;

/// The longest time after which it is.
const PATIENCE: Duration = Duration::from_secs(15);

/// All runs up to greater bounds: the next one late, beside engines that have no answer yet; those behind it when these have
/// given up, since they take much memory.
pub(super) struct Deeper<'a> {
    question: &'a Question<'a>,
    output: &'a dyn Listener,
    first: &'a Bounded<'a>,
    stage: Stage,
}

impl<'a> Deeper<'a> {
    pub(super) fn new(
        question: &'a Question<'a>,
        output: &'a dyn Listener,
        first: &'a Bounded<'a>,
    ) -> [Self; 2] {
        let left = question.until.saturating_duration_since(Instant::now());
        let late = Stage::Late((left / PART).min(PATIENCE));
        [late, Stage::Last].map(|stage| Deeper {
            question,
            output,
            first,
            stage,
        })
    }
}

impl Applies for Deeper<'_> {
    fn applies(&self) -> bool {
        // Schedules are searched once.
        let question = self.question;
        let record = &question.source.whole.record;
        let plain = question.settings.schedule(record) == Schedule::Plain;
        let free = question.settings.options.unwind.is_none();
        plain && free && self.first.applies()
    }
}

impl Search<anyhow::Error> for Deeper<'_> {
    fn engine(&self) -> Engine {
        Engine::Bounded
    }

    fn stage(&self) -> Stage {
        self.stage
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
        let mut bounds: Vec<u32> = bounds.take_while(|bound| *bound < MOST).collect();
        match self.stage {
            Stage::Last => bounds = bounds.split_off(1.min(bounds.len())),
            _ => bounds.truncate(1),
        }
        question.within(&bounds, board, self.output, question.backend)
    }
}

/// The greatest bound that is worth a try.
const MOST: u32 = 100_000;
