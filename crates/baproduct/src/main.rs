//! The command line of baproduct: parses the arguments and runs the command.
// Printing must not panic when the stream is closed: see `notes::tell`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod collected;
mod commands;
mod exit;
#[cfg(test)]
mod fingerprint;
mod given;
mod listener;
mod notes;
mod options;
mod outputs;
mod rests;
mod waveform;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand};

use crate::exit::Status;

/// Weaves LTL monitors with validity areas into C programs and lets bounded model checkers decide
/// them.
#[derive(Parser, Debug)]
#[command(name = "baproduct", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    output: options::Output,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Write the monitored C program
    Instrument(commands::instrument::Args),
    /// Verify a program against a specification
    Verify(commands::verify::VerifyArgs),
    /// Verify again after each save of a file on which the result depends, and show what has
    /// changed
    ///
    /// It takes what `verify` takes and ends at Ctrl-C.
    Watch(commands::watch::WatchArgs),
    /// Resolve everything and report what would be woven, without running anything
    Check(commands::check::Args),
    /// Verify many programs, with many properties, at many bounds, here or on a Slurm cluster
    Campaign(commands::campaign::Args),
    /// Explain a formula: class, automata, monitor, verdicts of words
    Ltl(commands::ltl::Args),
    /// Say a formula in plain words, with short words that satisfy and violate it; or compare two
    Explain(commands::explain::Args),
    /// Read requirements in structured English: their formulas, their meaning, whether they fit together
    ///
    /// The exit status is 10 if they contradict each other.
    Requirements(commands::requirements::Args),
    /// Verify with growing bounds, until nothing is left to decide
    Deepen(commands::deepen::DeepenArgs),
    /// Measure what makes the formula large: loops, rounds, threads, properties
    ///
    /// CBMC builds the formula again with one bound smaller at a time; nothing is solved.
    Profile(commands::profile::Args),
    /// Decide whether a formula holds on all runs, of any length
    Prove(commands::prove::ProveArgs),
    /// Execute the real program along a recorded trace, and confirm the verdict
    ///
    /// The exit status is 0 if every trace is confirmed, and 5 if some trace is not.
    Replay(commands::replay::Args),
    /// Write a sequential program that has a threaded program's runs of a few rounds
    ///
    /// The output is C for any model checker of sequential programs. It keeps the program's assertions.
    Sequentialise(commands::sequentialise::Args),
    /// Write a first specification for a program, to be edited
    Init(commands::init::Args),
    /// Answer an editor: the language server protocol on standard input and output
    ///
    /// Editors start it; docs/editors.md says how.
    Lsp(commands::lsp::Args),
    /// Show which programs are installed, which are missing and how to get them
    Doctor(commands::doctor::Args),
    /// Write man pages, completions for shells, or the reference of the options
    Manual(commands::manual::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(joined(std::env::args_os().map(long_form))) {
        Ok(cli) => cli,
        Err(error) => {
            let status = if error.use_stderr() {
                Status::Usage
            } else {
                Status::Success
            };
            // A broken pipe while the help is printed is no failure, but a full disk is.
            return match error.print() {
                Err(e)
                    if e.kind() != std::io::ErrorKind::BrokenPipe && status == Status::Success =>
                {
                    exit::report(&anyhow::Error::new(e).context("cannot write to standard output"))
                }
                _ => status.into(),
            };
        }
    };
    match on_large_stack(move || execute(cli)) {
        Ok(code) => code,
        Err(error) => exit::report(&error),
    }
}

fn execute(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        Command::Instrument(args) => commands::instrument::run(&args, &cli.output),
        Command::Verify(args) => commands::verify::run(&args, &cli.output),
        Command::Watch(args) => commands::watch::run(&args, &cli.output),
        Command::Check(args) => commands::check::run(&args, &cli.output),
        Command::Campaign(args) => commands::campaign::run(&args, &cli.output),
        Command::Ltl(args) => commands::ltl::run(args, &cli.output),
        Command::Explain(args) => commands::explain::run(&args, &cli.output),
        Command::Requirements(args) => commands::requirements::run(&args, &cli.output),
        Command::Deepen(args) => commands::deepen::run(&args, &cli.output),
        Command::Profile(args) => commands::profile::run(&args, &cli.output),
        Command::Prove(mut args) => commands::prove::run(&mut args, &cli.output),
        Command::Replay(args) => commands::replay::run(&args, &cli.output),
        Command::Sequentialise(args) => commands::sequentialise::run(&args, &cli.output),
        Command::Init(args) => commands::init::run(&args, &cli.output),
        Command::Lsp(args) => commands::lsp::run(&args, &cli.output),
        Command::Doctor(args) => commands::doctor::run(args, &cli.output),
        Command::Manual(args) => commands::manual::run(&args, Cli::command()),
    }
}

/// Runs the work on a thread with a large stack: recursive functions walk the deep trees of
/// generated programs.
fn on_large_stack<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> anyhow::Result<T> {
    let builder = std::thread::Builder::new().stack_size(cfront::WALK_STACK);
    let thread = builder.spawn(work).context("cannot start a thread")?;
    match thread.join() {
        Ok(result) => result,
        // The thread panicked and has already printed the message.
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Joins the value to `--trace`, whose value is optional: `--trace full` becomes `--trace=full`.
pub(crate) fn joined(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    for argument in arguments {
        let value = argument.to_str().filter(|a| ["full", "short"].contains(a));
        match (out.last_mut().filter(|last| *last == "--trace"), value) {
            (Some(last), Some(value)) => *last = format!("--trace={value}").into(),
            _ => out.push(argument),
        }
    }
    out
}

/// Makes long options of `-MD` and `-MF`, which compilers and makefiles write with one dash.
fn long_form(argument: OsString) -> OsString {
    match argument.to_str() {
        Some("-MD") => "--MD".into(),
        Some("-MF") => "--MF".into(),
        _ => argument,
    }
}
