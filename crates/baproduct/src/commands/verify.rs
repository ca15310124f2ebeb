//! `baproduct verify`: instrument, run, combine, report.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use verify::result::FailOn;
use weave::record::Record;

use crate::commands::instrument::write_atomically;
use crate::exit::{Ended, Status};
use crate::options::{Output, Weaving};
use crate::pipeline;

/// Which backend decides.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum BackendName {
    Cbmc,
    Esbmc,
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
}

/// Which verdicts fail.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum FailOnName {
    /// ⊥ and ⊥ᵖ
    Violation,
    /// ⊥ alone
    False,
}

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The specification and the C program; or a program that `instrument` wrote
    #[arg(required = true, value_name = "SPEC.json PROG.c | OUT.c")]
    inputs: Vec<PathBuf>,
    /// A formula instead of a specification, with C conditions in braces
    #[arg(long, value_name = "FORMULA")]
    ltl: Option<String>,
    /// The model checker
    #[arg(long, value_enum, default_value = "cbmc")]
    backend: BackendName,
    /// The model checker's program, if it is not the one on the path
    #[arg(long, value_name = "PATH")]
    backend_path: Option<PathBuf>,
    /// An argument for the model checker
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    backend_arg: Vec<String>,
    #[command(flatten)]
    weaving: Weaving,
    /// One backend run for each lattice level, or one for all
    #[arg(long, value_enum, default_value = "auto")]
    levels: LevelsName,
    /// Backend processes at a time [default: as many as cores]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: usize,
    /// Wall-clock limit of a backend run
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u64>,
    /// Memory limit of a backend run
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// The form of the result
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Write the report in every form into this directory, too
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Show a run for every verdict, not only for violations
    #[arg(long, overrides_with = "no_trace")]
    trace: bool,
    /// Show no run
    #[arg(long, overrides_with = "trace")]
    no_trace: bool,
    /// Which verdicts give exit status 10
    #[arg(long, value_enum, default_value = "violation")]
    fail_on: FailOnName,
}

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let unwindset = pipeline::unwindset(&args.weaving)?;
    // Without a backend nothing else matters, but a bad input is still said to be bad.
    let (text, record) = program(args, output)?;
    let kind = match args.backend {
        BackendName::Cbmc => backend::Kind::Cbmc,
        BackendName::Esbmc => backend::Kind::Esbmc,
    };
    let backend = backend::open(kind, args.backend_path.as_deref()).map_err(|failure| {
        Ended::error(
            Status::NoBackend,
            format!("{failure}; `baproduct doctor` says what is installed and how to get the rest"),
        )
    })?;
    let directory = tempfile::Builder::new().prefix("baproduct-").tempdir()?;
    let source = directory.path().join("monitored.c");
    std::fs::write(&source, text)?;
    let options = options(args, unwindset);
    let show = !output.quiet && std::io::stderr().is_terminal();
    let progress = |what: &str| {
        if show {
            eprintln!("{what} …");
        }
    };
    let result = verify::verify(
        &record,
        &source,
        backend.as_ref(),
        &options,
        &backend::Cancel::new(),
        &progress,
    );
    drop(directory);
    print(args, output, &result)?;
    let fail_on = match args.fail_on {
        FailOnName::Violation => FailOn::Violation,
        FailOnName::False => FailOn::False,
    };
    Ok(ExitCode::from(result.exit_status(fail_on)))
}

/// The monitored program and its record, woven now or by an earlier `instrument`.
fn program(args: &Args, output: &Output) -> anyhow::Result<(String, Record)> {
    if let Some(formula) = &args.ltl {
        let spec = pipeline::spec_of_formula(formula, output)?;
        let woven = pipeline::weave(
            &spec,
            pipeline::single_program(&args.inputs)?,
            &args.weaving,
            output,
        )?;
        return Ok((woven.text, woven.record));
    }
    if let [only] = &args.inputs[..] {
        let (text, record) = pipeline::woven_before(only)?;
        pipeline::check_bounds(&pipeline::unwindset(&args.weaving)?, &record)?;
        pipeline::check_lasso(&args.weaving, &record)?;
        return Ok((text, record));
    }
    let (spec, programs) = (&args.inputs[0], &args.inputs[1..]);
    let spec = pipeline::read_spec(spec, output)?;
    let woven = pipeline::weave(
        &spec,
        pipeline::single_program(programs)?,
        &args.weaving,
        output,
    )?;
    Ok((woven.text, woven.record))
}

fn options(args: &Args, unwindset: BTreeMap<String, u32>) -> verify::Options {
    verify::Options {
        levels: match args.levels {
            LevelsName::Separate => verify::Levels::Separate,
            LevelsName::Together => verify::Levels::Together,
            LevelsName::Auto => verify::Levels::Auto,
        },
        jobs: args.jobs,
        timeout: args.timeout.map(Duration::from_secs),
        memory_mib: args.memory,
        unwind: args.weaving.unwind,
        unwindset,
        trace: match (args.trace, args.no_trace) {
            (true, _) => verify::TraceWish::Always,
            (_, true) => verify::TraceWish::Never,
            _ => verify::TraceWish::Violations,
        },
        extra_args: args.backend_arg.clone(),
    }
}

fn print(
    args: &Args,
    output: &Output,
    result: &verify::result::VerifyResult,
) -> anyhow::Result<()> {
    let colour = Some(output.color_stdout());
    let options = report::terminal::options(colour, output.verbose > 0);
    let format = match args.format {
        Format::Text => report::Format::Text,
        Format::Json => report::Format::Json,
        Format::Sarif => report::Format::Sarif,
        Format::Junit => report::Format::Junit,
    };
    let render = |format, options: &report::Options| {
        report::render(result, format, options)
            .map_err(|e| anyhow::anyhow!("cannot write the report: {e}"))
    };
    if let Some(directory) = &args.report {
        std::fs::create_dir_all(directory)?;
        for (name, format) in [
            ("report.txt", report::Format::Text),
            ("report.json", report::Format::Json),
            ("report.sarif", report::Format::Sarif),
            ("report.xml", report::Format::Junit),
        ] {
            write_atomically(
                &directory.join(name),
                render(format, &report::Options::default())?.as_bytes(),
            )?;
        }
        let page = report::html::render(result, &sources(result))?;
        write_atomically(&directory.join("report.html"), page.as_bytes())?;
    }
    let mut out = std::io::stdout().lock();
    out.write_all(render(format, &options)?.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The texts of the files that the traces name, as seen from the current directory. What cannot be
/// read is left out: the page then shows the steps without their source.
fn sources(result: &verify::result::VerifyResult) -> report::html::Sources {
    let mut sources = report::html::Sources::new();
    for step in result
        .properties
        .iter()
        .flat_map(|property| &property.trace)
    {
        if step.file.is_empty() || sources.contains_key(&step.file) {
            continue;
        }
        if let Ok(bytes) = std::fs::read(&step.file) {
            sources.insert(
                step.file.clone(),
                String::from_utf8_lossy(&bytes).into_owned(),
            );
        }
    }
    sources
}
