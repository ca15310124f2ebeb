//! `baproduct verify`: instruments the program, runs the model checker, combines and reports the
//! answers.

mod args;
mod certificate;
pub mod fairness;
mod input;
mod options;
pub mod progress;
mod races;
pub mod reports;
mod selection;
pub mod witness;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ::verify::result::VerifyResult;
use forms::{Cause, Failure};
use question::engines::{Question, BUDGET};
use question::searches::{cover, verify_woven};
use question::{
    assumptions, checks, counted, many, schedules, vacuity, Input, Schedule, Selection, Settings,
    Source, Wanted, Wider,
};

use crate::options::Output;
use crate::outputs;
pub use args::{backends, Args, MemoryModelName};
use args::{Format, VacuityName};
pub use input::{input, program};
use options::Required;
pub use options::VerifyArgs;

/// Runs the command.
pub fn run(asked: &VerifyArgs, output: &Output) -> anyhow::Result<ExitCode> {
    let begin = Instant::now();
    reports::check(&asked.verify)?;
    let searched = asked.searched();
    let args = &searched;
    args.weaving.bounds()?;
    args.supported()?;
    if let Some((path, text)) = certificate::given(&args.inputs) {
        return certificate::run(args, &path, &text, output);
    }
    if races::alone(args, output)? {
        let result = races::run(args, begin, output)?;
        return told(asked, result, output);
    }
    // A missing backend is reported only after errors of the input.
    let input = input(args, output)?;
    let mut settings = args.settings(input.record().properties.len())?;
    let backend = settings.open()?;
    reports::prepare(args)?;
    let engines = asked.engines(&input)?;
    let given = &asked.verify;
    let args = match &engines {
        None => given,
        Some(_) => args,
    };
    if engines.is_none() {
        settings.many = given.many.selection();
    }
    let search = settings.schedule(input.record());
    let many = given.many.selection();
    let many = match &args.watched {
        Some(directory) if engines.is_some() || !input.record().threads => many.kept_in(directory),
        _ => many,
    };
    if engines.is_none() && args.fairness.is_some() && !args.weaving.lasso {
        let message = "--fairness is about infinite runs: ask with --lasso, or without a bound";
        return Err(Failure::error(Cause::Usage, message));
    }
    let options = match &engines {
        None => options_for((args, &settings), &input, backend.as_ref(), begin, output)?,
        Some(_) => settings.showing_violations(),
    };
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
                board: None,
            },
            &source.whole,
        ),
    };
    let both = schedules::Search {
        program: backend.program(),
        files: input.files(),
        record: input.record(),
        settings: &settings,
        options: &options,
        output,
        stop: backend::Cancel::new(),
    };
    let waiting = progress::Hints::start(hints(args, &input), output);
    let mut result = match (&engines, &input, search) {
        (Some(engines), Input::Source(source), _) => {
            // A second question goes on with the stored answers of the first.
            let resumed = Selection {
                resume: true,
                ..many.clone()
            };
            let ask = |asked: &Source, until: Instant| {
                let question = Question {
                    settings: &settings,
                    source: asked,
                    backend: backend.as_ref(),
                    options: &options,
                    output,
                    engines,
                    many: match std::ptr::eq(asked, source.as_ref()) {
                        true => &many,
                        false => &resumed,
                    },
                    states: question::prove::steps::STATES,
                    until,
                };
                question.answer()
            };
            let until = begin + args.budget.unwrap_or(BUDGET);
            widely(source, until, output, &ask)?
        }
        (_, _, Schedule::Plain) => plain(backend.as_ref())?,
        (_, _, Schedule::Rounds) => both.or_by_switches(both.alone()?)?,
        (_, _, Schedule::Both) => both.both(plain)?,
    };
    drop(waiting);
    if let Input::Source(source) = &input {
        source.doubt_unless_races_are_asked(&mut result);
    }
    if output.verbose > 0 {
        progress::profile(input.record());
    }
    let whole = verify::Options {
        deadline: options.deadline.and(args.budget.map(|all| begin + all)),
        ..options.clone()
    };
    look_further(
        (args, &settings),
        &input,
        (backend.as_ref(), &whole),
        begin,
        output,
        &mut result,
    )?;
    question::races::look(&settings, &input, begin, output, &mut result)?;
    verify::handlers::tell(input.record(), &mut result);
    if let Some(path) = &args.witness {
        let model = &input.record().model;
        witness::save(
            path,
            &input::programs(&input, args),
            (&result, model),
            output,
        )?;
    }
    told(asked, result, output)
}

/// The answer about a program; what it leaves open is asked again where assembler statements may give any values.
fn widely(
    source: &Source,
    until: Instant,
    output: &Output,
    ask: &dyn Fn(&Source, Instant) -> anyhow::Result<VerifyResult>,
) -> anyhow::Result<VerifyResult> {
    let Some(wider) = Wider::of(source, output)? else {
        return ask(source, until);
    };
    let rest = until.saturating_duration_since(Instant::now());
    let mut result = ask(source, until - rest / 2)?;
    if Wider::is_needed(&result) {
        // Without an answer, the first one stands.
        if let Ok(answer) = ask(&wider.source, until) {
            wider.onto(&mut result, answer);
        }
    }
    Ok(result)
}

/// Prints and saves a result.
fn told(asked: &VerifyArgs, mut result: VerifyResult, output: &Output) -> anyhow::Result<ExitCode> {
    let args = &asked.verify;
    result.command = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    reports::cite(args, &mut result);
    reports::save(args, &result)?;
    outputs::print(reports::rendered(args, output, &result)?.as_bytes())?;
    Ok(ExitCode::from(match asked.require {
        Some(Required::Proved) => result.status_of_proofs(args.fails_on()),
        None => result.exit_status(args.fails_on()),
    }))
}

/// The options of a verification that began at `begin`.
fn options_for(
    (args, settings): (&Args, &Settings),
    input: &Input,
    backend: &dyn backend::Backend,
    begin: Instant,
    output: &Output,
) -> anyhow::Result<verify::Options> {
    let mut options = settings.options.clone();
    // With --verbose, an observed run shows its letters.
    let native = !backend.capabilities().searches;
    if native && output.verbose > 0 && !args.no_trace {
        options.trace = verify::TraceWish::Always;
    }
    if let Input::Source(source) = input {
        options.watched = source.program.shared();
        options.silent = source.program.silent();
    }
    // A native run has one answer at every bound, so it needs no deadline. The program's own checks
    // come after the verdicts, and need a share of the time: most of it if every run satisfies the
    // formulas anyway.
    let verdicts = if input.record().is_valid() { 1 } else { 3 };
    let share = |all: Duration| {
        if args.also_safety {
            all / 5 * verdicts
        } else {
            all
        }
    };
    options.deadline = args.budget.filter(|_| !native).map(|b| begin + share(b));
    let somebody_waits = progress::is_shown(output) && std::io::stdout().is_terminal();
    options.climbs = options.deadline.is_some()
        || (!native && somebody_waits && is_open_ended(args, settings, input));
    Ok(options)
}

/// Answers the further questions of the command line: parts of formulas that do not matter, the
/// program's own checks, lines that runs reach; and adds what the verdicts rest on. The command
/// began at `begin`.
fn look_further(
    (args, settings): (&Args, &Settings),
    input: &Input,
    (backend, options): (&dyn backend::Backend, &verify::Options),
    begin: Instant,
    output: &Output,
    result: &mut VerifyResult,
) -> anyhow::Result<()> {
    if args.vacuity == VacuityName::Full {
        match input {
            Input::Source(source) => vacuity::look(settings, source, backend, options, output, result)?,
            Input::Woven(..) => result.warnings.push(
                "--vacuity full needs the program and its specification, not a program that was instrumented before".into(),
            ),
        }
    }
    if args.also_safety {
        let checks = checks::Checks {
            settings,
            files: input.files(),
            record: input.record(),
            backend,
            options,
            begin,
        };
        checks.look(settings.schedule(input.record()), result)?;
    }
    let strong = args.memory_model.weaker().is_none();
    if args.report.is_some() && backend.capabilities().searches && strong {
        cover(settings, input, backend, options, result)?;
    }
    result
        .premises
        .assumptions
        .extend(args.assumption(input.record()));
    assumptions::look(input, result)?;
    if let Input::Source(source) = input {
        counted::look(source.program.facts(), &options.unwindset, result);
    }
    Ok(())
}

/// Whether to show the results of smaller bounds to a waiting user: only if no option gives bounds,
/// and no results of one bound are stored. If all schedules and those of a few rounds are searched
/// in parallel, the rounds give the quick answer, and smaller bounds would take time from the full
/// search.
fn is_open_ended(args: &Args, settings: &Settings, input: &Input) -> bool {
    let once = args.many.bounds.is_empty() && args.many.results.is_none();
    let alone = settings.schedule(input.record()) != Schedule::Both;
    once && alone && args.format == Format::Text && args.watched.is_none()
}

/// Options that may give an answer sooner, best first.
fn hints(args: &Args, input: &Input) -> Vec<String> {
    let record = input.record();
    let unwind = args.weaving.unwind.unwrap_or(record.unwind);
    let mut hints = Vec::new();
    let whole = args.schedules() == Wanted::All;
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
