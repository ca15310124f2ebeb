//! Options that several commands share, each defined once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use cfront::entries::{DEPTH, LENGTH};
use clap::{Args, ValueEnum};
use forms::entries::Wanted;
use forms::{Cause, Failure, Machine, DEFAULT_CPP, DEFAULT_STD};
use spec::Target;
use weave::Form;

use crate::collected::Collected;

/// How the C code is preprocessed.
#[derive(Args, Debug, Clone)]
pub struct Preprocessor {
    /// Add DIR to the include path
    #[arg(short = 'I', value_name = "DIR", help_heading = "Preprocessor")]
    pub include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=V]", help_heading = "Preprocessor")]
    pub define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Preprocessor")]
    pub undefine: Vec<String>,
    /// The C dialect
    #[arg(
        long,
        value_name = "STD",
        default_value = DEFAULT_STD,
        help_heading = "Preprocessor"
    )]
    pub std: String,
    /// The preprocessor's command
    #[arg(
        long,
        value_name = "CMD",
        default_value = DEFAULT_CPP,
        help_heading = "Preprocessor"
    )]
    pub cpp: String,
    /// The machine that the program is for: `macros` (what the preprocessor says), `lp64`, `ilp32`,
    /// `llp64`, `avr`, `cortex-m` [default: the spec's, else `macros`]
    #[arg(long, value_name = "NAME", value_parser = target, hide_possible_values = true, help_heading = "Preprocessor")]
    pub target: Option<Target>,
    /// Take each file's flags, and the files if none is named, from a compilation database
    #[arg(long, value_name = "FILE", help_heading = "Preprocessor")]
    pub compile_commands: Option<PathBuf>,
}

impl Preprocessor {
    /// How the C code is preprocessed.
    pub fn options(&self) -> forms::Preprocessor {
        forms::Preprocessor {
            include: self.include.clone(),
            define: self.define.clone(),
            undefine: self.undefine.clone(),
            std: self.std.clone(),
            cpp: self.cpp.clone(),
            target: self.target,
            compile_commands: self.compile_commands.clone(),
            unsaved: Arc::default(),
        }
    }
}

fn target(name: &str) -> Result<Target, String> {
    Target::named(name).ok_or_else(|| {
        let names = Target::ALL.map(Target::name).join(", ");
        format!("possible values: {names}")
    })
}

/// The form of what a command prints that has no form of its own.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
}

/// Which form the monitor takes.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum MonitorForm {
    /// Deterministic where its size allows, else Büchi
    Auto,
    /// Deterministic and exact, or an error
    Dfa,
    /// The paper's non-deterministic form, whose ⊥ is an under-approximation
    Buchi,
}

impl MonitorForm {
    /// The form that it names.
    pub fn form(self) -> Form {
        match self {
            MonitorForm::Auto => Form::Auto,
            MonitorForm::Dfa => Form::Deterministic,
            MonitorForm::Buchi => Form::Buchi,
        }
    }
}

/// How headers are written.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Headers {
    /// System headers stay `#include` lines
    Include,
    /// Everything as the preprocessor left it
    Expand,
}

/// What is asked about which program.
#[derive(Args, Debug, Clone)]
pub struct Question {
    /// The specification (JSON, `-` is standard input; or a property file .prp) and the C program; a task
    /// definition (.yml); or a program with `//@ ltl` formulas in its comments
    #[arg(
        required_unless_present = "compile_commands",
        value_name = "SPEC.json PROG.c | FILE.prp PROG.c | TASK.yml | PROG.c"
    )]
    pub inputs: Vec<PathBuf>,
    /// A formula instead of a specification, with C conditions in braces; again and again for several properties
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
}

/// Who calls the functions of a program without `main`.
#[derive(Args, Debug, Clone)]
pub struct Entry {
    /// For a program without `main`: call this function with any arguments (again and again: these, in any order,
    /// without an end); or an expression of calls, as 'init (push | pop)*'
    #[arg(long, value_name = "FUNCTION | CALLS", help_heading = "Library")]
    pub entry: Vec<String>,
    /// The most elements of arrays whose length another argument gives, and of strings with their ends
    #[arg(long, value_name = "N", default_value_t = LENGTH, value_parser = clap::value_parser!(u32).range(1..=64), help_heading = "Library")]
    pub entry_length: u32,
    /// How many pointers may lead from an argument to an object; those behind are null
    #[arg(long, value_name = "N", default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(0..=8), help_heading = "Library")]
    pub entry_depth: u32,
    /// Pointers among the arguments of entries are never null
    #[arg(long, help_heading = "Library")]
    pub entry_nonnull: bool,
}

impl Entry {
    /// These callers.
    pub fn wanted(&self) -> Wanted {
        Wanted {
            entry: self.entry.clone(),
            length: self.entry_length,
            depth: self.entry_depth,
            nonnull: self.entry_nonnull,
        }
    }
}

/// What decides the emitted program.
#[derive(Args, Debug, Clone)]
pub struct Weaving {
    #[command(flatten)]
    pub preprocessor: Preprocessor,
    /// A list of properties: one formula a line, a catalogue of the RERS challenge, CSV, a property
    /// file (.prp), or a state machine (.ya)
    #[arg(long, value_name = "FILE")]
    pub properties: Vec<PathBuf>,
    /// Requirements in structured English, one a line, or as FRET exports them (JSON): each is a property
    #[arg(long, value_name = "FILE")]
    pub requirements: Vec<PathBuf>,
    /// The time from one letter to the next, with a unit (10ms), for requirements that give times
    #[arg(long, value_name = "TIME")]
    pub tick: Option<requirements::Tick>,
    /// Iterations of each loop and depth of each recursion [default: the spec's, else 5]
    #[arg(long, value_name = "K")]
    pub unwind: Option<u32>,
    /// Another bound for the loops of one function, or for the loop at one label
    #[arg(long, value_name = "LABEL_OR_FUNCTION:K")]
    pub unwindset: Vec<String>,
    /// The form of the monitor
    #[arg(long, value_enum, default_value = "auto")]
    pub monitor: MonitorForm,
    /// Write system headers as includes, or expanded
    #[arg(long, value_enum, default_value = "include")]
    pub headers: Headers,
    /// Search infinite runs too: a run that comes back to a state repeats its loop for ever
    #[arg(long)]
    pub lasso: bool,
    /// Leaving an area other than by its exit label is an error
    #[arg(long)]
    pub strict: bool,
    /// Waiting for a condition variable may end without a signal
    #[arg(long)]
    pub spurious_wakeups: bool,
    /// A run in which an assertion of the program fails is discarded; without this, it ends there
    #[arg(long)]
    pub assert_prunes: bool,
    /// A function that the processor may call between two steps of the program, again and again; `auto`: all that look like
    /// interrupt handlers
    #[arg(
        long,
        value_name = "HANDLER[:PRIORITY]",
        conflicts_with = "no_interrupts"
    )]
    pub interrupt: Vec<String>,
    #[command(flatten)]
    pub entry: Entry,
    /// No interrupt comes, whatever the specification says
    #[arg(long)]
    pub no_interrupts: bool,
}

impl Weaving {
    /// The files with lists of properties, of all kinds.
    pub fn lists(&self) -> impl Iterator<Item = &PathBuf> {
        self.properties.iter().chain(&self.requirements)
    }

    /// The bounds of `--unwindset`.
    ///
    /// # Errors
    /// As [`bounds`].
    pub fn bounds(&self) -> anyhow::Result<BTreeMap<String, u32>> {
        bounds(&self.unwindset)
    }

    /// How the program is woven, as far as the command line says: [`Given::weaving`](crate::given::Given::weaving) adds what the
    /// specification says.
    ///
    /// # Errors
    /// As [`bounds`].
    pub fn options(&self) -> anyhow::Result<forms::Weaving> {
        Ok(forms::Weaving {
            unwind: self.unwind,
            unwindset: self.bounds()?,
            monitor: self.monitor.form(),
            headers: match self.headers {
                Headers::Include => forms::Headers::Include,
                Headers::Expand => forms::Headers::Expand,
            },
            lasso: self.lasso,
            strict: self.strict,
            spurious_wakeups: self.spurious_wakeups,
            assert_prunes: self.assert_prunes,
            machine: Machine {
                no_interrupts: self.no_interrupts,
                ..Machine::default()
            },
            ..forms::Weaving::of(&self.preprocessor.options())
        })
    }
}

/// Bounds that are written as `NAME:K`, several separated by commas.
///
/// # Errors
/// If one has another form, as wrong usage.
pub fn bounds(all: &[String]) -> anyhow::Result<BTreeMap<String, u32>> {
    let mut map = BTreeMap::new();
    for item in all.iter().flat_map(|list| list.split(',')) {
        let parsed = item
            .rsplit_once(':')
            .and_then(|(name, k)| Some((name, k.parse::<u32>().ok()?)));
        let Some((name, k)) = parsed else {
            let message = format!("--unwindset wants LABEL_OR_FUNCTION:K, not `{item}`");
            return Err(Failure::error(Cause::Usage, message));
        };
        map.insert(name.to_string(), k);
    }
    Ok(map)
}

/// When diagnostics and reports are coloured.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What every command understands.
#[derive(Args, Debug, Clone)]
pub struct Output {
    /// Colour
    #[arg(long, value_enum, default_value = "auto", global = true)]
    pub color: Color,
    /// Print only the result
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print more details; twice: also the commands that are run
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    /// Takes the diagnostics, which are then not printed.
    #[arg(skip)]
    pub collected: Option<Collected>,
}

impl Output {
    /// Whether diagnostics on standard error are coloured.
    pub fn color_stderr(&self) -> bool {
        self.color_on(std::io::IsTerminal::is_terminal(&std::io::stderr()))
    }

    /// Whether results on standard output are coloured.
    pub fn color_stdout(&self) -> bool {
        self.color_on(std::io::IsTerminal::is_terminal(&std::io::stdout()))
    }

    fn color_on(&self, terminal: bool) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                // https://no-color.org: set and not empty.
                let unwanted = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
                terminal && !unwanted
            }
        }
    }
}

/// Parses a positive number of seconds, possibly with a fraction.
///
/// # Errors
/// If the text is no positive number, or the number is too large for a [`Duration`].
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "it is not a number".to_string())?;
    match Duration::try_from_secs_f64(number) {
        Ok(time) if time > Duration::ZERO => Ok(time),
        _ => Err("a time is more than 0 seconds".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_may_have_fractions() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("60"), Ok(Duration::from_secs(60)));
        for wrong in ["0", "-1", "x", "", "inf", "nan", "1e300", "1e-30"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
