//! Small questions about C text that need no parser.

use super::names::user;
use super::spelling::NAME;

/// Whether a C expression may contain a write or a call.
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

/// A declaration of `variable` with a type as [`crate::facts::Call::result`] spells it.
pub fn user_type(declaration: &str, variable: &str) -> String {
    match declaration.split_once(NAME) {
        Some((before, behind)) => format!("{}{variable}{}", user(before), user(behind)),
        None => format!("{declaration} {variable}"),
    }
}
