//! Formulas that remember values of the program.

use super::Reader;
use crate::diagnostic::Diagnostic;
use crate::json::Text;
use crate::model::{Area, Evaluation, Instances, Proposition, Remembered};
use crate::wire::shorten;
use ltl::{Atom, Id, Node, ParsedInto};

impl Reader {
    /// Adds the values that a formula remembers, and the propositions about them.
    pub(super) fn remember(&mut self, parsed: &ParsedInto, text: &Text) -> Option<()> {
        let counts = !self.arena.is_next_free(parsed.root);
        for remembered in &parsed.remembered {
            self.remember_one(remembered, text, counts)?;
        }
        Some(())
    }

    fn remember_one(&mut self, found: &ltl::Remembered, text: &Text, counts: bool) -> Option<()> {
        let value = text.part(found.value.clone());
        let span = text.span_of(found.span.clone());
        let read = self.arena.atom(Atom::Condition(value.to_string()));
        if self.used.insert(read) {
            self.whole_condition(value.clone(), read, value.span());
        }
        let guard = self.guard(&found.guards);
        let given = |atom, name: String, evaluation, place: std::ops::Range<usize>| Proposition {
            name,
            atom,
            name_span: place.clone(),
            default: false,
            area: Area::WholeProgram,
            evaluation,
            instances: Instances::Any,
            span: place,
        };
        if self.used.insert(found.atom) {
            let name = format!("{} := {value}", found.name);
            let one = given(found.atom, name, Evaluation::Timer, span.clone());
            self.propositions.push(one);
        }
        for (atom, place) in &found.compared {
            if self.used.insert(*atom) {
                let condition = text.part(place.clone());
                let (name, place) = (condition.to_string(), condition.span());
                let one = given(*atom, name, Evaluation::Condition(condition), place);
                self.propositions.push(one);
            }
        }
        let compared = found.compared.iter().map(|(atom, _)| *atom);
        let known = self.remembered.iter().position(|r| r.name == found.name);
        match known.map(|at| &mut self.remembered[at]) {
            Some(known) if known.atom != found.atom => {
                let name = shorten(&found.name);
                let title = format!("`{name}` is remembered from different values");
                let error = Diagnostic::error(title, span)
                    .secondary(known.value.span(), "another formula remembers this")
                    .help("give one of them another name");
                self.errors.push(error);
                return None;
            }
            Some(known) => {
                known.compared.extend(compared);
                known.counts |= counts;
                let either = Node::Or(vec![known.guard, guard]);
                known.guard = self.arena.make(either);
            }
            None => self.remembered.push(Remembered {
                name: found.name.clone(),
                value,
                atom: found.atom,
                read,
                guard,
                compared: compared.collect(),
                counts,
            }),
        }
        Some(())
    }

    fn guard(&mut self, guards: &[Id]) -> Id {
        match guards {
            [] => self.arena.make(Node::True),
            [one] => *one,
            _ => self.arena.make(Node::And(guards.to_vec())),
        }
    }
}
