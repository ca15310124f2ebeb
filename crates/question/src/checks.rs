//! `--also-safety`: the search for failing checks of the program itself. Without a request for
//! particular schedules, threaded programs are searched by rounds, and in parallel in all
//! schedules, as for the verdicts: the verdict of a formula that is easy says nothing about how
//! long the checks take.

use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use backend::{Backend, Cancel};
use forms::rounds::Gate;
use verify::result::{PropertyResult, Schedules, VerifyResult};
use verify::safety::Checks::{All, Assertions};
use verify::safety::{asserts, check, Checked};
use weave::record::Record;

use crate::schedules::{LOOK, QUICK, SHARE, START};
use crate::searches::{beside, Within};
use crate::settings::{Schedule, Settings};
use crate::wanted::SURE;
use crate::whole::{Outcome, Whole};

/// If fewer rounds took long, failing checks within this many rounds are reported without trying
/// more.
const FEW_ROUNDS: u32 = 2;

/// The time after which the first failing checks suffice.
const LONG: Duration = Duration::from_secs(5);

/// The time after which the program's own assertions are asked alone, if all checks have no answer.
const EARLY: Duration = Duration::from_secs(10);

/// The greatest number of rounds where nobody asks for more.
const FURTHER: u32 = 8;

/// With a budget, its least share for rounds that no other search needs.
const SHARE_OF_BUDGET: u32 = 60;

/// The search for failing checks of a program.
pub struct Checks<'a> {
    /// How the question was asked.
    pub settings: &'a Settings,
    /// The monitored program.
    pub files: &'a [forms::Emitted],
    /// Its record.
    pub record: &'a Record,
    /// The model checker.
    pub backend: &'a dyn Backend,
    /// The options of its runs.
    pub options: &'a verify::Options,
    /// When the command began.
    pub begin: Instant,
}

/// The state of the searches.
#[derive(Default)]
struct Found {
    /// The answer for all schedules.
    all: Option<Checked>,
    /// The answer of the most rounds that have one, and their number; if none has, the first that
    /// was asked for.
    rounds: Option<(u32, Checked)>,
    /// The answer for the program's assertions alone, and the rounds that it is about, if all checks took long.
    assertions: Option<(u32, Checked)>,
    /// Why more rounds have no answer.
    more: Option<String>,
    /// Whether as many rounds were searched as must be.
    sure: bool,
}

/// The search of all schedules beside one by rounds.
struct Beside<'a> {
    whole: &'a Whole,
    /// What decides whether rounds are searched.
    gate: Gate<'a>,
}

impl Checks<'_> {
    /// Searches as the verdicts were searched, and adds what is found to the result.
    ///
    /// # Errors
    /// If there is no backend, or files cannot be written.
    pub fn look(&self, search: Schedule, result: &mut VerifyResult) -> anyhow::Result<()> {
        let found = match (search, result.premises.schedules) {
            (Schedule::Both, Some(Schedules::All)) => {
                let cut = |p: &PropertyResult| p.answer.complete != Some(true);
                self.both(result.properties.iter().any(cut))?
            }
            (Schedule::Both | Schedule::Rounds, Some(Schedules::Rounds(rounds))) => {
                let found = Mutex::new(Found::default());
                let enough = rounds.max(SURE);
                let wanted = enough..=enough.max(FURTHER);
                self.by_rounds(&found, rounds, wanted, &Cancel::new(), None)?;
                found.into_inner().unwrap_or_else(PoisonError::into_inner)
            }
            _ => {
                let checked = self.within(None, All, self.options.deadline, &Cancel::new())?;
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
        let whole = Whole::default();
        let opens = |further: bool| {
            let opens = whole.opens(START, further);
            if !opens {
                stop_rounds.cancel();
            }
            opens
        };
        let beside = Beside {
            whole: &whole,
            gate: &opens,
        };
        let (all, rounds) = std::thread::scope(|scope| {
            let all = scope.spawn(|| {
                let all = self.within(None, All, self.options.deadline, &stop_all);
                let holds = all.as_ref().ok().and_then(|checked| checked.safety.holds);
                whole.ends(match holds {
                    Some(true) if bounded => Outcome::Cut,
                    Some(_) => Outcome::Settled,
                    None => Outcome::Open,
                });
                all
            });
            let rounds = scope.spawn(|| {
                let further = SURE..=FURTHER;
                let searched = self.by_rounds(&found, SURE, further, &stop_rounds, Some(&beside));
                if lock().fails() {
                    stop_all.cancel();
                }
                whole.rounds_end();
                searched
            });
            while !all.is_finished() && whole.outcome().is_none() {
                // The search of all schedules has its share of the time.
                let late = begin.elapsed() >= SHARE && self.options.deadline.is_none();
                if late && lock().has_sure_answer() {
                    stop_all.cancel();
                    stop_rounds.cancel();
                }
                whole.wait(LOOK);
            }
            let over = begin.elapsed();
            let mut patience = match whole.outcome() {
                Some(Outcome::Cut) if whole.is_worth_rounds() => {
                    Some(over + 2 * QUICK.max(over / 4))
                }
                Some(Outcome::Cut | Outcome::Smaller | Outcome::Settled) => Some(over),
                Some(Outcome::Open) | None => None,
            };
            let open = patience.is_none();
            while !rounds.is_finished() {
                let sure = lock().sure;
                if sure && open {
                    // Nothing else covers more rounds.
                    patience.get_or_insert_with(|| begin.elapsed() + self.further());
                }
                let late = patience.is_some_and(|most| begin.elapsed() >= most);
                if late || (sure && !open) {
                    stop_rounds.cancel();
                }
                whole.wait_for_rounds(LOOK);
            }
            (all.join(), rounds.join())
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
    /// Those above the least wanted number share a time of their own where no search of all schedules
    /// runs beside this one. With such a search, the first one of this waits behind its gate.
    fn by_rounds(
        &self,
        found: &Mutex<Found>,
        known: u32,
        wanted: RangeInclusive<u32>,
        stop: &Cancel,
        beside: Option<&Beside>,
    ) -> anyhow::Result<()> {
        let begin = Instant::now();
        let mut end = None;
        let is_alone = || beside.is_none_or(|beside| beside.whole.outcome().is_some());
        let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
        let enough = *wanted.start();
        for rounds in [FEW_ROUNDS].into_iter().chain(wanted) {
            let late = |at: Instant| Instant::now() >= at;
            let further = rounds > enough;
            if further && is_alone() {
                end.get_or_insert_with(|| Instant::now() + self.further());
            }
            let over = || self.options.deadline.is_some_and(late) || end.is_some_and(late);
            if stop.is_cancelled() || (further && over()) {
                break;
            }
            let until = self.until((rounds > known).then_some(SHARE));
            let until = [until, end].into_iter().flatten().min();
            let gate = beside.map(|beside| beside.gate);
            let gate = gate.filter(|_| rounds == FEW_ROUNDS);
            let waits = if gate.is_some() {
                START
            } else {
                Duration::ZERO
            };
            let first = rounds <= enough && lock().assertions.is_none() && asserts(self.record);
            let early = first.then(|| Instant::now() + EARLY);
            // The time limit begins behind the gate.
            let behind = until.map(|at| at.checked_sub(waits).unwrap_or(at));
            let early = [early, behind].into_iter().flatten().min();
            let within = Within { rounds, gate };
            let mut checked = self.within(Some(within), All, early, stop)?;
            if first && checked.safety.holds.is_none() && !stop.is_cancelled() {
                lock().assertions = self.assertions(rounds..=enough, stop)?;
                if stop.is_cancelled() || lock().fails() {
                    break;
                }
                checked = self.within(Some(rounds.into()), All, until, stop)?;
            }
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

    /// The answer for the program's own assertions of the most rounds that have one, up to a failure.
    fn assertions(
        &self,
        wanted: RangeInclusive<u32>,
        stop: &Cancel,
    ) -> anyhow::Result<Option<(u32, Checked)>> {
        let mut answer = None;
        for rounds in wanted {
            let until = self.until(Some(SHARE));
            let checked = self.within(Some(rounds.into()), Assertions, until, stop)?;
            let Some(holds) = checked.safety.holds else {
                break;
            };
            answer = Some((rounds, checked));
            if !holds {
                break;
            }
        }
        Ok(answer)
    }

    /// The time for rounds that no other search needs: half of what the command took so far, so that
    /// an answer takes little longer for them; with a budget at least a share of it.
    fn further(&self) -> Duration {
        let budget = self.settings.budget.unwrap_or_default();
        (self.begin.elapsed() / 2).max(budget / SHARE_OF_BUDGET)
    }

    /// The time at which a search has to be over: that of the command, or after a limit if the command has no budget.
    fn until(&self, limit: Option<Duration>) -> Option<Instant> {
        let limited = limit.map(|limit| Instant::now() + limit);
        self.options.deadline.or(limited)
    }

    /// Checks the runs of this many rounds; without rounds, the runs that the backend searches.
    fn within(
        &self,
        rounds: Option<Within>,
        checks: verify::safety::Checks,
        until: Option<Instant>,
        cancel: &Cancel,
    ) -> anyhow::Result<Checked> {
        let options = verify::Options {
            deadline: until,
            ..self.options.clone()
        };
        let program = (self.files, self.record);
        beside(
            self.settings,
            program,
            self.backend,
            &options,
            rounds,
            cancel,
            |of| check(of, checks),
        )
    }
}

impl Found {
    /// Whether some check fails within the searched rounds.
    fn fails(&self) -> bool {
        let answers = self.rounds.iter().chain(&self.assertions);
        answers
            .map(|(_, checked)| checked.safety.holds)
            .any(|holds| holds == Some(false))
    }

    /// Whether enough rounds were searched, and have an answer.
    fn has_sure_answer(&self) -> bool {
        let rounds = self.rounds.as_ref();
        let answered = rounds.is_some_and(|(_, checked)| checked.safety.holds.is_some());
        self.sure && (answered || self.fails())
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
        if let Some((asserted, own)) = self.assertions.take() {
            let (rounds, checked) = self.rounds.take().unwrap_or_default();
            let stands = checked.safety.holds.is_some() && own.safety.holds != Some(false);
            let rounds = if stands { rounds } else { asserted };
            if asserted > rounds {
                let more = self.more.take();
                self.more = more.map(|why| format!("no assertion fails, but {why}"));
            }
            self.rounds = Some((rounds, checked.or_of_assertions(own)));
        }
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
                match checked.safety.holds.or(checked.safety.assertions) {
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
