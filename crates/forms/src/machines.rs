//! State machines of a specification, as the front end takes them.

use cfront::machines::{Event, Machine, Move, Piece};
use spec::followed;
use spec::{Spec, Text};

use crate::listener::Listener;
use crate::program::Program;
use crate::sources;
use crate::weaving::Weaving;

/// The machines that code in the program follows.
pub fn of(spec: &Spec) -> Vec<Machine> {
    spec.machine.followed.iter().map(machine).collect()
}

fn machine(of: &followed::Followed) -> Machine {
    let variables = of.variables.iter();
    Machine {
        name: of.name.clone(),
        state: of.state(),
        first: of.first,
        accepted: of.accepted,
        variables: variables
            .map(|(name, ty)| (name.to_string(), ty.clone()))
            .collect(),
        events: of.events.iter().map(event).collect(),
    }
}

fn event(of: &followed::Event) -> Event {
    let step = |step: &followed::Move| Move {
        from: step.from,
        to: step.to,
        condition: pieces(&step.condition),
        actions: step
            .actions
            .iter()
            .map(|(variable, value)| (*variable, pieces(value)))
            .collect(),
    };
    Event {
        function: of.function.to_string(),
        returns: of.returns,
        moves: of.moves.iter().map(step).collect(),
    }
}

fn pieces(all: &[followed::Piece]) -> Vec<Piece> {
    let piece = |piece: &followed::Piece| match piece {
        followed::Piece::Text(text) => Piece::Text(text.clone()),
        followed::Piece::Name(name) => Piece::Name(name.to_string()),
        followed::Piece::Local(name) => Piece::Local(name.to_string()),
        followed::Piece::Parameter(name) => Piece::Parameter(name.to_string()),
        followed::Piece::Result(name) => Piece::Result(name.to_string()),
        followed::Piece::Variable(number) => Piece::Variable(*number),
    };
    all.iter().map(piece).collect()
}

/// Whether a machine names a variable or a function so.
fn names_of(machine: &Machine, name: &str) -> bool {
    let is_name = |piece: &Piece| matches!(piece, Piece::Name(n) | Piece::Local(n) if n == name);
    machine.events.iter().any(|event| {
        let read = event.moves.iter().flat_map(|step| {
            let values = step.actions.iter().flat_map(|(_, value)| value);
            step.condition.iter().chain(values)
        });
        event.function == name || read.into_iter().any(is_name)
    })
}

/// The names in the guards of a specification's machines, each with its place.
pub(crate) fn names(spec: &Spec) -> Vec<&Text> {
    let events = spec.machine.followed.iter().flat_map(|m| &m.events);
    let mut names = Vec::new();
    for event in events {
        for step in &event.moves {
            let values = step.actions.iter().map(|(_, value)| value);
            for piece in [&step.condition].into_iter().chain(values).flatten() {
                match piece {
                    followed::Piece::Name(name)
                    | followed::Piece::Local(name)
                    | followed::Piece::Parameter(name)
                    | followed::Piece::Result(name) => names.push(name),
                    followed::Piece::Text(_) | followed::Piece::Variable(_) => {}
                }
            }
        }
        names.push(&event.function);
    }
    names
}

impl Program {
    /// The program with code that follows the state machines which read data.
    pub(crate) fn with_machines(
        self,
        weaving: &Weaving,
        output: &dyn Listener,
    ) -> anyhow::Result<Program> {
        let machines = &weaving.machine.followed;
        if machines.is_empty() {
            return Ok(self);
        }
        let program = self.changed(&weaving.machine.named, output, |unit| {
            cfront::machines::followed(unit, machines)
        })?;
        // Where several files have one, that of one of them has kept the name.
        let named = |name: &String| machines.iter().any(|machine| names_of(machine, name));
        let Some(name) = program.renamed.values().find(|name| named(name)) else {
            return Ok(program);
        };
        let message = format!("several files have a static `{name}`");
        let refused = cfront::Diagnostic::error(cfront::Span::empty(0), message)
            .help("give the one that is meant a name of its own");
        let of_spec = weaving.machine.named.refused(&refused, output);
        Err(of_spec.unwrap_or_else(|| sources::refused(&[program.source.resolve(refused)], output)))
    }

    /// Refuses threads beside state machines that code follows: its steps would not be those of one event each.
    pub(crate) fn refuse_machines(
        &self,
        weaving: &Weaving,
        output: &dyn Listener,
    ) -> anyhow::Result<()> {
        let Some(machine) = weaving.machine.followed.first() else {
            return Ok(());
        };
        let first = machine
            .events
            .first()
            .map_or("main", |e| e.function.as_str());
        if !self.starts_threads() {
            return Ok(());
        }
        let message = format!("a state machine that reads data of calls, such as those of `{first}`, follows no threads");
        let refused = cfront::Diagnostic::error(cfront::Span::empty(0), message)
            .help("guards over events and variables of the program alone do");
        let of_spec = weaving.machine.named.refused(&refused, output);
        Err(of_spec.unwrap_or_else(|| sources::refused(&[self.source.resolve(refused)], output)))
    }
}
