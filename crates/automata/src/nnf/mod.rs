//! Formulas in negation normal form, simplified on construction.
//!
//! The rules are those of Etessami & Holzmann (CONCUR 2000), Somenzi & Bloem (CAV 2000),
//! Babiak et al. (TACAS 2012) and of Duret-Lutz's survey of temporal formulas in Spot: pure
//! eventualities and universalities, suspendable subformulas, syntactic implication.

pub(crate) mod build;
mod convert;
mod imply;
mod next;
mod regroup;
mod until;

use crate::limits::{Limits, TooLarge};
use ltl::AtomId;
use std::collections::HashMap;

/// Index of a formula in its [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct F(pub u32);

/// An operator with its operands. Only propositions are negated.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Op {
    True,
    False,
    /// A proposition, by its index in the formula, with its required value.
    Literal(u16, bool),
    /// Two or more, ascending.
    And(Box<[F]>),
    /// Two or more, ascending.
    Or(Box<[F]>),
    Next(F),
    Finally(F),
    Globally(F),
    Until(F, F),
    Release(F, F),
    Weak(F, F),
    Strong(F, F),
    /// A state of an automaton that stands for a subformula; only during the construction.
    State(u32),
}

impl Op {
    /// The operands from left to right.
    pub fn operands(&self) -> impl Iterator<Item = F> + '_ {
        let (many, few): (&[F], [Option<F>; 2]) = match self {
            Op::True | Op::False | Op::Literal(..) | Op::State(_) => (&[], [None, None]),
            Op::And(all) | Op::Or(all) => (all, [None, None]),
            Op::Next(a) | Op::Finally(a) | Op::Globally(a) => (&[], [Some(*a), None]),
            Op::Until(a, b) | Op::Release(a, b) | Op::Weak(a, b) | Op::Strong(a, b) => {
                (&[], [Some(*a), Some(*b)])
            }
        };
        many.iter().copied().chain(few.into_iter().flatten())
    }
}

/// Syntactic facts about a formula's language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Traits {
    /// Pure eventuality: a model with any word before it is a model, so `F f = f`.
    pub eventual: bool,
    /// Pure universality: every suffix of a model is a model, so `G f = f`.
    pub universal: bool,
    /// No temporal operator.
    pub boolean: bool,
    /// Syntactically safe: every violation shows in a finite prefix.
    pub safety: bool,
    /// Syntactically co-safe: every satisfaction shows in a finite prefix.
    pub guarantee: bool,
    /// Syntactically a Boolean combination of safe and co-safe formulas.
    pub obligation: bool,
    /// No `X`.
    pub next_free: bool,
    /// The greatest nesting depth of operators; bounds recursion.
    pub depth: u32,
}

impl Traits {
    /// Both eventual and universal: the position at which it is checked does not matter.
    pub fn suspendable(self) -> bool {
        self.eventual && self.universal
    }
}

/// The store of one translation's formulas.
pub(crate) struct Store {
    ops: Vec<Op>,
    traits: Vec<Traits>,
    ids: HashMap<Op, F>,
    negations: HashMap<F, F>,
    implications: HashMap<(F, F), bool>,
    /// The current nesting depth of constructors.
    depth: u32,
    /// Whether constructors simplify; off for a second, cruder translation and in tests.
    simplify: bool,
    /// Whether an until with a universal left side, and its duals, are split into a disjunction: that gives
    /// more suspendable parts, but sometimes more states.
    split: bool,
    /// Whether such a split has happened.
    has_split: bool,
    /// The propositions by index, ascending.
    pub atoms: Vec<AtomId>,
}

impl Store {
    /// The constant true.
    pub const TRUE: F = F(0);
    /// The constant false.
    pub const FALSE: F = F(1);

    /// An empty store over these propositions (ascending).
    pub fn new(atoms: Vec<AtomId>, simplify: bool, split: bool) -> Store {
        let mut store = Store {
            ops: Vec::new(),
            traits: Vec::new(),
            ids: HashMap::new(),
            negations: HashMap::new(),
            implications: HashMap::new(),
            depth: 0,
            simplify,
            split,
            has_split: false,
            atoms,
        };
        store.intern(Op::True);
        store.intern(Op::False);
        store
    }

    /// The operator at the root.
    pub fn op(&self, f: F) -> &Op {
        &self.ops[f.0 as usize]
    }

    /// The syntactic facts.
    pub fn traits(&self, f: F) -> Traits {
        self.traits[f.0 as usize]
    }

    /// The number of formulas.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Whether an until was split; if not, splitting makes no difference.
    pub fn has_split(&self) -> bool {
        self.has_split
    }

    /// An error if there are too many formulas.
    pub fn check(&self, limits: &Limits) -> Result<(), TooLarge> {
        // Several intermediate formulas are made for each one that stays.
        Limits::check("subformulas", self.len() / 8, limits.subformulas)
    }

    /// The formula with this root, without simplification.
    fn intern(&mut self, op: Op) -> F {
        if let Some(&known) = self.ids.get(&op) {
            return known;
        }
        let f = F(self.ops.len() as u32);
        self.traits.push(self.traits_of(&op));
        self.ops.push(op.clone());
        self.ids.insert(op, f);
        f
    }

    fn traits_of(&self, op: &Op) -> Traits {
        let all = |which: fn(Traits) -> bool| op.operands().all(|g| which(self.traits(g)));
        let one = |g: &F, which: fn(Traits) -> bool| which(self.traits(*g));
        let (eventual, universal) = (|t: Traits| t.eventual, |t: Traits| t.universal);
        let (e, u) = match op {
            Op::True | Op::False => (true, true),
            Op::Literal(..) | Op::State(_) => (false, false),
            Op::And(_) | Op::Or(_) | Op::Next(_) => (all(eventual), all(universal)),
            Op::Finally(_) => (true, all(universal)),
            Op::Globally(_) => (all(eventual), true),
            Op::Until(_, b) => (one(b, eventual), all(universal)),
            Op::Weak(a, b) => (
                one(a, eventual) && one(b, eventual),
                all(universal) || (one(a, universal) && *b == Self::FALSE),
            ),
            Op::Release(_, b) => (all(eventual), one(b, universal)),
            Op::Strong(a, b) => (one(a, eventual) && one(b, eventual), all(universal)),
        };
        let (safety, guarantee, obligation) = self.class_of(op);
        Traits {
            safety,
            guarantee,
            obligation,
            eventual: e,
            universal: u,
            boolean: !matches!(
                op,
                Op::Next(_)
                    | Op::Finally(_)
                    | Op::Globally(_)
                    | Op::Until(..)
                    | Op::Release(..)
                    | Op::Weak(..)
                    | Op::Strong(..)
                    | Op::State(_)
            ) && all(|t| t.boolean),
            next_free: !matches!(op, Op::Next(_)) && all(|t| t.next_free),
            depth: 1 + op
                .operands()
                .map(|g| self.traits(g).depth)
                .max()
                .unwrap_or(0),
        }
    }

    /// Syntactic safety, guarantee and obligation (Černá & Pelánek, MFCS 2003).
    fn class_of(&self, op: &Op) -> (bool, bool, bool) {
        let safety = |g: &F| self.traits(*g).safety;
        let guarantee = |g: &F| self.traits(*g).guarantee;
        let obligation = |g: &F| self.traits(*g).obligation;
        match op {
            Op::True | Op::False | Op::Literal(..) => (true, true, true),
            Op::And(all) | Op::Or(all) => (
                all.iter().all(safety),
                all.iter().all(guarantee),
                all.iter().all(obligation),
            ),
            Op::State(_) => (false, false, false),
            Op::Next(a) => (safety(a), guarantee(a), obligation(a)),
            Op::Finally(a) => (false, guarantee(a), guarantee(a)),
            Op::Globally(a) => (safety(a), false, safety(a)),
            Op::Until(a, b) => (
                false,
                guarantee(a) && guarantee(b),
                obligation(a) && guarantee(b),
            ),
            Op::Strong(a, b) => (
                false,
                guarantee(a) && guarantee(b),
                guarantee(a) && obligation(b),
            ),
            Op::Weak(a, b) => (safety(a) && safety(b), false, safety(a) && obligation(b)),
            Op::Release(a, b) => (safety(a) && safety(b), false, obligation(a) && safety(b)),
        }
    }

    /// The distinct subformulas, operands first.
    pub fn subformulas(&self, root: F) -> Vec<F> {
        let mut seen = vec![false; root.0 as usize + 1];
        let mut stack = vec![root];
        seen[root.0 as usize] = true;
        let mut found = Vec::new();
        while let Some(f) = stack.pop() {
            found.push(f);
            for g in self.op(f).operands() {
                if !std::mem::replace(&mut seen[g.0 as usize], true) {
                    stack.push(g);
                }
            }
        }
        // Operands are interned before the formulas that use them.
        found.sort_unstable();
        found
    }
}
