//! The parts of an assembler statement.

use super::instructions;
use super::operand::Operand;
use crate::span::Span;
use crate::token::{TokenKind, Tokens};

/// The replacements of all assembler statements that can be written in C.
pub(super) fn all(text: &str, tokens: &Tokens) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let mut depth = 0u32;
    let mut at = 0;
    while at < tokens.tokens.len() {
        match tokens.text(at, text) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "asm" | "__asm" | "__asm__" if depth > 0 => {
                if let Some((last, replaced)) = statement(text, tokens, at) {
                    let span =
                        Span::new(tokens.tokens[at].span.start, tokens.tokens[last].span.end);
                    found.push((span, replaced));
                    at = last;
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The last token of the statement at `first`, without its semicolon, and the statement in C.
fn statement(text: &str, tokens: &Tokens, first: usize) -> Option<(usize, String)> {
    let word = |t: usize| tokens.text(t, text);
    let mut open = first + 1;
    while matches!(
        word(open),
        "volatile" | "__volatile" | "__volatile__" | "inline" | "__inline" | "__inline__"
    ) {
        open += 1;
    }
    let close = *tokens.mates.get(open)? as usize;
    if word(open) != "(" || word(close + 1) != ";" {
        return None;
    }
    let whole = Span::new(
        tokens.tokens[first].span.start,
        tokens.tokens[close].span.end,
    );
    if tokens.directives.iter().any(|d| whole.encloses(*d)) {
        return None;
    }
    let mut at = open + 1;
    let mut template = String::new();
    while tokens.tokens[at].kind == TokenKind::Str {
        template.push_str(&string(word(at))?);
        at += 1;
    }
    let mut operands = Vec::new();
    let mut section = 0;
    while at < close && section < 3 {
        match word(at) {
            ":" => section += 1,
            "::" => section += 2,
            "," => {}
            _ if section == 0 || section > 2 => break,
            _ => {
                let (operand, next) = operand(text, tokens, at, section == 1)?;
                operands.push(operand);
                at = next;
                continue;
            }
        }
        at += 1;
    }
    (section > 0).then_some(())?;
    Some((close, instructions::in_c(&template, &operands)?))
}

/// The operand at a token, and the token behind it.
fn operand(text: &str, tokens: &Tokens, mut at: usize, output: bool) -> Option<(Operand, usize)> {
    let word = |t: usize| tokens.text(t, text);
    let mut name = None;
    if word(at) == "[" {
        name = Some(word(at + 1).to_string());
        at += 3;
    }
    let mut constraint = String::new();
    while tokens.tokens.get(at)?.kind == TokenKind::Str {
        constraint.push_str(&string(word(at))?);
        at += 1;
    }
    let close = *tokens.mates.get(at)? as usize;
    if word(at) != "(" || constraint.is_empty() {
        return None;
    }
    let span = Span::new(tokens.tokens[at].span.start, tokens.tokens[close].span.end);
    let operand = Operand {
        name,
        constraint,
        text: span.of(text).replace('\n', " "),
        output,
    };
    Some((operand, close + 1))
}

/// The text of a plain string literal; `None` for rare escapes.
fn string(token: &str) -> Option<String> {
    let inside = token.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::new();
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\\' => match chars.next()? {
                'n' => '\n',
                't' => '\t',
                c @ ('"' | '\\') => c,
                _ => return None,
            },
            c => c,
        });
    }
    Some(out)
}
