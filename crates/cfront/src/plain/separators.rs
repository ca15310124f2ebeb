//! Numbers whose digits are separated, as C23 allows: `1'000` is `1000`. Model checkers do not read them.

use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::token::TokenKind;

pub(super) fn left_out(unit: &Unit) -> Option<Vec<Source>> {
    let mut text = Text::of(unit);
    for token in &unit.tokens.tokens {
        let number = unit.text_of(token.span);
        if matches!(token.kind, TokenKind::Number) && number.contains('\'') {
            text.replace(token.span, &number.replace('\'', ""));
        }
    }
    text.changed()
}
