//! The command line of `verify`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::ValueEnum;
use forms::{Cause, Failure};
use question::{Settings, Threads, Wanted};
use sequentialise::memory::Model;
use sequentialise::Fairness;
use verify::result::FailOn;
use weave::record::Record;

use super::{fairness, selection};
use crate::options::Weaving;

/// The backends, by the names that they have on the command line.
pub fn backends() -> impl TypedValueParser<Value = backend::Kind> {
    let names = backend::Kind::ALL.map(|kind| match kind.advice().option {
        Some(about) => PossibleValue::new(kind.name()).help(about),
        None => PossibleValue::new(kind.name()),
    });
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// How the levels are asked.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LevelsName {
    /// One backend run for each level
    Separate,
    /// One run for all
    Together,
    /// The faster one
    Auto,
}

/// The form of the result.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
    Sarif,
    Junit,
    Csv,
}

/// Which verdicts fail.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailOnName {
    /// ⊥ and ⊥ᵖ
    Violation,
    /// ⊥ alone
    False,
    /// Formulas that some run violates for good: a ⊥ᵖ of a run that was merely cut does not count
    Refuted,
    /// ⊥ and ⊥ᵖ, and formulas of which a part does not matter to the verdict
    Vacuous,
}

/// How writes of a thread become visible to others.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryModelName {
    /// At once: sequential consistency
    Sc,
    /// In order, but late: total store order
    Tso,
    /// Late, in order for each object: partial store order
    Pso,
    /// As the orders of the program's atomic operations say
    C11,
}

impl MemoryModelName {
    /// The model, if it is weaker than sequential consistency.
    pub fn weaker(self) -> Option<Model> {
        match self {
            MemoryModelName::Sc => None,
            MemoryModelName::Tso => Some(Model::Tso),
            MemoryModelName::Pso => Some(Model::Pso),
            MemoryModelName::C11 => Some(Model::C11),
        }
    }
}

/// What a run shows.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TraceName {
    /// What changes a proposition
    Short,
    /// All steps that others can see: writes of objects at file scope, locks, waits
    Full,
}

/// How thoroughly to search for parts of formulas that do not matter.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VacuityName {
    /// None: nothing is asked besides the verdict
    None,
    /// Only those that the search for the verdict shows
    Plain,
    /// Every part of every formula that holds, by a search of its own; with --trace, a run of each in which a part matters
    Full,
}

/// The arguments.
#[derive(clap::Args, Debug, Clone)]
pub struct Args {
    /// The specification (JSON, or a property file .prp) and the C program; a task definition (.yml); a
    /// program with `//@ ltl` formulas in its comments; or a program that `instrument` wrote
    #[arg(
        required_unless_present = "compile_commands",
        value_name = "SPEC.json PROG.c | FILE.prp PROG.c | TASK.yml | PROG.c | OUT.c"
    )]
    pub(super) inputs: Vec<PathBuf>,
    /// Whether the state and the save points of infinite runs are found here, even if the specification declares some
    #[arg(skip)]
    pub(super) finds_state: bool,
    /// A formula instead of a specification, with C conditions in braces; again and again for several properties
    #[arg(long, value_name = "FORMULA")]
    pub(super) ltl: Vec<String>,
    /// The model checker
    #[arg(long, value_parser = backends(), default_value = "cbmc")]
    pub(super) backend: backend::Kind,
    /// The model checker's program, if it is not the one on the path
    #[arg(long, value_name = "PATH")]
    pub(super) backend_path: Option<PathBuf>,
    /// An argument for the model checker; for the program with --backend native
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub(super) backend_arg: Vec<String>,
    /// The seed with which --backend native chooses inputs without a source
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) weaving: Weaving,
    /// One backend run for each lattice level, or one for all
    #[arg(long, value_enum, default_value = "auto")]
    pub(super) levels: LevelsName,
    /// Backend processes at a time [default: as many as cores]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(super) jobs: usize,
    /// Wall-clock limit of a backend run
    #[arg(long, value_name = "SECONDS", value_parser = crate::options::seconds)]
    pub(super) timeout: Option<Duration>,
    /// Memory limit of the model checkers and searches that run at a time, together
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) memory: Option<u64>,
    /// The form of the result
    #[arg(long, value_enum, default_value = "text", overrides_with = "format")]
    pub(super) format: Format,
    /// For `watch`: tell in this directory which files the result depends on, and keep results there.
    #[arg(long, value_name = "DIR", hide = true)]
    pub watched: Option<PathBuf>,
    /// Write the table of properties to this file, too; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
    /// Write the report in every form into this directory, too
    #[arg(long, value_name = "DIR")]
    pub(super) report: Option<PathBuf>,
    /// Show a run for every verdict, not only for violations (for none if there are more than ten
    /// properties); with all steps that other threads can see, or with those that a formula speaks of
    #[arg(
        long,
        value_enum,
        value_name = "full|short",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "short",
        overrides_with = "no_trace"
    )]
    pub(super) trace: Option<TraceName>,
    /// Show no run
    #[arg(long, overrides_with = "trace")]
    pub(super) no_trace: bool,
    /// Write a witness (format 2.0) of the first violated property, for other verifiers to check
    #[arg(long, value_name = "FILE", conflicts_with = "no_trace")]
    pub(super) witness: Option<PathBuf>,
    /// Check the program's own assertions, bounds, pointers and arithmetic, too, in a run of its own
    #[arg(long)]
    pub(super) also_safety: bool,
    /// Search for data races, too; alone if no formula is given
    #[arg(long)]
    pub(super) races: bool,
    /// At most N switches from each thread to another (ESBMC)
    #[arg(long, value_name = "N")]
    pub(super) context_bound: Option<u32>,
    /// Which schedules of threads are explored: all; those of at most R rounds; or both searches in
    /// parallel, but only rounds if the model checker cannot search all [default: auto]
    #[arg(long, value_name = "all|rounds:R|auto")]
    pub(super) schedules: Option<Wanted>,
    /// Which infinite runs of threads count: all; those in which a thread that could always take a
    /// step takes some; or also one that infinitely often could [default: weak]
    #[arg(long, value_enum)]
    pub(super) fairness: Option<fairness::Name>,
    /// Wall-clock time of the command; the results by then are reported [default of `deepen`: 60]
    #[arg(long, value_name = "SECONDS", value_parser = crate::options::seconds)]
    pub(super) budget: Option<Duration>,
    /// How writes of a thread become visible to others
    #[arg(long, value_enum, default_value = "sc")]
    pub(super) memory_model: MemoryModelName,
    /// How thoroughly to search for parts of formulas that do not matter
    #[arg(long, value_enum, default_value = "plain")]
    pub(super) vacuity: VacuityName,
    #[command(flatten)]
    pub(super) many: selection::Options,
    /// Which verdicts give exit status 10
    #[arg(long, value_enum, default_value = "violation")]
    pub(super) fail_on: FailOnName,
}

/// The number of properties above which violations get no run without --trace: each run costs a run
/// of the model checker.
const MANY: usize = 10;

impl Args {
    /// The time limit of the command.
    pub fn budget(&self) -> Option<Duration> {
        self.budget
    }

    /// The file for a witness.
    pub fn witness(&self) -> Option<&Path> {
        self.witness.as_deref()
    }

    /// Which infinite runs of threads count.
    pub fn fairness(&self) -> Fairness {
        self.fairness.unwrap_or_default().into()
    }

    /// The assumption about infinite runs of threads.
    pub fn assumption(&self, record: &Record) -> Option<String> {
        question::fairness::assumption(self.fairness(), record)
    }

    /// How the question is asked.
    ///
    /// # Errors
    /// If a bound has another form, as wrong usage.
    pub fn settings(&self, properties: usize) -> anyhow::Result<Settings> {
        Ok(Settings {
            backend: self.backend,
            backend_path: self.backend_path.clone(),
            options: options_of(self, properties)?,
            threads: Threads {
                cpp: self.weaving.preprocessor.cpp.clone(),
                spurious_wakeups: self.weaving.spurious_wakeups,
                fairness: self.fairness(),
                schedules: self.schedules(),
                memory: self.memory_model.weaker(),
            },
            budget: self.budget,
            shows_runs: !self.no_trace,
            races: self.races,
            many: self.many.selection(),
        })
    }

    /// The requested schedules.
    pub(super) fn schedules(&self) -> Wanted {
        self.schedules.unwrap_or_default()
    }

    /// Whether the program is woven for sequentialisation.
    pub(super) fn can_be_sequentialised(&self) -> bool {
        self.schedules() != Wanted::All && (self.can_take_rounds() || self.weaving.lasso)
    }

    /// Whether the other options allow threads to take turns in rounds.
    pub(super) fn can_take_rounds(&self) -> bool {
        question::can_take_rounds(self.backend, self.context_bound, &self.many.selection())
    }

    /// Refuses options that the backend does not support.
    ///
    /// # Errors
    /// The option, and an alternative.
    pub fn supported(&self) -> anyhow::Result<()> {
        let can = self.backend.capabilities();
        let refuse = |option: &str, instead: &str| {
            let message = format!("{option} is not something this backend has; {instead}");
            Err(Failure::error(Cause::Usage, message))
        };
        if self.context_bound.is_some() && !can.context_bound {
            return refuse(
                "--context-bound",
                "CBMC looks at every interleaving, ESBMC can bound the switches",
            );
        }
        if self.also_safety && !can.checks {
            return refuse(
                "--also-safety",
                "an executed program stops at its assertions by itself; for its memory use a sanitizer of the compiler",
            );
        }
        if self.weaving.lasso && !can.searches {
            return refuse(
                "--lasso",
                "it executes one run and searches none; a model checker finds infinite runs, and `replay` executes them",
            );
        }
        if self.fail_on == FailOnName::Vacuous && self.vacuity == VacuityName::None {
            let message = "--fail-on vacuous needs what --vacuity none leaves out";
            return Err(Failure::error(Cause::Usage, message));
        }
        if self.memory_model != MemoryModelName::Sc && !can.searches {
            return refuse(
                "--memory-model",
                "it executes the program on this machine, with its memory",
            );
        }
        Ok(())
    }

    /// The files that the command line names, without directories.
    pub fn named_files(&self) -> Vec<PathBuf> {
        let lists = self.weaving.lists();
        let database = self.weaving.preprocessor.compile_commands.iter();
        let all = self.inputs.iter().chain(lists).chain(database);
        all.filter(|path| !path.is_dir()).cloned().collect()
    }

    /// The requested bounds; may be empty.
    pub fn bounds(&self) -> &[u32] {
        &self.many.bounds
    }

    /// The last of growing bounds; `None` if the user names none.
    pub fn last_bound(&self) -> Option<u32> {
        self.weaving.unwind
    }

    /// The selection of properties.
    pub fn many(&self) -> &selection::Options {
        &self.many
    }

    /// Whether the program's own checks are requested.
    pub fn wants_safety(&self) -> bool {
        self.also_safety
    }

    /// The verdicts that give exit status 10.
    pub fn fails_on(&self) -> FailOn {
        match self.fail_on {
            FailOnName::Violation => FailOn::Violation,
            FailOnName::False => FailOn::False,
            FailOnName::Refuted => FailOn::Refuted,
            FailOnName::Vacuous => FailOn::Vacuous,
        }
    }

    /// Changes the form of the monitor.
    pub fn set_monitor(&mut self, form: crate::options::MonitorForm) {
        self.weaving.monitor = form;
    }

    /// Makes these the arguments of a proof, which finds the state of infinite runs itself.
    pub fn find_state(&mut self) {
        self.finds_state = true;
    }

    /// Sets whether runs that repeat a state are searched.
    pub fn set_lasso(&mut self, lasso: bool) {
        self.weaving.lasso = lasso;
    }
}

pub(super) fn options(
    args: &Args,
    unwindset: BTreeMap<String, u32>,
    properties: usize,
) -> verify::Options {
    verify::Options {
        levels: match args.levels {
            LevelsName::Separate => verify::Levels::Separate,
            LevelsName::Together => verify::Levels::Together,
            LevelsName::Auto => verify::Levels::Auto,
        },
        jobs: args.jobs,
        timeout: args.timeout,
        deadline: None,
        climbs: false,
        memory_mib: args.memory,
        unwind: args.weaving.unwind,
        unwindset,
        bounds_at: BTreeMap::new(),
        follows_counts: false,
        trace: match (args.trace, args.no_trace) {
            (Some(_), _) => verify::TraceWish::Always,
            (_, true) => verify::TraceWish::Never,
            _ if properties > MANY && args.witness.is_none() => verify::TraceWish::Never,
            _ => verify::TraceWish::Violations,
        },
        watched: Vec::new(),
        silent: Vec::new(),
        all_propositions: false,
        shows: args.vacuity != VacuityName::None,
        full_traces: args.trace == Some(TraceName::Full),
        seed: args.seed,
        rounds: match args.schedules() {
            Wanted::Rounds(rounds) => Some(rounds),
            _ => None,
        },
        context_bound: args.context_bound,
        memory_model: args.memory_model.weaker().map(|m| m.name().to_owned()),
        extra_args: args.backend_arg.clone(),
        linked: Vec::new(),
    }
}

/// The options of the verification of this many properties.
pub fn options_of(args: &Args, properties: usize) -> anyhow::Result<verify::Options> {
    let unwindset = args.weaving.bounds()?;
    Ok(options(args, unwindset, properties))
}
