//! Finite words as text: `p; p q; ; q`.

use crate::error::shorten;
use crate::lexer::tokens;
use crate::token::Kind;
use crate::{Atom, ParseError};

/// Reads a finite, non-empty word: letters separated by `;`, each the propositions that hold, separated by
/// spaces, possibly none. Propositions are written as in formulas: an identifier, a `"quoted"` name or a
/// `{condition}`. The empty text is a word of one empty letter.
///
/// # Errors
/// The first token that is neither a proposition nor `;`.
pub fn parse_word(text: &str) -> Result<Vec<Vec<Atom>>, ParseError> {
    let mut letters = vec![Vec::new()];
    for token in tokens(text)? {
        let written = &text[token.span.clone()];
        let atom = match token.kind {
            Kind::Word => Atom::Name(written.to_owned()),
            Kind::Quoted(name) => Atom::Name(name),
            Kind::Condition(condition) => Atom::Condition(condition),
            Kind::Semicolon => {
                letters.push(Vec::new());
                continue;
            }
            _ => {
                let found = format!("`{}`", shorten(written, 40));
                let help = "a letter lists the propositions that hold and leaves out the others";
                return Err(ParseError {
                    help: Some(help.to_owned()),
                    ..ParseError::new(found, "a proposition or `;`", token.span)
                });
            }
        };
        if let Some(letter) = letters.last_mut() {
            letter.push(atom);
        }
    }
    Ok(letters)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn words_are_read() {
        let name = |n: &str| Atom::Name(n.to_owned());
        let condition = Atom::Condition("x > 1; ".trim().to_owned());
        for (text, expected) in [
            (
                "p; p q; ; q",
                vec![
                    vec![name("p")],
                    vec![name("p"), name("q")],
                    vec![],
                    vec![name("q")],
                ],
            ),
            ("", vec![vec![]]),
            (";", vec![vec![], vec![]]),
            ("p;", vec![vec![name("p")], vec![]]),
            ("\"a; b\" {x > 1;}", vec![vec![name("a; b"), condition]]),
            ("F G U", vec![vec![name("F"), name("G"), name("U")]]),
        ] {
            assert_eq!(parse_word(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_word_is_refused() {
        for (text, message) in [
            ("p, q", "expected a formula or an operator, found `,`"),
            ("!p", "expected a proposition or `;`, found `!`"),
            ("p; 1", "expected a proposition or `;`, found `1`"),
            ("p & q", "expected a proposition or `;`, found `&`"),
        ] {
            assert_eq!(parse_word(text).unwrap_err().to_string(), message, "{text}");
        }
        assert_eq!(
            crate::parse("p; q").unwrap_err().to_string(),
            "expected an operator, found `;`"
        );
    }
}
