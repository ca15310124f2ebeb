//! Candidates about floating-point numbers: that they are numbers, and bounds by the constants of the program.
//!
//! A value that is clamped lies between constants; one that is only computed of such values is at least finite, and what is not
//! finite is what arithmetic makes no number of.

use crate::hints::Hints;
use crate::system::Variable;

/// The most floating-point constants of the text.
const MOST: usize = 12;

/// What may always hold of a floating-point variable.
pub(super) fn bounds(hints: &Hints, variable: &Variable) -> Vec<String> {
    let name = &variable.lvalue;
    let mut out = vec![format!("{name} == {name}"), format!("{name} - {name} == 0")];
    let whole = super::constants(hints, &variable.name).into_iter();
    let whole = whole.map(|c| format!("{}.0", c.unsigned_abs()));
    let written = hints.written.reals.iter().take(MOST).cloned();
    let mut all: Vec<String> = std::iter::once("0.0".to_owned())
        .chain(whole)
        .chain(written)
        .collect();
    all.sort();
    all.dedup();
    for c in all {
        out.extend([
            format!("{name} <= {c}"),
            format!("{name} >= {c}"),
            format!("{name} <= -{c}"),
            format!("{name} >= -{c}"),
        ]);
    }
    out
}
