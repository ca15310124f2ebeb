//! Programs in the C that model checkers follow.

use std::path::PathBuf;

use crate::listener::Listener;
use crate::sources;
use crate::weaving::Preprocessor;

/// The program with enumerations of its machine's size, and as compilers and model checkers read it; without constructs of GNU C that model checkers do not follow, as
/// far as they can be written in others, if one checks it. `is_whole` says that only the program calls its functions.
pub(crate) fn in_plain_c(
    mut unit: cfront::Unit,
    is_checked: bool,
    is_whole: bool,
    output: &dyn Listener,
) -> anyhow::Result<cfront::Unit> {
    if let Some(texts) = cfront::plain::small_enumerations(&unit) {
        unit = sources::changed(texts, output)?;
    }
    unit = for_all(unit, output)?;
    let passes = cfront::plain::passes(is_whole);
    for pass in passes.iter().filter(|_| is_checked) {
        if let Some(texts) = pass(&unit) {
            unit = sources::changed(texts, output)?;
        }
    }
    Ok(unit)
}

/// Preprocesses and reads the files of a program, as compilers and model checkers read it.
///
/// # Errors
/// If a file is refused; the listener has heard why.
pub fn read(
    programs: &[PathBuf],
    preprocessor: &Preprocessor,
    output: &dyn Listener,
) -> anyhow::Result<cfront::Unit> {
    let files = sources::list(programs, preprocessor, output)?;
    for_all(sources::read(&files, output)?, output)
}

/// The program as compilers and model checkers read it, whoever does.
///
/// # Errors
/// If the changed text is refused; the diagnostics have been printed.
fn for_all(mut unit: cfront::Unit, output: &dyn Listener) -> anyhow::Result<cfront::Unit> {
    for pass in cfront::plain::FOR_ALL {
        if let Some(texts) = pass(&unit) {
            unit = sources::changed(texts, output)?;
        }
    }
    Ok(unit)
}
