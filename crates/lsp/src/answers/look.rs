//! Hover and definition.

use super::complete::OPERATORS;
use super::At;
use crate::cursor::Field;
use crate::documents::{Subject, Workspace};
use crate::index::Label;
use lsp_types::{
    Hover, HoverContents, Location, MarkupContent, MarkupKind, TextDocumentPositionParams,
};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What the text at the cursor means.
pub(crate) fn hover(space: &Workspace, asked: &TextDocumentPositionParams) -> Option<Hover> {
    let at = At::of(space, asked)?;
    let (text, bytes) = words(space, &at)?;
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: text,
        }),
        range: Some(at.document.text.range(bytes, space.encoding)),
    })
}

fn words(space: &Workspace, at: &At) -> Option<(String, Range<usize>)> {
    let name = at.name();
    let mut subjects = space.subjects_of(&at.path).map(|(_, subject)| subject);
    match at.kind() {
        Field::Formula => {
            if let Some((name, bytes)) = name.clone() {
                let meaning = subjects.find_map(|s| s.checked.meanings.get(name).cloned());
                if let Some(meaning) = meaning {
                    return Some((format!("proposition `{name}`: {meaning}"), bytes));
                }
                if let Some((_, meaning)) = OPERATORS.iter().find(|(o, _)| *o == name) {
                    return Some((format!("`{name}`: {meaning}"), bytes));
                }
            }
            let text = at.text().trim();
            let mut subjects = space.subjects_of(&at.path).map(|(_, subject)| subject);
            let class = subjects.find_map(|s| s.checked.formulas.get(text).cloned())?;
            Some((class, at.around.clone()))
        }
        Field::Sentence => {
            let found = name.and_then(|(name, bytes)| {
                let meaning = |s: &Subject| s.checked.meanings.get(name).cloned();
                let proposition = subjects.find_map(meaning);
                let proposition = proposition.map(|m| format!("proposition `{name}`: {m}"));
                let declared = || declaration(space, at, name);
                Some((proposition.or_else(declared)?, bytes))
            });
            found.or_else(|| Some((sentence(space, at)?, at.around.clone())))
        }
        Field::Condition | Field::Variable | Field::Function => {
            let (name, bytes) = name?;
            Some((declaration(space, at, name)?, bytes))
        }
        Field::Label => {
            let (name, bytes) = name?;
            let label = subjects.find_map(|s| labels(s, name).into_iter().next().cloned())?;
            let line = label.place.line + 1;
            let text = format!(
                "label `{}` of `{}`, line {line}",
                label.name, label.function
            );
            Some((text, bytes))
        }
        Field::Other | Field::Key => {
            let (name, bytes) = name?;
            let uses = subjects.flat_map(|subject| roles(space, subject, &at.path, name, at));
            let uses: Vec<String> = uses.map(|role| role.words).collect();
            (!uses.is_empty()).then(|| (uses.join("\n\n"), bytes))
        }
    }
}

/// The declaration of a variable or function.
fn declaration(space: &Workspace, at: &At, name: &str) -> Option<String> {
    let (function, plain) = parted(name);
    let mut subjects = space.subjects_of(&at.path);
    let declaration = subjects.find_map(|(_, subject)| {
        let index = subject.checked.index.as_ref()?;
        let symbol = index.named(plain, function).next()?;
        Some(symbol.declaration.clone())
    })?;
    let whose = function.map(|f| format!(" of `{f}`")).unwrap_or_default();
    Some(format!("```c\n{declaration};\n```\n{whose}"))
}

/// The formula of a requirement, and what it says in words.
fn sentence(space: &Workspace, at: &At) -> Option<String> {
    let tick = space.tick().and_then(|tick| tick.parse().ok());
    let stated = spec::read_requirements(at.text(), tick).ok()?;
    let stated = stated.first()?;
    let reading = stated.requirement.reading();
    Some(format!("`{}`\n\n{reading}", stated.formula_text()))
}

fn parted(name: &str) -> (Option<&str>, &str) {
    match name.split_once("::") {
        Some((function, name)) => (Some(function), name),
        None => (None, name),
    }
}

fn labels<'a>(subject: &'a Subject, written: &'a str) -> Vec<&'a Label> {
    let index = subject.checked.index.as_ref();
    index.map_or(Vec::new(), |index| index.labelled(written).collect())
}

/// The label of the program that stands at a place of a C file, as a definition or in a jump.
pub(crate) fn label_at<'a>(subject: &'a Subject, at: &At) -> Option<&'a Label> {
    let (name, bytes) = at.name()?;
    let text = at.document.text.as_str();
    let start = text[..bytes.start].rfind('\n').map_or(0, |i| i + 1);
    let line = text[..start].matches('\n').count();
    let here = |place: &crate::index::Place| {
        place.file == at.path && place.line as usize == line && place.column == bytes.start - start
    };
    let labels = subject.checked.index.as_ref()?.labels.iter();
    let mut named = labels.filter(|label| label.name == name);
    named.find(|label| here(&label.place) || label.jumps.iter().any(here))
}

/// A use of a label in the specification.
pub(crate) struct Role {
    words: String,
    /// The file and bytes of the use.
    pub(crate) file: PathBuf,
    pub(crate) bytes: Range<usize>,
    /// The label at the other end of the area.
    other: Option<String>,
}

/// The uses of a label of a C file.
fn roles(space: &Workspace, subject: &Subject, _: &Path, _: &str, at: &At) -> Vec<Role> {
    match label_at(subject, at) {
        Some(label) => uses(space, subject, label),
        None => Vec::new(),
    }
}

/// Where a specification names a label.
pub(crate) fn uses(space: &Workspace, subject: &Subject, label: &Label) -> Vec<Role> {
    let Some(spec) = &subject.spec else {
        return Vec::new();
    };
    let Some(text) = space.text(spec) else {
        return Vec::new();
    };
    let text = text.as_str();
    let strings = crate::cursor::strings(text);
    let named: Vec<_> = strings
        .iter()
        .filter(|s| s.field() == Field::Label)
        .collect();
    let mut found = Vec::new();
    for (number, string) in named.iter().enumerate() {
        let written = &text[string.inside.clone()];
        let (function, name) = parted(written);
        if name != label.name || function.is_some_and(|f| f != label.function) {
            continue;
        }
        let key = string.keys.last().map_or("", String::as_str);
        // The two labels of `span` follow each other in the text.
        let between = |a: &Range<usize>, b: &Range<usize>| {
            text.get(a.end..b.start)
                .is_some_and(|t| !t.contains([']', '[']))
        };
        let neighbour = |other: Option<&&crate::cursor::Quoted>| {
            other
                .filter(|other| other.keys == string.keys)
                .map(|other| other.inside.clone())
        };
        let next = neighbour(named.get(number + 1)).filter(|o| between(&string.inside, o));
        let before = neighbour(number.checked_sub(1).and_then(|n| named.get(n)));
        let before = before.filter(|o| between(o, &string.inside));
        let (what, other) = match (key, next, before) {
            ("span", Some(exit), _) => ("entry of an area", Some(exit)),
            ("span", None, Some(entry)) => ("exit of an area", Some(entry)),
            ("prune", ..) => ("runs are discarded here", None),
            ("reach", ..) => ("its reachability is reported", None),
            _ => ("named by the specification", None),
        };
        let line = text[..string.inside.start].matches('\n').count() + 1;
        let name = spec.file_name().unwrap_or_default().to_string_lossy();
        found.push(Role {
            words: format!("label `{}`: {what} ({name}:{line})", label.name),
            file: spec.clone(),
            bytes: string.inside.start + (written.len() - name_length(written))..string.inside.end,
            other: other.map(|o| text[o].to_owned()),
        });
    }
    found
}

fn name_length(written: &str) -> usize {
    parted(written).1.len()
}

/// Where the name at the cursor is declared; for a label of the program: the areas that it is part of, and
/// their other ends.
pub(crate) fn definition(space: &Workspace, asked: &TextDocumentPositionParams) -> Vec<Location> {
    let Some(at) = At::of(space, asked) else {
        return Vec::new();
    };
    let Some((name, _)) = at.name() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (_, subject) in space.subjects_of(&at.path) {
        match at.kind() {
            Field::Label => {
                let places = labels(subject, name).into_iter().map(|l| &l.place);
                found.extend(places.filter_map(|place| space.location(place)));
            }
            Field::Condition | Field::Variable | Field::Function | Field::Sentence => {
                let (function, plain) = parted(name);
                let index = subject.checked.index.as_ref();
                let symbols = index.into_iter().flat_map(|i| i.named(plain, function));
                let places = symbols.filter_map(|s| s.place.as_ref());
                found.extend(places.filter_map(|place| space.location(place)));
            }
            Field::Formula => found.extend(proposition(space, &at, name)),
            Field::Other | Field::Key => {
                for role in roles(space, subject, &at.path, name, &at) {
                    let range = space.range(&role.file, &crate::host::Where::Bytes(role.bytes));
                    let uri = crate::places::uri_of(&role.file);
                    found.extend(uri.map(|uri| Location::new(uri, range)));
                    let other = role.other.as_deref().unwrap_or_default();
                    let places = labels(subject, other).into_iter().map(|l| &l.place);
                    found.extend(places.filter_map(|place| space.location(place)));
                }
            }
        }
    }
    found.dedup();
    found
}

/// The declaration of a proposition.
fn proposition(space: &Workspace, at: &At, name: &str) -> Option<Location> {
    if crate::documents::is_c(&at.path) {
        return None;
    }
    let text = at.document.text.as_str();
    let mut strings = at.document.strings().iter();
    let declared = strings
        .find(|s| !s.is_key && s.keys == ["pa", "name"] && text[s.inside.clone()] == *name)?;
    let range = at
        .document
        .text
        .range(declared.inside.clone(), space.encoding);
    Some(Location::new(crate::places::uri_of(&at.path)?, range))
}
