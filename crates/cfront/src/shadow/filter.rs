//! First pass of the shadow: drops tokens that lang-c need not see, independently of their place.

use super::{Dropped, Piece, Render};
use crate::assembler::is_qualifier;
use crate::token::Tokens;
use std::collections::HashMap;

/// Drops attributes, `__extension__`, alignment, static assertions and assembler labels; replaces
/// assembler statements by the expression `0` and builtins that take types by `0`.
pub(super) fn filter(text: &str, tokens: &Tokens) -> (Vec<Piece>, Vec<Dropped>) {
    let mut filter = Filter {
        text,
        tokens,
        out: Vec::new(),
        dropped: Vec::new(),
        at: 0,
        depth: 0,
        ends: HashMap::new(),
    };
    while filter.at < tokens.tokens.len() {
        filter.step();
    }
    (filter.out, filter.dropped)
}

struct Filter<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    out: Vec<Piece>,
    dropped: Vec<Dropped>,
    at: usize,
    /// Open braces.
    depth: usize,
    /// The tokens that end a type which is an operand, and whether another one follows.
    ends: HashMap<usize, bool>,
}

impl<'a> Filter<'a> {
    fn word(&self, index: usize) -> &'a str {
        self.tokens.text(index, self.text)
    }

    /// The token after the bracket group at `index`; `index` if there is none.
    fn after_group(&self, index: usize) -> usize {
        match self.word(index) {
            "(" | "[" => self.tokens.mates[index] as usize + 1,
            _ => index,
        }
    }

    fn last_text(&self) -> &'a str {
        self.out.last().map_or("", |p| self.word(p.token as usize))
    }

    fn keep(&mut self, render: Render) {
        self.out.push(Piece {
            token: self.at as u32,
            inserted: false,
            render,
        });
        self.at += 1;
    }

    fn drop_until(&mut self, end: usize, mut what: Dropped) {
        what.first = self.at as u32;
        what.end = end as u32;
        // Adjacent ranges are joined, so that a prefix of several attributes is one range.
        match self.dropped.last_mut() {
            Some(last) if last.end == what.first => {
                last.end = what.end;
                last.noreturn |= what.noreturn;
                last.changes_type |= what.changes_type;
                last.packed |= what.packed;
                last.marked |= what.marked;
                last.fallthrough |= what.fallthrough;
                last.prefix &= what.prefix;
            }
            _ => self.dropped.push(what),
        }
        self.at = end;
    }

    /// Inserts tokens before the next one.
    fn insert(&mut self, words: &[&'static str]) {
        let token = self.at as u32;
        let pieces = words.iter().map(|word| Piece {
            token,
            inserted: true,
            render: Render::As(word),
        });
        self.out.extend(pieces);
    }

    /// Types as operands, as a call whose arguments are their sizes: `f(T, U)` is `f(sizeof(T), sizeof(U))`.
    fn compared_types(&mut self) {
        let close = self.tokens.mates[self.at + 1] as usize;
        self.keep(Render::Same);
        self.keep(Render::Same);
        let mut at = self.at;
        while at < close {
            if self.word(at) == "," {
                self.ends.insert(at, true);
            }
            at = self.after_group(at).max(at + 1);
        }
        self.ends.insert(close, false);
        self.insert(&["sizeof", "("]);
    }

    fn step(&mut self) {
        if let Some(is_followed) = self.ends.remove(&self.at) {
            self.insert(&[")"]);
            self.keep(Render::Same);
            if is_followed {
                self.insert(&["sizeof", "("]);
            }
            return;
        }
        match self.word(self.at) {
            "__attribute__" | "__attribute" if self.word(self.at + 1) == "(" => {
                let end = self.after_group(self.at + 1);
                let what = self.attribute(end);
                self.drop_until(end, what);
            }
            "__extension__" => {
                self.drop_until(
                    self.at + 1,
                    Dropped {
                        prefix: true,
                        ..Dropped::default()
                    },
                );
            }
            "_Alignas" if self.word(self.at + 1) == "(" => {
                let end = self.after_group(self.at + 1);
                self.drop_until(
                    end,
                    Dropped {
                        prefix: true,
                        ..Dropped::default()
                    },
                );
            }
            "[" if self.word(self.at + 1) == "[" => {
                let end = self.after_group(self.at);
                let what = self.attribute(end);
                self.drop_until(end, what);
            }
            "_Static_assert" if self.word(self.at + 1) == "(" => self.static_assert(),
            "__label__" => self.local_labels(),
            "asm" | "__asm" | "__asm__" => self.assembler(),
            "__builtin_types_compatible_p" if self.word(self.at + 1) == "(" => {
                self.compared_types()
            }
            "__builtin_convertvector" | "__builtin_has_attribute"
                if self.word(self.at + 1) == "(" =>
            {
                let end = self.after_group(self.at + 1);
                self.keep(Render::As("0"));
                self.drop_until(end, Dropped::default());
            }
            // A macro without text stands before the first member.
            ";" if self.begins_record() => {
                let what = Dropped {
                    prefix: true,
                    ..Dropped::default()
                };
                self.drop_until(self.at + 1, what);
            }
            "{" | "<%" => {
                self.depth += 1;
                self.keep(Render::Same);
            }
            "}" | "%>" => {
                self.depth = self.depth.saturating_sub(1);
                self.keep(Render::Same);
            }
            _ => self.keep(Render::Same),
        }
    }

    /// Whether the last token opened the members of a structure or union.
    fn begins_record(&self) -> bool {
        let kept = self.out.iter().rev().map(|p| self.word(p.token as usize));
        let last: Vec<&str> = kept.take(3).collect();
        let is_record = |word: &&str| matches!(*word, "struct" | "union");
        last.first() == Some(&"{") && last[1..].iter().any(is_record)
    }

    fn attribute(&self, end: usize) -> Dropped {
        let mut what = Dropped {
            prefix: true,
            ..Dropped::default()
        };
        for index in self.at..end {
            match self.word(index).trim_matches('_') {
                "noreturn" | "Noreturn" => what.noreturn = true,
                "vector_size" | "mode" | "ext_vector_type" => what.changes_type = true,
                "packed" => what.packed = true,
                "fallthrough" => what.fallthrough = true,
                "alias" | "weakref" | "ifunc" | "cleanup" | "destructor" | "signal"
                | "interrupt" | "isr" | "section" | "nonnull" => what.marked = true,
                _ => {}
            }
        }
        what
    }

    fn static_assert(&mut self) {
        let mut end = self.after_group(self.at + 1);
        if self.word(end) == ";" {
            end += 1;
        }
        self.drop_until(end, Dropped::default());
    }

    fn local_labels(&mut self) {
        let mut end = self.at;
        while end < self.tokens.tokens.len() && self.word(end) != ";" {
            end += 1;
        }
        let end = (end + 1).min(self.tokens.tokens.len());
        self.drop_until(end, Dropped::default());
    }

    fn assembler(&mut self) {
        let mut open = self.at + 1;
        while is_qualifier(self.word(open)) {
            open += 1;
        }
        if self.word(open) != "(" {
            return self.keep(Render::Same);
        }
        let mut end = self.after_group(open);
        if self.depth == 0 || !self.at_statement_start() {
            let file_scope = self.depth == 0 && matches!(self.last_text(), "" | ";" | "}" | "%>");
            if file_scope && self.word(end) == ";" {
                end += 1;
            }
            let what = Dropped {
                marked: !file_scope,
                ..Dropped::default()
            };
            return self.drop_until(end, what);
        }
        self.keep(Render::As("0"));
        self.drop_until(end, Dropped::default());
    }

    /// Whether a statement can begin here; otherwise a declarator goes on.
    fn at_statement_start(&self) -> bool {
        match self.last_text() {
            ";" | "{" | "<%" | "}" | "%>" | ":" | "else" | "do" => true,
            ")" => {
                let close = self.out.last().map_or(0, |p| p.token as usize);
                let open = self.tokens.mates[close] as usize;
                let before = open.checked_sub(1).map_or("", |i| self.word(i));
                matches!(before, "if" | "while" | "for" | "switch")
            }
            _ => false,
        }
    }
}
