//! `--also-safety`: the search for failing checks of the program itself. Without a request for
//! particular schedules, threaded programs are searched by rounds, and in parallel in all
//! schedules, as for the verdicts: the verdict of a formula that is easy says nothing about how
//! long the checks take.

use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use backend::{Backend, Cancel};
use verify::result::{PropertyResult, Schedules, VerifyResult};
use verify::safety::{check, Checked};
use weave::record::Record;

use crate::pipeline;

use super::args::Args;
use super::schedules::{LOOK, QUICK, SHARE, START};
use super::searches::beside;
use super::wanted::SURE;
use super::Search;

/// If fewer rounds took long, failing checks within this many rounds are reported without trying
/// more.
const FEW_ROUNDS: u32 = 2;

/// The time after which the first failing checks suffice.
const LONG: Duration = Duration::from_secs(5);

/// The greatest number of rounds in parallel with a search of all schedules.
const FURTHER: u32 = 8;

/// The search for failing checks of a program.
pub(super) struct Checks<'a> {
    pub(super) args: &'a Args,
    /// The monitored program.
    pub(super) files: &'a [pipeline::Emitted],
    /// Its record.
    pub(super) record: &'a Record,
    pub(super) backend: &'a dyn Backend,
    pub(super) options: &'a verify::Options,
}

/// The state of the searches.
#[derive(Default)]
struct Found {
    /// The answer for all schedules.
    all: Option<Checked>,
    /// The answer of the most rounds that have one, and their number; if none has, the first that
    /// was asked for.
    rounds: Option<(u32, Checked)>,
    /// Why more rounds have no answer.
    more: Option<String>,
    /// Whether as many rounds were searched as must be.
    sure: bool,
}

impl Checks<'_> {
    /// Searches as the verdicts were searched, and adds what is found to the result.
    ///
    /// # Errors
    /// If there is no backend, or files cannot be written.
    pub(super) fn look(&self, search: Search, result: &mut VerifyResult) -> anyhow::Result<()> {
        let found = match (search, result.premises.schedules) {
            (Search::Both, Some(Schedules::All)) => {
                let cut = |p: &PropertyResult| p.answer.complete != Some(true);
                self.both(result.properties.iter().any(cut))?
            }
            (Search::Both | Search::Rounds, Some(Schedules::Rounds(rounds))) => {
                let found = Mutex::new(Found::default());
                let enough = rounds.max(SURE);
                self.by_rounds(&found, rounds, enough..=enough, &Cancel::new())?;
                found.into_inner().unwrap_or_else(PoisonError::into_inner)
            }
            _ => {
                let checked = self.within(None, None, &Cancel::new())?;
                checked.add_to(result);
                return Ok(());
            }
        };
        found.add_to(result);
        Ok(())
    }

    /// Searches all schedules, and rounds in parallel. `bounded` says whether loops are cut in the
    /// search of all schedules; by rounds, those with a constant number of iterations are followed
    /// to their end.
    fn both(&self, bounded: bool) -> anyhow::Result<Found> {
        let begin = Instant::now();
        let (stop_all, stop_rounds) = (Cancel::new(), Cancel::new());
        let found = Mutex::new(Found::default());
        let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, rounds) = std::thread::scope(|scope| {
            let all = scope.spawn(|| self.within(None, None, &stop_all));
            let rounds = scope.spawn(|| {
                while begin.elapsed() < START && !stop_rounds.is_cancelled() {
                    std::thread::sleep(LOOK);
                }
                let further = SURE..=FURTHER;
                let searched = self.by_rounds(&found, SURE, further, &stop_rounds);
                if lock().fails() {
                    stop_all.cancel();
                }
                searched
            });
            while !all.is_finished() {
                // The search of all schedules has its share of the time.
                let late = begin.elapsed() >= SHARE && self.options.deadline.is_none();
                if late && lock().has_sure_answer() {
                    stop_all.cancel();
                    stop_rounds.cancel();
                }
                std::thread::sleep(LOOK);
            }
            let all = all.join();
            let holds = match &all {
                Ok(Ok(checked)) => checked.safety.holds,
                _ => None,
            };
            let over = begin.elapsed();
            let patience = match holds {
                Some(true) if bounded => Some(over + 2 * QUICK.max(over / 4)),
                Some(_) => Some(over),
                None => None,
            };
            while !rounds.is_finished() {
                let late = patience.is_some_and(|most| begin.elapsed() >= most);
                if late || lock().sure {
                    stop_rounds.cancel();
                }
                std::thread::sleep(LOOK);
            }
            (all, rounds.join())
        });
        match (all, rounds) {
            (Ok(all), Ok(searched)) => {
                searched?;
                let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
                found.all = Some(all?);
                Ok(found)
            }
            _ => anyhow::bail!("the search for failing checks came to an unexpected end"),
        }
    }

    /// Searches few rounds, then `wanted`: their failures are known soon, and are the answer if
    /// more rounds have none. Rounds above `known`, which the verdicts did not need, have a limit.
    fn by_rounds(
        &self,
        found: &Mutex<Found>,
        known: u32,
        wanted: RangeInclusive<u32>,
        stop: &Cancel,
    ) -> anyhow::Result<()> {
        let begin = Instant::now();
        let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
        let enough = *wanted.start();
        for rounds in [FEW_ROUNDS].into_iter().chain(wanted) {
            let late = |at: Instant| Instant::now() >= at;
            if stop.is_cancelled() || (rounds > enough && self.options.deadline.is_some_and(late)) {
                break;
            }
            let limit = (rounds > known).then_some(SHARE);
            let checked = self.within(Some(rounds), limit, stop)?;
            if stop.is_cancelled() {
                break;
            }
            let mut found = lock();
            if !found.keep(rounds, checked) {
                break;
            }
            found.sure |= rounds >= enough;
            if found.fails() && (found.sure || begin.elapsed() >= LONG) {
                break;
            }
        }
        lock().sure = true;
        Ok(())
    }

    /// Checks the runs of this many rounds; without rounds, the runs that the backend searches.
    /// `limit` is the time for this, if the command has no budget.
    fn within(
        &self,
        rounds: Option<u32>,
        limit: Option<Duration>,
        cancel: &Cancel,
    ) -> anyhow::Result<Checked> {
        let deadline = limit.map(|limit| Instant::now() + limit);
        let options = verify::Options {
            deadline: self.options.deadline.or(deadline),
            ..self.options.clone()
        };
        let program = (self.files, self.record);
        beside(
            self.args,
            program,
            self.backend,
            &options,
            rounds,
            cancel,
            check,
        )
    }
}

impl Found {
    /// Whether some check fails within the searched rounds.
    fn fails(&self) -> bool {
        let rounds = self.rounds.as_ref();
        rounds.is_some_and(|(_, checked)| checked.safety.holds == Some(false))
    }

    /// Whether enough rounds were searched, and have an answer.
    fn has_sure_answer(&self) -> bool {
        let rounds = self.rounds.as_ref();
        self.sure && rounds.is_some_and(|(_, checked)| checked.safety.holds.is_some())
    }

    /// Keeps the answer of more rounds. Returns whether there is one.
    fn keep(&mut self, rounds: u32, checked: Checked) -> bool {
        let answered = checked.safety.holds.is_some();
        match &self.rounds {
            Some(_) if !answered => {
                let why = checked.safety.reason;
                self.more = Some(why.unwrap_or_else(|| "there is no answer".into()));
            }
            _ => self.rounds = Some((rounds, checked)),
        }
        answered
    }

    /// Adds the answer to a result: a failure within rounds, else the answer for all schedules,
    /// else that of the rounds.
    fn add_to(mut self, result: &mut VerifyResult) {
        let fails = self.fails();
        let answered = |all: &Checked| all.safety.holds.is_some();
        match (self.all.take(), self.rounds.take()) {
            (Some(all), Some((_, rounds))) if answered(&all) && !fails => {
                rounds.add_costs(result);
                all.add_to(result);
            }
            (all, Some((rounds, mut checked))) => {
                let why = |all: &Checked| all.safety.reason.clone();
                let no_answer = all.as_ref().filter(|all| !answered(all)).and_then(why);
                if let Some(all) = all {
                    all.add_costs(result);
                }
                match checked.safety.holds {
                    Some(_) => self.qualify(rounds, no_answer, &mut checked, result),
                    None => checked.safety.reason = no_answer.or(checked.safety.reason),
                }
                checked.add_to(result);
            }
            (Some(all), None) => all.add_to(result),
            (None, None) => {}
        }
    }

    /// Says of an answer by rounds which schedules it is about, if not those of the verdicts.
    fn qualify(
        &self,
        rounds: u32,
        all: Option<String>,
        checked: &mut Checked,
        result: &VerifyResult,
    ) {
        let known = result.premises.schedules == Some(Schedules::Rounds(rounds));
        let more = self.more.as_ref();
        let parts = [
            checked.safety.reason.take(),
            (!known || more.is_some()).then(|| format!("in at most {rounds} rounds")),
            more.map(|why| format!("with more, {why}")),
            all.filter(|why| !why.contains("interrupted"))
                .map(|why| format!("in all schedules, {why}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        checked.safety.reason = (!parts.is_empty()).then(|| parts.join("; "));
    }
}
