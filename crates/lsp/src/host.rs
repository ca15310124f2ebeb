//! What the server asks of the command that runs it: files, checks, verifications.

use crate::index::Index;
use spec::Diagnostic;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// A specification and its program.
#[derive(Clone, Debug, Default)]
pub struct Job {
    /// The specification; `None` if the formulas stand in the comments of the program.
    pub spec: Option<PathBuf>,
    /// The requirements that are asked of the program, in place of the specification's properties.
    pub requirements: Option<PathBuf>,
    /// The files of the program; may be empty if it is not known.
    pub programs: Vec<PathBuf>,
    /// The texts of open documents, which count instead of those on the disk.
    pub unsaved: BTreeMap<PathBuf, String>,
    /// Options of `check` and `verify`.
    pub arguments: Vec<String>,
    /// Further options of `verify`.
    pub verify_arguments: Vec<String>,
}

/// The place of a finding in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Where {
    /// The whole file.
    File,
    /// Some bytes of the text.
    Bytes(Range<usize>),
    /// Some bytes of a line (from 0).
    Line(u32, Range<usize>),
}

/// A diagnostic of `check`.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The file that it is about; `None` if about no file of its own.
    pub file: Option<PathBuf>,
    /// The place that it is about.
    pub place: Where,
    /// The diagnostic. Its secondary spans are bytes of the text of the file.
    pub diagnostic: Diagnostic,
}

/// What a check gave.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The diagnostics of reading: of texts, formulas and names.
    pub findings: Vec<Finding>,
    /// Those of the plan; `None` as long as there is no plan.
    pub planned: Option<Vec<Finding>>,
    /// The names of the program, if it could be read.
    pub index: Option<Index>,
    /// The meaning of each proposition, by name, if all names have one.
    pub meanings: BTreeMap<String, String>,
    /// What can be expected of each formula, by its text.
    pub formulas: BTreeMap<String, String>,
}

impl Checked {
    /// All diagnostics.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().chain(self.planned.iter().flatten())
    }

    /// Whether it has a place in a file.
    pub(crate) fn names(&self, file: &Path) -> bool {
        let found = self.all().filter_map(|f| f.file.as_deref());
        let index = self.index.iter();
        let symbols = index.clone().flat_map(|index| &index.symbols);
        let symbols = symbols.filter_map(|symbol| symbol.place.as_ref());
        let labels = index.flat_map(|index| &index.labels);
        let labels = labels.flat_map(|label| std::iter::once(&label.place).chain(&label.jumps));
        let named = symbols.chain(labels).map(|place| place.file.as_path());
        found.chain(named).any(|of| of == file)
    }
}

/// A step of a run.
#[derive(Clone, Debug)]
pub struct RunStep {
    /// The file.
    pub file: PathBuf,
    /// The line, from 0.
    pub line: u32,
    /// The source text or a description.
    pub what: String,
}

/// The answer about a property.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The name of the property.
    pub property: String,
    /// The verdict as a symbol with words.
    pub verdict: String,
    /// Whether some run violates the formula.
    pub violated: bool,
    /// Why the verdict is not more definite.
    pub reason: Option<String>,
    /// The run that decides it.
    pub run: Vec<RunStep>,
}

/// Tells a check or a verification to stop.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks it to stop.
    pub fn stop(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it is to stop.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// The command that runs the server.
pub trait Host: Send + Sync + 'static {
    /// The text of a file; `None` if it cannot be read.
    fn read(&self, path: &Path) -> Option<String>;
    /// The files of a directory, in order.
    fn siblings(&self, path: &Path) -> Vec<PathBuf>;
    /// Checks a specification and its program, as `baproduct check` does. What needs no plan is given to `named` as soon as it
    /// is known. `None` if it was asked to stop.
    fn check(&self, job: &Job, stop: &Stop, named: &dyn Fn(Checked)) -> Option<Checked>;
    /// The errors of reading the files of a program, without a specification.
    fn errors(&self, job: &Job) -> Vec<Finding>;
    /// Verifies properties: the one of this name, or all. Ends early if `stop` is asked.
    ///
    /// # Errors
    /// If there is no answer: why.
    fn verify(&self, job: &Job, property: &str, stop: &Stop) -> Result<Vec<Outcome>, String>;
}
