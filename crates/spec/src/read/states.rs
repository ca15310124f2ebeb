//! State machines as properties: no run comes to the last state.

use super::Reader;
use crate::followed::Followed;
use crate::json::Text;
use crate::list::machine::{Edge, WireMachine};
use crate::model::{outputs, Property};
use ltl::timed::{self, Measure, Rule, Timer};
use ltl::{Atom, Id, Node};

impl Reader {
    /// The properties of the machines.
    pub(super) fn machines(&mut self) -> Vec<Property> {
        let machines = std::mem::take(&mut self.state_machines);
        let properties = machines
            .into_iter()
            .map(|machine| self.state_machine(machine));
        let mut properties: Vec<Property> = properties.collect();
        let followed = self.followed.clone();
        for (machine, name) in followed {
            properties.push(self.followed(&machine, &name));
        }
        properties
    }

    /// That a machine which code in the program follows is always in some state.
    fn followed(&mut self, machine: &Followed, name: &Text) -> Property {
        let span = name.span();
        let whole = |value: String| Text::with_steps(value, span.clone(), vec![(0, span.start)]);
        let condition = whole(format!("{} != 0", machine.state()));
        let atom = self.arena.atom(Atom::Condition(condition.to_string()));
        if self.used.insert(atom) {
            self.whole_condition(condition.clone(), atom, span.clone());
        }
        let holds = self.arena.make(Node::Atom(atom));
        Property {
            name: name.to_string(),
            text: whole(format!("G {{{condition}}}")),
            root: self.arena.make(Node::Globally(holds)),
            span,
            expect: None,
        }
    }

    fn state_machine(&mut self, machine: WireMachine) -> Property {
        let watched = machine.functions.iter();
        let watched = watched.map(|name| self.used_atom(Atom::Name(name.clone())));
        let watched: Vec<Id> = watched.collect();
        let conditions = machine.conditions.iter();
        let conditions: Vec<Id> = conditions.map(|text| self.condition_of(text)).collect();
        let edges = machine.edges.iter().map(|edge| timed::Edge {
            from: edge.from,
            event: edge.event,
            condition: self.all_of(edge, &conditions),
            to: edge.to,
        });
        let edges = edges.collect();
        let mut name = format!("wrong: {}", machine.name.as_str());
        while self.arena.find_atom(&Atom::Name(name.clone())).is_some() {
            name.push('\'');
        }
        let wrong = self.arena.atom(Atom::Name(name.clone()));
        self.timers.push(Timer {
            rule: Rule::Table {
                watched,
                edges,
                last: machine.wrong,
            },
            measure: Measure::Letters,
            outputs: vec![wrong],
        });
        let atom = self.arena.make(Node::Atom(wrong));
        let never = self.arena.negate(atom);
        let root = self.arena.make(Node::Globally(never));
        let span = machine.name.span();
        self.used.insert(wrong);
        let new = outputs(&self.arena, root, &self.timers, &span);
        self.propositions.extend(new);
        let text = format!("G !\"{name}\"");
        Property {
            name: machine.name.to_string(),
            text: Text::with_steps(text, span.clone(), vec![(0, span.start)]),
            root,
            span,
            expect: None,
        }
    }

    /// A declared proposition, which is used now.
    fn used_atom(&mut self, atom: Atom) -> Id {
        let atom = self.arena.atom(atom);
        self.used.insert(atom);
        self.arena.make(Node::Atom(atom))
    }

    fn condition_of(&mut self, text: &Text) -> Id {
        let atom = self.arena.atom(Atom::Condition(text.to_string()));
        if self.used.insert(atom) {
            self.whole_condition(text.clone(), atom, text.span());
        }
        self.arena.make(Node::Atom(atom))
    }

    fn all_of(&mut self, edge: &Edge, conditions: &[Id]) -> Id {
        let all = edge.conditions.iter();
        let all: Vec<Id> = all
            .map(|&(number, value)| self.arena.signed((conditions[number], value)))
            .collect();
        match all.as_slice() {
            [] => self.arena.make(Node::True),
            [one] => *one,
            _ => self.arena.make(Node::And(all)),
        }
    }
}
