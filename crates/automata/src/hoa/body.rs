//! The states and edges of an automaton.

use super::header::Header;
use super::lexer::{Kind, Token};
use super::HoaError;
use crate::guard::Guard;
use crate::limits::{Limits, TooLarge};
use std::collections::BTreeMap;
use std::ops::Range;

/// The most propositions with implicit labels: each state then has an edge for each letter.
const MAX_IMPLICIT: usize = 10;

/// An edge as in the text.
pub(super) struct Edge {
    pub guard: Guard,
    pub target: u32,
    /// The acceptance sets, as bits.
    pub marks: u64,
}

/// The reader of the body.
struct Reader<'a> {
    header: &'a mut Header,
    tokens: &'a [Token],
    at: usize,
    /// The place for errors about missing text.
    end: Range<usize>,
    states: BTreeMap<u32, Vec<Edge>>,
    edges: usize,
    limits: &'a Limits,
}

/// Reads the body, up to `--END--`; returns the edges of each state that has some.
pub(super) fn read(
    header: &mut Header,
    tokens: &[Token],
    length: usize,
    limits: &Limits,
) -> Result<BTreeMap<u32, Vec<Edge>>, HoaError> {
    let mut reader = Reader {
        header,
        tokens,
        at: 0,
        end: length..length,
        states: BTreeMap::new(),
        edges: 0,
        limits,
    };
    loop {
        match reader.kind() {
            Some(Kind::Header(name)) if name == "State" => reader.state()?,
            Some(Kind::End) => break,
            _ => return Err(reader.unexpected("`State:` or `--END--`")),
        }
    }
    if let Some(more) = tokens.get(reader.at + 1) {
        let message = "a second automaton begins here";
        return Err(HoaError::new(message, &more.span).help("leave one automaton in the file"));
    }
    Ok(reader.states)
}

impl Reader<'_> {
    fn kind(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|t| &t.kind)
    }

    fn span(&self) -> &Range<usize> {
        self.tokens.get(self.at).map_or(&self.end, |t| &t.span)
    }

    fn unexpected(&self, expected: &str) -> HoaError {
        let token = self.tokens.get(self.at);
        let found = token.map_or("the end of the text".to_owned(), Token::found);
        HoaError::new(format!("expected {expected}, found {found}"), self.span())
    }

    fn is_sign(&self, sign: char) -> bool {
        self.kind() == Some(&Kind::Sign(sign))
    }

    /// `State:` with its edges.
    fn state(&mut self) -> Result<(), HoaError> {
        self.at += 1;
        let label = self.label()?;
        let span = self.span().clone();
        let number = self.number()?;
        if matches!(self.kind(), Some(Kind::Text(_))) {
            self.at += 1;
        }
        let marks = self.marks()?;
        let mut edges: Vec<(Edge, bool)> = Vec::new();
        while self.is_sign('[') || matches!(self.kind(), Some(Kind::Int(_))) {
            let (mut edge, labelled) = self.edge()?;
            edge.marks |= marks;
            if let (Some(_), true) = (&label, labelled) {
                let message = "both the state and its edge have a label";
                return Err(HoaError::new(message, &span));
            }
            edges.push((edge, labelled));
            self.edges += 1;
            Limits::check("edges", self.edges, self.limits.edges)
                .map_err(|e| HoaError::too_large(e, &span))?;
        }
        let edges = match label {
            Some(guard) => edges
                .into_iter()
                .map(|(edge, _)| Edge {
                    guard: guard.clone(),
                    ..edge
                })
                .collect(),
            None if edges.iter().all(|(_, labelled)| *labelled) => {
                edges.into_iter().map(|(edge, _)| edge).collect()
            }
            None => self.implicit(edges, &span)?,
        };
        if self.states.insert(number, edges).is_some() {
            let message = format!("the state {number} is defined twice");
            return Err(HoaError::new(message, &span));
        }
        Limits::check("states", self.states.len(), self.limits.states)
            .map_err(|e| HoaError::too_large(e, &span))
    }

    /// An edge, and whether it has a label.
    fn edge(&mut self) -> Result<(Edge, bool), HoaError> {
        let guard = self.label()?;
        let target = self.number()?;
        if self.is_sign('&') {
            return Err(HoaError::new("the automaton is alternating", self.span())
                .help("ask the other tool for a non-deterministic one"));
        }
        let marks = self.marks()?;
        let labelled = guard.is_some();
        let guard = guard.unwrap_or_else(Guard::top);
        Ok((
            Edge {
                guard,
                target,
                marks,
            },
            labelled,
        ))
    }

    /// A label in brackets, if there is one.
    fn label(&mut self) -> Result<Option<Guard>, HoaError> {
        if !self.is_sign('[') {
            return Ok(None);
        }
        self.at += 1;
        let (guard, used) = self
            .header
            .labels
            .read(&self.tokens[self.at..], &self.end)?;
        self.at += used;
        if !self.is_sign(']') {
            return Err(self.unexpected("`]`"));
        }
        self.at += 1;
        Ok(Some(guard))
    }

    /// The number of a state.
    fn number(&mut self) -> Result<u32, HoaError> {
        let Some(&Kind::Int(number)) = self.kind() else {
            return Err(self.unexpected("the number of a state"));
        };
        if let Some((states, _)) = &self.header.states {
            if number >= *states {
                let message = format!("there are only {states} states, from 0");
                return Err(HoaError::new(message, self.span()));
            }
        }
        self.at += 1;
        Ok(number)
    }

    /// Acceptance sets in braces, if there are any.
    fn marks(&mut self) -> Result<u64, HoaError> {
        let mut marks = 0;
        if !self.is_sign('{') {
            return Ok(marks);
        }
        self.at += 1;
        while let Some(&Kind::Int(set)) = self.kind() {
            if set >= self.header.sets {
                let message = format!("there is no acceptance set {set}");
                return Err(HoaError::new(message, self.span()));
            }
            marks |= 1 << set;
            self.at += 1;
        }
        if !self.is_sign('}') {
            return Err(self.unexpected("the number of an acceptance set or `}`"));
        }
        self.at += 1;
        Ok(marks)
    }

    /// Edges without labels: one for each letter, in the order of binary numbers whose lowest digit is the
    /// first proposition.
    fn implicit(
        &self,
        edges: Vec<(Edge, bool)>,
        span: &Range<usize>,
    ) -> Result<Vec<Edge>, HoaError> {
        let atoms = &self.header.labels.atoms;
        if atoms.len() > MAX_IMPLICIT {
            let error = TooLarge {
                what: "propositions without explicit labels",
                limit: MAX_IMPLICIT,
            };
            return Err(HoaError::too_large(error, span));
        }
        if edges.len() != 1 << atoms.len() || edges.iter().any(|(_, labelled)| *labelled) {
            let message = "a state without labels has one edge for each letter";
            return Err(HoaError::new(message, span));
        }
        let mut all = Vec::with_capacity(edges.len());
        for (letter, (edge, _)) in edges.into_iter().enumerate() {
            let mut guard = Guard::top();
            for (index, &atom) in atoms.iter().enumerate() {
                let literal = Guard::literal(atom, letter >> index & 1 == 1);
                guard = guard.and(&literal.unwrap_or_else(Guard::top));
            }
            all.push(Edge { guard, ..edge });
        }
        Ok(all)
    }
}
