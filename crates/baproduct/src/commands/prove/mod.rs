//! `baproduct prove`: whether a formula holds on all runs, of any length.

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
    /// Write the proof as a program whose every assertion a run of the model checker decides again;
    /// `baproduct verify FILE` checks it
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

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
    reports::prepare(&args.verify)?;
    let options = command::options_of(&args.verify, source.spec.formulas())?;
    let until = args.verify.budget().map(|budget| Instant::now() + budget);
    let limits = Limits {
        until,
        timeout: options.timeout,
        memory_mib: options.memory_mib,
    };
    let mut whole = VerifyResult::default();
    for number in 0..source.spec.formulas() {
        let search = search::Search {
            source,
            backend: backend.as_ref(),
            options: &options,
            limits: &limits,
            output,
            certifies: args.certificate.is_some(),
        };
        let (found, certificate) = search.property(number)?;
        if let Some(path) = &args.certificate {
            certify(path, certificate.as_deref(), output)?;
        }
        add(&mut whole, found);
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
