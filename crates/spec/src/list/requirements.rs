//! Requirements in structured English: a text file with one in each line, or the JSON that FRET exports.
//!
//! In a text file, a line may have an id and a colon in front of the sentence; empty lines and lines that begin with
//! `#` or `//` are skipped. In JSON, each requirement is an object with a `fulltext` and perhaps a `reqid`; the array of
//! them may stand in an object, as newer exports have it.

use super::definitions::{text_field, Definitions};
use crate::diagnostic::Diagnostic;
use crate::json::{self, Kind, Text, Value};
use crate::wire::WireProperty;
use ltl::{Arena, Atom, Id};
use requirements::{Leaf, Requirement, Tick};
use std::collections::{HashMap, HashSet};

/// A requirement with its sentence.
#[derive(Clone, Debug)]
pub struct Stated {
    /// Its id, or `R` and its number.
    pub id: String,
    /// Where the id stands, if one is written.
    written: Option<Text>,
    /// The sentence.
    pub sentence: Text,
    /// Its parts.
    pub requirement: Requirement,
    /// The names in it that an export gives a meaning that cannot be read, each with the warning to print.
    pub unread: Vec<(String, Diagnostic)>,
}

impl Stated {
    /// Its formula. Names that are no propositions are C conditions.
    pub fn formula(&self, arena: &mut Arena, is_proposition: &dyn Fn(&str) -> bool) -> Id {
        formula(&self.requirement, arena, is_proposition)
    }

    /// Its formula as text, in which names stand as they are.
    pub fn formula_text(&self) -> String {
        let mut arena = Arena::new();
        let root = self.formula(&mut arena, &|_| true);
        let text = requirements::previous::text(&mut arena, root, &self.sentence);
        text.unwrap_or_else(|_| ltl::print(&arena, root, ltl::Style::Ascii))
    }

    /// The formula that a trigger of it comes.
    pub fn trigger(&self, arena: &mut Arena, is_proposition: &dyn Fn(&str) -> bool) -> Id {
        let never = formula(&self.requirement.never_triggered(), arena, is_proposition);
        arena.negate(never)
    }
}

fn formula(
    requirement: &Requirement,
    arena: &mut Arena,
    is_proposition: &dyn Fn(&str) -> bool,
) -> Id {
    requirement.formula(arena, &mut |leaf| atom(leaf, is_proposition))
}

/// What a name or a condition is in the formula.
fn atom(leaf: &Leaf, is_proposition: &dyn Fn(&str) -> bool) -> Atom {
    match leaf {
        Leaf::Name(name) if is_proposition(name) => Atom::Name(name.clone()),
        Leaf::Name(text) | Leaf::Condition(text) => Atom::Condition(text.clone()),
    }
}

/// Reads requirements from a text whose spans begin at 0.
///
/// # Errors
/// All errors, in the order of the text.
pub fn read_alone(text: &str, tick: Option<Tick>) -> Result<Vec<Stated>, Vec<Diagnostic>> {
    read(text, 0, tick)
}

/// Reads requirements; spans begin at `offset`.
pub(super) fn read(
    text: &str,
    offset: usize,
    tick: Option<Tick>,
) -> Result<Vec<Stated>, Vec<Diagnostic>> {
    let (mut stated, mut errors) = (Vec::new(), Vec::new());
    let list = List::of(text, offset)?;
    let definitions = list.definitions()?;
    for (number, (id, sentence)) in list.sentences()?.into_iter().enumerate() {
        match requirements::parse(&sentence, tick) {
            Ok(mut requirement) => {
                let known = definitions.of(&requirement.component);
                requirement.define(&known.resolved);
                let unread = known.unread.iter();
                let unread = unread.filter(|(name, _)| requirement.uses(name));
                stated.push(Stated {
                    id: name(number, id.as_ref()),
                    written: id,
                    sentence,
                    unread: unread.cloned().collect(),
                    requirement,
                });
            }
            Err(error) => {
                let mut title = format!("not a requirement: {error}");
                if let Some(id) = &id {
                    title = format!("{id} is {title}");
                }
                let mut diagnostic = Diagnostic::error(title, sentence.span_of(error.span));
                diagnostic.help = error.help;
                errors.push(diagnostic);
            }
        }
    }
    if errors.is_empty() && stated.is_empty() {
        errors.push(Diagnostic::error(
            "the file has no requirement",
            offset..offset,
        ));
    }
    match errors.is_empty() {
        true => Ok(stated),
        false => Err(errors),
    }
}

/// A text that states requirements, and where it begins.
enum List<'a> {
    Lines(&'a str, usize),
    /// An export of FRET.
    Export(Value, usize),
}

impl List<'_> {
    fn of(text: &str, offset: usize) -> Result<List<'_>, Vec<Diagnostic>> {
        let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
        let offset = offset + (text.len() - plain.len());
        if !plain.trim_start().starts_with(['[', '{']) || !is_json(plain) {
            return Ok(List::Lines(plain, offset));
        }
        let value = json::read(plain).map_err(|e| {
            let span = e.span.start + offset..e.span.end + offset;
            vec![Diagnostic::error(format!("not JSON: {}", e.message), span)]
        })?;
        Ok(List::Export(value, offset))
    }

    /// The ids and sentences, as they are written.
    fn sentences(&self) -> Result<Vec<(Option<Text>, Text)>, Vec<Diagnostic>> {
        match self {
            List::Lines(text, offset) => Ok(lines(text, *offset)),
            List::Export(value, offset) => exported(value, *offset),
        }
    }

    /// What the internal variables and the modes of an export stand for; none of a text file.
    fn definitions(&self) -> Result<Definitions, Vec<Diagnostic>> {
        match self {
            List::Lines(..) => Ok(Definitions::default()),
            List::Export(value, offset) => Definitions::read(value, *offset),
        }
    }
}

/// The name of a requirement: its id, or its number.
fn name(number: usize, id: Option<&Text>) -> String {
    id.map_or(format!("R{}", number + 1), |id| id.to_string())
}

/// The names of the requirements of a text, and where their sentences stand, whether these can be read or not; none of a
/// text that is no list of them.
pub fn places(text: &str) -> Vec<(String, std::ops::Range<usize>)> {
    let all = List::of(text, 0).and_then(|list| list.sentences());
    let all = all.unwrap_or_default().into_iter();
    let place = |(number, (id, sentence)): (usize, (Option<Text>, Text))| {
        (name(number, id.as_ref()), sentence.span())
    };
    all.enumerate().map(place).collect()
}

/// Whether a text that begins with a bracket is JSON, and not a line that begins with a bracketed id or a C condition.
fn is_json(text: &str) -> bool {
    let inside = text.trim_start()[1..].trim_start();
    inside.starts_with(['{', '"', ']', '}'])
}

/// The ids and sentences of a text file.
fn lines(text: &str, offset: usize) -> Vec<(Option<Text>, Text)> {
    let mut found = Vec::new();
    let mut at = offset;
    for line in text.split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let line = Text::plain(line.trim(), start);
        if !line.is_empty() && !line.starts_with('#') && !line.starts_with("//") {
            found.push(identified(&line));
        }
    }
    found
}

/// Divides a line into its id, if it has one, and its sentence. An id has no spaces, so that no colon of a C condition
/// ends one.
fn identified(line: &Text) -> (Option<Text>, Text) {
    let is_id = |c: char| !c.is_whitespace() && !matches!(c, '{' | '"' | '(' | ':');
    let end = line.find(|c: char| !is_id(c)).unwrap_or(line.len());
    let rest = &line[end..];
    let spaces = rest.len() - rest.trim_start().len();
    match rest.trim_start().strip_prefix(':') {
        Some(sentence) if end > 0 && !sentence.starts_with(':') => {
            let from = end + spaces + 1;
            let from = from + (line[from..].len() - line[from..].trim_start().len());
            let brackets = line.starts_with('[') && line[..end].ends_with(']') && end > 2;
            let id = match brackets {
                true => line.part(1..end - 1),
                false => line.part(0..end),
            };
            (Some(id), line.part(from..line.len()))
        }
        _ => (None, line.clone()),
    }
}

/// The ids and sentences of an export of FRET.
fn exported(value: &Value, offset: usize) -> Result<Vec<(Option<Text>, Text)>, Vec<Diagnostic>> {
    let list = match &value.kind {
        Kind::Array(items) => items.as_slice(),
        Kind::Object(fields) => {
            let arrays = fields.iter().filter_map(|(name, value)| match &value.kind {
                Kind::Array(items) if name.as_str() == "requirements" => Some(items.as_slice()),
                _ => None,
            });
            let one = std::slice::from_ref(value);
            arrays.into_iter().next().unwrap_or(one)
        }
        _ => &[],
    };
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for item in list {
        match sentence(item) {
            Ok(stated) => found.push(stated),
            Err(mut error) => {
                error.span = error.span.start + offset..error.span.end + offset;
                errors.push(*error);
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let moved = |text: Text| text.moved(offset);
    let all = found.into_iter();
    Ok(all.map(|(id, s)| (id.map(moved), moved(s))).collect())
}

/// The id and the sentence of an exported requirement.
fn sentence(item: &Value) -> Result<(Option<Text>, Text), Box<Diagnostic>> {
    if !matches!(item.kind, Kind::Object(_)) {
        let title = format!("a requirement is an object, not {}", item.kind.name());
        return Err(Box::new(Diagnostic::error(title, item.span.clone())));
    }
    let id = text_field(item, "reqid").filter(|id| !id.trim().is_empty());
    match text_field(item, "fulltext") {
        Some(sentence) => Ok((id, sentence)),
        None => {
            let title = "this requirement has no `fulltext`";
            let help = "export the requirements from FRET with their sentences";
            let start = item.span.start..item.span.start + 1;
            Err(Box::new(Diagnostic::error(title, start).help(help)))
        }
    }
}

/// The warnings about names whose meaning cannot be read and that no proposition gives another one.
pub(super) fn warnings(stated: &[Stated], declared: &HashSet<&str>) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    for (name, warning) in stated.iter().flat_map(|stated| &stated.unread) {
        if !declared.contains(name.as_str()) && !all.contains(warning) {
            all.push(warning.clone());
        }
    }
    all
}

/// The requirements as properties. A name that is no declared proposition is a C condition. With a clock, it measures the
/// durations.
///
/// # Errors
/// Requirements whose durations the clock cannot measure.
pub(super) fn properties(
    stated: &[Stated],
    declared: &HashSet<&str>,
    clock: bool,
) -> Result<Vec<WireProperty>, Vec<Diagnostic>> {
    let property = |stated: &Stated| -> Result<WireProperty, Box<Diagnostic>> {
        let mut arena = Arena::new();
        let root = match clock {
            true => timed(stated, &mut arena, declared)?,
            false => stated.formula(&mut arena, &|name| declared.contains(name)),
        };
        let printed = requirements::previous::text(&mut arena, root, &stated.sentence);
        let printed = printed.map_err(|error| {
            let title = format!("{}: {error}", stated.id);
            let mut diagnostic = Diagnostic::error(title, stated.sentence.span_of(error.span));
            diagnostic.help = error.help;
            Box::new(diagnostic)
        })?;
        let span = stated.sentence.span();
        let name = match &stated.written {
            Some(id) => id.clone(),
            None => Text::with_steps(stated.id.clone(), span.clone(), vec![(0, span.start)]),
        };
        Ok(WireProperty {
            name: Some(name),
            ltl: Some(placed(stated, printed, declared)),
            expect: None,
            span,
        })
    };
    let (mut all, mut errors) = (Vec::new(), Vec::new());
    for stated in stated {
        match property(stated) {
            Ok(property) => all.push(property),
            Err(error) => errors.push(*error),
        }
    }
    match errors.is_empty() {
        true => Ok(all),
        false => Err(errors),
    }
}

/// The formula of a requirement whose durations a clock measures.
fn timed(
    stated: &Stated,
    arena: &mut Arena,
    declared: &HashSet<&str>,
) -> Result<Id, Box<Diagnostic>> {
    let mut atom = |leaf: &Leaf| atom(leaf, &|name| declared.contains(name));
    let formula = stated.requirement.timed_formula(arena, &mut atom);
    formula.ok_or_else(|| {
        let title = format!("{}: the clock does not measure this duration", stated.id);
        let error = Diagnostic::error(title, stated.sentence.span());
        Box::new(error.help("predicates such as `persisted(5, p)` count letters, and no time"))
    })
}

/// The printed formula, in which each name and condition has the place that it has in the sentence, and everything else
/// that of the sentence.
fn placed(stated: &Stated, printed: String, declared: &HashSet<&str>) -> Text {
    let whole = stated.sentence.span();
    let mut places: HashMap<Atom, std::ops::Range<usize>> = HashMap::new();
    for (leaf, span) in stated.requirement.leaves() {
        let atom = atom(leaf, &|name| declared.contains(name));
        places.entry(atom).or_insert(span);
    }
    let mut steps: Vec<(usize, usize)> = (0..printed.len()).map(|at| (at, whole.start)).collect();
    steps.push((printed.len(), whole.end));
    if let Ok(parsed) = ltl::parse(&printed) {
        for (atom, range) in &parsed.occurrences {
            let atom = &parsed.arena.atoms()[atom.0 as usize];
            let Some(place) = places.get(atom) else {
                continue;
            };
            // The braces of the formula are none of the sentence, unless it has braces or quotes itself.
            let enclosed = stated.sentence[place.start..].starts_with(['{', '"']);
            let inside = usize::from(matches!(atom, Atom::Condition(_)) && !enclosed);
            let place = stated.sentence.span_of(place.clone());
            for at in range.clone() {
                let along = (at - range.start).saturating_sub(inside);
                steps[at].1 = (place.start + along).min(place.end);
            }
            if let Some(end) = steps
                .get_mut(range.end)
                .filter(|_| range.end < printed.len())
            {
                end.1 = place.end;
            }
        }
    }
    Text::with_steps(printed, whole, steps)
}
