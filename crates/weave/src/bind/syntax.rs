//! Checks that the tokens of a condition form a C expression. Without this check, only a backend would find the
//! error, in the emitted program.

use std::collections::BTreeSet;
use std::ops::Range as Span;

use spec::{Diagnostic, Text};

use crate::bind::tokens::Kind;

/// A call in a condition: the function's name and the number of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub name: Span<usize>,
    pub arguments: usize,
}

/// An opened construct that is not closed yet.
enum Open {
    Group(Span<usize>),
    Call { at: Span<usize>, call: Call },
    Question(Span<usize>),
    Subscript(Span<usize>),
}

const BINARY: [&str; 18] = [
    "*", "/", "%", "+", "-", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&",
    "||",
];

/// Whether a word is part of a type's name.
pub(crate) fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "int"
            | "char"
            | "long"
            | "short"
            | "unsigned"
            | "signed"
            | "float"
            | "double"
            | "_Bool"
            | "const"
            | "volatile"
            | "restrict"
            | "void"
    )
}

/// Checks a condition and returns its calls.
///
/// # Errors
/// The first token that is not allowed at its place.
pub(crate) fn check(
    text: &Text,
    tokens: &[(Kind, Span<usize>)],
    typedefs: &BTreeSet<String>,
) -> Result<Vec<Call>, Box<Diagnostic>> {
    let tokens: Vec<&(Kind, Span<usize>)> = tokens.iter().filter(|t| t.0 != Kind::Space).collect();
    let mut reader = Reader {
        text,
        tokens: &tokens,
        typedefs,
        at: 0,
        operand: true,
        open: Vec::new(),
        calls: Vec::new(),
    };
    while reader.at < tokens.len() {
        reader.token()?;
        reader.at += 1;
    }
    reader.end()
}

struct Reader<'a> {
    text: &'a Text,
    typedefs: &'a BTreeSet<String>,
    tokens: &'a [&'a (Kind, Span<usize>)],
    at: usize,
    /// Whether an operand comes next, and not an operator.
    operand: bool,
    open: Vec<Open>,
    calls: Vec<Call>,
}

impl<'a> Reader<'a> {
    fn piece(&self, at: usize) -> Option<(Kind, &'a str)> {
        let text: &'a Text = self.text;
        self.tokens.get(at).map(|t| (t.0, &text[t.1.clone()]))
    }

    fn before(&self) -> Option<(Kind, &'a str)> {
        self.at.checked_sub(1).and_then(|at| self.piece(at))
    }

    /// The error for the current token.
    fn unexpected(&self) -> Box<Diagnostic> {
        let wanted = if self.operand {
            "a value"
        } else {
            "an operator"
        };
        let (found, range) = match self.tokens.get(self.at) {
            Some(t) => (format!("`{}`", &self.text[t.1.clone()]), t.1.clone()),
            None => (
                "the end of the condition".to_string(),
                self.text.len()..self.text.len(),
            ),
        };
        let title = format!("not a C condition: expected {wanted}, found {found}");
        Box::new(Diagnostic::error(title, self.text.span_of(range)))
    }

    fn wants(&self, operand: bool) -> Result<(), Box<Diagnostic>> {
        if self.operand == operand {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    fn token(&mut self) -> Result<(), Box<Diagnostic>> {
        let Some((kind, piece)) = self.piece(self.at) else {
            return Ok(());
        };
        match (kind, piece) {
            (Kind::Identifier, "sizeof") => self.wants(true),
            (Kind::Identifier, word) if is_type_word(word) => Err(self.unexpected()),
            (Kind::Identifier | Kind::Literal, _) => {
                self.wants(true)?;
                self.operand = false;
                Ok(())
            }
            (_, "::" | "@")
                if !self.operand && self.before().is_some_and(|b| b.0 == Kind::Identifier) =>
            {
                self.operand = true;
                self.names_line(piece)
            }
            (_, "(") => self.opens(),
            (_, ")") => self.closes(),
            (_, "," | "?" | ":") => self.separates(),
            (_, "!" | "~") => self.wants(true),
            (_, "+" | "-") if self.operand => Ok(()),
            (_, "*" | "&") if self.operand => Ok(()),
            (_, "." | "->") if !self.operand => self.member(),
            (_, "[") if !self.operand => {
                let at = self.tokens[self.at].1.clone();
                self.open.push(Open::Subscript(at));
                self.operand = true;
                Ok(())
            }
            (_, "]") => self.closes_subscript(),
            (_, operator) if BINARY.contains(&operator) => {
                self.wants(false)?;
                self.operand = true;
                Ok(())
            }
            _ => Err(self.unexpected()),
        }
    }

    /// The `@` of `x@line` needs a number after it; `::` may be followed by any name.
    fn names_line(&mut self, piece: &str) -> Result<(), Box<Diagnostic>> {
        let line = |(_, text): (Kind, &str)| text.bytes().all(|b| b.is_ascii_digit());
        if piece != "@" || self.piece(self.at + 1).is_some_and(line) {
            return Ok(());
        }
        self.at += 1;
        Err(self.unexpected())
    }

    /// Reads `.m` or `->m`; the name of a file before `::` has the same tokens.
    fn member(&mut self) -> Result<(), Box<Diagnostic>> {
        self.at += 1;
        match self.piece(self.at) {
            Some((Kind::Identifier, _)) => Ok(()),
            _ => {
                self.operand = true;
                Err(self.unexpected())
            }
        }
    }

    fn closes_subscript(&mut self) -> Result<(), Box<Diagnostic>> {
        self.wants(false)?;
        match self.open.pop() {
            Some(Open::Subscript(_)) => Ok(()),
            _ => Err(self.unexpected()),
        }
    }

    fn is_type(&self, words: &[(Kind, &str)]) -> bool {
        let record = |w: &str| matches!(w, "struct" | "union" | "enum");
        let named = words
            .first()
            .is_some_and(|(_, w)| is_type_word(w) || record(w) || self.typedefs.contains(*w));
        named
            && words.iter().enumerate().all(|(i, (_, w))| {
                is_type_word(w)
                    || *w == "*"
                    || record(w)
                    || self.typedefs.contains(*w)
                    || i.checked_sub(1).is_some_and(|b| record(words[b].1))
            })
    }

    fn opens(&mut self) -> Result<(), Box<Diagnostic>> {
        let at = self.tokens[self.at].1.clone();
        if self.operand {
            let words = (self.at + 1..)
                .map_while(|i| self.piece(i))
                .take_while(|(_, p)| *p != ")" && *p != "(")
                .collect::<Vec<_>>();
            let nested = self.piece(self.at + 1 + words.len());
            if self.is_type(&words) && nested.is_none_or(|(_, p)| p != "(") {
                // A cast needs its operand; `sizeof (type)` is complete.
                self.operand = self.before().is_none_or(|b| b.1 != "sizeof");
                self.at += words.len() + 1;
                return if self.at < self.tokens.len() {
                    Ok(())
                } else {
                    Err(self.unclosed(at))
                };
            }
            self.open.push(Open::Group(at));
            return Ok(());
        }
        match self.before() {
            Some((Kind::Identifier, _)) => {
                let call = Call {
                    name: self.tokens[self.at - 1].1.clone(),
                    arguments: 0,
                };
                self.open.push(Open::Call { at, call });
                self.operand = true;
                Ok(())
            }
            _ => Err(self.unexpected()),
        }
    }

    fn closes(&mut self) -> Result<(), Box<Diagnostic>> {
        let empty = self.before().is_some_and(|b| b.1 == "(");
        match self.open.pop() {
            Some(Open::Call { call, .. }) if empty => self.calls.push(call),
            Some(Open::Call { mut call, .. }) => {
                self.wants(false)?;
                call.arguments += 1;
                self.calls.push(call);
            }
            Some(Open::Group(_)) => self.wants(false)?,
            Some(Open::Question(_) | Open::Subscript(_)) | None => return Err(self.unexpected()),
        }
        self.operand = false;
        Ok(())
    }

    fn separates(&mut self) -> Result<(), Box<Diagnostic>> {
        self.wants(false)?;
        let Some((_, piece)) = self.piece(self.at) else {
            return Ok(());
        };
        match (piece, self.open.last_mut()) {
            ("?", _) => self
                .open
                .push(Open::Question(self.tokens[self.at].1.clone())),
            (":", Some(Open::Question(_))) => {
                self.open.pop();
            }
            (",", Some(Open::Call { call, .. })) => call.arguments += 1,
            _ => return Err(self.unexpected()),
        }
        self.operand = true;
        Ok(())
    }

    fn unclosed(&self, at: Span<usize>) -> Box<Diagnostic> {
        let title = format!(
            "not a C condition: this `{}` has no partner",
            &self.text[at.clone()]
        );
        Box::new(Diagnostic::error(title, self.text.span_of(at)))
    }

    fn end(mut self) -> Result<Vec<Call>, Box<Diagnostic>> {
        self.wants(false)?;
        match self.open.pop() {
            None => Ok(self.calls),
            Some(
                Open::Group(at) | Open::Call { at, .. } | Open::Question(at) | Open::Subscript(at),
            ) => Err(self.unclosed(at)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn result(condition: &str) -> Result<Vec<(String, usize)>, String> {
        let text = Text::plain(condition, 0);
        let typedefs = BTreeSet::from(["queue_t".to_string()]);
        let calls = check(&text, &crate::bind::tokens::tokens(condition), &typedefs)
            .map_err(|d| d.title)?;
        Ok(calls
            .into_iter()
            .map(|c| (condition[c.name].to_string(), c.arguments))
            .collect())
    }

    #[test]
    fn expressions_are_accepted() {
        for good in [
            "x",
            "1",
            "x < 3 && y",
            "!(a || b)",
            "- -1 == +x",
            "~x & 3",
            "(int) x < 3",
            "(unsigned long)(x + 1) > 2",
            "sizeof(int) == 4",
            "sizeof x > 1",
            "a ? b : c ? d : e",
            "a ? b ? 1 : 2 : 3",
            "f::x == 'c'",
            "f :: x",
            "((((x))))",
            "x << 2 | y >> 1 ^ z",
            "a - -b",
            "s == \"text\"",
            "s.len > 2 && p->next->v == a[i + 1].b[2]",
            "*p == **q",
            "&x == p",
            "((struct node *)p)->v",
            "((queue_t *)p)->v",
            "(*p).v",
        ] {
            assert_eq!(result(good), Ok(vec![]), "{good}");
        }
    }

    #[test]
    fn calls_are_counted() {
        let call = |name: &str, n| (name.to_string(), n);
        assert_eq!(result("f()"), Ok(vec![call("f", 0)]));
        assert_eq!(
            result("f(1) + g(x, (y))"),
            Ok(vec![call("f", 1), call("g", 2)])
        );
        assert_eq!(
            result("f(g(1, 2), 3, h())"),
            Ok(vec![call("g", 2), call("h", 0), call("f", 3)])
        );
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for bad in [
            "",
            "x <",
            "x y",
            "1 2",
            "< x",
            "x < < 3",
            "(x",
            "x)",
            "()",
            "f(",
            "f(,)",
            "f(1,)",
            "f(1 2)",
            "a ? b",
            "a : b",
            "a ? : b",
            "(a ? b)",
            "a, b",
            "(a, b)",
            "int",
            "int x",
            "(int)",
            "(int",
            "x int",
            "3(4)",
            "*",
            "a[",
            "a[]",
            "a]",
            "a[1)",
            "s.",
            "s.1",
            ".s",
            "->s",
            "[1]",
            "x ! y",
            "f::",
            "::x",
            "x # y",
            "a @ b",
            "! ",
            "sizeof",
            "sizeof(int",
            "x ?: y",
        ] {
            assert!(result(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(result(&deep), Ok(vec![]));
    }
}
