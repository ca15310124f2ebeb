//! What formats of texts that are written and read have in common.

use std::iter::Peekable;

use cfront::literal::plain_text;
use cfront::token::Tokens;

/// The bytes of string literals that stand one after the other; `None` for other texts and escapes by number.
pub(super) fn literal(text: &str) -> Option<Vec<u8>> {
    let tokens = Tokens::lex(text, true).ok()?.tokens;
    let parts = tokens.iter().map(|token| plain_text(token.span.of(text)));
    let parts: Vec<String> = parts.collect::<Option<_>>()?;
    (!parts.is_empty()).then(|| parts.concat().into_bytes())
}

/// The characters of a set at the beginning of the rest of a format, which it takes.
pub(crate) fn taken(rest: &mut Peekable<impl Iterator<Item = u8>>, set: &[u8]) -> String {
    let mut taken = String::new();
    while let Some(c) = rest.next_if(|c| set.contains(c)) {
        taken.push(c.into());
    }
    taken
}

/// The type of an integer with these modifiers of its length, and how many bits it has at most.
pub(super) fn integer_type(length: &str, signed: bool) -> Option<(&'static str, u32)> {
    Some(match (length, signed) {
        ("hh", true) => ("signed char", 8),
        ("hh", false) => ("unsigned char", 8),
        ("h", true) => ("short", 16),
        ("h", false) => ("unsigned short", 16),
        ("", true) => ("int", 32),
        ("", false) => ("unsigned", 32),
        ("l" | "z" | "t", true) => ("long", 64),
        ("l" | "z" | "t", false) => ("unsigned long", 64),
        ("ll" | "j", true) => ("long long", 64),
        ("ll" | "j", false) => ("unsigned long long", 64),
        _ => return None,
    })
}
