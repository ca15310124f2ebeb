//! Threads by rounds: a model checker that reads each threaded program as a sequential one, which has
//! its runs of at most so many rounds.

mod lasso;
mod lines;

use std::path::{Path, PathBuf};

use backend::{
    Answer, Backend, Cancel, Coverage, Failure, Finished, Job, Location, Outcome, Program,
    StepKind, TraceStep, Usage, Value,
};
use cfront::preprocess::{preprocess, MacroOption, Options as PreprocessOptions};
use sequentialise::{sequentialise, Hooks, Options, Sequential};
use verify::indeterminate::{self, Question};
use verify::result::RestsOn;

/// A model checker behind a sequentialisation. Programs without threads go to it as they are.
pub struct Rounds {
    inner: Box<dyn Backend>,
    /// How many rounds a run has at most.
    rounds: u32,
    /// Whether waiting for a condition may end without a signal.
    spurious_wakeups: bool,
    /// Which infinite runs count.
    fairness: sequentialise::Fairness,
    /// The preprocessor's command.
    cpp: String,
}

/// The macro with which an emitted program is in the form that is sequentialised, without the
/// beginning `BA_` and what sets emitted names apart.
const DIALECT: &str = "ROUNDS";

/// The assertion that fails where some thread is cut.
const CUT: &str = "baproduct:cut";

/// More positions in all threads than this are refused: no model checker gets to their end.
const MOST_POSITIONS: usize = 20_000;

/// More threads than this are refused.
const MOST_THREADS: usize = 64;

impl Rounds {
    /// A model checker that gets the runs of so many rounds.
    pub fn new(inner: Box<dyn Backend>, rounds: u32, weaving: &crate::options::Weaving) -> Rounds {
        Rounds {
            inner,
            rounds,
            spurious_wakeups: weaving.spurious_wakeups,
            fairness: sequentialise::Fairness::default(),
            cpp: weaving.preprocessor.cpp.clone(),
        }
    }

    /// Which infinite runs count, if they are searched.
    #[must_use]
    pub fn fair(self, fairness: sequentialise::Fairness) -> Rounds {
        Rounds { fairness, ..self }
    }

    /// The sequential program, beside the threaded one, and what its names mean.
    fn sequential(
        &self,
        job: &Job,
        loops: bool,
        directory: &Path,
    ) -> Result<(PathBuf, Read), String> {
        if !job.linked.is_empty() {
            return Err(
                "programs of several files are not sequentialised; use --schedules all".into(),
            );
        }
        let named = |name: &str| format!("ba_{}{name}", job.infix);
        let mut macros: Vec<MacroOption> = job.defines.iter().map(defined).collect();
        let dialect = format!("BA_{}{DIALECT}", job.infix);
        macros.push(MacroOption::Define(dialect));
        let how = PreprocessOptions {
            command: Some(self.cpp.clone()),
            std: Some(
                job.dialect
                    .clone()
                    .unwrap_or_else(|| crate::options::DEFAULT_STD.into()),
            ),
            macros,
            ..PreprocessOptions::default()
        };
        let source = preprocess(&job.source, &how)
            .map_err(|e| e.to_string())?
            .source;
        let mut unit = cfront::Unit::parse_all(vec![source]).map_err(|d| messages(&d))?;
        if let Some(text) = with_values(&unit, job) {
            let source = cfront::Source::from_bytes(text);
            unit = cfront::Unit::parse_all(vec![source]).map_err(|d| messages(&d))?;
        }
        // Emitted programs say how often loops are followed; what else there is goes by the same.
        let bound = format!("BA_{}UNWIND", job.infix);
        let bounds = job.defines.iter().filter(|(name, _)| *name == bound);
        let unwind = bounds
            .filter_map(|(_, k)| k.parse().ok())
            .next()
            .unwrap_or(1);
        let options = Options {
            rounds: self.rounds,
            unwind,
            recursion: unwind,
            max_positions: MOST_POSITIONS,
            max_threads: MOST_THREADS,
            spurious_wakeups: self.spurious_wakeups,
            expand_headers: self.inner.capabilities().own_headers,
            // Whoever checks bounds has to see them.
            exact_memory: job.safety || job.avoids_undefined,
            tells: job.traces != backend::Traces::None,
            hooks: Hooks {
                over: named("rounds_over"),
                cut: named("cut"),
                stopped: named("rounds_stopped"),
            },
            lasso: loops.then(|| lasso::options(self.fairness, &named)),
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
        let mut read = Read::new(&made, &lines);
        read.uncut = !is_called(&String::from_utf8_lossy(&made.text), &named("cut"));
        Ok((file, read))
    }
}

/// Whether a text calls a function, in a macro that it uses or without one. Definitions and
/// declarations of functions without result are no calls.
fn is_called(text: &str, function: &str) -> bool {
    let mut names = vec![format!("{function}(")];
    let macros: Vec<&str> = text
        .lines()
        .filter_map(|l| l.strip_prefix("#define "))
        .collect();
    // A macro may stand in front of one that it uses.
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

/// The text with checks of values that nothing gave, where the job asks for them.
fn with_values(unit: &cfront::Unit, job: &Job) -> Option<Vec<u8>> {
    let word = indeterminate::VALUES.trim_start_matches("BA_");
    let macro_name = format!("BA_{}{word}", job.infix);
    job.defines.iter().find(|(name, _)| *name == macro_name)?;
    let asked = match job.avoids_undefined {
        true => Question::Assumed,
        false => Question::Told,
    };
    let edits = indeterminate::checks(unit, asked).ok()?;
    (!edits.is_empty()).then(|| edits.splice(&unit.source.bytes))
}

fn defined((name, value): &(String, String)) -> MacroOption {
    MacroOption::Define(match value.as_str() {
        "" => name.clone(),
        value => format!("{name}={value}"),
    })
}

/// Diagnostics as one text, each with its place.
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

impl Backend for Rounds {
    fn program(&self) -> &Program {
        self.inner.program()
    }

    fn capabilities(&self) -> backend::Capabilities {
        self.inner.capabilities()
    }

    fn cut_loop(&self, failure: &backend::OtherFailure) -> Option<String> {
        self.inner.cut_loop(failure)
    }

    fn run(&self, job: &Job, cancel: &Cancel) -> Finished {
        if !job.threads {
            return self.inner.run(job, cancel);
        }
        let begin = std::time::Instant::now();
        let split = lasso::Split::of(job);
        // Infinite runs come first: loops are not unrolled for them, so that they take less, and a program that
        // goes on for ever has little else to show.
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
        let made = self.sequential(job, false, directory.path());
        let (source, read) = made.map_err(refused)?;
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
        let made = self.sequential(job, false, directory.path());
        let (source, read) = made.map_err(refused)?;
        let mut size = self.inner.size(&read.job(source, job), cancel)?;
        size.threads = read.of_threads();
        Ok(size)
    }
}

impl Rounds {
    /// Asks about runs that end, or about infinite ones.
    fn part(&self, job: &Job, loops: bool, cancel: &Cancel) -> Finished {
        let refused = |message: String| Finished {
            result: Err(Failure::Refused { message }),
            usage: Usage::default(),
            command: String::new(),
        };
        let directory = match backend::Scratch::new() {
            Ok(directory) => directory,
            Err(error) => return refused(error.to_string()),
        };
        let (source, read) = match self.sequential(job, loops, directory.path()) {
            Ok(made) => made,
            Err(message) => return refused(message),
        };
        let mut finished = self.inner.run(&read.job(source, job), cancel);
        if let Ok(answer) = &mut finished.result {
            read.answer(job, answer);
        }
        finished
    }
}

/// The name that the user's program has for a function; nothing for those of threads.
fn users(function: String) -> Option<String> {
    match function.strip_prefix("ba_seq_whole_") {
        Some(name) => Some(name.to_owned()),
        None => Some(function).filter(|f| !f.starts_with("ba_seq_thread_")),
    }
}

/// What the names and numbers of a sequential program mean.
struct Read {
    /// For each position: its thread, its number there, where it is, what stands there, whether a
    /// thread may have to wait there.
    positions: Vec<Place>,
    /// Whether nothing is ever cut: the bounds are those that the program has. Then the assertion about
    /// it stands in a function that nothing calls, and model checkers leave it out.
    uncut: bool,
    /// The position of each thread when it is cut.
    cuts: Vec<u32>,
    /// The name of each local object in the sequential program, and as the user's function has it.
    locals: std::collections::HashMap<String, String>,
}

/// A position.
struct Place {
    thread: u32,
    index: u32,
    file: String,
    line: u32,
    what: String,
    waits: bool,
}

impl Place {
    /// What a thread that stands here would do next, or waits for; empty where the text is not the user's: the
    /// place says it then.
    fn words(&self) -> String {
        let shown = self.what.split("{ __baproduct_bound(").next();
        let shown = shown.unwrap_or_default().trim();
        if shown.len() < 2 || shown.starts_with("__VERIFIER_atomic_") {
            return String::new();
        }
        let waits = ["for ", "until "].iter().any(|w| shown.starts_with(w));
        // A loop is no wait.
        let waits = waits && !shown.starts_with("for (");
        match waits {
            _ if is_emitted(shown) => String::new(),
            true => format!("it waits {shown}"),
            false => format!("next is `{shown}`"),
        }
    }
}

/// Whether a text has parts that nobody has written like that: models and monitors in the place of calls, or line
/// markers of a macro's expansion.
fn is_emitted(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word.starts_with("ba_") || word.starts_with("BA_") || word == "__extension__")
        || text.starts_with("# ")
        || text.contains(" # ")
}

impl Read {
    fn new(made: &Sequential, line: &dyn Fn(cfront::Span) -> (String, u32)) -> Read {
        let place = |p: &sequentialise::Position| {
            let (file, line) = line(p.span);
            Place {
                thread: p.thread,
                index: p.index,
                file,
                line,
                what: p.what.clone(),
                waits: p.waits,
            }
        };
        let local =
            |l: &sequentialise::Local| (l.name.clone(), format!("{}::{}", l.function, l.original));
        Read {
            uncut: false,
            cuts: made.threads.iter().map(|t| t.cut).collect(),
            positions: made.positions.iter().map(place).collect(),
            locals: made.locals.iter().map(local).collect(),
        }
    }

    /// The job for the sequential program that stands in a file.
    fn job(&self, source: PathBuf, threaded: &Job) -> Job {
        Job {
            source,
            defines: Vec::new(),
            threads: false,
            // What wakes threads goes over all of them.
            unwind: threaded.unwind.map(|k| k.max(self.cuts.len() as u32 + 2)),
            thread_locals: Vec::new(),
            context_bound: None,
            ..threaded.clone()
        }
    }

    /// How many places each thread has at which it can be interrupted.
    fn of_threads(&self) -> Vec<backend::Positions> {
        let thread = |number: usize| {
            let thread = number as u32;
            let own = || self.positions.iter().filter(|p| p.thread == thread);
            backend::Positions {
                thread,
                all: own().count() as u64,
                waits: own().filter(|p| p.waits).count() as u64,
            }
        };
        (0..self.cuts.len()).map(thread).collect()
    }

    /// Makes an answer one about the threaded program.
    fn answer(&self, job: &Job, answer: &mut Answer) {
        if self.uncut && job.selection.wants(CUT) {
            answer.outcomes.entry(CUT.into()).or_insert(Outcome::Holds);
        }
        for other in &mut answer.other_failures {
            // The functions of threads have names of their own; the place is the user's.
            let function = other.location.function.take();
            other.location.function = function.and_then(users);
        }
        for trace in answer.traces.values_mut() {
            *trace = self.threaded(std::mem::take(trace));
        }
    }

    /// The steps of a trace as those of threads, with the beginning and the end of each context.
    fn threaded(&self, steps: Vec<TraceStep>) -> Vec<TraceStep> {
        let mut told = Told::default();
        let mut out = Vec::new();
        for mut step in steps {
            match &mut step.kind {
                StepKind::Assignment { lhs, value } => {
                    if let Some(number) = value.number.and_then(|n| u32::try_from(n).ok()) {
                        if told.notes(lhs, number, self, &mut out) {
                            continue;
                        }
                    }
                    if let Some(model) = lhs.strip_prefix("ba_seq_told_").and_then(told_by) {
                        let at = step.location.clone();
                        let object = match value.text.as_str() {
                            "NULL" | "0" => String::new(),
                            named => named.to_owned(),
                        };
                        out.extend(called(model, &object, told.thread, &at));
                        continue;
                    }
                    if lhs.starts_with("ba_seq_") && !self.renames(lhs) {
                        continue;
                    }
                }
                // The functions of threads have names of their own; the place is the user's.
                StepKind::Violation { .. } => {
                    let function = step.location.function.take();
                    step.location.function = function.and_then(users);
                }
                // Threads tell it themselves, also where the model is left out.
                StepKind::Call { function } | StepKind::Return { function }
                    if TELLING.contains(&function.as_str()) =>
                {
                    continue;
                }
                StepKind::Call { function } if function.ends_with("rounds_over") => {
                    told.ends(self, &mut out);
                }
                StepKind::Call { function } if function.ends_with("rounds_again") => {
                    told.repeats(self, &mut out);
                }
                StepKind::Call { function } if function == "ba_seq_look" => told.looks = true,
                StepKind::Return { function } if function == "ba_seq_look" => told.looks = false,
                // From here on one looks who could go on.
                StepKind::Call { function } if function == "ba_seq_finish" => told.over = true,
                _ => {}
            }
            step.thread = Some(told.thread);
            out.push(step);
        }
        out
    }

    /// Gives a local object the name that it has in the user's program.
    fn renames(&self, lhs: &mut String) -> bool {
        let end = lhs.find(['.', '[']).unwrap_or(lhs.len());
        let Some(name) = self.locals.get(&lhs[..end]) else {
            return false;
        };
        *lhs = format!("{name}{}", &lhs[end..]);
        true
    }

    /// The position at which a thread stands.
    fn place(&self, thread: u32, index: u32) -> Option<&Place> {
        let mut places = self.positions.iter();
        places.find(|p| p.thread == thread && p.index == index)
    }
}

/// What the variables of a sequential program's schedule say.
#[derive(Default)]
struct Told {
    thread: u32,
    round: u32,
    /// Whether the last context is over.
    over: bool,
    /// Where each thread stands.
    at: std::collections::BTreeMap<u32, u32>,
    /// Whether one looks who waits: then the schedule does not go on.
    looks: bool,
    /// The threads that have taken a step since the state was saved.
    steps: std::collections::BTreeSet<u32>,
    /// Those that have been started, beside the main one.
    started: std::collections::BTreeSet<u32>,
    /// Those that were seen able to go on since then.
    able: std::collections::BTreeSet<u32>,
    /// What else the loop rests on since then, and the thread of which it is said.
    rests: std::collections::BTreeSet<(u32, u32)>,
}

impl Told {
    /// Notes a variable of the schedule; whether it is one.
    fn notes(&mut self, name: &str, value: u32, read: &Read, out: &mut Vec<TraceStep>) -> bool {
        if let Some(thread) = indexed(name, "ba_seq_en") {
            match value {
                0 => self.able.remove(&thread),
                _ => self.able.insert(thread),
            };
            return true;
        }
        match name {
            _ if (self.over || self.looks) && name.starts_with("ba_seq_") => {}
            "ba_seq_saved" => {
                self.steps.clear();
                self.rests.clear();
                out.push(step(self.thread, verify::LOOP, None, self.round));
            }
            "ba_seq_now" => {
                self.thread = value;
                out.push(step(self.thread, verify::ROUND, None, self.round));
            }
            "ba_seq_round" => self.round = value,
            "ba_seq_cs" => {}
            _ => {
                if let Some(thread) = indexed(name, "ba_seq_on") {
                    if value != 0 {
                        self.started.insert(thread);
                    }
                    return true;
                }
                if let Some(on) = noted(name) {
                    self.rests
                        .extend(value.checked_sub(1).map(|t| (on.number(), t)));
                    return true;
                }
                if let (Some(thread), true) = (indexed(name, "ba_seq_step"), value != 0) {
                    self.steps.insert(thread);
                    return true;
                }
                let Some(thread) = indexed(name, "ba_seq_pc") else {
                    return false;
                };
                let before = self.at.insert(thread, value).unwrap_or(0);
                let begins = |s: &TraceStep| matches!(&s.kind, StepKind::Assignment { lhs, .. } if lhs == verify::ROUND);
                if before == value && out.last().is_some_and(begins) {
                    // An empty context.
                    out.pop();
                    return true;
                }
                let place = read.place(thread, value);
                let cut = u32::from(read.cuts.get(thread as usize) == Some(&value));
                out.push(step(thread, verify::STOPPED, place, cut));
            }
        }
        true
    }

    /// The state is the saved one again: who takes no step in the loop.
    fn repeats(&mut self, read: &Read, out: &mut Vec<TraceStep>) {
        let idle = self
            .at
            .iter()
            .filter(|(thread, _)| **thread == 0 || self.started.contains(thread))
            .filter(|(thread, _)| !self.steps.contains(thread));
        let places = idle.filter_map(|(&thread, &index)| read.place(thread, index));
        let mut rests = self.rests.clone();
        for place in places {
            let waits = u32::from(place.waits);
            out.push(step(place.thread, verify::STARVES, Some(place), waits));
            if place.waits && self.able.contains(&place.thread) {
                rests.insert((RestsOn::Order.number(), place.thread));
            }
        }
        for (on, thread) in rests {
            out.push(step(thread, verify::RESTS, None, on));
        }
    }

    /// The run ends because nobody goes on: who waits does so for good.
    fn ends(&self, read: &Read, out: &mut Vec<TraceStep>) {
        let standing = self.at.iter();
        let places = standing.filter_map(|(&thread, &index)| read.place(thread, index));
        for place in places.filter(|p| p.waits) {
            out.push(step(place.thread, verify::WAITING, Some(place), self.round));
        }
    }
}

/// The models of what threads tell in any case.
const TELLING: [&str; 4] = [
    "ba_seq_lock",
    "ba_seq_unlock",
    "ba_seq_spin_lock",
    "ba_seq_spin_unlock",
];

/// The model that does what a thread tells, by the name of the variable by which it is told.
fn told_by(name: &str) -> Option<&'static str> {
    Some(match name {
        "take" => "ba_seq_lock",
        "give" => "ba_seq_unlock",
        "sleep" => "ba_seq_cond_sleep",
        "wake" => "ba_seq_cond_wait",
        "signal" => "ba_seq_cond_signal",
        "broadcast" => "ba_seq_cond_broadcast",
        "arrive" => "ba_seq_barrier_wait",
        "join" => "ba_join_pthread",
        "start" => "ba_spawn",
        _ => return None,
    })
}

/// The steps of a call of a model.
fn called(model: &str, object: &str, thread: u32, at: &Location) -> [TraceStep; 3] {
    let function = || model.to_owned();
    let kinds = [
        StepKind::Call {
            function: function(),
        },
        StepKind::Assignment {
            lhs: "ba_m".into(),
            value: Value {
                text: object.to_owned(),
                number: None,
            },
        },
        StepKind::Return {
            function: function(),
        },
    ];
    kinds.map(|kind| TraceStep {
        thread: Some(thread),
        location: at.clone(),
        kind,
    })
}

/// What a model notes, by the name of its variable.
fn noted(name: &str) -> Option<RestsOn> {
    match name.strip_prefix("ba_seq_noted_")? {
        "late" => Some(RestsOn::Timeout),
        "spurious" => Some(RestsOn::SpuriousWakeup),
        "chosen" => Some(RestsOn::AnyWaiter),
        _ => None,
    }
}

/// The element of an array that a name means, as `pc[2]` or `pc[2l]`.
fn indexed(name: &str, array: &str) -> Option<u32> {
    let inner = name.strip_prefix(array)?.strip_prefix('[')?;
    let digits = inner
        .trim_end_matches(']')
        .trim_end_matches(['l', 'L', 'u', 'U']);
    digits.parse().ok()
}

/// A step that says something of the schedule.
fn step(thread: u32, name: &str, place: Option<&Place>, number: u32) -> TraceStep {
    TraceStep {
        thread: Some(thread),
        location: place.map_or_else(Location::default, |p| Location {
            file: Some(p.file.clone()),
            line: Some(p.line),
            function: None,
        }),
        kind: StepKind::Assignment {
            lhs: name.to_string(),
            value: Value {
                text: place.map_or_else(String::new, Place::words),
                number: Some(i128::from(number)),
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{indexed, is_called, is_emitted};

    #[test]
    fn the_users_text_is_told_from_what_is_emitted() {
        assert!(is_emitted("while ( # 13 \"t.c\" 3 4 (lock))"));
        assert!(is_emitted("ba_old = *ba_at; *ba_at = 1;"));
        assert!(!is_emitted("while (tabs_of(n) != 0)"));
        assert!(!is_emitted("for the end of thread p"));
    }

    #[test]
    fn calls_are_told_from_definitions() {
        let defined = "static void ba_cut(unsigned ba_site) { }";
        assert!(!is_called(defined, "ba_cut"));
        assert!(is_called(&format!("{defined} ba_cut(3);"), "ba_cut"));
        let stops = format!("#define STOP(n) do {{ ba_cut(n); }} while (0)\n{defined}\n");
        assert!(!is_called(&stops, "ba_cut"));
        assert!(is_called(&format!("{stops}STOP(3);"), "ba_cut"));
    }

    #[test]
    fn elements_are_read_as_model_checkers_write_them() {
        assert_eq!(indexed("ba_seq_pc[2l]", "ba_seq_pc"), Some(2));
        assert_eq!(indexed("ba_seq_pc[12]", "ba_seq_pc"), Some(12));
        assert_eq!(indexed("ba_seq_pc", "ba_seq_pc"), None);
        assert_eq!(indexed("ba_seq_cs", "ba_seq_pc"), None);
    }
}
