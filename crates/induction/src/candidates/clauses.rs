//! Clauses that exclude a state: candidates for invariants that are made from a step that fails.
//!
//! A state is described by literals, conditions that hold in it. Each set of a few literals gives a clause: they do not hold
//! together. A clause with fewer literals excludes more states (Bradley, VMCAI 2011, generalises the failing states of an
//! induction in this way, too).

use std::collections::BTreeSet;

use super::vocabulary::Vocabulary;
use crate::houdini::{Candidate, Claim};

/// The most literals of a clause, unless all sets of a state's literals are few.
const LONGEST: usize = 4;
/// The most clauses for one state.
const CLAUSES: usize = 1200;
/// The most literals that describe a state.
const LITERALS: usize = 48;

/// A state at a head.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The head, by index.
    pub head: usize,
    /// Conditions that hold in it, the most telling first.
    pub literals: Vec<String>,
}

impl State {
    /// The state in which the parts of a vocabulary have these values.
    pub fn of(vocabulary: &Vocabulary, head: usize, codes: &[usize]) -> State {
        let mut literals = vocabulary.literals(codes);
        literals.truncate(LITERALS);
        State { head, literals }
    }

    /// The condition that the state is this one, as far as its literals tell.
    pub fn condition(&self) -> String {
        self.literals.join(" && ")
    }

    /// The clauses that exclude the state.
    pub fn clauses(&self) -> Vec<Clause> {
        let n = self.literals.len();
        let mut out = Vec::new();
        for length in 1..=n {
            // The more literals a clause has, the fewer of them are chosen from.
            let mut from = n;
            while choices(from, length) > CLAUSES - out.len() && from >= length {
                from -= 1;
            }
            let all = from == n;
            if (length > LONGEST && !all) || from < length {
                break;
            }
            out.extend(sets(from, length).into_iter().map(|set| Clause {
                head: self.head,
                literals: set.into_iter().map(|i| self.literals[i].clone()).collect(),
            }));
        }
        out
    }
}

/// The number of sets of `length` of `n` things.
fn choices(n: usize, length: usize) -> usize {
    (0..length).fold(1, |all, i| all.saturating_mul(n.saturating_sub(i)) / (i + 1))
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
