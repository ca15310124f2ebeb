//! State machines that are followed by code in the program: their guards read parameters, results and variables.

use crate::json::Text;

/// A state machine whose steps are code at calls and returns of the program. Its state is a set: a bit for each state that it
/// may be in; none stands for a run that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followed {
    /// The name that its parts begin with in the program.
    pub name: String,
    /// The bits of the states in which it begins.
    pub first: u64,
    /// The bits of the states in which `main` may return.
    pub accepted: u64,
    /// Its variables, with their types. Where it has some, the first transition that can be taken is taken, else all.
    pub variables: Vec<(Text, String)>,
    /// Its events.
    pub events: Vec<Event>,
}

impl Followed {
    /// The name of its state in the program.
    pub fn state(&self) -> String {
        format!("{}_state", self.name)
    }
}

/// What happens at the calls of a function, or at its returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The function.
    pub function: Text,
    /// Whether it returns.
    pub returns: bool,
    /// The transitions.
    pub moves: Vec<Move>,
}

/// A transition at an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The number of the state that it leaves.
    pub from: u32,
    /// The number of the state that it enters.
    pub to: u32,
    /// The condition; nothing stands for one that always holds.
    pub condition: Vec<Piece>,
    /// What is assigned then, one after the other: the number of a variable, and the value.
    pub actions: Vec<(usize, Vec<Piece>)>,
}

/// A piece of an expression in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Operators, numbers, members.
    Text(String),
    /// A variable of the program at file scope, or a constant of an enumeration.
    Name(Text),
    /// A parameter of the event's function, or else what the name is at file scope.
    Local(Text),
    /// A parameter of the event's function, as it was given.
    Parameter(Text),
    /// What the event's function returns.
    Result(Text),
    /// The variable of a number.
    Variable(usize),
}
