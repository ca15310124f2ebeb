//! Unary operators written without a space, as in `GF p` or `Fp0`.
//!
//! Spot and ltl2ba end an operator after any letter: to them `Go` is `G o`. Here an identifier such as `Go` or
//! `F1` stays an identifier, so that C names can be used. The other cases are guesses, which the parser reports
//! as warnings.

use crate::token::starts_word;
use std::collections::HashSet;

/// The most ways to split a word that are tried. No realistic word has more operators glued to a name that
/// begins with operator letters itself, and a word of a million letters must not take a million look-ups.
const MOST_SPLITS: usize = 32;

/// The operator letters in `[FGX]*` at the beginning of a word.
fn letters(word: &str) -> usize {
    word.bytes()
        .take_while(|b| matches!(b, b'F' | b'G' | b'X'))
        .count()
}

/// Whether the whole word is made of operator letters, as `G` or `GF`.
pub(crate) fn is_operators(word: &str) -> bool {
    !word.is_empty() && letters(word) == word.len()
}

/// How a word at the place of an operand is split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Split {
    /// The number of operator letters; what follows is the proposition.
    pub(crate) operators: usize,
    /// Whether another tool would split it differently, or the split is a guess.
    pub(crate) doubtful: bool,
}

/// Splits a word that has other than operator letters. With `declared`, the names that can be propositions,
/// nothing is guessed. Without, `spoken` has the words of the formula: the letters are operators if the rest
/// also occurs by itself (`Fa -> a`), if there are two or more (`GFa`), and before the names that lists of
/// formulas use (`Fp0`).
pub(crate) fn split(
    word: &str,
    declared: Option<&HashSet<String>>,
    spoken: &HashSet<&str>,
) -> Split {
    let most = letters(word);
    let sure = Split {
        operators: 0,
        doubtful: false,
    };
    if most == 0 {
        return sure;
    }
    let rest_known = |known: &dyn Fn(&str) -> bool| {
        (most.saturating_sub(MOST_SPLITS).max(1)..=most)
            .find(|&k| word[k..].starts_with(starts_word) && known(&word[k..]))
    };
    if let Some(declared) = declared {
        if declared.contains(word) {
            return sure;
        }
        let operators = rest_known(&|rest| declared.contains(rest)).unwrap_or(0);
        return Split {
            operators,
            doubtful: false,
        };
    }
    if let Some(operators) = rest_known(&|rest| spoken.contains(rest)) {
        return Split {
            operators,
            doubtful: true,
        };
    }
    let mut rest = word[most..].chars();
    if !rest.next().is_some_and(char::is_lowercase) {
        return sure;
    }
    let numbered = !rest.as_str().is_empty() && rest.all(|c| c.is_ascii_digit());
    let operators = if most >= 2 || numbered { most } else { 0 };
    Split {
        operators,
        doubtful: true,
    }
}
