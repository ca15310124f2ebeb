//! `--schedules`: the search by rounds (docs/semantics.md, "Schedules"), alone or in parallel with
//! a search of all schedules.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use backend::{Backend, Cancel, Dialect, Finished, Job, Program};
use forms::{Listener, Quiet};
use verify::groups;
use verify::result::{Evidence, Holds, PropertyResult, Schedules, Verdict, VerifyResult};
use weave::record::{PropertyRecord, Record};

use crate::budget;
use crate::searches::verify_files;
use crate::settings::Settings;
use crate::wanted::MOST_ROUNDS;
pub use crate::wanted::{can_search_all, Wanted, SURE};
use crate::whole::{Outcome, Whole};

/// The time limit of the search of all schedules without a budget, so that the result of the rounds
/// comes within a minute.
pub(crate) const SHARE: Duration = Duration::from_secs(45);

/// The greatest number of rounds without a parallel search, as long as there is no answer.
const LAST: u32 = 8;

/// After the sure rounds, further rounds are explored if those took less than this.
pub(crate) const QUICK: Duration = Duration::from_secs(5);

/// A search by rounds, alone or in parallel with one of all schedules.
pub struct Search<'a> {
    /// The backend's program.
    pub program: &'a Program,
    /// The monitored program.
    pub files: &'a [forms::Emitted],
    /// Its record.
    pub record: &'a Record,
    /// How the question is asked.
    pub settings: &'a Settings,
    /// The options of the backend's runs.
    pub options: &'a verify::Options,
    /// Where messages go.
    pub output: &'a dyn Listener,
    /// Ends all searches.
    pub stop: Cancel,
}

/// How long the search of all schedules runs before the other search starts the backend: if it is
/// quick, a parallel search would only slow it down.
pub(crate) const START: Duration = Duration::from_secs(2);

/// The state of both searches.
#[derive(Default)]
struct Found {
    /// The best answer by rounds.
    best: Option<VerifyResult>,
    /// The deadline of the search of all schedules.
    deadline: Option<Instant>,
    /// Whether each property is decided for good: violated or proved.
    decided: bool,
}

impl Found {
    /// Sets the deadline to a time, unless it is earlier already.
    fn limit(&mut self, at: Instant) {
        self.deadline = Some(self.deadline.map_or(at, |known| known.min(at)));
    }
}

impl Search<'_> {
    /// Searches by rounds alone.
    ///
    /// # Errors
    /// If there is no backend, or files cannot be written.
    pub fn alone(&self) -> anyhow::Result<VerifyResult> {
        let found = Mutex::new(Found::default());
        self.rounds(&found, &self.stop.part(), &Cancel::new(), None)?;
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found
            .best
            .ok_or_else(|| anyhow::anyhow!("no rounds were explored"))
    }

    /// Searches by rounds, and in parallel all schedules. `all` runs the latter search with a
    /// backend that can be stopped.
    ///
    /// # Errors
    /// The error of `all`, or files that cannot be written.
    pub fn both(
        &self,
        all: impl FnOnce(&dyn Backend) -> anyhow::Result<VerifyResult>,
    ) -> anyhow::Result<VerifyResult> {
        let begin = Instant::now();
        let (stop_all, stop_rounds) = (self.stop.part(), self.stop.part());
        let wanted = self.bound();
        let found = Mutex::new(Found::default());
        let beside = Whole::default();
        let stoppable = Stoppable {
            inner: backend::of(self.program.clone()),
            stop: stop_all.clone(),
            found: &found,
        };
        let (whole, searched) = std::thread::scope(|scope| {
            let rounds = scope.spawn(|| {
                let searched = self.rounds(&found, &stop_rounds, &stop_all, Some(&beside));
                beside.rounds_end();
                searched
            });
            let whole = all(&stoppable);
            let outcome = outcome_of(whole.as_ref().ok(), wanted);
            let bounded = matches!(outcome, Outcome::Cut | Outcome::Smaller);
            let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
            if bounded {
                lock().limit(Instant::now() + 2 * QUICK.max(begin.elapsed() / 4));
            }
            beside.ends(outcome);
            if !beside.is_worth_rounds() {
                stop_rounds.cancel();
            }
            while bounded && !rounds.is_finished() {
                if lock().deadline.is_some_and(|at| Instant::now() >= at) {
                    stop_rounds.cancel();
                    break;
                }
                beside.wait_for_rounds(LOOK);
            }
            (whole, rounds.join())
        });
        let whole = whole?;
        // A search that was stopped may have a verdict without a trace. It may have been stopped because it decided
        // everything, as other engines were told.
        let stopped = stop_all.is_cancelled() && !is_sure(&whole);
        let won = is_settled(&whole, wanted) && !stopped;
        if won {
            return Ok(whole);
        }
        match searched {
            Ok(searched) => searched?,
            Err(_) => anyhow::bail!("the search by rounds came to an unexpected end"),
        }
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(match found.best {
            Some(rounds)
                if found.decided || !is_answered(&whole) || is_settled(&rounds, wanted) =>
            {
                joined(whole, rounds, wanted)
            }
            _ => whole,
        })
    }

    /// The wanted bound of loops.
    fn bound(&self) -> u32 {
        self.options.unwind.unwrap_or(self.record.unwind)
    }

    /// Searches rounds 1, 2, 3 … until each property is decided, the time is over, or the search
    /// is stopped; `beside` is the search of all schedules beside this one.
    fn rounds(
        &self,
        found: &Mutex<Found>,
        stop: &Cancel,
        others: &Cancel,
        beside: Option<&Whole>,
    ) -> anyhow::Result<()> {
        let budget = self.options.deadline;
        let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
        lock().deadline = budget;
        // A valid formula is proved by any run.
        let valid = self.record.is_valid();
        if self.options.climbs && beside.is_none() && !valid && self.smaller(found, stop, budget)? {
            return Ok(());
        }
        let outcome = || beside.and_then(Whole::outcome);
        let mut begin = Instant::now();
        for rounds in 1..=MOST_ROUNDS {
            let deadline = lock().deadline;
            let late = deadline.is_some_and(|at| Instant::now() >= at);
            if stop.is_cancelled() || (late && rounds > 1) {
                break;
            }
            let result = match beside.filter(|_| rounds == 1) {
                Some(whole) => {
                    let result = self.first(whole, stop, deadline)?;
                    begin += self.start().min(begin.elapsed());
                    result
                }
                None => self.of(rounds, stop, deadline, self.options.unwind)?,
            };
            if stop.is_cancelled() {
                break;
            }
            let decided = is_decided(&result, self.record, rounds);
            let answered = is_answered(&result);
            let exhausted = result.exhausted;
            let mut found = lock();
            self.keep(&mut found.best, result, answered);
            if decided {
                found.decided = true;
                others.cancel();
                break;
            }
            // A program that is refused with one round is refused with more.
            if !answered && (exhausted || found.best.as_ref().is_some_and(is_refused)) {
                break;
            }
            // With an answer, it waits for a better one as long as the share of all schedules.
            if answered && found.deadline.is_none() {
                found.deadline = Some(begin + SHARE);
            }
            if matches!(outcome(), Some(Outcome::Cut | Outcome::Smaller)) {
                // By rounds, loops with a constant number of iterations are followed to their end.
                if !found
                    .best
                    .as_ref()
                    .is_some_and(|b| is_settled(b, self.bound()))
                    || rounds >= SURE
                {
                    break;
                }
                found.deadline = budget.or(Some(begin + 6 * QUICK));
            }
            let last = (beside.is_none() || outcome().is_some()) && budget.is_none();
            if last && rounds >= SURE && answered {
                // No other search covers schedules of more rounds, so further ones are tried while
                // they are quick.
                if begin.elapsed() >= QUICK {
                    break;
                }
                found.deadline = Some(begin + 3 * QUICK);
            }
            if last && rounds >= LAST {
                break;
            }
        }
        Ok(())
    }

    /// Keeps the result of more rounds; if they have no answer, properties keep their answers from
    /// fewer rounds.
    fn keep(&self, best: &mut Option<VerifyResult>, result: VerifyResult, answered: bool) {
        match best {
            Some(best) if !answered => {
                let unwind = self.bound();
                if best.premises.unwind != Some(unwind) {
                    groups::deepen(best, result, unwind);
                }
            }
            best => *best = Some(result),
        }
    }

    /// How long the search of all schedules runs before this one starts the backend.
    fn start(&self) -> Duration {
        self.settings.budget.map_or(START, |all| START.min(all / 4))
    }

    /// Searches the runs of one round beside a search of all schedules. The sequential program is
    /// made in the meantime; it is searched when the other search has ended, or has had its time,
    /// and only if rounds can add to its answer. If they cannot, this search is stopped.
    fn first(
        &self,
        whole: &Whole,
        stop: &Cancel,
        deadline: Option<Instant>,
    ) -> anyhow::Result<VerifyResult> {
        let start = self.start();
        let opens = |further: bool| {
            let opens = whole.opens(start, further);
            if !opens {
                stop.cancel();
            }
            opens
        };
        let deadline = deadline.map(|at| at.checked_sub(start).unwrap_or(at));
        let options = self.within(1, deadline, self.options.unwind);
        let backend = self.backend(1).behind(&opens);
        self.asked(&backend, &options, stop)
    }

    /// Searches at smaller bounds of loops, to have an answer when the time is over; returns
    /// whether every property is decided for good.
    fn smaller(
        &self,
        found: &Mutex<Found>,
        stop: &Cancel,
        deadline: Option<Instant>,
    ) -> anyhow::Result<bool> {
        let unwind = self.bound();
        for unwind in budget::rungs(unwind).into_iter().filter(|k| *k < unwind) {
            let begin = Instant::now();
            if deadline.is_some_and(|at| begin >= at) || stop.is_cancelled() {
                break;
            }
            let result = self.of(SURE, stop, deadline, Some(unwind))?;
            if !is_answered(&result) {
                continue;
            }
            let result = budget::first(result, unwind);
            budget::told(&result, unwind, begin.elapsed(), self.options, self.output);
            let definitive = result
                .properties
                .iter()
                .all(|p| p.answer.verdict == Verdict::FALSE);
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.decided = definitive && !result.properties.is_empty();
            found.best = Some(result);
            if found.decided {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Searches the runs of this many rounds, at a bound of loops.
    fn of(
        &self,
        rounds: u32,
        stop: &Cancel,
        deadline: Option<Instant>,
        unwind: Option<u32>,
    ) -> anyhow::Result<VerifyResult> {
        let options = self.within(rounds, deadline, unwind);
        self.asked(&self.backend(rounds), &options, stop)
    }

    /// The options of a search of the runs of this many rounds.
    fn within(
        &self,
        rounds: u32,
        deadline: Option<Instant>,
        unwind: Option<u32>,
    ) -> verify::Options {
        let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
        let left = left.map(|left| left.max(Duration::from_secs(1)));
        let timeout = match (self.options.timeout, left) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        verify::Options {
            rounds: Some(rounds),
            timeout,
            unwind,
            ..self.options.clone()
        }
    }

    /// A backend that searches the runs of this many rounds.
    fn backend(&self, rounds: u32) -> forms::rounds::Rounds<'static> {
        self.settings
            .rounds(backend::of(self.program.clone()), rounds)
    }

    /// Verifies the program with a backend.
    fn asked(
        &self,
        backend: &dyn Backend,
        options: &verify::Options,
        stop: &Cancel,
    ) -> anyhow::Result<VerifyResult> {
        // The other search shows the progress.
        verify_files(
            self.files,
            self.record,
            backend,
            options,
            stop,
            &Quiet(self.output),
        )
    }
}

/// Whether every property has a verdict.
fn is_answered(result: &VerifyResult) -> bool {
    let mut properties = result.properties.iter();
    properties.all(|p| p.answer.verdict != Verdict::Unknown)
}

/// Whether every property has a verdict that no other search changes: no run was cut, or it is violated. A run that was
/// cut below the wanted bound violates nothing at that bound.
fn is_settled(result: &VerifyResult, wanted: u32) -> bool {
    let known = |p: &PropertyResult| {
        let complete = p.answer.complete == Some(true);
        complete || (p.answer.verdict.is_violation() && !is_cut_below(p, wanted))
    };
    is_answered(result) && result.properties.iter().all(known)
}

/// What a search of all schedules came to.
fn outcome_of(whole: Option<&VerifyResult>, wanted: u32) -> Outcome {
    let full = |p: &PropertyResult| p.answer.unwind.is_none_or(|bound| bound >= wanted);
    match whole.filter(|whole| is_answered(whole)) {
        None => Outcome::Open,
        Some(whole) if is_settled(whole, wanted) => Outcome::Settled,
        Some(whole) if whole.properties.iter().all(full) => Outcome::Cut,
        Some(_) => Outcome::Smaller,
    }
}

/// Whether a violation is that of a run which was cut below the wanted bound.
fn is_cut_below(property: &PropertyResult, wanted: u32) -> bool {
    let answer = &property.answer;
    let cut = answer.evidence == Some(Evidence::Prefix) && answer.verdict != Verdict::FALSE;
    cut && answer.unwind.is_some_and(|bound| bound < wanted)
}

/// Whether every property is violated.
pub(crate) fn is_violated(result: &VerifyResult) -> bool {
    !result.properties.is_empty()
        && result
            .properties
            .iter()
            .all(|p| p.answer.verdict.is_violation())
}

/// Whether every property is proved. Some schedules prove only what no run can violate.
fn is_proved(result: &VerifyResult) -> bool {
    let mut properties = result.properties.iter();
    !result.properties.is_empty() && properties.all(|p| p.answer.holds == Holds::Proved)
}

/// Whether every property is proved, or violated by a run that is shown.
fn is_sure(result: &VerifyResult) -> bool {
    let sure = |p: &PropertyResult| match p.answer.holds {
        Holds::Proved => true,
        Holds::Refuted => !p.run.trace.is_empty(),
        Holds::Unknown => false,
    };
    !result.properties.is_empty() && result.properties.iter().all(sure)
}

/// Whether no search needs to continue: every property is proved, or every property is violated, and more rounds are not
/// expected to give a more definite violation.
fn is_decided(result: &VerifyResult, record: &Record, rounds: u32) -> bool {
    // An infinite run violates for good what its prefixes do not.
    let infinite = record.lasso.is_some();
    let sharper = |name: &str| {
        let of = record.properties.iter().find(|p| p.name == name);
        let definite = |p: &PropertyRecord| p.levels.iter().any(|l| l == Verdict::FALSE.name());
        infinite || of.is_some_and(definite)
    };
    let mut properties = result.properties.iter();
    let decided = |p: &PropertyResult| {
        p.answer.verdict == Verdict::FALSE || rounds >= SURE || !sharper(&p.asked.name)
    };
    is_proved(result) || (is_violated(result) && properties.all(decided))
}

/// Whether there is no answer because the backend refuses the program.
pub(crate) fn is_refused(result: &VerifyResult) -> bool {
    let refused = |p: &PropertyResult| {
        let reason = p.answer.reason.as_deref().unwrap_or_default();
        reason.starts_with("the backend refuses")
    };
    result.properties.iter().any(refused)
}

/// The answer if the search of all schedules is incomplete: that of the rounds, with the definite
/// violations of the other search.
fn joined(whole: VerifyResult, mut rounds: VerifyResult, wanted: u32) -> VerifyResult {
    let mut surer = false;
    for property in &mut rounds.properties {
        let other = whole
            .properties
            .iter()
            .find(|p| p.asked.name == property.asked.name);
        let found = property.answer.verdict;
        let complete = property.answer.complete == Some(true);
        let worse = |p: &&PropertyResult| match p.answer.verdict {
            Verdict::FALSE => found != Verdict::FALSE,
            // By rounds, the runs that were cut in the other search went on to their ends.
            _ if complete && is_cut_below(p, wanted) => false,
            verdict => verdict.is_violation() && !found.is_violation(),
        };
        if let Some(other) = other.filter(worse) {
            surer = true;
            property.clone_from(other);
        }
    }
    if !is_violated(&rounds) {
        let why = whole
            .properties
            .iter()
            .find_map(|p| p.answer.reason.clone());
        let why = match why.filter(|w| !w.contains("interrupted")) {
            Some(why) => format!(": {why}"),
            None if is_answered(&whole) => " behind the bounds of loops".to_owned(),
            None => " within their share of the time".to_owned(),
        };
        rounds.warnings.push(format!(
            "not all schedules were searched{why}; the answer is that of {}",
            rounds.premises.schedules.unwrap_or(Schedules::All)
        ));
    }
    if surer {
        rounds
            .warnings
            .push("some properties are violated in a schedule of more rounds".into());
    }
    rounds.backend.runs += whole.backend.runs;
    rounds.backend.seconds += whole.backend.seconds;
    rounds
}

/// A backend whose runs end on request, or at a deadline that may be set later.
struct Stoppable<'a> {
    inner: Box<dyn Backend>,
    stop: Cancel,
    found: &'a Mutex<Found>,
}

/// How often the deadline is checked.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

impl Backend for Stoppable<'_> {
    fn program(&self) -> &Program {
        self.inner.program()
    }

    fn capabilities(&self) -> backend::Capabilities {
        self.inner.capabilities()
    }

    fn dialect(&self, infix: &str) -> Dialect {
        self.inner.dialect(infix)
    }

    fn cut_loop(&self, failure: &backend::OtherFailure) -> Option<String> {
        self.inner.cut_loop(failure)
    }

    fn run(&self, job: &Job, cancel: &Cancel) -> Finished {
        let both = cancel.or(&self.stop);
        let over = Mutex::new(false);
        let done = std::sync::Condvar::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut over = over.lock().unwrap_or_else(PoisonError::into_inner);
                while !*over {
                    let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
                    let late = found.deadline.is_some_and(|at| Instant::now() >= at);
                    drop(found);
                    if late {
                        both.cancel();
                    }
                    let waited = done.wait_timeout(over, LOOK);
                    over = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            });
            let finished = self.inner.run(job, &both);
            *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
            done.notify_all();
            finished
        })
    }
}
