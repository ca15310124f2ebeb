//! `baproduct requirements`: requirements in structured English, their formulas and readings, and whether they fit
//! together.

mod together;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use forms::{read_text, Cause, Failure};
use serde::Serialize;
use spec::Stated;
use together::Together;

use crate::exit::Status;
use crate::listener::say;
use crate::options::{Format, Output};
use crate::outputs;

/// The exit status of requirements that contradict each other, as that of a violation.
const CONTRADICTORY: u8 = 10;

/// The command line of `baproduct requirements`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A text file with one requirement a line, or requirements as FRET exports them (JSON); `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The form of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// The time from one letter to the next, with a unit (10ms), for requirements that give times
    #[arg(long, value_name = "TIME")]
    tick: Option<requirements::Tick>,
    /// Do not compare the requirements with each other
    #[arg(long)]
    no_check: bool,
}

/// Runs the command.
///
/// # Errors
/// A file that is refused, or a stream that fails.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let text = read_text(&args.file)?;
    let stated = spec::read_requirements(&text, args.tick).map_err(|errors| {
        for error in errors {
            let error = error.in_source(args.file.display().to_string());
            say(&error, &text, output);
        }
        Failure::silent(Cause::Refused)
    })?;
    let unread = stated.iter().flat_map(|stated| &stated.unread);
    let mut told: Vec<&str> = Vec::new();
    for (name, warning) in unread {
        if !told.contains(&name.as_str()) {
            told.push(name);
            let warning = warning.clone().in_source(args.file.display().to_string());
            say(&warning, &text, output);
        }
    }
    let together = (!args.no_check).then(|| Together::of(&stated));
    let shown = match args.format {
        Format::Text => shown(&stated, together.as_ref()),
        Format::Json => json(&stated, together.as_ref())?,
    };
    outputs::print(shown.as_bytes())?;
    Ok(match together.is_some_and(|t| t.is_contradictory()) {
        true => ExitCode::from(CONTRADICTORY),
        false => Status::Success.into(),
    })
}

/// The answer as text.
fn shown(stated: &[Stated], together: Option<&Together>) -> String {
    let mut text = String::new();
    for stated in stated {
        let requirement = &stated.requirement;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}: {}\n  formula  {}\n  fields   {}, {}, {}\n{}\n",
            stated.id,
            stated.sentence.as_str(),
            stated.formula_text(),
            requirement.scope.name(),
            requirement.condition.name(),
            requirement.timing.name(),
            filled("  reading  ", &requirement.reading()),
        );
    }
    if let Some(together) = together {
        text.push_str(&together.text());
    }
    text
}

/// A text in lines of at most 100 columns, the later ones under the first.
pub(super) fn filled(heading: &str, text: &str) -> String {
    let indent = " ".repeat(heading.len());
    let mut lines = vec![heading.to_owned()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let used = lines[last].chars().count() + word.chars().count();
        if used > 100 && lines[last].trim() != "" && lines[last] != heading {
            lines.push(format!("{indent}{word} "));
        } else {
            lines[last].push_str(word);
            lines[last].push(' ');
        }
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

/// The answer as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    requirements: Vec<Entry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    together: Option<together::Answer<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    text: &'a str,
    component: &'a str,
    scope: &'static str,
    condition: &'static str,
    timing: &'static str,
    ltl: String,
    reading: String,
}

fn json(stated: &[Stated], together: Option<&Together>) -> anyhow::Result<String> {
    let entries = stated.iter().map(|stated| Entry {
        id: &stated.id,
        text: stated.sentence.as_str(),
        component: &stated.requirement.component,
        scope: stated.requirement.scope.name(),
        condition: stated.requirement.condition.name(),
        timing: stated.requirement.timing.name(),
        ltl: stated.formula_text(),
        reading: stated.requirement.reading(),
    });
    let answer = Answer {
        requirements: entries.collect(),
        together: together.map(Together::answer),
    };
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}
