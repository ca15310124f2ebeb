//! `baproduct watch`: verifies again after a file is saved, and shows what has changed.
//!
//! Each verification is a process that runs `verify`. A save during a verification ends it; results
//! that do not depend on the saved file are reused.

mod difference;
mod files;

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use backend::process::{self, End, Invocation};
use backend::Cancel;
use forms::{Cause, Failure};
use serde::Deserialize;
use verify::result::PropertyResult;

use crate::commands::verify as command;
use crate::commands::watched_files::FILES;
use crate::exit::Status;
use crate::options::Output;
use crate::outputs;
use files::Watched;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct WatchArgs {
    #[command(flatten)]
    verify: command::Args,
}

/// The time between SIGTERM and SIGKILL for a verification.
const GRACE: Duration = Duration::from_secs(3);

/// Runs the command until a signal ends it.
pub fn run(args: &WatchArgs, output: &Output) -> anyhow::Result<ExitCode> {
    let named = args.verify.named_files();
    if named.iter().any(|path| path == Path::new("-")) {
        let message = "standard input cannot be watched; name the file";
        return Err(Failure::error(Cause::Usage, message));
    }
    args.verify.supported()?;
    process::end_by_itself().context("cannot wait for signals")?;
    let directory = backend::Scratch::new()?;
    let mut watched = Watched::of(named);
    let mut before: Option<Vec<PropertyResult>> = None;
    while backend::interrupted().is_none() {
        let (round, saved) = verified(&mut watched, directory.path(), output)?;
        let mut told = difference::Told::default();
        match round {
            Round::Results(now) => {
                told.results(before.as_deref(), &now, watched.names());
                before = Some(now);
            }
            // Errors of the command line or a missing backend cannot be fixed by a save.
            Round::Failed(status @ (2 | 4)) => return Ok(ExitCode::from(status)),
            Round::Failed(status) => told.failed(status, before.is_some()),
            Round::Outdated => {}
        }
        outputs::print(told.text().as_bytes())?;
        let saved = match saved {
            Some(saved) => Some(saved),
            None => watched.next(),
        };
        if let Some(saved) = saved {
            outputs::print(difference::saved(&saved).as_bytes())?;
        }
    }
    outputs::print(b"ended\n")?;
    Ok(Status::Success.into())
}

/// The outcome of a verification.
enum Round {
    Results(Vec<PropertyResult>),
    /// It failed with this exit status, and has reported why.
    Failed(u8),
    /// A file was saved meanwhile, or it was interrupted.
    Outdated,
}

/// The fields of a result that are read.
#[derive(Deserialize)]
struct Answer {
    properties: Vec<PropertyResult>,
}

/// Verifies once, until a file is saved. Also returns the files saved meanwhile.
fn verified(
    watched: &mut Watched,
    directory: &Path,
    output: &Output,
) -> anyhow::Result<(Round, Option<Vec<PathBuf>>)> {
    let invocation = invocation(directory, output)?;
    let list = directory.join(FILES);
    match std::fs::remove_file(&list) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e.into()),
        _ => {}
    }
    let start = SystemTime::now();
    let cancel = Cancel::new();
    let read = |out: &mut dyn Read| {
        let mut text = Vec::new();
        out.read_to_end(&mut text).map(|_| text)
    };
    let (ran, saved) = std::thread::scope(|scope| {
        let run = scope.spawn(|| process::run(&invocation, &cancel, read));
        let (mut saved, mut told) = (None, false);
        while !run.is_finished() && saved.is_none() {
            // The verification lists the files that it has read before it starts.
            told = told
                || read_files(&list).is_some_and(|files| {
                    watched.depends_on(files, start);
                    true
                });
            saved = watched.saved_within(Duration::from_millis(20));
            if saved.is_some() {
                cancel.cancel();
            }
        }
        (run.join(), saved)
    });
    let ran = ran.map_err(|_| anyhow::anyhow!("the verification could not be run"))?;
    let ran = ran.context("cannot start the verification")?;
    if let Some(files) = read_files(&list) {
        watched.depends_on(files, start);
    }
    let round = match ran.end {
        _ if saved.is_some() => Round::Outdated,
        End::Cancelled => Round::Outdated,
        End::Exited(status) => {
            let answer = serde_json::from_slice::<Answer>(&ran.value?);
            match (answer, status.code()) {
                (Ok(answer), Some(_)) => Round::Results(answer.properties),
                (Err(_), code) => {
                    Round::Failed(code.and_then(|c| u8::try_from(c).ok()).unwrap_or(1))
                }
                (Ok(_), None) => Round::Failed(1),
            }
        }
        End::TimedOut | End::TooMuchOutput | End::OutOfMemory { .. } => Round::Failed(1),
    };
    Ok((round, saved))
}

/// The files that a verification depends on, as it listed them.
fn read_files(list: &Path) -> Option<Vec<PathBuf>> {
    serde_json::from_slice(&std::fs::read(list).ok()?).ok()
}

/// `verify` with the arguments of this command.
fn invocation(directory: &Path, output: &Output) -> anyhow::Result<Invocation> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let mut invocation = Invocation::new(program);
    let mut own = std::env::args_os().skip(1);
    // Options that every command understands may stand before `watch`.
    let before = own.by_ref().take_while(|argument| argument != "watch");
    let before: Vec<OsString> = before.collect();
    invocation.args(before).arg("verify").args(own);
    invocation.arg("--format").arg("json");
    invocation.arg("--watched").arg(directory);
    if output.color_stderr() {
        invocation.arg("--color").arg("always");
    }
    invocation.interactive = true;
    invocation.limits.grace = GRACE;
    Ok(invocation)
}
