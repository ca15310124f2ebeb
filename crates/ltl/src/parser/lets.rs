//! Values that are remembered: `let v = msg in F {data == v}`.

use super::{Parser, Pending};
use crate::error::ParseError;
use crate::remembered::{proposition, Remembered};
use crate::token::{continues_word, Header};
use crate::{Atom, AtomId, Node};
use std::ops::Range;

/// Whether a name occurs in C text, and not as a part of another one or a member.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let member = text[..at].trim_end().ends_with(['.', ':']) || text[..at].ends_with("->");
        !before.is_some_and(continues_word) && !after.is_some_and(continues_word) && !member
    })
}

impl Parser<'_> {
    /// Handles `let v = value in`; a formula must follow.
    pub(super) fn open_let(
        &mut self,
        header: &Header,
        span: Range<usize>,
    ) -> Result<(), ParseError> {
        let refused = |what: &str, help: &str| ParseError {
            help: Some(help.to_owned()),
            ..ParseError::new(what, "a value of its own name", span.clone())
        };
        if self.sequences > 0 {
            let help = "a sequence may stand behind `in`, as in `let v = x in {a; {y == v}} |-> b`";
            return Err(refused("`let` within a sequence", help));
        }
        if self.remembered.iter().any(|r| r.name == header.name) {
            let what = format!("a second `let {}`", header.name);
            return Err(refused(&what, "give each remembered value another name"));
        }
        let text = &self.text[header.value.clone()];
        if let Some(outer) = self.open_lets().find(|r| mentions(text, &r.name)) {
            let what = format!(
                "the remembered `{}` in the value of another one",
                outer.name
            );
            return Err(refused(
                &what,
                "a value is a C expression over the program alone",
            ));
        }
        let text = text.to_owned();
        let atom = self
            .arena
            .atom(Atom::Name(proposition(&header.name, &text)));
        self.pending
            .push(Pending::Let(self.remembered.len(), span.start));
        self.remembered.push(Remembered {
            name: header.name.clone(),
            value: header.value.clone(),
            atom,
            guards: Vec::new(),
            compared: Vec::new(),
            span,
        });
        Ok(())
    }

    /// The values that can be read at the current token.
    fn open_lets(&self) -> impl Iterator<Item = &Remembered> {
        self.pending.iter().filter_map(|pending| match pending {
            Pending::Let(number, _) => self.remembered.get(*number),
            _ => None,
        })
    }

    /// The proposition of a condition that reads remembered values, if it does.
    pub(super) fn compared(&mut self, condition: &str, span: &Range<usize>) -> Option<AtomId> {
        let open = self.open_lets().filter(|r| mentions(condition, &r.name));
        let read: Vec<String> = open.map(|r| r.name.clone()).collect();
        if read.is_empty() {
            return None;
        }
        let atom = self.arena.atom(Atom::Name(condition.to_owned()));
        let written = &self.text[span.clone()];
        let start = span.start + written.find(condition).unwrap_or(0);
        for remembered in &mut self.remembered {
            if read.contains(&remembered.name) {
                let inside = start..start + condition.len();
                remembered.compared.push((atom, inside));
            }
        }
        Some(atom)
    }

    /// Completes `let` with the formula behind it.
    pub(super) fn reduce_let(&mut self, number: usize, start: usize) -> Result<(), ParseError> {
        self.pending.pop();
        let Some(mut body) = self.operands.pop() else {
            return Err(self.unexpected("a formula"));
        };
        self.report_mixture(&mut body);
        let inner = self.formula_of(&body)?;
        let atom = self.remembered[number].atom;
        let chosen = self.arena.make(Node::Atom(atom));
        self.push(Node::Implies(chosen, inner), start..body.span.end)
    }
}
