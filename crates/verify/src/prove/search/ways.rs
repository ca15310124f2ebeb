//! What the steps of the search are told, and what they leave for others.

use std::time::Instant;

use induction::candidates::vocabulary::Vocabulary;

/// The fraction (1/PART) of the remaining time for an expensive question.
pub(super) const PART: u32 = 3;

/// How much a step may use where others follow it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Share {
    Little,
    Part,
    All,
}

impl Share {
    /// The most questions to the model checker, so that what is tried depends on the program and not on the machine; none if
    /// nothing limits them.
    pub(super) fn questions(self) -> Option<u32> {
        match self {
            Share::Little => Some(80),
            Share::Part => Some(160),
            Share::All => None,
        }
    }

    /// The fraction (1/n) of the remaining time, if that is limited.
    pub(super) fn part(self) -> Option<u32> {
        match self {
            Share::Little => Some(2 * PART),
            Share::Part => Some(PART),
            Share::All => None,
        }
    }
}

/// Where a step ends, whether or not it has found something.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allowance {
    /// The number of questions of the whole search.
    pub(super) questions: Option<u32>,
    /// The moment.
    pub(super) until: Option<Instant>,
}

/// Of what combinations are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combine {
    /// Of the values of variables that have few, if there are few combinations.
    Few,
    /// The same, if there are more.
    Many,
    /// Of these, and of conditions about other variables.
    Conditions,
}

impl Combine {
    /// The most combinations.
    pub(super) fn most(self) -> usize {
        match self {
            Combine::Few => 64,
            Combine::Many | Combine::Conditions => 300,
        }
    }
}

/// The combinations in which heads are reached.
pub(super) struct Combined {
    /// What they are combinations of, for each head.
    pub(super) vocabularies: Vec<Vocabulary>,
    pub(super) known: Vec<Reached>,
}

/// A head, and the codes of its vocabulary in which it is reached.
pub(super) type Reached = (usize, Vec<usize>);

impl Combined {
    /// Whether some combination reaches no head, so that something follows of them.
    pub(super) fn excludes(&self) -> bool {
        let mut all = self.vocabularies.iter().enumerate();
        all.any(|(head, vocabulary)| {
            let here = self.known.iter().filter(|(h, _)| *h == head).count();
            here < vocabulary.combinations()
        })
    }

    /// The conditions of a head, of which one holds whenever it is reached.
    pub(super) fn at(&self, head: usize) -> Vec<String> {
        let here = self.known.iter().filter(|(h, _)| *h == head);
        let condition = |(_, codes): &Reached| self.vocabularies[head].condition(codes);
        here.map(condition).collect()
    }
}
