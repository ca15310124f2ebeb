//! Specifications: read from files or formulas, accepted or refused, and changed or split.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use requirements::Tick;
use serde::{Deserialize, Serialize};
use spec::{Diagnostic, List, Reading, Severity, Sources, Spec};

use crate::failure::{Cause, Failure};
use crate::listener::Listener;
use crate::texts::{read_list, read_text};

/// A specification with the texts from which it was read.
#[derive(Clone)]
pub struct SpecFile {
    pub(crate) sources: Sources,
    texts: Texts,
    pub(crate) spec: Spec,
}

impl SpecFile {
    /// The machine that the program is for, if the specification says so.
    pub fn target(&self) -> Option<spec::Target> {
        self.spec.machine.target
    }

    /// Refuses a place in its text, which is shown.
    pub fn refused(&self, diagnostic: &Diagnostic, output: &dyn Listener) -> anyhow::Error {
        output.specification(diagnostic, &self.sources);
        Failure::silent(Cause::Refused)
    }

    /// The specification itself.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }
}

/// The texts that a specification was read from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    /// The name and text of a specification file.
    file: Option<(String, String)>,
    /// The formula of `--ltl`.
    formula: Option<String>,
    /// The names, texts and expected verdicts of lists of properties.
    lists: Vec<(String, String, Option<bool>)>,
    /// The names and texts of lists of requirements, with the time from letter to letter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    requirements: Vec<(String, String, Option<String>)>,
}

/// A file with a list of properties.
pub struct ListFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The expected verdict of its properties, if a task definition gives one.
    pub expected: Option<bool>,
    /// How it is read.
    pub reading: Reading,
}

impl ListFile {
    /// A file without an expected verdict.
    pub fn of(path: &Path) -> ListFile {
        ListFile {
            path: path.to_path_buf(),
            expected: None,
            reading: Reading::ByName,
        }
    }

    /// A file of requirements.
    pub fn of_requirements(path: &Path, tick: Option<Tick>) -> ListFile {
        ListFile {
            reading: Reading::Requirements(tick),
            ..ListFile::of(path)
        }
    }
}

/// Reads a task definition.
///
/// # Errors
/// If the task definition is refused; the diagnostics have been printed.
pub fn read_task(path: &Path, output: &dyn Listener) -> anyhow::Result<spec::Task> {
    let text = read_text(path)?;
    spec::read_task(&text).map_err(|errors| {
        let mut sources = Sources::default();
        sources.add(path.display().to_string(), text.as_str());
        for error in &errors {
            output.specification(error, &sources);
        }
        Failure::silent(Cause::Refused)
    })
}

/// Reads a specification, if a path is given (`-` is standard input), and lists of properties.
///
/// # Errors
/// If a file cannot be read or is refused; in the latter case the diagnostics have been printed.
pub fn read_spec(
    path: Option<&Path>,
    lists: &[ListFile],
    output: &dyn Listener,
) -> anyhow::Result<SpecFile> {
    let mut texts = Texts::default();
    if let Some(path) = path {
        texts.file = Some((path.display().to_string(), read_text(path)?));
    }
    for list in lists {
        let name = list.path.display().to_string();
        let text = read_list(&list.path)?;
        match list.reading {
            Reading::ByName => texts.lists.push((name, text, list.expected)),
            Reading::Requirements(tick) => {
                let tick = tick.map(|tick| tick.to_string());
                texts.requirements.push((name, text, tick));
            }
        }
    }
    texts.read(output)
}

/// Makes a specification of one formula.
///
/// # Errors
/// If the formula is refused; the diagnostics have been printed.
pub fn spec_of_formula(formula: &str, output: &dyn Listener) -> anyhow::Result<SpecFile> {
    let texts = Texts {
        formula: Some(formula.to_string()),
        ..Texts::default()
    };
    texts.read(output)
}

/// Makes a specification of the formulas of `--ltl`: of one, or of several as of a list with one formula on each line.
///
/// # Errors
/// If a formula is refused; the diagnostics have been printed.
pub fn spec_of_formulas(formulas: &[String], output: &dyn Listener) -> anyhow::Result<SpecFile> {
    if let [formula] = formulas {
        return spec_of_formula(formula, output);
    }
    let lines = formulas
        .iter()
        .map(|formula| formula.replace(['\n', '\r'], " ") + "\n");
    let list = ("--ltl".to_owned(), lines.collect());
    Texts::of(None, vec![list]).read(output)
}

/// Warns that the lasso section of a specification has no effect without `--lasso`.
pub(crate) fn note_unused_lasso(spec: &SpecFile, output: &dyn Listener) {
    let Some(lasso) = spec.spec.lasso.as_ref() else {
        return;
    };
    let mut note = Diagnostic::error("infinite runs are not searched", lasso.span.clone())
        .label("has no effect")
        .help("give --lasso to search them");
    note.severity = Severity::Warning;
    output.specification(&note, &spec.sources);
}

/// The specification without its section on infinite runs: a proof finds their state and save points itself, so
/// that no answer rests on declared ones.
pub fn without_state(mut spec: SpecFile, output: &dyn Listener) -> SpecFile {
    if let Some(lasso) = spec.spec.lasso.take() {
        let mut note = Diagnostic::error("infinite runs are followed without this", lasso.span)
            .label("`prove` does not use it")
            .help("a proof finds the state and the save points itself; `verify --lasso` uses those of the specification");
        note.severity = Severity::Note;
        output.specification(&note, &spec.sources);
    }
    spec
}

impl Texts {
    /// Texts of a specification file and of lists, which may differ from what is on the disk.
    pub fn of(file: Option<(String, String)>, lists: Vec<(String, String)>) -> Texts {
        let lists = lists.into_iter().map(|(name, text)| (name, text, None));
        Texts {
            file,
            lists: lists.collect(),
            ..Texts::default()
        }
    }

    /// The same with requirements beside.
    pub fn with_requirements(
        mut self,
        (name, text): (String, String),
        tick: Option<requirements::Tick>,
    ) -> Texts {
        let tick = tick.map(|tick| tick.to_string());
        self.requirements.push((name, text, tick));
        self
    }

    /// The text of the specification file or formula; empty if there are lists of properties alone.
    pub fn main(&self) -> &str {
        let file = self.file.as_ref().map(|(_, text)| text);
        file.or(self.formula.as_ref()).map_or("", String::as_str)
    }

    /// Whether others are the same but for the names of files.
    pub fn say_the_same(&self, other: &Texts) -> bool {
        let file = |t: &Texts| t.file.as_ref().map(|(_, text)| text.clone());
        let lists = |t: &Texts| {
            let lists = t.lists.iter();
            lists
                .map(|(_, text, e)| (text.clone(), *e))
                .collect::<Vec<_>>()
        };
        let requirements = |t: &Texts| {
            let requirements = t.requirements.iter();
            requirements
                .map(|(_, text, tick)| (text.clone(), tick.clone()))
                .collect::<Vec<_>>()
        };
        self.formula == other.formula
            && file(self) == file(other)
            && lists(self) == lists(other)
            && requirements(self) == requirements(other)
    }

    /// Reads the specification.
    ///
    /// # Errors
    /// If a text is refused; the diagnostics have been printed.
    pub fn read(self, output: &dyn Listener) -> anyhow::Result<SpecFile> {
        let mut sources = Sources::default();
        if let Some(formula) = &self.formula {
            sources.add("--ltl", formula);
            return self.accept(spec::from_ltl(formula), sources, output);
        }
        if let Some((name, text)) = &self.file {
            sources.add(name.as_str(), text.as_str());
        }
        let mut lists = Vec::new();
        for (name, text, expected) in &self.lists {
            lists.push(List {
                name,
                text,
                offset: sources.next_offset(),
                expected: *expected,
                reading: Reading::ByName,
            });
            sources.add(name.as_str(), text.as_str());
        }
        for (name, text, tick) in &self.requirements {
            let tick = tick.as_deref().and_then(|tick| tick.parse().ok());
            lists.push(List {
                name,
                text,
                offset: sources.next_offset(),
                expected: None,
                reading: Reading::Requirements(tick),
            });
            sources.add(name.as_str(), text.as_str());
        }
        let text = self.file.as_ref().map(|(_, text)| text.as_str());
        self.accept(spec::read_with_lists(text, &lists), sources, output)
    }

    fn accept(
        &self,
        result: Result<Spec, Vec<Diagnostic>>,
        sources: Sources,
        output: &dyn Listener,
    ) -> anyhow::Result<SpecFile> {
        match result {
            Ok(mut spec) => {
                counted(&mut spec);
                for warning in &spec.warnings {
                    output.specification(warning, &sources);
                }
                Ok(SpecFile {
                    sources,
                    texts: self.clone(),
                    spec,
                })
            }
            Err(errors) => {
                for error in &errors {
                    output.specification(error, &sources);
                }
                Err(Failure::silent(Cause::Refused))
            }
        }
    }
}

/// Lets timers count letters in the formulas whose automata are too large: intervals that begin late under `G`, and
/// several long ones that share propositions. What timers cannot count is refused later, with the reason.
fn counted(spec: &mut Spec) {
    let constraints: Vec<ltl::Id> = spec.alphabet.iter().map(|f| f.root).collect();
    for number in 0..spec.properties.len() {
        let root = spec.properties[number].root;
        let intervals = spec.arena.postorder(root).into_iter();
        let intervals = intervals.filter_map(|id| match spec.arena.node(id) {
            ltl::Node::Within(operator, interval, _) if !operator.is_past() => Some(*interval),
            _ => None,
        });
        let intervals: Vec<ltl::Interval> = intervals.collect();
        let late = intervals.iter().any(|i| i.from >= LATE);
        let long = intervals.iter().filter(|i| i.to.unwrap_or(i.from) >= LONG);
        // How many states there are at least if each interval is counted beside the others.
        let beside = intervals.iter().fold(1u64, |product, interval| {
            product.saturating_mul(u64::from(interval.to.unwrap_or(interval.from)) + 1)
        });
        let many = intervals.len() > 1 && beside >= MANY;
        let doubtful = late || many || long.count() > 1;
        if doubtful && is_too_large(&mut spec.arena, root, &constraints) {
            // What timers cannot count is refused where its monitor is made.
            let _ = spec.count_by_timers(number);
        }
    }
}

/// An interval that begins so late may need too many states.
const LATE: u32 = 8;
/// Several intervals of this length may, too.
const LONG: u32 = 50;
/// And several whose lengths have this product.
const MANY: u64 = 200;

/// Whether a formula has neither a deterministic monitor nor automata.
fn is_too_large(arena: &mut ltl::Arena, root: ltl::Id, constraints: &[ltl::Id]) -> bool {
    let limits = automata::Limits::default();
    if automata::Composite::for_formula(arena, root, constraints, &limits).is_ok() {
        return false;
    }
    let options = automata::Options {
        constraints: constraints.to_vec(),
        ..automata::Options::default()
    };
    let negation = arena.negate(root);
    [root, negation]
        .into_iter()
        .any(|root| automata::translate(arena, root, &options).is_err())
}

impl SpecFile {
    /// The bound of loops that the specification gives.
    pub fn bound(&self) -> Option<u32> {
        self.spec.unwind
    }

    /// What can be expected of each of its first `most` formulas, by their texts.
    pub fn explained(&self, most: usize) -> BTreeMap<String, String> {
        let arena = &self.spec.arena;
        let constraints: Vec<_> = self.spec.alphabet.iter().map(|f| f.root).collect();
        let properties = self.spec.properties.iter().take(most);
        let explained = properties.map(|property| {
            let limits = automata::Limits::default();
            let class = automata::classify(arena, property.root, &constraints, &limits);
            let text = format!("{}.\n\n{}", class.describe(), class.explain());
            (property.text.as_str().trim().to_owned(), text)
        });
        explained.collect()
    }

    /// The number of its formulas.
    pub fn formulas(&self) -> usize {
        self.spec.properties.len()
    }

    /// The names of its propositions.
    pub fn proposition_names(&self) -> Vec<String> {
        let propositions = self.spec.propositions.iter();
        propositions.map(|p| p.name.clone()).collect()
    }

    /// The text of the specification file or formula; the lists of properties are not part of it.
    pub fn text(&self) -> &str {
        self.texts.main()
    }

    /// The texts that it was read from.
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// A copy that `change` has edited, without labels to be reached.
    pub fn changed(&self, change: impl FnOnce(&mut Spec)) -> SpecFile {
        let mut spec = self.spec.clone();
        change(&mut spec);
        spec.reach.clear();
        SpecFile {
            sources: self.sources.clone(),
            texts: self.texts.clone(),
            spec,
        }
    }

    /// Whether every run that satisfies a formula shows it: some prefix of the run satisfies the formula whatever follows,
    /// the run itself if it ends.
    pub fn shows_satisfaction(&self, number: usize) -> bool {
        let arena = &self.spec.arena;
        let shows = |root| {
            let class = || automata::classify(arena, root, &[], &automata::Limits::default());
            arena.is_next_free(root) && class().co_safety == Some(true)
        };
        let property = self.spec.properties.get(number);
        property.is_some_and(|property| shows(property.root))
    }

    /// A copy with each formula negated.
    pub fn negated(&self) -> SpecFile {
        let mut spec = self.spec.clone();
        for property in &mut spec.properties {
            property.root = spec.arena.negate(property.root);
        }
        SpecFile {
            sources: self.sources.clone(),
            texts: self.texts.clone(),
            spec,
        }
    }

    /// A copy with the formulas of these indices, and with labels to be reached only if `reach`.
    /// Unless `every_event` is set, propositions that no chosen formula uses are dropped, and their
    /// events make no letters.
    pub fn part(&self, formulas: &[usize], reach: bool, every_event: bool) -> SpecFile {
        let mut spec = self.spec.clone();
        let chosen = formulas.iter().filter_map(|&i| self.spec.properties.get(i));
        spec.properties = chosen.cloned().collect();
        if !reach {
            spec.reach.clear();
        }
        if !every_event {
            let roots = spec.properties.iter().map(|p| p.root);
            let used: BTreeSet<_> = roots.flat_map(|r| spec.atoms_behind(r)).collect();
            spec.propositions.retain(|p| used.contains(&p.atom));
        }
        SpecFile {
            sources: self.sources.clone(),
            texts: self.texts.clone(),
            spec,
        }
    }
}
