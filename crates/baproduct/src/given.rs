//! Sorts the files of a command line into a specification, in one of its forms, and a program.
//!
//! A specification is JSON, a formula (`--ltl`), lists of properties, property files (`.prp`), state machines
//! (`.ya`), a task definition (`.yml`) that names its program too, or formulas in the comments of the program.

use std::path::{Path, PathBuf};

use forms::interrupts::Asked;
use forms::{entries, Cause, Failure, ListFile, Named, Reader, Refusal, SpecFile, Woven};

use crate::options::{Output, Question, Weaving};
use crate::outputs::tell;

/// A specification and the program to which it applies.
pub struct Given {
    /// The specification.
    pub spec: SpecFile,
    /// The files of the program; empty if the compilation database names them.
    pub programs: Vec<PathBuf>,
    /// The files that the specification was read from.
    pub files: Vec<PathBuf>,
    /// Whether the program is meant for a machine with 32-bit `long` and pointers.
    pub ilp32: bool,
}

impl Given {
    /// The options with what the specification says of the program's machine; the command line goes
    /// first.
    ///
    /// # Errors
    /// If the interrupts that are asked for cannot be followed.
    pub fn weaving(&self, weaving: &Weaving, output: &Output) -> anyhow::Result<forms::Weaving> {
        let refused = |refusal: Refusal| refusal.ended(Some(&self.spec), output);
        let spec = self.spec.spec();
        let mut options = weaving.options()?;
        let target = &mut options.preprocessor.target;
        *target = target.or(self.spec.target());
        let machine = &mut options.machine;
        machine.ilp32 = self.ilp32;
        let entries = entries::Asked::of(Some(spec), &weaving.entry.wanted());
        machine.entries = entries.map_err(refused)?;
        machine.named = Named::of(&self.spec);
        machine.registers = forms::registers::of(spec);
        machine.inputs = forms::inputs(spec);
        machine.followed = forms::machines::of(spec);
        if !weaving.no_interrupts {
            let interrupts = Asked::of(spec, &weaving.interrupt);
            machine.interrupts = interrupts.map_err(refused)?;
        }
        Ok(options)
    }
}

/// Reads the specification and the names of the program's files from a command line; `None` if the
/// files are a program that was woven before.
///
/// # Errors
/// If a file is refused, or the files are in a wrong order.
pub fn specification(
    inputs: &[PathBuf],
    ltl: &[String],
    weaving: &Weaving,
    output: &Output,
) -> anyhow::Result<Option<Given>> {
    let lists: Vec<ListFile> = listed(weaving);
    let from_database = weaving.preprocessor.compile_commands.is_some();
    if !ltl.is_empty() {
        alone(inputs, weaving)?;
        return Ok(Some(Given {
            spec: forms::spec_of_formulas(ltl, output)?,
            programs: inputs.to_vec(),
            files: Vec::new(),
            ilp32: false,
        }));
    }
    let given = |spec: Option<&Path>, lists: &[ListFile], programs: &[PathBuf]| {
        let lists_of = lists.iter().map(|list| list.path.clone());
        Ok(Some(Given {
            spec: forms::read_spec(spec, lists, output)?,
            programs: programs.to_vec(),
            files: spec
                .map(Path::to_path_buf)
                .into_iter()
                .chain(lists_of)
                .collect(),
            ilp32: false,
        }))
    };
    if let [first, rest @ ..] = inputs {
        if is_task(first) {
            return task(first, rest, lists, output).map(Some);
        }
    }
    in_order(inputs, &lists, from_database)?;
    let (properties, inputs): (Vec<_>, Vec<_>) = inputs
        .iter()
        .cloned()
        .partition(|i| has_ending(i, "prp") || has_ending(i, "ya"));
    let lists: Vec<ListFile> = properties
        .iter()
        .map(|path| ListFile::of(path))
        .chain(lists)
        .collect();
    // A directory alone is the output of `instrument` for a program of several files.
    let all_c = inputs.iter().all(|i| is_c(i)) || matches!(&inputs[..], [one] if one.is_dir());
    if lists.is_empty() {
        if let Some(lists) = annotated(&inputs, all_c)? {
            return given(None, &lists, &inputs);
        }
        if !inputs.is_empty() && all_c || inputs.len() == 1 && !from_database {
            return Ok(None);
        }
    }
    let (spec, programs) = match inputs.as_slice() {
        [first, ..] if is_c(first) && !lists.is_empty() => (None, &inputs[..]),
        [first, rest @ ..] => (Some(first.as_path()), rest),
        [] => (None, &inputs[..]),
    };
    given(spec, &lists, programs)
}

/// As [`specification`], for commands that accept no woven program.
///
/// # Errors
/// As [`specification`]; and if there is no specification.
pub fn needed(
    inputs: &[PathBuf],
    ltl: &[String],
    weaving: &Weaving,
    output: &Output,
) -> anyhow::Result<Given> {
    specification(inputs, ltl, weaving, output)?.ok_or_else(|| {
        let message = "no specification is given: SPEC.json PROG.c, --ltl FORMULA PROG.c, FILE.prp PROG.c, TASK.yml, \
                       or `//@ ltl invariant NAME: FORMULA;` in the program";
        Failure::error(Cause::Usage, message)
    })
}

/// As [`needed`], and weaves the specification into the program, whose record then lists what verdicts may rest on.
///
/// # Errors
/// As [`needed`]; and if weaving refuses the program.
pub fn woven(
    question: &Question,
    weaving: &Weaving,
    output: &Output,
) -> anyhow::Result<(Given, Woven)> {
    let given = needed(&question.inputs, &question.ltl, weaving, output)?;
    let weaving = given.weaving(weaving, output)?;
    let reader = Reader {
        tells: true,
        // Their threads have uninterrupted sections.
        rounds: weaving.machine.interrupts.any(),
        ..weaving.reader
    };
    let weaving = weaving.read_by(reader);
    let woven = forms::weave(&given.spec, &given.programs, &weaving, output)?;
    Ok((given, woven))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|e| e == ending)
}

fn is_c(path: &Path) -> bool {
    has_ending(path, "c") || has_ending(path, "i")
}

fn is_task(path: &Path) -> bool {
    has_ending(path, "yml") || has_ending(path, "yaml")
}

/// The lists of properties that options name.
fn listed(weaving: &Weaving) -> Vec<ListFile> {
    let properties = weaving.properties.iter().map(|path| ListFile::of(path));
    let requirements = weaving.requirements.iter();
    let requirements = requirements.map(|path| ListFile::of_requirements(path, weaving.tick));
    properties.chain(requirements).collect()
}

/// Refuses another specification beside a formula of `--ltl`.
fn alone(inputs: &[PathBuf], weaving: &Weaving) -> anyhow::Result<()> {
    let lists = [
        ("--properties", &weaving.properties),
        ("--requirements", &weaving.requirements),
    ];
    if let Some((option, _)) = lists.iter().find(|(_, files)| !files.is_empty()) {
        let message = format!("--ltl and {option} exclude each other");
        return Err(Failure::error(Cause::Usage, message));
    }
    let is_spec = |i: &&PathBuf| has_ending(i, "json") || has_ending(i, "prp") || is_task(i);
    match inputs.iter().find(is_spec) {
        None => Ok(()),
        Some(spec) => {
            let spec = spec.display();
            let message = format!(
                "--ltl stands for a whole specification, and {spec} is one; leave one of them out"
            );
            Err(Failure::error(Cause::Usage, message))
        }
    }
}

/// Refuses a specification after the program, and a specification without a program.
fn in_order(inputs: &[PathBuf], lists: &[ListFile], from_database: bool) -> anyhow::Result<()> {
    let is_json = |path: &Path| has_ending(path, "json");
    if let [first, rest @ ..] = inputs {
        if is_c(first) && rest.iter().any(|i| is_json(i)) {
            let message =
                "the specification stands in front of the program: verify SPEC.json PROG.c";
            return Err(Failure::error(Cause::Usage, message));
        }
    }
    let only = |ending: &str| matches!(inputs, [one] if has_ending(one, ending));
    if (only("json") || only("prp")) && lists.is_empty() && !from_database {
        let message = "no C program is given: verify SPEC.json PROG.c";
        return Err(Failure::error(Cause::Usage, message));
    }
    Ok(())
}

/// The files with formulas in their comments; `None` if no file has any, or if a file was woven
/// before.
fn annotated(inputs: &[PathBuf], all_c: bool) -> anyhow::Result<Option<Vec<ListFile>>> {
    if !all_c || inputs.iter().any(|i| i.is_dir()) {
        return Ok(None);
    }
    let mut lists = Vec::new();
    for path in inputs {
        let bytes = forms::read_bytes(path)?;
        let text = String::from_utf8_lossy(&bytes);
        if weave::record::Record::from_program(&text).is_some() {
            return Ok(None);
        }
        if spec::has_annotations(&text) {
            lists.push(ListFile::of(path));
        }
    }
    Ok((!lists.is_empty()).then_some(lists))
}

/// Reads a task definition with its program, and its property files or those that the command line
/// names instead.
fn task(
    file: &Path,
    rest: &[PathBuf],
    lists: Vec<ListFile>,
    output: &Output,
) -> anyhow::Result<Given> {
    let task = forms::read_task(file, output)?;
    let directory = file.parent().unwrap_or(Path::new(""));
    let programs = task.input_files.iter();
    let programs: Vec<PathBuf> = programs.map(|p| directory.join(p.as_str())).collect();
    if let Some(other) = rest.iter().find(|path| !has_ending(path, "prp")) {
        let message = format!(
            "{} names its program itself; leave out {}",
            file.display(),
            other.display()
        );
        return Err(Failure::error(Cause::Usage, message));
    }
    let named: Vec<ListFile> = task
        .properties
        .iter()
        .map(|property| ListFile {
            expected: property.expected,
            ..ListFile::of(&directory.join(property.file.as_str()))
        })
        .collect();
    let chosen: Vec<ListFile> = rest
        .iter()
        .map(|path| ListFile::of(path))
        .chain(lists)
        .collect();
    let lists = match chosen.is_empty() {
        true => supported(named, output)?,
        false => chosen
            .into_iter()
            .map(|list| ListFile {
                expected: named
                    .iter()
                    .find(|known| known.path.file_name() == list.path.file_name())
                    .and_then(|known| known.expected),
                ..list
            })
            .collect(),
    };
    let mut spec = Some(lists);
    if spec.as_ref().is_some_and(Vec::is_empty) {
        spec = annotated(&programs, true)?;
    }
    let Some(lists) = spec else {
        let message = format!(
            "{} has no property that can be verified; give one: --properties FILE.prp",
            file.display()
        );
        return Err(Failure::error(Cause::Refused, message));
    };
    let lists_of = lists.iter().map(|list| list.path.clone());
    Ok(Given {
        spec: forms::read_spec(None, &lists, output)?,
        programs,
        files: std::iter::once(file.to_path_buf())
            .chain(lists_of)
            .collect(),
        ilp32: task.data_model.is_some_and(|m| m.as_str() == "ILP32"),
    })
}

/// The property files with supported formulas; a note says why each other one is left out.
fn supported(files: Vec<ListFile>, output: &Output) -> anyhow::Result<Vec<ListFile>> {
    let mut supported = Vec::new();
    for file in files {
        let bytes = forms::read_bytes(&file.path)?;
        match spec::unsupported(&String::from_utf8_lossy(&bytes)) {
            None => supported.push(file),
            Some(reason) if !output.quiet => {
                let path = file.path.display();
                tell(format_args!("note: {path} is left out: {reason}"));
            }
            Some(_) => {}
        }
    }
    Ok(supported)
}
