//! The open documents, and which specification belongs to which program.

use crate::cursor::{self, Quoted};
use crate::edit::Edit;
use crate::host::{Checked, Finding, Host, Job, Outcome, Stop};
use crate::text::{Encoding, Text};
use serde::Deserialize;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// What the client sets: `initializationOptions`, or the section `baproduct` of its configuration.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Settings {
    /// The files of the program of each specification, both below the root or absolute.
    pub(crate) programs: BTreeMap<PathBuf, Vec<PathBuf>>,
    /// Options of `check` and `verify`.
    pub(crate) arguments: Vec<String>,
    /// Further options of `verify`.
    pub(crate) verify_arguments: Vec<String>,
}

/// An open document.
pub(crate) struct Document {
    pub(crate) text: Text,
    pub(crate) version: i32,
    /// Whether the text is that on the disk.
    pub(crate) saved: bool,
    annotated: OnceCell<bool>,
    strings: OnceCell<Vec<Quoted>>,
    properties: OnceCell<Vec<PropertyPlace>>,
}

/// A property and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct PropertyPlace {
    pub(crate) name: String,
    /// The formula's bytes.
    pub(crate) formula: Range<usize>,
}

impl Document {
    pub(crate) fn new(text: Text, version: i32, saved: bool) -> Document {
        Document {
            text,
            version,
            saved,
            annotated: OnceCell::new(),
            strings: OnceCell::new(),
            properties: OnceCell::new(),
        }
    }

    /// Whether it is a program with formulas in its comments.
    fn is_annotated(&self) -> bool {
        let has = || spec::has_annotations(self.text.as_str());
        *self.annotated.get_or_init(has)
    }

    /// The strings of a specification.
    pub(crate) fn strings(&self) -> &[Quoted] {
        self.strings
            .get_or_init(|| cursor::strings(self.text.as_str()))
    }

    /// The properties; none of a text that is refused.
    pub(crate) fn properties(&self, path: &Path) -> &[PropertyPlace] {
        self.properties.get_or_init(|| {
            let text = self.text.as_str();
            if is_requirements(path, text) {
                let all = spec::requirement_places(text).into_iter();
                let place = |(name, formula)| PropertyPlace { name, formula };
                return all.map(place).collect();
            }
            let name = path.display().to_string();
            let list = spec::List {
                name: &name,
                text,
                ..spec::List::default()
            };
            let spec = match is_c(path) {
                true if !self.is_annotated() => return Vec::new(),
                true => spec::read_with_lists(None, &[list]),
                false => spec::read_with_lists(Some(text), &[]),
            };
            let properties = spec.map(|spec| spec.properties).unwrap_or_default();
            let place = |property: spec::Property| PropertyPlace {
                name: property.name,
                formula: property.text.span(),
            };
            properties.into_iter().map(place).collect()
        })
    }
}

/// A specification with its program.
#[derive(Default)]
pub(crate) struct Subject {
    /// The specification; `None` if the formulas stand in the program.
    pub(crate) spec: Option<PathBuf>,
    /// The requirements, if the subject is about them.
    pub(crate) requirements: Option<PathBuf>,
    pub(crate) programs: Vec<PathBuf>,
    /// Grows with each change; results of an older one are dropped.
    pub(crate) generation: u64,
    /// Stops its check, which a change makes useless.
    pub(crate) stop: Stop,
    /// When it is to be checked.
    pub(crate) due: Option<Instant>,
    /// The generation of the last result.
    pub(crate) known: u64,
    /// The last result; its names are those of the last program that could be read. Its places follow the texts.
    pub(crate) checked: Arc<Checked>,
    /// Errors of what was edited since, until there is a result.
    pub(crate) glanced: Vec<Finding>,
    /// The answers of the last verification, until a text changes.
    pub(crate) outcomes: Vec<Outcome>,
    /// The files for which diagnostics were sent.
    pub(crate) told: BTreeSet<PathBuf>,
}

impl Subject {
    /// Whether a file is part of it.
    pub(crate) fn has(&self, path: &Path) -> bool {
        let own = self.spec.iter().chain(&self.requirements);
        own.chain(&self.programs).any(|p| p == path)
    }

    /// The file in which its properties stand.
    pub(crate) fn main(&self) -> Option<&PathBuf> {
        let spec = self.requirements.as_ref().or(self.spec.as_ref());
        spec.or(self.programs.first())
    }

    /// Whether a text has changed since the last result.
    pub(crate) fn is_behind(&self) -> bool {
        self.known != self.generation
    }

    /// Moves the places of the last result with an edit of a file.
    pub(crate) fn moved(&mut self, edit: &Edit, path: &Path) {
        let is_main = self.main().is_some_and(|main| main == path);
        if is_main || self.checked.names(path) {
            edit.apply(Arc::make_mut(&mut self.checked), path, is_main);
        }
        self.glanced.clear();
    }

    /// Takes a result, and keeps the names of an earlier one if there are none, and what was said of an earlier plan until
    /// there is a plan.
    pub(crate) fn take(&mut self, mut checked: Checked) {
        if checked.planned.is_none() {
            checked.planned.clone_from(&self.checked.planned);
        }
        if checked.index.is_none() {
            checked.index.clone_from(&self.checked.index);
            checked.meanings.clone_from(&self.checked.meanings);
        }
        self.checked = Arc::new(checked);
        self.known = self.generation;
        self.glanced.clear();
    }
}

/// Everything that is open.
pub(crate) struct Workspace {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) encoding: Encoding,
    pub(crate) root: Option<PathBuf>,
    pub(crate) settings: Settings,
    pub(crate) documents: BTreeMap<PathBuf, Document>,
    /// By the specification, or else the program.
    pub(crate) subjects: BTreeMap<PathBuf, Subject>,
}

/// Whether a path is that of a C file.
pub(crate) fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "c" || e == "i")
}

/// Whether a path is that of a header, which any program may include.
pub(crate) fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "h")
}

/// Whether a path is that of a JSON file.
pub(crate) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "json")
}

/// Whether a document states requirements. Prose may have any ending, so only some are looked at.
pub(crate) fn is_requirements(path: &Path, text: &str) -> bool {
    let ending = path
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default();
    match ending {
        "json" => !cursor::is_specification(text) && cursor::states_requirements(text, true),
        "txt" | "req" | "reqs" | "requirements" | "fret" | "ears" => {
            cursor::states_requirements(text, false)
        }
        _ => false,
    }
}

impl Workspace {
    /// The text of a file, as it is open or on the disk.
    pub(crate) fn text(&self, path: &Path) -> Option<Text> {
        match self.documents.get(path) {
            Some(document) => Some(document.text.clone()),
            None => self.host.read(path).map(Text::new),
        }
    }

    /// The subjects of which a file is part.
    pub(crate) fn subjects_of<'a>(
        &'a self,
        path: &'a Path,
    ) -> impl Iterator<Item = (&'a PathBuf, &'a Subject)> {
        self.subjects
            .iter()
            .filter(move |(_, subject)| subject.has(path))
    }

    /// Finds the subjects anew, as documents open, change and close. Returns the keys of those that are gone.
    pub(crate) fn arrange(&mut self) -> Vec<PathBuf> {
        type Files = (Option<PathBuf>, Option<PathBuf>, Vec<PathBuf>);
        let mut wanted: BTreeMap<PathBuf, Files> = BTreeMap::new();
        for (path, document) in &self.documents {
            let text = document.text.as_str();
            if is_c(path) {
                if document.is_annotated() {
                    wanted.insert(path.clone(), (None, None, vec![path.clone()]));
                }
                if let Some(spec) = self.beside(path) {
                    let programs = self.programs_of(&spec);
                    wanted.insert(spec.clone(), (Some(spec), None, programs));
                }
            } else if is_requirements(path, text) {
                // The specification beside it declares propositions, and names a clock.
                let spec = self.beside(path).filter(|spec| spec != path);
                let files = (spec, Some(path.clone()), self.programs_of(path));
                wanted.insert(path.clone(), files);
            } else if self.is_specification(path, text) {
                let files = (Some(path.clone()), None, self.programs_of(path));
                wanted.insert(path.clone(), files);
            }
        }
        let gone = self.subjects.keys();
        let gone: Vec<PathBuf> = gone.filter(|k| !wanted.contains_key(*k)).cloned().collect();
        for (key, files) in wanted {
            let subject = self.subjects.entry(key).or_default();
            let (spec, requirements, programs) = &files;
            let same = subject.programs == *programs
                && subject.spec == *spec
                && subject.requirements == *requirements;
            if !same || subject.generation == 0 {
                subject.generation += 1;
                subject.due = Some(Instant::now());
            }
            (subject.spec, subject.requirements, subject.programs) = files;
        }
        gone
    }

    fn is_specification(&self, path: &Path, text: &str) -> bool {
        self.named(path).is_some() || is_json(path) && cursor::is_specification(text)
    }

    /// The time from letter to letter, if the settings give it.
    pub(crate) fn tick(&self) -> Option<&str> {
        let mut arguments = self.settings.arguments.iter().map(String::as_str);
        arguments
            .find_map(|argument| argument.strip_prefix("--tick="))
            .or_else(|| {
                let mut arguments = self.settings.arguments.iter();
                arguments.find(|argument| *argument == "--tick")?;
                arguments.next().map(String::as_str)
            })
    }

    /// The program that the settings name for a specification.
    fn named(&self, spec: &Path) -> Option<Vec<PathBuf>> {
        let below = |path: &Path| match &self.root {
            Some(root) => root.join(path),
            None => path.to_path_buf(),
        };
        let mut all = self.settings.programs.iter();
        let (_, programs) = all.find(|(named, _)| below(named) == spec)?;
        Some(programs.iter().map(|p| below(p)).collect())
    }

    /// The program of a specification: named in the settings, or the C file of the same name beside it, or the
    /// only C file beside it, or the only one there that is open.
    fn programs_of(&self, spec: &Path) -> Vec<PathBuf> {
        if let Some(named) = self.named(spec) {
            return named;
        }
        let beside = self.host.siblings(spec);
        let beside: Vec<PathBuf> = beside.into_iter().filter(|p| is_c(p)).collect();
        let same = beside.iter().find(|p| p.file_stem() == spec.file_stem());
        if let Some(same) = same {
            return vec![same.clone()];
        }
        let opened = beside.iter().filter(|p| self.documents.contains_key(*p));
        let opened: Vec<PathBuf> = opened.cloned().collect();
        match (beside.len(), opened.len()) {
            (1, _) => beside,
            (_, 1) => opened,
            _ => Vec::new(),
        }
    }

    /// The specification of an open program: one of the settings, or of the same name beside it.
    fn beside(&self, program: &Path) -> Option<PathBuf> {
        let spec = program.with_extension("json");
        let text = self.text(&spec)?;
        self.is_specification(&spec, text.as_str()).then_some(spec)
    }

    /// What is to be checked or verified.
    pub(crate) fn job(&self, subject: &Subject) -> Job {
        let unsaved = self
            .documents
            .iter()
            .filter(|(path, document)| subject.has(path) || is_header(path) && !document.saved);
        Job {
            spec: subject.spec.clone(),
            requirements: subject.requirements.clone(),
            programs: subject.programs.clone(),
            unsaved: unsaved
                .map(|(path, document)| (path.clone(), document.text.as_str().to_owned()))
                .collect(),
            arguments: self.settings.arguments.clone(),
            verify_arguments: self.settings.verify_arguments.clone(),
        }
    }
}
