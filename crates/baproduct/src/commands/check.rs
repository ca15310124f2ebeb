//! `baproduct check`: everything is resolved and planned, nothing is run.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use weave::record::Record;

use crate::exit::Status;
use crate::options::{Output, Weaving};
use crate::pipeline;

/// The form of the plan.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Json,
}

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The specification; `-` is standard input
    spec: PathBuf,
    /// The C program
    #[arg(required_unless_present = "compile_commands")]
    programs: Vec<PathBuf>,
    #[command(flatten)]
    weaving: Weaving,
    /// The form of the plan
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Prints the plan.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let spec = pipeline::read_spec(Some(&args.spec), &args.weaving.properties, output)?;
    let woven = pipeline::weave(&spec, &args.programs, &args.weaving, output)?;
    let text = match args.format {
        Format::Text => plan(&woven.record),
        Format::Json => serde_json::to_string_pretty(&woven.record)? + "\n",
    };
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Status::Success.into())
}

fn plan(record: &Record) -> String {
    let mut text = String::new();
    for property in &record.properties {
        let _ = writeln!(text, "{}: {}", property.name, property.ltl);
        if !property.explanation.is_empty() {
            let _ = writeln!(text, "  {}", property.explanation);
        }
    }
    let _ = writeln!(text, "\nPropositions");
    for proposition in &record.propositions {
        let _ = writeln!(text, "  {}: {}", proposition.name, proposition.meaning);
    }
    let rows: Vec<[String; 5]> = record
        .sites
        .iter()
        .map(|site| {
            [
                format!("{}:{}", site.file, site.line),
                site.function.clone(),
                site.event.clone(),
                site.what.clone(),
                match &site.decided {
                    Some(why) => format!("  (decided at run time: {why})"),
                    None => String::new(),
                },
            ]
        })
        .collect();
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let (place, function, event) = (width(0), width(1), width(2));
    let _ = writeln!(text, "\nSites");
    for row in &rows {
        let _ = writeln!(
            text,
            "  {:place$}  {:function$}  {:event$}  {}{}",
            row[0], row[1], row[2], row[3], row[4]
        );
    }
    if !record.assumptions.is_empty() {
        let _ = writeln!(text, "\nAssumptions");
        for assumption in &record.assumptions {
            let _ = writeln!(text, "  {assumption}");
        }
    }
    let _ = writeln!(text, "\nBound: {} iterations of each loop", record.unwind);
    text
}
