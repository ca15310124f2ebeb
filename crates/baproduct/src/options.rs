//! Options that several commands share, each defined once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use cfront::data_model::DataModel;
use clap::{Args, ValueEnum};
use spec::Target;

/// The preprocessor's command without `--cpp`.
pub const DEFAULT_CPP: &str = "gcc";

use crate::collected::Collected;
use crate::entries::Entry;

/// The default C dialect. Strict C11 would hide POSIX declarations.
pub const DEFAULT_STD: &str = "gnu11";

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
    /// Texts of files that stand in an editor, and not yet on the disk.
    #[arg(skip)]
    pub unsaved: Arc<BTreeMap<PathBuf, String>>,
}

impl Preprocessor {
    /// The options for a text of a program of this data model that includes no header.
    pub fn for_text(std: &str, cpp: &str, model: &DataModel) -> Preprocessor {
        let macros = model.defined().into_iter();
        let define = macros.map(|(name, value)| format!("{name}={value}"));
        Preprocessor {
            include: Vec::new(),
            define: define.collect(),
            undefine: Vec::new(),
            std: std.to_owned(),
            cpp: cpp.to_owned(),
            target: None,
            compile_commands: None,
            unsaved: Default::default(),
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
    /// The handlers of the command line and the specification.
    #[arg(skip)]
    pub interrupts: crate::interrupts::Asked,
    /// The callers of a program without `main`, by the command line and the specification.
    #[arg(skip)]
    pub entries: Option<crate::entries::Asked>,
    /// The question about the memory, if its model is weaker than sequential consistency.
    #[arg(skip)]
    pub memory: Option<sequentialise::memory::Asked>,
    /// What the specification says of registers.
    #[arg(skip)]
    pub registers: Vec<cfront::registers::Register>,
    /// Where the specification names parts of the program's machine.
    #[arg(skip)]
    pub named: crate::refusal::Named,
    /// Whether a model checker will read the program.
    #[arg(skip)]
    pub model: bool,
    /// Whether the program is woven for a proof, with its cycles open.
    #[arg(skip)]
    pub proves: bool,
    /// Whether a search decides what happens at cuts and inputs, and how often single loops go round.
    #[arg(skip)]
    pub driven: bool,
    /// Whether the program is meant for 32-bit machines by a definition that leaves the reading to us: where
    /// nothing in it depends on the widths, it is read for the machine at hand.
    #[arg(skip)]
    pub ilp32: bool,
    /// Whether CBMC will read the program.
    #[arg(skip)]
    pub cbmc: bool,
    /// Whether threads are sequentialised before.
    #[arg(skip)]
    pub rounds: bool,
    /// Whether the record of the emitted program lists what verdicts may rest on.
    #[arg(skip)]
    pub tells: bool,
}

impl Weaving {
    /// The files with lists of properties, of all kinds.
    pub fn lists(&self) -> impl Iterator<Item = &PathBuf> {
        self.properties.iter().chain(&self.requirements)
    }

    /// The options of weaving with their default values, for programs with these preprocessor
    /// options.
    pub fn of(preprocessor: &Preprocessor) -> Weaving {
        Weaving {
            preprocessor: preprocessor.clone(),
            properties: Vec::new(),
            requirements: Vec::new(),
            tick: None,
            unwind: None,
            unwindset: Vec::new(),
            monitor: MonitorForm::Auto,
            headers: Headers::Include,
            lasso: false,
            strict: false,
            spurious_wakeups: false,
            assert_prunes: false,
            interrupt: Vec::new(),
            no_interrupts: false,
            interrupts: crate::interrupts::Asked::default(),
            entry: Entry::default(),
            entries: None,
            memory: None,
            registers: Vec::new(),
            named: crate::refusal::Named::default(),
            model: false,
            proves: false,
            driven: false,
            ilp32: false,
            cbmc: false,
            rounds: false,
            tells: false,
        }
    }
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
