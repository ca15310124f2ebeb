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
/// The most relevant literals of a clause, if not all of them.
const CORE: usize = 10;
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
        for length in (1..=core.len().min(CORE)).chain([core.len()]) {
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

/// All sets of `length` numbers below `n`, each in ascending order. Time and space are proportional to the result.
fn sets(n: usize, length: usize) -> Vec<Vec<usize>> {
    if length == 0 || length > n {
        return Vec::new();
    }
    let mut set: Vec<usize> = (0..length).collect();
    let mut out = vec![set.clone()];
    // The last number that can still grow; those behind it follow it closely.
    while let Some(at) = (0..length).rev().find(|&i| set[i] < n - length + i) {
        let first = set[at] + 1;
        set.splice(at.., first..first + length - at);
        out.push(set.clone());
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

#[cfg(test)]
mod tests {
    use super::*;

    fn state(names: &[&str]) -> State {
        let literal = |(v, name): (usize, &&str)| Literal {
            text: name.to_string(),
            about: vec![v],
        };
        State {
            head: 0,
            literals: names.iter().enumerate().map(literal).collect(),
            relevant: 0,
        }
    }

    #[test]
    fn clauses_are_about_what_is_relevant_first() {
        let mut state = state(&["a", "b", "c", "d", "e", "f", "g"]);
        state.sort(|n| n != 0 && n != 3);
        assert_eq!(state.relevant, 5);
        assert_eq!(state.condition(), "b && c && e && f && g");
        let clauses = state.clauses();
        let has = |literals: &[&str]| {
            clauses.iter().any(|c| {
                c.literals
                    .iter()
                    .map(String::as_str)
                    .eq(literals.iter().copied())
            })
        };
        assert!(has(&["b", "c", "e", "f", "g"]));
        assert!(has(&["a", "b", "c", "d"]), "others may matter, too");
        assert!(!has(&["a", "b", "c", "d", "e"]));
        assert_eq!(clauses.len(), clauses.iter().collect::<BTreeSet<_>>().len());
    }

    #[test]
    fn a_state_of_many_literals_has_few_clauses() {
        let names: Vec<String> = (0..LITERALS).map(|n| format!("v{n} == 0")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut state = state(&names);
        assert!(state.clauses().len() <= CLAUSES * (CORE + 1));
        state.sort(|n| n >= 40);
        let clauses = state.clauses();
        let core: BTreeSet<String> = names[40..].iter().map(|n| n.to_string()).collect();
        assert!(clauses.iter().any(|c| c.literals == core));
        assert!(
            clauses.len() <= 4 * CLAUSES + (1 << core.len()),
            "{}",
            clauses.len()
        );
    }

    #[test]
    fn all_sets_are_made() {
        assert_eq!(sets(4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(sets(3, 3), [[0, 1, 2]]);
        assert!(sets(2, 3).is_empty() && sets(2, 0).is_empty());
        for (n, length) in [(9, 4), (48, 2), (48, 47)] {
            let all: BTreeSet<Vec<usize>> = sets(n, length).into_iter().collect();
            assert_eq!(all.len(), choices(n, length));
        }
    }

    #[test]
    fn a_shorter_clause_is_stronger() {
        let clause = |literals: &[&str]| Clause {
            head: 0,
            literals: literals.iter().map(|l| l.to_string()).collect(),
        };
        assert!(clause(&["a"]).is_stronger(&clause(&["a", "b"])));
        assert!(!clause(&["a", "b"]).is_stronger(&clause(&["a", "b"])));
        assert!(!clause(&["c"]).is_stronger(&clause(&["a", "b"])));
        let candidate = clause(&["x > 3", "on"]).candidate();
        assert_eq!(candidate.claim, Claim::Holds("!(on && x > 3)".into()));
    }

    #[test]
    fn a_state_covers_those_that_agree_in_what_matters() {
        let mut small = state(&["a", "b", "c"]);
        small.sort(|n| n == 1);
        assert!(small.covers(&state(&["y", "b", "z"])));
        assert!(!state(&["a", "b"]).covers(&state(&["a"])));
    }
}
