//! References of a specification to an object of the program: `x`, `f::x`, `f::x@12`, `file.c::x`,
//! each optionally with a path to a part, such as `f::s.len`, `buf[2]` or `g->next->v`.

use crate::json::Text;
use std::fmt;
use std::ops::Range;

/// An object of the program, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The reference as written, with its place.
    pub text: Text,
    /// The file of `file.c::x`, as written.
    pub file: Option<String>,
    /// The function of `f::x`.
    pub function: Option<String>,
    /// The line of `f::x@12`, from 1: the line of the declaration that is meant.
    pub line: Option<u32>,
    /// The variable.
    pub variable: String,
    /// The accesses that lead from the variable to the object, in the order of evaluation.
    pub path: Vec<Access>,
}

/// One access from an object to another.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// `.name`
    Field(String),
    /// `->name`
    Arrow(String),
    /// `[3]`
    Index(u64),
    /// `[NAME]`, an enumeration constant, a macro or a variable.
    IndexName(String),
    /// A `*` before the whole reference.
    Deref,
}

/// The reason why a text names no object.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ParamError {
    /// What is wrong.
    pub message: String,
    /// The place, in bytes of the text.
    pub span: Range<usize>,
}

/// Whether a text is a C identifier. As in gcc and clang, letters beyond ASCII are accepted;
/// universal character names are not.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
        && chars.all(|c| c == '_' || c.is_alphanumeric())
}

impl Param {
    /// Parses a reference.
    ///
    /// # Errors
    /// The first syntax error.
    pub fn parse(text: &Text) -> Result<Param, ParamError> {
        let mut reader = Reader {
            text: text.as_str(),
            at: 0,
        };
        reader.param(text)
    }
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, message: impl Into<String>) -> ParamError {
        let len = self.rest().chars().next().map_or(0, char::len_utf8);
        ParamError {
            message: message.into(),
            span: self.at..self.at + len,
        }
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Takes a symbol, with the white space before it.
    fn take(&mut self, symbol: &str) -> bool {
        let before = self.at;
        self.space();
        let taken = self.rest().starts_with(symbol);
        self.at = if taken {
            self.at + symbol.len()
        } else {
            before
        };
        taken
    }

    fn identifier(&mut self, what: &str) -> Result<String, ParamError> {
        self.space();
        let rest = self.rest();
        let len = rest
            .find(|c: char| c != '_' && !c.is_alphanumeric())
            .unwrap_or(rest.len());
        let name = &rest[..len];
        if !is_identifier(name) {
            let found = match rest.chars().next() {
                None => "the end".to_owned(),
                Some(c) => format!("`{}`", c.escape_debug()),
            };
            return Err(self.error(format!("expected {what}, found {found}")));
        }
        self.at += len;
        Ok(name.to_owned())
    }

    fn param(&mut self, text: &Text) -> Result<Param, ParamError> {
        let mut derefs = 0;
        while self.take("*") {
            derefs += 1;
        }
        self.space();
        let file = self.file()?;
        let mut function = None;
        let mut variable = self.identifier("a variable")?;
        if self.take("::") {
            function = Some(std::mem::replace(
                &mut variable,
                self.identifier("a variable")?,
            ));
        }
        let mut line = self.line()?;
        let mut path = Vec::new();
        while let Some(access) = self.access()? {
            path.push(access);
        }
        if line.is_none() {
            line = self.line()?;
        }
        self.end()?;
        path.extend(std::iter::repeat_n(Access::Deref, derefs));
        Ok(Param {
            text: text.clone(),
            file,
            function,
            line,
            variable,
            path,
        })
    }

    /// Reads the `file.c` of `file.c::x`. The text before `::` is a file if it has a dot or a
    /// slash.
    fn file(&mut self) -> Result<Option<String>, ParamError> {
        let Some(len) = self.rest().find("::") else {
            return Ok(None);
        };
        let name = self.rest()[..len].trim_end();
        if !name.contains(['.', '/']) {
            return Ok(None);
        }
        self.at += len + "::".len();
        Ok(Some(name.to_owned()))
    }

    fn line(&mut self) -> Result<Option<u32>, ParamError> {
        if !self.take("@") {
            return Ok(None);
        }
        let digits = self.digits();
        let line = digits.parse().ok().filter(|&line| line > 0);
        line.map(Some)
            .ok_or_else(|| self.error("expected a line number after `@`"))
    }

    fn digits(&mut self) -> &'a str {
        let rest = self.rest();
        let len = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn access(&mut self) -> Result<Option<Access>, ParamError> {
        if self.take(".") {
            return self
                .identifier("a field")
                .map(|name| Some(Access::Field(name)));
        }
        if self.take("->") {
            return self
                .identifier("a field")
                .map(|name| Some(Access::Arrow(name)));
        }
        if !self.take("[") {
            return Ok(None);
        }
        self.space();
        let access = if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            let start = self.at;
            let digits = self.digits();
            let index = digits
                .parse()
                .ok()
                .filter(|_| digits == "0" || !digits.starts_with('0'));
            Access::Index(index.ok_or_else(|| ParamError {
                message: "expected a decimal index".to_owned(),
                span: start..self.at,
            })?)
        } else {
            Access::IndexName(self.identifier("an index")?)
        };
        if !self.take("]") {
            return Err(self.error("expected `]`: an index is a number or a name"));
        }
        Ok(Some(access))
    }

    fn end(&mut self) -> Result<(), ParamError> {
        self.space();
        match self.rest().chars().next() {
            None => Ok(()),
            Some(':') if self.rest().starts_with("::") => {
                Err(self.error("too many `::`: write `x`, `f::x`, `file.c::x` or `file.c::f::x`"))
            }
            Some('(') => Err(self.error("a call is no object; put it into the evaluation")),
            Some(c) => Err(self.error(format!(
                "expected `.`, `->`, `[`, `@` or the end, found `{}`",
                c.escape_debug()
            ))),
        }
    }
}
