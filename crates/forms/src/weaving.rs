//! How a program is read and woven.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use cfront::data_model::DataModel;
use spec::Target;
use weave::{Also, Form};

use crate::refusal::Named;
use crate::{entries, interrupts};

/// The preprocessor's command unless another one is named.
pub const DEFAULT_CPP: &str = "gcc";

/// The C dialect unless another one is named. Strict C11 would hide POSIX declarations.
pub const DEFAULT_STD: &str = "gnu11";

/// How the C code is preprocessed.
#[derive(Debug, Clone)]
pub struct Preprocessor {
    /// Directories of the include path.
    pub include: Vec<PathBuf>,
    /// Macros that are defined, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// Macros that are undefined.
    pub undefine: Vec<String>,
    /// The C dialect.
    pub std: String,
    /// The preprocessor's command.
    pub cpp: String,
    /// The machine that the program is for; `None` for the specification's, or what the preprocessor says.
    pub target: Option<Target>,
    /// A compilation database with the flags of each file.
    pub compile_commands: Option<PathBuf>,
    /// Texts of files that stand in an editor, and not yet on the disk.
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
            unsaved: Arc::default(),
        }
    }
}

/// How headers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Headers {
    /// System headers stay `#include` lines.
    Include,
    /// Everything as the preprocessor left it.
    Expand,
}

/// What is known of the machine that a program runs on, besides its data model.
#[derive(Debug, Clone, Default)]
pub struct Machine {
    /// The interrupt handlers that come.
    pub interrupts: interrupts::Asked,
    /// No interrupt and no signal comes, whatever looks like a handler.
    pub no_interrupts: bool,
    /// The callers of a program without `main`.
    pub entries: Option<entries::Asked>,
    /// The question about the memory, if its model is weaker than sequential consistency.
    pub memory: Option<sequentialise::memory::Asked>,
    /// What is known of registers.
    pub registers: Vec<cfront::registers::Register>,
    /// The state machines that code in the program follows.
    pub followed: Vec<cfront::machines::Machine>,
    /// The functions whose values the specification gives.
    pub inputs: BTreeSet<String>,
    /// Where the specification names parts of the machine.
    pub named: Named,
    /// Whether the program is meant for 32-bit machines by a definition that leaves the reading to us: where
    /// nothing in it depends on the widths, it is read for the machine at hand.
    pub ilp32: bool,
}

/// The functions whose values a specification gives.
pub fn inputs(spec: &spec::Spec) -> BTreeSet<String> {
    let called = spec.inputs.iter().filter_map(|input| match &input.target {
        spec::InputTarget::Call(name) => Some(name.as_str().to_owned()),
        spec::InputTarget::Variable(_) => None,
    });
    called.collect()
}

/// Who reads the woven program, and what for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reader {
    /// A model checker.
    pub model: bool,
    /// CBMC.
    pub cbmc: bool,
    /// Whether threads are sequentialised before.
    pub rounds: bool,
    /// A proof, with the cycles of the program open.
    pub proves: bool,
    /// What a proof has in its state besides what influences the run or its word.
    pub also: Also,
    /// A search that decides what happens at cuts and inputs, and how often single loops go round.
    pub driven: bool,
    /// Somebody who wants to know what verdicts may rest on: the record lists it.
    pub tells: bool,
}

/// What decides the emitted program.
#[derive(Debug, Clone)]
pub struct Weaving {
    /// How the C code is preprocessed.
    pub preprocessor: Preprocessor,
    /// Iterations of each loop and depth of each recursion; `None` for the specification's bound.
    pub unwind: Option<u32>,
    /// Other bounds, by function or label.
    pub unwindset: BTreeMap<String, u32>,
    /// The form of the monitor.
    pub monitor: Form,
    /// How headers are written.
    pub headers: Headers,
    /// Whether runs that come back to a state count as infinite ones.
    pub lasso: bool,
    /// Leaving an area other than by its exit label is an error.
    pub strict: bool,
    /// Waiting for a condition variable may end without a signal.
    pub spurious_wakeups: bool,
    /// A run in which an assertion of the program fails is discarded; without this, it ends there.
    pub assert_prunes: bool,
    /// The machine.
    pub machine: Machine,
    /// The reader.
    pub reader: Reader,
}

impl Weaving {
    /// The options with their default values, for programs with these preprocessor options.
    pub fn of(preprocessor: &Preprocessor) -> Weaving {
        Weaving {
            preprocessor: preprocessor.clone(),
            unwind: None,
            unwindset: BTreeMap::new(),
            monitor: Form::Auto,
            headers: Headers::Include,
            lasso: false,
            strict: false,
            spurious_wakeups: false,
            assert_prunes: false,
            machine: Machine::default(),
            reader: Reader::default(),
        }
    }

    /// The same for another reader.
    #[must_use]
    pub fn read_by(self, reader: Reader) -> Weaving {
        Weaving { reader, ..self }
    }
}
