//! `baproduct manual`: man pages, shell completions, and the reference of the options, generated
//! from the definition of the command line.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Arg, Command, ValueEnum};

use crate::exit::Status;
use crate::outputs;

/// What to write.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Man pages, into a directory
    Man,
    /// Completions for bash
    Bash,
    /// Completions for zsh
    Zsh,
    /// Completions for fish
    Fish,
    /// The reference of commands and options
    Markdown,
}

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What to write
    #[arg(value_enum)]
    form: Form,
    /// The directory of man pages
    #[arg(short, long, value_name = "DIR", required_if_eq("form", "man"))]
    output: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// If the output cannot be written.
pub fn run(args: &Args, mut command: Command) -> anyhow::Result<ExitCode> {
    let shell = match args.form {
        Form::Man => {
            let directory = args.output.clone().unwrap_or_default();
            outputs::make_directory(&directory)?;
            clap_mangen::generate_to(command, &directory)?;
            return Ok(Status::Success.into());
        }
        Form::Markdown => {
            outputs::print(markdown(command).as_bytes())?;
            return Ok(Status::Success.into());
        }
        Form::Bash => clap_complete::Shell::Bash,
        Form::Zsh => clap_complete::Shell::Zsh,
        Form::Fish => clap_complete::Shell::Fish,
    };
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "baproduct", &mut text);
    outputs::print(&text)?;
    Ok(Status::Success.into())
}

/// The reference page of all commands with all their options.
fn markdown(mut command: Command) -> String {
    command.build();
    let mut text = String::from(
        "# Commands and options\n\n<!-- Written by `baproduct manual markdown`; a test compares them. -->\n",
    );
    let _ = writeln!(text, "\nOptions of all commands:\n");
    arguments(
        &mut text,
        command.get_arguments().filter(|a| a.is_global_set()),
    );
    for sub in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        if sub.get_name() == "help" {
            continue;
        }
        let _ = writeln!(text, "\n## {}\n", sub.get_name());
        let about = sub.get_long_about().or(sub.get_about());
        let _ = writeln!(
            text,
            "{}.\n",
            about
                .map(ToString::to_string)
                .unwrap_or_default()
                .trim_end_matches('.')
        );
        arguments(
            &mut text,
            sub.get_arguments().filter(|a| !a.is_global_set()),
        );
    }
    text
}

fn arguments<'a>(text: &mut String, all: impl Iterator<Item = &'a Arg>) {
    let shown = |a: &&Arg| !a.is_hide_set() && a.get_id() != "help" && a.get_id() != "version";
    for argument in all.filter(shown) {
        let _ = writeln!(text, "- {}: {}", name(argument), meaning(argument));
    }
}

fn name(argument: &Arg) -> String {
    let takes = argument.get_action().takes_values();
    let names = argument.get_value_names().unwrap_or_default();
    let values: Vec<&str> = names.iter().map(|n| n.as_str()).collect();
    let value = match (takes, values.is_empty()) {
        (true, false) => values.join(" "),
        (true, true) => argument.get_id().to_string().to_uppercase(),
        (false, _) => String::new(),
    };
    let short = argument.get_short().map(|s| format!("-{s}"));
    let long = argument.get_long().map(|l| format!("--{l}"));
    let flags: Vec<String> = short.into_iter().chain(long).collect();
    let all = match (flags.is_empty(), value.is_empty()) {
        (true, _) => value,
        (false, true) => flags.join(", "),
        (false, false) => format!("{} {value}", flags.join(", ")),
    };
    format!("`{all}`")
}

fn meaning(argument: &Arg) -> String {
    let help = argument.get_help().map(ToString::to_string);
    let mut text = help.unwrap_or_default().replace('\n', " ");
    let possible = argument.get_possible_values();
    let possible: Vec<_> = possible.iter().filter(|v| !v.is_hide_set()).collect();
    if !possible.is_empty() && argument.get_action().takes_values() {
        let one = |v: &&clap::builder::PossibleValue| match v.get_help() {
            Some(help) => format!("`{}` ({help})", v.get_name()),
            None => format!("`{}`", v.get_name()),
        };
        let list: Vec<String> = possible.iter().map(one).collect();
        let _ = write!(text, ". One of {}", list.join(", "));
    }
    let defaults = argument.get_default_values();
    if !defaults.is_empty()
        && !argument.is_hide_default_value_set()
        && argument.get_action().takes_values()
    {
        let list: Vec<String> = defaults
            .iter()
            .map(|d| format!("`{}`", d.to_string_lossy()))
            .collect();
        let _ = write!(text, ". Default: {}", list.join(", "));
    }
    text.replace('<', "&lt;")
}
