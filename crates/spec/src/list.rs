//! Lists of properties in files of their own: one formula per line, the catalogues of the RERS
//! challenge, and CSV.
//!
//! Each line is a formula, optionally after a name and a colon. `#` and `//` begin a comment; `#
//! expect: violated` after a formula is its expected verdict. A comment of the form `#12: text` is
//! a heading as in RERS catalogues: the next formula is called `#12`. If nothing follows the colon,
//! one line of explanation may stand between the heading and the formula.
//!
//! Property files (`.prp`), state machines (`.ya`) and the annotations of C files are lists, too.

mod annotations;
mod csv;
mod definitions;
pub(crate) mod followed;
pub(crate) mod machine;
mod property_file;
pub(crate) mod requirements;
mod ya;

pub use annotations::has_annotations;
pub use property_file::unsupported;

use crate::diagnostic::Diagnostic;
use crate::followed::Followed;
use crate::json::Text;
use crate::wire::{shorten, WireArea, WireProperty, WireProposition};
use machine::WireMachine;
use std::collections::HashSet;
use std::ops::Range;

/// A list of properties.
#[derive(Clone, Copy, Debug, Default)]
pub struct List<'a> {
    /// The name of the file; its ending tells the format: `.csv` a table (or any ending if the
    /// first line has a column `ltl`), `.prp` a property file, `.ya` a state machine, `.c` or `.i` a program with formulas
    /// in its comments.
    pub name: &'a str,
    /// The content.
    pub text: &'a str,
    /// The offset at which the spans of everything read from the list begin.
    pub offset: usize,
    /// The expected verdict of its properties, if a task definition gives one.
    pub expected: Option<bool>,
    /// How it is read.
    pub reading: Reading,
}

/// How a list of properties is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reading {
    /// As the name of the file tells.
    #[default]
    ByName,
    /// As requirements in structured English, or as FRET exports them; with the time from letter to letter, if it is
    /// known.
    Requirements(Option<::requirements::Tick>),
}

/// The content of a list.
#[derive(Default)]
pub(crate) struct Listed {
    pub(crate) properties: Vec<WireProperty>,
    /// The propositions that its formulas need.
    pub(crate) propositions: Vec<WireProposition>,
    /// The state machines that runs have to follow.
    pub(crate) machines: Vec<WireMachine>,
    /// Those that read data, with their names.
    pub(crate) followed: Vec<(Followed, Text)>,
    /// What is said of its texts.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Whether a property with the name of an earlier one gets a number; otherwise it is refused.
    pub(crate) numbered: bool,
}

/// Reads a list. `declared` are the propositions of the specification, which may have a clock.
pub(crate) fn read(
    list: &List,
    declared: &HashSet<&str>,
    clock: bool,
) -> Result<Listed, Vec<Diagnostic>> {
    if let Reading::Requirements(tick) = list.reading {
        let stated = requirements::read(list.text, list.offset, tick)?;
        return Ok(Listed {
            properties: requirements::properties(&stated, declared, clock)?,
            warnings: requirements::warnings(&stated, declared),
            ..Listed::default()
        });
    }
    let text = list.text.strip_prefix('\u{feff}').unwrap_or(list.text);
    let offset = list.offset + (list.text.len() - text.len());
    let name = list.name.to_ascii_lowercase();
    let named = |ending: &str| name.ends_with(ending);
    let of_properties = |(properties, errors)| {
        let listed = Listed {
            properties,
            ..Listed::default()
        };
        (listed, errors)
    };
    if named(".ya") {
        return one_machine(text, offset, list.name).map_err(|error| vec![*error]);
    }
    let (mut listed, errors) = if named(".prp") {
        property_file::read(text, offset, list.name)
    } else if named(".c") || named(".i") {
        annotations::read(text, offset)
    } else if named(".csv") || csv::is_heading(text) {
        of_properties(csv::read(text, offset))
    } else {
        let mut lines = Lines::default();
        lines.read(text, offset);
        of_properties((lines.properties, lines.errors))
    };
    if !errors.is_empty() {
        return Err(errors);
    }
    // A file of a program need not have a formula.
    if listed.properties.is_empty() && !named(".c") && !named(".i") {
        let title = "the list has no formula";
        return Err(vec![Diagnostic::error(title, offset..offset)]);
    }
    listed.numbered = [".prp", ".c", ".i"].into_iter().any(named);
    if let Some(expected) = list.expected {
        let word = if expected { "satisfied" } else { "violated" };
        for property in &mut listed.properties {
            let expect = Text::with_steps(word.to_owned(), offset..offset, vec![(0, offset)]);
            property.expect.get_or_insert(expect);
        }
    }
    Ok(listed)
}

/// A list of one state machine, which has the name of its file.
fn one_machine(text: &str, offset: usize, file: &str) -> Result<Listed, Box<Diagnostic>> {
    let states = ya::read(text, offset)?;
    let name = property_file::stem(file);
    let name = Text::with_steps(name, offset..offset, vec![(0, offset)]);
    if states.reads_data {
        return Ok(Listed {
            followed: vec![(states.followed(&name)?, name)],
            ..Listed::default()
        });
    }
    let (machine, propositions) = states.deterministic(name)?;
    Ok(Listed {
        propositions,
        machines: vec![machine],
        ..Listed::default()
    })
}

/// The proposition that a function runs.
fn running(
    name: &str,
    function: Text,
    instances: Option<&str>,
    span: Range<usize>,
) -> WireProposition {
    let text =
        |value: &str| Text::with_steps(value.to_owned(), span.clone(), vec![(0, span.start)]);
    WireProposition {
        name: Some(text(name)),
        default: Some(false),
        expr: None,
        params: None,
        cond: Some(text("1")),
        area_keys: vec![function.span()],
        evaluation_keys: vec![span.clone()],
        instances: instances.map(text),
        area: Some(WireArea::Function(function)),
        span: span.clone(),
    }
}

/// A heading whose formula has not come yet.
struct Heading {
    name: Text,
    /// Whether text follows the colon.
    explained: bool,
    /// A line that is no comment and was taken for an explanation.
    explanation: Option<Text>,
}

#[derive(Default)]
struct Lines {
    properties: Vec<WireProperty>,
    errors: Vec<Diagnostic>,
    heading: Option<Heading>,
}

impl Lines {
    fn read(&mut self, text: &str, offset: usize) {
        let mut at = offset;
        for line in text.split_inclusive('\n') {
            let start = at + (line.len() - line.trim_start().len());
            self.line(&Text::plain(line.trim(), start));
            at += line.len();
        }
        self.end_heading();
    }

    fn line(&mut self, line: &Text) {
        if line.is_empty() || line.starts_with("//") {
            return;
        }
        if let Some(heading) = heading(line) {
            self.end_heading();
            self.heading = Some(heading);
        } else if line.starts_with('#') {
            // A comment, such as the alphabets at the start of a catalogue.
        } else if let Some(verdict) = official(line) {
            self.verdict(line, verdict);
        } else if self.is_explanation(line) {
            if let Some(heading) = &mut self.heading {
                heading.explanation = Some(line.clone());
            }
        } else {
            self.property(line);
        }
    }

    /// Whether a line after a heading without text is prose: formulas of catalogues begin with a
    /// parenthesis or an operator, prose begins with two words.
    fn is_explanation(&self, line: &Text) -> bool {
        let bare = |h: &Heading| !h.explained && h.explanation.is_none();
        let word = |w: Option<&str>| {
            w.is_some_and(|w| {
                w.len() > 1
                    && w.chars()
                        .all(|c| c.is_ascii_lowercase() || c == ',' || c == '-')
            })
        };
        let mut words = line.split_whitespace();
        self.heading.as_ref().is_some_and(bare) && word(words.next()) && words.next().is_some()
    }

    /// Ends a heading or an explanation without a formula. The explanation may have been a formula
    /// after all; then the parser of formulas reports its errors.
    fn end_heading(&mut self) {
        let Some(heading) = self.heading.take() else {
            return;
        };
        match heading.explanation {
            Some(line) => self.add(Some(heading.name), line, None),
            None => {
                let title = format!(
                    "no formula follows the heading `{}`",
                    shorten(&heading.name)
                );
                self.errors
                    .push(Diagnostic::error(title, heading.name.span()));
            }
        }
    }

    fn property(&mut self, line: &Text) {
        let (content, comment) = split_comment(line);
        let expect = comment.and_then(|comment| self.expectation(&comment));
        let (own, formula) = split_name(&content);
        let name = own.or(self.heading.take().map(|h| h.name));
        self.heading = None;
        self.add(name, formula, expect);
    }

    fn add(&mut self, name: Option<Text>, ltl: Text, expect: Option<Text>) {
        let start = name.as_ref().map_or(ltl.span().start, |n| n.span().start);
        let span = start.min(ltl.span().start)..ltl.span().end;
        self.properties.push(WireProperty {
            name,
            ltl: Some(ltl),
            expect,
            span,
        });
    }

    /// Records the verdict that a catalogue with solutions gives for the preceding formula.
    fn verdict(&mut self, line: &Text, verdict: &str) {
        match self.properties.last_mut() {
            Some(property) if property.expect.is_none() && self.heading.is_none() => {
                property.expect = Some(Text::plain(verdict, line.span().start));
            }
            _ => {
                let title = "a verdict without a formula in front of it";
                self.errors.push(Diagnostic::error(title, line.span()));
            }
        }
    }

    /// The expected verdict in a comment after a formula.
    fn expectation(&mut self, comment: &Text) -> Option<Text> {
        let rest = comment.trim_start().strip_prefix("expect")?;
        let value = rest.trim_start().strip_prefix(':')?.trim();
        let word = value.split_whitespace().next().unwrap_or_default();
        if word.is_empty() {
            let title = "no verdict follows `expect:`";
            self.errors.push(Diagnostic::error(title, comment.span()));
            return None;
        }
        let start = comment.len() - value_tail(comment, value);
        Some(comment.part(start..start + word.len()))
    }
}

/// The number of bytes from the start of `part` to the end of `text`; only white space may follow
/// `part`.
fn value_tail(text: &str, part: &str) -> usize {
    part.len() + (text.len() - text.trim_end().len())
}

/// `#12:` or `#12: explanation`.
fn heading(line: &Text) -> Option<Heading> {
    let rest = line.strip_prefix('#')?.trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let explanation = rest.get(digits..)?.trim_start().strip_prefix(':')?;
    let start = line.len() - rest.len();
    (digits > 0).then(|| {
        let number = line.part(start..start + digits);
        let value = format!("#{}", number.as_str());
        let span = line.span().start..number.span().end;
        let steps = vec![(0, span.start), (1, number.span().start)];
        Heading {
            name: Text::with_steps(value, span, steps),
            explained: !explanation.trim().is_empty(),
            explanation: None,
        }
    })
}

/// The verdict in a sentence of the challenge's published solutions.
fn official(line: &str) -> Option<&'static str> {
    let line = line.to_ascii_lowercase();
    let rest = line
        .strip_prefix("formula is ")
        .or_else(|| line.strip_prefix("formula "))?;
    match rest {
        r if r.starts_with("not satisfied") || r.starts_with("violated") => Some("violated"),
        r if r.starts_with("satisfied") => Some("satisfied"),
        _ => None,
    }
}

/// Splits a line into its content and its comment. In braces and quotes, no comment begins.
fn split_comment(line: &Text) -> (Text, Option<Text>) {
    let mut outside = Outside::default();
    let begins = |at: usize, c: char| c == '#' || line[at..].starts_with("//");
    match line
        .char_indices()
        .find(|&(at, c)| outside.see(c) && begins(at, c))
    {
        None => (line.clone(), None),
        Some((at, c)) => {
            let sign = if c == '#' { 1 } else { 2 };
            let content = line[..at].trim_end().len();
            (
                line.part(0..content),
                Some(line.part(at + sign..line.len())),
            )
        }
    }
}

/// Splits a line into name and formula. A formula has no colon outside of braces.
fn split_name(line: &Text) -> (Option<Text>, Text) {
    let mut outside = Outside::default();
    let Some((at, _)) = line
        .char_indices()
        .find(|&(_, c)| outside.see(c) && c == ':')
    else {
        return (None, line.clone());
    };
    let name = line[..at].trim_end().len();
    let formula = line[at + 1..].trim_start().len();
    let rest = line.part(line.len() - formula..line.len());
    (Some(line.part(0..name)), rest)
}

/// Tracks whether a character stands outside of braces and quotes.
#[derive(Default)]
struct Outside {
    braces: usize,
    quoted: bool,
}

impl Outside {
    fn see(&mut self, c: char) -> bool {
        match c {
            '"' if self.braces == 0 => self.quoted = !self.quoted,
            '{' if !self.quoted => self.braces += 1,
            '}' if !self.quoted => self.braces = self.braces.saturating_sub(1),
            _ => return self.braces == 0 && !self.quoted,
        }
        false
    }
}

#[cfg(test)]
mod tests;
