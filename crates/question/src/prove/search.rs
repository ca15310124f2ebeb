//! Searches for a proof of one property, and in parallel for a violation.

use std::path::Path;
use std::time::{Duration, Instant};

use backend::{Backend, Cancel};
use forms::{Headers, Listener, Quiet, Reader, SpecFile, Weaving, Woven};
use verify::prove::bounds::Bounds;
use verify::prove::certificate::Certificate;
use verify::prove::k_induction;
use verify::prove::recurrence;
use verify::prove::refute::{self, Hunt, Hunted};
use verify::prove::{self, flat, Limits, Outcome, Task, Used};
use verify::result::{
    Answer, Asked, Evidence, Holds, Premises, PropertyResult, Rests, Verdict, VerifyResult,
};
use verify::NO_TRACE;
use weave::record::Record;
use weave::Also;

use crate::searches::write_sources;
use crate::source::Source;

/// How often a waiting thread checks whether its result is still needed.
const STEP: Duration = Duration::from_millis(20);
/// The time limit of one input strategy: those that work are soon found to work.
const EACH: Duration = Duration::from_secs(20);
/// The fraction (1/PART) of the remaining time for one input strategy, if that is less.
const PART: u32 = 6;
/// Why there is no answer of a search whose time was over before its programs were woven.
pub(super) const TOO_LATE: &str = "the time was over before the search began";

/// The inputs of the search.
pub struct Search<'a> {
    /// The program and its specification.
    pub source: &'a Source,
    /// The model checker.
    pub backend: &'a dyn Backend,
    /// The options of the search for violations.
    pub options: &'a verify::Options,
    /// The limits of the whole command.
    pub limits: &'a Limits,
    /// Where progress is reported.
    pub output: &'a dyn Listener,
    /// Whether a proof by induction is wanted even if all runs end within a bound.
    pub certifies: bool,
    /// The kinds of proofs to look for.
    pub ways: Ways<'a>,
    /// Why the program's files do not stand in one.
    pub apart: Option<&'a str>,
}

/// The kinds of proofs to look for.
#[derive(Clone, Copy)]
pub struct Ways<'a> {
    /// Our own induction.
    pub induction: bool,
    /// A model checker with k-induction, and the time before it starts.
    pub k_induction: Option<(&'a dyn Backend, Duration)>,
    /// Whether violations are searched of a program that no proof can follow.
    pub hunts: bool,
}

/// The result of the search for a violation.
#[derive(Default)]
struct Violation {
    hunted: Hunted,
    /// A violation along which no state repeats: its argument, and the beginning of the run.
    recurrence: Option<(Rests, Option<VerifyResult>)>,
    /// Why a run that was found is none of the program's.
    undefined: Option<String>,
}

impl Violation {
    /// Whether the result makes a proof useless.
    fn ends_proof(&self, certifies: bool) -> bool {
        match self.hunted.decided {
            Some(violated) => violated || !certifies,
            None => self.recurrence.is_some(),
        }
    }
}

/// The woven programs for one property.
struct Programs {
    task: Result<Task, String>,
    hunt: Hunt,
    /// The program with the monitor of the negation.
    negated: Option<Task>,
    lasso: Record,
    options: verify::Options,
}

impl Search<'_> {
    /// Searches for a proof and a refutation of one property in parallel; the first definite answer
    /// ends both. Also gives the certificate of a proof by induction.
    pub fn property(
        &self,
        number: usize,
        cancel: &Cancel,
    ) -> anyhow::Result<(VerifyResult, Option<Certificate>)> {
        let directory = backend::Scratch::new()?;
        let Some(woven) = self.woven(number, directory.path(), cancel)? else {
            return Ok((self.open(number, TOO_LATE), None));
        };
        let work = self.output.searching(1);
        let told = |what: &str| {
            work.doing(what);
            self.output.detail(format_args!("{what}\n"));
        };
        let certifies = self.certifies;
        let side = Side {
            woven: &woven,
            backend: self.backend,
            limits: self.limits,
        };
        let (proof, used, violation) = std::thread::scope(|scope| {
            let hunts = self.ways.hunts || woven.task.is_ok();
            let hunter = scope.spawn(move || {
                if !hunts {
                    return Violation::default();
                }
                let found = side.violation(cancel);
                if found.ends_proof(certifies) {
                    cancel.cancel();
                }
                found
            });
            let other = self.ways.k_induction.map(|(backend, after)| {
                let task = &woven.task;
                scope.spawn(move || side.k_induction(task, backend, after, cancel))
            });
            let (outcome, used) = match &woven.task {
                Ok(task) if self.ways.induction => {
                    prove::prove(task, self.backend, self.limits, cancel, &told)
                }
                Ok(_) => (Outcome::Open(String::new(), Vec::new()), Used::default()),
                Err(why) => (Outcome::Open(why.clone(), Vec::new()), Used::default()),
            };
            if matches!(outcome, Outcome::Proved(_)) {
                cancel.cancel();
            }
            let other = other.and_then(|thread| thread.join().ok());
            let (proof, used) = joined((outcome, used), other);
            (proof, used, hunter.join().unwrap_or_default())
        });
        drop(work);
        let certificate = match &proof.outcome {
            Outcome::Proved(proof) => proof.certificate.clone(),
            _ => None,
        };
        let result = self.result(&woven, proof, used, violation)?;
        Ok((result, certificate))
    }

    /// Weaves the task of one property's proof. The inner error says why no proof is searched.
    pub fn task_of(&self, number: usize, directory: &Path) -> anyhow::Result<Result<Task, String>> {
        let source = self.source;
        let spec = source
            .spec
            .part(&[number], false, source.whole.record.every_event);
        let woven = self.weave(&spec, false, true)?;
        Ok(woven.and_then(|woven| Ok(self.task(woven, directory)?.by_contracts())))
    }

    /// Weaves the programs with the monitors that the searches need; `None` if nobody waits for them any more. Of a program of
    /// thousands of lines each takes seconds.
    fn woven(
        &self,
        number: usize,
        directory: &Path,
        cancel: &Cancel,
    ) -> anyhow::Result<Option<Programs>> {
        let needless = || self.limits.over(cancel);
        if needless() {
            return Ok(None);
        }
        let source = self.source;
        let every_event = source.whole.record.every_event;
        let spec = source.spec.part(&[number], false, every_event);
        let open = self.weave(&spec, false, true)?;
        if needless() {
            return Ok(None);
        }
        let lasso = self.weave_to_show(&spec, open.as_ref().is_ok_and(|w| w.heads.is_some()))?;
        if needless() {
            return Ok(None);
        }
        let (path, linked) = write_sources(directory, &lasso.files)?;
        let task = open.and_then(|woven| self.task(woven, &directory.join("proof")));
        let recurs = task.as_ref().ok();
        let recurs = recurs.filter(|t| recurrence::obstacle(t).is_none());
        // Runs for ever must do nothing undefined, by what nothing else depends on, either.
        let also = recurs.map(|t| match t.heads.hidden.any {
            true => Also::Definedness,
            false => Also::Nothing,
        });
        let negated = match also {
            Some(also) => self.weave_with(&spec.negated(), also)?.ok(),
            None => None,
        };
        let negated = negated.and_then(|w| self.task(w, &directory.join("recurrence")).ok());
        Ok(Some(Programs {
            hunt: Hunt {
                lasso: Some((path, lasso.record.clone())),
                open: task
                    .as_ref()
                    .ok()
                    .map(|t| (t.text.clone(), t.record.clone(), t.heads.clone())),
                bounds: task.as_ref().map_or_else(
                    |_| Bounds::default(),
                    |t| Bounds::suggested(&t.heads, &t.record, &t.hints),
                ),
                directory: directory.to_path_buf(),
            },
            negated,
            task: task.map(Task::by_contracts),
            lasso: lasso.record,
            options: verify::Options {
                linked,
                ..self.options.clone()
            },
        }))
    }

    /// The name of a property.
    pub fn name(&self, number: usize) -> &str {
        let property = self.source.whole.record.properties.get(number);
        property.map(|p| p.name.as_str()).unwrap_or_default()
    }

    /// The result of a property without any findings.
    pub fn open(&self, number: usize, why: &str) -> VerifyResult {
        let record = &self.source.whole.record;
        let property = match record.properties.get(number) {
            Some(p) => PropertyResult::unknown(&p.name, &p.ltl, why),
            None => PropertyResult::unknown("", "", why),
        };
        let program = self.backend.program();
        let mut result = VerifyResult {
            tool_version: env!("CARGO_PKG_VERSION").to_string(),
            premises: Premises {
                assumptions: record.assumptions.clone(),
                ..Premises::default()
            },
            properties: vec![property],
            ..VerifyResult::default()
        };
        result.backend.name = program.kind.name().to_string();
        result.backend.version = program.version.to_string();
        result
    }

    /// Weaves the program for a search. The inner error says why the program cannot be followed, as a sentence.
    pub fn weave(
        &self,
        spec: &SpecFile,
        lasso: bool,
        proves: bool,
    ) -> anyhow::Result<Result<Woven, String>> {
        self.weave_for(spec, lasso, (proves, Also::Nothing))
    }

    /// Weaves the program for a proof whose state also has what decides whether runs do something undefined.
    pub fn weave_with(&self, spec: &SpecFile, also: Also) -> anyhow::Result<Result<Woven, String>> {
        self.weave_for(spec, false, (true, also))
    }

    fn weave_for(
        &self,
        spec: &SpecFile,
        lasso: bool,
        (proves, also): (bool, Also),
    ) -> anyhow::Result<Result<Woven, String>> {
        let weaving = Weaving {
            lasso,
            headers: Headers::Expand,
            reader: Reader {
                proves,
                also,
                driven: true,
                rounds: false,
                ..self.source.weaving.reader
            },
            ..self.source.weaving.clone()
        };
        let quiet = Quiet(self.output);
        let program = &self.source.program;
        let woven = forms::try_weave(program, spec, &weaving, &quiet)?;
        Ok(woven.map_err(|refused| {
            let why = refused.first(program);
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            format!("the program cannot be followed{why}")
        }))
    }

    /// Weaves the program for showing runs; without lassos if no proof can follow it, or if it has a static
    /// local whose type has no name, which a proof can follow and a search for lassos cannot.
    pub fn weave_to_show(&self, spec: &SpecFile, followed: bool) -> anyhow::Result<Woven> {
        if followed {
            if let Ok(woven) = self.weave(spec, true, false)? {
                return Ok(woven);
            }
        }
        self.weave(spec, false, false)?.map_err(anyhow::Error::msg)
    }

    /// The task of a proof; the error says why no proof is searched.
    fn task(&self, woven: Woven, directory: &Path) -> Result<Task, String> {
        let (Some(heads), [(_, text)]) = (woven.heads, woven.files.as_slice()) else {
            return Err(self.apart());
        };
        std::fs::create_dir_all(directory).map_err(|e| e.to_string())?;
        Ok(Task {
            text: String::from_utf8_lossy(text).into_owned(),
            record: woven.record,
            heads,
            hints: self.source.program.hints(),
            directory: directory.to_path_buf(),
            added: Vec::new(),
            skips: 0,
        })
    }

    /// Why a program that has several files is not followed.
    pub fn apart(&self) -> String {
        let why = self.apart.map(|why| format!(": {why}"));
        format!("the program has several files{}", why.unwrap_or_default())
    }

    fn result(
        &self,
        woven: &Programs,
        proof: Found,
        used: Used,
        violation: Violation,
    ) -> anyhow::Result<VerifyResult> {
        let Found { outcome, by_other } = proof;
        let Violation {
            hunted,
            recurrence,
            undefined,
        } = violation;
        let refuted = hunted.decided == Some(true) || recurrence.is_some();
        if refuted && matches!(outcome, Outcome::Proved(_)) {
            anyhow::bail!("a proof and a counterexample were found: this is an error of baproduct, please report it");
        }
        let (rests, run) = recurrence.map_or((None, None), |(rests, run)| (Some(rests), run));
        let mut result = run.or(hunted.result).unwrap_or_default();
        result.backend.runs += used.runs;
        result.backend.seconds += used.seconds;
        // The result names the model checker behind the answer.
        let other = self.ways.k_induction.filter(|_| by_other);
        if result.backend.name.is_empty() || other.is_some() {
            let program = other.map_or(self.backend, |(other, _)| other).program();
            result.backend.name = program.kind.name().to_string();
            result.backend.version = program.version.to_string();
        }
        if result.tool_version.is_empty() {
            result.tool_version = env!("CARGO_PKG_VERSION").to_string();
        }
        if result.properties.is_empty() {
            let record = &woven.lasso.properties[0];
            let asked = Asked::named(&record.name, &record.ltl);
            result.properties = vec![asked.answered(Answer::default())];
            result.premises.assumptions = woven.lasso.assumptions.clone();
        }
        let property = &mut result.properties[0];
        match (rests, outcome) {
            (Some(rests), _) => {
                property.answer.holds = Holds::Refuted;
                property.answer.evidence = Some(Evidence::Recurrence);
                property.answer.proof = Some(rests);
                property.answer.reason = None;
            }
            (None, Outcome::Proved(proof)) => {
                proved(property, proof.rests());
                // A proof holds without any bound.
                result.premises.unwind = None;
                // The search for a violation was ended, so a missing trace does not matter.
                result.warnings.retain(|w| !w.starts_with(NO_TRACE));
            }
            (None, Outcome::Open(why, shown)) => match hunted.decided {
                Some(violated) => {
                    property.answer.holds = if violated {
                        Holds::Refuted
                    } else {
                        Holds::Proved
                    };
                    if !violated {
                        property.answer.evidence = Some(Evidence::Complete);
                    }
                }
                None => {
                    property.answer.holds = Holds::Unknown;
                    property.answer.reason = Some(match undefined {
                        Some(only) => format!("{only}; {why}"),
                        None => why,
                    });
                    property.answer.proof = Some(Rests {
                        invariants: flat(&shown),
                        ..Rests::default()
                    });
                }
            },
        }
        Ok(result)
    }
}

/// The joint result of the searches for a proof.
struct Found {
    outcome: Outcome,
    /// Whether the proof is from the other model checker.
    by_other: bool,
}

/// Joins the results of the two searches: a proof by either counts.
fn joined(own: (Outcome, Used), other: Option<(Outcome, Used)>) -> (Found, Used) {
    let found = |outcome, by_other| Found { outcome, by_other };
    let Some((outcome, more)) = other else {
        return (found(own.0, false), own.1);
    };
    let used = Used {
        runs: own.1.runs + more.runs,
        seconds: own.1.seconds + more.seconds,
    };
    let found = match (own.0, outcome) {
        (proved @ Outcome::Proved(_), _) => found(proved, false),
        (_, proved @ Outcome::Proved(_)) => found(proved, true),
        // If our own induction was not tried, the other search has the reason.
        (Outcome::Open(why, _), other) if why.is_empty() => found(other, false),
        (open, _) => found(open, false),
    };
    (found, used)
}

/// The searches in parallel with our own induction, each in its own thread.
#[derive(Clone, Copy)]
struct Side<'a> {
    woven: &'a Programs,
    backend: &'a dyn Backend,
    limits: &'a Limits,
}

impl Side<'_> {
    /// Proves by the k-induction of a model checker, which starts `after` a time.
    fn k_induction(
        &self,
        task: &Result<Task, String>,
        backend: &dyn Backend,
        after: Duration,
        cancel: &Cancel,
    ) -> (Outcome, Used) {
        let begun = Instant::now();
        while begun.elapsed() < after && !cancel.is_cancelled() {
            std::thread::sleep(STEP);
        }
        let (outcome, used) = match task {
            Ok(_) if cancel.is_cancelled() => {
                (Outcome::Open(String::new(), Vec::new()), Used::default())
            }
            Ok(task) => {
                // If our own induction does not run, its invariants help.
                let helper = after.is_zero().then_some(self.backend);
                k_induction::prove(task, backend, helper, self.limits, cancel)
            }
            Err(why) => (Outcome::Open(why.clone(), Vec::new()), Used::default()),
        };
        if matches!(outcome, Outcome::Proved(_)) {
            cancel.cancel();
        }
        (outcome, used)
    }

    /// Looks for runs that violate the formula: short ones, then runs along which no state repeats,
    /// then longer ones.
    fn violation(&self, cancel: &Cancel) -> Violation {
        let hunt = |bounds: &[refute::Bound], limits: &Limits| {
            refute::hunt(
                &self.woven.hunt,
                bounds,
                self.backend,
                &self.woven.options,
                limits,
                cancel,
            )
        };
        let hunted = hunt(&refute::FIRST, self.limits);
        if hunted.decided.is_some() || hunted.exhausted || cancel.is_cancelled() {
            return Violation {
                hunted,
                ..Violation::default()
            };
        }
        let (recurrence, undefined) = self.recurrence(&hunted, cancel);
        if recurrence.is_some() {
            return Violation {
                hunted,
                recurrence,
                undefined: None,
            };
        }
        let questions = self.limits.questions;
        let rest = Limits {
            questions: questions.map(|all| all.saturating_sub(hunted.asked)),
            ..self.limits.clone()
        };
        let later = hunt(&refute::LATER, &rest);
        Violation {
            hunted: match later.result {
                Some(_) => later,
                None => hunted,
            },
            recurrence: None,
            undefined,
        }
    }

    fn recurrence(
        &self,
        hunted: &Hunted,
        cancel: &Cancel,
    ) -> (Option<(Rests, Option<VerifyResult>)>, Option<String>) {
        let Some(task) = self.woven.negated.as_ref() else {
            return (None, None);
        };
        let property = hunted.result.as_ref().and_then(|r| r.properties.first());
        let seen = property.filter(|p| p.answer.verdict == Verdict::PRESUMABLY_FALSE);
        let seen = seen.map(|p| p.run.trace.as_slice()).unwrap_or_default();
        let strategies = recurrence::strategies(task, seen, &self.woven.lasso);
        let left = self
            .limits
            .until
            .map(|u| u.saturating_duration_since(Instant::now()));
        let each = left.map_or(EACH, |left| (left / PART).min(EACH));
        let found = recurrence::search(task, &strategies, self.backend, self.limits, each, cancel);
        let Some((strategy, proof)) = found.found else {
            return (None, found.undefined);
        };
        let run = refute::beginning(
            &self.woven.hunt,
            &strategy.moved(&task.record, &self.woven.lasso),
            self.backend,
            &self.woven.options,
            self.limits,
            cancel,
        );
        let rests = Rests {
            inputs: Some(strategy.words()),
            ..proof.rests()
        };
        (Some((rests, run)), None)
    }
}

/// Records a proof for all runs in place of the bounded result.
fn proved(property: &mut PropertyResult, rests: Rests) {
    property.answer.holds = Holds::Proved;
    property.answer.evidence = Some(match rests.ranking.is_empty() {
        true => Evidence::Induction,
        false => Evidence::Ranking,
    });
    property.answer.proof = Some(rests);
    property.answer.reason = None;
    // No run is shown, so undefined behaviour does not apply.
    (property.run.defined, property.run.undefined) = (None, Vec::new());
    if property.answer.verdict.is_violation() {
        // The verdict was that of cut runs; it says nothing about their continuations.
        property.answer.verdict = Verdict::Unknown;
        property.run.trace.clear();
        property.run.schedule.clear();
        property.run.why = None;
    }
}
