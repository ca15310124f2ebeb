//! State machines that read data, from guards to conditions at events.

use super::machine::{Guard, Leaf, States, Transition};
use crate::diagnostic::Diagnostic;
use crate::followed::{Event, Followed, Move, Piece};
use crate::json::Text;

/// The most states: each is a bit of one number.
const MOST_STATES: usize = 64;

/// A guard at one event.
enum AtEvent {
    Always(bool),
    If(Vec<Piece>),
}

use AtEvent::{Always, If};

type Read<T> = Result<T, Box<Diagnostic>>;

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

impl States {
    /// The machine as code at the events of the functions that it observes. `name` is the file's.
    pub(super) fn followed(self, name: &Text) -> Read<Followed> {
        let refused = |title: &str| Box::new(Diagnostic::error(title, name.span()));
        let ends = self.transitions.iter().flat_map(|t| [t.from, t.to]);
        let most = ends.chain(self.init.iter().copied()).max().unwrap_or(0);
        if most >= MOST_STATES {
            return Err(refused(
                "a machine that reads data has at most 64 states, those within sequences included",
            ));
        }
        let has_choices = !self.chooses_not || self.init.len() > 1;
        if has_choices && !self.variables.is_empty() {
            let error = refused("a machine with variables has no choices");
            return Err(Box::new(error.help(
                "say `%deterministic;` and name one initial state: of several transitions the first is taken",
            )));
        }
        let all = (0..self.functions.len()).collect();
        let observed = self.observed.clone().unwrap_or(all);
        let events = observed.iter().flat_map(|&f| [(f, true), (f, false)]);
        let events = events.map(|event| self.at(event)).collect::<Read<_>>()?;
        let bits = |states: &[usize]| states.iter().fold(0, |all, state| all | 1u64 << state);
        let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        Ok(Followed {
            name: format!(
                "machine_{}",
                name.as_str().chars().map(letter).collect::<String>()
            ),
            first: bits(&self.init),
            accepted: bits(&self.accept),
            variables: self.variables,
            events,
        })
    }

    fn at(&self, event: (usize, bool)) -> Read<Event> {
        let mut moves = Vec::new();
        for transition in &self.transitions {
            let condition = match self.guard(&transition.guard, event, true)? {
                Always(false) => continue,
                Always(true) => Vec::new(),
                If(pieces) => pieces,
            };
            moves.push(Move {
                from: transition.from as u32,
                to: transition.to as u32,
                condition,
                actions: self.actions(transition, event)?,
            });
        }
        Ok(Event {
            function: self.functions[event.0].clone(),
            returns: !event.1,
            moves,
        })
    }

    fn actions(
        &self,
        transition: &Transition,
        event: (usize, bool),
    ) -> Read<Vec<(usize, Vec<Piece>)>> {
        let mut actions = Vec::new();
        for (variable, value) in &transition.actions {
            if !value.is_there(event) {
                let title = "this value is not there at each event of the transition";
                let error = Diagnostic::error(title, value.span.clone());
                return Err(Box::new(error.help(
                    "a parameter of `f` is there at `CALL(f)` and `RETURN(f)`, its result at `RETURN(f)`",
                )));
            }
            actions.push((*variable, value.pieces.clone()));
        }
        Ok(actions)
    }

    /// A guard at an event. `positive` says that it is not below a negation: there, a condition that reads data of a call
    /// says that this call is the event, too.
    fn guard(&self, guard: &Guard, event: (usize, bool), positive: bool) -> Read<AtEvent> {
        let joined = |all: &[Guard], neutral: bool, sign: &str| {
            let read: Vec<Read<AtEvent>> = all
                .iter()
                .map(|one| self.guard(one, event, positive))
                .collect();
            let decides =
                |one: &Read<AtEvent>| matches!(one, Ok(Always(value)) if *value != neutral);
            if read.iter().any(decides) {
                return Ok(Always(!neutral));
            }
            let mut pieces: Vec<Piece> = Vec::new();
            for one in read {
                if let If(more) = one? {
                    pieces.push(text(if pieces.is_empty() { "(" } else { sign }));
                    pieces.extend(more);
                }
            }
            if pieces.is_empty() {
                return Ok(Always(neutral));
            }
            pieces.push(text(")"));
            Ok(If(pieces))
        };
        let negated = |inner| match inner {
            Always(value) => Always(!value),
            If(pieces) => {
                let mut all = vec![text("!(")];
                all.extend(pieces);
                all.push(text(")"));
                If(all)
            }
        };
        match guard {
            Guard::Event(function, calls) => Ok(Always(event == (*function, *calls))),
            Guard::Not(inner) => self.guard(inner, event, !positive).map(negated),
            Guard::Otherwise(inner) => self.guard(inner, event, true).map(negated),
            Guard::All(all) => joined(all, true, " && "),
            Guard::Any(all) => joined(all, false, " || "),
            Guard::Condition(number) => {
                let condition = &self.conditions[*number];
                let leaf = condition.leaf.clone()?;
                let within = condition.scope.is_none_or(|scope| scope == event.0);
                match leaf.is_there(event) && within {
                    true => {
                        let mut all = vec![text("(")];
                        all.extend(leaf.pieces);
                        all.push(text(")"));
                        Ok(If(all))
                    }
                    false if positive => Ok(Always(false)),
                    false => {
                        let title =
                            "what this reads is not there at each event at which it is asked";
                        let error = Diagnostic::error(title, leaf.span);
                        Err(Box::new(error.help(
                            "name the event beside it, as in `CALL(f) && !(f().x > 0)`",
                        )))
                    }
                }
            }
        }
    }
}

impl Leaf {
    /// Whether all that it reads is there at an event.
    fn is_there(&self, (function, calls): (usize, bool)) -> bool {
        self.function.is_none_or(|f| f == function) && !(self.result && calls)
    }
}
