//! A byte lexer for preprocessed C, and the table of tokens that every exact span comes from.

use crate::diag::Diagnostic;
use crate::span::{Offset, Span};

/// The kinds of preprocessed tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// An identifier or keyword, with universal character names and non-ASCII bytes.
    Word,
    /// A preprocessing number.
    Number,
    /// A string literal with its prefix.
    Str,
    /// A character constant with its prefix.
    Char,
    /// A punctuator.
    Punct,
    /// A byte that begins no token of C.
    Other,
}

/// A token of the preprocessed text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind of token.
    pub kind: TokenKind,
    /// The span of the token.
    pub span: Span,
}

/// All tokens of a text, with the lines that are directives (markers, `#define`, `#pragma`, …).
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    /// The tokens in order.
    pub tokens: Vec<Token>,
    /// The directive lines in order, without their line ends.
    pub directives: Vec<Span>,
    /// For each bracket token the index of its partner; for every other token its own index.
    pub mates: Vec<u32>,
}

/// Deepest nesting of brackets that is read; above it the input is refused, because the parser
/// is recursive.
pub const MAX_BRACKETS: usize = 5000;

/// Deepest nesting of parentheses and square brackets.
pub const MAX_PARENTHESES: usize = 1000;

/// lang-c copies the contents of parentheses once for each pair around them. Pairs inside this many
/// others are charged for the tokens in them.
const FREE_PARENTHESES: usize = 32;

/// How many tokens may be copied for such pairs in one file; more would take seconds and hundreds
/// of MiB.
const MAX_COPIED: usize = 2_000_000;

impl Tokens {
    /// Cuts a text into tokens. `directives` says whether a `#` that is first in its line begins
    /// a directive.
    ///
    /// # Errors
    /// If a literal or comment has no end, a bracket has no partner, the nesting is too deep, or
    /// the text is above 1 GiB.
    pub fn lex(text: &str, directives: bool) -> Result<Tokens, Diagnostic> {
        if text.len() > 1 << 30 {
            return Err(Diagnostic::error(
                Span::empty(0),
                "the preprocessed program is larger than 1 GiB",
            ));
        }
        let mut lexer = Lexer {
            bytes: text.as_bytes(),
            at: 0,
            out: Tokens::default(),
        };
        lexer.run(directives)?;
        let mut tokens = lexer.out;
        tokens.mates = match_brackets(&tokens.tokens, text)?;
        Ok(tokens)
    }

    /// Moves all places by `base`, the number of bytes before the text.
    pub(crate) fn shift(&mut self, base: Offset) {
        let shifted = |span: Span| Span::new(span.start + base, span.end + base);
        for token in &mut self.tokens {
            token.span = shifted(token.span);
        }
        for directive in &mut self.directives {
            *directive = shifted(*directive);
        }
    }

    /// Adds the tokens of a text that follows this one. Its places must have been moved before.
    pub(crate) fn append(&mut self, other: Tokens) {
        let count = self.tokens.len() as u32;
        self.mates
            .extend(other.mates.iter().map(|mate| mate + count));
        self.tokens.extend(other.tokens);
        self.directives.extend(other.directives);
    }

    /// The directives that begin in a part of the text.
    pub(crate) fn directives_in(&self, part: Span) -> impl Iterator<Item = &Span> {
        let from = self.directives.partition_point(|d| d.start < part.start);
        let rest = self.directives[from..].iter();
        rest.take_while(move |d| d.start < part.end)
    }

    /// The text of a token; empty beyond the end.
    pub fn text<'a>(&self, index: usize, text: &'a str) -> &'a str {
        self.tokens.get(index).map_or("", |t| t.span.of(text))
    }

    /// The index of the first token that starts at or after an offset.
    pub fn at_or_after(&self, offset: Offset) -> usize {
        self.tokens.partition_point(|t| t.span.start < offset)
    }

    /// The index of the token that covers an offset.
    pub fn covering(&self, offset: Offset) -> Option<usize> {
        let index = self.tokens.partition_point(|t| t.span.end <= offset);
        self.tokens
            .get(index)
            .filter(|t| t.span.contains(offset))
            .map(|_| index)
    }
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    out: Tokens,
}

impl Lexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self, directives: bool) -> Result<(), Diagnostic> {
        let mut line_start = true;
        while self.at < self.bytes.len() {
            match self.byte(0) {
                b'\n' => {
                    line_start = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.byte(1) == b'\n' => self.at += 2,
                b'\\' if self.byte(1) == b'\r' && self.byte(2) == b'\n' => self.at += 3,
                b'#' if line_start && directives => self.directive(),
                b'/' if self.byte(1) == b'*' => self.block_comment()?,
                b'/' if self.byte(1) == b'/' => self.line_comment(),
                _ => {
                    line_start = false;
                    self.token()?;
                }
            }
        }
        Ok(())
    }

    fn directive(&mut self) {
        let start = self.at;
        while self.at < self.bytes.len() && self.byte(0) != b'\n' {
            let continued = self.byte(0) == b'\\' && self.byte(1) == b'\n';
            self.at += if continued { 2 } else { 1 };
        }
        self.at = self.at.min(self.bytes.len());
        self.out.directives.push(Span::new(start, self.at));
    }

    fn block_comment(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.at += 2;
        while self.at < self.bytes.len() {
            if self.byte(0) == b'*' && self.byte(1) == b'/' {
                self.at += 2;
                return Ok(());
            }
            self.at += 1;
        }
        Err(Diagnostic::error(
            Span::new(start, start + 2),
            "this comment has no end",
        ))
    }

    fn line_comment(&mut self) {
        while self.at < self.bytes.len() && self.byte(0) != b'\n' {
            self.at += 1;
        }
    }

    fn token(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let kind = if let Some(prefix) = self.literal_prefix() {
            self.at += prefix;
            let quote = self.byte(0);
            self.literal(start, quote)?;
            if quote == b'"' {
                TokenKind::Str
            } else {
                TokenKind::Char
            }
        } else if is_word_start(self.byte(0)) || self.is_universal_name() {
            self.word();
            TokenKind::Word
        } else if self.byte(0).is_ascii_digit()
            || (self.byte(0) == b'.' && self.byte(1).is_ascii_digit())
        {
            self.number();
            TokenKind::Number
        } else {
            let length = punctuator(&self.bytes[self.at..]);
            self.at += length.max(1);
            if length == 0 {
                TokenKind::Other
            } else {
                TokenKind::Punct
            }
        };
        self.out.tokens.push(Token {
            kind,
            span: Span::new(start, self.at),
        });
        Ok(())
    }

    fn literal_prefix(&self) -> Option<usize> {
        let quote = |b: u8| b == b'"' || b == b'\'';
        match self.byte(0) {
            b if quote(b) => Some(0),
            b'L' | b'U' | b'u' if quote(self.byte(1)) => Some(1),
            b'u' if self.byte(1) == b'8' && quote(self.byte(2)) => Some(2),
            _ => None,
        }
    }

    fn literal(&mut self, start: usize, quote: u8) -> Result<(), Diagnostic> {
        self.at += 1;
        while self.at < self.bytes.len() && self.byte(0) != b'\n' {
            match self.byte(0) {
                b'\\' => self.at += 2,
                b if b == quote => {
                    self.at += 1;
                    return Ok(());
                }
                _ => self.at += 1,
            }
        }
        Err(Diagnostic::error(
            Span::new(start, start + 1),
            "this literal has no end",
        ))
    }

    fn is_universal_name(&self) -> bool {
        self.byte(0) == b'\\' && matches!(self.byte(1), b'u' | b'U')
    }

    fn word(&mut self) {
        loop {
            if self.is_universal_name() {
                self.at += 2;
            } else if is_word_start(self.byte(0)) || self.byte(0).is_ascii_digit() {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn number(&mut self) {
        loop {
            match (self.byte(0), self.byte(1)) {
                (b'e' | b'E' | b'p' | b'P', b'+' | b'-') => self.at += 2,
                (b'.', _) => self.at += 1,
                // Digits are separated since C23.
                (b'\'', next) if is_word_start(next) || next.is_ascii_digit() => self.at += 2,
                (b, _) if is_word_start(b) || b.is_ascii_digit() => self.at += 1,
                _ => return,
            }
        }
    }
}

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn punctuator(rest: &[u8]) -> usize {
    const LONG: [&[u8]; 28] = [
        b"%:%:", b"...", b"<<=", b">>=", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==",
        b"!=", b"&&", b"||", b"*=", b"/=", b"%=", b"+=", b"-=", b"&=", b"^=", b"|=", b"##", b"<:",
        b":>", b"<%", b"%>",
    ];
    for long in LONG {
        if rest.starts_with(long) {
            return long.len();
        }
    }
    match rest.first() {
        Some(b) if b"[](){}.&*+-~!/%<>^|?:;=,#".contains(b) => 1,
        _ => 0,
    }
}

/// The character that a punctuator stands for if it is a bracket, digraphs included.
pub(crate) fn bracket(text: &str) -> Option<char> {
    match text {
        "(" => Some('('),
        ")" => Some(')'),
        "[" | "<:" => Some('['),
        "]" | ":>" => Some(']'),
        "{" | "<%" => Some('{'),
        "}" | "%>" => Some('}'),
        _ => None,
    }
}

fn match_brackets(tokens: &[Token], text: &str) -> Result<Vec<u32>, Diagnostic> {
    let mut mates: Vec<u32> = (0..tokens.len() as u32).collect();
    let mut open: Vec<(usize, char)> = Vec::new();
    let (mut parentheses, mut copied) = (0, 0);
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Punct {
            continue;
        }
        match bracket(token.span.of(text)) {
            Some(c @ ('(' | '[' | '{')) => {
                open.push((index, c));
                parentheses += usize::from(c != '{');
                if open.len() > MAX_BRACKETS || parentheses > MAX_PARENTHESES {
                    return Err(too_deep(token.span));
                }
            }
            Some(c) => {
                let start = partner(&mut open, c, token.span)?;
                mates[start] = index as u32;
                mates[index] = start as u32;
                if c != '}' {
                    if parentheses > FREE_PARENTHESES {
                        copied += index - start;
                    }
                    parentheses -= 1;
                }
                if copied > MAX_COPIED {
                    return Err(too_deep(tokens[start].span));
                }
            }
            None => {}
        }
    }
    match open.pop() {
        Some((start, c)) => Err(Diagnostic::error(
            tokens[start].span,
            format!("this `{c}` is never closed"),
        )),
        None => Ok(mates),
    }
}

/// The open bracket that a closing bracket belongs to; removes it from `open`.
fn partner(open: &mut Vec<(usize, char)>, close: char, at: Span) -> Result<usize, Diagnostic> {
    let expected = match close {
        ')' => '(',
        ']' => '[',
        _ => '{',
    };
    match open.pop() {
        Some((start, o)) if o == expected => Ok(start),
        _ => Err(Diagnostic::error(
            at,
            format!("this `{close}` has no partner"),
        )),
    }
}

/// The error for nesting that would overflow the stack of the recursive parser.
pub(crate) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(span, "the program is nested too deeply here")
        .help("split the expression or the block; generated code may need fewer levels")
}
