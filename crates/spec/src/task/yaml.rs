//! Parses one YAML document and keeps the place of each node. Aliases and tags are refused: no task
//! needs them, and aliases can make a small text huge.

use crate::diagnostic::Diagnostic;
use crate::json::Text;
use saphyr_parser::{Event, Parser, Span};
use std::ops::Range;

/// The greatest depth of nesting; no task needs more.
const MAX_DEPTH: usize = 64;

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Scalar(Text),
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

impl Node {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let Kind::Mapping(members) = &self.kind else {
            return None;
        };
        let found = members
            .iter()
            .find(|(k, _)| k.text().is_some_and(|t| t.as_str() == key));
        found.map(|(_, value)| value)
    }

    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&Text> {
        match &self.kind {
            Kind::Scalar(text) => Some(text),
            _ => None,
        }
    }
}

/// A sequence or mapping whose end was not yet read: its start, its items, and a key without value.
enum Open {
    Sequence(usize, Vec<Node>),
    Mapping(usize, Vec<(Node, Node)>, Option<Node>),
}

/// Parses the only document of a text.
pub(super) fn read(text: &str) -> Result<Node, Box<Diagnostic>> {
    // The parser's indices count characters, spans count bytes.
    let mut bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    bytes.push(text.len());
    let byte = |index: usize| bytes.get(index).copied().unwrap_or(text.len());
    let range = |span: &Span| {
        let start = byte(span.start.index());
        start..byte(span.end.index()).max(start)
    };
    let mut reader = Reader::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = byte(error.marker().index());
            Box::new(Diagnostic::error(
                format!("not YAML: {}", error.info()),
                at..at,
            ))
        })?;
        reader.event(event, range(&span), text)?;
    }
    let empty = || Box::new(Diagnostic::error("the file is empty", 0..0));
    reader.root.ok_or_else(empty)
}

#[derive(Default)]
struct Reader {
    open: Vec<Open>,
    root: Option<Node>,
}

impl Reader {
    fn event(
        &mut self,
        event: Event,
        span: Range<usize>,
        text: &str,
    ) -> Result<(), Box<Diagnostic>> {
        if self.open.len() > MAX_DEPTH {
            return Err(Box::new(Diagnostic::error("nested too deeply", span)));
        }
        match event {
            Event::Alias(_) => {
                return Err(Box::new(Diagnostic::error(
                    "aliases are not followed",
                    span,
                )));
            }
            Event::Scalar(value, ..) => {
                let quoted = text[span.clone()].starts_with(['"', '\'']);
                let start = span.start + usize::from(quoted);
                let scalar = Text::with_steps(value.into_owned(), span.clone(), vec![(0, start)]);
                self.add(Node {
                    kind: Kind::Scalar(scalar),
                    span,
                })?;
            }
            Event::SequenceStart(..) => self.open.push(Open::Sequence(span.start, Vec::new())),
            Event::MappingStart(..) => {
                self.open.push(Open::Mapping(span.start, Vec::new(), None));
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span.end)?,
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, end: usize) -> Result<(), Box<Diagnostic>> {
        let (start, kind) = match self.open.pop() {
            Some(Open::Sequence(start, items)) => (start, Kind::Sequence(items)),
            Some(Open::Mapping(start, members, _)) => (start, Kind::Mapping(members)),
            None => return Ok(()),
        };
        self.add(Node {
            kind,
            span: start..end.max(start),
        })
    }

    fn add(&mut self, node: Node) -> Result<(), Box<Diagnostic>> {
        match self.open.last_mut() {
            Some(Open::Sequence(_, items)) => items.push(node),
            Some(Open::Mapping(_, members, key)) => match key.take() {
                None => *key = Some(node),
                Some(key) => members.push((key, node)),
            },
            None if self.root.is_some() => {
                return Err(Box::new(Diagnostic::error(
                    "a second document follows",
                    node.span,
                )));
            }
            None => self.root = Some(node),
        }
        Ok(())
    }
}
