//! Runs the searches on the program with all monitors: for verdicts, reached lines, and failing
//! checks of the program.

use std::path::{Path, PathBuf};

use forms::rounds::Gate;
use forms::Listener;
use verify::result::Schedules;
use weave::record::Record;

use crate::budget;
use crate::settings::Settings;
use crate::source::Input;

/// Verifies a program that an earlier `instrument` wrote.
///
/// # Errors
/// If the files cannot be written for the model checker.
pub fn verify_woven(
    files: &[forms::Emitted],
    record: &Record,
    backend: &dyn backend::Backend,
    options: &verify::Options,
    output: &dyn Listener,
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
pub(crate) fn verify_files(
    files: &[forms::Emitted],
    record: &Record,
    backend: &dyn backend::Backend,
    options: &verify::Options,
    cancel: &backend::Cancel,
    output: &dyn Listener,
) -> anyhow::Result<verify::result::VerifyResult> {
    let directory = backend::Scratch::new()?;
    let (source, linked) = write_sources(directory.path(), files)?;
    let options = verify::Options {
        linked,
        ..options.clone()
    };
    let work = output.searching(1);
    let told = |what: &str| work.doing(what);
    let asked = verify::Verification {
        record,
        source: &source,
        backend,
        options: &options,
        cancel,
    };
    Ok(verify::verify(&asked, &told))
}

/// Asks which lines explored runs reach.
///
/// # Errors
/// If the files cannot be written for the model checker.
pub fn cover(
    settings: &Settings,
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
    beside(
        settings,
        program,
        backend,
        &options,
        rounds,
        &cancel,
        |asked| {
            verify::coverage::cover(asked, result);
        },
    )
}

/// The runs of so many rounds, and what decides whether they are searched.
#[derive(Clone, Copy)]
pub(crate) struct Within<'a> {
    pub(crate) rounds: u32,
    pub(crate) gate: Option<Gate<'a>>,
}

impl From<u32> for Within<'_> {
    fn from(rounds: u32) -> Self {
        Within { rounds, gate: None }
    }
}

/// Asks a question besides the verdicts; with `within`, about the runs of so many rounds.
pub(crate) fn beside<T>(
    settings: &Settings,
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
        let by_rounds = settings.rounds(plain, within.rounds);
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
///
/// # Errors
/// If a file cannot be written.
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
