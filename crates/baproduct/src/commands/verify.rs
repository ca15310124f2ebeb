//! `baproduct verify`: instrument, run, combine, report.

mod assumptions;
pub mod budget;
mod certificate;
mod counted;
pub mod fairness;
pub mod kept;
pub mod many;
pub mod progress;
pub mod reports;
pub mod schedules;
mod selection;
mod switches;
mod vacuity;
pub mod witness;

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::ValueEnum;
use verify::result::{FailOn, Schedules};
use weave::record::Record;

use crate::exit::{Ended, Status};
use crate::given;
use crate::options::{Output, Weaving};
use crate::outputs;
use crate::pipeline;

/// The backends, by the names that they have on the command line.
fn backends() -> impl TypedValueParser<Value = backend::Kind> {
    let names = backend::Kind::ALL.map(|kind| match kind.advice().option {
        Some(about) => PossibleValue::new(kind.name()).help(about),
        None => PossibleValue::new(kind.name()),
    });
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// How the levels are asked.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum LevelsName {
    /// One backend run for each level
    Separate,
    /// One run for all
    Together,
    /// What is faster
    Auto,
}

/// The form of the result.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Json,
    Sarif,
    Junit,
    Csv,
}

/// Which verdicts fail.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum FailOnName {
    /// ⊥ and ⊥ᵖ
    Violation,
    /// ⊥ alone
    False,
    /// What some run of the program violates for good: a ⊥ᵖ of a run that was merely cut does not count
    Refuted,
    /// ⊥ and ⊥ᵖ, and formulas of which a part does not matter to the verdict
    Vacuous,
}

/// How writes of a thread become visible to others.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum MemoryModelName {
    /// At once: sequential consistency
    Sc,
    /// In order, but late: total store order
    Tso,
    /// Late, in order for each object: partial store order
    Pso,
}

/// What a run shows.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum TraceName {
    /// What changes a proposition
    Short,
    /// All steps that others can see: writes of objects at file scope, locks, waits
    Full,
}

/// How far one looks for parts of formulas that do not matter.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum VacuityName {
    /// What the search for the verdict shows
    Plain,
    /// Every part of every formula that holds, by a search of its own; with --trace, a run of each in which a part matters
    Full,
}

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The specification (JSON, or a property file .prp) and the C program; a task definition (.yml); a
    /// program with `//@ ltl` formulas in its comments; or a program that `instrument` wrote
    #[arg(
        required_unless_present = "compile_commands",
        value_name = "SPEC.json PROG.c | FILE.prp PROG.c | TASK.yml | PROG.c | OUT.c"
    )]
    inputs: Vec<PathBuf>,
    /// A formula instead of a specification, with C conditions in braces
    #[arg(long, value_name = "FORMULA")]
    ltl: Option<String>,
    /// The model checker
    #[arg(long, value_parser = backends(), default_value = "cbmc")]
    backend: backend::Kind,
    /// The model checker's program, if it is not the one on the path
    #[arg(long, value_name = "PATH")]
    backend_path: Option<PathBuf>,
    /// An argument for the model checker; for the program with --backend native
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    backend_arg: Vec<String>,
    /// Where --backend native chooses inputs that have no source
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    weaving: Weaving,
    /// One backend run for each lattice level, or one for all
    #[arg(long, value_enum, default_value = "auto")]
    levels: LevelsName,
    /// Backend processes at a time [default: as many as cores]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: usize,
    /// Wall-clock limit of a backend run
    #[arg(long, value_name = "SECONDS", value_parser = crate::options::seconds)]
    timeout: Option<Duration>,
    /// Memory limit of a backend run
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
    /// The form of the result
    #[arg(long, value_enum, default_value = "text", overrides_with = "format")]
    format: Format,
    /// For `watch`: tell in this directory which files the result depends on, and keep results there.
    #[arg(long, value_name = "DIR", hide = true)]
    pub watched: Option<PathBuf>,
    /// Write the table of properties to this file, too; `-` is standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the report in every form into this directory, too
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
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
    trace: Option<TraceName>,
    /// Show no run
    #[arg(long, overrides_with = "trace")]
    no_trace: bool,
    /// Write a witness (format 2.0) of the first violated property, for other verifiers to check
    #[arg(long, value_name = "FILE", conflicts_with = "no_trace")]
    witness: Option<PathBuf>,
    /// Check the program's own assertions, bounds, pointers and arithmetic, too, in a run of its own
    #[arg(long)]
    also_safety: bool,
    /// At most N switches from each thread to another (ESBMC)
    #[arg(long, value_name = "N")]
    context_bound: Option<u32>,
    /// Which schedules of threads are explored: all; those of at most R rounds; or both searches beside
    /// each other, rounds alone where the model checker cannot search all [default: auto]
    #[arg(long, value_name = "all|rounds:R|auto")]
    schedules: Option<schedules::Wanted>,
    /// Which infinite runs of threads count: all; those in which a thread that could always take a step
    /// takes some; or also one that again and again could [default: weak]
    #[arg(long, value_enum, requires = "lasso")]
    fairness: Option<fairness::Name>,
    /// Wall-clock time of the command; what was found by then is reported [default of `deepen`: 60]
    #[arg(long, value_name = "SECONDS", value_parser = crate::options::seconds)]
    budget: Option<Duration>,
    /// How writes of a thread become visible to others (CBMC)
    #[arg(long, value_enum, default_value = "sc")]
    memory_model: MemoryModelName,
    /// How far one looks for parts of formulas that do not matter
    #[arg(long, value_enum, default_value = "plain")]
    vacuity: VacuityName,
    #[command(flatten)]
    many: many::Options,
    /// Which verdicts give exit status 10
    #[arg(long, value_enum, default_value = "violation")]
    fail_on: FailOnName,
}

/// With more properties than this a run for each violated one is shown only where it is asked for:
/// each costs a run of the model checker.
const MANY: usize = 10;

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let begin = Instant::now();
    let unwindset = pipeline::unwindset(&args.weaving)?;
    supported(args)?;
    reports::check(args)?;
    if let Some((path, text)) = certificate::given(&args.inputs) {
        return certificate::run(args, &path, &text, output);
    }
    // Without a backend nothing else matters, but a bad input is still said to be bad.
    let input = input(args, output)?;
    let backend = open_backend(args)?;
    reports::prepare(args)?;
    let search = search_of(args, &input);
    let many = match &args.watched {
        Some(directory) if !input.record().threads => args.many.kept_in(directory),
        _ => args.many.clone(),
    };
    let mut options = options(args, unwindset, input.record().properties.len());
    // A person who wants to see more of one run wants to see its letters.
    let native = !backend.capabilities().searches;
    if native && output.verbose > 0 && !args.no_trace {
        options.trace = verify::TraceWish::Always;
    }
    if let Input::Source(source) = &input {
        options.watched = source.program.shared();
        options.silent = source.program.silent();
    }
    // One that executes the program has one answer, whatever the bound.
    options.deadline = args.budget.filter(|_| !native).map(|b| begin + b);
    let somebody_waits = progress::is_shown(output) && std::io::stdout().is_terminal();
    options.climbs = options.deadline.is_some()
        || (!native && somebody_waits && is_open_ended(args, input.record()));
    let plain = |backend: &dyn backend::Backend| match &input {
        Input::Woven(files, record) => verify_woven(files, record, backend, &options, output),
        Input::Source(source) => many::run(
            &many::Job {
                program: &source.program,
                spec: &source.spec,
                weaving: &source.weaving,
                args: &many,
                backend,
                options: &options,
                output,
            },
            &source.whole,
        ),
    };
    let both = schedules::Search {
        files: input.files(),
        record: input.record(),
        args,
        options: &options,
        output,
    };
    let waiting = progress::Hints::start(hints(args, &input), output);
    let mut result = match search {
        Search::Plain => plain(backend.as_ref())?,
        Search::Rounds => both.or_by_switches(both.alone()?)?,
        Search::Both => both.both(plain_backend(args)?, plain)?,
    };
    drop(waiting);
    if output.verbose > 0 {
        progress::profile(input.record());
    }
    if args.vacuity == VacuityName::Full {
        match &input {
            Input::Source(source) => vacuity::look(args, source, backend.as_ref(), &options, output, &mut result)?,
            Input::Woven(..) => result.warnings.push(
                "--vacuity full needs the program and its specification, not a program that was instrumented before".into(),
            ),
        }
    }
    if args.also_safety {
        let rounds = result.schedules;
        check_safety(
            args,
            &input,
            backend.as_ref(),
            &options,
            rounds,
            &mut result,
        )?;
    }
    if args.report.is_some() && !native {
        cover(args, &input, backend.as_ref(), &options, &mut result)?;
    }
    result.assumptions.extend(args.assumption(input.record()));
    if let Input::Source(source) = &input {
        assumptions::look(source, &mut result)?;
        counted::look(source.program.facts(), &options.unwindset, &mut result);
    }
    result.command = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    reports::save(args, &result)?;
    if let Some(path) = &args.witness {
        witness::save(path, &input.programs(args), &result, output)?;
    }
    outputs::print(reports::rendered(args, output, &result)?.as_bytes())?;
    Ok(ExitCode::from(result.exit_status(args.fails_on())))
}

/// Whether a person who waits is told what smaller bounds show: nothing else says at which bounds is asked, and
/// no answer of one bound is kept for later.
fn is_open_ended(args: &Args, record: &Record) -> bool {
    let once = args.many.bounds.is_empty() && args.many.results.is_none();
    once && !record.threads && args.format == Format::Text && args.watched.is_none()
}

/// What may make an answer come sooner, the best first.
fn hints(args: &Args, input: &Input) -> Vec<String> {
    let record = input.record();
    let unwind = args.weaving.unwind.unwrap_or(record.unwind);
    let mut hints = Vec::new();
    let whole = args.schedules() == schedules::Wanted::All;
    if record.threads && whole && args.can_take_rounds() {
        hints.push("--schedules rounds:3".to_owned());
    }
    if args.weaving.lasso {
        hints.push("no --lasso".to_owned());
    }
    if unwind > 1 && !record.bounds.is_empty() {
        hints.push(format!("--unwind {}", unwind / 2));
    }
    if record.properties.len() > 1 && args.many.only.is_empty() {
        hints.push("fewer properties (--only NAME)".to_owned());
    }
    if args.budget.is_none() {
        hints.push("--budget SECONDS, which answers at smaller bounds first".to_owned());
    }
    hints
}

/// How the schedules of a program are searched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// By the backend, as it is opened.
    Plain,
    /// By rounds, as many as there is time for.
    Rounds,
    /// All, and by rounds beside it.
    Both,
}

/// How the schedules of this program are searched.
fn search_of(args: &Args, input: &Input) -> Search {
    let record = input.record();
    // Infinite runs of threads are searched by rounds alone.
    let infinite = record.threads && record.lasso.is_some();
    let asked = args.schedules() == schedules::Wanted::Auto;
    if !asked || !record.threads || !args.can_take_rounds() || input.files().len() != 1 {
        return Search::Plain;
    }
    match schedules::can_search_all(args.backend.capabilities(), record) {
        true if !infinite => Search::Both,
        _ => Search::Rounds,
    }
}

/// The backend that the arguments name, behind a sequentialisation if they name the rounds.
pub fn open_backend(args: &Args) -> anyhow::Result<Box<dyn backend::Backend>> {
    let plain = plain_backend(args)?;
    Ok(match args.schedules() {
        schedules::Wanted::Rounds(rounds) => Box::new(args.rounds(plain, rounds)),
        _ => plain,
    })
}

/// The same for one program, and how it is run: infinite runs of threads are searched by rounds, whether
/// or not the arguments say how many.
///
/// # Errors
/// No backend.
pub fn open_backend_for(
    args: &Args,
    record: &Record,
    options: verify::Options,
) -> anyhow::Result<(Box<dyn backend::Backend>, verify::Options)> {
    let infinite = record.threads && record.lasso.is_some();
    if !infinite || options.rounds.is_some() {
        return Ok((open_backend(args)?, options));
    }
    let backend = args.rounds(plain_backend(args)?, schedules::SURE);
    let options = verify::Options {
        rounds: Some(schedules::SURE),
        ..options
    };
    Ok((Box::new(backend), options))
}

/// The backend that the arguments name, which gets programs as they are.
fn plain_backend(args: &Args) -> anyhow::Result<Box<dyn backend::Backend>> {
    backend::open(args.backend, args.backend_path.as_deref()).map_err(|failure| {
        Ended::error(
            Status::NoBackend,
            format!("{failure}; `baproduct doctor` says what is installed and how to get the rest"),
        )
    })
}

/// How the verification is run, for so many properties.
pub fn options_of(args: &Args, properties: usize) -> anyhow::Result<verify::Options> {
    let unwindset = pipeline::unwindset(&args.weaving)?;
    Ok(options(args, unwindset, properties))
}

impl Args {
    /// How long the command may take.
    pub fn budget(&self) -> Option<Duration> {
        self.budget
    }

    /// Where a witness is written.
    pub fn witness(&self) -> Option<&Path> {
        self.witness.as_deref()
    }

    /// A model checker that gets the runs of so many rounds.
    fn rounds(&self, plain: Box<dyn backend::Backend>, rounds: u32) -> crate::rounds::Rounds {
        let fairness = self.fairness.unwrap_or_default();
        crate::rounds::Rounds::new(plain, rounds, &self.weaving).fair(fairness.into())
    }

    /// What is assumed of infinite runs of threads.
    pub fn assumption(&self, record: &Record) -> Option<String> {
        self.fairness.unwrap_or_default().assumption(record)
    }

    /// Which schedules are wanted.
    fn schedules(&self) -> schedules::Wanted {
        self.schedules.unwrap_or_default()
    }

    /// Whether other options leave it open that threads take turns in rounds.
    fn can_take_rounds(&self) -> bool {
        let unbounded = self.context_bound.is_none() && self.memory_model == MemoryModelName::Sc;
        let once = self.many.bounds.is_empty() && self.many.results.is_none();
        self.backend.capabilities().searches && unbounded && once
    }

    /// The files that are named on the command line, but for directories.
    pub fn named_files(&self) -> Vec<PathBuf> {
        let lists = self.weaving.properties.iter();
        let database = self.weaving.preprocessor.compile_commands.iter();
        let all = self.inputs.iter().chain(lists).chain(database);
        all.filter(|path| !path.is_dir()).cloned().collect()
    }

    /// The bounds that are given; none if there are none.
    pub fn bounds(&self) -> &[u32] {
        &self.many.bounds
    }

    /// How many properties are verified.
    pub fn many(&self) -> &many::Options {
        &self.many
    }

    /// Whether the program's own checks are asked for.
    pub fn wants_safety(&self) -> bool {
        self.also_safety
    }

    /// Which verdicts give exit status 10.
    pub fn fails_on(&self) -> FailOn {
        match self.fail_on {
            FailOnName::Violation => FailOn::Violation,
            FailOnName::False => FailOn::False,
            FailOnName::Refuted => FailOn::Refuted,
            FailOnName::Vacuous => FailOn::Vacuous,
        }
    }

    /// Another form of the monitor than the arguments say.
    pub fn set_monitor(&mut self, form: crate::options::MonitorForm) {
        self.weaving.monitor = form;
    }
}

/// The monitored program and its record, woven now or by an earlier `instrument`.
pub fn program(args: &Args, output: &Output) -> anyhow::Result<(Vec<pipeline::Emitted>, Record)> {
    if let Some(given) = specification(args, output)? {
        // Infinite runs of threads are those of a program that can be read by rounds.
        let weaving = crate::options::Weaving {
            rounds: args.weaving.rounds || args.weaving.lasso,
            ..args.weaving.clone()
        };
        let woven = given.weave(&weaving, output)?;
        return Ok((woven.files, woven.record));
    }
    pipeline::woven_before(&args.inputs)
}

/// Verifies a program that an earlier `instrument` wrote.
fn verify_woven(
    files: &[pipeline::Emitted],
    record: &Record,
    backend: &dyn backend::Backend,
    options: &verify::Options,
    output: &Output,
) -> anyhow::Result<verify::result::VerifyResult> {
    let cancel = backend::Cancel::new();
    let mut at =
        |options: &verify::Options| verify_files(files, record, backend, options, &cancel, output);
    match options.climbs {
        true => {
            let unwind = options.unwind.unwrap_or(record.unwind);
            budget::climb(unwind, options, output, &mut at)
        }
        false => at(options),
    }
}

/// Verifies a monitored program, until it is cancelled.
fn verify_files(
    files: &[pipeline::Emitted],
    record: &Record,
    backend: &dyn backend::Backend,
    options: &verify::Options,
    cancel: &backend::Cancel,
    output: &Output,
) -> anyhow::Result<verify::result::VerifyResult> {
    let directory = backend::Scratch::new()?;
    let (source, linked) = write_sources(directory.path(), files)?;
    let options = verify::Options {
        linked,
        ..options.clone()
    };
    let bar = progress::bar(output, 1);
    let told = |what: &str| bar.set_message(what.to_owned());
    let result = verify::verify(record, &source, backend, &options, cancel, &told);
    bar.finish_and_clear();
    Ok(result)
}

/// Asks which lines explored runs reach, in the program with all its monitors.
fn cover(
    args: &Args,
    input: &Input,
    backend: &dyn backend::Backend,
    options: &verify::Options,
    result: &mut verify::result::VerifyResult,
) -> anyhow::Result<()> {
    let directory = backend::Scratch::new()?;
    let (source, linked) = write_sources(directory.path(), input.files())?;
    let options = verify::Options {
        linked,
        unwind: result.unwind.or(options.unwind),
        ..options.clone()
    };
    let cancel = backend::Cancel::new();
    match result.schedules {
        // What is reached by other schedules is no part of what the search by rounds has seen.
        Some(Schedules::Rounds(rounds)) => {
            let backend = args.rounds(plain_backend(args)?, rounds);
            let options = verify::Options {
                rounds: Some(rounds),
                ..options
            };
            verify::coverage::cover(input.record(), &source, &backend, &options, &cancel, result);
        }
        _ => verify::coverage::cover(input.record(), &source, backend, &options, &cancel, result),
    }
    Ok(())
}

/// Looks for failing checks that are not temporal, in the program with all its monitors.
fn check_safety(
    args: &Args,
    input: &Input,
    backend: &dyn backend::Backend,
    options: &verify::Options,
    schedules: Option<Schedules>,
    result: &mut verify::result::VerifyResult,
) -> anyhow::Result<()> {
    let (files, record) = match input {
        Input::Woven(files, record) => (files, record.as_ref()),
        Input::Source(source) => (&source.whole.files, &source.whole.record),
    };
    let directory = backend::Scratch::new()?;
    let (source, linked) = write_sources(directory.path(), files)?;
    let options = verify::Options {
        linked,
        ..options.clone()
    };
    let cancel = backend::Cancel::new();
    match schedules {
        Some(Schedules::Rounds(rounds)) if options.rounds.is_none() => {
            let backend = args.rounds(plain_backend(args)?, rounds);
            let options = verify::Options {
                rounds: Some(rounds),
                ..options
            };
            verify::safety::check(record, &source, &backend, &options, &cancel, result);
        }
        _ => verify::safety::check(record, &source, backend, &options, &cancel, result),
    }
    Ok(())
}

/// What is verified.
pub enum Input {
    /// A program that `instrument` wrote, with its record.
    Woven(Vec<pipeline::Emitted>, Box<Record>),
    /// A program and a specification.
    Source(Box<Source>),
}

/// A program and a specification, read once.
pub struct Source {
    /// The program.
    pub program: pipeline::Program,
    /// The specification.
    pub spec: pipeline::SpecFile,
    /// How it is woven.
    pub weaving: Weaving,
    /// The program with all monitors.
    pub whole: pipeline::Woven,
}

impl Input {
    /// The files of the program, as they are named.
    fn programs(&self, args: &Args) -> Vec<PathBuf> {
        match self {
            Input::Woven(..) => args.inputs.clone(),
            Input::Source(source) => source.program.paths().to_vec(),
        }
    }

    /// The files of the program with all monitors.
    pub fn files(&self) -> &[pipeline::Emitted] {
        match self {
            Input::Woven(files, _) => files,
            Input::Source(source) => &source.whole.files,
        }
    }

    /// The record of the program with all monitors.
    pub fn record(&self) -> &Record {
        match self {
            Input::Woven(_, record) => record,
            Input::Source(source) => &source.whole.record,
        }
    }
}

/// Reads what is verified, and refuses what the backend cannot follow.
///
/// # Errors
/// What is wrong with the specification, the program or the options.
pub fn input(args: &Args, output: &Output) -> anyhow::Result<Input> {
    if let Some(given::Given {
        spec,
        programs,
        ilp32,
        files,
    }) = specification(args, output)?
    {
        let weaving = Weaving {
            ilp32,
            model: args.backend.capabilities().searches,
            cbmc: !args.backend.capabilities().shared_pointers,
            // A program whose infinite runs were searched is replayed as it was woven.
            rounds: args.schedules() != schedules::Wanted::All
                && (args.can_take_rounds() || args.weaving.lasso),
            ..args.weaving.clone()
        };
        let program = pipeline::Program::read(&programs, &weaving, output)?;
        if let Some(directory) = &args.watched {
            super::watched_files::tell_files(directory, &files, &program.dependencies())?;
        }
        let whole = pipeline::weave_into(&program, &spec, &weaving, output)?;
        return Ok(Input::Source(Box::new(Source {
            program,
            spec,
            weaving,
            whole,
        })));
    }
    let (files, record) = pipeline::woven_before(&args.inputs)?;
    pipeline::check_bounds(&pipeline::unwindset(&args.weaving)?, &record)?;
    pipeline::check_lasso(&args.weaving, &record)?;
    if !args.many.only.is_empty() || args.many.results.is_some() {
        let message = "--only and --results need the program and its specification, not a program that was instrumented before";
        return Err(Ended::error(Status::Usage, message));
    }
    refuse_untracked(args, &record)?;
    Ok(Input::Woven(files, Box::new(record)))
}

/// Refuses a program that was instrumented for another backend and does what this one cannot follow.
fn refuse_untracked(args: &Args, record: &Record) -> anyhow::Result<()> {
    let searches = args.backend.capabilities().searches;
    let all = args.schedules() == schedules::Wanted::All || !args.can_take_rounds();
    let causes = [
        (
            searches,
            &record.nonlocal_jumps,
            "the program jumps out of functions, which model checkers do not; use --backend native",
        ),
        (
            searches,
            &record.signals,
            "the program does what model checkers do not, such as handling signals or starting processes; use --backend native",
        ),
        (
            searches,
            &record.hidden,
            "the program runs code that its text does not show, which model checkers do not; use --backend native",
        ),
        (
            all && !args.backend.capabilities().shared_pointers,
            &record.shared_pointers,
            "pointers that other threads can see are written while threads run, which CBMC cannot follow; use --schedules auto or --backend esbmc",
        ),
        (
            all,
            &record.sections,
            "the program has what only the sequentialisation of threads models: sections that no other thread interrupts, which do not nest with the monitor's steps, or data of threads; use --schedules auto",
        ),
    ];
    match causes
        .iter()
        .find(|(matters, places, _)| *matters && !places.is_empty())
    {
        Some((_, places, message)) => {
            let message = format!("{message}\n  {}", places.join("\n  "));
            Err(Ended::error(Status::Refused, message))
        }
        None => Ok(()),
    }
}

/// Refuses options that the backend does not have, so that they are not ignored.
///
/// # Errors
/// The option, and what can be done.
pub fn supported(args: &Args) -> anyhow::Result<()> {
    let can = args.backend.capabilities();
    let refuse = |option: &str, instead: &str| {
        let message = format!("{option} is not something this backend has; {instead}");
        Err(Ended::error(Status::Usage, message))
    };
    if args.context_bound.is_some() && !can.context_bound {
        return refuse(
            "--context-bound",
            "CBMC looks at every interleaving, ESBMC can bound the switches",
        );
    }
    if args.also_safety && !can.checks {
        return refuse(
            "--also-safety",
            "an executed program stops at its assertions by itself; for its memory use a sanitizer of the compiler",
        );
    }
    if args.weaving.lasso && !can.searches {
        return refuse(
            "--lasso",
            "it executes one run and searches none; a model checker finds infinite runs, and `replay` executes them",
        );
    }
    if args.memory_model != MemoryModelName::Sc && !can.memory_models {
        return refuse("--memory-model", "use --backend cbmc");
    }
    Ok(())
}

/// Writes the monitored files for the backend; gives the first and the others. A program of one
/// file has a name that says so.
pub fn write_sources(
    directory: &Path,
    files: &[pipeline::Emitted],
) -> anyhow::Result<(PathBuf, Vec<PathBuf>)> {
    let mut sources = Vec::new();
    for (name, text) in files {
        let name = match files.len() {
            1 => "monitored.c",
            _ => name,
        };
        let source = directory.join(name);
        std::fs::write(&source, text)?;
        sources.push(source);
    }
    let mut sources = sources.into_iter();
    Ok((sources.next().unwrap_or_default(), sources.collect()))
}

/// The specification and the files that it is about; none if the files were woven before.
fn specification(args: &Args, output: &Output) -> anyhow::Result<Option<given::Given>> {
    given::specification(&args.inputs, args.ltl.as_deref(), &args.weaving, output)
}

fn options(args: &Args, unwindset: BTreeMap<String, u32>, properties: usize) -> verify::Options {
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
        trace: match (args.trace, args.no_trace) {
            (Some(_), _) => verify::TraceWish::Always,
            (_, true) => verify::TraceWish::Never,
            _ if properties > MANY && args.witness.is_none() => verify::TraceWish::Never,
            _ => verify::TraceWish::Violations,
        },
        watched: Vec::new(),
        silent: Vec::new(),
        all_propositions: false,
        full_traces: args.trace == Some(TraceName::Full),
        seed: args.seed,
        rounds: match args.schedules() {
            schedules::Wanted::Rounds(rounds) => Some(rounds),
            _ => None,
        },
        context_bound: args.context_bound,
        memory_model: match args.memory_model {
            MemoryModelName::Sc => None,
            MemoryModelName::Tso => Some("tso".into()),
            MemoryModelName::Pso => Some("pso".into()),
        },
        extra_args: args.backend_arg.clone(),
        linked: Vec::new(),
    }
}
