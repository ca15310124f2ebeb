//! Enumerations of machines whose compilers make them as small as their constants allow (the procedure call standard of
//! Arm without an operating system): each gets the attribute that says so.

use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::Span;
use crate::token::TokenKind;

/// The size of the smallest enumeration, in bytes, which the compiler's macros tell.
const SMALLEST: &str = "#define __ARM_SIZEOF_MINIMAL_ENUM 1";

pub(super) fn packed(unit: &Unit) -> Option<Vec<Source>> {
    let directives = &unit.tokens.directives;
    if !directives
        .iter()
        .any(|d| unit.text_of(*d).trim_end() == SMALLEST)
    {
        return None;
    }
    let mut text = Text::of(unit);
    for (index, token) in unit.tokens.tokens.iter().enumerate() {
        if token.kind != TokenKind::Word || unit.text_of(token.span) != "enum" {
            continue;
        }
        if let Some(end) = list_end(unit, index + 1) {
            text.close(Span::empty(end), " __attribute__((packed))");
        }
    }
    text.changed()
}

/// Where the list of an enumeration ends, if there is one behind its name and attributes.
fn list_end(unit: &Unit, mut at: usize) -> Option<usize> {
    let tokens = &unit.tokens;
    let mate = |open: usize| tokens.mates.get(open).map(|mate| *mate as usize);
    let mut named = false;
    loop {
        let token = tokens.tokens.get(at)?;
        at = match unit.text_of(token.span) {
            "{" => return Some(tokens.tokens.get(mate(at)?)?.span.end),
            "__attribute__" | "__attribute" => mate(at + 1)? + 1,
            _ if token.kind == TokenKind::Word && !named => at + 1,
            _ => return None,
        };
        named |=
            token.kind == TokenKind::Word && !unit.text_of(token.span).starts_with("__attribute");
    }
}
