//! The syntax tree. Formulas are hash-consed in an [`Arena`]: equal formulas have the same [`Id`], comparison
//! is O(1), subformulas are shared, and no operation on a deep formula needs the call stack.

use crate::{condition, Matching, Pattern};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Index of an atomic proposition in its [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AtomId(pub u32);

/// Index of a formula in its [`Arena`]. Children always have smaller indices than their parents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(u32);

impl Id {
    /// The index, dense from 0, for tables parallel to the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The name of an atomic proposition in the formula's text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// An identifier, or a `"quoted"` name.
    Name(String),
    /// The C condition of a `{…}` atom, without the braces, trimmed.
    Condition(String),
}

/// One operator with its operands (Baier & Katoen, *Principles of Model Checking*, 5.1; the past operators are
/// those of Lichtenstein, Pnueli & Zuck, *The glory of the past*, 1985).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// `true`
    True,
    /// `false`
    False,
    /// An atomic proposition.
    Atom(AtomId),
    /// Negation.
    Not(Id),
    /// Conjunction of two or more, as written from left to right.
    And(Vec<Id>),
    /// Disjunction of two or more, as written from left to right.
    Or(Vec<Id>),
    /// Implication.
    Implies(Id, Id),
    /// Equivalence.
    Iff(Id, Id),
    /// Next.
    Next(Id),
    /// Eventually.
    Finally(Id),
    /// Always.
    Globally(Id),
    /// (Strong) until.
    Until(Id, Id),
    /// Release: dual of until.
    Release(Id, Id),
    /// Weak until.
    WeakUntil(Id, Id),
    /// Strong (mighty) release: dual of weak until.
    StrongRelease(Id, Id),
    /// At the previous letter; false at the first.
    Previous(Id),
    /// At the previous letter, if there is one; true at the first.
    WeakPrevious(Id),
    /// At this letter or an earlier one: the past of eventually.
    Once(Id),
    /// At this letter and all earlier ones: the past of always.
    Historically(Id),
    /// `a S b`: `b` at this letter or an earlier one, and `a` ever since.
    Since(Id, Id),
    /// `a B b`: back to, the dual of since: `!(!a S !b)`.
    BackTo(Id, Id),
    /// A bounded operator: the position that decides is so many letters away. Two operands for until and since,
    /// else one.
    Within(Bounded, Interval, Vec<Id>),
    /// A bounded operator whose interval measures time: ticks of a program's clock from this letter to the one that
    /// decides. Words without times have no value for it: [`crate::timed`] replaces it.
    Timed(Bounded, Interval, Vec<Id>),
    /// `O[times in window] a`: the number of letters in the window, so many letters before this one, at which the
    /// operand holds. The window comes first.
    Often(Interval, Interval, Id),
    /// What is asked of the stretches of letters that fit a pattern: the formulas of its letters, and the formula
    /// behind it if there is one.
    Sequence(Matching, Pattern, Vec<Id>),
}

/// The operators that can have an [`Interval`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Bounded {
    /// `X[n] a`: n letters later; the interval is the one number.
    Next,
    /// `F[a,b] c`
    Finally,
    /// `G[a,b] c`
    Globally,
    /// `c U[a,b] d`
    Until,
    /// `O[a,b] c`
    Once,
    /// `H[a,b] c`: letters before the first are not asked.
    Historically,
    /// `c S[a,b] d`
    Since,
}

impl Bounded {
    /// Whether it looks back.
    pub fn is_past(self) -> bool {
        matches!(self, Bounded::Once | Bounded::Historically | Bounded::Since)
    }
}

/// The numbers of letters from `from` to `to`, both included; without `to`, all from `from` on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Interval {
    /// The least number.
    pub from: u32,
    /// The greatest one.
    pub to: Option<u32>,
}

impl Interval {
    /// Whether it contains a number.
    pub fn contains(self, number: u32) -> bool {
        number >= self.from && self.to.is_none_or(|to| number <= to)
    }
}

impl Node {
    /// Whether its value depends on other positions of the word.
    pub fn is_temporal(&self) -> bool {
        !matches!(
            self,
            Node::True
                | Node::False
                | Node::Atom(_)
                | Node::Not(_)
                | Node::And(_)
                | Node::Or(_)
                | Node::Implies(..)
                | Node::Iff(..)
        )
    }

    /// Whether its value depends on earlier positions of the word.
    pub fn is_past(&self) -> bool {
        matches!(
            self,
            Node::Previous(_)
                | Node::WeakPrevious(_)
                | Node::Once(_)
                | Node::Historically(_)
                | Node::Since(..)
                | Node::BackTo(..)
                | Node::Often(..)
        ) || matches!(self, Node::Within(operator, ..) | Node::Timed(operator, ..) if operator.is_past())
    }
}

/// Formulas by their numbers.
#[derive(Clone, Default, Debug)]
struct Nodes {
    all: Vec<Node>,
    ids: HashMap<Node, Id>,
}

/// The store of formulas and atomic propositions. A formula is an [`Id`] in it; equal formulas have equal ids. A copy has what is
/// [settled](Arena::settle) in common with its original.
#[derive(Clone, Default, Debug)]
pub struct Arena {
    /// The first formulas, in common with other arenas.
    settled: Arc<Nodes>,
    /// Those behind them.
    own: Nodes,
    atoms: Vec<Atom>,
    /// Conditions by their tokens.
    atom_ids: HashMap<Atom, AtomId>,
}

/// A proposition, without what makes no other one of it.
fn identity(atom: &Atom) -> Cow<'_, Atom> {
    match atom {
        Atom::Name(_) => Cow::Borrowed(atom),
        Atom::Condition(text) => match condition::tokens(text) {
            Cow::Borrowed(_) => Cow::Borrowed(atom),
            Cow::Owned(tokens) => Cow::Owned(Atom::Condition(tokens)),
        },
    }
}

impl Arena {
    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// The formula with this root, shared with an equal one that exists already. Does not simplify.
    pub fn make(&mut self, node: Node) -> Id {
        let known = self.settled.ids.get(&node);
        if let Some(&id) = known.or_else(|| self.own.ids.get(&node)) {
            return id;
        }
        let id = Id(self.len() as u32);
        self.own.all.push(node.clone());
        self.own.ids.insert(node, id);
        id
    }

    /// Puts all formulas among those that copies made from here on have in common with this arena: then a copy costs what is added
    /// afterwards. Formulas keep their ids. Linear in what was added since the last time, or in all if copies made before still exist.
    pub fn settle(&mut self) {
        let own = std::mem::take(&mut self.own);
        let settled = Arc::make_mut(&mut self.settled);
        settled.all.extend(own.all);
        settled.ids.extend(own.ids);
    }

    /// The root operator of a formula.
    pub fn node(&self, id: Id) -> &Node {
        let first = &self.settled.all;
        match id.index().checked_sub(first.len()) {
            None => &first[id.index()],
            Some(behind) => &self.own.all[behind],
        }
    }

    /// The number of formulas; every [`Id::index`] is below it.
    pub fn len(&self) -> usize {
        self.settled.all.len() + self.own.all.len()
    }

    /// Whether it has no formulas.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The proposition with this text; equal texts have equal ids, and conditions with the same tokens, of which the
    /// first is kept.
    pub fn atom(&mut self, atom: Atom) -> AtomId {
        let identity = identity(&atom);
        if let Some(&id) = self.atom_ids.get(&identity) {
            return id;
        }
        let id = AtomId(self.atoms.len() as u32);
        self.atom_ids.insert(identity.into_owned(), id);
        self.atoms.push(atom);
        id
    }

    /// The id of a proposition, if the arena has it.
    pub fn find_atom(&self, atom: &Atom) -> Option<AtomId> {
        self.atom_ids.get(&identity(atom)).copied()
    }

    /// All propositions, in order of their ids.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_what_is_settled_in_common() {
        let mut first = Arena::new();
        let p = first.atom(Atom::Name("p".into()));
        let p = first.make(Node::Atom(p));
        let g = first.make(Node::Globally(p));
        first.settle();
        let mut second = first.clone();
        let (x, y) = (Node::Next(g), Node::Not(g));
        let (a, b) = (first.make(x.clone()), second.make(y.clone()));
        // Each adds formulas of its own, and finds those that are settled.
        assert_eq!((a, b), (Id(2), Id(2)));
        assert_eq!((first.node(a), second.node(b)), (&x, &y));
        assert_eq!(second.make(Node::Globally(p)), g);
        second.settle();
        assert_eq!((second.len(), second.make(y)), (3, b));
        assert_eq!((first.len(), first.node(a)), (3, &x));
    }
}
