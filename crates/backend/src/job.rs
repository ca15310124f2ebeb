//! What a backend is asked.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// Which assertions are to be decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All that are in the program.
    #[default]
    All,
    /// Only those with one of these texts. Costs a second, short run that lists them.
    Only(BTreeSet<String>),
    /// Only those of the backend's own checks whose text contains one of these; see [`Job::safety`].
    /// Costs a listing, too.
    Checks(Vec<&'static str>),
}

impl Selection {
    /// Whether a check of the backend's own with this text is to be decided, where it makes checks.
    pub(crate) fn wants_check(&self, text: &str) -> bool {
        match self {
            Selection::All | Selection::Only(_) => true,
            Selection::Checks(parts) => parts.iter().any(|part| text.contains(part)),
        }
    }

    /// Whether an assertion with this text is to be decided.
    pub fn wants(&self, text: &str) -> bool {
        match self {
            Selection::All => true,
            Selection::Only(texts) => texts.contains(text),
            Selection::Checks(_) => false,
        }
    }
}

/// What is kept of the traces of violated assertions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Traces {
    /// No traces. The backend then does not build them either, which saves much of the time when
    /// many assertions fail.
    #[default]
    None,
    /// Violations, and the assignments, calls and returns of names that begin with one of these.
    Prefixes(Vec<String>),
    /// Every step that the backend does not itself call hidden or internal.
    Full,
}

/// How variables begin whose declaration is no step of a run.
const DECLARED: [&str; 2] = ["return_value", "ba_seq_told_"];

impl Traces {
    /// Whether the assignment to a parameter is kept. It stands at the call, in the function that
    /// calls, so that another object of that name could be meant; emitted names are unique.
    pub(crate) fn keeps_parameter(&self, name: &str, hidden: bool) -> bool {
        let emitted = name.starts_with("ba_") || name.starts_with("BA_");
        (emitted || *self == Traces::Full) && self.keeps(name, hidden)
    }

    /// Whether the call of a function is kept: as a step that concerns it, or because calls of it are asked for
    /// by [`Traces::call`].
    pub(crate) fn keeps_call(&self, name: &str, hidden: bool) -> bool {
        let asked = match self {
            Traces::Prefixes(prefixes) => prefixes.contains(&Traces::call(name)),
            _ => false,
        };
        asked || self.keeps(name, hidden)
    }

    /// What [`Traces::Prefixes`] has for the calls of one function; no object has such a name.
    pub fn call(function: &str) -> String {
        format!("call {function}")
    }

    /// Whether a step that concerns this object or function is kept.
    pub(crate) fn keeps(&self, name: &str, hidden: bool) -> bool {
        match self {
            Traces::None => false,
            // Hidden assignments to results, and to what says the steps of threads, are their declarations, with no
            // value that means anything.
            Traces::Prefixes(_) if hidden && DECLARED.iter().any(|p| name.starts_with(p)) => false,
            Traces::Prefixes(prefixes) => prefixes.iter().any(|p| name.starts_with(p.as_str())),
            Traces::Full => !hidden,
        }
    }
}

/// One run of a backend: the files and macros, which assertions are asked, the bounds of loops, and the limits of time
/// and memory.
#[derive(Clone, Debug)]
pub struct Job {
    /// The C file, in the backend's dialect.
    pub source: PathBuf,
    /// Further C files that are linked with it.
    pub linked: Vec<PathBuf>,
    /// Macros; an empty value gives `-DNAME`.
    pub defines: Vec<(String, String)>,
    /// Passed to the backend as it is. A loop of n iterations needs n + 1.
    pub unwind: Option<u32>,
    /// Bounds of single loops, by the backend's own loop name.
    pub unwindset: Vec<(String, u32)>,
    /// Whether running past a bound is a failure (it is reported among
    /// [`crate::Answer::other_failures`]); otherwise such runs are silently dropped.
    pub unwinding_assertions: bool,
    /// Which assertions are decided.
    pub selection: Selection,
    /// Which traces are wanted.
    pub traces: Traces,
    /// Wall-clock time for the whole job.
    pub timeout: Option<Duration>,
    /// Address space of each process, in MiB.
    pub memory_mib: Option<u64>,
    /// The program starts threads.
    pub threads: bool,
    /// Places of the program's own thread-local objects, which not all versions of ESBMC have.
    pub thread_locals: Vec<String>,
    /// Bound on context switches, where the backend has one (ESBMC).
    pub context_bound: Option<u32>,
    /// Weak memory, where the backend has it (CBMC): `tso` or `pso`.
    pub memory_model: Option<String>,
    /// Whether the backend makes its own checks, of bounds, pointers and arithmetic, as far as it has
    /// them for the program; what fails is among [`crate::Answer::other_failures`].
    pub safety: bool,
    /// Whether runs are left out in which such a check fails, up to where it does; only for backends that
    /// can ([`crate::Capabilities::avoids_undefined`]).
    pub avoids_undefined: bool,
    /// Whether the SAT solver's simplifier runs (CBMC). Neither is best for all programs.
    pub sat_preprocessor: bool,
    /// The C dialect, where it is another than the compiler's own (native runs).
    pub dialect: Option<String>,
    /// Objects that the program uses and no file defines: in a native run they are memory of zeros.
    pub outside: Vec<String>,
    /// What stands behind `ba_` in the emitted names of the source; usually nothing.
    pub infix: String,
    /// Where inputs that nobody gives are chosen from, in a native run.
    pub seed: u64,
    /// Given to the backend last, as they are; to the program in a native run.
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
            memory_model: None,
            safety: false,
            avoids_undefined: false,
            sat_preprocessor: true,
            dialect: None,
            outside: Vec::new(),
            infix: String::new(),
            seed: 1,
            extra_args: Vec::new(),
        }
    }

    /// `-DNAME` or `-DNAME=VALUE` for each macro.
    pub(crate) fn define_arguments(&self) -> impl Iterator<Item = String> + '_ {
        self.defines
            .iter()
            .map(|(name, value)| match value.as_str() {
                "" => format!("-D{name}"),
                value => format!("-D{name}={value}"),
            })
    }

    /// The file names as arguments that cannot be taken for options.
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
