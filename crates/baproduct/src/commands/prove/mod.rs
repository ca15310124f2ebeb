//! `baproduct prove`: whether a formula holds on all runs, of any length.

mod explicit;
mod search;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use verify::prove::Limits;
use verify::result::{Holds, VerifyResult};

use crate::commands::verify::{self as command, reports, witness};
use crate::exit::{Ended, Status};
use crate::options::Output;
use crate::outputs;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct ProveArgs {
    #[command(flatten)]
    verify: command::Args,
    /// How an answer is searched
    #[arg(long, value_enum, default_value = "auto")]
    engine: Engine,
    /// So many states are visited at most by the search of all states
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    states: u64,
    /// Write the proof as a program whose every assertion a run of the model checker decides again;
    /// `baproduct verify FILE` checks it
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

/// How an answer for all runs is searched.
#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Engine {
    /// All states first, where they are few, then the others; the first sure answer counts
    Auto,
    /// Induction and ranking functions, with runs that violate beside it
    Induction,
    /// The compiled program is taken through all of its states
    Explicit,
    /// The same states, searched by SPIN beside it: both have to give the same answers
    Spin,
}

/// Without an engine that is named, so long is tried to visit all states before the others have their turn.
const FIRST: std::time::Duration = std::time::Duration::from_secs(10);

/// Runs the command.
pub fn run(args: &ProveArgs, output: &Output) -> anyhow::Result<ExitCode> {
    command::supported(&args.verify)?;
    reports::check(&args.verify)?;
    let input = command::input(&args.verify, output)?;
    let command::Input::Source(source) = &input else {
        return Err(Ended::error(
            Status::Usage,
            "prove needs the program and its specification, not a program that was instrumented before",
        ));
    };
    if source.whole.record.threads {
        return Err(Ended::error(
            Status::Refused,
            "prove follows programs without threads; `verify --lasso` says what can be said of this one within bounds",
        ));
    }
    if args.certificate.is_some() && source.spec.formulas() != 1 {
        return Err(Ended::error(
            Status::Usage,
            "--certificate: a certificate is about one property; the specification has several",
        ));
    }
    let backend = command::open_backend(&args.verify)?;
    if matches!(args.engine, Engine::Explicit | Engine::Spin) && args.certificate.is_some() {
        let message = "--certificate wants a proof by induction; use --engine induction";
        return Err(Ended::error(Status::Usage, message));
    }
    reports::prepare(&args.verify)?;
    let options = command::options_of(&args.verify, source.spec.formulas())?;
    let until = args.verify.budget().map(|budget| Instant::now() + budget);
    let limits = Limits {
        until,
        timeout: options.timeout,
        memory_mib: options.memory_mib,
    };
    let mut whole = VerifyResult::default();
    let search = search::Search {
        source,
        backend: backend.as_ref(),
        options: &options,
        limits: &limits,
        output,
        certifies: args.certificate.is_some(),
    };
    let visited = visited(args, &search, &limits)?;
    for number in 0..source.spec.formulas() {
        let found = match &visited {
            None => Err(None),
            Some(Err(why)) => Err(Some(why.clone())),
            Some(Ok(answers)) => answers.result(&search, number).map_err(Some),
        };
        let one = match (found, args.engine) {
            (Ok(result), _) => result,
            (Err(why), Engine::Explicit | Engine::Spin) => {
                search.open(number, &why.unwrap_or_default())
            }
            (Err(why), _) => {
                let (mut result, certificate) = search.property(number)?;
                if let Some(path) = &args.certificate {
                    certify(path, certificate.as_deref(), output)?;
                }
                note(&mut result, why);
                result
            }
        };
        add(&mut whole, one);
    }
    whole.command = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    reports::save(&args.verify, &whole)?;
    if let Some(path) = args.verify.witness() {
        witness::save(path, source.program.paths(), &whole, output)?;
    }
    let said = reports::rendered(&args.verify, output, &whole)?;
    outputs::print(said.as_bytes())?;
    Ok(ExitCode::from(status(&whole)))
}

/// What the search of all states says, where it is wanted. The inner error is why it says nothing.
fn visited(
    args: &ProveArgs,
    search: &search::Search,
    limits: &Limits,
) -> anyhow::Result<Option<Result<explicit::Answers, String>>> {
    let mut limits = limits.clone();
    match args.engine {
        // Only a proof by induction can be written out as a program.
        _ if args.certificate.is_some() => return Ok(None),
        Engine::Induction => return Ok(None),
        Engine::Explicit | Engine::Spin => {}
        Engine::Auto => {
            let first = Instant::now() + FIRST;
            limits.until = Some(limits.until.map_or(first, |until| until.min(first)));
        }
    }
    let spin = match args.engine {
        Engine::Spin => Some(explicit::spin()?),
        _ => None,
    };
    explicit::answers(search, &limits, args.states, spin.as_deref()).map(Some)
}

/// Says of a property that nobody decided why the search of all states did not.
fn note(result: &mut VerifyResult, why: Option<String>) {
    let open = result
        .properties
        .iter_mut()
        .find(|p| p.holds == Holds::Unknown);
    if let (Some(property), Some(why)) = (open, why) {
        let reason = property.reason.take().unwrap_or_default();
        property.reason = Some(match reason.is_empty() {
            true => format!("all states: {why}"),
            false => format!("{reason}; all states: {why}"),
        });
    }
}

/// Writes a certificate, or says that there is none.
fn certify(path: &Path, certificate: Option<&str>, output: &Output) -> anyhow::Result<()> {
    match certificate {
        Some(text) => outputs::write_atomically(path, text.as_bytes()),
        None if output.quiet => Ok(()),
        None => {
            outputs::tell(
                "no certificate was written: nothing was proved by induction\n".to_string(),
            );
            Ok(())
        }
    }
}

/// Puts the result of one more property with those that are there.
fn add(whole: &mut VerifyResult, one: VerifyResult) {
    if whole.properties.is_empty() {
        *whole = one;
        return;
    }
    whole.properties.extend(one.properties);
    whole.backend.runs += one.backend.runs;
    whole.backend.seconds += one.backend.seconds;
    whole.unwind = whole.unwind.max(one.unwind);
    let new = |all: &mut Vec<String>, more: Vec<String>| {
        for item in more {
            if !all.contains(&item) {
                all.push(item);
            }
        }
    };
    new(&mut whole.assumptions, one.assumptions);
    new(&mut whole.warnings, one.warnings);
    for finding in one.findings {
        if !whole.findings.contains(&finding) {
            whole.findings.push(finding);
        }
    }
    whole.exhausted |= one.exhausted;
}

/// 0 if everything is proved, 10 if something is refuted, else 5.
fn status(result: &VerifyResult) -> u8 {
    let mut all = result.properties.iter().map(|p| p.holds);
    match all.clone().any(|h| h == Holds::Refuted) {
        true => 10,
        false if all.all(|h| h == Holds::Proved) => 0,
        false => 5,
    }
}
