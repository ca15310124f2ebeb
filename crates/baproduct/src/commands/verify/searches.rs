//! Runs the searches on the program with all monitors: for verdicts, reached lines, and failing
//! checks of the program; opens the backend.

use std::path::{Path, PathBuf};

use forms::rounds::Gate;
use forms::{Cause, Failure};
use verify::result::Schedules;
use weave::record::Record;

use super::args::{Args, FailOnName, MemoryModelName, VacuityName};
use super::input::Input;
use super::wanted::{Wanted, SURE};
use super::{budget, progress};
use crate::options::Output;

/// Verifies a program that an earlier `instrument` wrote.
pub(super) fn verify_woven(
    files: &[forms::Emitted],
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
pub(super) fn verify_files(
    files: &[forms::Emitted],
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
    let asked = verify::Verification {
        record,
        source: &source,
        backend,
        options: &options,
        cancel,
    };
    let result = verify::verify(&asked, &told);
    bar.finish_and_clear();
    Ok(result)
}

/// Asks which lines explored runs reach.
pub(super) fn cover(
    args: &Args,
    input: &Input,
    backend: &dyn backend::Backend,
    options: &verify::Options,
    result: &mut verify::result::VerifyResult,
) -> anyhow::Result<()> {
    let options = verify::Options {
        unwind: result.premises.unwind.or(options.unwind),
        ..options.clone()
    };
    // The search by rounds did not see what other schedules reach.
    let rounds = match result.premises.schedules {
        Some(Schedules::Rounds(rounds)) => Some(rounds),
        _ => None,
    };
    let rounds = rounds.map(Within::from);
    let cancel = backend::Cancel::new();
    let program = (input.files(), input.record());
    beside(args, program, backend, &options, rounds, &cancel, |asked| {
        verify::coverage::cover(asked, result);
    })
}

/// The runs of so many rounds, and what decides whether they are searched.
#[derive(Clone, Copy)]
pub(super) struct Within<'a> {
    pub(super) rounds: u32,
    pub(super) gate: Option<Gate<'a>>,
}

impl From<u32> for Within<'_> {
    fn from(rounds: u32) -> Self {
        Within { rounds, gate: None }
    }
}

/// Asks a question besides the verdicts; with `within`, about the runs of so many rounds.
pub(super) fn beside<T>(
    args: &Args,
    (files, record): (&[forms::Emitted], &Record),
    backend: &dyn backend::Backend,
    options: &verify::Options,
    within: Option<Within>,
    cancel: &backend::Cancel,
    ask: impl FnOnce(&verify::Verification) -> T,
) -> anyhow::Result<T> {
    let directory = backend::Scratch::new()?;
    let (source, linked) = write_sources(directory.path(), files)?;
    let by_rounds = within.map(|within| {
        let plain = backend::of(backend.program().clone());
        let by_rounds = args.rounds(plain, within.rounds);
        match within.gate {
            Some(gate) => by_rounds.behind(gate),
            None => by_rounds,
        }
    });
    let rounds = within.map(|within| within.rounds);
    Ok(ask(&verify::Verification {
        record,
        source: &source,
        backend: match &by_rounds {
            Some(by_rounds) => by_rounds,
            None => backend,
        },
        options: &verify::Options {
            linked,
            rounds: rounds.or(options.rounds),
            ..options.clone()
        },
        cancel,
    }))
}

/// Writes the monitored files for the backend; returns the first and the others. The file of a
/// single-file program is called `monitored.c`.
pub fn write_sources(
    directory: &Path,
    files: &[forms::Emitted],
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

/// The backend of the arguments, behind a sequentialisation if they give rounds.
pub fn open_backend(args: &Args) -> anyhow::Result<Box<dyn backend::Backend>> {
    let plain = plain_backend(args)?;
    Ok(match args.schedules() {
        Wanted::Rounds(rounds) => Box::new(args.rounds(plain, rounds)),
        _ => plain,
    })
}

/// The backend for one program, with its options: infinite runs of threads are searched by rounds
/// even if the arguments give none.
///
/// # Errors
/// If there is no backend.
pub fn open_backend_for(
    args: &Args,
    record: &Record,
    options: verify::Options,
) -> anyhow::Result<(Box<dyn backend::Backend>, verify::Options)> {
    let infinite = record.threads && record.lasso.is_some();
    if !infinite || options.rounds.is_some() {
        return Ok((open_backend(args)?, options));
    }
    let backend = args.rounds(plain_backend(args)?, SURE);
    let options = verify::Options {
        rounds: Some(SURE),
        ..options
    };
    Ok((Box::new(backend), options))
}

/// The backend of the arguments, without sequentialisation.
pub(super) fn plain_backend(args: &Args) -> anyhow::Result<Box<dyn backend::Backend>> {
    backend::open(args.backend, args.backend_path.as_deref()).map_err(|failure| {
        Failure::error(
            Cause::NoBackend,
            format!("{failure}; `baproduct doctor` says what is installed and how to get the rest"),
        )
    })
}

/// Refuses options that the backend does not support.
///
/// # Errors
/// The option, and an alternative.
pub fn supported(args: &Args) -> anyhow::Result<()> {
    let can = args.backend.capabilities();
    let refuse = |option: &str, instead: &str| {
        let message = format!("{option} is not something this backend has; {instead}");
        Err(Failure::error(Cause::Usage, message))
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
    if args.fail_on == FailOnName::Vacuous && args.vacuity == VacuityName::None {
        let message = "--fail-on vacuous needs what --vacuity none leaves out";
        return Err(Failure::error(Cause::Usage, message));
    }
    if args.memory_model != MemoryModelName::Sc && !can.searches {
        return refuse(
            "--memory-model",
            "it executes the program on this machine, with its memory",
        );
    }
    Ok(())
}
