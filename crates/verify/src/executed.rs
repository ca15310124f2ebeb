//! Violations whose runs have to be seen in an execution.
//!
//! A model checker only estimates what some functions of the library return (`pow`, `fmod`; the record names those that the program
//! calls), and lets those that it does not know return anything (`strcoll`). A run that it shows may have values that the
//! functions never return. Such a violation stands if the compiled program, which calls the library, gives the letters of the run;
//! else nothing is known.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use backend::native::{self, Objects, Replay, Replayed};
use backend::{Cancel, Kind, Program, Scratch};
use weave::record::Record;

use crate::combine::{bodiless_functions, Answers};
use crate::replay::{self, Confirmation, RecordedProperty};
use crate::result::{Event, Evidence, Input, PropertyResult, ShownRun, Undefined, Verdict};
use crate::run::Run;

/// The time that a program has to give the letters of a run.
const LONGEST: Duration = Duration::from_secs(20);

/// The time that an execution has to show that a run does something undefined, once it is built. A loop without events goes on unseen.
const DOUBTING: Duration = Duration::from_secs(5);

/// The file that the sequentialiser names for its own text.
const FORM: &str = "sequentialised";

/// Parts of the messages of model checkers about what the compiler's sanitizers see.
const SANITIZED: [&str; 14] = [
    "deallocated dynamic object",
    "dead object",
    "invalidated dynamic object",
    "freed",
    "arithmetic overflow",
    "division by zero",
    "shift",
    "NULL",
    "bound",
    "outside object",
    "out of bounds",
    "same object",
    "double free",
    "free argument",
];

/// The functions of the library that compute what they return, while the model checker only estimates it.
pub(crate) fn estimated<'a>(record: &'a Record, answers: &'a Answers) -> BTreeSet<&'a str> {
    let known = record.estimated.iter().map(String::as_str);
    let missing = bodiless_functions(answers).into_iter();
    known
        .chain(missing.filter(|name| record.computing.iter().any(|own| own == name)))
        .collect()
}

impl Run<'_> {
    /// Takes back a violation that no execution shows, of a program with functions whose values are estimates.
    pub(crate) fn execute(&self, result: &mut PropertyResult, estimated: &BTreeSet<&str>) {
        (self.progress)(&format!("executing the run of {}", result.asked.name));
        let Err(why) = self.is_executed(result, estimated, false) else {
            show_as_executed(&mut result.run, estimated);
            return;
        };
        let names: Vec<String> = estimated.iter().map(|name| format!("`{name}`")).collect();
        result.run = ShownRun::default();
        result.answer.verdict = Verdict::Unknown;
        result.answer.evidence = None;
        result.answer.deadlock = false;
        result.answer.reason = Some(format!(
            "the formula is violated if {} may give values that the model checker only estimates, and no execution shows it: {why}",
            names.join(", ")
        ));
    }

    /// Executes a violation of which it is not known whether it rests on undefined behaviour, with the compiler's sanitizers: an
    /// execution with the letters of the run, which they let pass, shows that it does not. Only where they see all that is
    /// undefined in some run.
    pub(crate) fn sanitize(&self, result: &mut PropertyResult, estimated: &BTreeSet<&str>) {
        let run = &result.run;
        let violated = result.answer.verdict.is_violation();
        let open = run.defined.is_none() && !run.undefined.is_empty() && !run.trace.is_empty();
        let seen =
            |u: &Undefined| u.line.is_some() && SANITIZED.iter().any(|kind| u.what.contains(kind));
        if !violated || !open || self.record.threads || !run.undefined.iter().all(seen) {
            return;
        }
        (self.progress)(&format!("executing the run of {}", result.asked.name));
        if self.is_executed(result, estimated, true).is_ok() {
            result.run.defined = Some(true);
            result.run.undefined.clear();
        }
    }

    fn is_executed(
        &self,
        result: &PropertyResult,
        estimated: &BTreeSet<&str>,
        sanitized: bool,
    ) -> Result<(), String> {
        if self.options.rounds.is_some() {
            return Err("a run by rounds of threads was not executed".into());
        }
        let recorded = recorded(result, estimated);
        let program = Executable {
            record: self.record,
            source: self.source,
            linked: &self.options.linked,
            objects: None,
        };
        let left = self.options.time_left();
        let sanitized = sanitized.then_some(LONGEST);
        let (plan, replayed) = program.replayed(&recorded, sanitized, left, self.cancel)?;
        match replay::confirmation(self.record, &plan, &recorded, &replayed) {
            Confirmation::Run(_) | Confirmation::Loop => Ok(()),
            Confirmation::No(why) => Err(why),
        }
    }
}

/// A program that can be executed along its runs.
#[derive(Clone, Copy, Debug)]
pub struct Executable<'a> {
    /// Its record, woven for lassos.
    pub record: &'a Record,
    /// Its first file.
    pub source: &'a Path,
    /// The others.
    pub linked: &'a [PathBuf],
    /// The compiler, and what it has compiled for other runs, where the files lie in a directory of ours and stay as they are.
    pub objects: Option<(&'a Program, &'a Objects)>,
}

impl Executable<'_> {
    /// Executes a recorded run, perhaps with the compiler's sanitizers, which then have less time for each execution.
    fn replayed(
        &self,
        recorded: &RecordedProperty,
        sanitized: Option<Duration>,
        left: Option<Duration>,
        cancel: &Cancel,
    ) -> Result<(Replay, Replayed), String> {
        let words = |failure: backend::Failure| failure.to_string();
        let compiler = match self.objects {
            Some((compiler, _)) => compiler.clone(),
            None => Program::open(Kind::NATIVE, None).map_err(words)?,
        };
        let objects = self.objects.map(|(_, objects)| objects);
        let mut plan = replay::plan(self.record, recorded)?;
        plan.patience = sanitized;
        let directory = Scratch::new().map_err(|e| e.to_string())?;
        let copied = |from: &Path| match self.objects {
            Some(_) => Ok(from.to_path_buf()),
            None => copy(from, directory.path()),
        };
        let linked: Result<_, String> = self.linked.iter().map(|file| copied(file)).collect();
        let longest = left.map_or(LONGEST, |left| left.min(LONGEST));
        let mut job = replay::job(self.record, copied(self.source)?, linked?, longest);
        job.sanitized = sanitized.is_some();
        let replayed = native::replay(&compiler, &job, &plan, objects, cancel).map_err(words)?;
        Ok((plan, replayed))
    }

    /// Takes back a violation along which the compiler's sanitizers see something undefined, up to the step that decides, or in the
    /// loop of an infinite run. What cannot be executed stays as it is: so does a run whose letters the execution does not give.
    pub fn doubt(&self, result: &mut PropertyResult, left: Option<Duration>, cancel: &Cancel) {
        if self.record.threads || result.run.trace.is_empty() {
            return;
        }
        let recorded = deciding(recorded(result, &BTreeSet::new()));
        let replayed = self.replayed(&recorded, Some(DOUBTING), left, cancel);
        if let Some(seen) = replayed.ok().and_then(|(_, replayed)| replayed.undefined) {
            self.doubt_by(seen, result);
        }
    }

    /// Takes back a violation along which the sanitizers have seen something undefined.
    fn doubt_by(&self, seen: native::Undefined, result: &mut PropertyResult) {
        let mut sites = self.record.sites.iter();
        let known = sites.find(|site| Path::new(&seen.file).ends_with(&site.file));
        // A form of the program compares pointers itself, to find the object to which one leads.
        if Path::new(&seen.file).ends_with(FORM) && seen.what == native::PAIR {
            return;
        }
        result.run.undefined.push(Undefined {
            what: seen.what,
            file: Some(known.map_or(seen.file, |site| site.file.clone())),
            line: Some(seen.line),
            function: None,
            after: false,
        });
        result.doubt();
    }
}

/// The part of a run that a violation rests on: what comes after a letter with which the formula is violated for certain is none.
fn deciding(mut recorded: RecordedProperty) -> RecordedProperty {
    let trace = &mut recorded.trace;
    let decided = trace.iter().position(|s| s.verdict == Some(Verdict::FALSE));
    if let Some(last) = decided {
        trace.truncate(last + 1);
        recorded.loop_start = None;
        // The events beyond would be waited for.
        recorded.schedule.clear();
    }
    let ends = recorded.evidence == Some(Evidence::Ended);
    let goes_round = recorded.loop_start.is_some();
    if decided.is_some() || !ends && !goes_round {
        recorded.evidence = Some(Evidence::Prefix);
    }
    recorded
}

/// Leaves what the model checker has for estimated values out of a run: the execution has the same letters, and others of these
/// values. What the run begins with is that of the program, and inputs were given to the execution.
fn show_as_executed(run: &mut ShownRun, estimated: &BTreeSet<&str>) {
    for step in run.trace.iter_mut().skip(1) {
        step.values.clear();
        let is_estimated = |input: &Input| estimated.contains(input.name.as_str());
        if step.input.as_ref().is_some_and(is_estimated) {
            step.input = None;
            step.what = without_value(&step.what, " gives ");
        }
        if step.event == Event::Step {
            step.what = without_value(&step.what, " = ");
        }
    }
}

/// The text of a step without the value behind a word.
fn without_value(what: &str, word: &str) -> String {
    let before = what.split_once(word).map(|(before, _)| before);
    before.map_or_else(|| what.to_owned(), |before| format!("{before}{word}..."))
}

/// A copy of a file in a directory: the compiler writes beside its sources.
fn copy(from: &Path, directory: &Path) -> Result<PathBuf, String> {
    let name = from.file_name().ok_or("a source has no name")?;
    let to = directory.join(name);
    std::fs::copy(from, &to).map_err(|e| e.to_string())?;
    Ok(to)
}

/// The result as a report would have it, without the values of functions that are estimated: these are executed.
fn recorded(result: &PropertyResult, estimated: &BTreeSet<&str>) -> RecordedProperty {
    let run = &result.run;
    let mut trace = run.trace.clone();
    for step in &mut trace {
        let is_real = |input: &Input| !estimated.contains(input.name.as_str());
        step.input = step.input.take().filter(is_real);
    }
    RecordedProperty {
        name: result.asked.name.clone(),
        verdict: result.answer.verdict,
        evidence: result.answer.evidence,
        decided_by: None,
        trace,
        schedule: run.schedule.clone(),
        contexts: run.contexts.clone(),
        starved: run.starved.clone(),
        loop_start: run.loop_start,
    }
}
