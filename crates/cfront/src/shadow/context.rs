//! Second pass of the shadow: rewrites that depend on the kind of the surrounding braces.

mod implicit;

use super::depth::{self, Depth};
use super::{Piece, Render};
use crate::diag::Diagnostic;
use crate::span::Span;
use crate::token::{bracket, too_deep, TokenKind, Tokens};

/// The contents of a pair of braces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Brace {
    /// Nothing: file scope.
    File,
    /// A function body or compound statement.
    Block,
    /// The members of a structure or union.
    Members,
    /// An enumeration.
    Enum,
    /// An initializer.
    Init,
}

/// An open bracket.
struct Level {
    kind: Brace,
    paren: bool,
    depth: Depth,
    /// `case` and `?` whose colon has not come yet, innermost last.
    colons: Vec<Colon>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Colon {
    Case,
    Conditional,
}

impl Level {
    fn new(kind: Brace, paren: bool) -> Level {
        Level {
            kind,
            paren,
            depth: Depth::default(),
            colons: Vec::new(),
        }
    }

    fn open_colon(&mut self, what: Colon) {
        self.depth.conditionals += usize::from(what == Colon::Conditional);
        self.colons.push(what);
    }

    fn close_colon(&mut self) -> Option<Colon> {
        let what = self.colons.pop();
        self.depth.conditionals -= usize::from(what == Some(Colon::Conditional));
        what
    }
}

pub(super) fn rewrite(
    text: &str,
    tokens: &Tokens,
    pieces: Vec<Piece>,
) -> Result<Vec<Piece>, Diagnostic> {
    let mut context = Context {
        text,
        tokens,
        pieces,
        out: Vec::new(),
        levels: vec![Level::new(Brace::File, false)],
        total: 0,
        after_label: false,
        nested_label: None,
    };
    for at in 0..context.pieces.len() {
        context.step(at)?;
    }
    Ok(context.out)
}

struct Context<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    pieces: Vec<Piece>,
    out: Vec<Piece>,
    levels: Vec<Level>,
    /// Sum of the chains of all levels.
    total: usize,
    /// Whether the last token was the colon of a label.
    after_label: bool,
    /// The colon (index into `out`) of the last label that is a branch or the body of a loop. A
    /// label directly after it is in the same place.
    nested_label: Option<usize>,
}

impl<'a> Context<'a> {
    /// The real text of a piece; of one that was inserted, its own.
    fn word(&self, at: usize) -> &'a str {
        match self.pieces.get(at) {
            None => "",
            Some(Piece {
                inserted: true,
                render: Render::As(word),
                ..
            }) => word,
            Some(piece) => self.tokens.text(piece.token as usize, self.text),
        }
    }

    fn before(&self, at: usize) -> &'a str {
        at.checked_sub(1).map_or("", |i| self.word(i))
    }

    fn kind(&self, at: usize) -> Option<TokenKind> {
        let piece = self.pieces.get(at)?;
        let is_word = || self.word(at).starts_with(|c: char| c.is_ascii_alphabetic());
        Some(match piece.inserted {
            true if is_word() => TokenKind::Word,
            true => TokenKind::Punct,
            false => self.tokens.tokens[piece.token as usize].kind,
        })
    }

    fn is_name(&self, at: usize) -> bool {
        self.kind(at) == Some(TokenKind::Word) && !is_keyword(self.word(at))
    }

    fn span(&self, at: usize) -> Span {
        self.pieces.get(at).map_or(Span::empty(0), |p| {
            self.tokens.tokens[p.token as usize].span
        })
    }

    /// The kind of the innermost braces.
    fn brace(&self) -> Brace {
        self.levels
            .iter()
            .rev()
            .find(|l| !l.paren)
            .map_or(Brace::File, |l| l.kind)
    }

    fn in_parens(&self) -> bool {
        self.levels.last().is_some_and(|l| l.paren)
    }

    fn insert(&mut self, at: usize, what: &'static str) {
        let token = self.pieces.get(at).map_or(0, |p| p.token);
        self.out.push(Piece {
            token,
            inserted: true,
            render: Render::As(what),
        });
    }

    fn push(&mut self, at: usize) {
        let piece = self.pieces[at].clone();
        self.out.push(piece);
    }

    fn step(&mut self, at: usize) -> Result<(), Diagnostic> {
        self.count(at)?;
        let after_label = std::mem::take(&mut self.after_label);
        if self.needs_int(at) {
            self.insert(at, "int");
        }
        match (self.kind(at), self.word(at)) {
            (Some(TokenKind::Punct), word) => self.punctuator(at, word),
            (_, "case") => {
                self.top().open_colon(Colon::Case);
                self.push(at);
            }
            (_, "default") if self.word(at + 1) == ":" && !self.in_parens() => {
                self.top().open_colon(Colon::Case);
                self.push(at);
            }
            (_, "goto") if self.word(at + 1) == "*" => {
                self.out.push(Piece {
                    render: Render::As("return"),
                    ..self.pieces[at].clone()
                });
            }
            _ if self.is_label(at, after_label) => {
                self.top().open_colon(Colon::Case);
                self.push(at);
            }
            _ => self.push(at),
        }
        Ok(())
    }

    fn top(&mut self) -> &mut Level {
        // Cannot happen: brackets are balanced, so file scope is never popped.
        if self.levels.is_empty() {
            self.levels.push(Level::new(Brace::File, false));
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    /// Bounds the recursion that the text can cause in lang-c and in the tree.
    fn count(&mut self, at: usize) -> Result<(), Diagnostic> {
        let weight = match self.kind(at) {
            Some(TokenKind::Punct) => depth::of_punctuator(self.word(at), self.ends_operand(at)),
            Some(TokenKind::Word) if is_keyword(self.word(at)) => {
                depth::of_keyword(self.word(at), self.before(at))
            }
            _ => 0,
        };
        let (word, next) = (self.word(at), self.word(at + 1));
        self.change(|depth| depth.count(word, next, weight));
        match self.total > depth::MAX {
            true => Err(too_deep(self.span(at))),
            false => Ok(()),
        }
    }

    /// Changes the depth of the innermost level, and keeps the sum over all levels.
    fn change(&mut self, change: impl FnOnce(&mut Depth)) {
        let depth = &mut self.top().depth;
        let before = depth.chain;
        change(depth);
        let after = depth.chain;
        self.total = self.total - before + after;
    }

    fn punctuator(&mut self, at: usize, word: &str) {
        match bracket(word) {
            Some('{') => self.open_brace(at),
            Some(c @ ('(' | '[')) => {
                let kind = self.brace();
                debug_assert!(c == '(' || c == '[');
                self.levels.push(Level::new(kind, true));
                self.push(at);
            }
            Some(_) => self.close(at),
            None => match word {
                "?" => {
                    self.top().open_colon(Colon::Conditional);
                    self.push(at);
                    if self.word(at + 1) == ":" {
                        self.insert(at + 1, "0");
                    }
                }
                ":" => self.colon(at),
                "&&" if !self.ends_operand(at) => {
                    let piece = Piece {
                        render: Render::As("&"),
                        ..self.pieces[at].clone()
                    };
                    self.out.push(piece);
                }
                ";" if self.is_stray(at) => {}
                _ => self.push(at),
            },
        }
    }

    fn open_brace(&mut self, at: usize) {
        let kind = self.brace_kind(at);
        self.levels.push(Level::new(kind, false));
        self.push(at);
        if kind == Brace::Init && bracket(self.word(at + 1)) == Some('}') {
            // lang-c reads `= {}` but not `(T){}`.
            self.insert(at + 1, "0");
        }
    }

    fn close(&mut self, at: usize) {
        if self.levels.len() > 1 {
            if let Some(level) = self.levels.pop() {
                self.total -= level.depth.chain;
            }
        }
        let ends_block = matches!(self.word(at), "}" | "%>") && !self.in_parens();
        if ends_block && matches!(self.brace(), Brace::Block | Brace::File) {
            let next = self.word(at + 1);
            self.change(|depth| depth.end_statement(next));
        }
        self.push(at);
    }

    fn colon(&mut self, at: usize) {
        let what = self.top().close_colon();
        self.push(at);
        if what == Some(Colon::Case) && self.brace() == Brace::Block && !self.in_parens() {
            self.after_label = true;
            // Lowering puts the statement back after its label. Without this, lang-c refuses
            // labels before declarations and `}`, and recurses for each `case`.
            if !self.label_starts_item(at) {
                self.nested_label = Some(self.out.len() - 1);
            } else {
                self.insert(at + 1, ";");
                self.change(Depth::end_label);
            }
        }
    }

    /// Whether the label that ends with the colon at `at` is an item of a block, not the branch
    /// of an `if` or the body of a loop.
    fn label_starts_item(&self, colon: usize) -> bool {
        let mut index = self.out.len() - 1;
        debug_assert!(self.word(colon) == ":");
        // Goes back to the first token of the label: `case` expressions hold no semicolon or brace.
        loop {
            let Some(before) = index.checked_sub(1) else {
                return false;
            };
            if self.nested_label == Some(before) {
                return false;
            }
            let piece = &self.out[before];
            let text = match piece.render {
                Render::As(s) if piece.inserted => s,
                _ => self.tokens.text(piece.token as usize, self.text),
            };
            match text {
                ";" | "{" | "<%" | "}" | "%>" => return true,
                ")" if self.closes_header(self.out[before].token as usize) => return false,
                "else" | "do" => return false,
                _ => index = before,
            }
        }
    }

    /// Whether a closing parenthesis ends the header of an `if`, `while`, `for` or `switch`.
    fn closes_header(&self, close: usize) -> bool {
        let open = self.tokens.mates[close] as usize;
        let before = open
            .checked_sub(1)
            .map_or("", |i| self.tokens.text(i, self.text));
        matches!(before, "if" | "while" | "for" | "switch")
    }

    fn is_label(&self, at: usize, after_label: bool) -> bool {
        self.brace() == Brace::Block
            && !self.in_parens()
            && self.word(at + 1) == ":"
            && self.is_name(at)
            && (after_label
                || matches!(
                    self.before(at),
                    ";" | "{" | "<%" | "}" | "%>" | "else" | "do"
                )
                || self.before(at) == ")" && self.closes_header(self.pieces[at - 1].token as usize))
    }

    fn brace_kind(&self, at: usize) -> Brace {
        match self.before(at) {
            "struct" | "union" => return Brace::Members,
            "enum" => return Brace::Enum,
            "=" | "]" | ":>" | "," => return Brace::Init,
            "(" => return Brace::Block,
            "{" | "<%" if self.brace() == Brace::Init => return Brace::Init,
            _ => {}
        }
        if self.kind(at.wrapping_sub(1)) == Some(TokenKind::Word) {
            match at.checked_sub(2).map_or("", |i| self.word(i)) {
                "struct" | "union" => return Brace::Members,
                "enum" => return Brace::Enum,
                _ => {}
            }
        }
        if self.before(at) == ")" {
            return self.after_parens(at - 1);
        }
        if self.before(at) == ":" && self.brace() == Brace::Init {
            return Brace::Init;
        }
        Brace::Block
    }

    /// The kind of a brace after parentheses that close at `close`: a function body or a
    /// statement, or the list of a compound literal `(T){…}`.
    fn after_parens(&self, close: usize) -> Brace {
        if self.closes_header(self.pieces[close].token as usize) {
            return Brace::Block;
        }
        if !self.at_file_scope() {
            return Brace::Init;
        }
        match self.ends_parameters(self.pieces[close].token as usize) {
            true => Brace::Block,
            false => Brace::Init,
        }
    }

    /// Whether the parentheses that close at this token stand, at file scope, behind a declarator, and so hold parameters.
    fn ends_parameters(&self, close: usize) -> bool {
        let open = self.tokens.mates[close] as usize;
        let Some(before) = open.checked_sub(1) else {
            return false;
        };
        let word = self.tokens.text(before, self.text);
        word == ")" || self.tokens.tokens[before].kind == TokenKind::Word && !is_keyword(word)
    }

    fn at_file_scope(&self) -> bool {
        self.levels.len() == 1
    }

    /// Whether the token before `at` can end an operand, so that `&&` after it is binary.
    fn ends_operand(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        match self.kind(before) {
            Some(TokenKind::Number | TokenKind::Str | TokenKind::Char) => true,
            Some(TokenKind::Word) => !matches!(
                self.word(before),
                "return" | "case" | "sizeof" | "goto" | "else" | "do"
            ),
            Some(TokenKind::Punct) => match self.word(before) {
                ")" => !self.is_pointer_cast(before),
                "]" | ":>" | "}" | "%>" | "++" | "--" => true,
                _ => false,
            },
            _ => true,
        }
    }

    /// Whether the parentheses that close at `at` hold a pointer type like `void *`.
    fn is_pointer_cast(&self, at: usize) -> bool {
        let open = self.tokens.mates[self.pieces[at].token as usize] as usize;
        if matches!(
            open.checked_sub(1)
                .map_or("", |i| self.tokens.text(i, self.text)),
            "sizeof" | "_Alignof" | "__alignof__" | "__alignof"
        ) {
            return false;
        }
        self.before(at) == "*" || matches!(self.before(at), "const" | "long" | "int")
    }
}

/// Whether a word is a keyword and no name.
pub(super) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "auto"
            | "break"
            | "case"
            | "char"
            | "const"
            | "continue"
            | "default"
            | "do"
            | "double"
            | "else"
            | "enum"
            | "extern"
            | "float"
            | "for"
            | "goto"
            | "if"
            | "inline"
            | "int"
            | "long"
            | "register"
            | "restrict"
            | "return"
            | "short"
            | "signed"
            | "sizeof"
            | "static"
            | "struct"
            | "switch"
            | "typedef"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
            | "_Alignas"
            | "_Alignof"
            | "_Atomic"
            | "_Bool"
            | "_Complex"
            | "_Generic"
            | "_Noreturn"
            | "_Static_assert"
            | "_Thread_local"
            | "__auto_type"
            | "__int128"
            | "__typeof__"
            | "__typeof"
            | "typeof"
            | "__builtin_va_arg"
            | "__builtin_offsetof"
            | "__alignof__"
            | "__alignof"
            | "__const"
            | "__const__"
            | "__volatile"
            | "__volatile__"
            | "__signed"
            | "__signed__"
            | "__restrict"
            | "__restrict__"
            | "__inline"
            | "__inline__"
            | "__complex__"
            | "__complex"
            | "__real__"
            | "__real"
            | "__imag__"
            | "__imag"
            | "__thread"
            | "__float128"
    ) || word.starts_with("_Float") && word.len() <= 10
        || word.starts_with("_Decimal")
}
