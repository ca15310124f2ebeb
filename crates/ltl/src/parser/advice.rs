//! Errors that say what to write instead.

use super::Parser;
use crate::error::{shorten, ParseError};
use crate::lexer::Token;
use crate::spelling;
use crate::token::Kind;

impl Parser<'_> {
    /// The error that the current token is no operator, where one is expected.
    pub(super) fn no_operator(&self) -> ParseError {
        let error = self.unexpected("an operator");
        let Some(here) = self.tokens.get(self.at) else {
            return error;
        };
        let word = |token: &Token| match token.kind {
            Kind::Word => Some(self.word(&token.span)),
            _ => None,
        };
        if let Some(help) = word(here).and_then(spelling::infix) {
            return error.help(help);
        }
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let before = before.and_then(|token| Some((token, word(token)?)));
        if let Some((token, written)) = before {
            if let Some(help) = spelling::prefix(written) {
                let found = format!("`{written}`");
                return ParseError::new(found, "a formula", token.span.clone()).help(help);
            }
        }
        match (&here.kind, before) {
            (Kind::Open, Some((_, written))) => {
                let call = shorten(written, 40);
                error.help(format!(
                    "a call is a C condition, and those are in braces: `{{{call}(…)}}`"
                ))
            }
            (Kind::Interval(_) | Kind::Often(..), _) => error.help(
                "bounds stand right behind an operator, as in `F[2,5] p`; an element of an array is in a C condition, in braces",
            ),
            (Kind::Semicolon, _) => {
                error.help("a formula ends without a sign, and a sequence is in braces: `{a; b}`")
            }
            (Kind::Behind(_), _) => {
                error.help("the sequence before this sign is in braces, as in `{a; b} |-> c`")
            }
            _ => error,
        }
    }

    /// The error that the current token is not the expected one.
    pub(super) fn unexpected(&self, expected: &str) -> ParseError {
        let Some(token) = self.tokens.get(self.at) else {
            let found = if self.tokens.is_empty() {
                "nothing"
            } else {
                "the end of the formula"
            };
            return ParseError::new(found, expected, self.text.len()..self.text.len());
        };
        let shown = shorten(self.word(&token.span), 40);
        let error = ParseError::new(format!("`{shown}`"), expected, token.span.clone());
        match (&token.kind, expected) {
            (Kind::Word, "a formula") => {
                error.help(format!("a proposition of this name is written \"{shown}\""))
            }
            _ => error,
        }
    }
}
