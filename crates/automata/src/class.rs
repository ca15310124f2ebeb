//! What is known of a formula by its class.

use ltl::B4;

/// A set of verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Verdicts([bool; 4]);

impl Verdicts {
    /// Whether the verdict is in the set.
    pub fn has(self, verdict: B4) -> bool {
        self.0[usize::from(verdict.level())]
    }

    /// The verdicts of the set, least first.
    pub fn iter(self) -> impl Iterator<Item = B4> {
        B4::ALL
            .into_iter()
            .filter(move |&verdict| self.has(verdict))
    }

    /// Whether the set has only this verdict.
    pub fn is_only(self, verdict: B4) -> bool {
        self.iter().eq([verdict])
    }
}

impl FromIterator<B4> for Verdicts {
    fn from_iter<I: IntoIterator<Item = B4>>(verdicts: I) -> Self {
        let mut set = Verdicts::default();
        for verdict in verdicts {
            set.0[usize::from(verdict.level())] = true;
        }
        set
    }
}

/// What finite words can tell about a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    /// The verdicts of non-empty words over the allowed letters.
    pub verdicts: Verdicts,
    /// The verdicts of non-empty words over all letters; if these are more than [`Words::verdicts`], the
    /// restriction of the alphabet excludes some. `None` if that monitor exceeds the bounds.
    pub unrestricted: Option<Verdicts>,
    /// Whether every finite word has a continuation with the verdict ⊥ or ⊤ (Pnueli & Zaks, FM 2006).
    pub monitorable: bool,
    /// The length from which on every word is ⊥ or ⊤; `None` if there is no such length.
    pub horizon: Option<usize>,
}

/// The class of a formula over the allowed letters. `None` stands for a question that cannot be decided within
/// the bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// Whether every infinite word that violates the formula has a prefix with the verdict ⊥ (Alpern &
    /// Schneider 1985).
    pub safety: Option<bool>,
    /// Whether every infinite word that satisfies the formula has a prefix with the verdict ⊤.
    pub co_safety: Option<bool>,
    /// Whether repeating a letter never changes the formula's value on an infinite word.
    pub stutter_invariant: Option<bool>,
    /// What finite words can tell.
    pub words: Option<Words>,
}
