//! What the steps of the search are told, and what they leave for others.

use induction::candidates::vocabulary::Vocabulary;

/// How much of the time that is left a step may take, where others follow it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Share {
    Little,
    Part,
    All,
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
