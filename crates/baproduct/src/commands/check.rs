//! `baproduct check`: resolves and plans everything, and runs nothing.

use std::fmt::Write as _;
use std::process::ExitCode;

use weave::record::Record;

use crate::exit::Status;
use crate::given;
use crate::options::{Format, Output, Question, Weaving};
use crate::outputs;
use crate::rests;

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    weaving: Weaving,
    /// The form of the plan
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Prints the plan.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let (_, woven) = given::woven(&args.question, &args.weaving, output)?;
    let text = match args.format {
        Format::Text => plan(&woven.record),
        Format::Json => serde_json::to_string_pretty(&woven.record)? + "\n",
    };
    outputs::print(text.as_bytes())?;
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
                site.event.name().to_string(),
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
    text.push_str(&infinite_runs(record));
    let rests = rests::text(record);
    if !rests.is_empty() {
        let _ = write!(text, "\n{rests}");
    }
    let _ = writeln!(text, "\nBound: {} iterations of each loop", record.unwind);
    text
}

/// The state that the search for infinite runs saves and compares.
fn infinite_runs(record: &Record) -> String {
    let mut text = String::new();
    let Some(lasso) = &record.lasso else {
        return text;
    };
    let _ = writeln!(text, "\nInfinite runs");
    for (site, locals) in &lasso.points {
        let Some(site) = record.sites.get(*site) else {
            continue;
        };
        let locals = match locals.is_empty() {
            true => String::new(),
            false => format!(", with {}", locals.join(", ")),
        };
        let _ = writeln!(
            text,
            "  the state is saved at {}:{}, {}{locals}",
            site.file, site.line, site.what
        );
    }
    let list = |names: &[String]| match names.is_empty() {
        true => "nothing".to_string(),
        false => names.join(", "),
    };
    let by = if lasso.declared {
        ", as the specification declares"
    } else {
        ""
    };
    let _ = writeln!(text, "  the state is: {}{by}", list(&lasso.state));
    if !lasso.ignored.is_empty() {
        let _ = writeln!(
            text,
            "  it changes, but nothing that counts depends on it: {}",
            list(&lasso.ignored)
        );
    }
    text
}
