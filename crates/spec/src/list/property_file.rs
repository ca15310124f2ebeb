//! Property files of the competition on software verification: `CHECK( init(main()), LTL(…) )`.
//!
//! A text in quotes is a C condition over globals; `call(f())` holds while `f` runs. Properties of
//! memory safety, overflows, races and termination are not formulas over conditions: they are
//! refused with advice.

use super::Listed;
use crate::diagnostic::Diagnostic;
use crate::json::Text;
use crate::param::is_identifier;
use crate::wire::{shorten, WireProperty, WireProposition};
use std::ops::Range;

/// Properties of the competition that are not formulas over conditions and calls, each with advice.
const OTHER: [(&str, &str); 7] = [
    ("valid-deref", SAFETY),
    ("valid-free", SAFETY),
    ("valid-memtrack", SAFETY),
    ("valid-memcleanup", SAFETY),
    ("overflow", SAFETY),
    ("data-race", "no command of this tool looks for data races"),
    (
        "end",
        "whether a program ends is no formula over its conditions; with a flag that `main` sets at its end, \
         `F {flag == 1}` asks for it",
    ),
];

const SAFETY: &str = "`verify --also-safety` makes these checks beside a formula";

/// Why a well-formed property file cannot be verified; `None` if it can be, or if it is damaged.
pub fn unsupported(text: &str) -> Option<String> {
    let mut reader = Reader::new(text, 0, "");
    reader.checks();
    reader.other
}

/// Reads a property file; `name` is the name of the file, and spans begin at `offset`.
pub(super) fn read(text: &str, offset: usize, name: &str) -> (Listed, Vec<Diagnostic>) {
    let mut reader = Reader::new(text, offset, name);
    reader.checks();
    (reader.listed, reader.errors)
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
    name: String,
    at: usize,
    listed: Listed,
    errors: Vec<Diagnostic>,
    other: Option<String>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, offset: usize, name: &str) -> Self {
        Reader {
            text,
            offset,
            name: stem(name),
            at: 0,
            listed: Listed::default(),
            errors: Vec::new(),
            other: None,
        }
    }

    fn checks(&mut self) {
        loop {
            self.skip();
            if self.at >= self.text.len() {
                return;
            }
            if let Err(error) = self.check() {
                self.errors.push(*error);
                return;
            }
        }
    }

    /// Reads one `CHECK( init(main()), LTL(…) )`.
    fn check(&mut self) -> Result<(), Box<Diagnostic>> {
        if self.rest().starts_with("COVER") {
            let reason = "it asks for tests that cover the program, not whether a formula holds";
            return Err(self.refuse(self.at..self.at + 5, reason));
        }
        for token in ["CHECK", "(", "init", "("] {
            self.expect(token)?;
        }
        let entry = self.word();
        if &self.text[entry.clone()] != "main" {
            let entry = entry.start..entry.end.max(entry.start + 1).min(self.text.len());
            let error = Diagnostic::error("runs begin in `main`", self.place(entry))
                .help("write `init(main())`");
            return Err(Box::new(error));
        }
        for token in ["(", ")", ")", ","] {
            self.expect(token)?;
        }
        self.skip();
        if self.rest().starts_with("FQL") {
            let reason = "it asks for tests that cover the program, not whether a formula holds";
            return Err(self.refuse(self.at..self.at + 3, reason));
        }
        self.expect("LTL")?;
        self.expect("(")?;
        let formula = self.formula()?;
        self.expect(")")?;
        self.expect(")")?;
        let (name, span) = (self.name.clone(), formula.span());
        self.listed.properties.push(WireProperty {
            name: Some(Text::with_steps(name, span.clone(), vec![(0, span.start)])),
            ltl: Some(formula),
            expect: None,
            span,
        });
        Ok(())
    }

    /// Reads the formula up to its closing parenthesis and translates it into the tool's own
    /// syntax.
    fn formula(&mut self) -> Result<Text, Box<Diagnostic>> {
        let start = self.at;
        let mut written = Written::default();
        let mut depth = 0usize;
        while let Some(c) = self.rest().chars().next() {
            let here = self.at;
            match c {
                '(' => depth += 1,
                ')' if depth == 0 => {
                    let span = self.place(start..self.at);
                    return Ok(Text::with_steps(written.value, span, written.steps));
                }
                ')' => depth -= 1,
                '"' => {
                    self.condition(&mut written)?;
                    continue;
                }
                c if c.is_alphabetic() || c == '_' => {
                    self.name(&mut written)?;
                    continue;
                }
                _ => {}
            }
            self.at += c.len_utf8();
            written.push(&self.text[here..self.at], self.offset + here);
        }
        let end = self.text.len();
        let error = Diagnostic::error("the formula does not end", self.place(end..end))
            .secondary(self.place(start..start), "it begins here")
            .help("expected `) )` behind it");
        Err(Box::new(error))
    }

    /// Translates `"x > 0"` into `{x > 0}`.
    fn condition(&mut self, written: &mut Written) -> Result<(), Box<Diagnostic>> {
        let start = self.at;
        let Some(length) = self.rest()[1..].find('"') else {
            let place = self.place(start..start + 1);
            return Err(Box::new(Diagnostic::error(
                "this quote is not closed",
                place,
            )));
        };
        let inside = start + 1..start + 1 + length;
        written.push("{", self.offset + start);
        written.push(&self.text[inside.clone()], self.offset + inside.start);
        written.push("}", self.offset + inside.end);
        self.at = inside.end + 1;
        Ok(())
    }

    /// Reads a name: `call(f())` or a part of a formula.
    fn name(&mut self, written: &mut Written) -> Result<(), Box<Diagnostic>> {
        let start = self.at;
        let end = self
            .rest()
            .find(|c: char| !(c.is_alphanumeric() || "_-".contains(c)));
        let word = start..end.map_or(self.text.len(), |e| start + e);
        let text = &self.text[word.clone()];
        if text == "call" {
            return self.call(written);
        }
        if let Some((_, instead)) = OTHER.iter().find(|(name, _)| *name == text) {
            return Err(self.refuse(word, instead));
        }
        // A name may be directly followed by `->`.
        let plain = text.find('-').unwrap_or(text.len()).max(1);
        written.push(&text[..plain], self.offset + start);
        self.at = start + plain;
        Ok(())
    }

    /// Translates `call(f())` or `call(f)` into a proposition whose validity area is the function.
    fn call(&mut self, written: &mut Written) -> Result<(), Box<Diagnostic>> {
        let start = self.at;
        self.at += "call".len();
        self.expect("(")?;
        let function = self.word();
        self.skip();
        if self.rest().starts_with('(') {
            self.expect("(")?;
            self.expect(")")?;
        }
        self.expect(")")?;
        let name = Text::plain(&self.text[function.clone()], self.offset + function.start);
        if !is_identifier(&name) {
            let place = self.place(start..self.at);
            let error = Diagnostic::error("`call` names no function", place)
                .help("write `call(reach_error())`");
            return Err(Box::new(error));
        }
        let quoted = format!("\"call({name})\"");
        written.push_as(&quoted, self.offset + start);
        self.declare(name, self.place(start..self.at));
        Ok(())
    }

    fn declare(&mut self, function: Text, span: Range<usize>) {
        let name = format!("call({function})");
        let known = |p: &WireProposition| p.name.as_deref() == Some(name.as_str());
        if self.listed.propositions.iter().any(known) {
            return;
        }
        let running = super::running(&name, function, None, span);
        self.listed.propositions.push(running);
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn place(&self, part: Range<usize>) -> Range<usize> {
        self.offset + part.start..self.offset + part.end
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.rest().starts_with("//") && !self.rest().starts_with('#') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn word(&mut self) -> Range<usize> {
        self.skip();
        let start = self.at;
        let end = self
            .rest()
            .find(|c: char| !(c.is_alphanumeric() || c == '_'));
        self.at = end.map_or(self.text.len(), |e| start + e);
        start..self.at
    }

    fn expect(&mut self, token: &str) -> Result<(), Box<Diagnostic>> {
        self.skip();
        if self.rest().starts_with(token) {
            self.at += token.len();
            return Ok(());
        }
        let found = self.rest().split_whitespace().next().unwrap_or("the end");
        let title = format!(
            "not a property file: expected `{token}`, found `{}`",
            shorten(found)
        );
        let end = self.rest().chars().next().map_or(0, char::len_utf8);
        let error = Diagnostic::error(title, self.place(self.at..self.at + end))
            .help("a property file has `CHECK( init(main()), LTL(G ! call(reach_error())) )`, or conditions in quotes: `LTL(G \"x > 0\")`");
        Err(Box::new(error))
    }

    fn refuse(&mut self, place: Range<usize>, instead: &str) -> Box<Diagnostic> {
        let what = &self.text[place.clone()];
        let title = format!("`{what}` is no property of this tool");
        self.other.get_or_insert(format!("{title}: {instead}"));
        Box::new(Diagnostic::error(title, self.place(place)).help(instead))
    }
}

/// Translated text with the place of each part in the source.
#[derive(Default)]
struct Written {
    value: String,
    steps: Vec<(usize, usize)>,
}

impl Written {
    /// Appends text that stands literally in the source.
    fn push(&mut self, text: &str, source: usize) {
        self.steps.push((self.value.len(), source));
        self.value.push_str(text);
    }

    /// Appends text that replaces one place of the source.
    fn push_as(&mut self, text: &str, source: usize) {
        for c in text.chars() {
            self.push(c.encode_utf8(&mut [0; 4]), source);
        }
    }
}

/// The file name without directories and ending, as the name of a property.
pub(super) fn stem(path: &str) -> String {
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut stems = [".prp", ".ya"].into_iter();
    let stem = stems.find_map(|ending| file.strip_suffix(ending));
    let stem = stem.unwrap_or(file);
    let name: String = stem
        .chars()
        .map(|c| match c {
            '"' | '\\' | ':' => '_',
            c if c.is_control() => '_',
            c => c,
        })
        .take(90)
        .collect();
    match name.trim() {
        "" | "-" => "property".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn formula(text: &str) -> Result<String, String> {
        let (listed, errors) = read(text, 7, "dir/unreach-call.prp");
        match errors.first() {
            Some(error) => Err(error.title.clone()),
            None => Ok(listed.properties[0].ltl.clone().unwrap().to_string()),
        }
    }

    #[test]
    fn formulas_are_read() {
        for (text, expected) in [
            ("CHECK( init(main()), LTL(G \"x > 0\") )", "G {x > 0}"),
            (
                "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
                "G ! \"call(reach_error)\"",
            ),
            (
                "// a comment\nCHECK(init(main()),LTL([](\"f(x) == 1\"-><>\"y\")))",
                "[]({f(x) == 1}-><>{y})",
            ),
            ("CHECK( init(main()), LTL(p-> F q) )", "p-> F q"),
        ] {
            assert_eq!(formula(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn places_are_those_of_the_file() {
        let text = "CHECK( init(main()), LTL(G !call(err()) || \"y\") )";
        let (listed, _) = read(text, 7, "a.prp");
        let ltl = listed.properties[0].ltl.clone().unwrap();
        let at = ltl.find("{y}").unwrap();
        let span = ltl.span_of(at..at + 3);
        assert_eq!(&text[span.start - 7..span.end - 7], "\"y\"");
        let call = listed.propositions[0].span.clone();
        assert_eq!(&text[call.start - 7..call.end - 7], "call(err())");
    }

    #[test]
    fn what_is_no_formula_over_conditions_is_told_apart() {
        for text in [
            "CHECK( init(main()), LTL(G valid-free) )",
            "CHECK( init(main()), LTL(G ! overflow) )",
            "CHECK( init(main()), LTL(F end) )",
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
        ] {
            assert!(unsupported(text).is_some(), "{text}");
            assert!(formula(text).is_err(), "{text}");
        }
        for text in ["CHECK( init(main()), LTL(G \"x\") )", "CHECK(", "", "hello"] {
            assert!(unsupported(text).is_none(), "{text}");
        }
        for text in [
            "CHECK(",
            "hello",
            "CHECK( init(foo()), LTL(p) )",
            "CHECK( init(main()), LTL(\"x ) )",
        ] {
            assert!(formula(text).is_err(), "{text}");
        }
    }
}
