//! Reads an emitted program again and inserts further questions for one run of a model checker.

use std::path::{Path, PathBuf};

use backend::Dialect;
use cfront::data_model::DataModel;
use cfront::output::OutputOptions;
use cfront::preprocess::{preprocess, MacroOption, Options};
use cfront::{Edits, Unit};

/// How to read an emitted program.
pub(crate) struct Reading<'a> {
    /// The macros of the run.
    pub defines: &'a [(String, String)],
    /// The C dialect, if it is not the usual one.
    pub std: Option<&'a str>,
    /// The data model of the program.
    pub model: DataModel,
    /// The backend that the text is for.
    pub dialect: &'a Dialect,
}

/// Reads a file; `None` if it cannot be parsed as C.
pub(crate) fn read(source: &Path, how: &Reading) -> Option<Unit> {
    let define = |(name, value): &(String, String)| {
        MacroOption::Define(match value.as_str() {
            "" => name.clone(),
            value => format!("{name}={value}"),
        })
    };
    let chosen = [MacroOption::Define(how.dialect.chosen_by.clone())];
    let options = Options {
        std: how.std.map(str::to_owned),
        macros: how
            .defines
            .iter()
            .map(define)
            .chain(chosen)
            .chain(how.model.macro_options())
            .collect(),
        ..Options::default()
    };
    Unit::parse(preprocess(source, &options).ok()?.source).ok()
}

/// Writes a file with insertions into a directory; `None` if that fails.
pub(crate) fn write(
    unit: &Unit,
    edits: &Edits,
    source: &Path,
    directory: &Path,
) -> Option<PathBuf> {
    let text = unit.emit(edits, &OutputOptions::default()).ok()?;
    let to = directory.join(source.file_name()?);
    std::fs::write(&to, text).ok()?;
    Some(to)
}
