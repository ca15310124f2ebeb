//! The shadow: the token text in a form that lang-c can read.
//!
//! lang-c reads most of GNU C11, but not all, and it misreads some of it silently. It therefore
//! gets a text of our own: the tokens separated by blanks, without attributes, assembler and
//! alignment, with plain literals instead of the real ones, and with a few tokens inserted (an
//! implied `int`, a statement after a label, the missing operand of `a ?: b`). Every token of the
//! shadow knows its token of the real text, so the tree takes names, literals and spans from the
//! real text, and changes of the shadow lose nothing.

mod context;
mod depth;
mod filter;

use std::collections::HashMap;

use crate::diag::Diagnostic;
use crate::span::{Offset, Span};
use crate::token::{Token, TokenKind, Tokens};

/// How to read a token that may or may not be a typedef name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hint {
    /// It names a type.
    Type,
    /// It names an object, a function, a member or a label.
    Ordinary,
}

/// The text of a shadow token.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Render {
    /// The real token's text.
    Same,
    /// Another text.
    As(&'static str),
}

/// A shadow token before it is written down.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Piece {
    /// The real token; for an inserted one the real token that it precedes.
    token: u32,
    inserted: bool,
    render: Render,
}

/// A range of dropped tokens, with the facts about them that are needed later.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Dropped {
    /// First real token.
    pub first: u32,
    /// Real token after the last.
    pub end: u32,
    /// An attribute that says that a function does not return.
    pub noreturn: bool,
    /// An attribute that changes the type (`vector_size`, `mode`).
    pub changes_type: bool,
    /// An attribute that packs the members of a type, or makes an enumeration as small as possible.
    pub packed: bool,
    /// An attribute or assembler label that may be a [`crate::tree::Mark`].
    pub marked: bool,
    /// An attribute that stands alone as a statement.
    pub fallthrough: bool,
    /// An attribute or `__extension__`, which may begin a statement or declaration.
    pub prefix: bool,
}

/// In the place of the shadow token of a real one that the shadow leaves out.
const NOT_KEPT: u32 = u32::MAX;

/// The shadow of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shadow {
    /// The text that lang-c reads.
    pub text: String,
    /// The offset of each shadow token in `text`.
    starts: Vec<u32>,
    tokens: Vec<u32>,
    inserted: Vec<bool>,
    /// Dropped ranges in order.
    pub dropped: Vec<Dropped>,
    /// For each real token, its shadow token, or [`NOT_KEPT`].
    shadow_of: Vec<u32>,
}

/// The origin of a shadow token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    /// The real token.
    pub token: usize,
    /// Whether the shadow inserted it.
    pub inserted: bool,
}

impl Shadow {
    /// Makes the shadow of a text.
    ///
    /// # Errors
    /// If the nesting without brackets is too deep for lang-c, or a byte belongs to no C token.
    pub fn make(
        text: &str,
        tokens: &Tokens,
        hints: &HashMap<usize, Hint>,
    ) -> Result<Shadow, Diagnostic> {
        if let Some(other) = tokens.tokens.iter().find(|t| t.kind == TokenKind::Other) {
            return Err(Diagnostic::error(
                other.span,
                "this character belongs to no C token",
            ));
        }
        let (pieces, dropped) = filter::filter(text, tokens);
        let pieces = context::rewrite(text, tokens, pieces)?;
        let mut shadow = Shadow {
            dropped,
            shadow_of: vec![NOT_KEPT; tokens.tokens.len()],
            ..Shadow::default()
        };
        for piece in &pieces {
            shadow.write(piece, text, tokens, hints);
        }
        Ok(shadow)
    }

    fn write(&mut self, piece: &Piece, text: &str, tokens: &Tokens, hints: &HashMap<usize, Hint>) {
        let index = self.starts.len() as u32;
        self.starts.push(self.text.len() as u32);
        self.tokens.push(piece.token);
        self.inserted.push(piece.inserted);
        if let Some(shadow) = self.shadow_of.get_mut(piece.token as usize) {
            if !piece.inserted {
                *shadow = index;
            }
        }
        match &piece.render {
            Render::As(s) => self.text.push_str(s),
            Render::Same => {
                let token = tokens.tokens[piece.token as usize];
                let name = plain(token, text);
                match hints.get(&(piece.token as usize)) {
                    // A tag can only be a type, so the ambiguity is gone.
                    Some(Hint::Type) => self.text.push_str("struct "),
                    // No typedef has such a name.
                    Some(Hint::Ordinary) => self.text.push_str("ba_ordinary_"),
                    None => {}
                }
                self.text.push_str(&name);
            }
        }
        self.text.push(' ');
    }

    fn index_at(&self, at: Offset) -> Option<usize> {
        self.starts
            .partition_point(|&s| s as usize <= at)
            .checked_sub(1)
    }

    /// The real token after a shadow offset.
    pub fn origin(&self, at: Offset) -> Option<Origin> {
        let index = self.index_at(at)?;
        Some(Origin {
            token: self.tokens[index] as usize,
            inserted: self.inserted[index],
        })
    }

    /// The real tokens (first and last) of a range of the shadow; `None` if the range has only
    /// inserted tokens or is empty.
    pub fn real_range(&self, start: Offset, end: Offset) -> Option<(usize, usize)> {
        if end <= start {
            return None;
        }
        let mut first = self.index_at(start)?;
        let mut last = self.index_at(end - 1)?;
        while first < last && self.inserted[first] {
            first += 1;
        }
        while last > first && self.inserted[last] {
            last -= 1;
        }
        (!self.inserted[first]).then(|| (self.tokens[first] as usize, self.tokens[last] as usize))
    }

    /// The next real token that the shadow keeps after a real token.
    pub fn next_kept(&self, token: usize) -> Option<usize> {
        let index = *self.shadow_of.get(token).filter(|i| **i != NOT_KEPT)?;
        (index as usize + 1..self.tokens.len())
            .find(|&i| !self.inserted[i])
            .map(|i| self.tokens[i] as usize)
    }

    /// The range that was dropped directly before a real token.
    pub fn dropped_before(&self, token: usize) -> Option<Dropped> {
        let after = self.dropped.partition_point(|d| d.end as usize <= token);
        let dropped = self.dropped[after.checked_sub(1)?];
        (dropped.end as usize == token).then_some(dropped)
    }

    /// The dropped ranges that begin between two real tokens, both included.
    pub fn dropped_within(&self, first: usize, last: usize) -> impl Iterator<Item = &Dropped> {
        let from = self.dropped.partition_point(|d| (d.first as usize) < first);
        self.dropped[from..]
            .iter()
            .take_while(move |d| (d.first as usize) <= last)
    }
}

/// The text of a token for lang-c, without any hint.
fn plain(token: Token, text: &str) -> std::borrow::Cow<'_, str> {
    let real = token.span.of(text);
    match token.kind {
        // The value is read from the real token: compilers know more forms of literals than lang-c.
        TokenKind::Number => "1".into(),
        TokenKind::Str => "\"\"".into(),
        TokenKind::Char => "'a'".into(),
        TokenKind::Word if !real.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => {
            ascii_name(real).into()
        }
        TokenKind::Word => keyword(real).unwrap_or(real).into(),
        TokenKind::Punct => match real {
            "<:" => "[".into(),
            ":>" => "]".into(),
            "<%" => "{".into(),
            "%>" => "}".into(),
            _ => real.into(),
        },
        TokenKind::Other => real.into(),
    }
}

/// Keywords in spellings that lang-c does not know or treats too narrowly.
fn keyword(word: &str) -> Option<&'static str> {
    Some(match word {
        "__const__" => "const",
        "__volatile__" => "volatile",
        "__thread" => "_Thread_local",
        "typeof" | "__typeof" => "__typeof__",
        "_Alignof" | "__alignof" | "__alignof__" => "sizeof",
        "__auto_type" => "int",
        "__int128" | "__int128_t" | "__uint128_t" => "long",
        "__float128" | "__float80" | "__ibm128" | "__bf16" => "double",
        "__real__" | "__real" | "__imag__" | "__imag" => "+",
        "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => "ba_func",
        // These are ordinary names in C11.
        "_Nonnull" => "ba_nonnull",
        _ => return None,
    })
}

/// An ASCII name for an identifier with other characters; different names stay different.
fn ascii_name(real: &str) -> String {
    let mut out = String::from("ba_u");
    for byte in real.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            out.push(byte as char);
        } else {
            out.push_str(&format!("_x{byte:02x}"));
        }
    }
    out
}

/// The span from one real token to another.
pub(crate) fn token_span(tokens: &Tokens, first: usize, last: usize) -> Span {
    match (tokens.tokens.get(first), tokens.tokens.get(last)) {
        (Some(a), Some(b)) => Span::new(a.span.start, b.span.end),
        (Some(a), None) => a.span,
        _ => Span::empty(0),
    }
}
