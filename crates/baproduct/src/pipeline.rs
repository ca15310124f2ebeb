//! From files to a woven program: reading, preprocessing, weaving, and saying what is wrong.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use spec::{Diagnostic, List, Severity, Sources, Spec};
use weave::facts::{Facts, Range};
use weave::record::Record;
use weave::{Form, Refusal, Remark};

use crate::exit::{Ended, Status};
use crate::options::{Headers, MonitorForm, Output, Preprocessor, Weaving};

/// A specification with the texts it was read from.
pub struct SpecFile {
    sources: Sources,
    text: String,
    spec: Spec,
}

/// A woven program.
pub struct Woven {
    /// The C text.
    pub text: String,
    /// What `verify` needs to know.
    pub record: Record,
    /// The user's files that went into it.
    pub dependencies: Vec<String>,
}

/// Says something about a place of a text on standard error.
fn say(diagnostic: &Diagnostic, text: &str, output: &Output) {
    if output.quiet && diagnostic.severity != Severity::Error {
        return;
    }
    eprintln!("{}", spec::render(diagnostic, text, output.color_stderr()));
}

/// Whether a path means standard input.
fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a file; `-` is standard input.
fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = if is_stdin(path) {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    bytes.map_err(|e| {
        Ended::error(
            Status::Refused,
            format!("cannot read {}: {e}", path.display()),
        )
    })
}

/// Reads a file as text; `-` is standard input.
fn read_text(path: &Path) -> anyhow::Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(|e| {
        Ended::error(
            Status::Refused,
            format!("{} is not UTF-8: {e}", path.display()),
        )
    })
}

/// Says something about a place of a specification or its lists of properties.
fn say_of_spec(diagnostic: &Diagnostic, sources: &Sources, output: &Output) {
    if output.quiet && diagnostic.severity != Severity::Error {
        return;
    }
    eprintln!("{}", sources.show(diagnostic, output.color_stderr()));
}

/// Reads a specification, if there is one, and lists of properties; `-` is standard input.
pub fn read_spec(
    path: Option<&Path>,
    lists: &[PathBuf],
    output: &Output,
) -> anyhow::Result<SpecFile> {
    let mut sources = Sources::default();
    let spec = path.map(read_text).transpose()?;
    if let (Some(path), Some(text)) = (path, &spec) {
        sources.add(path.display().to_string(), text.as_str());
    }
    let mut texts = Vec::new();
    for path in lists {
        let (offset, text) = (sources.next_offset(), read_text(path)?);
        let name = path.display().to_string();
        sources.add(name.as_str(), text.as_str());
        texts.push((name, text, offset));
    }
    let lists: Vec<List> = texts
        .iter()
        .map(|(name, text, offset)| List {
            name,
            text,
            offset: *offset,
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

/// The one program; several are not supported yet.
pub fn single_program(programs: &[PathBuf]) -> anyhow::Result<&Path> {
    match programs {
        [one] => Ok(one),
        [] => Err(Ended::error(Status::Usage, "no C program is given")),
        _ => Err(Ended::error(
            Status::Refused,
            "several C files are not supported yet; give one",
        )),
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

/// The record of a program that `instrument` wrote.
pub fn woven_before(path: &Path) -> anyhow::Result<(String, Record)> {
    let text = read_text(path)?;
    match Record::from_program(&text) {
        Some(Ok(record)) => Ok((text, record)),
        Some(Err(e)) => Err(Ended::error(
            Status::Refused,
            format!("the plan in {} is damaged: {e}", path.display()),
        )),
        None => Err(Ended::error(
            Status::Refused,
            format!(
                "{} was not written by `baproduct instrument`; give a specification in front of it",
                path.display()
            ),
        )),
    }
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
    source: cfront::source::Source,
    facts: weave::facts::Facts,
    flows: HashMap<cfront::span::FunctionId, cfront::Flow>,
    /// The tree, to which each specification adds expressions of its own.
    unit: RefCell<Option<cfront::Unit>>,
}

impl Program {
    /// Reads a program.
    pub fn read(path: &Path, weaving: &Weaving, output: &Output) -> anyhow::Result<Program> {
        let mut unit = read_program(path, &weaving.preprocessor, output)?;
        let source = unit.source.clone();
        let locate = |at: usize| {
            let (file, line) = source.lines.line(at);
            (file.to_string(), line)
        };
        let facts = weave::collect::collect(&unit, &locate);
        let flows = std::mem::take(&mut unit.flows);
        Ok(Program {
            source,
            facts,
            flows,
            unit: RefCell::new(Some(unit)),
        })
    }

    /// The preprocessed text.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    fn locate(&self, at: usize) -> (String, u32) {
        let (file, line) = self.source.lines.line(at);
        (file.to_string(), line)
    }
}

/// What is in a program, without a specification.
pub fn facts(program: &Path, options: &Preprocessor, output: &Output) -> anyhow::Result<Facts> {
    let unit = read_program(program, options, output)?;
    let lines = &unit.source.lines;
    Ok(weave::collect::collect(&unit, &|at| {
        let (file, line) = lines.line(at);
        (file.to_string(), line)
    }))
}

/// Preprocesses a program and weaves the specification's monitors into it.
pub fn weave(
    spec: &SpecFile,
    program: &Path,
    weaving: &Weaving,
    output: &Output,
) -> anyhow::Result<Woven> {
    let program = Program::read(program, weaving, output)?;
    weave_into(&program, spec, weaving, output)
}

/// Weaves the specification's monitors into a program.
pub fn weave_into(
    program: &Program,
    spec: &SpecFile,
    weaving: &Weaving,
    output: &Output,
) -> anyhow::Result<Woven> {
    let (source, facts) = (&program.source, &program.facts);
    let locate = |at: usize| program.locate(at);
    let flow = weave::flow::Graphs::new(facts, &program.flows);
    let unit = program
        .unit
        .take()
        .context("the program is being woven already")?;
    note_unused_lasso(spec, weaving, output);
    let searched = weaving.lasso;
    let observed = searched.then(|| weave::lasso::observe(&unit, &program.flows));
    let code = weave::code::Code::new(unit);
    let input = weave::Program {
        code: &code,
        text: &source.text,
        facts,
        flow: &flow,
        locate: &locate,
        lasso: observed.as_ref(),
    };
    let options = weave::Options {
        unwind: weaving.unwind,
        unwindset: unwindset(weaving)?,
        form: match weaving.monitor {
            MonitorForm::Auto => Form::Auto,
            MonitorForm::Dfa => Form::Deterministic,
            MonitorForm::Buchi => Form::Buchi,
        },
        strict: weaving.strict,
        version: env!("CARGO_PKG_VERSION").to_string(),
        include_headers: weaving.headers == Headers::Include,
        spurious_wakeups: weaving.spurious_wakeups,
        shared_pointers: !weaving.cbmc,
    };
    let woven = weave::weave(&spec.spec, &input, &options);
    let unit = code.into_unit();
    let text = match &woven {
        Ok(woven) => emit(&unit, woven, weaving).map(Some),
        Err(_) => Ok(None),
    };
    program.unit.replace(Some(unit));
    match woven {
        Ok(woven) => {
            check_bounds(&options.unwindset, &woven.record)?;
            for note in &woven.notes {
                say_remark(note, source, Severity::Warning, output);
            }
            Ok(Woven {
                text: text?.unwrap_or_default(),
                dependencies: dependencies(source),
                record: woven.record,
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

/// The text of the woven program.
fn emit(unit: &cfront::Unit, woven: &weave::Woven, weaving: &Weaving) -> anyhow::Result<String> {
    let mut edits = cfront::edit::Edits::new();
    for (order, insertion) in (0..).zip(&woven.insertions) {
        edits.insert(insertion.offset, order, insertion.text.as_str())?;
    }
    let options = cfront::output::OutputOptions {
        headers: match weaving.headers {
            Headers::Include => cfront::output::Headers::Include,
            Headers::Expand => cfront::output::Headers::Expand,
        },
        prologue: &woven.prologue,
        epilogue: &woven.epilogue,
        own_name: OWN_NAME,
    };
    let bytes = unit
        .emit(&edits, &options)
        .map_err(|d| anyhow::anyhow!("{}", d.message))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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

/// Shows a diagnostic at a place of the program: the renderer counts lines itself, so the line's
/// text is put where it belongs.
fn say_at(mut diagnostic: Diagnostic, place: &cfront::diag::Place, output: &Output) {
    let before = "\n".repeat((place.line.max(1) - 1) as usize);
    let (from, to) = place.underline;
    diagnostic.span = before.len() + from..before.len() + to;
    let text = before + &place.text + "\n";
    say(&diagnostic, &text, output);
}

/// Refuses what no preprocessor needs to be asked about: its messages would be long and far from
/// the point. Standard input is left to the preprocessor.
fn readable(path: &Path) -> anyhow::Result<()> {
    if is_stdin(path) {
        return Ok(());
    }
    match read_bytes(path)?.contains(&0) {
        true => Err(Ended::error(
            Status::Refused,
            format!(
                "{} is not C text: it contains null characters",
                path.display()
            ),
        )),
        false => Ok(()),
    }
}

/// So many lines of a preprocessor's messages are passed on.
const PREPROCESSOR_LINES: usize = 20;

/// The beginning of a long message.
fn shortened(message: &str) -> String {
    let lines: Vec<&str> = message.trim_end().lines().collect();
    let shown = lines
        .iter()
        .take(PREPROCESSOR_LINES)
        .copied()
        .collect::<Vec<_>>()
        .join("\n");
    match lines.len().saturating_sub(PREPROCESSOR_LINES) {
        0 => shown,
        more => format!("{shown}\n… {more} more lines"),
    }
}

/// Preprocesses and reads a C file.
fn read_program(
    path: &Path,
    options: &Preprocessor,
    output: &Output,
) -> anyhow::Result<cfront::Unit> {
    use cfront::preprocess::{preprocess, MacroOption, Options, PreprocessError};
    readable(path)?;
    let defines = options
        .define
        .iter()
        .map(|d| MacroOption::Define(d.clone()));
    let undefines = options
        .undefine
        .iter()
        .map(|u| MacroOption::Undefine(u.clone()));
    let options = Options {
        command: Some(options.cpp.clone()),
        std: Some(options.std.clone()),
        include_dirs: options.include.clone(),
        macros: defines.chain(undefines).collect(),
        ..Options::default()
    };
    let preprocessed = preprocess(path, &options).map_err(|error| {
        let status = match error {
            PreprocessError::Start { .. } => Status::NoBackend,
            PreprocessError::Refused { .. } => Status::Refused,
        };
        Ended::error(status, shortened(&error.to_string()))
    })?;
    if !preprocessed.warnings.is_empty() && !output.quiet {
        eprint!("{}", preprocessed.warnings);
    }
    cfront::Unit::parse(preprocessed.source).map_err(|diagnostics| {
        for d in diagnostics {
            let mut diagnostic = Diagnostic::error(d.message.clone(), 0..0);
            if !d.label.is_empty() {
                diagnostic = diagnostic.label(d.label.clone());
            }
            diagnostic.help = d.help.clone();
            diagnostic.notes = d.notes.clone();
            match &d.place {
                Some(place) => say_at(diagnostic.in_source(place.file.clone()), place, output),
                None => say(&diagnostic, "", output),
            }
        }
        Ended::silent(Status::Refused)
    })
}
