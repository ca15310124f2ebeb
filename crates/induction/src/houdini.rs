//! The candidates that are left: those that no answer has refuted yet (Flanagan & Leino 2001,
//! "Houdini, an annotation assistant for ESC/Java").

use std::collections::BTreeSet;

/// A claim about the state at a head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// A condition in C.
    Holds(String),
    /// The variable with this number keeps the value that it had when the loop was entered.
    Keeps(usize),
}

/// A claim at a head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// The head, by index.
    pub cut: usize,
    /// What is claimed.
    pub claim: Claim,
}

/// Candidates for invariants, each with a number that never changes. Whoever runs the model checker drops the
/// candidates that it refutes, until the rest holds together (Flanagan and Leino, FME 2001).
#[derive(Clone, Debug, Default)]
pub struct Houdini {
    all: Vec<Candidate>,
    known: BTreeSet<Candidate>,
    dropped: Vec<bool>,
}

impl Houdini {
    /// Adds a candidate, unless it was there before.
    pub fn add(&mut self, candidate: Candidate) {
        if self.known.insert(candidate.clone()) {
            self.all.push(candidate);
            self.dropped.push(false);
        }
    }

    /// Those that are left, with their numbers.
    pub fn left(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        let all = self.all.iter().enumerate();
        all.filter(|(i, _)| !self.dropped[*i])
    }

    /// Those that are left at a head.
    pub fn at(&self, cut: usize) -> impl Iterator<Item = (usize, &Claim)> {
        self.left()
            .filter(move |(_, c)| c.cut == cut)
            .map(|(i, c)| (i, &c.claim))
    }

    /// Whether a condition is left at a head.
    pub fn holds(&self, cut: usize, condition: &str) -> bool {
        self.at(cut)
            .any(|(_, c)| matches!(c, Claim::Holds(text) if text == condition))
    }

    /// Drops one.
    pub fn drop_candidate(&mut self, number: usize) {
        if let Some(dropped) = self.dropped.get_mut(number) {
            *dropped = true;
        }
    }

    /// How many are left.
    pub fn len(&self) -> usize {
        self.left().count()
    }

    /// Whether none is left.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
