//! State machines over calls and returns, made deterministic.

use super::running;
use crate::diagnostic::Diagnostic;
use crate::followed::Piece;
use crate::json::Text;
use crate::model::SINGLE;
use crate::wire::WireProposition;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// When a transition can be taken.
#[derive(Clone, Debug)]
pub(crate) enum Guard {
    /// A function of this number is called (`true`), or returns.
    Event(usize, bool),
    /// A condition of this number holds.
    Condition(usize),
    Not(Box<Guard>),
    /// None of the guards before: each that reads data of a call does not hold at other events.
    Otherwise(Box<Guard>),
    All(Vec<Guard>),
    Any(Vec<Guard>),
}

impl Guard {
    pub(super) fn not(guard: Guard) -> Guard {
        Guard::Not(Box::new(guard))
    }

    /// Whether none of the guards before holds, of which this is one.
    pub(super) fn otherwise(guard: Guard) -> Guard {
        Guard::Otherwise(Box::new(guard))
    }

    fn holds(&self, event: (usize, bool), conditions: u32) -> bool {
        match self {
            Guard::Event(function, rises) => event == (*function, *rises),
            Guard::Condition(number) => conditions >> number & 1 == 1,
            Guard::Not(inner) | Guard::Otherwise(inner) => !inner.holds(event, conditions),
            Guard::All(all) => all.iter().all(|g| g.holds(event, conditions)),
            Guard::Any(all) => all.iter().any(|g| g.holds(event, conditions)),
        }
    }
}

/// A transition.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(super) from: usize,
    pub(super) guard: Guard,
    pub(super) to: usize,
    /// What is assigned where it is taken: the number of a variable, and the value.
    pub(super) actions: Vec<(usize, Leaf)>,
}

/// A condition or a value as it is evaluated in the program.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(super) pieces: Vec<Piece>,
    /// The function whose parameters or result it reads.
    pub(super) function: Option<usize>,
    /// Whether it reads the result, which there is only at the return.
    pub(super) result: bool,
    /// The place.
    pub(super) span: Range<usize>,
}

/// A condition of a guard.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(super) text: Text,
    /// The function whose parameters it names as they are.
    pub(super) scope: Option<usize>,
    /// As it is evaluated in the program, or why it cannot be.
    pub(super) leaf: Result<Leaf, Box<Diagnostic>>,
}

/// A machine as it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct States {
    pub(super) transitions: Vec<Transition>,
    pub(super) functions: Vec<Text>,
    pub(super) conditions: Vec<Condition>,
    /// The machine's own variables, with their types.
    pub(super) variables: Vec<(Text, String)>,
    /// Whether it says that it has no choices.
    pub(super) chooses_not: bool,
    /// Whether it reads parameters, results or variables of its own.
    pub(super) reads_data: bool,
    pub(super) init: Vec<usize>,
    pub(super) accept: Vec<usize>,
    /// The functions whose events count, if the machine names them.
    pub(super) observed: Option<Vec<usize>>,
    /// The number of `main`.
    pub(super) main: usize,
}

/// A deterministic machine: it begins in state 0, and its last state is one for runs that are wrong.
#[derive(Clone, Debug)]
pub(crate) struct WireMachine {
    /// Its name.
    pub(crate) name: Text,
    /// The propositions that tell whether a function runs.
    pub(crate) functions: Vec<String>,
    /// The conditions of its guards.
    pub(crate) conditions: Vec<Text>,
    /// From a state to another one: at a call (`true`) or a return of a function, if conditions have these values.
    pub(crate) edges: Vec<Edge>,
    /// The number of its last state.
    pub(crate) wrong: u32,
}

/// A transition of a deterministic machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) event: (usize, bool),
    pub(crate) conditions: Vec<(usize, bool)>,
    pub(crate) to: u32,
}

/// The most conditions: each doubles the letters.
const MOST_CONDITIONS: usize = 6;
/// The most states after all choices are followed at once.
const MOST_STATES: usize = 500;
/// Stands for the state of wrong runs until the number of states is known.
const WRONG: u32 = u32::MAX;

impl States {
    /// The number of a function.
    pub(super) fn function(&mut self, name: Text) -> usize {
        let known = self.functions.iter().position(|other| *other == name);
        known.unwrap_or_else(|| {
            self.functions.push(name);
            self.functions.len() - 1
        })
    }

    /// The number of a condition.
    pub(super) fn condition(&mut self, new: Condition) -> usize {
        let same = |c: &Condition| c.text == new.text && c.scope == new.scope;
        self.conditions.iter().position(same).unwrap_or_else(|| {
            self.conditions.push(new);
            self.conditions.len() - 1
        })
    }

    /// The machine that follows all choices at once, and the propositions that it reads.
    pub(super) fn deterministic(
        self,
        name: Text,
    ) -> Result<(WireMachine, Vec<WireProposition>), Box<Diagnostic>> {
        let place = name.span();
        let refused = |title: &str| Box::new(Diagnostic::error(title, place.clone()));
        if self.conditions.len() > MOST_CONDITIONS {
            return Err(refused("the machine has more than 6 conditions"));
        }
        let all = (0..self.functions.len()).collect();
        let observed = self.observed.clone().unwrap_or(all);
        let Some((edges, wrong)) = self.explored(&observed) else {
            return Err(refused("the machine has too many states"));
        };
        let runs = |f: &Text| format!("{} runs", f.as_str());
        let machine = WireMachine {
            name,
            functions: self.functions.iter().map(runs).collect(),
            edges,
            conditions: self.conditions.into_iter().map(|c| c.text).collect(),
            wrong,
        };
        let functions = self.functions.into_iter().enumerate();
        let observed = functions.filter(|(n, _)| observed.contains(n));
        let propositions = observed.map(|(n, f)| {
            let span = f.span();
            running(&machine.functions[n], f, Some(SINGLE), span)
        });
        let propositions = propositions.collect();
        Ok((machine, propositions))
    }

    /// The transitions of sets of states that change the set, and the number of the state of wrong runs: the empty set.
    /// `None` if there are too many.
    fn explored(&self, observed: &[usize]) -> Option<(Vec<Edge>, u32)> {
        let events = observed.iter().flat_map(|&f| [(f, true), (f, false)]);
        let events: Vec<(usize, bool)> = events.collect();
        let first: BTreeSet<usize> = self.init.iter().copied().collect();
        let mut numbers = BTreeMap::from([(first.clone(), 0)]);
        let mut work = vec![first];
        let mut edges = Vec::new();
        while let Some(states) = work.pop() {
            let from = numbers[&states];
            for &event in &events {
                let mut targets = Vec::new();
                for values in 0..1 << self.conditions.len() {
                    let next = self.next(&states, event, values);
                    let fresh = numbers.len() as u32;
                    targets.push(match next.is_empty() {
                        true => WRONG,
                        false => *numbers.entry(next.clone()).or_insert_with(|| {
                            work.push(next);
                            fresh
                        }),
                    });
                }
                if numbers.len() > MOST_STATES {
                    return None;
                }
                edges.extend(self.edges(from, event, &targets));
            }
        }
        let wrong = numbers.len() as u32;
        edges.retain(|edge| edge.from != edge.to);
        for edge in edges.iter_mut().filter(|edge| edge.to == WRONG) {
            edge.to = wrong;
        }
        Some((edges, wrong))
    }

    /// The transitions at an event, whose targets are those for all values of the conditions.
    fn edges(&self, from: u32, event: (usize, bool), targets: &[u32]) -> Vec<Edge> {
        let edge = |conditions, to| Edge {
            from,
            event,
            conditions,
            to,
        };
        if targets.iter().all(|to| *to == targets[0]) {
            return vec![edge(Vec::new(), targets[0])];
        }
        let all = targets.iter().enumerate();
        let all = all.map(|(values, to)| {
            let conditions = 0..self.conditions.len();
            let conditions = conditions.map(|n| (n, values >> n & 1 == 1));
            edge(conditions.collect(), *to)
        });
        all.collect()
    }

    /// The states after an event.
    fn next(&self, states: &BTreeSet<usize>, event: (usize, bool), values: u32) -> BTreeSet<usize> {
        let taken = self.transitions.iter();
        let taken = taken.filter(|t| states.contains(&t.from) && t.guard.holds(event, values));
        let ends = event == (self.main, false);
        let to = taken.map(|t| t.to);
        to.filter(|to| !ends || self.accept.contains(to)).collect()
    }
}
