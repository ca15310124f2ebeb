//! Formulas that measure time by a clock of the program.

use super::Reader;
use crate::diagnostic::Diagnostic;
use crate::json::Text;
use crate::model::{outputs, Clock};
use ltl::timed::{eliminate, Measure};
use ltl::{Atom, Id};

impl Reader {
    /// The formula without operators that measure time: timers give the values of propositions in their place.
    pub(super) fn without_times(&mut self, root: Id, text: &Text) -> Option<Id> {
        if !self.arena.has_time(root) {
            return Some(root);
        }
        let Some(name) = self.ticks.clone() else {
            let title = "the formula measures time, and the specification names no clock";
            let error = Diagnostic::error(title, text.span());
            let help = "name the variable of the program that counts: \"clock\": \"ticks\"";
            self.errors.push(error.help(help));
            return None;
        };
        let made = eliminate(&mut self.arena, root, Measure::Ticks, &mut self.timers);
        let root = match made {
            Ok(root) => root,
            Err(refused) => {
                let error = Diagnostic::error(refused.to_string(), text.span());
                self.errors.push(error.help(refused.help));
                return None;
            }
        };
        if self.clock.is_none() {
            let atom = self.arena.atom(Atom::Condition(name.trim().to_owned()));
            if self.used.insert(atom) {
                self.whole_condition(name.clone(), atom, name.span());
            }
            self.clock = Some(Clock { name, atom });
        }
        for proposition in outputs(&self.arena, root, &self.timers, &text.span()) {
            if self.used.insert(proposition.atom) {
                self.propositions.push(proposition);
            }
        }
        Some(root)
    }
}
