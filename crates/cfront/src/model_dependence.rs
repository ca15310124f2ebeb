//! Whether a program means the same where `long` and pointers have 32 bits (ILP32) as where they
//! have 64 (LP64), the model that the front end computes with.
//!
//! The check looks at names. A program that uses neither `long` nor sizes, nor anything that a
//! system header declares with them, has the same runs in both models, except for numbers that
//! pointers are cast to. In doubt the answer is "no".

use std::collections::HashSet;

use crate::diag::Diagnostic;
use crate::linemap::RegionKind;
use crate::source::Source;
use crate::span::Span;
use crate::token::{TokenKind, Tokens};

/// Names whose meaning depends on the model wherever they come from.
const NAMES: [&str; 6] = [
    "sizeof",
    "_Alignof",
    "__alignof__",
    "__builtin_offsetof",
    "__int128",
    "__builtin_object_size",
];

/// Functions that do the same in both models, because they take sizes of objects. The catalogue of
/// the library cannot give this list: the text is not parsed yet, and a missing name only makes the
/// text count as dependent, which is sound.
const SIZED: [&str; 9] = [
    "malloc", "calloc", "realloc", "free", "memset", "memcpy", "memmove", "abort", "exit",
];

/// Types that have the same size in both models.
const FIXED: [&str; 8] = [
    "char", "short", "int", "unsigned", "signed", "float", "double", "_Bool",
];

/// The first place of the user's text that may mean something else under ILP32; `None` if there is
/// no such place. Linear in the text.
///
/// # Errors
/// If the text does not consist of C tokens.
pub fn depends(source: &Source) -> Result<Option<Span>, Diagnostic> {
    let tokens = Tokens::lex(&source.text, true)?;
    let mut reader = Reader {
        source,
        tokens: &tokens,
        tainted: NAMES.iter().map(|n| n.to_string()).collect(),
    };
    Ok(reader.run())
}

struct Reader<'a> {
    source: &'a Source,
    tokens: &'a Tokens,
    /// Names whose size depends on the model.
    tainted: HashSet<String>,
}

impl Reader<'_> {
    fn run(&mut self) -> Option<Span> {
        let (mut at, all) = (0, self.tokens.tokens.len());
        while at < all {
            let span = self.tokens.tokens[at].span;
            if self.source.lines.kind(span.start) == RegionKind::User {
                if self.is_tainted(at) {
                    return Some(span);
                }
                at += 1;
            } else {
                at = self.declaration(at);
            }
        }
        None
    }

    /// Reads a declaration of a header, up to its semicolon or body. The names that it declares are
    /// tainted if any name in it is.
    fn declaration(&mut self, start: usize) -> usize {
        let tokens = &self.tokens.tokens;
        let (mut at, mut tainted) = (start, false);
        while at < tokens.len() {
            tainted |= self.is_tainted(at);
            let text = self.tokens.text(at, &self.source.text);
            let mate = self.tokens.mates[at] as usize;
            if text == ";" {
                break;
            }
            if text == "{" && mate > at {
                tainted |= (at..mate).any(|inside| self.is_tainted(inside));
                at = mate;
            }
            at += 1;
        }
        let end = (at + 1).min(tokens.len());
        if tainted {
            let mut at = start;
            while at < end {
                let name = self.tokens.text(at, &self.source.text);
                let mate = self.tokens.mates[at] as usize;
                let behind_word = at > start && tokens[at - 1].kind == TokenKind::Word;
                if name == "(" && behind_word && mate > at {
                    // Names of parameters and attributes mean nothing outside of the parentheses.
                    at = mate;
                    continue;
                }
                let named = tokens[at].kind == TokenKind::Word && !is_keyword(name);
                if named && !SIZED.contains(&name) && !name.starts_with("__builtin") {
                    self.tainted.insert(name.to_owned());
                }
                at += 1;
            }
        }
        end
    }

    fn is_tainted(&self, at: usize) -> bool {
        let text = |at: usize| match at < self.tokens.tokens.len() {
            true => self.tokens.text(at, &self.source.text),
            false => "",
        };
        let own = text(at);
        match self.tokens.tokens[at].kind {
            // `long long` has 64 bits in both models.
            TokenKind::Word if own == "long" => {
                text(at + 1) != "long" && (at == 0 || text(at - 1) != "long")
            }
            TokenKind::Word if own == "sizeof" => {
                !(text(at + 1) == "(" && FIXED.contains(&text(at + 2)))
            }
            TokenKind::Word => self.tainted.contains(own),
            TokenKind::Number => {
                let suffix = own.trim_start_matches(|c: char| {
                    c.is_ascii_hexdigit() || c == 'x' || c == 'X' || c == '.'
                });
                suffix.to_ascii_lowercase().matches('l').count() == 1
            }
            _ => false,
        }
    }
}

/// Whether an identifier is a keyword that stands in declarations.
fn is_keyword(word: &str) -> bool {
    FIXED.contains(&word)
        || matches!(
            word,
            "long"
                | "void"
                | "const"
                | "volatile"
                | "restrict"
                | "extern"
                | "static"
                | "inline"
                | "typedef"
                | "struct"
                | "union"
                | "enum"
                | "return"
                | "if"
                | "else"
                | "for"
                | "while"
                | "do"
                | "sizeof"
                | "__attribute__"
                | "__extension__"
                | "__restrict"
                | "__inline"
                | "__const"
                | "__asm__"
                | "__signed__"
                | "__signed"
        )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn found(text: &str) -> Option<String> {
        let source = Source::from_bytes(text.as_bytes().to_vec());
        let span = depends(&source).unwrap()?;
        Some(text[span.start..span.end].to_owned())
    }

    #[test]
    fn names_tell_what_depends_on_the_model() {
        let header = "# 1 \"a.c\"\n# 1 \"/usr/include/h.h\" 1 3\ntypedef unsigned long size_t;\nextern size_t strlen(const char *s);\nextern void *malloc(size_t n);\nextern int puts(const char *s);\n# 2 \"a.c\" 2\n";
        for (text, expected) in [
            ("int x = 1; long long y = 5LL; unsigned z = 7u;", None),
            ("int *p = malloc(sizeof(int)); puts(\"long\");", None),
            ("long x;", Some("long")),
            ("int x = 5L;", Some("5L")),
            ("int x = strlen(\"a\");", Some("strlen")),
            ("size_t n;", Some("size_t")),
            ("int n = sizeof(struct s);", Some("sizeof")),
        ] {
            let expected = expected.map(str::to_owned);
            assert_eq!(found(&format!("{header}{text}")), expected, "{text}");
        }
    }
}
