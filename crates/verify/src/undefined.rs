//! Runs with undefined behaviour: overflow of signed numbers, division by zero, accesses outside of
//! objects or through null pointers, shifts too far. A model checker continues such a run with some
//! meaning that C does not define, so a verdict that only such runs have means less than it seems
//! to.
//!
//! The search first asks for a run with the verdict in which no such check fails. Only if there is
//! none, it shows any run, with the checks that fail along it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use backend::{
    Failure, Finished, Job, OtherKind, Outcome, Scratch, Selection, StepKind,
    TraceStep as BackendStep, Traces, Usage,
};
use weave::check;
use weave::record::{PropertyRecord, Record};

use crate::bounds;
use crate::indeterminate::{self, Question};
use crate::lifetimes;
use crate::result::Undefined;
use crate::rewritten::Reading;
use crate::run::Run;
use crate::scripted;
use crate::trace::{self, Read};

/// The least time limit of the checks, before a violation counts as unchecked: it refutes nothing then.
const LEAST: Duration = Duration::from_secs(60);

/// The time limit of each question about undefined behaviour, where it took so long to find a violation: with checks, it takes
/// longer than that, on a slow machine too.
fn limit(known: Duration) -> Duration {
    (known * PATIENCE).max(LEAST)
}

/// The result of the search for a run.
pub(crate) struct Found {
    /// Its events.
    pub read: Read,
    /// Whether the run has no undefined behaviour; `None` if that was not checked.
    pub defined: Option<bool>,
    /// The undefined behaviour of the run, in order.
    pub undefined: Vec<Undefined>,
}

/// Texts of checks for uses of objects after their lifetime, and of what is given back. CBMC guesses which dead object it
/// tracks, and never assumes what its library checks, so a run cannot be shown free of such uses: they can only be found.
const GUESSED: [&str; 4] = [
    "deallocated dynamic object",
    "dead object",
    "double free",
    "free argument",
];

/// The places where some run does something undefined, not necessarily one with the verdict; if
/// there is no answer, an entry that says so. Asks only once, and not where no object's life can end.
///
/// CBMC is asked for uses of objects after their lifetime, a backend that cannot avoid undefined
/// behaviour for all of it.
fn possible<'a>(run: &'a Run, limit: Option<Duration>, used: &mut Usage) -> &'a [Undefined] {
    run.possible.get_or_init(|| {
        let guesses = run.backend.capabilities().avoids_undefined;
        let mut job = run.job(0);
        if guesses && !lifetimes::may_end(&job, run.backend, run.record.model) {
            return Vec::new();
        }
        job.safety = true;
        job.selection = match guesses {
            true => Selection::Checks(GUESSED.to_vec()),
            false => Selection::All,
        };
        job.timeout = [job.timeout, limit].into_iter().flatten().min();
        let checks = if guesses { Checks::Off } else { Checks::Told };
        let (finished, _kept) = with_values(run, job, checks);
        used.add(finished.usage);
        let answer = match finished.result {
            Ok(answer) if answer.undecided.is_empty() && answer.rest.is_none() => answer,
            _ => {
                let what = match guesses {
                    true => "whether runs use objects after their end",
                    false => "whether runs do something undefined",
                };
                return vec![open(&format!("{what} was asked, and not answered"))];
            }
        };
        let checks = answer.other_failures.iter();
        let checks = checks.filter(|f| f.kind == OtherKind::Program);
        let steps = checks.map(|f| BackendStep {
            thread: None,
            location: f.location.clone(),
            kind: StepKind::Violation {
                text: f.text.clone(),
            },
        });
        let steps: Vec<BackendStep> = steps.collect();
        undefined(run.record, &steps, None)
    })
}

/// The role of checks in the search for a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checks {
    /// Only runs in which no check fails.
    Assumed,
    /// Failing checks are reported.
    Told,
    /// No checks.
    Off,
}

/// Finds a run that violates one of some assertions, preferably one without undefined behaviour,
/// and reads it as letters of a property. `known` is the time that it took to find that such a run
/// exists.
pub(crate) fn run_of(
    run: &Run,
    property: &PropertyRecord,
    texts: &[String],
    mask: u32,
    known: Duration,
) -> Result<(Found, Usage), (String, Usage)> {
    let mut search = RunSearch {
        run,
        violated: Violated {
            property,
            texts,
            mask,
        },
        limit: limit(known),
        used: Usage::default(),
    };
    let found = search.found(known);
    match found {
        Ok(found) => Ok((found, search.used)),
        Err(reason) => Err((reason, search.used)),
    }
}

/// The assertions of a property one of which some run violates, and the checks (`BA_CHECK`) that they are among.
#[derive(Clone, Copy)]
struct Violated<'a> {
    property: &'a PropertyRecord,
    texts: &'a [String],
    mask: u32,
}

/// The search for a run with a violation.
struct RunSearch<'a> {
    run: &'a Run<'a>,
    violated: Violated<'a>,
    /// The time limit of each question about undefined behaviour.
    limit: Duration,
    used: Usage,
}

/// The question about all runs that do nothing undefined comes first only where the violation was found so soon, and so many times
/// the time is left: with checks, it takes longer than that, and of one run it has an answer at once.
const SOON: Duration = Duration::from_secs(5);
const PATIENCE: u32 = 4;

impl RunSearch<'_> {
    fn ask(&mut self, checks: Checks, limit: Option<Duration>) -> Asked {
        self.ask_of(checks, limit, None)
    }

    /// Asks about the runs that a further file allows.
    fn ask_of(&mut self, checks: Checks, limit: Option<Duration>, of: Option<&Path>) -> Asked {
        let (answer, usage) = asked(self.run, self.violated, (checks, limit), of);
        self.used.add(usage);
        answer
    }

    fn found(&mut self, known: Duration) -> Result<Found, String> {
        let can = self.run.backend.capabilities();
        if !can.avoids_undefined {
            let mut found = self.any()?;
            // Without a run that surely has none, it counts what any run does.
            if can.checks {
                found.undefined = possible(self.run, Some(self.limit), &mut self.used).to_vec();
                found.defined = found.undefined.is_empty().then_some(true);
            }
            return Ok(found);
        }
        let left = self.run.options.time_left();
        let all = match left {
            Some(left) if known > SOON || left < known * PATIENCE => None,
            // Some is left for one run.
            Some(left) => Some(self.among_all(self.limit.min(left / 2))),
            None => Some(self.among_all(self.limit)),
        };
        if let Some(Some(found)) = all {
            return Ok(found);
        }
        let any = self.any();
        let like = any.as_ref().ok().map(|any| self.like(&any.read));
        let found = match (like.flatten(), all) {
            // All runs have not been asked yet, and this one says nothing about others.
            (None, None) => self.among_all(self.limit),
            (found, _) => found,
        };
        found.map_or(any, Ok)
    }

    /// Any run.
    fn any(&mut self) -> Result<Found, String> {
        let violated = self.violated;
        match any_run_of(self.run, violated.property, violated.texts, violated.mask) {
            Ok((found, usage)) => {
                self.used.add(usage);
                Ok(found)
            }
            Err((reason, usage)) => {
                self.used.add(usage);
                Err(reason)
            }
        }
    }

    /// A run that does nothing undefined, or one that shows what all do; `None` if there is no answer.
    fn among_all(&mut self, limit: Duration) -> Option<Found> {
        match self.ask(Checks::Assumed, Some(limit)) {
            Ok(Some(shown)) => Some(self.stands(shown)),
            Err(_) => None,
            // Every run with the verdict has undefined behaviour. The result says so if a check
            // names it.
            Ok(None) => {
                let told = self.ask(Checks::Told, Some(limit));
                let (read, undefined) = told.ok().flatten()?;
                // Where all of it comes after the violation, the verdict does not rest on it.
                let defined = (!undefined.is_empty()).then(|| undefined.iter().all(|u| u.after));
                Some(found(read, defined, undefined))
            }
        }
    }

    /// A run that does nothing undefined and has the inputs of another one, if that is one: a question about few runs.
    fn like(&mut self, read: &Read) -> Option<Found> {
        if self.run.record.threads || !self.run.record.infix.is_empty() {
            return None;
        }
        let directory = Scratch::new().ok()?;
        let linked = self.run.options.linked.iter().map(PathBuf::as_path);
        let sources: Vec<&Path> = [self.run.source].into_iter().chain(linked).collect();
        let given = scripted::file(&sources, &read.steps, directory.path())?;
        (self.run.progress)("asking whether this run does something undefined");
        let asked = self.ask_of(Checks::Assumed, Some(self.limit), Some(&given));
        let shown = asked.ok().flatten()?;
        Some(self.stands(shown))
    }

    /// A run in which no check has failed, with what is not known of it.
    fn stands(&mut self, (read, unchecked): (Read, Vec<Undefined>)) -> Found {
        let mut doubts = outlived(self.run, Some(self.limit), &mut self.used);
        doubts.extend(unchecked);
        let defined = doubts.is_empty().then_some(true);
        found(read, defined, doubts)
    }
}

/// Whether some run with a violation has no undefined behaviour, and what is undefined in some run if that is not known.
type Standing = (Option<bool>, Vec<Undefined>);

/// Whether each of some violations has a run without undefined behaviour, and what is undefined in some run if that is
/// not known. Each is a list of assertions with their checks (`BA_CHECK`); all are asked at once, without traces. `known` is the
/// time that it took to find the violations.
pub(crate) fn standing(
    run: &Run,
    violations: &[&(Vec<String>, u32)],
    known: Duration,
) -> (Vec<Standing>, Usage) {
    let mut used = Usage::default();
    let limit = Some(limit(known));
    let can = run.backend.capabilities();
    if !can.avoids_undefined {
        let some = match can.checks {
            true => possible(run, limit, &mut used).to_vec(),
            false => Vec::new(),
        };
        let defined = (can.checks && some.is_empty()).then_some(true);
        return (vec![(defined, some); violations.len()], used);
    }
    let mut job = run.job(violations.iter().fold(0, |mask, (_, bits)| mask | bits));
    let texts = violations
        .iter()
        .flat_map(|(texts, _)| texts.iter().cloned());
    job.selection = Selection::Only(texts.collect());
    job.avoids_undefined = true;
    job.timeout = [job.timeout, limit].into_iter().flatten().min();
    let (finished, _kept, refused) = with_values_if_possible(run, job, Checks::Assumed);
    used.add(finished.usage);
    let Ok(answer) = finished.result else {
        return (vec![(None, Vec::new()); violations.len()], used);
    };
    let mut standing = Vec::new();
    for (texts, _) in violations {
        let mut outcomes = texts.iter().map(|t| answer.outcomes.get(t).copied());
        standing.push(if outcomes.clone().any(|o| o == Some(Outcome::Fails)) {
            let mut doubts = outlived(run, limit, &mut used);
            doubts.extend(refused.then(unchecked));
            (doubts.is_empty().then_some(true), doubts)
        } else {
            let none = outcomes.all(|o| o == Some(Outcome::Holds));
            (none.then_some(false), Vec::new())
        });
    }
    (standing, used)
}

/// The places where some run uses an object after its end. With threads, CBMC does not look for them: where memory is given back, it is
/// told that this was not asked. (Ends of automatic objects are looked for in the program's text.)
fn outlived(run: &Run, limit: Option<Duration>, used: &mut Usage) -> Vec<Undefined> {
    if !run.record.threads || run.options.rounds.is_some() {
        return possible(run, limit, used).to_vec();
    }
    let mut opaque = run.record.opaque.iter();
    match opaque.any(|name| lifetimes::is_given_back_by(name)) {
        true => vec![open(
            "whether runs use memory after it was given back was not asked, since the model checker has no check of that with threads",
        )],
        false => Vec::new(),
    }
}

/// What is not known of a run, which has no place.
fn open(what: &str) -> Undefined {
    Undefined {
        what: what.to_owned(),
        file: None,
        line: None,
        function: None,
        after: false,
    }
}

/// Any run that violates one of some assertions, with or without undefined behaviour.
pub(crate) fn any_run_of(
    run: &Run,
    property: &PropertyRecord,
    texts: &[String],
    mask: u32,
) -> Result<(Found, Usage), (String, Usage)> {
    let violated = Violated {
        property,
        texts,
        mask,
    };
    let (answer, used) = asked(run, violated, (Checks::Off, None), None);
    match answer {
        Ok(Some((read, _))) => Ok((found(read, None, Vec::new()), used)),
        Ok(None) => Err(("the backend did not find the run again".into(), used)),
        Err(reason) => Err((reason, used)),
    }
}

fn found(read: Read, defined: Option<bool>, undefined: Vec<Undefined>) -> Found {
    Found {
        read,
        defined,
        undefined,
    }
}

/// What is not known of a run if the model checker has refused the checks that we insert.
fn unchecked() -> Undefined {
    open(
        "whether it uses values that it was not given, or does what the model checker has no check of, was not checked, since the model \
         checker does not take our checks in this program",
    )
}

/// A run of the program with its undefined behaviour; `None` if the backend says that there is
/// none; or why there is no answer.
type Asked = Result<Option<(Read, Vec<Undefined>)>, String>;

/// Asks with checks of indeterminate values, as far as they can be inserted, or without.
fn with_values(run: &Run, job: Job, checks: Checks) -> (Finished, Option<Scratch>) {
    let (finished, kept, _) = with_values_if_possible(run, job, checks);
    (finished, kept)
}

/// The same, and whether the model checker has refused the inserted checks, so that it was asked without them.
fn with_values_if_possible(
    run: &Run,
    job: Job,
    checks: Checks,
) -> (Finished, Option<Scratch>, bool) {
    let asked = match checks {
        Checks::Off => return (bounds::ask(run, job, run.cancel), None, false),
        Checks::Assumed => Question::Assumed,
        Checks::Told => Question::Told,
    };
    let mut with = job.clone();
    with.defines
        .push((run.named(indeterminate::VALUES), String::new()));
    let mut kept = None;
    // The sequentialiser reads the program itself, and inserts the checks if the macro is defined.
    let whole = run.options.rounds.is_none();
    let unchecked = !run.backend.capabilities().checks_pointers_of_threads;
    let pointers = whole && run.record.threads && unchecked;
    if whole || !run.record.threads {
        kept = Scratch::new().ok();
        let Some(directory) = &kept else {
            return (bounds::ask(run, job, run.cancel), None, false);
        };
        let dialect = run.backend.dialect(&job.infix);
        let mut some = false;
        let mut file = |source: &Path| {
            let how = Reading {
                defines: &with.defines,
                std: job.dialect.as_deref(),
                model: run.record.model,
                dialect: &dialect,
            };
            let made = indeterminate::file(source, &how, (asked, pointers), directory.path());
            some |= made.is_some();
            made.unwrap_or_else(|| source.to_owned())
        };
        with.source = file(&job.source);
        with.linked = job.linked.iter().map(|l| file(l)).collect();
        if !some {
            return (bounds::ask(run, job, run.cancel), None, false);
        }
    }
    let first = bounds::ask(run, with, run.cancel);
    match &first.result {
        Err(Failure::Timeout { .. } | Failure::MemoryOut { .. } | Failure::Cancelled) | Ok(_) => {
            (first, kept, false)
        }
        // The inserted checks may cause the failure, so the job is repeated without them.
        Err(_) => {
            let mut second = bounds::ask(run, job, run.cancel);
            second.usage.add(first.usage);
            (second, None, true)
        }
    }
}

/// One run of the backend, perhaps with a further file.
fn asked(
    run: &Run,
    violated: Violated,
    (checks, limit): (Checks, Option<Duration>),
    file: Option<&Path>,
) -> (Asked, Usage) {
    let Violated {
        property,
        texts,
        mask,
    } = violated;
    let mut job = run.job(mask);
    job.linked.extend(file.map(Path::to_path_buf));
    job.selection = Selection::Only(texts.iter().cloned().collect());
    let mut wanted = trace::wanted(run.record);
    wanted.extend(run.options.watched.iter().cloned());
    job.traces = Traces::Prefixes(wanted);
    job.defines.push((run.named("BA_TRACE"), String::new()));
    job.avoids_undefined = checks == Checks::Assumed;
    job.safety = checks == Checks::Told;
    job.timeout = [job.timeout, limit].into_iter().flatten().min();
    let (finished, kept, refused) = with_values_if_possible(run, job, checks);
    let answer = match finished.result {
        Ok(answer) => answer,
        Err(failure) => return (Err(failure.to_string()), finished.usage),
    };
    drop(kept);
    let outcome = |text: &&String| answer.outcomes.get(*text).copied();
    let violated = texts.iter().find(|t| outcome(t) == Some(Outcome::Fails));
    let none = texts.iter().all(|t| outcome(&t) == Some(Outcome::Holds));
    let result = match violated {
        Some(text) => {
            let steps = answer.traces.get(text).map(Vec::as_slice);
            let steps = steps.unwrap_or_default();
            let read = trace::read(run.record, property, steps, run.options);
            match read.steps.is_empty() {
                true => Err("the backend gave no trace".into()),
                false => {
                    let decided = decided(run, property, &read, mask);
                    let mut found = undefined(run.record, steps, decided.map(|d| (d, &read)));
                    let open = refused && checks == Checks::Assumed;
                    found.extend(open.then(unchecked));
                    Ok(Some((read, found)))
                }
            }
        }
        None if none || checks == Checks::Off => Ok(None),
        None => Err("no answer".into()),
    };
    (result, finished.usage)
}

/// The state of the monitor in which ⊥ is decided, if the run's word is ⊥ at some step and nothing
/// after this step can matter to the verdict. A later assumption matters: it may discard the run.
/// Steps of threads have no reliable order in a trace of all schedules.
fn decided(run: &Run, property: &PropertyRecord, read: &Read, mask: u32) -> Option<u32> {
    let ordered = !run.record.threads || run.options.rounds.is_some();
    let exact = property.monitor == "dfa" && !run.record.discards && ordered;
    // States with ⊥ are never left, so the last state of the run is the one that decides.
    let last = read.steps.last().filter(|_| exact && mask == check::FALSE);
    last.map(|step| step.monitor)
}

/// The checks that fail along a run in the program itself, each once. `decided` is the state of the
/// monitor in which the verdict is decided, and the run as it was read.
fn undefined(
    record: &Record,
    steps: &[BackendStep],
    decided: Option<(u32, &Read)>,
) -> Vec<Undefined> {
    let emitted = format!("ba_{}", record.infix);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut checks = 0;
    for step in steps {
        let StepKind::Violation { text } = &step.kind else {
            continue;
        };
        let state = decided.and_then(|(_, read)| read.at_checks.get(checks));
        let after = decided.is_some_and(|(last, _)| state == Some(&last));
        checks += 1;
        let function = step.location.function.as_deref();
        let own = function.is_some_and(|f| f.starts_with(&emitted));
        if own || text.starts_with(backend::OWN_PREFIX) {
            continue;
        }
        let place = (step.location.file.clone(), step.location.line);
        let check = OtherKind::of("", text) == OtherKind::Program;
        // A null pointer fails several checks; the first one suffices.
        let code = text
            .split_once(" in ")
            .map_or(text.as_str(), |(_, code)| code);
        if check && seen.insert((place.clone(), code.to_owned())) {
            found.push(Undefined {
                what: words(text),
                file: place.0,
                line: place.1,
                function: function.map(str::to_owned),
                after,
            });
        }
    }
    found
}

/// A model checker's message of a failing check, with the expression in backticks.
pub(crate) fn words(text: &str) -> String {
    let text = text.trim_start_matches("dereference failure: ");
    if let Some(holds) = converted(text) {
        return format!("conversion of a floating number to an integer type that does not have it (`{holds}` does not hold)");
    }
    match text.split_once(" in ") {
        Some((what, code)) => format!("{what} in `{code}`"),
        None => text.to_owned(),
    }
}

/// What has to hold of a floating number that is converted, if a message is about the sum by which the text checks that
/// (`cfront/src/plain/conversions.rs`).
fn converted(text: &str) -> Option<&str> {
    let code = text.strip_prefix("arithmetic overflow on signed + in ")?;
    let sums = ["2147483647 + (signed int)!(", "32767 + (signed int)!("];
    let range = sums.iter().find_map(|sum| code.strip_prefix(sum))?;
    Some(range.split_once(')').map_or(range, |(range, _)| range))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_told_with_their_code() {
        assert_eq!(
            words("arithmetic overflow on signed + in x + 1"),
            "arithmetic overflow on signed + in `x + 1`"
        );
        assert_eq!(
            words("dereference failure: pointer NULL in *p"),
            "pointer NULL in `*p`"
        );
        assert_eq!(
            words("arithmetic overflow on signed + in 2147483647 + (signed int)!(d > -1.000000 && d < 256.000000)"),
            "conversion of a floating number to an integer type that does not have it (`d > -1.000000 && d < 256.000000` does not hold)"
        );
    }
}
