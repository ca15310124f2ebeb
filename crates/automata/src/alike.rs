//! The automata of many formulas: those that differ only in the names of their propositions are translated once, and
//! all translations together have a bound, so that a large set ends as a small one does.
//!
//! A set of requirements has many formulas of few shapes: scope, condition and timing are the same, the signals are
//! others.

use crate::buchi::Buchi;
use crate::joint::Machine;
use crate::limits::{Limits, TooLarge};
use crate::places::placed;
use crate::translate::{Effort, Translation};
use ltl::{Arena, AtomId, Id};
use std::collections::{BTreeSet, HashMap};

/// All automata together may have so many times the edges of one.
const MOST_EDGES: usize = 6;

/// The parts of the bound of one automaton that are tried one after the other, so that what is small has its answer
/// before what is large takes the work.
const PARTS: [usize; 3] = [16, 4, 1];

/// A formula of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Member {
    /// The formula.
    pub formula: Id,
    /// What must come to pass on a word so that the formula asks for anything; `true` if nothing must.
    pub trigger: Id,
}

impl Member {
    /// The propositions of the formula and of the trigger, ascending, each once.
    pub(crate) fn atoms(&self, arena: &Arena) -> Vec<AtomId> {
        let mut atoms = arena.atoms_of(self.formula);
        atoms.extend(arena.atoms_of(self.trigger));
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }
}

/// The automata of a member: of its formula, of the negation, and of the trigger.
#[derive(Clone)]
pub(crate) struct Automata {
    pub formula: Machine,
    pub negation: Machine,
    pub trigger: Machine,
}

/// A member over numbered propositions, with the constraints that bear on them.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Shape {
    member: Member,
    constraints: Vec<Id>,
}

/// The shapes of members.
#[derive(Default)]
struct Shapes {
    /// Proposition `i` is the `i`-th of those of a member.
    arena: Arena,
    all: Vec<Shape>,
    numbers: HashMap<Shape, usize>,
}

/// The automata of each member, or the bound that they exceed. The work is bounded for all members together: shapes
/// within a small bound come first, in the order of the members, then the others.
pub(crate) fn automata(
    arena: &Arena,
    members: &[Member],
    constraints: &[Id],
    limits: &Limits,
) -> Vec<Result<Automata, TooLarge>> {
    let of_constraints: Vec<Vec<AtomId>> = constraints.iter().map(|&c| arena.atoms_of(c)).collect();
    let mut shapes = Shapes::default();
    let mut place = |member: &Member| {
        let (atoms, bearing) =
            bearing_on(member.atoms(arena).into_iter().collect(), &of_constraints);
        let bearing: Vec<Id> = bearing.into_iter().map(|c| constraints[c]).collect();
        (shapes.number(arena, member, &bearing, &atoms), atoms)
    };
    let places: Vec<(usize, Vec<AtomId>)> = members.iter().map(&mut place).collect();
    let built = shapes.build(limits);
    let named = |(shape, atoms): (usize, Vec<AtomId>)| {
        let three = built[shape].as_ref().map_err(|bound| *bound)?;
        Ok(Automata {
            formula: three.formula.renamed(&atoms),
            negation: three.negation.renamed(&atoms),
            trigger: three.trigger.renamed(&atoms),
        })
    };
    places.into_iter().map(named).collect()
}

/// Propositions and those of the constraints that bear on them, directly or by other constraints, ascending; and
/// these constraints, of which the propositions are given.
pub(crate) fn bearing_on(
    mut atoms: BTreeSet<AtomId>,
    constraints: &[Vec<AtomId>],
) -> (Vec<AtomId>, Vec<usize>) {
    let mut bearing = BTreeSet::new();
    loop {
        let before = bearing.len();
        for (number, of_constraint) in constraints.iter().enumerate() {
            // A constraint without propositions bears on all.
            let bears =
                of_constraint.is_empty() || of_constraint.iter().any(|atom| atoms.contains(atom));
            if bears && bearing.insert(number) {
                atoms.extend(of_constraint);
            }
        }
        if bearing.len() == before {
            return (atoms.into_iter().collect(), bearing.into_iter().collect());
        }
    }
}

impl Shapes {
    /// The number of a member's shape. The propositions must be ascending, so that diagrams can be renamed.
    fn number(
        &mut self,
        arena: &Arena,
        member: &Member,
        constraints: &[Id],
        atoms: &[AtomId],
    ) -> usize {
        let mut copy = |formula| placed(&mut self.arena, arena, formula, atoms);
        let shape = Shape {
            member: Member {
                formula: copy(member.formula),
                trigger: copy(member.trigger),
            },
            constraints: constraints.iter().map(|&c| copy(c)).collect(),
        };
        let fresh = self.all.len();
        let number = *self.numbers.entry(shape.clone()).or_insert(fresh);
        if number == fresh {
            self.all.push(shape);
        }
        number
    }

    /// The automata of each shape.
    fn build(&self, limits: &Limits) -> Vec<Result<Automata, TooLarge>> {
        let total = limits.edges.saturating_mul(MOST_EDGES);
        let mut left = total;
        let spent = TooLarge {
            what: "edges of the automata of all formulas",
            limit: total,
        };
        let mut built: Vec<Result<Automata, TooLarge>> = vec![Err(spent); self.all.len()];
        for edges in PARTS.map(|part| limits.edges / part) {
            for (shape, built) in self.all.iter().zip(&mut built) {
                if built.is_ok() {
                    continue;
                }
                if left < edges {
                    *built = Err(spent);
                    continue;
                }
                *built = self.translated(shape, &Limits { edges, ..*limits });
                left -= match built {
                    Ok(three) => three.edges().min(edges),
                    Err(_) => edges,
                };
            }
        }
        built
    }

    fn translated(&self, shape: &Shape, limits: &Limits) -> Result<Automata, TooLarge> {
        let of =
            |root| Translation::new(&self.arena, root, &shape.constraints, limits, Effort::One);
        let machine = |translation, positive| {
            Buchi::of_translation(translation, positive).map(|buchi| Machine::new(&buchi, limits))
        };
        let formula = of(shape.member.formula)?;
        let trigger = of(shape.member.trigger)?;
        Ok(Automata {
            formula: machine(&formula, true)?,
            negation: machine(&formula, false)?,
            trigger: machine(&trigger, true)?,
        })
    }
}

impl Automata {
    fn edges(&self) -> usize {
        [&self.formula, &self.negation, &self.trigger]
            .map(Machine::edges)
            .iter()
            .sum()
    }
}
