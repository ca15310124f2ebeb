//! The remaining candidates: those that no answer has refuted (Flanagan & Leino 2001, "Houdini, an annotation
//! assistant for ESC/Java").

use std::borrow::Cow;
use std::collections::BTreeSet;

/// A claim about the state at a head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// A condition in C.
    Holds(String),
    /// The variable with this number keeps the value that it had at the entry of the loop.
    Keeps(usize),
    /// A condition in C that holds where the recursive function returns whose start the head is.
    Returns(String),
    /// An equation of a sum.
    Sum(Balance),
}

impl Claim {
    /// The condition in C that it says of a state at the head.
    pub fn condition(&self) -> Option<Cow<'_, str>> {
        match self {
            Claim::Holds(text) => Some(Cow::Borrowed(text)),
            Claim::Sum(balance) => Some(Cow::Owned(balance.condition())),
            Claim::Keeps(_) | Claim::Returns(_) => None,
        }
    }
}

/// That terms have a sum, modulo 2^32. It has a type of its own because of how it is asserted: adders over all terms are hard for a
/// SAT solver, but where the equation held at the head before, it is enough that what the terms have gained is what the total has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Balance {
    /// The summands: expressions in C, of any integer types.
    pub terms: Vec<String>,
    /// The expression that is their sum.
    pub total: String,
}

impl Balance {
    /// The summands and the total, in this order.
    pub fn sides(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().chain([&self.total]).map(String::as_str)
    }

    /// The equation in C.
    pub fn condition(&self) -> String {
        let terms: Vec<String> = self.terms.iter().map(|term| unsigned(term)).collect();
        format!("{} == {}", terms.join(" + "), unsigned(&self.total))
    }

    /// The equation of what its sides have gained since they had the values that `before` names by their numbers.
    pub fn gained(&self, before: &dyn Fn(usize) -> String) -> String {
        let gain = |(n, side)| format!("({} - {})", unsigned(side), before(n));
        let mut gains: Vec<String> = self.sides().enumerate().map(gain).collect();
        let total = gains.pop().unwrap_or_default();
        format!("{} == {total}", gains.join(" + "))
    }
}

/// An expression as an unsigned integer.
pub(crate) fn unsigned(text: &str) -> String {
    let is_lvalue = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '[' | ']' | '.');
    match text.chars().all(is_lvalue) {
        true => format!("(unsigned){text}"),
        false => format!("(unsigned)({text})"),
    }
}

/// A claim at a head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// The head, by index.
    pub cut: usize,
    /// The claim.
    pub claim: Claim,
}

/// Candidates for invariants; each keeps its number. The caller runs the model checker and drops refuted
/// candidates, until the conjunction of the rest is inductive (Flanagan and Leino, FME 2001).
#[derive(Clone, Debug, Default)]
pub struct Houdini {
    all: Vec<Candidate>,
    known: BTreeSet<Candidate>,
    dropped: Vec<bool>,
    /// How many candidates, from the first, were shown to be inductive or dropped.
    decided: usize,
}

impl Houdini {
    /// Adds a candidate, unless it has been added before.
    pub fn add(&mut self, candidate: Candidate) {
        if self.known.insert(candidate.clone()) {
            self.all.push(candidate);
            self.dropped.push(false);
        }
    }

    /// The remaining candidates with their numbers.
    pub fn left(&self) -> impl Iterator<Item = (usize, &Candidate)> {
        let all = self.all.iter().enumerate();
        all.filter(|(i, _)| !self.dropped[*i])
    }

    /// The remaining claims at a head.
    pub fn at(&self, cut: usize) -> impl Iterator<Item = (usize, &Claim)> {
        self.left()
            .filter(move |(_, c)| c.cut == cut)
            .map(|(i, c)| (i, &c.claim))
    }

    /// Whether a condition remains at a head.
    pub fn holds(&self, cut: usize, condition: &str) -> bool {
        self.at(cut)
            .any(|(_, c)| matches!(c, Claim::Holds(text) if text == condition))
    }

    /// Drops the candidate with this number.
    pub fn drop_candidate(&mut self, number: usize) {
        if let Some(dropped) = self.dropped.get_mut(number) {
            *dropped = true;
        }
    }

    /// Notes that the remaining candidates are inductive together. Further candidates only exclude more states, so that these
    /// need not be asserted again.
    pub fn settle(&mut self) {
        self.decided = self.all.len();
    }

    /// Notes that the remaining candidates have to be shown again, because the system is another one.
    pub fn reopen(&mut self) {
        self.decided = 0;
    }

    /// Whether the candidate with this number remains, but has not been shown yet.
    pub fn is_open(&self, number: usize) -> bool {
        number >= self.decided && self.dropped.get(number) == Some(&false)
    }

    /// Lets candidates that were dropped be added again: they may be inductive together with others.
    pub fn forget_dropped(&mut self) {
        self.known = self.left().map(|(_, c)| c.clone()).collect();
    }

    /// The number of all candidates, also of those that were dropped.
    pub fn total(&self) -> usize {
        self.all.len()
    }

    /// The number of remaining candidates.
    pub fn len(&self) -> usize {
        self.left().count()
    }

    /// Whether no candidate remains.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
