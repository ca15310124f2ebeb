//! The graph of a program's states, as read from the output of the search.

use std::collections::BTreeSet;

/// An action within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A letter was taken at a site (`None` for letter 0): the number of its valuation.
    Letter(Option<u32>, u32),
    /// The environment gave a value at a site.
    Given(u32, i128),
    /// An uninitialised local got a value: its number, and the value.
    Local(u32, i128),
    /// A signed integer overflowed, for the first time in the step: the number of the place.
    Overflow(u32),
    /// The age of a time stamp was compared that is old, or was before the clock has gone round.
    Age(Age),
}

/// The age of a time stamp that was old once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// It is old.
    Old,
    /// The clock has gone round since, so that it may have any age.
    Round,
}

/// A step from a state to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The state that it leads to.
    pub to: u32,
    /// The number of its actions among those of the graph.
    pub actions: u32,
}

/// The actions of a step, in order. There are far fewer such lists than steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actions(pub Vec<Action>);

impl Actions {
    /// The valuations of its letters.
    pub fn letters(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().filter_map(|a| match a {
            Action::Letter(_, number) => Some(*number),
            _ => None,
        })
    }

    /// Whether it rests on an old time stamp, or on one that has an age again because the clock has gone round.
    pub fn ages(&self) -> (bool, bool) {
        let has = |age| self.0.contains(&Action::Age(age));
        (has(Age::Old), has(Age::Round))
    }

    /// The numbers of locals to which the step gives values, although the program has stored none.
    pub fn locals(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().filter_map(|a| match a {
            Action::Local(number, _) => Some(*number),
            _ => None,
        })
    }

    /// The place where the step does what C leaves undefined, so that no run of the program takes it.
    pub fn overflow(&self) -> Option<u32> {
        self.0.iter().find_map(|a| match a {
            Action::Overflow(place) => Some(*place),
            _ => None,
        })
    }
}

/// Which steps need not be the program's, since they rest on what stands for functions of the library, or on the value of a local
/// that has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// The sites at which contracts give results.
    pub contracts: BTreeSet<u32>,
    /// The sites at which lines of text are read, byte by byte: none goes on behind its end.
    pub lines: BTreeSet<u32>,
    /// The sites at which a number of printed characters is any number: only that the output fails need be no other.
    pub printed: BTreeSet<u32>,
    /// The locals that have no value, and that to read is undefined: whether a run does is not known.
    pub locals: BTreeSet<u32>,
}

impl Doubts {
    /// Whether steps with these actions are doubted.
    pub fn about(&self, actions: &Actions) -> bool {
        let mut ended = None;
        actions.0.iter().any(|action| match action {
            Action::Given(site, value) if self.lines.contains(site) => {
                let behind = ended == Some(*site);
                ended = (behind || *value == i128::from(b'\n')).then_some(*site);
                behind && *value != 0
            }
            Action::Given(site, value) => {
                ended = None;
                let counted = self.printed.contains(site) && *value >= 0;
                counted || self.contracts.contains(site)
            }
            Action::Local(number, _) => {
                ended = None;
                self.locals.contains(number)
            }
            _ => {
                ended = None;
                false
            }
        })
    }
}

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Whether it is the end of a run.
    pub ended: bool,
    /// The valuation that lasts as long as no letter is taken.
    pub letter: u32,
    /// The site of the head; `None` at the start and at the end of a run.
    pub site: Option<u32>,
    /// The steps from this state.
    pub edges: Vec<Edge>,
}

/// Why a search is partial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partial {
    /// Too many states.
    States,
    /// Too much memory.
    Memory,
    /// Only some of the inputs were tried.
    Inputs,
    /// It was ended because what was visited is enough for all answers.
    Enough,
    /// The time was up, or the search was cancelled.
    Time,
    /// The program had undefined behaviour: the number of the signal.
    Crash(i32),
    /// A run reads a local that has no value.
    Undefined,
    /// A run reads an element that was buried: the number of its array, if it is known.
    Unburied(Option<usize>),
    /// A run reads a byte of which no value was chosen: the number of the place where it is stored.
    Unchosen(usize),
    /// Ages of time stamps were told apart too little: up to this one they make a difference, or, if it is 0, it is not known.
    Ages(u64),
    /// Too many steps had to be taken again to tell values apart by classes.
    Classes,
    /// An internal error.
    Internal,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The states; the first one precedes the first instruction.
    pub nodes: Vec<Node>,
    /// The actions of steps, by the numbers that edges have.
    pub actions: Vec<Actions>,
    /// The valuations: the value of each proposition.
    pub valuations: Vec<Vec<bool>>,
    /// The places where signed integers overflow, as `file:line`.
    pub overflows: Vec<String>,
    /// Why not all states were visited; `None` if all were.
    pub partial: Option<Partial>,
    /// The number of discarded steps.
    pub discarded: u64,
    /// The length of the longest of the shortest paths to states.
    pub depth: u64,
}

impl Graph {
    /// The actions of a step.
    pub fn actions_of(&self, edge: &Edge) -> &Actions {
        &self.actions[edge.actions as usize]
    }

    /// The steps that have a meaning in C: those in which no signed integer overflows. The states keep their numbers.
    pub fn defined(&self) -> Graph {
        self.with(|actions| actions.overflow().is_none())
    }

    /// The steps with such actions alone. The states keep their numbers.
    fn with(&self, keeps: impl Fn(&Actions) -> bool) -> Graph {
        let kept: Vec<bool> = self.actions.iter().map(keeps).collect();
        let mut out = self.clone();
        for node in &mut out.nodes {
            node.edges.retain(|edge| kept[edge.actions as usize]);
        }
        out
    }

    /// The steps in which the clock has not gone round since a stamp was taken. The states keep their numbers.
    pub fn without_rounds(&self) -> Graph {
        self.with(|actions| !actions.ages().1)
    }

    /// Whether a step rests on an old time stamp.
    pub fn reads_ages(&self) -> bool {
        let mut all = self.actions.iter();
        all.any(|actions| actions.ages() != (false, false))
    }

    /// The steps that are not doubted. The states keep their numbers.
    pub fn without(&self, doubts: &Doubts) -> Graph {
        self.with(|actions| !doubts.about(actions))
    }
}
