//! Emitted C that knows its reads of shared variables.
//!
//! CBMC (5.12 to at least 6.6) is unsound if an atomic block reads one object in two alternative branches: one
//! of the reads is not tied to any write and may give any value. So emitted code reads each shared variable at
//! one place of a block: [`Code`] knows which variables it reads, and [`resolve`] reads a variable that occurs
//! more than once into a local first.

use std::collections::BTreeMap;

/// C text with reads of global variables, in textual order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// No two texts are adjacent, and none is empty: equal code has equal pieces.
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// The value of a global variable.
    Read(String),
}

impl Code {
    /// The value of a global variable.
    pub fn read(variable: &str) -> Code {
        Code {
            pieces: vec![Piece::Read(variable.to_owned())],
        }
    }

    /// Whether it has no text.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Appends code.
    pub fn push(&mut self, code: impl Into<Code>) {
        let mut pieces = code.into().pieces.into_iter();
        match (self.pieces.last_mut(), pieces.next()) {
            (Some(Piece::Text(last)), Some(Piece::Text(text))) => last.push_str(&text),
            (_, first) => self.pieces.extend(first),
        }
        // Of the others, no two texts are adjacent. They move as a whole: where decisions are nested deeply, many do.
        self.pieces.extend(pieces);
    }

    /// Concatenates all, with `between` as a separator.
    pub fn join(all: impl IntoIterator<Item = Code>, between: &str) -> Code {
        let mut joined = Code::default();
        for (number, code) in all.into_iter().enumerate() {
            if number > 0 {
                joined.push(between);
            }
            joined.push(code);
        }
        joined
    }

    /// Its text by [`resolve`], after the declarations of locals.
    pub fn block(&self, known: &[(String, String)]) -> String {
        let (declarations, texts) = resolve(&[self], known);
        declarations + &texts.concat()
    }

    fn reads(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Read(variable) => Some(variable.as_str()),
        })
    }
}

/// Concatenates parts: texts, numbers, other code.
macro_rules! code {
    ($($part:expr),* $(,)?) => {{
        let mut code = $crate::items::code::Code::default();
        $(code.push($part);)*
        code
    }};
}
pub(crate) use code;

impl From<&str> for Code {
    fn from(text: &str) -> Code {
        String::from(text).into()
    }
}

impl From<String> for Code {
    fn from(text: String) -> Code {
        let pieces = match text.is_empty() {
            true => Vec::new(),
            false => vec![Piece::Text(text)],
        };
        Code { pieces }
    }
}

impl From<&String> for Code {
    fn from(text: &String) -> Code {
        text.as_str().into()
    }
}

impl From<&Code> for Code {
    fn from(code: &Code) -> Code {
        code.clone()
    }
}

impl From<u32> for Code {
    fn from(number: u32) -> Code {
        number.to_string().into()
    }
}

impl From<usize> for Code {
    fn from(number: usize) -> Code {
        number.to_string().into()
    }
}

impl From<Truth> for Code {
    fn from(truth: Truth) -> Code {
        match truth {
            Truth::Is(value) => u32::from(value).into(),
            Truth::If(code) => code,
        }
    }
}

impl From<&Truth> for Code {
    fn from(truth: &Truth) -> Code {
        truth.clone().into()
    }
}

/// A truth value of emitted C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// A constant.
    Is(bool),
    /// The value of an expression.
    If(Code),
}

impl Truth {
    /// Whether it never holds.
    pub fn is_never(&self) -> bool {
        *self == Truth::Is(false)
    }

    /// Whether it always holds.
    pub fn is_always(&self) -> bool {
        *self == Truth::Is(true)
    }
}

/// The texts of code in one atomic block. A variable in `known` is replaced by the expression that holds its
/// value, a variable with one read is read in place, and the others are read into locals. Returns the
/// declarations of the locals and the texts. Linear in the code.
pub fn resolve(codes: &[&Code], known: &[(String, String)]) -> (String, Vec<String>) {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for variable in codes.iter().flat_map(|code| code.reads()) {
        *times.entry(variable).or_default() += 1;
    }
    let mut declarations = String::new();
    let mut values: BTreeMap<&str, String> = BTreeMap::new();
    for (variable, times) in times {
        let value = known.iter().find(|(name, _)| name == variable);
        let value = match value {
            Some((_, value)) => value.clone(),
            None if times > 1 => {
                let local = format!("ba_read_{}", variable.trim_start_matches("ba_"));
                declarations.push_str(&format!("BA_UNUSED unsigned {local} = {variable}; "));
                local
            }
            None => variable.to_owned(),
        };
        values.insert(variable, value);
    }
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Read(variable) => values[variable.as_str()].clone(),
    };
    let texts = codes
        .iter()
        .map(|code| code.pieces.iter().map(text).collect());
    (declarations, texts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_read_at_one_place() {
        let s = Code::read("ba_s");
        let q = Code::read("ba_q");
        let text = code!["if (", q, ") { f(", &s, "); } else { g(", s, "); }"];
        assert_eq!(text.block(&[]), "BA_UNUSED unsigned ba_read_s = ba_s; if (ba_q) { f(ba_read_s); } else { g(ba_read_s); }");
        let known = [("ba_s".to_string(), "v".to_string())];
        assert_eq!(text.block(&known), "if (ba_q) { f(v); } else { g(v); }");
    }

    #[test]
    fn equal_code_is_equal_whatever_its_parts_are() {
        assert_eq!(code!["a", "b", 1u32], Code::from("ab1"));
        assert_ne!(Code::read("a"), Code::from("a"));
        assert!(code!["", String::new()].is_empty());
    }
}
