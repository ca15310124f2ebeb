//! Small questions about C text.

use super::names::user;
use super::spelling::NAME;

/// Whether there may be a write or a call in a C expression.
pub fn may_hold_sites(text: &str) -> bool {
    let mut word = false;
    for c in text.chars() {
        if c == '(' && word {
            return true;
        }
        if !c.is_whitespace() {
            word = c.is_alphanumeric() || c == '_' || c == ')';
        }
    }
    text.contains('=') || text.contains("++") || text.contains("--") || text.contains('{')
}

/// A declaration of a variable of a type that [`crate::facts::Call::result`] spells.
pub fn user_type(declaration: &str, variable: &str) -> String {
    match declaration.split_once(NAME) {
        Some((before, behind)) => format!("{}{variable}{}", user(before), user(behind)),
        None => format!("{declaration} {variable}"),
    }
}
