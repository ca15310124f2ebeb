//! An emitted program read again, so that more questions can be put into it for one run of a model checker.

use std::path::{Path, PathBuf};

use backend::Dialect;
use cfront::output::OutputOptions;
use cfront::preprocess::{preprocess, MacroOption, Options};
use cfront::{Edits, Unit};

/// How an emitted program is read.
pub(crate) struct Reading<'a> {
    /// The macros of the run.
    pub defines: &'a [(String, String)],
    /// The C dialect, if it is not the usual one.
    pub std: Option<&'a str>,
    /// Whom the text is for.
    pub dialect: &'a Dialect,
}

/// A file as it is read; none where it cannot be read as C.
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
        macros: how.defines.iter().map(define).chain(chosen).collect(),
        ..Options::default()
    };
    Unit::parse(preprocess(source, &options).ok()?.source).ok()
}

/// Writes a file that was read, with insertions, into a directory; none if it cannot be written.
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
