//! The inputs that all parts of a verification share: program, backend, options, cancellation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use backend::{Backend, Cancel, Failure, Job, Usage};
use weave::assertion::Asserted;
use weave::check;
use weave::heads::bound_at;
use weave::record::{PropertyRecord, Record};

use crate::job::job_for;
use crate::needed::Needed;
use crate::result::{
    BackendInfo, Explored, Premises, PropertyResult, Schedules, Undefined, Verdict, VerifyResult,
};

/// How many runs ask for the levels of the lattice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Levels {
    /// The choice that is faster for the program and its monitors.
    #[default]
    Auto,
    /// One run for each level, in parallel.
    Separate,
    /// One run for all.
    Together,
}

/// The verdicts that get a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceWish {
    /// For ⊥ and ⊥ᵖ.
    #[default]
    Violations,
    /// For every verdict that some run has.
    Always,
    /// For none. Whether a violation rests on undefined behaviour is asked all the same.
    Never,
    /// For none, and violations are taken as they are found: they are no answers about the program.
    Unchecked,
}

/// How a verification is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The levels.
    pub levels: Levels,
    /// Processes at a time; 0 means as many as there are cores.
    pub jobs: usize,
    /// Wall-clock limit of each run.
    pub timeout: Option<Duration>,
    /// The time at which all runs must be over.
    pub deadline: Option<Instant>,
    /// Whether smaller bounds are tried first, to have an early answer.
    pub climbs: bool,
    /// Memory limit of each run, in MiB.
    pub memory_mib: Option<u64>,
    /// The bound of loops and recursions; by default the record's.
    pub unwind: Option<u32>,
    /// Bounds of single loops and functions, by label or function name.
    pub unwindset: BTreeMap<String, u32>,
    /// Bounds of single loops, by the site where they are cut, in a program that is woven for a search
    /// ([`weave::heads::bound_at`]).
    pub bounds_at: BTreeMap<usize, u32>,
    /// Whether loops that count to a small constant are followed to their ends, whatever bound other loops have.
    pub follows_counts: bool,
    /// The verdicts that get a trace.
    pub trace: TraceWish,
    /// The program's objects at file scope; writes to them are steps that other threads can see.
    pub watched: Vec<String>,
    /// Functions without a body and effect: the model chooses no value for them.
    pub silent: Vec<String>,
    /// Whether traces show the propositions of all properties, not only of their own.
    pub all_propositions: bool,
    /// Whether coverage questions are asked besides the verdicts: which parts of formulas matter.
    pub shows: bool,
    /// Whether traces show all steps that other threads can see.
    pub full_traces: bool,
    /// The seed of inputs that a native run chooses itself.
    pub seed: u64,
    /// The greatest number of rounds, if the backend gets sequentialised programs.
    pub rounds: Option<u32>,
    /// The greatest number of switches away from each thread, if the backend can bound them.
    pub context_bound: Option<u32>,
    /// The memory model, of which the program has a model; `None` for sequential consistency.
    pub memory_model: Option<String>,
    /// Further arguments for the backend, unchanged.
    pub extra_args: Vec<String>,
    /// Further files of the program, linked with the first.
    pub linked: Vec<PathBuf>,
}

/// The time limit of a run that starts when the deadline has passed.
const LAST: Duration = Duration::from_millis(100);

impl Options {
    /// The time limit of a run that starts now.
    pub fn time_left(&self) -> Option<Duration> {
        let left = |at: Instant| at.saturating_duration_since(Instant::now()).max(LAST);
        let left = self.deadline.map(left);
        [self.timeout, left].into_iter().flatten().min()
    }

    /// The explored schedules of a program's threads; `None` if it has no threads or nothing is
    /// searched.
    pub fn schedules(&self, record: &Record, backend: &dyn Backend) -> Option<Schedules> {
        let can = backend.capabilities();
        let explored = match (self.rounds, self.context_bound) {
            (Some(rounds), _) => Schedules::Rounds(rounds),
            (None, Some(bound)) => Schedules::Switches(bound),
            (None, None) if can.switches_within => Schedules::All,
            (None, None) => Schedules::Statements,
        };
        (record.threads && can.searches).then_some(explored)
    }

    /// A record's assumptions under the chosen memory model.
    pub fn assumptions(&self, record: &Record) -> Vec<String> {
        let mut assumptions = record.assumptions.clone();
        let memory = assumptions.iter_mut().filter(|a| *a == weave::SEQUENTIAL);
        let told = match &self.memory_model {
            Some(model) => format!("threads interleave, with the memory model {model}"),
            None => format!("{}{}", weave::SEQUENTIAL, crate::result::NOT_ASKED),
        };
        memory.for_each(|a| told.clone_into(a));
        assumptions
    }
}

/// The levels below ⊤, each with the bit of its assertions.
pub(crate) const LEVELS: [(Verdict, u32); 3] = [
    (Verdict::FALSE, check::FALSE),
    (Verdict::PRESUMABLY_FALSE, check::PRESUMABLY_FALSE),
    (Verdict::PRESUMABLY_TRUE, check::PRESUMABLY_TRUE),
];
/// A woven program with the backend and options of its verification.
#[derive(Clone, Copy)]
pub struct Verification<'a> {
    /// The record in the program.
    pub record: &'a Record,
    /// The program's first file; further ones are among the options.
    pub source: &'a Path,
    /// The model checker.
    pub backend: &'a dyn Backend,
    /// The options.
    pub options: &'a Options,
    /// Ends the runs early, from another thread.
    pub cancel: &'a Cancel,
}

/// The inputs that all parts of a verification share, and what its runs have found out.
pub(crate) struct Run<'a> {
    pub record: &'a Record,
    pub source: &'a Path,
    pub backend: &'a dyn Backend,
    pub options: &'a Options,
    pub cancel: &'a Cancel,
    pub progress: &'a (dyn Fn(&str) + Sync),
    /// The bounds of loops that the backend cut.
    pub needed: Needed,
    /// Where some run does something undefined, once asked.
    pub possible: OnceLock<Vec<Undefined>>,
}

/// The assumption where the backend switches threads between statements only.
const STATEMENTS: &str = "no other thread runs between two reads of one expression, or between a call and the storing of its value";

/// The beginning of the assumption that only some schedules were explored.
const TURNS: &str = "threads take turns in ";

/// Whether an assumption is about the schedules of one search: a search of other schedules has
/// another one in its place.
pub(crate) fn is_about_schedules(assumption: &str) -> bool {
    assumption.starts_with(TURNS)
}

/// The assumption that only some schedules were explored.
fn rounds_assumed(rounds: u32) -> String {
    let times = match rounds {
        1 => "1 round".to_owned(),
        n => format!("at most {n} rounds"),
    };
    format!("{TURNS}{times}: in each round every thread runs once, for any number of steps; a run that is not over then counts only if it has already violated the formula for good")
}

impl<'a> Run<'a> {
    /// A verification without results and without progress messages.
    pub fn new(of: &Verification<'a>) -> Self {
        Run {
            record: of.record,
            source: of.source,
            backend: of.backend,
            options: of.options,
            cancel: of.cancel,
            progress: &|_| {},
            needed: Needed::default(),
            possible: OnceLock::new(),
        }
    }
}

impl Run<'_> {
    /// A result in which no property has an answer.
    pub fn result(&self, usage: Usage) -> VerifyResult {
        let program = self.backend.program();
        let unknown = |p: &PropertyRecord| PropertyResult::unknown(&p.name, &p.ltl, "no answer");
        VerifyResult {
            tool_version: self.record.version.clone(),
            properties: self.record.properties.iter().map(unknown).collect(),
            backend: BackendInfo {
                name: program.kind.name().to_string(),
                version: program.version.to_string(),
                runs: usage.runs,
                seconds: usage.seconds,
            },
            premises: Premises {
                unwind: Some(self.unwind()),
                schedules: self.options.schedules(self.record, self.backend),
                assumptions: self.assumptions(),
                rests_on: Vec::new(),
            },
            ..VerifyResult::default()
        }
    }

    fn unwind(&self) -> u32 {
        self.options.unwind.unwrap_or(self.record.unwind)
    }

    /// The sites of loops that are followed to their ends beyond the bound, and how often they run.
    fn counted(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let all = self
            .record
            .counted
            .iter()
            .map(|(site, times)| (*site, *times));
        let unwind = self.unwind();
        all.filter(move |(_, times)| self.options.follows_counts && *times > unwind)
    }

    /// The bound for the backend itself: the program cuts a loop in iteration K + 1, and a backend
    /// needs one more to see that the loop ends.
    fn backend_unwind(&self) -> u32 {
        let single = self.record.bounds.iter().filter_map(|b| b.value);
        let highest = single
            .chain(self.options.unwindset.values().copied())
            .chain(self.options.bounds_at.values().copied())
            .chain(self.counted().map(|(_, times)| times))
            .chain([self.unwind()])
            .max();
        highest.unwrap_or(1).saturating_add(2)
    }

    /// The record's assumptions under the options of this run.
    fn assumptions(&self) -> Vec<String> {
        let mut assumptions = self.options.assumptions(self.record);
        if !self.backend.capabilities().allocates {
            assumptions.retain(|a| !a.starts_with(weave::ALLOCATES));
        }
        if let (Some(rounds), true) = (self.options.rounds, self.record.threads) {
            assumptions.push(rounds_assumed(rounds));
        }
        let can = self.backend.capabilities();
        if can.searches
            && !can.switches_within
            && self.record.threads
            && self.options.rounds.is_none()
        {
            assumptions.push(STATEMENTS.to_owned());
        }
        if let Some(bound) = self.options.context_bound {
            assumptions.push(format!(
                "at most {bound} switches from each thread to another"
            ));
        }
        assumptions
    }

    /// The name of an emitted macro in this program.
    pub fn named(&self, name: &str) -> String {
        format!("BA_{}{}", self.record.infix, name.trim_start_matches("BA_"))
    }

    fn defines(&self, mask: u32) -> Vec<(String, String)> {
        let mut defines = vec![
            (self.named("BA_UNWIND"), self.unwind().to_string()),
            (self.named("BA_CHECK"), mask.to_string()),
        ];
        for (key, value) in &self.options.unwindset {
            let bounds = self.record.bounds.iter();
            let wanted = bounds.filter(|b| {
                b.label.as_ref() == Some(key) || (b.label.is_none() && b.function == *key)
            });
            defines.extend(wanted.map(|b| (self.named(&b.name), value.to_string())));
        }
        let own = self.options.bounds_at.iter().map(|(site, k)| (*site, *k));
        let own = own.chain(self.counted());
        defines.extend(own.map(|(site, k)| (self.named(&bound_at(site)), k.to_string())));
        defines
    }

    /// The job that checks the assertions of a mask (`BA_CHECK`).
    pub fn job(&self, mask: u32) -> Job {
        let mut job = job_for(self.record, self.source);
        job.linked = self.options.linked.clone();
        job.defines = self.defines(mask);
        job.unwind = Some(self.backend_unwind());
        job.timeout = self.options.time_left();
        job.memory_mib = self.options.memory_mib;
        job.threads = self.record.threads;
        job.thread_locals = self.record.thread_locals.clone();
        job.extra_args = self.options.extra_args.clone();
        job.context_bound = self.options.context_bound;
        job.seed = self.options.seed;
        job
    }

    /// The runs that an exploration within the bounds covers, as far as a property is concerned.
    pub fn explored(&self, property: &PropertyRecord) -> Explored {
        Explored {
            valid: property.is_valid(),
            threads: self.record.threads,
            some_schedules: self.record.threads
                && self.options.schedules(self.record, self.backend) != Some(Schedules::All),
        }
    }

    /// Whether violations have to stand: on a run that does nothing undefined before.
    pub fn checks_violations(&self) -> bool {
        self.options.trace != TraceWish::Unchecked
    }

    /// Whether the user wants a trace for this result.
    pub fn wants_trace(&self, result: &PropertyResult) -> bool {
        match self.options.trace {
            TraceWish::Never | TraceWish::Unchecked => false,
            TraceWish::Violations => result.answer.verdict.is_violation(),
            TraceWish::Always => !matches!(result.answer.verdict, Verdict::Unknown),
        }
    }
}

/// The text of a property's assertion for a level.
pub(crate) fn assertion(property: &str, level: Verdict) -> String {
    Asserted::Level(property, level.name()).to_string()
}

/// The levels of a mask, for messages.
pub(crate) fn names(mask: u32) -> String {
    let levels: Vec<&str> = LEVELS
        .iter()
        .filter(|(_, bit)| mask & bit != 0)
        .map(|(level, _)| level.symbol())
        .collect();
    match levels.is_empty() {
        true if mask & check::LASSO != 0 => "infinite runs".into(),
        true => "the ends of runs".into(),
        false => levels.join(", "),
    }
}

/// The message of a failure, with advice for the levels that it left open.
pub(crate) fn advice(failure: &Failure) -> String {
    match failure {
        Failure::Timeout { .. } => {
            format!("{failure}; raise --timeout or --budget, or lower --unwind")
        }
        Failure::MemoryOut { .. } => format!("{failure}; raise --memory or lower --unwind"),
        _ => failure.to_string(),
    }
}
