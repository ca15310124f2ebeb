//! The backend for `--schedules ROUNDS`: it sequentialises each threaded program, so that a model
//! checker searches the runs of at most so many rounds, and reads the answer back as one about the
//! threaded program.

mod lasso;
mod lines;
mod read;

pub(crate) use read::{called, told_by, words};

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use backend::{Backend, Cancel, Coverage, Dialect, Failure, Finished, Job, Program, Usage};
use cfront::preprocess::{preprocess, MacroOption, Options as PreprocessOptions};
use sequentialise::{sequentialise, Hooks, Options, Stop};
use verify::indeterminate::{self, Question};
use weave::assertion::Asserted;

use read::Read;

use crate::weaving::DEFAULT_STD;

/// Decides whether a sequential program is searched, when it is ready: called with whether the
/// program follows some loop further than its bound. It may wait.
pub type Gate<'a> = &'a (dyn Fn(bool) -> bool + Sync);

/// A model checker that gets sequentialised programs. Programs without threads are passed
/// unchanged.
pub struct Rounds<'a> {
    inner: Box<dyn Backend>,
    /// The most rounds of a run.
    rounds: u32,
    /// Whether waiting for a condition may end without a signal.
    spurious_wakeups: bool,
    /// The fairness that infinite runs must have.
    fairness: sequentialise::Fairness,
    /// The preprocessor's command.
    cpp: String,
    /// Whether no run of some program reached an end with the guessed memory.
    wants_memory: AtomicBool,
    /// What decides whether a sequential program is searched; without it, each is.
    gate: Option<Gate<'a>>,
}

/// The macro that selects the form of an emitted program that can be sequentialised, without the
/// prefix `BA_` and the infix of emitted names.
const DIALECT: &str = "ROUNDS";

/// Programs with more positions in all threads are refused: model checkers do not finish them.
const MOST_POSITIONS: usize = 20_000;

/// Programs with more threads are refused.
const MOST_THREADS: usize = 64;

impl<'a> Rounds<'a> {
    /// A backend that searches the runs of at most `rounds` rounds of programs that this command preprocesses.
    pub fn new(inner: Box<dyn Backend>, rounds: u32, cpp: &str) -> Self {
        Rounds {
            inner,
            rounds,
            spurious_wakeups: false,
            fairness: sequentialise::Fairness::default(),
            cpp: cpp.to_owned(),
            wants_memory: AtomicBool::new(false),
            gate: None,
        }
    }

    /// Sets whether waiting for a condition may end without a signal.
    #[must_use]
    pub fn spurious(self, spurious_wakeups: bool) -> Self {
        Rounds {
            spurious_wakeups,
            ..self
        }
    }

    /// Sets what decides whether a sequential program is searched. A program that is not has the
    /// failure [`Failure::Cancelled`].
    #[must_use]
    pub fn behind(self, gate: Gate<'a>) -> Self {
        Rounds {
            gate: Some(gate),
            ..self
        }
    }

    /// Sets the fairness that infinite runs must have.
    #[must_use]
    pub fn fair(self, fairness: sequentialise::Fairness) -> Self {
        Rounds { fairness, ..self }
    }

    /// Writes the sequential program into `directory`; returns its path and the meaning of its
    /// names. The time limit of the job counts here, too.
    fn sequential(
        &self,
        job: &Job,
        loops: bool,
        directory: &Path,
        cancel: &Cancel,
    ) -> Result<(PathBuf, Read), Failure> {
        let until = job
            .timeout
            .and_then(|limit| Instant::now().checked_add(limit));
        let late = move || until.is_some_and(|at| Instant::now() >= at);
        let watched = cancel.clone();
        let stop = Stop::when(move || watched.is_cancelled() || late());
        let made = self.written(job, loops, directory, stop);
        made.map_err(|message| match job.timeout {
            _ if cancel.is_cancelled() => Failure::Cancelled,
            Some(limit) if late() => Failure::Timeout { limit },
            _ => Failure::Refused { message },
        })
    }

    /// The same, until it is stopped.
    fn written(
        &self,
        job: &Job,
        loops: bool,
        directory: &Path,
        stop: Stop,
    ) -> Result<(PathBuf, Read), String> {
        let mut files = [&job.source].into_iter().chain(&job.linked);
        let sources = files.try_fold(Vec::new(), |mut sources, file| {
            let read = preprocess(file, &self.preprocessing(job)).map_err(|e| e.to_string())?;
            sources.push(read.source);
            Ok::<_, String>(sources)
        })?;
        let unit = cfront::Unit::parse_all(sources).map_err(|d| messages(&d))?;
        let (mut unit, renamed) =
            cfront::merge::as_one(unit).map_err(|d| messages(std::slice::from_ref(&*d)))?;
        if let Some(text) = with_values(&unit, job) {
            let source = cfront::Source::from_bytes(text);
            unit = cfront::Unit::parse_all(vec![source]).map_err(|d| messages(&d))?;
        }
        let options = Options {
            stop,
            ..self.how(job, loops)
        };
        let made = sequentialise(&unit, &options).map_err(|list| {
            let placed = list.into_iter().map(|d| unit.source.resolve(d));
            messages(&placed.collect::<Vec<_>>())
        })?;
        let file = directory.join("sequential.c");
        std::fs::write(&file, &made.text).map_err(|e| e.to_string())?;
        let lines = |span: cfront::Span| {
            let (file, line) = unit.source.lines.line(span.start);
            (file.to_string(), line)
        };
        let mut read = Read::new(&made, &lines, renamed);
        read.uncut = !is_called(&String::from_utf8_lossy(&made.text), &options.hooks.cut);
        Ok((file, read))
    }

    /// The options with which the emitted program is preprocessed: the job's own, and the macro of
    /// the form that is sequentialised.
    fn preprocessing(&self, job: &Job) -> PreprocessOptions {
        let mut macros: Vec<MacroOption> = job.defines.iter().map(defined).collect();
        let dialect = format!("BA_{}{DIALECT}", job.infix);
        macros.push(MacroOption::Define(dialect));
        if job.traces != backend::Traces::None && !self.inner.capabilities().shows_calls {
            macros.push(MacroOption::Define(shows(&job.infix)));
        }
        macros.extend(job.machine.macros.iter().map(defined));
        let std = job.dialect.clone();
        PreprocessOptions {
            command: Some(self.cpp.clone()),
            std: Some(std.unwrap_or_else(|| DEFAULT_STD.into())),
            macros,
            ..PreprocessOptions::default()
        }
    }

    /// The options of sequentialisation; `loops` says whether infinite runs are searched.
    fn how(&self, job: &Job, loops: bool) -> Options {
        let named = |name: &str| format!("ba_{}{name}", job.infix);
        // The job defines the bound of loops in emitted programs; recursion gets the same bound.
        let bound = format!("BA_{}UNWIND", job.infix);
        let bounds = job.defines.iter().filter(|(name, _)| *name == bound);
        let unwind = bounds
            .filter_map(|(_, k)| k.parse().ok())
            .next()
            .unwrap_or(1);
        Options {
            assigned: std::collections::BTreeSet::new(),
            section_end: None,
            stop: Stop::default(),
            watched: Default::default(),
            rounds: self.rounds,
            unwind,
            recursion: unwind,
            max_positions: MOST_POSITIONS,
            max_threads: MOST_THREADS,
            spurious_wakeups: self.spurious_wakeups,
            expand_headers: self.inner.capabilities().own_headers,
            // A check of memory accesses must see the exact objects.
            exact_memory: job.safety || job.avoids_undefined,
            wide_memory: self.wants_memory.load(Ordering::Relaxed),
            tells: job.traces != backend::Traces::None,
            hooks: Hooks {
                over: named("rounds_over"),
                cut: named("cut"),
                stopped: named("rounds_stopped"),
            },
            lasso: loops.then(|| lasso::options(self.fairness, &named)),
            asked: Default::default(),
            times: Default::default(),
            steps: false,
            shifts: false,
            freed: sequentialise::Freed::default(),
        }
    }
}

/// Whether a text calls a function, directly or through a macro. Definitions, and declarations of
/// functions without result, are no calls.
fn is_called(text: &str, function: &str) -> bool {
    let mut names = vec![format!("{function}(")];
    let macros: Vec<&str> = text
        .lines()
        .filter_map(|l| l.strip_prefix("#define "))
        .collect();
    // A macro may be defined before the macros that it uses.
    let mut known = 0;
    while known < names.len() {
        known = names.len();
        for line in &macros {
            let name = line.split_inclusive('(').next().unwrap_or(line);
            let body = line.get(name.len()..).unwrap_or_default();
            let uses = names.iter().any(|n| body.contains(n.as_str()));
            if uses && !names.iter().any(|n| n == name) {
                names.push(name.to_owned());
            }
        }
    }
    let mut code = text.lines().filter(|l| !l.starts_with("#define "));
    code.any(|line| {
        let calls = |n: &String| {
            line.matches(n.as_str()).count() > line.matches(&format!("void {n}")).count()
        };
        names.iter().any(calls)
    })
}

/// The text with checks of indeterminate values, if the job asks for them.
fn with_values(unit: &cfront::Unit, job: &Job) -> Option<Vec<u8>> {
    let word = indeterminate::VALUES.trim_start_matches("BA_");
    let macro_name = format!("BA_{}{word}", job.infix);
    job.defines.iter().find(|(name, _)| *name == macro_name)?;
    let asked = match job.avoids_undefined {
        true => Question::Assumed,
        false => Question::Told,
    };
    let edits = indeterminate::checks(unit, &Dialect::default(), asked).ok()?;
    (!edits.is_empty()).then(|| edits.splice(&unit.source.bytes))
}

fn defined((name, value): &(String, String)) -> MacroOption {
    MacroOption::Define(match value.as_str() {
        "" => name.clone(),
        value => format!("{name}={value}"),
    })
}

/// The macro that shows a value by copying it, as emitted programs define it for model checkers
/// whose traces do not show it. The form that is sequentialised leaves the macro empty.
fn shows(infix: &str) -> String {
    let copy = format!("ba_{infix}shown_##name");
    format!("BA_{infix}SHOW(name)=__typeof__(name) {copy} = (name); (void){copy}")
}

/// The diagnostics as one text, each with its place.
fn messages(diagnostics: &[cfront::Diagnostic]) -> String {
    let told = diagnostics.iter().map(|d| {
        let place = match &d.place {
            Some(p) => format!("{}:{}:{}: ", p.file, p.line, p.column),
            None => String::new(),
        };
        let help = match &d.help {
            Some(help) => format!(" ({help})"),
            None => String::new(),
        };
        format!("{place}{}{help}", d.message)
    });
    told.collect::<Vec<_>>().join("; ")
}

impl Backend for Rounds<'_> {
    fn program(&self) -> &Program {
        self.inner.program()
    }

    fn capabilities(&self) -> backend::Capabilities {
        let inner = self.inner.capabilities();
        backend::Capabilities {
            // The model checker gets a sequential program.
            checks_pointers_of_threads: inner.checks,
            ..inner
        }
    }

    fn dialect(&self, infix: &str) -> Dialect {
        self.inner.dialect(infix)
    }

    fn cut_loop(&self, failure: &backend::OtherFailure) -> Option<String> {
        self.inner.cut_loop(failure)
    }

    fn run(&self, job: &Job, cancel: &Cancel) -> Finished {
        if !job.threads {
            return self.inner.run(job, cancel);
        }
        let begin = Instant::now();
        let split = lasso::Split::of(job);
        // Infinite runs come first: their loops are not unrolled, so the search is cheaper, and a
        // program that never ends has little else to show.
        let both = split.ends.is_some();
        let loops = split.loops.map(|loops| match both {
            true => self.part(&lasso::first(loops), true, cancel),
            false => self.part(&loops, true, cancel),
        });
        let ends = split
            .ends
            .map(|ends| self.part(&lasso::later(ends, begin), false, cancel));
        lasso::joined(ends, loops, job)
    }

    fn coverage(&self, job: &Job, cancel: &Cancel) -> Result<Coverage, Failure> {
        if !job.threads {
            return self.inner.coverage(job, cancel);
        }
        let refused = |message: String| Failure::Refused { message };
        let directory = backend::Scratch::new().map_err(|e| refused(e.to_string()))?;
        let (source, read) = self.sequential(job, false, directory.path(), cancel)?;
        let text = std::fs::read(&source).map_err(|e| refused(e.to_string()))?;
        let (text, lines) = lines::asked(&String::from_utf8_lossy(&text));
        std::fs::write(&source, text).map_err(|e| refused(e.to_string()))?;
        let job = Job {
            traces: backend::Traces::None,
            ..read.job(source, job)
        };
        lines.told(&self.inner.run(&job, cancel).result?)
    }

    fn size(&self, job: &Job, cancel: &Cancel) -> Result<backend::Size, Failure> {
        if !job.threads {
            return self.inner.size(job, cancel);
        }
        let refused = |message: String| Failure::Refused { message };
        let directory = backend::Scratch::new().map_err(|e| refused(e.to_string()))?;
        let (source, read) = self.sequential(job, false, directory.path(), cancel)?;
        let mut size = self.inner.size(&read.job(source, job), cancel)?;
        size.threads = read.of_threads();
        Ok(size)
    }
}

impl Rounds<'_> {
    /// Searches infinite runs if `loops`, else finite ones.
    fn part(&self, job: &Job, loops: bool, cancel: &Cancel) -> Finished {
        let failed = |failure| Finished {
            result: Err(failure),
            usage: Usage::default(),
            command: String::new(),
        };
        let refused = |message: String| failed(Failure::Refused { message });
        let directory = match backend::Scratch::new() {
            Ok(directory) => directory,
            Err(error) => return refused(error.to_string()),
        };
        let wide = self.wants_memory.load(Ordering::Relaxed);
        let begin = Instant::now();
        let (source, read) = match self.sequential(job, loops, directory.path(), cancel) {
            Ok(made) => made,
            Err(failure) => return failed(failure),
        };
        if self.gate.is_some_and(|opens| !opens(read.goes_further)) {
            return failed(Failure::Cancelled);
        }
        let rest = lasso::later(read.job(source, job), begin);
        let mut finished = self.inner.run(&rest, cancel);
        if !wide && read.guesses_memory && gets_nowhere(&finished) {
            self.wants_memory.store(true, Ordering::Relaxed);
            return self.part(job, loops, cancel);
        }
        if let Ok(answer) = &mut finished.result {
            read.answer(job, answer);
        }
        finished
    }
}

/// Whether no run comes to its end.
fn gets_nowhere(finished: &Finished) -> bool {
    let end = Asserted::End.to_string();
    let answer = finished.result.as_ref().ok();
    answer.is_some_and(|a| a.outcomes.get(&end) == Some(&backend::Outcome::Holds))
}

#[cfg(test)]
mod tests {
    use super::is_called;

    #[test]
    fn calls_are_told_from_definitions() {
        let defined = "static void ba_cut(unsigned ba_site) { }";
        assert!(!is_called(defined, "ba_cut"));
        assert!(is_called(&format!("{defined} ba_cut(3);"), "ba_cut"));
        let stops = format!("#define STOP(n) do {{ ba_cut(n); }} while (0)\n{defined}\n");
        assert!(!is_called(&stops, "ba_cut"));
        assert!(is_called(&format!("{stops}STOP(3);"), "ba_cut"));
    }
}
