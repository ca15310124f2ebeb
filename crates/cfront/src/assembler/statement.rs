//! The parts of an assembler statement.

use super::operand::Operand;
use crate::span::Span;
use crate::token::{TokenKind, Tokens};

/// An assembler statement in a function.
pub(crate) struct Statement {
    /// The statement without its semicolon.
    pub span: Span,
    /// The instructions.
    pub template: String,
    /// The outputs, then the inputs.
    pub operands: Vec<Operand>,
    /// The labels that it may jump to, if it is an `asm goto`.
    pub labels: Option<Vec<String>>,
    /// Whether it clobbers memory, so that the compiler moves no accesses across it.
    pub memory: bool,
}

/// All assembler statements, in the order of the text.
pub(crate) fn all(text: &str, tokens: &Tokens) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut depth = 0u32;
    let mut at = 0;
    while at < tokens.tokens.len() {
        match tokens.text(at, text) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "asm" | "__asm" | "__asm__" if depth > 0 => {
                if let Some((last, statement)) = statement(text, tokens, at) {
                    found.push(statement);
                    at = last;
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Whether a word may stand between `asm` and its parenthesis.
pub(crate) fn is_qualifier(word: &str) -> bool {
    matches!(
        word.trim_matches('_'),
        "volatile" | "inline" | "goto" | "const"
    )
}

/// The instructions of the assembler statement that a text is; `None` if it has none that can be read.
pub(crate) fn template(text: &str) -> Option<String> {
    let tokens = Tokens::lex(text, true).ok()?;
    let first = (0..tokens.tokens.len()).find(|t| tokens.text(*t, text) == "(")? + 1;
    Some(template_at(text, &tokens, first)?.0)
}

/// The string whose literals begin at a token, and the token behind them.
fn template_at(text: &str, tokens: &Tokens, mut at: usize) -> Option<(String, usize)> {
    let mut template = String::new();
    while tokens.tokens.get(at)?.kind == TokenKind::Str {
        template.push_str(&string(tokens.text(at, text))?);
        at += 1;
    }
    Some((template, at))
}

/// The statement at `first`, and its last token before the semicolon.
fn statement(text: &str, tokens: &Tokens, first: usize) -> Option<(usize, Statement)> {
    let word = |t: usize| tokens.text(t, text);
    let mut open = first + 1;
    let mut is_goto = false;
    while is_qualifier(word(open)) {
        is_goto |= word(open) == "goto";
        open += 1;
    }
    let close = *tokens.mates.get(open)? as usize;
    if word(open) != "(" || word(close + 1) != ";" {
        return None;
    }
    let span = Span::new(
        tokens.tokens[first].span.start,
        tokens.tokens[close].span.end,
    );
    let (template, mut at) = template_at(text, tokens, open + 1)?;
    let (mut operands, mut labels) = (Vec::new(), Vec::new());
    let mut section = 0;
    let mut memory = false;
    while at < close {
        match word(at) {
            ":" => section += 1,
            "::" => section += 2,
            "," => {}
            "\"memory\"" if section == 3 => memory = true,
            label if section == 4 => labels.push(label.to_string()),
            _ if section == 1 || section == 2 => {
                let (operand, next) = operand(text, tokens, at, section == 1)?;
                operands.push(operand);
                at = next;
                continue;
            }
            _ if section == 0 => return None,
            _ => {}
        }
        at += 1;
    }
    let statement = Statement {
        span,
        template,
        operands,
        labels: is_goto.then_some(labels),
        memory,
    };
    Some((close, statement))
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
        text: on_a_line(span.of(text)),
        output,
    };
    Some((operand, close + 1))
}

/// A text on one line. Where the expansion of a header's macro begins, a line says where the text is from.
fn on_a_line(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.collect::<Vec<_>>().join(" ")
}

/// The text of a plain string literal; `None` for rare escapes.
pub(crate) fn string(token: &str) -> Option<String> {
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
