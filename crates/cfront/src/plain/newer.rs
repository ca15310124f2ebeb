//! What C23 added and model checkers do not read, as it was written before: `1'000` is `1000`, `u8'a'` is `((unsigned char)'a')`, an
//! attribute in brackets is one of GNU C if it may change what the program does (`[[gnu::packed]]`) and nothing else, and a label
//! before a declaration or at the end of a block has an empty statement.

use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::Span;
use crate::token::{Token, TokenKind};
use crate::tree::StmtKind;

/// The attributes of GNU C that may change what a program does: its layout, what it calls, and where things are; and what compilers are
/// told not to warn of.
const KEPT: [&str; 18] = [
    "packed",
    "aligned",
    "mode",
    "vector_size",
    "transparent_union",
    "scalar_storage_order",
    "cleanup",
    "alias",
    "weak",
    "weakref",
    "ifunc",
    "section",
    "constructor",
    "destructor",
    "interrupt",
    "signal",
    "noreturn",
    "unused",
];

pub(super) fn written_as_before(unit: &Unit) -> Option<Vec<Source>> {
    let mut text = Text::of(unit);
    let tokens = &unit.tokens.tokens;
    let mut done = 0;
    for (at, token) in tokens.iter().enumerate() {
        if at < done {
            continue;
        }
        let word = unit.text_of(token.span);
        match token.kind {
            TokenKind::Number if word.contains('\'') => {
                text.replace(token.span, &word.replace('\'', ""));
            }
            TokenKind::Char => {
                if let Some(plain) = word.strip_prefix("u8") {
                    text.replace(token.span, &format!("((unsigned char){plain})"));
                }
            }
            TokenKind::Punct if word == "[" => {
                if let Some(end) = bracketed(unit, tokens, at) {
                    let (inside, whole) = (&tokens[at + 2..end - 1], &tokens[at..=end]);
                    replace(unit, &mut text, whole, &kept(unit, inside));
                    done = end + 1;
                }
            }
            _ => {}
        }
    }
    for (_, stmt) in unit.tree.stmts.iter() {
        if let StmtKind::Labeled {
            colon, bare: true, ..
        } = stmt.kind
        {
            text.replace(Span::empty(colon + 1), " ;");
        }
    }
    text.changed()
}

/// The index of the last bracket of an attribute that begins with the bracket at an index.
fn bracketed(unit: &Unit, tokens: &[Token], at: usize) -> Option<usize> {
    let is = |i: usize, word: &str| tokens.get(i).is_some_and(|t| unit.text_of(t.span) == word);
    if !is(at + 1, "[") {
        return None;
    }
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(at) {
        match unit.text_of(token.span) {
            "[" => depth += 1,
            "]" => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return is(i - 1, "]").then_some(i);
        }
    }
    None
}

/// Puts a text in place of tokens, which stay on their lines: comments and ends of lines between them stay.
fn replace(unit: &Unit, text: &mut Text, tokens: &[Token], by: &str) {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return;
    };
    let whole = Span::new(first.span.start, last.span.end);
    if !unit.text_of(whole).contains('\n') {
        return text.replace(whole, by);
    }
    text.replace(first.span, by);
    for token in &tokens[1..] {
        text.replace(token.span, "");
    }
}

/// The attributes of a list that matter, as GNU C writes them.
fn kept(unit: &Unit, list: &[Token]) -> String {
    let mut depth = 0usize;
    let attributes = list.split(|token| {
        match unit.text_of(token.span) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 0 => return true,
            _ => {}
        }
        false
    });
    let mut all = Vec::new();
    for attribute in attributes {
        let words: Vec<&str> = attribute.iter().map(|t| unit.text_of(t.span)).collect();
        let scoped = words
            .iter()
            .position(|word| !matches!(*word, "gnu" | "__gnu__" | ":" | "::"));
        let Some(name) = scoped.and_then(|at| words.get(at..)) else {
            continue;
        };
        let Some((first, arguments)) = name.split_first() else {
            continue;
        };
        let plain = match first.trim_matches('_') {
            "Noreturn" => "noreturn",
            "maybe_unused" => "unused",
            plain => plain,
        };
        if KEPT.contains(&plain) {
            all.push(format!("__{plain}__{}", arguments.join(" ")));
        }
    }
    match all.is_empty() {
        true => String::new(),
        false => format!("__attribute__(({}))", all.join(", ")),
    }
}
