//! Reserved words: those of operators and constants.

use crate::glued;
use crate::operator::{Binary, Unary};

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

/// The infix past operator of a letter. Unlike the letters of the future, it is also a name: programs and
/// formulas have long had propositions `S` and `B`, so the place of the word tells what it is.
pub(crate) fn past_infix_letter(word: &str) -> Option<Binary> {
    match word {
        "S" => Some(Binary::Since),
        "B" => Some(Binary::BackTo),
        _ => None,
    }
}

/// Whether a word is the letter of a past operator, and may be a proposition nevertheless.
pub(crate) fn is_past_letter(word: &str) -> bool {
    past_infix_letter(word).is_some() || Unary::past_from_word(word).is_some()
}

/// The constant that a word is; NuSMV's are in capital letters.
pub(crate) fn constant(word: &str) -> Option<bool> {
    match word {
        "true" | "TRUE" | "True" => Some(true),
        "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

/// Whether a word can only be a proposition if it is quoted.
pub(crate) fn is_reserved(word: &str) -> bool {
    matches!(word, "and" | "or" | "not" | "xor")
        || constant(word).is_some()
        || infix_letter(word).is_some()
        || glued::is_operators(word)
}
