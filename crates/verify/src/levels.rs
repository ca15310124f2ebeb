//! The backend's runs: one run for all levels of the lattice, or one run for each.

use std::collections::BTreeSet;
use std::time::Duration;

use backend::Usage;
use weave::assertion::Asserted;
use weave::check;
use weave::record::PropertyRecord;

use crate::combine::{self, Answers};
use crate::executed;
use crate::result::{
    Evidence, Holds, PropertyResult, ShownRun, Threads, TraceStep, Verdict, VerifyResult,
};
use crate::run::{Levels, Run, TraceWish, Verification, LEVELS};
use crate::{bounds, cuts, explain, native, race, undefined, vacuity, waits};

/// The checks that make the other answers trustworthy.
const TRUST: u32 = check::END | check::CUT | check::INTERNAL;
/// The least time limit of a run for coverage questions; otherwise half as long as the verdicts
/// took.
const LEAST_SHOWN: Duration = Duration::from_secs(10);
/// The beginning of the warning about a violation whose run could not be shown.
pub const NO_TRACE: &str = "no trace for";
/// The checks whose results are reported besides the verdicts.
const BESIDE: u32 = check::DEADLOCK | check::MISUSE;

/// Verifies a woven program.
///
/// Calls `progress` with descriptions of the current work. Blocks until all runs are over; if the
/// user cancels them, missing answers are unknown.
pub fn verify(of: &Verification, progress: &(dyn Fn(&str) + Sync)) -> VerifyResult {
    let record = of.record;
    let run = Run {
        progress,
        ..Run::new(of)
    };
    if !of.backend.capabilities().searches {
        return native::observe(&run);
    }
    let answers = run.answers();
    let mut usage = answers.usage;
    let mut properties: Vec<PropertyResult> = record
        .properties
        .iter()
        .enumerate()
        .map(|(i, p)| combine::property(record, i, p, &answers))
        .collect();
    waits::mark(&mut properties, &answers);
    // Functions without a body are reported among the assumptions, where they matter.
    let told = answers.warnings.iter();
    let mut warnings: Vec<String> = told.filter(|w| !combine::is_bodiless(w)).cloned().collect();
    let known = Duration::try_from_secs_f64(answers.usage.seconds).unwrap_or_default();
    let estimated = executed::estimated(record, &answers);
    let unseen = match estimated.is_empty() {
        true => run.checked_unseen(&mut properties, known, &mut usage),
        false => BTreeSet::new(),
    };
    for (i, (result, property)) in properties.iter_mut().zip(&record.properties).enumerate() {
        let rests = result.answer.verdict.is_violation() && !estimated.is_empty();
        let wanted = run.wants_trace(result) || rests;
        if wanted || unseen.contains(&i) {
            run.add_trace(property, result, known, &mut usage, &mut warnings);
        }
        if rests {
            run.execute(result, &estimated);
        }
        run.sanitize(result, &estimated);
        result.answer.holds = Holds::of(&result.answer, run.explored(property));
        result.doubt();
        if run.checks_violations() && run.backend.capabilities().checks {
            result.doubt_unanswered();
        }
        if matches!(run.options.trace, TraceWish::Never | TraceWish::Unchecked) {
            result.run = std::mem::take(&mut result.run).hidden();
        }
    }
    let shown = run.shown(&properties, &answers, &mut usage, &mut warnings);
    for (i, property) in properties.iter_mut().enumerate() {
        property.answer.vacuity.cuts = cuts::of(record, &answers);
        let answers = shown.as_ref().unwrap_or(&answers);
        property.answer.vacuity.parts = vacuity::of(record, i, property, answers);
        property.answer.vacuity.never_left = vacuity::never_left(record, i, answers);
    }
    let mut findings = combine::findings(&answers, &run.options.silent);
    findings.extend(waits::misuse(record, &answers));
    if answers.fails(Asserted::Deadlock) {
        let ((steps, threads), used) = run.deadlock(&properties);
        usage.add(used);
        findings.push(waits::deadlock(&steps, &threads));
    }
    let mut result = run.result(usage);
    result.properties = properties;
    result
        .premises
        .assumptions
        .extend(combine::unknown_functions(&answers, &run.options.silent));
    result.findings = findings;
    result.warnings = warnings;
    result.exhausted = answers.exhausted;
    result
}

impl Run<'_> {
    /// Whether each level has a run of its own.
    ///
    /// One run for all takes about half the time of one run for each, with CBMC 5.12 and 6.6 on
    /// programs with and without threads (`scripts/bench-levels`: medians 1.4 to 2.3), because
    /// encoding dominates. For threads with monitors that guess, this holds only for programs of a
    /// second or two; the longest ones took four to five times as long in one run, or had no answer
    /// in time.
    fn separates(&self) -> bool {
        match self.options.levels {
            Levels::Together => false,
            Levels::Separate => true,
            Levels::Auto => {
                let guesses = |p: &PropertyRecord| p.monitor == "buchi";
                let apart = self.backend.capabilities().guesses_apart;
                let threads = self.record.threads && self.options.rounds.is_none();
                apart && threads && self.record.properties.iter().any(guesses)
            }
        }
    }

    /// The runs that are needed to answer for every level.
    fn answers(&self) -> Answers {
        let lasso = match combine::searches_lassos(self.record) {
            true => check::LASSO,
            false => 0,
        };
        let all = LEVELS
            .iter()
            .fold(TRUST | BESIDE | lasso, |mask, (_, bit)| mask | bit);
        let ended = check::ENDED;
        // Coverage questions decide no verdict, so they are asked only where they cost little.
        let cover = match self.options.shows && self.backend.capabilities().encodes_once {
            true => check::COVER | check::CUTS,
            false => 0,
        };
        let masks = match self.separates() {
            false => vec![all | ended | cover],
            true => {
                let asked = |level: &Verdict| {
                    let mut properties = self.record.properties.iter();
                    properties.any(|p| !combine::texts_of(self.record, p, *level).is_empty())
                };
                let levels = LEVELS
                    .iter()
                    .filter(|(level, _)| asked(level))
                    .map(|(level, bit)| match *level {
                        Verdict::PRESUMABLY_FALSE => bit | check::INTERNAL | ended,
                        _ => bit | check::INTERNAL,
                    });
                let lasso = (lasso != 0).then_some(lasso | check::INTERNAL);
                let rest = [TRUST | BESIDE | cover];
                levels.chain(lasso).chain(rest).collect()
            }
        };
        Answers::new(self.record, race::run(self, &masks))
    }

    /// Asks the coverage questions of formulas that hold, in a run of its own if the deciding run
    /// did not ask them. If there is no answer, the reason becomes a warning.
    fn shown(
        &self,
        properties: &[PropertyResult],
        decided: &Answers,
        usage: &mut Usage,
        warnings: &mut Vec<String>,
    ) -> Option<Answers> {
        let open = |(i, p): (usize, &PropertyResult)| vacuity::is_open(self.record, i, p);
        let asks = self.options.shows
            && !decided.covers_asked()
            && properties.iter().enumerate().any(open);
        if !asks || self.cancel.is_cancelled() {
            return None;
        }
        let mask = check::COVER | check::END;
        let mut job = self.job(mask);
        let known = Duration::try_from_secs_f64(decided.usage.seconds).unwrap_or_default();
        let share = LEAST_SHOWN.max(known / 2);
        job.timeout = Some(job.timeout.map_or(share, |limit| limit.min(share)));
        (self.progress)("checking the formulas that hold for vacuity");
        let finished = bounds::ask(self, job, self.cancel);
        usage.add(finished.usage);
        let shown = Answers::new(self.record, vec![(mask, finished)]);
        if let Some(reason) = shown.covers_unknown() {
            warnings.push(format!(
                "which parts of the formulas matter is not known: {reason}"
            ));
        }
        Some(shown)
    }

    /// Adds the run that decides a property. Warns if there is none, or if its letters do not
    /// confirm the verdict.
    fn add_trace(
        &self,
        property: &PropertyRecord,
        result: &mut PropertyResult,
        known: Duration,
        usage: &mut Usage,
        warnings: &mut Vec<String>,
    ) {
        let name = &property.name;
        match self.trace(property, result, known) {
            Ok(used) => {
                usage.add(used);
                if let Err(reason) = explain::explain(self.record, property, result) {
                    warnings.push(format!("the trace of {name} cannot be confirmed: {reason}"));
                }
            }
            Err((reason, used)) => {
                usage.add(used);
                warnings.push(format!("{NO_TRACE} {name}: {reason}"));
            }
        }
    }

    /// A second run that asks for the deciding assertion alone, with its trace.
    fn trace(
        &self,
        property: &PropertyRecord,
        result: &mut PropertyResult,
        known: Duration,
    ) -> Result<Usage, (String, Usage)> {
        let lasso = result.answer.evidence == Some(Evidence::Lasso);
        let ends = property.ends_apart && result.answer.evidence == Some(Evidence::Ended);
        let (texts, mask) = self.deciding(property, result);
        (self.progress)(&format!("asking for a run of {}", property.name));
        let (found, usage) = match result.answer.verdict.is_violation() && self.checks_violations()
        {
            true => undefined::run_of(self, property, &texts, mask, known)?,
            false => undefined::any_run_of(self, property, &texts, mask)?,
        };
        let read = found.read;
        if result.answer.verdict.is_violation() && !lasso {
            result.answer.evidence = Some(match read.cut || read.reached {
                true if !ends => Evidence::Prefix,
                _ => Evidence::Ended,
            });
        }
        result.run = ShownRun {
            defined: found.defined,
            undefined: found.undefined,
            ..read.shown(lasso)
        };
        Ok(usage)
    }

    /// The assertions that decide a property, and the checks (`BA_CHECK`) that they are among.
    fn deciding(&self, property: &PropertyRecord, result: &PropertyResult) -> (Vec<String>, u32) {
        let lasso = result.answer.evidence == Some(Evidence::Lasso);
        let ends = property.ends_apart && result.answer.evidence == Some(Evidence::Ended);
        let level = LEVELS
            .iter()
            .find(|(level, _)| *level == result.answer.verdict);
        let (texts, mask) = match level {
            _ if lasso => (vec![combine::lasso(&property.name)], check::LASSO),
            Some((level, _)) if result.answer.deadlock => (
                vec![waits::deadlock_assertion(&property.name, *level)],
                check::DEADLOCK,
            ),
            Some((Verdict::PRESUMABLY_FALSE, _)) if ends => {
                (vec![combine::ended_false(&property.name)], check::ENDED)
            }
            Some((level, bit)) => (combine::texts_of(self.record, property, *level), *bit),
            None => (Vec::new(), 0),
        };
        // A label that is not reached, and ⊤, have no assertion of their own: any ended run will
        // do.
        let (texts, mask) = match texts.is_empty() {
            true => (vec![Asserted::End.to_string()], check::END),
            false => (texts, mask),
        };
        (texts, mask)
    }

    /// Asks of the violations of which no run is shown whether each has a run that does nothing undefined: all at
    /// once, without a trace. Gives those of which this is not so, by their numbers.
    fn checked_unseen(
        &self,
        properties: &mut [PropertyResult],
        known: Duration,
        usage: &mut Usage,
    ) -> BTreeSet<usize> {
        let mut asked = Vec::new();
        for (i, (result, property)) in properties.iter().zip(&self.record.properties).enumerate() {
            let violated = result.answer.verdict.is_violation() && self.checks_violations();
            if violated && !self.wants_trace(result) {
                asked.push((i, self.deciding(property, result)));
            }
        }
        if asked.is_empty() {
            return BTreeSet::new();
        }
        (self.progress)("asking whether violations rest on undefined behaviour");
        let questions: Vec<_> = asked.iter().map(|(_, question)| question).collect();
        let (standing, used) = undefined::standing(self, &questions, known);
        usage.add(used);
        let mut unseen = BTreeSet::new();
        for ((i, _), (defined, undefined)) in asked.iter().zip(standing) {
            match (defined, properties.get_mut(*i)) {
                (Some(false), _) => drop(unseen.insert(*i)),
                // An execution may show more.
                (None, _) if !undefined.is_empty() => drop(unseen.insert(*i)),
                (_, Some(result)) => {
                    (result.run.defined, result.run.undefined) = (defined, undefined);
                }
                (_, None) => {}
            }
        }
        unseen
    }

    /// A run that ends in a deadlock: the trace of a property if one shows it.
    fn deadlock(&self, properties: &[PropertyResult]) -> ((Vec<TraceStep>, Threads), Usage) {
        let known = properties
            .iter()
            .find(|p| p.answer.deadlock && !p.run.trace.is_empty());
        match (known, self.record.properties.first()) {
            (Some(property), _) => {
                let run = &property.run;
                ((run.trace.clone(), run.threads.clone()), Usage::default())
            }
            (None, Some(first))
                if !matches!(self.options.trace, TraceWish::Never | TraceWish::Unchecked) =>
            {
                let texts = [Asserted::Deadlock.to_string()];
                match undefined::any_run_of(self, first, &texts, check::DEADLOCK) {
                    Ok((found, used)) => ((found.read.steps, found.read.threads), used),
                    Err((_, used)) => (Default::default(), used),
                }
            }
            _ => Default::default(),
        }
    }
}
