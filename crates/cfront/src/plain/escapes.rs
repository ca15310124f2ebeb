//! Escapes in literals that CBMC 6.6 reads otherwise than C: an octal one ends after three digits or before an `8`, while CBMC takes all
//! decimal digits that follow (`"\0002"` has three characters, not two), and `\e` of GNU C is the escape character, not an `e`.

use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::token::TokenKind;

pub(super) fn ended(unit: &Unit) -> Option<Vec<Source>> {
    let mut text = Text::of(unit);
    for token in &unit.tokens.tokens {
        if !matches!(token.kind, TokenKind::Str | TokenKind::Char) {
            continue;
        }
        let literal = unit.text_of(token.span);
        if let Some(new) = literal.contains('\\').then(|| written(literal)).flatten() {
            text.replace(token.span, &new);
        }
    }
    text.changed()
}

/// The literal with escapes that end where C ends them; `None` if they do.
fn written(literal: &str) -> Option<String> {
    let is_string = literal.ends_with('"');
    let mut out = String::new();
    let mut rest = literal;
    let mut changed = false;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let octal = rest.bytes().take(3);
        let octal = octal.take_while(|b| (b'0'..b'8').contains(b)).count();
        if rest.starts_with(['e', 'E']) {
            out.push_str("\\033");
            rest = &rest[1..];
            changed = true;
        } else if octal > 0 {
            out.push_str(&format!("\\{}", &rest[..octal]));
            rest = &rest[octal..];
        } else {
            let length = rest.chars().next().map_or(0, char::len_utf8);
            out.push_str(&format!("\\{}", &rest[..length]));
            rest = &rest[length..];
            continue;
        }
        // Adjacent literals are one, after the escapes.
        if is_string && rest.starts_with(|c: char| c.is_ascii_digit()) {
            out.push_str("\" \"");
            changed = true;
        }
    }
    out.push_str(rest);
    changed.then_some(out)
}
