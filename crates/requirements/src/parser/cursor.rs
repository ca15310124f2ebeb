//! A place in the tokens of a sentence.

use crate::duration::Tick;
use crate::error::SentenceError;
use crate::lexer::{Kind, Token};
use std::ops::Range;

/// The words that begin a timing and nothing else.
pub const TIMINGS: [&str; 11] = [
    "within",
    "for",
    "after",
    "until",
    "before",
    "immediately",
    "initially",
    "finally",
    "eventually",
    "always",
    "never",
];

/// The deepest nesting of an expression.
const MAX_DEPTH: usize = 100;

pub(super) struct Cursor<'a> {
    sentence: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    pub tick: Option<Tick>,
}

impl<'a> Cursor<'a> {
    pub fn new(sentence: &'a str, tokens: Vec<Token>, tick: Option<Tick>) -> Self {
        Cursor {
            sentence,
            tokens,
            at: 0,
            depth: 0,
            tick,
        }
    }

    pub fn peek(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    /// The kind of the token that stands so many tokens behind the next one.
    pub fn ahead(&self, tokens: usize) -> Option<&Kind> {
        self.tokens.get(self.at + tokens).map(|token| &token.kind)
    }

    pub fn advance(&mut self) {
        self.at += 1;
    }

    pub fn at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// The number of tokens before the next one, for [`Cursor::back_to`].
    pub fn mark(&self) -> usize {
        self.at
    }

    pub fn back_to(&mut self, mark: usize) {
        self.at = mark;
    }

    /// The bytes of the next token; behind the last one, the end of the sentence.
    pub fn place(&self) -> Range<usize> {
        let end = self.sentence.trim_end().len();
        self.tokens
            .get(self.at)
            .map_or(end..end, |token| token.span.clone())
    }

    /// The bytes from a marked token to the one before the next.
    pub fn since(&self, mark: usize) -> Range<usize> {
        let start = self.tokens.get(mark).map_or(0, |token| token.span.start);
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        start..last.map_or(start, |token| token.span.end)
    }

    fn is_keyword(kind: Option<&Kind>, word: &str) -> bool {
        matches!(kind, Some(Kind::Word(own)) if own.eq_ignore_ascii_case(word))
    }

    /// Where the sentence has a word, if it has it anywhere.
    pub fn find_word(&self, word: &str) -> Option<Range<usize>> {
        let mut tokens = self.tokens.iter();
        let found = tokens.find(|token| Self::is_keyword(Some(&token.kind), word));
        found.map(|token| token.span.clone())
    }

    /// Whether the sentence has a word anywhere.
    pub fn has_word(&self, word: &str) -> bool {
        self.find_word(word).is_some()
    }

    /// Whether the next token is a word, in capitals or not.
    pub fn is_word(&self, word: &str) -> bool {
        Self::is_keyword(self.peek(), word)
    }

    /// Whether the token so many tokens behind the next one is one of the words.
    pub fn is_ahead(&self, tokens: usize, words: &[&str]) -> bool {
        let kind = self.ahead(tokens);
        words.iter().any(|word| Self::is_keyword(kind, word))
    }

    /// The first of the words that the next token is.
    pub fn one_of(&self, words: &[&'static str]) -> Option<&'static str> {
        words.iter().copied().find(|word| self.is_word(word))
    }

    pub fn skip_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        self.at += usize::from(there);
        there
    }

    pub fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Kind::Sign(own)) if *own == sign)
    }

    pub fn skip_sign(&mut self, sign: &str) -> bool {
        let there = self.is_sign(sign);
        self.at += usize::from(there);
        there
    }

    /// Whether a part of the sentence visibly ends in front of the next token: it is the first one, or a comma or the
    /// word `mode` stands there.
    pub fn is_separated(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_none_or(|token| {
            token.kind == Kind::Sign(",") || Self::is_keyword(Some(&token.kind), "mode")
        })
    }

    pub fn skip_comma(&mut self) {
        self.skip_sign(",");
    }

    pub fn skip_full_stop(&mut self) {
        if self.peek() == Some(&Kind::Other('.')) {
            self.at += 1;
        }
    }

    /// Whether the token behind the next one begins an operand, so that the next one is no operand itself.
    pub fn next_is_no_operator(&self) -> bool {
        match self.ahead(1) {
            Some(Kind::Sign(sign)) => matches!(*sign, "(" | "!" | "~"),
            Some(Kind::Other(_)) | None => false,
            Some(_) => true,
        }
    }

    /// Whether the next word begins a timing or the response.
    pub fn is_behaviour(&self) -> bool {
        self.is_word("satisfy") || self.one_of(&TIMINGS).is_some()
    }

    /// Whether a timing begins here, and not part of a name such as `controller for doors`.
    pub fn is_timing(&self) -> bool {
        match self.one_of(&TIMINGS) {
            Some("within" | "for" | "after") => matches!(self.ahead(1), Some(Kind::Number(_))),
            word => word.is_some(),
        }
    }

    /// Enters a nested expression.
    pub fn enter(&mut self) -> Result<(), SentenceError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("expressions are nested in more than {MAX_DEPTH} levels");
            return Err(SentenceError::new(message, self.place()));
        }
        Ok(())
    }

    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The error that something else is expected here.
    pub fn unexpected(&self, expected: &str) -> SentenceError {
        let place = self.place();
        let found = match self.sentence.get(place.clone()) {
            Some(text) if !text.is_empty() => format!("`{text}`"),
            _ => "the end of the sentence".to_owned(),
        };
        SentenceError::new(format!("expected {expected}, found {found}"), place)
    }
}
