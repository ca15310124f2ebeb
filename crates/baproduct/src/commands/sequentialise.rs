//! `baproduct sequentialise`: turns a threaded program into a sequential one, for any tool that
//! reads C.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use forms::Listener;

use crate::commands::verify::MemoryModelName;
use crate::exit::Status;
use crate::options::{Output, Preprocessor};
use crate::outputs;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The files of the C program
    #[arg(required = true, value_name = "PROGRAM")]
    programs: Vec<PathBuf>,
    /// Where to write the sequential program; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// What is written: the runs of a few rounds, or all runs of any length, as one loop of steps
    #[arg(long, value_enum, default_value = "rounds")]
    form: Form,
    /// Contexts of each thread
    #[arg(long, value_name = "R", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// Iterations of each loop whose number is not constant
    #[arg(long, value_name = "K", default_value = "2")]
    unwind: u32,
    /// Activations of a recursive function at a time [default: as --unwind]
    #[arg(long, value_name = "K")]
    recursion: Option<u32>,
    /// Waits for conditions may end without a signal
    #[arg(long)]
    spurious_wakeups: bool,
    /// How writes of a thread become visible to others
    #[arg(long, value_enum, default_value = "sc")]
    memory_model: MemoryModelName,
    #[command(flatten)]
    preprocessor: Preprocessor,
}

/// The forms of a sequential program.
#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The runs in which each thread has at most --rounds contexts, within bounds of loops
    Rounds,
    /// All runs, of any length: a loop that lets a chosen thread take a step. Nothing is bounded;
    /// what would need a bound is refused
    Steps,
}

/// Writes the sequential program.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let unit = forms::read(&args.programs, &args.preprocessor.options(), output)?;
    let refused = |list: &[cfront::Diagnostic]| forms::refused(list, output);
    let one = cfront::merge::as_one(unit);
    let (mut unit, _) = one.map_err(|d| refused(std::slice::from_ref(&*d)))?;
    if let Some(model) = args.memory_model.weaker() {
        let asked = sequentialise::memory::Asked::anything(model);
        let made = sequentialise::memory::remembered(&unit, &asked);
        // Whether the program has races is not asked here.
        let made = made.and_then(|made| match made.without_races {
            Some(why) => Err(vec![why]),
            None => Ok(made),
        });
        let made = made.map_err(|list| {
            let placed = list.into_iter().map(|d| unit.source.resolve(d));
            refused(&placed.collect::<Vec<_>>())
        })?;
        if let Some(source) = made.source {
            unit = cfront::Unit::parse(source).map_err(|list| refused(&list))?;
        }
    }
    let options = sequentialise::Options {
        rounds: args.rounds,
        unwind: args.unwind,
        recursion: args.recursion.unwrap_or(args.unwind),
        spurious_wakeups: args.spurious_wakeups,
        steps: args.form == Form::Steps,
        ..sequentialise::Options::default()
    };
    let sequential = sequentialise::sequentialise(&unit, &options);
    let sequential = sequential.map_err(|list| {
        let placed = list.into_iter().map(|d| unit.source.resolve(d));
        refused(&placed.collect::<Vec<_>>())
    })?;
    for warning in &sequential.warnings {
        let place = unit.source.place(warning.span);
        let warning = spec::Diagnostic::warning(warning.message.clone(), 0..0);
        output.program(warning.in_source(place.file.clone()), Some(&place));
    }
    if args.output == Path::new("-") {
        outputs::print(&sequential.text)?;
    } else {
        outputs::write_atomically(&args.output, &sequential.text)?;
    }
    if !output.quiet {
        let (threads, positions) = (sequential.threads.len(), sequential.positions.len());
        let which = match args.form {
            Form::Rounds => format!("{} rounds", args.rounds),
            Form::Steps => "all schedules".to_owned(),
        };
        outputs::tell(format_args!(
            "note: {threads} threads, {positions} positions, {which}"
        ));
    }
    Ok(Status::Success.into())
}
