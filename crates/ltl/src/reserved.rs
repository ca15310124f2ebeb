//! Reserved words: those of operators and constants.

use crate::glued;
use crate::operator::Binary;

/// The longest text that is read, in bytes: a bound of the memory for a formula.
pub const MAX_TEXT: usize = 64 << 20;

/// The infix operator that is written in capital letters.
pub(crate) fn infix_letter(word: &str) -> Option<Binary> {
    Some(match word {
        "U" => Binary::Until,
        "R" | "V" => Binary::Release,
        "W" | "WU" => Binary::WeakUntil,
        "M" => Binary::StrongRelease,
        _ => return None,
    })
}

/// Whether a word can only be a proposition if it is quoted.
pub(crate) fn is_reserved(word: &str) -> bool {
    matches!(word, "true" | "false" | "and" | "or" | "not")
        || infix_letter(word).is_some()
        || glued::is_operators(word)
}
