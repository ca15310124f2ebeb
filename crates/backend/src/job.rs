//! The job of a backend: the program, the questions, and the limits.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use crate::machine::Machine;

/// The assertions that a job decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All assertions of the program.
    #[default]
    All,
    /// Only assertions with one of these texts. Costs a second, short run that lists them.
    Only(BTreeSet<String>),
    /// Only the backend's own checks whose text contains one of these; see [`Job::safety`]. Costs
    /// the same second run.
    Checks(Vec<&'static str>),
}

impl Selection {
    /// Whether to decide a check of the backend's own with this text, if it makes such checks.
    pub(crate) fn wants_check(&self, text: &str) -> bool {
        match self {
            Selection::All | Selection::Only(_) => true,
            Selection::Checks(parts) => parts.iter().any(|part| text.contains(part)),
        }
    }

    /// Whether to decide an assertion with this text.
    pub fn wants(&self, text: &str) -> bool {
        match self {
            Selection::All => true,
            Selection::Only(texts) => texts.contains(text),
            Selection::Checks(_) => false,
        }
    }
}

/// The steps that traces of violated assertions keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Traces {
    /// No traces. The backend does not build any, which saves much time if many assertions fail.
    #[default]
    None,
    /// Violations, and assignments, calls and returns of names with one of these prefixes.
    Prefixes(Vec<String>),
    /// Every step except those that the backend calls hidden or internal.
    Full,
}

/// Prefixes of variables whose declaration is no step of a run.
const DECLARED: [&str; 2] = ["return_value", "ba_seq_told_"];

impl Traces {
    /// Whether to keep the assignment to a parameter. The trace has it in the calling function,
    /// where the name may mean another object; emitted names are unique.
    pub(crate) fn keeps_parameter(&self, name: &str, hidden: bool) -> bool {
        let emitted = name.starts_with("ba_") || name.starts_with("BA_");
        (emitted || *self == Traces::Full) && self.keeps(name, hidden)
    }

    /// Whether to keep the call of a function: as a step of this name, or because [`Traces::call`]
    /// requests its calls.
    pub(crate) fn keeps_call(&self, name: &str, hidden: bool) -> bool {
        let asked = match self {
            Traces::Prefixes(prefixes) => prefixes.contains(&Traces::call(name)),
            _ => false,
        };
        asked || self.keeps(name, hidden)
    }

    /// The prefix for [`Traces::Prefixes`] that requests the calls of a function; no object has
    /// such a name.
    pub fn call(function: &str) -> String {
        format!("call {function}")
    }

    /// Whether to keep a step that concerns this object or function.
    pub(crate) fn keeps(&self, name: &str, hidden: bool) -> bool {
        match self {
            Traces::None => false,
            // Hidden assignments to results, and to variables that carry steps of threads, are
            // declarations with a meaningless value.
            Traces::Prefixes(_) if hidden && DECLARED.iter().any(|p| name.starts_with(p)) => false,
            Traces::Prefixes(prefixes) => prefixes.iter().any(|p| name.starts_with(p.as_str())),
            Traces::Full => !hidden,
        }
    }
}

/// One run of a backend: files, macros, assertions, bounds of loops, limits of time and memory.
#[derive(Clone, Debug)]
pub struct Job {
    /// The C file, in the backend's dialect.
    pub source: PathBuf,
    /// Further C files to link.
    pub linked: Vec<PathBuf>,
    /// Macros; an empty value means `-DNAME`.
    pub defines: Vec<(String, String)>,
    /// The loop bound as the backend takes it. A loop of n iterations needs n + 1.
    pub unwind: Option<u32>,
    /// Bounds of single loops, by the backend's own loop name.
    pub unwindset: Vec<(String, u32)>,
    /// Whether exceeding a bound is a failure (among [`crate::Answer::other_failures`]); otherwise
    /// such runs are silently dropped.
    pub unwinding_assertions: bool,
    /// The assertions to decide.
    pub selection: Selection,
    /// The traces to keep.
    pub traces: Traces,
    /// Wall-clock time for the whole job.
    pub timeout: Option<Duration>,
    /// Limit of the address space of each process, in MiB.
    pub memory_mib: Option<u64>,
    /// Whether the program starts threads.
    pub threads: bool,
    /// Places of the program's own thread-local objects, which not all versions of ESBMC support.
    pub thread_locals: Vec<String>,
    /// The bound of context switches, if the backend has one (ESBMC).
    pub context_bound: Option<u32>,
    /// Whether the backend makes its own checks of bounds, pointers and arithmetic, as far as it
    /// supports them for the program; failures are among [`crate::Answer::other_failures`].
    pub safety: bool,
    /// Whether runs are excluded from the point where such a check fails; only for backends with
    /// [`crate::Capabilities::avoids_undefined`].
    pub avoids_undefined: bool,
    /// Whether a native run ends where it does something undefined, as far as the compiler's sanitizers see it.
    pub sanitized: bool,
    /// Whether the SAT solver's simplifier runs (CBMC). Neither choice is best for all programs.
    pub sat_preprocessor: bool,
    /// The C dialect, if it is not the compiler's default (native runs).
    pub dialect: Option<String>,
    /// The machine that the program is compiled for.
    pub machine: Machine,
    /// The most elements of an array in a union, where there are more than CBMC follows without being told.
    pub union_elements: Option<u64>,
    /// Objects that the program uses and no file defines; a native run gives them zeroed memory.
    pub outside: Vec<String>,
    /// Functions of the program that a compiler would compute itself, by their names: it takes the program's.
    pub own: Vec<String>,
    /// The infix of the emitted names after `ba_`; usually empty.
    pub infix: String,
    /// The seed of inputs that a native run chooses itself.
    pub seed: u64,
    /// Further arguments, unchanged, after all others: for the backend, or for the program of a
    /// native run.
    pub extra_args: Vec<String>,
}

impl Job {
    /// A job without limits that decides every assertion of `source` and wants no trace.
    pub fn new(source: impl Into<PathBuf>) -> Self {
        Job {
            source: source.into(),
            linked: Vec::new(),
            defines: Vec::new(),
            unwind: None,
            unwindset: Vec::new(),
            unwinding_assertions: true,
            selection: Selection::All,
            traces: Traces::None,
            timeout: None,
            memory_mib: None,
            threads: false,
            thread_locals: Vec::new(),
            context_bound: None,
            safety: false,
            avoids_undefined: false,
            sanitized: false,
            sat_preprocessor: true,
            dialect: None,
            machine: Machine::LP64,
            union_elements: None,
            outside: Vec::new(),
            own: Vec::new(),
            infix: String::new(),
            seed: 1,
            extra_args: Vec::new(),
        }
    }

    /// `-DNAME` or `-DNAME=VALUE` for each macro.
    pub(crate) fn define_arguments(&self) -> impl Iterator<Item = String> + '_ {
        self.defines
            .iter()
            .chain(&self.machine.macros)
            .map(|(name, value)| match value.as_str() {
                "" => format!("-D{name}"),
                value => format!("-D{name}={value}"),
            })
    }

    /// The file names as arguments that cannot be read as options.
    pub(crate) fn source_arguments(&self) -> impl Iterator<Item = PathBuf> + '_ {
        [&self.source].into_iter().chain(&self.linked).map(|file| {
            if file.as_os_str().as_encoded_bytes().starts_with(b"-") {
                PathBuf::from(".").join(file)
            } else {
                file.clone()
            }
        })
    }
}
