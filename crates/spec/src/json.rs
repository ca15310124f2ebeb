//! A JSON parser (RFC 8259) that keeps the place of each value and character, which serde_json does
//! not.

use std::ops::Range;

/// The greatest depth of nesting; no specification needs more.
const MAX_DEPTH: usize = 64;

/// A piece of text with the place of each of its characters in the source, escapes included.
#[derive(Clone, Debug)]
pub struct Text {
    value: String,
    span: Range<usize>,
    /// Pairs of offsets in `value` and in the source, ascending. From a pair to the next, both
    /// offsets advance together.
    steps: Vec<(usize, usize)>,
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.value == other.value
    }
}

impl Eq for Text {}

impl std::ops::Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        &self.value
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.value)
    }
}

impl Text {
    /// A text that stands literally in the source from `offset` on.
    pub fn plain(value: &str, offset: usize) -> Self {
        Text {
            value: value.to_owned(),
            span: offset..offset + value.len(),
            steps: vec![(0, offset)],
        }
    }

    /// A text of which some characters are escaped in the source. `steps` holds pairs of offsets in
    /// `value` and in the source, ascending from 0; from a pair to the next, both advance together.
    pub fn with_steps(value: String, span: Range<usize>, steps: Vec<(usize, usize)>) -> Self {
        Text { value, span, steps }
    }

    /// The text with escapes resolved.
    pub fn as_str(&self) -> &str {
        &self.value
    }

    /// The bytes of the source that contain the text, quotes included if there are any.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The bytes of the source that contain a part of the text; `part` counts bytes of the text.
    pub fn span_of(&self, part: Range<usize>) -> Range<usize> {
        let start = self.offset(part.start);
        start..self.offset(part.end).max(start)
    }

    /// A part of the text, with its places; `part` must lie on character boundaries.
    pub fn part(&self, part: Range<usize>) -> Text {
        let value = self.value.get(part.clone()).unwrap_or_default().to_owned();
        let mut steps = vec![(0, self.offset(part.start))];
        let first = self.steps.partition_point(|step| step.0 <= part.start);
        let inside = self.steps[first..]
            .iter()
            .take_while(|step| step.0 <= part.end);
        steps.extend(inside.map(|&(at, source)| (at - part.start, source)));
        Text {
            value,
            span: self.span_of(part),
            steps,
        }
    }

    /// The same text in a source that stands `by` bytes further on.
    pub(crate) fn moved(mut self, by: usize) -> Text {
        self.span = self.span.start + by..self.span.end + by;
        for (_, source) in &mut self.steps {
            *source += by;
        }
        self
    }

    fn offset(&self, at: usize) -> usize {
        let next = self.steps.partition_point(|step| step.0 <= at);
        match next.checked_sub(1).and_then(|i| self.steps.get(i)) {
            Some(&(begin, source)) => source + (at - begin),
            None => self.span.start,
        }
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
}

/// A JSON value.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    /// The number as written.
    Number(String),
    String(Text),
    Array(Vec<Value>),
    Object(Vec<(Text, Value)>),
}

impl Kind {
    /// The kind of the value, for messages.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a string",
            Kind::Array(_) => "an array",
            Kind::Object(_) => "an object",
        }
    }
}

/// The reason why a text is not JSON.
#[derive(Clone, Debug)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) span: Range<usize>,
}

/// Parses one value; only white space may surround it.
pub(crate) fn read(text: &str) -> Result<Value, SyntaxError> {
    let mut reader = Reader { text, at: 0 };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    let value = reader.value(0)?;
    reader.space();
    if reader.at < text.len() {
        return Err(reader.unexpected("the end of the text"));
    }
    Ok(value)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// An error at the current character.
    fn unexpected(&self, expected: &str) -> SyntaxError {
        let next = self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next());
        let found = match next {
            None => "the end of the text".to_owned(),
            Some('/') => "`/` (JSON has no comments)".to_owned(),
            Some('\'') => "`'` (JSON has double quotes only)".to_owned(),
            Some(c) if c.is_control() => format!("the character U+{:04X}", u32::from(c)),
            Some(c) => format!("`{c}`"),
        };
        let len = next.map_or(0, char::len_utf8);
        SyntaxError {
            message: format!("expected {expected}, found {found}"),
            span: self.at..self.at + len,
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, SyntaxError> {
        self.space();
        let start = self.at;
        if depth > MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(SyntaxError {
                message,
                span: start..start + 1,
            });
        }
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z' | b'A'..=b'Z') => self.word()?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Value {
            kind,
            span: start..self.at,
        })
    }

    fn object(&mut self, depth: usize) -> Result<Kind, SyntaxError> {
        let mut members = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Kind::Object(members));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                let after_comma = if members.is_empty() {
                    "a key or `}`"
                } else {
                    "a key"
                };
                return Err(self.unexpected(after_comma));
            }
            let key = self.string()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("`:`"));
            }
            self.at += 1;
            members.push((key, self.value(depth + 1)?));
            if self.ends(b'}')? {
                return Ok(Kind::Object(members));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Kind, SyntaxError> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Kind::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.ends(b']')? {
                return Ok(Kind::Array(items));
            }
        }
    }

    /// After a member: takes a comma (`false`) or the closing bracket (`true`).
    fn ends(&mut self, close: u8) -> Result<bool, SyntaxError> {
        self.space();
        match self.peek() {
            Some(b',') => self.at += 1,
            Some(c) if c == close => {
                self.at += 1;
                return Ok(true);
            }
            _ => return Err(self.unexpected(&format!("`,` or `{}`", char::from(close)))),
        }
        Ok(false)
    }

    fn word(&mut self) -> Result<Kind, SyntaxError> {
        let rest = &self.text[self.at..];
        let len = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        let word = &rest[..len];
        let kind = match word {
            "true" => Kind::Bool(true),
            "false" => Kind::Bool(false),
            "null" => Kind::Null,
            _ => {
                let shown: String = word.chars().take(40).collect();
                let message = format!("expected a value, found `{shown}`");
                return Err(SyntaxError {
                    message,
                    span: self.at..self.at + len,
                });
            }
        };
        self.at += len;
        Ok(kind)
    }

    fn number(&mut self) -> Result<Kind, SyntaxError> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        if matches!(
            self.peek(),
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.')
        ) {
            return Err(self.unexpected("the end of the number"));
        }
        Ok(Kind::Number(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.unexpected("a digit"));
        }
        Ok(())
    }

    fn string(&mut self) -> Result<Text, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let mut value = String::new();
        let mut steps = vec![(0, self.at)];
        loop {
            let rest = &self.text[self.at..];
            let plain = rest
                .find(|c: char| c == '"' || c == '\\' || c < ' ')
                .unwrap_or(rest.len());
            value.push_str(&rest[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    steps.push((value.len(), self.at));
                    value.push(self.escape()?);
                    steps.push((value.len(), self.at));
                }
                Some(_) => return Err(self.unexpected("`\"` or an escape such as `\\n`")),
                None => {
                    let message = "this string has no end".to_owned();
                    return Err(SyntaxError {
                        message,
                        span: start..start + 1,
                    });
                }
            }
        }
        self.at += 1;
        Ok(Text {
            value,
            span: start..self.at,
            steps,
        })
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        self.at += 1;
        let c = match self.peek() {
            Some(b'u') => return self.unicode_escape(),
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return Err(self.unexpected("one of `\"\\/bfnrtu` after `\\`")),
        };
        self.at += 1;
        Ok(c)
    }

    /// `\uXXXX`, or a surrogate pair of two such escapes.
    fn unicode_escape(&mut self) -> Result<char, SyntaxError> {
        let start = self.at - 1;
        let high = self.four_digits()?;
        let code = if (0xd800..0xdc00).contains(&high) && self.text[self.at..].starts_with("\\u") {
            self.at += 1;
            let low = self.four_digits()?;
            if (0xdc00..0xe000).contains(&low) {
                0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
            } else {
                high
            }
        } else {
            high
        };
        char::from_u32(code).ok_or_else(|| SyntaxError {
            message: "half of a surrogate pair is no character".to_owned(),
            span: start..self.at,
        })
    }

    fn four_digits(&mut self) -> Result<u32, SyntaxError> {
        self.at += 1;
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|b| char::from(b).to_digit(16));
            code = code * 16 + digit.ok_or_else(|| self.unexpected("four hexadecimal digits"))?;
            self.at += 1;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    /// A character as a JSON string can contain it: plain (0), with a short escape (1), or with
    /// `\u`.
    fn written(c: char, way: u8) -> String {
        let plain = c >= ' ' && c != '"' && c != '\\';
        match way {
            0 if plain => c.to_string(),
            1 if c == '\n' => "\\n".to_owned(),
            1 if c == '/' => "\\/".to_owned(),
            _ => {
                let mut units = [0; 2];
                c.encode_utf16(&mut units)
                    .iter()
                    .map(|u| format!("\\u{u:04x}"))
                    .collect()
            }
        }
    }

    proptest! {
        #[test]
        fn every_character_is_found_where_it_stands(
            chars in prop::collection::vec((prop_oneof![
                4 => any::<char>(),
                4 => prop::sample::select(vec!['a', '/', '"', '\\', '\n', 'é', '𝔘']),
            ], 0u8..3), 0..20),
            lead in 0usize..4,
        ) {
            let mut source = " ".repeat(lead) + "\"";
            let mut places = Vec::new();
            let mut value = String::new();
            for (c, way) in chars {
                let start = (value.len(), source.len());
                value.push(c);
                source += &written(c, way);
                places.push((start.0..value.len(), start.1..source.len()));
            }
            source += "\" ";
            let Kind::String(text) = read(&source).unwrap().kind else { panic!() };
            prop_assert_eq!(text.as_str(), value.as_str());
            prop_assert_eq!(text.span(), lead..source.len() - 1);
            let theirs: String = serde_json::from_str(&source).unwrap();
            prop_assert_eq!(text.as_str(), theirs.as_str());
            for (i, (part, place)) in places.iter().enumerate() {
                prop_assert_eq!(text.span_of(part.clone()), place.clone());
                // A part of the text gives the same places.
                let rest = text.part(part.start..value.len());
                for (later, place) in &places[i..] {
                    let shifted = later.start - part.start..later.end - part.start;
                    prop_assert_eq!(&rest[shifted.clone()], &value[later.clone()]);
                    prop_assert_eq!(rest.span_of(shifted), place.clone());
                }
            }
        }
    }
}
