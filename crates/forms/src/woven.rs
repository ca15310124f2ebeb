//! From a program and a specification to a woven program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Context;
use spec::{Diagnostic, Severity, Spec};
use weave::facts::Range;
use weave::record::Record;
use weave::{Refusal, Remark};

use crate::failure::{Cause, Failure};
use crate::listener::Listener;
use crate::program::{dependencies, Program, NO_TREE};
use crate::sources;
use crate::specs::{note_unused_lasso, SpecFile};
use crate::texts::{read_bytes, Emitted};
use crate::weaving::{Headers, Weaving, DEFAULT_STD};

/// A woven program.
pub struct Woven {
    /// The C files, in the order of the program's files.
    pub files: Vec<Emitted>,
    /// The plan of the woven program, which `verify` reads.
    pub record: Record,
    /// The loop heads, if the program is woven for a proof.
    pub heads: Option<weave::heads::Heads>,
    /// The user's files from which the program was woven.
    pub dependencies: Vec<String>,
}

impl Woven {
    /// The total length of the files in bytes.
    pub fn size(&self) -> usize {
        self.files.iter().map(|(_, text)| text.len()).sum()
    }
}

/// Refuses bounds for names that the program does not have: they would be ignored silently.
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
    Err(Failure::error(
        Cause::Usage,
        format!("--unwindset: no function with a loop or recursion and no label of a loop is called `{unknown}` ({what})"),
    ))
}

/// Refuses a search for infinite runs in a program that was instrumented without them.
///
/// # Errors
/// If infinite runs are wanted, and the program does not have them.
pub fn check_lasso(lasso: bool, record: &Record) -> anyhow::Result<()> {
    match (lasso, &record.lasso) {
        (true, None) => Err(Failure::error(
            Cause::Usage,
            "--lasso: this program was instrumented without it; give --lasso to `instrument`",
        )),
        _ => Ok(()),
    }
}

/// Reads the files that `instrument` wrote (all files of a directory) and their record.
pub fn woven_before(paths: &[PathBuf]) -> anyhow::Result<(Vec<Emitted>, Record)> {
    let refuse = |message: String| Failure::error(Cause::Refused, message);
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

/// Preprocesses a program and weaves the monitors of the specification into it.
///
/// # Errors
/// If the program or the specification is refused; the diagnostics have been printed.
pub fn weave(
    spec: &SpecFile,
    programs: &[PathBuf],
    weaving: &Weaving,
    output: &dyn Listener,
) -> anyhow::Result<Woven> {
    let program = Program::read(programs, weaving, output)?;
    weave_into(&program, spec, weaving, output)
}

/// Plans without printing diagnostics: calls `of` with what is woven, and `look` with what that gives and the syntax tree as it is
/// then, to which weaving has added expressions.
fn with_plan<T, P>(
    program: &Program,
    weaving: &Weaving,
    of: impl FnOnce(&weave::Program, &weave::Options) -> P,
    look: impl FnOnce(&cfront::Unit, P) -> T,
) -> anyhow::Result<T> {
    let mut place = program.unit();
    let unit = place.take().context(NO_TREE)?;
    let (unit, plan) = planned(program, unit, weaving, of);
    let seen = look(&unit, plan);
    *place = Some(unit);
    Ok(seen)
}

/// Calls `of` with a program of this syntax tree.
fn planned<P>(
    program: &Program,
    unit: cfront::Unit,
    weaving: &Weaving,
    of: impl FnOnce(&weave::Program, &weave::Options) -> P,
) -> (cfront::Unit, P) {
    let facts = &program.facts;
    let locate = |at: usize| program.locate(at);
    let flow = weave::flow::Graphs::new(facts, &program.flows);
    let searched = weaving.lasso || weaving.reader.proves;
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
    let plan = of(&input, &options(program, weaving));
    (code.into_unit(), plan)
}

fn options(program: &Program, weaving: &Weaving) -> weave::Options {
    weave::Options {
        unwind: weaving.unwind,
        unwindset: weaving.unwindset.clone(),
        form: weaving.monitor,
        strict: weaving.strict,
        version: env!("CARGO_PKG_VERSION").to_string(),
        include_headers: headers(weaving, program) == Headers::Include,
        spurious_wakeups: weaving.spurious_wakeups,
        assert_prunes: weaving.assert_prunes,
        nonlocal_jumps: !weaving.reader.model,
        dialect: Some(&weaving.preprocessor.std)
            .filter(|std| *std != DEFAULT_STD)
            .cloned(),
        proves: weaving.reader.proves,
        also: weaving.reader.also,
        driven: weaving.reader.driven,
        shared_pointers: !weaving.reader.cbmc || weaving.reader.rounds,
        rounds: weaving.reader.rounds,
        tells: weaving.reader.tells,
        entered: program.entered.clone(),
    }
}

/// The weaving of a specification into a program.
fn woven<'a>(
    program: &'a Program,
    spec: &'a Spec,
) -> impl FnOnce(&weave::Program, &weave::Options) -> Result<weave::Woven, Vec<Refusal>> + 'a {
    |input, options| {
        let mut woven = weave::weave(spec, input, options)?;
        for site in &mut woven.record.sites {
            site.what = program.restored(&site.what);
            site.function = program.restored(&site.function);
        }
        Ok(woven)
    }
}

/// The record of the program woven with this specification text; `None` if either is refused.
pub fn tried(program: &Program, text: &str, weaving: &Weaving) -> Option<Record> {
    let spec = spec::read_with_lists(Some(text), &[]).ok()?;
    let woven = with_plan(program, weaving, woven(program, &spec), |_, woven| woven).ok()?;
    Some(woven.ok()?.record)
}

/// Weaves the monitors of the specification into a program that was read.
///
/// # Errors
/// If the specification does not fit the program; the diagnostics have been printed.
pub fn weave_into(
    program: &Program,
    spec: &SpecFile,
    weaving: &Weaving,
    output: &dyn Listener,
) -> anyhow::Result<Woven> {
    if !weaving.lasso {
        note_unused_lasso(spec, output);
    }
    try_weave(program, spec, weaving, output)?.map_err(|refused| {
        refused.tell(program, spec, output);
        Failure::silent(Cause::Refused)
    })
}

/// Tells what [`weave_into`] would tell, and writes no text unless that depends on it. As soon as all names have a meaning,
/// `named` gets each proposition with its meaning, and tells whether the rest is wanted.
///
/// # Errors
/// If the specification does not fit the program; the diagnostics have been told.
pub fn fit_into(
    program: &Program,
    spec: &SpecFile,
    weaving: &Weaving,
    output: &dyn Listener,
    named: impl FnOnce(BTreeMap<String, String>) -> bool,
) -> anyhow::Result<()> {
    if !weaving.lasso {
        note_unused_lasso(spec, output);
    }
    let named = |all: &[weave::Proposition]| {
        let meanings = all.iter().map(|p| (p.name.clone(), p.description.clone()));
        named(meanings.collect())
    };
    let written = !weaving.unwindset.is_empty();
    let fit = |input: &weave::Program, options: &weave::Options| {
        weave::fit(&spec.spec, input, options, written, named)
    };
    match with_plan(program, weaving, fit, |_, fit| fit)? {
        Err(refusals) => {
            Refused(refusals).tell(program, spec, output);
            Err(Failure::silent(Cause::Refused))
        }
        Ok(None) => Ok(()),
        Ok(Some(fit)) => {
            fit.record
                .map_or(Ok(()), |record| check_bounds(&weaving.unwindset, &record))?;
            for note in &fit.notes {
                say_remark(note, &program.source, Severity::Warning, output);
            }
            Ok(())
        }
    }
}

/// Why a program cannot be woven.
pub struct Refused(Vec<Refusal>);

/// Weaves as [`weave_into`] does, but gives refusals to the caller, unprinted.
///
/// # Errors
/// If the options do not fit the program.
pub fn try_weave(
    program: &Program,
    spec: &SpecFile,
    weaving: &Weaving,
    output: &dyn Listener,
) -> anyhow::Result<Result<Woven, Refused>> {
    let emitted = |unit: &cfront::Unit, woven: Result<weave::Woven, Vec<Refusal>>| {
        let text = woven.as_ref().ok();
        let text = text.map(|woven| emit(unit, woven, headers(weaving, program), output));
        (woven, text)
    };
    let (woven, text) = with_plan(program, weaving, woven(program, &spec.spec), emitted)?;
    let woven = match woven {
        Ok(woven) => woven,
        Err(refusals) => return Ok(Err(Refused(refusals))),
    };
    check_bounds(&weaving.unwindset, &woven.record)?;
    for note in &woven.notes {
        say_remark(note, &program.source, Severity::Warning, output);
    }
    let mut files: Vec<Emitted> = Vec::new();
    for (path, text) in program
        .paths
        .iter()
        .zip(text.transpose()?.unwrap_or_default())
    {
        files.push((sources::unique_name(path, &files), text));
    }
    Ok(Ok(Woven {
        files,
        dependencies: dependencies(&program.source),
        record: woven.record,
        heads: woven.heads,
    }))
}

impl Refused {
    /// Prints all reasons.
    fn tell(&self, program: &Program, spec: &SpecFile, output: &dyn Listener) {
        for refusal in &self.0 {
            match refusal {
                Refusal::Spec(diagnostic) => output.specification(diagnostic, &spec.sources),
                Refusal::Program(remark) => {
                    say_remark(remark, &program.source, Severity::Error, output)
                }
            }
        }
    }

    /// The first reason, with its place.
    pub fn first(&self, program: &Program) -> Option<String> {
        let remark = match self.0.first()? {
            Refusal::Spec(diagnostic) => return Some(diagnostic.title.clone()),
            Refusal::Program(remark) => remark,
        };
        let Range { start, end } = remark.range;
        let place = program.source.place(cfront::Span::new(start, end));
        let help = remark.help.as_ref();
        let help = help.map(|h| format!("; {h}")).unwrap_or_default();
        Some(match place.file.is_empty() {
            true => format!("{}{help}", remark.message),
            false => format!("{}:{}: {}{help}", place.file, place.line, remark.message),
        })
    }
}

/// The file name in line markers of emitted code.
const OWN_NAME: &str = "<baproduct>";

/// How system headers are written. A preprocessed file already contains their text: an `#include`
/// would declare everything again, possibly differently.
fn headers(weaving: &Weaving, program: &Program) -> Headers {
    let preprocessed = |path: &PathBuf| path.extension().is_some_and(|e| e == "i");
    // The headers at hand are those of this machine's programs.
    let other = program.model.has_other_layout();
    match other || program.paths.iter().any(preprocessed) || declares_threads(program) {
        true => Headers::Expand,
        false => weaving.headers,
    }
}

/// Whether the program itself declares the functions that start threads: then it was preprocessed,
/// and the headers would define types again.
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
    output: &dyn Listener,
) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut edits = cfront::edit::Edits::new();
    for (order, insertion) in (0..).zip(&woven.insertions) {
        edits.insert(insertion.offset, order, insertion.text.as_str())?;
    }
    for label in unit.fallen_into() {
        // Directly before the label, after all insertions there.
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

fn say_remark(
    remark: &Remark,
    source: &cfront::source::Source,
    severity: Severity,
    output: &dyn Listener,
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
        // The remark concerns the whole program, so no line is shown.
        let file = dependencies(source).into_iter().next().unwrap_or_default();
        diagnostic.label = None;
        return output.program(diagnostic.in_source(file), None);
    }
    output.program(diagnostic, Some(&place));
}
