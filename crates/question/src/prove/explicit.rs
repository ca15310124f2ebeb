//! Decides all properties at once: visits the states of the program, and decides each formula on
//! their graph.

use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use backend::native::Objects;
use backend::Cancel;
use forms::{Cause, Failure};
use verify::explicit::{self, Decision, Explored, Share, Task, Turns, Work};
use verify::prove::Limits;
use verify::result::{
    Answer, Asked, BackendInfo, Evidence, Holds, PropertyResult, Rests, TraceStep, Vacuity, Verdict,
};
use verify::Executable;
use weave::Also;

use super::answers::Answers;
use super::search::{Search, TOO_LATE};
use crate::searches::write_sources;

/// Why a property has no answer that was not looked at before the search was ended.
const UNASKED: &str = "the search ended before the visited states were asked about this formula";

/// Why a violation refutes nothing in a program that may use an object after its end, where the search does not see that.
fn may_be_outlived(object: &str) -> String {
    format!(
        "the formula is violated, and whether by a run that does nothing undefined before is not known: a pointer to the object at {object} \
         may be left when that ends, and is not followed"
    )
}

/// Why an infinite run refutes nothing that may do something undefined in the end.
fn may_end(objects: &[String]) -> String {
    format!(
        "the formula is violated by an infinite run, and whether by one that does nothing undefined in the end is not known: signed numbers may \
         overflow, or accesses leave their objects, after many turns of its loop by {}",
        objects.join(", ")
    )
}

/// The most states that are visited to find an infinite run that does nothing undefined in the end: counters that come back do so
/// soon, and others have as many values as their types.
const MOST_ENDLESS: u64 = 100_000;

/// Random runs are taken beside the search of all states when it has visited states for so long; to compile the program takes them as
/// long.
const EARLY: Duration = Duration::from_secs(3);

/// Who hears of the search.
pub struct Hears<'a> {
    /// What it does now.
    pub told: &'a (dyn Fn(&str) + Sync),
    /// Each answer that stays as it is, with the number of its property, as soon as it is known.
    pub found: &'a (dyn Fn(usize, PropertyResult, BackendInfo) + Sync),
}

/// Whether a violation is one of a run as a whole that goes on for ever.
fn goes_on(result: &PropertyResult) -> bool {
    let decided = |step: &TraceStep| step.verdict == Some(Verdict::FALSE);
    let infinite = matches!(
        result.answer.evidence,
        Some(Evidence::Lasso | Evidence::Recurrence)
    );
    infinite && !result.run.trace.iter().any(decided)
}

/// The input of the search, as plain data for a thread.
pub struct Visit {
    task: Task,
    count: usize,
    version: String,
    /// Whether to look for parts of formulas that do not matter.
    shows: bool,
    spin: Option<PathBuf>,
    /// The program woven for lassos, if runs may access objects through pointers.
    shown: Option<Shown>,
    /// An object whose end an execution would not show, with its place.
    outlived: Option<String>,
    /// What the state does not have, and may make an infinite run undefined in the end.
    endless: Endless,
    /// Keeps the directory with the files.
    _directory: backend::Scratch,
}

/// A search among states that have all on which it depends whether runs do something undefined in the end.
struct Endless {
    /// What that is.
    objects: Vec<String>,
    /// The program, if it can be woven so.
    task: Option<Task>,
    explored: OnceLock<Result<Explored, String>>,
}

/// The files of a program that is executed along runs.
struct Shown {
    source: PathBuf,
    linked: Vec<PathBuf>,
    compiler: backend::Program,
    objects: Objects,
}

/// Weaves the program for the search of all states. The inner error says why that is impossible.
pub fn prepare(
    search: &Search,
    (states, turns): (u64, &Turns),
    spin: Option<PathBuf>,
    cancel: &Cancel,
) -> anyhow::Result<Result<Visit, String>> {
    let source = search.source;
    let every_event = source.whole.record.every_event;
    let all: Vec<usize> = (0..source.spec.formulas()).collect();
    let spec = source.spec.part(&all, false, every_event);
    let late = || search.limits.over(cancel);
    if late() {
        return Ok(Err(TOO_LATE.into()));
    }
    let woven = match search.weave(&spec, false, true)? {
        Ok(woven) => woven,
        Err(why) => return Ok(Err(why)),
    };
    if late() {
        return Ok(Err(TOO_LATE.into()));
    }
    let lasso = search.weave_to_show(&spec, woven.heads.is_some())?;
    let (Some(heads), [(_, text)]) = (woven.heads, woven.files.as_slice()) else {
        return Ok(Err(search.apart()));
    };
    let directory = backend::Scratch::new()?;
    let Ok(compiler) = backend::Program::open(backend::Kind::NATIVE, None) else {
        return Ok(Err("there is no C compiler".into()));
    };
    let hidden = &heads.hidden;
    let shown = match source.program.follows_pointers() || hidden.any {
        true => {
            let shown = directory.path().join("shown");
            std::fs::create_dir(&shown)?;
            let (source, linked) = write_sources(&shown, &lasso.files)?;
            Some(Shown {
                source,
                linked,
                compiler: compiler.clone(),
                objects: Objects::default(),
            })
        }
        false => None,
    };
    let exact = match hidden.endless.is_empty() {
        true => None,
        false => search
            .weave_with(&spec, Also::Endless)?
            .ok()
            .and_then(|woven| {
                let (Some(heads), [(_, text)]) = (woven.heads, woven.files.as_slice()) else {
                    return None;
                };
                Some((heads, woven.record, text.clone()))
            }),
    };
    let outlived = shown.as_ref().and_then(|_| source.program.outlived());
    let directory_of = |name: &str| -> std::io::Result<PathBuf> {
        let path = directory.path().join(name);
        std::fs::create_dir(&path)?;
        Ok(path)
    };
    let task = Task {
        text: String::from_utf8_lossy(text).into_owned(),
        record: woven.record,
        lasso: lasso.record,
        directory: directory_of("states")?,
        compiler: PathBuf::from(&compiler.path),
        states,
        turns: turns.clone(),
        heads,
    };
    let objects = task.heads.hidden.endless.clone();
    let endless = Endless {
        task: match exact {
            Some((heads, record, text)) => Some(Task {
                text: String::from_utf8_lossy(&text).into_owned(),
                record,
                heads,
                states: states.min(MOST_ENDLESS),
                directory: directory_of("endless")?,
                ..task.clone()
            }),
            None => None,
        },
        objects,
        explored: OnceLock::new(),
    };
    Ok(Ok(Visit {
        task,
        count: all.len(),
        version: compiler.version.to_string(),
        shows: search.options.shows,
        spin,
        shown,
        outlived,
        endless,
        _directory: directory,
    }))
}

impl Visit {
    /// Visits the states and decides all formulas. The error says why it cannot.
    pub fn answers(
        self,
        limits: &Limits,
        cancel: &Cancel,
        hears: &Hears,
    ) -> Result<Answers, String> {
        let (begun, told) = (Instant::now(), hears.told);
        let (explored, beside) = self.explored(limits, cancel, told);
        let took = begun.elapsed();
        // What SPIN may contradict is not yet an answer.
        let found = |number, result, backend| {
            if self.spin.is_none() {
                (hears.found)(number, result, backend);
            }
        };
        let mut answers = match &explored {
            Ok(explored) => self.decided(explored, (limits, cancel), &found),
            Err(why) => Answers {
                properties: vec![Err(why.clone()); self.count],
                backend: BackendInfo::default(),
            },
        };
        let sampled = beside.is_some();
        if let Some(beside) = beside {
            answers.completed_by(beside);
        }
        // Where all states were visited, and answers rest on nothing else, random runs say no more.
        let is_exact = matches!(&explored, Ok(explored) if explored.is_exact());
        let refutes = self.spin.is_none() && !cancel.is_cancelled() && !is_exact;
        if refutes && self.is_open(&answers) {
            self.refute(&mut answers, sampled, (limits, cancel), told);
        }
        let later = match &explored {
            Ok(first) if self.is_open(&answers) => self.longer((first, took), limits, cancel, told),
            _ => None,
        };
        if let Some(later) = &later {
            let decided = self.decided(later, (limits, cancel), &found);
            let before = std::mem::replace(&mut answers, decided);
            answers.completed_by(before);
        }
        let explored = later.map_or(explored, Ok);
        let explored = match explored {
            Ok(explored) => explored,
            Err(why) if answers.properties.iter().all(Result::is_err) => return Err(why),
            Err(_) => return Ok(answers),
        };
        if let Some(spin) = &self.spin {
            told("the same by SPIN");
            answers.compare(explored.spin(spin, cancel, told));
        }
        Ok(answers)
    }

    /// Visits all states; if that takes long, takes random runs beside it, whose answers come with it. If they answer everything, the
    /// search ends.
    fn explored(
        &self,
        limits: &Limits,
        cancel: &Cancel,
        told: &(dyn Fn(&str) + Sync),
    ) -> (Result<Explored, String>, Option<Answers>) {
        let (search, random) = (cancel.part(), cancel.part());
        let (goes_on, waits) = mpsc::channel();
        std::thread::scope(|scope| {
            let (all, some) = (&search, &random);
            let beside = scope.spawn(move || {
                if self.spin.is_some() || !takes_long(&waits) {
                    return None;
                }
                let answers = self.sampled(limits, some)?;
                if !self.is_open(&answers) {
                    all.cancel();
                }
                Some(answers)
            });
            let each = |work: Work| {
                // Nobody hears it where random runs are taken already.
                let _ = goes_on.send(work);
                told(&work.to_string());
            };
            let explored = explicit::explore(&self.task, Share::First, limits, &search, &each);
            drop(goes_on);
            // Where all states were visited, random runs say no more.
            if matches!(&explored, Ok(explored) if explored.partial().is_none()) {
                random.cancel();
            }
            (explored, beside.join().ok().flatten())
        })
    }

    /// The answers of random runs; `None` if there are none.
    fn sampled(&self, limits: &Limits, cancel: &Cancel) -> Option<Answers> {
        let directory = self.task.directory.with_file_name("sampled");
        std::fs::create_dir(&directory).ok()?;
        let task = Task {
            directory,
            ..self.task.clone()
        };
        let part = explicit::part(&task, limits, cancel).ok()?;
        let explored = part.at_random(&task, limits, cancel, &|_| {}).ok()?;
        let answers = self.decided(&explored, (limits, cancel), &|_, _, _| {});
        // What is given up in between is no answer.
        (!cancel.is_cancelled()).then_some(answers)
    }

    /// The same search once more with all the time that is left, if that ended the first one, and is more than the first one had.
    fn longer(
        &self,
        (first, took): (&Explored, Duration),
        limits: &Limits,
        cancel: &Cancel,
        told: &dyn Fn(&str),
    ) -> Option<Explored> {
        let left = limits.until?.saturating_duration_since(Instant::now());
        if !first.is_out_of_time() || left <= took || cancel.is_cancelled() {
            return None;
        }
        let told = |work: Work| told(&work.to_string());
        explicit::explore(&self.task, Share::Rest, limits, cancel, &told).ok()
    }

    /// Whether a property has no answer.
    fn is_open(&self, answers: &Answers) -> bool {
        !(0..self.count).all(|number| answers.has(number))
    }

    /// Looks for violations among some of the states: these may be far, or all states too many. Random runs may have been `sampled`
    /// already.
    fn refute(
        &self,
        answers: &mut Answers,
        sampled: bool,
        (limits, cancel): (&Limits, &Cancel),
        told: &dyn Fn(&str),
    ) {
        let Ok(part) = explicit::part(&self.task, limits, cancel) else {
            return;
        };
        let told = |work: Work| told(&work.to_string());
        if let Ok(explored) = part.by_lines(&self.task, limits, cancel, &told) {
            answers.completed_by(self.decided(&explored, (limits, cancel), &|_, _, _| {}));
        }
        if self.is_open(answers) && !sampled {
            if let Ok(explored) = part.at_random(&self.task, limits, cancel, &told) {
                answers.completed_by(self.decided(&explored, (limits, cancel), &|_, _, _| {}));
            }
        }
    }

    /// Whether a violation is one by an infinite run that may do something undefined in the end.
    fn may_end_undefined(&self, result: &PropertyResult) -> bool {
        !self.endless.objects.is_empty() && goes_on(result)
    }

    /// A violation by an infinite run that also repeats all on which it depends whether it does something undefined in the end.
    fn lasting(
        &self,
        result: &PropertyResult,
        index: usize,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<PropertyResult, String> {
        let Endless {
            objects,
            task,
            explored,
        } = &self.endless;
        let explored = explored.get_or_init(|| {
            let task = task.as_ref().ok_or_else(String::new)?;
            explicit::explore(task, Share::First, limits, cancel, &|_| {})
        });
        match explored.as_ref().map(|explored| explored.decide(index)) {
            Ok(Decision::Violated(found)) if found.run.loop_start.is_some() || !goes_on(&found) => {
                let mut found = *found;
                found.answer.proof.clone_from(&result.answer.proof);
                Ok(found)
            }
            _ => Err(may_end(objects)),
        }
    }

    /// A violation, unless its run does something undefined that the search does not see: its accesses through pointers.
    fn examined(
        &self,
        mut result: PropertyResult,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<PropertyResult, String> {
        let Some(shown) = &self.shown else {
            return Ok(result);
        };
        let program = Executable {
            record: &self.task.lasso,
            source: &shown.source,
            linked: &shown.linked,
            objects: Some((&shown.compiler, &shown.objects)),
        };
        let left = limits
            .until
            .map(|until| until.saturating_duration_since(Instant::now()));
        program.doubt(&mut result, left, cancel);
        // What was not executed to the end has shown nothing.
        if cancel.is_cancelled() {
            return Err(backend::Failure::Cancelled.to_string());
        }
        match (result.answer.holds, &self.outlived) {
            (Holds::Unknown, _) => Err(result.answer.reason.unwrap_or_default()),
            (Holds::Refuted, Some(object)) => Err(may_be_outlived(object)),
            _ => Ok(result),
        }
    }

    /// The answers for all properties. What needs another search comes last: it may take all the time.
    fn decided(
        &self,
        explored: &Explored,
        (limits, cancel): (&Limits, &Cancel),
        found: &dyn Fn(usize, PropertyResult, BackendInfo),
    ) -> Answers {
        let mut answers = Answers {
            properties: vec![Err(String::new()); self.count],
            backend: BackendInfo {
                name: backend::Kind::NATIVE.name().to_string(),
                version: self.version.clone(),
                runs: 1,
                seconds: explored.seconds,
            },
        };
        let mut settle = |index: usize, answer: Result<PropertyResult, String>| {
            if let Ok(result) = &answer {
                found(index, result.clone(), answers.backend.clone());
            }
            answers.properties[index] = answer;
        };
        let mut last = Vec::new();
        for index in 0..self.count {
            // Each takes seconds in a graph of a million states.
            if cancel.is_cancelled() {
                settle(index, Err(UNASKED.into()));
                continue;
            }
            match self.decision(explored, index) {
                Ok(result) if self.may_end_undefined(&result) => last.push((index, result)),
                Ok(result) => settle(index, self.examined(result, limits, cancel)),
                Err(why) => settle(index, Err(why)),
            }
        }
        for (index, result) in last {
            let lasting = self.lasting(&result, index, limits, cancel);
            settle(
                index,
                lasting.and_then(|result| self.examined(result, limits, cancel)),
            );
        }
        answers
    }

    /// What the graph of states says of a property, or why it says nothing.
    fn decision(&self, explored: &Explored, index: usize) -> Result<PropertyResult, String> {
        let record = &self.task.record.properties[index];
        if self.task.turns.fairness.is_named_by(&record.name) {
            return Err(String::new());
        }
        let mut result = match explored.decide(index) {
            Decision::Open(why) => return Err(why),
            Decision::Violated(result) => *result,
            Decision::Holds => {
                let asked = Asked {
                    explanation: record.explanation.clone(),
                    ..Asked::named(&record.name, &record.ltl)
                };
                let parts = explored.vacuous(index, self.shows);
                asked.answered(Answer {
                    complete: Some(true),
                    evidence: Some(Evidence::Complete),
                    holds: Holds::Proved,
                    vacuity: Vacuity {
                        parts,
                        ..Vacuity::default()
                    },
                    ..Answer::default()
                })
            }
        };
        result.answer.proof = Some(Rests {
            explored: Some(explored.size.clone()),
            ..Rests::default()
        });
        Ok(result)
    }
}

/// Whether a search visits states for long. It sends what it begins, and hangs up at its end.
fn takes_long(works: &mpsc::Receiver<Work>) -> bool {
    let mut visits = false;
    loop {
        let next = match visits {
            true => works.recv_timeout(EARLY),
            false => works.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(work) => visits = matches!(work, Work::Visiting(_)),
            Err(over) => return over == RecvTimeoutError::Timeout,
        }
    }
}

/// How to get SPIN.
pub const GET_SPIN: &str =
    "Debian, Ubuntu: apt install spin; without root: `scripts/fetch spin` in the source tree";

/// The path of SPIN.
///
/// # Errors
/// If SPIN is not installed.
pub fn spin() -> anyhow::Result<PathBuf> {
    backend::locate::on_path("spin").ok_or_else(|| {
        Failure::error(
            Cause::NoBackend,
            format!("SPIN is not installed. {}", GET_SPIN),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What only compiles, however long, is not what random runs are taken beside.
    #[test]
    fn a_search_that_never_visits_takes_not_long() {
        let (works, heard) = mpsc::channel();
        let compiles = std::thread::spawn(move || {
            for work in [Work::Choosing, Work::Compiling] {
                let _ = works.send(work);
            }
        });
        assert!(!takes_long(&heard));
        assert!(compiles.join().is_ok());
    }
}
