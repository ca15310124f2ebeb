//! What all parts of a verification work with: its options, and a run of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use backend::{Backend, Cancel, Failure, Job, Usage};
use weave::assertion::Asserted;
use weave::check;
use weave::record::{PropertyRecord, Record};

use crate::needed::Needed;
use crate::result::{
    BackendInfo, Explored, Premises, PropertyResult, Schedules, Undefined, Verdict, VerifyResult,
};

/// How the levels of the lattice are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Levels {
    /// What is faster for the program and its monitors.
    #[default]
    Auto,
    /// One run for each level, in parallel.
    Separate,
    /// One run for all.
    Together,
}

/// For which verdicts a trace is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceWish {
    /// For ⊥ and ⊥ᵖ.
    #[default]
    Violations,
    /// For every verdict that some run has.
    Always,
    /// For none.
    Never,
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
    /// When all runs have to be over.
    pub deadline: Option<Instant>,
    /// Whether smaller bounds are asked first, so that something is known soon.
    pub climbs: bool,
    /// Memory limit of each run, in MiB.
    pub memory_mib: Option<u64>,
    /// The bound of loops and recursions; the record's where not given.
    pub unwind: Option<u32>,
    /// Bounds of single loops and functions, by label or function name.
    pub unwindset: BTreeMap<String, u32>,
    /// For which verdicts there is a trace.
    pub trace: TraceWish,
    /// The program's objects at file scope, whose writes are steps of a run that others can see.
    pub watched: Vec<String>,
    /// Functions without a body that give nothing: a model that leaves them out chooses no value for them.
    pub silent: Vec<String>,
    /// Whether traces show the propositions of all properties, not only of their own.
    pub all_propositions: bool,
    /// Whether traces show all such steps.
    pub full_traces: bool,
    /// Where a native run chooses inputs from that nobody gives.
    pub seed: u64,
    /// Rounds of threads at most, where the backend gets sequentialised programs.
    pub rounds: Option<u32>,
    /// Switches from each thread to another at most, where the backend can bound them.
    pub context_bound: Option<u32>,
    /// `tso` or `pso`, where the backend has weak memory; sequential consistency without.
    pub memory_model: Option<String>,
    /// Arguments for the backend, as they are.
    pub extra_args: Vec<String>,
    /// Further files of the program, linked with the first.
    pub linked: Vec<PathBuf>,
}

/// A run that begins when the time is over has so long.
const LAST: Duration = Duration::from_millis(100);

impl Options {
    /// How long a run that begins now may take.
    pub fn time_left(&self) -> Option<Duration> {
        let left = |at: Instant| at.saturating_duration_since(Instant::now()).max(LAST);
        let left = self.deadline.map(left);
        [self.timeout, left].into_iter().flatten().min()
    }

    /// Which schedules of a program's threads are explored; none where it has no threads or nothing
    /// is searched.
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

    /// A record's assumptions under the memory model that was asked for.
    pub fn assumptions(&self, record: &Record) -> Vec<String> {
        let mut assumptions = record.assumptions.clone();
        if let (Some(model), true) = (&self.memory_model, record.threads) {
            let memory = assumptions.iter_mut().filter(|a| *a == weave::SEQUENTIAL);
            memory.for_each(|a| *a = format!("threads interleave, with the memory model {model}"));
        }
        assumptions
    }
}

/// The levels below ⊤, each with the bit of its assertions.
pub(crate) const LEVELS: [(Verdict, u32); 3] = [
    (Verdict::FALSE, check::FALSE),
    (Verdict::PRESUMABLY_FALSE, check::PRESUMABLY_FALSE),
    (Verdict::PRESUMABLY_TRUE, check::PRESUMABLY_TRUE),
];
/// A woven program, and by whom and how it is verified.
#[derive(Clone, Copy)]
pub struct Verification<'a> {
    /// What the program tells of itself.
    pub record: &'a Record,
    /// The file that it stands in; further ones are among the options.
    pub source: &'a Path,
    /// The model checker.
    pub backend: &'a dyn Backend,
    /// How it is run.
    pub options: &'a Options,
    /// Ends the runs early, from another thread.
    pub cancel: &'a Cancel,
}

/// What all parts of a verification work with.
pub(crate) struct Run<'a> {
    pub record: &'a Record,
    pub source: &'a Path,
    pub backend: &'a dyn Backend,
    pub options: &'a Options,
    pub cancel: &'a Cancel,
    pub progress: &'a (dyn Fn(&str) + Sync),
    /// What the runs found out about loops that the backend cuts.
    pub needed: Needed,
    /// Where some run uses an object after its end, once that was asked.
    pub outlived: OnceLock<Vec<Undefined>>,
}

/// What is taken for granted where the backend switches threads between statements only.
const STATEMENTS: &str = "no other thread runs between two reads of one expression, or between a call and the storing of its value";

/// That only some schedules were explored.
fn rounds_assumed(rounds: u32) -> String {
    let times = match rounds {
        1 => "1 round".to_owned(),
        n => format!("at most {n} rounds"),
    };
    format!("threads take turns in {times}, in each of which every thread runs once, however long; a run that is not over then counts only if its word is false already")
}

impl<'a> Run<'a> {
    /// A verification of which nothing is known yet, and which tells nobody what it does.
    pub fn new(of: &Verification<'a>) -> Self {
        Run {
            record: of.record,
            source: of.source,
            backend: of.backend,
            options: of.options,
            cancel: of.cancel,
            progress: &|_| {},
            needed: Needed::default(),
            outlived: OnceLock::new(),
        }
    }
}

impl Run<'_> {
    /// A result in which every property is still without an answer.
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

    /// The bound for the backend itself: a loop is cut by the program in its iteration K + 1, and a
    /// backend counts one more to see that it ends.
    fn backend_unwind(&self) -> u32 {
        let single = self.record.bounds.iter().filter_map(|b| b.value);
        let highest = single
            .chain(self.options.unwindset.values().copied())
            .chain([self.unwind()])
            .max();
        highest.unwrap_or(1).saturating_add(2)
    }

    /// The record's assumptions, under the options of this run.
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

    /// An emitted macro as it is called in this program.
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
        defines
    }

    pub fn job(&self, mask: u32) -> Job {
        let mut job = Job::new(self.source);
        job.linked = self.options.linked.clone();
        job.defines = self.defines(mask);
        job.unwind = Some(self.backend_unwind());
        job.timeout = self.options.time_left();
        job.memory_mib = self.options.memory_mib;
        job.threads = self.record.threads;
        job.thread_locals = self.record.thread_locals.clone();
        job.extra_args = self.options.extra_args.clone();
        job.context_bound = self.options.context_bound;
        job.memory_model = self.options.memory_model.clone();
        job.dialect = self.record.dialect.clone();
        job.outside = self.record.outside.clone();
        job.infix = self.record.infix.clone();
        job.seed = self.options.seed;
        job
    }

    /// What of the program's runs an exploration without a mistake sees.
    pub fn explored(&self) -> Explored {
        Explored {
            threads: self.record.threads,
            some_schedules: self.record.threads
                && self.options.schedules(self.record, self.backend) != Some(Schedules::All),
        }
    }

    pub fn wants_trace(&self, result: &PropertyResult) -> bool {
        match self.options.trace {
            TraceWish::Never => false,
            TraceWish::Violations => result.answer.verdict.is_violation(),
            TraceWish::Always => !matches!(result.answer.verdict, Verdict::Unknown),
        }
    }
}

/// The text of a property's assertion for a level.
pub(crate) fn assertion(property: &str, level: Verdict) -> String {
    Asserted::Level(property, level.name()).to_string()
}

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

/// What a failure means for the levels that it left open.
pub(crate) fn advice(failure: &Failure) -> String {
    match failure {
        Failure::Timeout { .. } => format!("{failure}; raise --timeout or lower --unwind"),
        Failure::MemoryOut { .. } => format!("{failure}; raise --memory or lower --unwind"),
        _ => failure.to_string(),
    }
}
