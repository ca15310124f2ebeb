//! `baproduct campaign`: many programs, specifications, bounds and backends.
//!
//! Every task has a directory in the state directory, with a script that executes it and the
//! script's results. The executor, this machine or Slurm, runs the scripts. A task whose script has
//! ended is not executed again.

mod local;
mod print;
mod slurm;
mod state;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use forms::{Cause, Failure};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use state::State;
use verify::campaign::{self, Manifest, Summary, TaskResult};

use crate::options::Output;
use crate::outputs::{self, tell};

/// Where tasks run.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Executor {
    /// This machine
    Local,
    /// A Slurm cluster, as job arrays
    Slurm,
    /// Nowhere: only show the results so far
    None,
}

/// The form of the result.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Json,
    Csv,
}

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The campaign: a JSON file with `cases`
    manifest: PathBuf,
    /// Where tasks run
    #[arg(long, value_enum, default_value = "local")]
    executor: Executor,
    /// Where tasks and their results are kept [default: the manifest's name with `.state`]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Tasks at a time on this machine [default: as many as cores]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: usize,
    /// Repeat tasks that left properties without a verdict
    #[arg(long)]
    retry: bool,
    /// With Slurm: submit and do not wait; the same command waits for the jobs later
    #[arg(long)]
    no_wait: bool,
    /// The form of the result
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write a line for each property to this file, too
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let manifest = read(&args.manifest, output)?;
    let directory = absolute(args.manifest.parent().unwrap_or(Path::new("")))?;
    let tasks = campaign::tasks(&manifest, &directory)
        .map_err(|e| Failure::error(Cause::Refused, e.to_string()))?;
    let place = match &args.state {
        Some(place) => place.clone(),
        None => args.manifest.with_extension("state"),
    };
    let state = State::open(&absolute(&place)?, tasks, state_jobs(args))?;
    let open = state.open_tasks(args.retry);
    let watch = Watch::new(output, &state, open.len());
    match args.executor {
        Executor::None => {}
        Executor::Local => local::run(&state, &open, jobs(args), &watch)?,
        Executor::Slurm => slurm::run(&state, &open, &manifest.slurm, args.no_wait, &watch)?,
    }
    watch.end();
    let summary = state.summary();
    show(args, output, &manifest, &summary)?;
    Ok(ExitCode::from(summary.exit_status()))
}

fn jobs(args: &Args) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    match args.jobs {
        0 => cores,
        jobs => jobs,
    }
}

/// How many backend processes a task may run at a time: one for tasks that run in parallel.
fn state_jobs(args: &Args) -> usize {
    match args.executor {
        Executor::Slurm => 0,
        _ => 1,
    }
}

fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    let path = match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    };
    std::path::absolute(path).map_err(|e| {
        let message = format!("{} is no place: {e}", path.display());
        Failure::error(Cause::Usage, message)
    })
}

fn read(path: &Path, output: &Output) -> anyhow::Result<Manifest> {
    let text = std::fs::read_to_string(path).map_err(|e| {
        let message = format!("cannot read {}: {e}", path.display());
        Failure::error(Cause::Refused, message)
    })?;
    Manifest::read(&text).map_err(|problem| {
        let lines = text.split_inclusive('\n');
        let before: usize = lines
            .take(problem.line.saturating_sub(1))
            .map(str::len)
            .sum();
        let at = before + problem.column.saturating_sub(1);
        let end = if problem.line == 0 { at } else { at + 1 };
        let diagnostic =
            spec::Diagnostic::error(problem.message, at..end).in_source(path.display().to_string());
        let shown = if problem.line == 0 { "" } else { text.as_str() };
        tell(spec::render(&diagnostic, shown, output.color_stderr()));
        Failure::silent(Cause::Refused)
    })
}

fn show(
    args: &Args,
    output: &Output,
    manifest: &Manifest,
    summary: &Summary,
) -> anyhow::Result<()> {
    if let Some(path) = &args.csv {
        outputs::write_atomically(path, print::csv(summary).as_bytes())?;
    }
    let text = match args.format {
        Format::Text => {
            let options = report::terminal::options(Some(output.color_stdout()), false);
            print::text(summary, options.unicode)
        }
        Format::Json => {
            serde_json::to_string_pretty(&summary.to_json(manifest.name.as_deref()))? + "\n"
        }
        Format::Csv => print::csv(summary),
    };
    outputs::print(text.as_bytes())
}

/// Shows the progress: a bar on a terminal, otherwise a line for each finished task.
struct Watch {
    bar: ProgressBar,
    lines: bool,
}

impl Watch {
    fn new(output: &Output, state: &State, open: usize) -> Watch {
        let terminal = std::io::stderr().is_terminal();
        let target = match !output.quiet && terminal {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(open as u64), target);
        let style = ProgressStyle::with_template("{pos}/{len} tasks, {elapsed} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let done = state.tasks().len() - open;
        if !output.quiet && done > 0 {
            let all = state.tasks().len();
            tell(format_args!("{done} of {all} tasks are done already"));
        }
        Watch {
            bar,
            lines: !output.quiet && !terminal,
        }
    }

    /// Reports a finished task.
    fn finished(&self, task: &TaskResult) {
        self.bar.inc(1);
        let line = print::line(task);
        self.bar.set_message(line.clone());
        if self.lines {
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            tell(format_args!("[{done}/{all}] {line}"));
        }
    }

    /// Reports something that concerns all tasks.
    fn note(&self, message: &str) {
        self.bar.set_message(message.to_owned());
        if self.lines {
            tell(message);
        }
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}
