//! Clauses that exclude a state: candidates for invariants that are made from a step that fails.
//!
//! A state is described by literals, conditions that hold in it. Each set of a few literals gives a clause: they do not hold
//! together. A clause with fewer literals excludes more states (Bradley, VMCAI 2011, generalises the failing states of an
//! induction in this way, too).

use std::collections::BTreeSet;

use super::vocabulary::{Literal, Vocabulary};
use crate::houdini::{Candidate, Claim};

/// The most literals of a clause, if these are not only relevant ones.
const LONGEST: usize = 4;
/// The most clauses of one length for one state.
const CLAUSES: usize = 200;
/// The most literals that describe a state.
const LITERALS: usize = 48;

/// A state at a head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The head, by index.
    pub head: usize,
    /// Conditions that hold in it, the most telling first.
    pub literals: Vec<Literal>,
    /// How many of them, from the first, are known to lead to the failing assertion.
    pub relevant: usize,
}

impl State {
    /// The state in which the parts of a vocabulary have these values.
    pub fn of(vocabulary: &Vocabulary, head: usize, codes: &[usize]) -> State {
        let mut literals = vocabulary.literals(codes);
        literals.truncate(LITERALS);
        State {
            head,
            literals,
            relevant: 0,
        }
    }

    /// Puts the literals without which the assertion does not fail in front.
    pub fn sort(&mut self, is_relevant: impl Fn(usize) -> bool) {
        let all = self.literals.drain(..).enumerate();
        let (relevant, others): (Vec<_>, Vec<_>) = all.partition(|(n, _)| is_relevant(*n));
        self.relevant = relevant.len();
        self.literals = relevant.into_iter().chain(others).map(|(_, l)| l).collect();
    }

    /// The literals that matter: all, if it is not known which are relevant.
    fn core(&self) -> &[Literal] {
        match self.relevant {
            0 => &self.literals,
            relevant => &self.literals[..relevant],
        }
    }

    /// The condition that a state is like this one, as far as it matters.
    pub fn condition(&self) -> String {
        let all: Vec<&str> = self.core().iter().map(|l| l.text.as_str()).collect();
        all.join(" && ")
    }

    /// Whether another state is like this one, as far as it matters.
    pub fn covers(&self, other: &State) -> bool {
        self.head == other.head && self.core().iter().all(|l| other.literals.contains(l))
    }

    /// The clauses that exclude the state.
    pub fn clauses(&self) -> Vec<Clause> {
        let core = self.core();
        let mut chosen: BTreeSet<BTreeSet<&Literal>> = BTreeSet::new();
        for length in 1..=core.len() {
            chosen.extend(chosen_from(core, length, core.len()));
        }
        // Some others may have to hold, too, for a state to be unreachable.
        let all = &self.literals;
        for length in 2..=LONGEST {
            chosen.extend(chosen_from(all, length, all.len()));
        }
        let named = |literals: BTreeSet<&Literal>| Clause {
            head: self.head,
            literals: literals.into_iter().map(|l| l.text.clone()).collect(),
        };
        chosen.into_iter().map(named).collect()
    }
}

/// The sets of `length` of the first literals, of so many that the sets are not too many.
fn chosen_from(
    literals: &[Literal],
    length: usize,
    most: usize,
) -> impl Iterator<Item = BTreeSet<&Literal>> {
    let fits = |n: &usize| choices(*n, length) <= CLAUSES;
    let from = (length..=most).rev().find(fits).unwrap_or_default();
    let all = sets(from, length).into_iter();
    all.map(|set| set.into_iter().map(|i| &literals[i]).collect())
}

/// The number of sets of `length` of `n` things.
fn choices(n: usize, length: usize) -> usize {
    (0..length).fold(1, |all, i| {
        all.saturating_mul(n.saturating_sub(i)) / (i + 1)
    })
}

/// All sets of `length` numbers below `n`, in ascending order.
fn sets(n: usize, length: usize) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..length {
        let longer = |set: &Vec<usize>| {
            let first = set.last().map_or(0, |last| last + 1);
            let set = set.clone();
            (first..n).map(move |next| set.iter().copied().chain([next]).collect())
        };
        out = out.iter().flat_map(longer).collect();
    }
    out
}

/// The claim that some conditions do not hold together at a head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clause {
    head: usize,
    literals: BTreeSet<String>,
}

impl Clause {
    /// The candidate for an invariant.
    pub fn candidate(&self) -> Candidate {
        let all: Vec<&str> = self.literals.iter().map(String::as_str).collect();
        Candidate {
            cut: self.head,
            claim: Claim::Holds(format!("!({})", all.join(" && "))),
        }
    }

    /// Whether it excludes all that another one excludes, and more.
    pub fn is_stronger(&self, other: &Clause) -> bool {
        self.head == other.head
            && self.literals.len() < other.literals.len()
            && self.literals.is_subset(&other.literals)
    }
}
