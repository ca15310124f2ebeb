//! The C files of a program: lists them, finds the options for preprocessing each, and parses them.

use std::path::{Path, PathBuf};

use cfront::preprocess::{preprocess, MacroOption, Options, PreprocessError};
use spec::Diagnostic;

use crate::compile_commands;
use crate::failure::{Cause, Failure};
use crate::listener::Listener;
use crate::target;
use crate::texts::{is_stdin, read_bytes, Emitted};
use crate::weaving::{Preprocessor, DEFAULT_CPP};

/// A C file with its options for preprocessing.
pub struct SourceFile {
    /// Its path, as messages and line markers show it.
    pub path: PathBuf,
    options: Options,
    /// Files that must exist while it is read.
    _for_target: target::Files,
}

/// The files of a program: those that are named, else all of the compilation database.
pub fn list(
    programs: &[PathBuf],
    options: &Preprocessor,
    output: &dyn Listener,
) -> anyhow::Result<Vec<SourceFile>> {
    let database = match &options.compile_commands {
        Some(file) => compile_commands::read(file)?,
        None => Vec::new(),
    };
    let named: Vec<PathBuf> = match programs {
        [] => database.iter().map(|entry| entry.file.clone()).collect(),
        _ => programs.to_vec(),
    };
    if named.is_empty() {
        return Err(Failure::error(Cause::Usage, "no C program is given"));
    }
    let mut files = Vec::new();
    let mut for_target = target::Files::new();
    for path in named {
        let entry = compile_commands::find(&database, &path);
        if entry.is_none() && options.compile_commands.is_some() {
            let path = path.display();
            output.note(format_args!("the compilation database has no entry for {path}; it is read without flags of its own"));
        }
        if entry.is_some_and(|e| e.wraps) {
            let path = path.display();
            output.note(format_args!("{path} is compiled with `-fwrapv`; model checkers compute so, too, but --safety counts what wraps around as overflow, and native runs of this tool are compiled without the flag"));
        }
        let mut how = Options {
            text: options.unsaved.get(&path).cloned(),
            ..preprocessor_options(options, entry)
        };
        let target = options.target.unwrap_or(spec::Target::Macros);
        target::prepare(target, options, &mut how, &mut for_target)?;
        files.push(SourceFile {
            options: how,
            path,
            _for_target: for_target.clone(),
        });
    }
    Ok(files)
}

fn preprocessor_options(
    options: &Preprocessor,
    entry: Option<&compile_commands::Entry>,
) -> Options {
    let defines = options
        .define
        .iter()
        .map(|d| MacroOption::Define(d.clone()));
    let undefines = options
        .undefine
        .iter()
        .map(|u| MacroOption::Undefine(u.clone()));
    let of_file = entry.and_then(|e| e.std.clone());
    // Headers test which compiler reads them, so the preprocessor is the compiler of the build.
    let clang = entry.and_then(|e| e.clang.clone());
    let clang = clang.filter(|_| options.cpp == DEFAULT_CPP);
    Options {
        command: Some(clang.unwrap_or_else(|| options.cpp.clone())),
        std: Some(of_file.unwrap_or_else(|| options.std.clone())),
        include_dirs: options.include.clone(),
        macros: defines.chain(undefines).collect(),
        extra: entry.map(|e| e.arguments.clone()).unwrap_or_default(),
        ..Options::default()
    }
}

/// Replaces each directory by its files, in order.
pub fn all_files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let fail = |e: std::io::Error| {
            let path = path.display();
            Failure::error(Cause::Refused, format!("cannot read {path}: {e}"))
        };
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(fail)? {
            let file = entry.map_err(fail)?.path();
            if file.extension().is_some_and(|e| e == "c") {
                found.push(file);
            }
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// The file name of a path with the ending `.c`, and with a number if the name is taken.
pub fn unique_name(path: &Path, taken: &[Emitted]) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let stem = if stem.is_empty() || stem == "-" {
        "input"
    } else {
        &stem
    };
    let name = |n: usize| match n {
        1 => format!("{stem}.c"),
        _ => format!("{stem}_{n}.c"),
    };
    let is_free = |name: &String| taken.iter().all(|(other, _)| other != name);
    (1..).map(name).find(is_free).unwrap_or_default()
}

/// Preprocesses and reads all files of a program.
///
/// # Errors
/// If a file is refused; the diagnostics have been printed.
pub fn read(files: &[SourceFile], output: &dyn Listener) -> anyhow::Result<cfront::Unit> {
    let names: Vec<String> = files.iter().map(|f| f.path.display().to_string()).collect();
    let reading = output.reading(&names.join(", "));
    let mut sources = Vec::new();
    let mut warnings = Vec::new();
    for file in files {
        let (source, warned) = preprocessed(file, output)?;
        warnings.push(warned);
        sources.push(source);
    }
    let unit = cfront::Unit::parse_all(sources);
    drop(reading);
    for warned in warnings.iter().filter(|w| !w.is_empty()) {
        output.tell(format_args!("{}", warned.trim_end()));
    }
    unit.map_err(|diagnostics| refused(&diagnostics, output))
}

/// Prints the diagnostics of a program and returns the failure.
pub fn refused(diagnostics: &[cfront::Diagnostic], output: &dyn Listener) -> anyhow::Error {
    for d in diagnostics {
        let mut diagnostic = Diagnostic::error(d.message.clone(), 0..0);
        if !d.label.is_empty() {
            diagnostic = diagnostic.label(d.label.clone());
        }
        diagnostic.help = d.help.clone();
        diagnostic.notes = d.notes.clone();
        if let Some(place) = &d.place {
            diagnostic = diagnostic.in_source(place.file.clone());
        }
        output.program(diagnostic, d.place.as_deref());
    }
    Failure::silent(Cause::Refused)
}

/// Preprocesses a file; returns its text and the preprocessor's warnings.
fn preprocessed(
    file: &SourceFile,
    output: &dyn Listener,
) -> anyhow::Result<(cfront::Source, String)> {
    if file.options.text.is_none() {
        readable(&file.path)?;
    }
    let preprocessed = preprocess(&file.path, &file.options).map_err(|error| {
        if let PreprocessError::Refused { messages, .. } = &error {
            if output.preprocessor(messages) {
                return Failure::silent(Cause::Refused);
            }
        }
        let cause = match error {
            PreprocessError::Start { .. } => Cause::Other,
            PreprocessError::Refused { .. } => Cause::Refused,
        };
        Failure::error(cause, shortened(&error.to_string()))
    })?;
    Ok((preprocessed.source, preprocessed.warnings))
}

/// Refuses binary files before preprocessing: the preprocessor's messages would be long and
/// unclear. Standard input is not checked.
fn readable(path: &Path) -> anyhow::Result<()> {
    if is_stdin(path) {
        return Ok(());
    }
    match read_bytes(path)?.contains(&0) {
        true => Err(Failure::error(
            Cause::Refused,
            format!(
                "{} is not C text: it contains null characters",
                path.display()
            ),
        )),
        false => Ok(()),
    }
}

/// The most lines of a preprocessor's messages that are passed on.
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

/// The program that a change of the text gives.
pub fn changed(
    sources: Vec<cfront::Source>,
    output: &dyn Listener,
) -> anyhow::Result<cfront::Unit> {
    cfront::Unit::parse_all(sources).map_err(|all| refused(&all, output))
}
