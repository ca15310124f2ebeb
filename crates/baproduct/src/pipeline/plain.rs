//! Programs in the C that model checkers follow.

use crate::options::Output;
use crate::sources;

/// The program with enumerations of its machine's size, and as compilers and model checkers read it; without constructs of GNU C that model checkers do not follow, as
/// far as they can be written in others, if one checks it. `is_whole` says that only the program calls its functions.
pub(super) fn in_plain_c(
    mut unit: cfront::Unit,
    is_checked: bool,
    is_whole: bool,
    output: &Output,
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

/// The program as compilers and model checkers read it, whoever does.
///
/// # Errors
/// If the changed text is refused; the diagnostics have been printed.
pub fn for_all(mut unit: cfront::Unit, output: &Output) -> anyhow::Result<cfront::Unit> {
    for pass in cfront::plain::FOR_ALL {
        if let Some(texts) = pass(&unit) {
            unit = sources::changed(texts, output)?;
        }
    }
    Ok(unit)
}
