//! Declarations of old C without a type, and stray semicolons.

use super::{Brace, Context};
use crate::token::TokenKind;

impl Context<'_> {
    /// Whether a declaration begins at `at` without a type, as old C allows: `main() {…}`,
    /// `static x;`, at file scope also `x = 0;`. gcc reads it as `int` with a warning.
    pub(super) fn needs_int(&self, at: usize) -> bool {
        if self.in_parens() || !self.is_name(at) {
            return false;
        }
        let mut first = at;
        while is_storage(self.before(first)) {
            first -= 1;
        }
        let starts = match self.before(first) {
            "" | ";" => true,
            "{" | "<%" => self.brace() == Brace::Block,
            "}" | "%>" => {
                !self.closes_type(first - 1)
                    && (self.brace() == Brace::Block || self.is_body_close(first - 1))
            }
            _ => false,
        };
        let object = matches!(self.word(at + 1), "=" | ";" | "," | "[");
        match self.brace() {
            // At file scope there are no statements, so a name alone begins a declaration.
            Brace::File => starts && (object || self.is_function_without_type(at)),
            Brace::Block => starts && first < at && object,
            _ => false,
        }
    }

    /// Whether `name (…) {`, `name (…) int x; {` or `name ();` begins at `at`, as opposed to a
    /// declarator in parentheses after a type name.
    fn is_function_without_type(&self, at: usize) -> bool {
        if self.word(at + 1) != "(" || self.word(at + 2) == "*" {
            return false;
        }
        let close = self.tokens.mates[self.pieces[at + 1].token as usize];
        let after = self.pieces.partition_point(|p| p.token <= close);
        match self.word(after) {
            "{" | "<%" => true,
            ";" | "," => self.word(at + 2) == ")",
            _ => self.kind(after) == Some(TokenKind::Word),
        }
    }

    /// Whether the brace at `at` closes the members of a structure or the constants of an
    /// enumeration: qualifiers may follow, `struct { int a; } const x;`.
    fn closes_type(&self, at: usize) -> bool {
        let open = self.tokens.mates[self.pieces[at].token as usize] as usize;
        let word = |back: usize| match open.checked_sub(back) {
            Some(i) => self.tokens.text(i, self.text),
            None => "",
        };
        let is_type = |word: &str| matches!(word, "struct" | "union" | "enum");
        // Attributes stand before the tag or without a tag.
        let attribute = |back: usize| {
            let mate = open
                .checked_sub(back)
                .map(|i| self.tokens.mates[i] as usize);
            let before = mate.and_then(|m| m.checked_sub(1));
            word(back) == ")"
                && before.is_some_and(|i| self.tokens.text(i, self.text).starts_with("__attribute"))
        };
        is_type(word(1)) || is_type(word(2)) || attribute(1) || attribute(2)
    }

    /// Whether the `}` at `close` ends a function body.
    pub(super) fn is_body_close(&self, close: usize) -> bool {
        let open = self.tokens.mates[self.pieces[close].token as usize] as usize;
        // A function body comes after a parameter list or K&R declarations, the list of a compound literal
        // (`struct s x = (struct s){1};`) after a type in parentheses.
        let Some(before) = open.checked_sub(1) else {
            return false;
        };
        match self.tokens.text(before, self.text) {
            ";" => true,
            ")" => self.ends_parameters(before),
            _ => false,
        }
    }

    /// Whether the `;` at file scope ends no declaration.
    pub(super) fn is_stray(&self, at: usize) -> bool {
        if !self.at_file_scope() {
            return false;
        }
        match self
            .out
            .last()
            .map(|p| self.tokens.text(p.token as usize, self.text))
        {
            None | Some(";") => true,
            Some("}" | "%>") => self.is_body_close(at - 1),
            Some(_) => false,
        }
    }
}

fn is_storage(word: &str) -> bool {
    matches!(
        word,
        "static"
            | "extern"
            | "auto"
            | "register"
            | "const"
            | "volatile"
            | "inline"
            | "__inline"
            | "__inline__"
            | "_Noreturn"
            | "_Thread_local"
            | "__thread"
    )
}
