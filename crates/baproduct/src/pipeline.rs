//! From files to a woven program: reading, preprocessing, weaving, and saying what is wrong.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use anyhow::Context;
use spec::{Diagnostic, List, Severity, Sources, Spec};
use weave::facts::{Facts, Lifetime, Range};
use weave::record::Record;
use weave::{Form, Refusal, Remark};

use crate::exit::{Ended, Status};
use crate::options::{Headers, MonitorForm, Output, Weaving};
use crate::outputs::tell;
use crate::sources;
pub use crate::texts::{read_bytes, say, say_at, Emitted};
use crate::texts::{read_list, read_text};

/// A specification with the texts it was read from.
pub struct SpecFile {
    sources: Sources,
    text: String,
    spec: Spec,
}

/// A woven program.
pub struct Woven {
    /// The C files, in the order of the program's.
    pub files: Vec<Emitted>,
    /// What `verify` needs to know.
    pub record: Record,
    /// What a proof needs to know, where one is wanted.
    pub heads: Option<weave::heads::Heads>,
    /// The user's files that went into it.
    pub dependencies: Vec<String>,
}

impl Woven {
    /// The length of all texts.
    pub fn size(&self) -> usize {
        self.files.iter().map(|(_, text)| text.len()).sum()
    }
}

/// Says something about a place of a specification or its lists of properties.
fn say_of_spec(diagnostic: &Diagnostic, sources: &Sources, output: &Output) {
    if output.quiet && diagnostic.severity != Severity::Error {
        return;
    }
    tell(sources.show(diagnostic, output.color_stderr()));
}

/// A file with properties.
pub struct ListFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whether its properties hold, where a task definition says so.
    pub expected: Option<bool>,
}

impl ListFile {
    /// A file of which nothing is known.
    pub fn of(path: &Path) -> ListFile {
        ListFile {
            path: path.to_path_buf(),
            expected: None,
        }
    }
}

/// Reads a task definition.
///
/// # Errors
/// What is wrong with it, which is told.
pub fn read_task(path: &Path, output: &Output) -> anyhow::Result<spec::Task> {
    let text = read_text(path)?;
    spec::read_task(&text).map_err(|errors| {
        let mut sources = Sources::default();
        sources.add(path.display().to_string(), text.as_str());
        for error in &errors {
            say_of_spec(error, &sources, output);
        }
        Ended::silent(Status::Refused)
    })
}

/// Reads a specification, if there is one, and lists of properties; `-` is standard input.
pub fn read_spec(
    path: Option<&Path>,
    lists: &[ListFile],
    output: &Output,
) -> anyhow::Result<SpecFile> {
    let mut sources = Sources::default();
    let spec = path.map(read_text).transpose()?;
    if let (Some(path), Some(text)) = (path, &spec) {
        sources.add(path.display().to_string(), text.as_str());
    }
    let mut texts = Vec::new();
    for list in lists {
        let (offset, text) = (sources.next_offset(), read_list(&list.path)?);
        let name = list.path.display().to_string();
        sources.add(name.as_str(), text.as_str());
        texts.push((name, text, offset, list.expected));
    }
    let lists: Vec<List> = texts
        .iter()
        .map(|(name, text, offset, expected)| List {
            name,
            text,
            offset: *offset,
            expected: *expected,
        })
        .collect();
    accept(
        spec::read_with_lists(spec.as_deref(), &lists),
        sources,
        spec.unwrap_or_default(),
        output,
    )
}

/// The specification of a formula on the command line.
pub fn spec_of_formula(formula: &str, output: &Output) -> anyhow::Result<SpecFile> {
    let mut sources = Sources::default();
    sources.add("--ltl", formula);
    accept(
        spec::from_ltl(formula),
        sources,
        formula.to_string(),
        output,
    )
}

fn accept(
    result: Result<Spec, Vec<Diagnostic>>,
    sources: Sources,
    text: String,
    output: &Output,
) -> anyhow::Result<SpecFile> {
    match result {
        Ok(spec) => {
            for warning in &spec.warnings {
                say_of_spec(warning, &sources, output);
            }
            Ok(SpecFile {
                sources,
                text,
                spec,
            })
        }
        Err(errors) => {
            for error in &errors {
                say_of_spec(error, &sources, output);
            }
            Err(Ended::silent(Status::Refused))
        }
    }
}

/// `--unwindset NAME:K`, as a map.
pub fn unwindset(weaving: &Weaving) -> anyhow::Result<BTreeMap<String, u32>> {
    let mut map = BTreeMap::new();
    for item in weaving.unwindset.iter().flat_map(|list| list.split(',')) {
        let parsed = item
            .rsplit_once(':')
            .and_then(|(name, k)| Some((name, k.parse::<u32>().ok()?)));
        let Some((name, k)) = parsed else {
            return Err(Ended::error(
                Status::Usage,
                format!("--unwindset wants LABEL_OR_FUNCTION:K, not `{item}`"),
            ));
        };
        map.insert(name.to_string(), k);
    }
    Ok(map)
}

/// Refuses bounds for what the program does not have: they would be ignored without a word.
pub fn check_bounds(unwindset: &BTreeMap<String, u32>, record: &Record) -> anyhow::Result<()> {
    let known: BTreeSet<&str> = record
        .bounds
        .iter()
        .map(|b| b.label.as_deref().unwrap_or(&b.function))
        .collect();
    let Some(unknown) = unwindset.keys().find(|name| !known.contains(name.as_str())) else {
        return Ok(());
    };
    let what = match known.is_empty() {
        true => "the program has no loop and no recursion".to_string(),
        false => format!(
            "there are: {}",
            known.into_iter().collect::<Vec<_>>().join(", ")
        ),
    };
    Err(Ended::error(
        Status::Usage,
        format!("--unwindset: no function with a loop or recursion and no label of a loop is called `{unknown}` ({what})"),
    ))
}

/// Refuses to search infinite runs in a program that was instrumented without their search.
pub fn check_lasso(weaving: &Weaving, record: &Record) -> anyhow::Result<()> {
    match (weaving.lasso, &record.lasso) {
        (true, None) => Err(Ended::error(
            Status::Usage,
            "--lasso: this program was instrumented without it; give --lasso to `instrument`",
        )),
        _ => Ok(()),
    }
}

/// Says that what a specification says of lassos is not used.
fn note_unused_lasso(spec: &SpecFile, weaving: &Weaving, output: &Output) {
    let Some(lasso) = spec.spec.lasso.as_ref().filter(|_| !weaving.lasso) else {
        return;
    };
    let mut note = Diagnostic::error("infinite runs are not searched", lasso.span.clone())
        .label("has no effect")
        .help("give --lasso to search them");
    note.severity = Severity::Warning;
    say_of_spec(&note, &spec.sources, output);
}

/// The files that `instrument` wrote, all of a directory if one is named, and their record.
pub fn woven_before(paths: &[PathBuf]) -> anyhow::Result<(Vec<Emitted>, Record)> {
    let refuse = |message: String| Ended::error(Status::Refused, message);
    let mut files = Vec::new();
    let mut found = None;
    for path in sources::all_files(paths)? {
        let bytes = read_bytes(&path)?;
        match Record::from_program(&String::from_utf8_lossy(&bytes)) {
            Some(Ok(record)) => found = Some(record),
            Some(Err(e)) => {
                let path = path.display();
                return Err(refuse(format!("the plan in {path} is damaged: {e}")));
            }
            None => {}
        }
        files.push((sources::unique_name(&path, &files), bytes));
    }
    let first = paths.first().map_or(Path::new(""), PathBuf::as_path);
    let message = || {
        format!(
            "{} was not written by `baproduct instrument`; give a specification in front of it",
            first.display()
        )
    };
    let record = found.ok_or_else(|| refuse(message()))?;
    Ok((files, record))
}

impl SpecFile {
    /// Its formulas.
    pub fn formulas(&self) -> usize {
        self.spec.properties.len()
    }

    /// The text of the specification itself; the lists of properties are not part of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same with other properties, and without labels to be reached.
    pub fn changed(&self, change: impl FnOnce(&mut Spec)) -> SpecFile {
        let mut spec = self.spec.clone();
        change(&mut spec);
        spec.reach.clear();
        SpecFile {
            sources: self.sources.clone(),
            text: self.text.clone(),
            spec,
        }
    }

    /// The same with the negations of its formulas.
    pub fn negated(&self) -> SpecFile {
        let mut spec = self.spec.clone();
        for property in &mut spec.properties {
            property.root = spec.arena.negate(property.root);
        }
        SpecFile {
            sources: self.sources.clone(),
            text: self.text.clone(),
            spec,
        }
    }

    /// The same with some of its formulas, and labels to be reached only if `reach`. Propositions
    /// that no formula has are left out if `every_event` is not set; else they make letters.
    pub fn part(&self, formulas: &[usize], reach: bool, every_event: bool) -> SpecFile {
        let mut spec = self.spec.clone();
        let chosen = formulas.iter().filter_map(|&i| self.spec.properties.get(i));
        spec.properties = chosen.cloned().collect();
        if !reach {
            spec.reach.clear();
        }
        if !every_event {
            let roots = spec.properties.iter().map(|p| p.root);
            let used: BTreeSet<_> = roots.flat_map(|r| spec.arena.atoms_of(r)).collect();
            spec.propositions.retain(|p| used.contains(&p.atom));
        }
        SpecFile {
            sources: self.sources.clone(),
            text: self.text.clone(),
            spec,
        }
    }
}

/// A program that was preprocessed and read; several specifications can be woven into it, one after
/// the other.
pub struct Program {
    /// Its files as they are named.
    paths: Vec<PathBuf>,
    files: Vec<weave::files::File>,
    source: cfront::source::Source,
    facts: weave::facts::Facts,
    flows: HashMap<cfront::span::FunctionId, cfront::Flow>,
    /// How many expressions are the program's own.
    own: usize,
    /// The tree, to which each specification adds expressions of its own.
    unit: RefCell<Option<cfront::Unit>>,
}

impl Program {
    /// Reads a program.
    pub fn read(
        programs: &[PathBuf],
        weaving: &Weaving,
        output: &Output,
    ) -> anyhow::Result<Program> {
        let programs = sources::list(programs, &weaving.preprocessor, output)?;
        let mut unit = sources::read(&programs, output)?;
        let source = unit.source.clone();
        if weaving.ilp32 {
            refuse_long(&source, output)?;
        }
        let locate = |at: usize| {
            let (file, line) = source.lines.line(at);
            (file.to_string(), line)
        };
        let facts = weave::collect::collect(&unit, &locate);
        let flows = std::mem::take(&mut unit.flows);
        Ok(Program {
            paths: programs.into_iter().map(|p| p.path).collect(),
            files: weave::files::files(&unit),
            own: unit.tree.exprs.iter().count(),
            source,
            facts,
            flows,
            unit: RefCell::new(Some(unit)),
        })
    }

    /// Its files as they are named.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The preprocessed text.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The names of its objects at file scope; not those that a local has, too: a trace does not tell them apart.
    pub fn shared(&self) -> Vec<String> {
        let objects = || self.facts.objects.iter().filter(|o| !o.system);
        let locals: BTreeSet<&str> = objects()
            .filter(|o| matches!(o.lifetime, Lifetime::Local(_) | Lifetime::StaticLocal(_)))
            .map(|o| o.name.as_str())
            .collect();
        let shared = objects().filter(|o| o.lifetime == Lifetime::Static);
        let names: BTreeSet<&str> = shared.map(|o| o.name.as_str()).collect();
        names.difference(&locals).map(|n| (*n).to_owned()).collect()
    }

    /// The functions without a body here whose calls all give nothing.
    pub fn silent(&self) -> Vec<String> {
        let mut outside: BTreeMap<&str, bool> = BTreeMap::new();
        for (call, types) in self.facts.calls.iter().zip(&self.facts.call_types) {
            if let (Some(name), None) = (call.callee.as_deref(), call.target) {
                *outside.entry(name).or_insert(true) &= types.void;
            }
        }
        let silent = outside.into_iter().filter(|(_, void)| *void);
        silent.map(|(name, _)| name.to_owned()).collect()
    }

    /// What is in it.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The user's files with their texts, in the order in which the preprocessor came to them.
    pub fn texts(&self) -> Vec<(&str, &str)> {
        let mut texts: Vec<(&str, &str)> = Vec::new();
        for name in self.source.lines.files() {
            let known = texts.iter().any(|(other, _)| other == name);
            if let (Some(text), false) = (self.source.files.get(name), known) {
                texts.push((name, text));
            }
        }
        texts
    }

    /// The user's files that it was read from, headers included.
    pub fn dependencies(&self) -> Vec<String> {
        dependencies(&self.source)
    }

    /// Looks at its tree.
    ///
    /// # Errors
    /// While it is being woven, which nobody does at the same time.
    pub fn with_unit<T>(&self, look: impl Fn(&cfront::Unit, &Facts) -> T) -> anyhow::Result<T> {
        let unit = self.unit.borrow();
        let unit = unit.as_ref().context("the program is being woven")?;
        Ok(look(unit, &self.facts))
    }

    /// What its text suggests to a proof.
    pub fn hints(&self) -> induction::Hints {
        let unit = self.unit.borrow();
        unit.as_ref()
            .map(|unit| induction::hints::collect(unit, self.own))
            .unwrap_or_default()
    }

    fn locate(&self, at: usize) -> (String, u32) {
        let (file, line) = self.source.lines.line(at);
        (file.to_string(), line)
    }
}

/// Refuses a program for machines with 32-bit `long` that might do something else where it has 64 bits.
fn refuse_long(source: &cfront::source::Source, output: &Output) -> anyhow::Result<()> {
    match cfront::data_model::depends(source) {
        Ok(None) => Ok(()),
        Ok(Some(span)) => {
            let diagnostic = cfront::Diagnostic::error(
                span,
                "the task is about a machine with 32-bit `long` and pointers (ILP32), where this may mean something else",
            );
            let diagnostic = source.resolve(cfront::Diagnostic {
                help: Some("programs are verified with 64-bit ones (LP64); name the program instead of the task to do so".into()),
                ..diagnostic
            });
            Err(sources::refused(&[diagnostic], output))
        }
        Err(diagnostic) => Err(sources::refused(&[source.resolve(diagnostic)], output)),
    }
}

/// Preprocesses a program and weaves the specification's monitors into it.
pub fn weave(
    spec: &SpecFile,
    programs: &[PathBuf],
    weaving: &Weaving,
    output: &Output,
) -> anyhow::Result<Woven> {
    let program = Program::read(programs, weaving, output)?;
    weave_into(&program, spec, weaving, output)
}

/// The weaver's answer, and the unit that it added expressions to.
type Planned = (cfront::Unit, Result<weave::Woven, Vec<Refusal>>);

/// Plans what is woven into a program, and says nothing of it.
fn planned(program: &Program, spec: &Spec, weaving: &Weaving) -> anyhow::Result<Planned> {
    let facts = &program.facts;
    let locate = |at: usize| program.locate(at);
    let unwindset = unwindset(weaving)?;
    let flow = weave::flow::Graphs::new(facts, &program.flows);
    let unit = program
        .unit
        .take()
        .context("the program is being woven already")?;
    let searched = weaving.lasso || weaving.proves;
    let observed = searched.then(|| weave::lasso::observe(&unit, &program.flows));
    let code = weave::code::Code::new(unit);
    let input = weave::Program {
        files: &program.files,
        code: &code,
        text: &program.source.text,
        facts,
        flow: &flow,
        locate: &locate,
        lasso: observed.as_ref(),
    };
    let options = weave::Options {
        unwind: weaving.unwind,
        unwindset,
        form: match weaving.monitor {
            MonitorForm::Auto => Form::Auto,
            MonitorForm::Dfa => Form::Deterministic,
            MonitorForm::Buchi => Form::Buchi,
        },
        strict: weaving.strict,
        version: env!("CARGO_PKG_VERSION").to_string(),
        include_headers: headers(weaving, program) == Headers::Include,
        spurious_wakeups: weaving.spurious_wakeups,
        assert_prunes: weaving.assert_prunes,
        nonlocal_jumps: !weaving.model,
        dialect: Some(&weaving.preprocessor.std)
            .filter(|std| *std != crate::options::DEFAULT_STD)
            .cloned(),
        proves: weaving.proves,
        shared_pointers: !weaving.cbmc || weaving.rounds,
        rounds: weaving.rounds,
    };
    let woven = weave::weave(spec, &input, &options);
    Ok((code.into_unit(), woven))
}

/// What would be woven into a program for the text of a specification; nothing if it or the program is refused.
pub fn tried(program: &Program, text: &str, weaving: &Weaving) -> Option<Record> {
    let spec = spec::read_with_lists(Some(text), &[]).ok()?;
    let (unit, woven) = planned(program, &spec, weaving).ok()?;
    program.unit.replace(Some(unit));
    Some(woven.ok()?.record)
}

/// Weaves the specification's monitors into a program.
pub fn weave_into(
    program: &Program,
    spec: &SpecFile,
    weaving: &Weaving,
    output: &Output,
) -> anyhow::Result<Woven> {
    let source = &program.source;
    note_unused_lasso(spec, weaving, output);
    let (unit, woven) = planned(program, &spec.spec, weaving)?;
    let text = match &woven {
        Ok(woven) => emit(&unit, woven, headers(weaving, program), output).map(Some),
        Err(_) => Ok(None),
    };
    program.unit.replace(Some(unit));
    match woven {
        Ok(woven) => {
            check_bounds(&unwindset(weaving)?, &woven.record)?;
            for note in &woven.notes {
                say_remark(note, source, Severity::Warning, output);
            }
            let mut files: Vec<Emitted> = Vec::new();
            for (path, text) in program.paths.iter().zip(text?.unwrap_or_default()) {
                files.push((sources::unique_name(path, &files), text));
            }
            Ok(Woven {
                files,
                dependencies: dependencies(source),
                record: woven.record,
                heads: woven.heads,
            })
        }
        Err(refusals) => {
            for refusal in refusals {
                match refusal {
                    Refusal::Spec(diagnostic) => say_of_spec(&diagnostic, &spec.sources, output),
                    Refusal::Program(remark) => {
                        say_remark(&remark, source, Severity::Error, output)
                    }
                }
            }
            Err(Ended::silent(Status::Refused))
        }
    }
}

/// The name that line markers give to what is not the user's.
const OWN_NAME: &str = "<baproduct>";

/// How system headers are written. Those of a file that was preprocessed already have become its text: an
/// `#include` would declare all of it again, as this system has it.
fn headers(weaving: &Weaving, program: &Program) -> Headers {
    let preprocessed = |path: &PathBuf| path.extension().is_some_and(|e| e == "i");
    match program.paths.iter().any(preprocessed) || declares_threads(program) {
        true => Headers::Expand,
        false => weaving.headers,
    }
}

/// Whether a program declares the functions that start threads itself: it was preprocessed, and types of the
/// headers would be defined again.
fn declares_threads(program: &Program) -> bool {
    let facts = &program.facts;
    let mut calls = facts.calls.iter().filter(|c| c.target.is_none());
    calls.any(|call| {
        let name = call.callee.as_deref();
        name.is_some_and(|n| cfront::library::starts_thread(n) && !facts.declared.contains(n))
    })
}

/// The text of each woven file.
fn emit(
    unit: &cfront::Unit,
    woven: &weave::Woven,
    headers: Headers,
    output: &Output,
) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut edits = cfront::edit::Edits::new();
    for (order, insertion) in (0..).zip(&woven.insertions) {
        edits.insert(insertion.offset, order, insertion.text.as_str())?;
    }
    for label in unit.fallen_into() {
        // Right in front of the label, behind what is inserted there.
        edits.insert(label, i32::MAX, "/* fall through */ ")?;
    }
    let options: Vec<cfront::output::OutputOptions> = woven
        .texts
        .iter()
        .map(|text| cfront::output::OutputOptions {
            headers: match headers {
                Headers::Include => cfront::output::Headers::Include,
                Headers::Expand => cfront::output::Headers::Expand,
            },
            prologue: &text.prologue,
            epilogue: &text.epilogue,
            own_name: OWN_NAME,
        })
        .collect();
    unit.emit_all(&edits, &options)
        .map_err(|d| sources::refused(&[d], output))
}

fn dependencies(source: &cfront::source::Source) -> Vec<String> {
    let mut files: Vec<String> = source
        .lines
        .files_with_kinds()
        .filter(|(name, kind)| *kind == cfront::linemap::RegionKind::User && !name.starts_with('<'))
        .map(|(name, _)| name.to_string())
        .collect();
    files.dedup();
    files
}

fn say_remark(
    remark: &Remark,
    source: &cfront::source::Source,
    severity: Severity,
    output: &Output,
) {
    let Range { start, end } = remark.range;
    let place = source.place(cfront::Span::new(start, end));
    let mut diagnostic =
        Diagnostic::error(remark.message.clone(), 0..0).in_source(place.file.clone());
    diagnostic.severity = severity;
    if !remark.label.is_empty() {
        diagnostic = diagnostic.label(remark.label.clone());
    }
    if let Some(help) = &remark.help {
        diagnostic = diagnostic.help(help.clone());
    }
    if place.file.is_empty() {
        // It is about the whole program, so no line of it is shown.
        let file = dependencies(source).into_iter().next().unwrap_or_default();
        diagnostic.label = None;
        return say(&diagnostic.in_source(file), "", output);
    }
    say_at(diagnostic, &place, output);
}
