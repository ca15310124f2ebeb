//! `baproduct init`: a first specification for a program, to be edited; or the schema of all.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;
use weave::facts::{Facts, Label, Lifetime};

use crate::exit::{Ended, Status};
use crate::options::{Output, Preprocessor};
use crate::outputs;
use crate::pipeline;

/// At most so many globals become propositions.
const GLOBALS: usize = 8;

/// At most so many places become propositions.
const PLACES: usize = 8;

/// Words for the two ends of an area, as programs use them in labels.
const ENDS: [(&str, &str); 8] = [
    ("begin", "end"),
    ("start", "finish"),
    ("start", "end"),
    ("start", "stop"),
    ("enter", "leave"),
    ("enter", "exit"),
    ("entry", "exit"),
    ("b", "e"),
];

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The C program
    #[arg(required_unless_present_any = ["schema", "result_schema"])]
    program: Option<PathBuf>,
    /// Where the specification goes; an existing file is not overwritten
    #[arg(short, long, value_name = "SPEC.json", default_value = "-")]
    output: PathBuf,
    /// Print the JSON Schema of specifications instead, for editors
    #[arg(long, conflicts_with = "program")]
    schema: bool,
    /// Print the JSON Schema of `verify --format json` instead, for whoever reads it
    #[arg(long, conflicts_with_all = ["program", "schema"])]
    result_schema: bool,
    #[command(flatten)]
    preprocessor: Preprocessor,
}

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> anyhow::Result<ExitCode> {
    let text = match &args.program {
        None if args.result_schema => report::RESULT_SCHEMA.to_string(),
        None => spec::SCHEMA.to_string(),
        Some(program) => {
            let facts = pipeline::facts(program, &args.preprocessor, output)?;
            first_specification(&facts)?
        }
    };
    if args.output == Path::new("-") {
        outputs::print(text.as_bytes())?;
    } else if args.output.exists() {
        return Err(Ended::error(
            Status::Usage,
            format!(
                "{} is there already and is not overwritten; give another name",
                args.output.display()
            ),
        ));
    } else if args.program.is_some() {
        write_with_schema(&args.output, &text)?;
    } else {
        outputs::write_atomically(&args.output, text.as_bytes())?;
    }
    Ok(Status::Success.into())
}

/// The file that specifications name as their schema, so that editors complete and check them.
const SCHEMA_FILE: &str = "baproduct.schema.json";

/// Writes a specification that names its schema, and the schema beside it if it is not there yet.
fn write_with_schema(path: &Path, text: &str) -> anyhow::Result<()> {
    let body = text.strip_prefix('{').unwrap_or(text).trim_start();
    let text = format!("{{ \"$schema\": \"./{SCHEMA_FILE}\",\n  {body}");
    let schema = path.with_file_name(SCHEMA_FILE);
    if schema.exists() {
        return outputs::write_atomically(path, text.as_bytes());
    }
    outputs::write_all(&[(path, text.as_bytes()), (&schema, spec::SCHEMA.as_bytes())])
}

/// A proposition for each pair of labels that look like an area, for each global that changes and
/// for each other label; and a formula over them that makes sense of the first ones.
fn first_specification(facts: &Facts) -> anyhow::Result<String> {
    let areas = areas(facts);
    let globals = globals(facts);
    let mut propositions: Vec<String> = Vec::new();
    for area in &areas {
        propositions.push(proposition(&area.name, "1", [&area.entry, &area.exit]));
    }
    let taken = |name: &str| areas.iter().any(|a| a.name == name);
    let globals: Vec<(String, &String)> = globals
        .iter()
        .map(|global| match taken(global) {
            true => (format!("{global}_set"), global),
            false => (global.to_string(), global),
        })
        .collect();
    for (name, global) in &globals {
        let condition = format!("{global} != 0");
        propositions.push(proposition(name, &condition, ["_begin", "_end"]));
    }
    let used = |name: &str| taken(name) || globals.iter().any(|(other, _)| other == name);
    let places: Vec<(String, String)> = places(facts, &areas)
        .into_iter()
        .map(|label| {
            let name = label.replace("::", "_");
            match used(&name) {
                true => (format!("at_{name}"), label),
                false => (name, label),
            }
        })
        .collect();
    for (name, label) in &places {
        let (name, label) = (json!(name), json!(label));
        propositions.push(format!(
            "{{ \"name\": {name}, \"default\": false, \"cond\": \"1\", \"at\": {label} }}"
        ));
    }
    let formula = match (areas.as_slice(), globals.as_slice()) {
        ([], []) => match places.as_slice() {
            [(one, _), (other, _), ..] => format!("G ({} -> F {})", quoted(one), quoted(other)),
            [(one, _)] => format!("F {}", quoted(one)),
            [] => {
                return Err(Ended::error(
                    Status::Refused,
                    "the program has neither labels nor a global number that changes; add labels where the areas of \
                     propositions begin and end",
                ))
            }
        },
        ([one, other, ..], _) => format!("G !({} && {})", quoted(&one.name), quoted(&other.name)),
        ([area], _) => format!("G ({0} -> F !{0})", quoted(&area.name)),
        ([], [(global, _), ..]) => format!("G ({0} -> F !{0})", quoted(global)),
    };
    Ok(format!(
        "{{ \"ltl\": {},\n  \"pa\": [\n    {}\n  ],\n  \"unwind\": 5 }}\n",
        json!(formula),
        propositions.join(",\n    ")
    ))
}

/// One proposition, on a line, in the order in which one reads it.
fn proposition(name: &str, condition: &str, span: [&str; 2]) -> String {
    format!(
        "{{ \"name\": {}, \"default\": false, \"cond\": {}, \"span\": {} }}",
        json!(name),
        json!(condition),
        json!(span)
    )
}

/// The name as a formula has it: in quotes if it could be read as an operator.
fn quoted(name: &str) -> String {
    match name.starts_with(|c: char| c.is_ascii_lowercase()) && !["true", "false"].contains(&name) {
        true => name.to_string(),
        false => format!("\"{name}\""),
    }
}

/// A pair of labels that look like the ends of an area.
struct Marked {
    name: String,
    entry: String,
    exit: String,
}

fn areas(facts: &Facts) -> Vec<Marked> {
    let mut found: Vec<Marked> = Vec::new();
    for entry in &facts.labels {
        let function = &facts.functions[entry.function].name;
        let exit = facts.labels.iter().find_map(|exit| {
            let stem = (exit.function == entry.function && exit.place.start > entry.place.start)
                .then(|| stem(&entry.name, &exit.name))??;
            Some((exit, stem))
        });
        let Some((exit, stem)) = exit else { continue };
        let taken = |name: &String| found.iter().any(|other| other.name == *name);
        let mut name = match stem.is_empty() || stem.chars().all(|c| c.is_ascii_digit()) {
            true => format!("in_{function}"),
            false => stem.clone(),
        };
        if taken(&name) {
            name = format!("{name}_{}", entry.name);
        }
        if found.iter().all(|other| other.name != name) {
            found.push(Marked {
                name,
                entry: full_name(facts, entry),
                exit: full_name(facts, exit),
            });
        }
    }
    found
}

/// A label as a specification names it: with its function if others have one of its name.
fn full_name(facts: &Facts, label: &Label) -> String {
    let alike = facts.labels.iter().filter(|l| l.name == label.name);
    match alike.count() {
        1 => label.name.clone(),
        _ => format!("{}::{}", facts.functions[label.function].name, label.name),
    }
}

/// The labels that are no ends of areas.
fn places(facts: &Facts, areas: &[Marked]) -> Vec<String> {
    let labels = facts.labels.iter().map(|label| full_name(facts, label));
    let end = |name: &String| areas.iter().any(|a| [&a.entry, &a.exit].contains(&name));
    labels.filter(|name| !end(name)).take(PLACES).collect()
}

/// What two labels have in common, if they differ only in words for the two ends of something:
/// `p1` for `b_p1` and `e_p1`.
fn stem(entry: &str, exit: &str) -> Option<String> {
    ENDS.iter().find_map(|(begin, end)| {
        let one = without(entry, begin)?;
        (without(exit, end)? == one).then_some(one)
    })
}

/// The label without a word at its beginning or end and the underscores around it. A single letter
/// counts as a word only where an underscore sets it apart.
fn without(label: &str, word: &str) -> Option<String> {
    let rest = label
        .strip_prefix(word)
        .or_else(|| label.strip_suffix(word))?;
    let apart = rest.starts_with('_') || rest.ends_with('_');
    (apart || word.len() > 1).then(|| rest.trim_matches('_').to_string())
}

/// Globals of scalar type in the order of their declarations: those that some statement changes by
/// name, or if there are none all of them, for a pointer may change them.
fn globals(facts: &Facts) -> Vec<String> {
    let scalars = || {
        let all = facts.objects.iter().enumerate();
        all.filter(|(_, o)| o.lifetime == Lifetime::Static && !o.system && o.value_type.is_some())
    };
    let written = |index: usize| facts.writes.iter().any(|w| w.place.root == Some(index));
    let none = !scalars().any(|(index, _)| written(index));
    let chosen = scalars().filter(|(index, _)| none || written(*index));
    chosen
        .map(|(_, object)| object.name.clone())
        .take(GLOBALS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn labels_of_an_area_have_a_stem() {
        for (entry, exit, expected) in [
            ("b_p1", "e_p1", Some("p1")),
            ("begin", "end", Some("")),
            ("critical_begin", "critical_end", Some("critical")),
            ("start1", "finish1", Some("1")),
            ("enter_room", "leave_room", Some("room")),
            ("begin_a", "end_b", None),
            ("bus", "eus", None),
            ("again", "out", None),
        ] {
            assert_eq!(stem(entry, exit).as_deref(), expected, "{entry} {exit}");
        }
    }
}
