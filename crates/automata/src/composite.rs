//! Formulas that fall into independent ones: parts without a proposition in common, joined by
//! conjunctions and disjunctions.
//!
//! The four-valued verdict of such a formula is the least or greatest of its parts' verdicts. For a
//! conjunction of independent φ and ψ and a word w: some continuation satisfies both exactly if some
//! continuation satisfies φ and some, perhaps another one, satisfies ψ, because what one needs says
//! nothing about the other's propositions; every continuation satisfies both exactly if every one
//! satisfies each; and the stuttering continuation satisfies both exactly if it satisfies each. So
//! the monitor of a requirement list `G(r1 -> F a1) && … && G(r20 -> F a20)` is twenty monitors of
//! two states, not one of a million.

use crate::classify::{classify_with, Class, Verdicts, Words};
use crate::limits::{Limits, TooLarge};
use crate::monitor::Monitor;
use ltl::lasso::Letter;
use ltl::{Arena, AtomId, Id, Node, B4};
use std::collections::{BTreeSet, HashMap};

/// How the verdict of a formula follows from those of its independent parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape<T> {
    /// It is that of this part.
    Part(T),
    /// It is the least one: a conjunction.
    Least(Vec<Shape<T>>),
    /// It is the greatest one: a disjunction.
    Greatest(Vec<Shape<T>>),
}

impl<T> Shape<T> {
    /// The parts, from left to right.
    pub fn parts(&self) -> Vec<&T> {
        match self {
            Shape::Part(part) => vec![part],
            Shape::Least(shapes) | Shape::Greatest(shapes) => {
                shapes.iter().flat_map(Shape::parts).collect()
            }
        }
    }

    /// The same shape of other parts, made from left to right.
    ///
    /// # Errors
    /// The first that `make` gives.
    pub fn try_map<U, E>(self, make: &mut impl FnMut(T) -> Result<U, E>) -> Result<Shape<U>, E> {
        let mut all = |shapes: Vec<Shape<T>>| {
            let made: Result<Vec<_>, E> = shapes.into_iter().map(|s| s.try_map(make)).collect();
            made
        };
        Ok(match self {
            Shape::Least(shapes) => Shape::Least(all(shapes)?),
            Shape::Greatest(shapes) => Shape::Greatest(all(shapes)?),
            Shape::Part(part) => Shape::Part(make(part)?),
        })
    }

    /// The value of the whole, if `value` is that of each part, asked from left to right.
    pub fn verdict(&self, value: &mut impl FnMut(&T) -> B4) -> B4 {
        let mut each = |shapes: &[Shape<T>]| -> Vec<B4> {
            shapes.iter().map(|shape| shape.verdict(value)).collect()
        };
        match self {
            Shape::Part(part) => value(part),
            Shape::Least(shapes) => each(shapes).into_iter().min().unwrap_or(B4::True),
            Shape::Greatest(shapes) => each(shapes).into_iter().max().unwrap_or(B4::False),
        }
    }
}

/// The independent parts of a formula over letters that satisfy all of `constraints`: formulas of
/// the arena, which grows by them. A formula that does not fall apart is its only part. Linear in
/// the size of the formula, times the depth of alternation of the operators at which it falls apart.
pub fn independent(arena: &mut Arena, root: Id, constraints: &[Id]) -> Shape<Id> {
    let mut linked: HashMap<AtomId, AtomId> = HashMap::new();
    for &constraint in constraints {
        link(&mut linked, &arena.atoms_of(constraint));
    }
    divide(arena, (root, true), &linked)
}

/// A subformula, or, if `false`, its negation.
type Signed = (Id, bool);

fn divide(arena: &mut Arena, whole: Signed, constrained: &HashMap<AtomId, AtomId>) -> Shape<Id> {
    let whole = without_negations(arena, whole);
    let Some(conjunction) = joins(arena, whole) else {
        return Shape::Part(formula(arena, whole));
    };
    let mut groups: Vec<(Option<AtomId>, Vec<Signed>)> = Vec::new();
    let operands = operands(arena, whole, conjunction);
    let mut linked = constrained.clone();
    let atoms: Vec<Vec<AtomId>> = operands.iter().map(|o| arena.atoms_of(o.0)).collect();
    atoms.iter().for_each(|atoms| link(&mut linked, atoms));
    for (operand, atoms) in operands.into_iter().zip(atoms) {
        let group = atoms.first().map(|&atom| representative(&linked, atom));
        match groups.iter_mut().find(|(g, _)| *g == group) {
            Some((_, members)) => members.push(operand),
            None => groups.push((group, vec![operand])),
        }
    }
    if groups.len() < 2 {
        return Shape::Part(formula(arena, whole));
    }
    let mut shapes = Vec::with_capacity(groups.len());
    for (_, members) in groups {
        shapes.push(match members.as_slice() {
            [only] => divide(arena, *only, constrained),
            _ => {
                let members = members.into_iter().map(|m| formula(arena, m)).collect();
                Shape::Part(arena.make(match conjunction {
                    true => Node::And(members),
                    false => Node::Or(members),
                }))
            }
        });
    }
    match conjunction {
        true => Shape::Least(shapes),
        false => Shape::Greatest(shapes),
    }
}

fn formula(arena: &mut Arena, (id, positive): Signed) -> Id {
    match positive {
        true => id,
        false => arena.negate(id),
    }
}

fn without_negations(arena: &Arena, (mut id, mut positive): Signed) -> Signed {
    while let Node::Not(inner) = arena.node(id) {
        (id, positive) = (*inner, !positive);
    }
    (id, positive)
}

/// Whether it is a conjunction (`true`) or a disjunction; none if it is neither.
fn joins(arena: &Arena, (id, positive): Signed) -> Option<bool> {
    match arena.node(id) {
        Node::And(_) => Some(positive),
        Node::Or(_) | Node::Implies(..) => Some(!positive),
        _ => None,
    }
}

/// What a conjunction, or a disjunction, joins, however deep it is nested in others of its kind.
fn operands(arena: &Arena, whole: Signed, conjunction: bool) -> Vec<Signed> {
    let mut found = Vec::new();
    let mut stack = vec![whole];
    while let Some(next) = stack.pop() {
        let (id, positive) = without_negations(arena, next);
        if joins(arena, (id, positive)) != Some(conjunction) {
            found.push((id, positive));
            continue;
        }
        match arena.node(id) {
            Node::And(list) | Node::Or(list) => {
                stack.extend(list.iter().rev().map(|&operand| (operand, positive)));
            }
            Node::Implies(left, right) => stack.extend([(*right, positive), (*left, !positive)]),
            _ => found.push((id, positive)),
        }
    }
    found
}

/// Makes the atoms one group.
fn link(groups: &mut HashMap<AtomId, AtomId>, atoms: &[AtomId]) {
    let Some(&first) = atoms.first() else { return };
    let to = representative(groups, first);
    for &atom in atoms {
        let from = representative(groups, atom);
        if from != to {
            groups.insert(from, to);
        }
    }
}

fn representative(groups: &HashMap<AtomId, AtomId>, mut atom: AtomId) -> AtomId {
    while let Some(&next) = groups.get(&atom) {
        atom = next;
    }
    atom
}

/// The deterministic monitors of a formula's independent parts, and how they make up its verdict.
#[derive(Clone, Debug)]
pub struct Composite {
    /// The monitors, exact and minimal each, in their shape.
    pub shape: Shape<Monitor>,
}

impl Composite {
    /// The monitors of a formula over the letters that satisfy all of `constraints`.
    ///
    /// # Errors
    /// As [`Monitor::for_formula`], of the first part for which there are any.
    pub fn for_formula(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Composite, TooLarge> {
        let mut arena = arena.clone();
        let parts = independent(&mut arena, root, constraints);
        let mut of = |part| Monitor::for_formula(&arena, part, constraints, limits);
        Ok(Composite {
            shape: parts.try_map(&mut of)?,
        })
    }

    /// How many states a single monitor may have at most that does the same.
    pub fn product_states(&self) -> usize {
        let sizes = self.shape.parts().into_iter().map(Monitor::len);
        sizes.fold(1, usize::saturating_mul)
    }

    /// The verdict of each non-empty prefix of a word, shortest first.
    pub fn verdicts_of_prefixes(&self, word: &[Letter]) -> Vec<B4> {
        let run = |monitor: &Monitor| {
            let mut state = monitor.initial();
            let step = |letter: &Letter| {
                state = monitor.next(state, letter);
                monitor.verdict(state, letter)
            };
            word.iter().map(step).collect::<Vec<B4>>()
        };
        let each: Vec<Vec<B4>> = self.shape.parts().into_iter().map(run).collect();
        let at = |position: usize| {
            let mut parts = each.iter();
            self.shape
                .verdict(&mut |_| parts.next().map_or(B4::False, |v| v[position]))
        };
        (0..word.len()).map(at).collect()
    }

    /// The verdict of a word; none for the empty one.
    pub fn verdict_of_word(&self, word: &[Letter]) -> Option<B4> {
        self.verdicts_of_prefixes(word).pop()
    }
}

/// What is known of a part, or of parts joined: all that the class of the whole follows from.
struct Kind {
    verdicts: Verdicts,
    /// For each state: whether ⊥ and whether ⊤ can be reached from it.
    fates: BTreeSet<(bool, bool)>,
    safety: Option<bool>,
    co_safety: Option<bool>,
}

impl Kind {
    fn joined(kinds: &[Kind], conjunction: bool) -> Kind {
        let absorbing = if conjunction { B4::False } else { B4::True };
        if kinds.iter().any(|kind| kind.verdicts.is_only(absorbing)) {
            return Kind {
                verdicts: [absorbing].into_iter().collect(),
                fates: BTreeSet::from([(conjunction, !conjunction)]),
                safety: Some(true),
                co_safety: Some(true),
            };
        }
        // One that always holds, or never does, says nothing about the whole.
        let kinds = kinds
            .iter()
            .filter(|kind| !kind.verdicts.is_only(!absorbing));
        let start = Kind {
            verdicts: [!absorbing].into_iter().collect(),
            fates: BTreeSet::from([(!conjunction, conjunction)]),
            safety: Some(true),
            co_safety: Some(true),
        };
        kinds.fold(start, |all, kind| all.join(kind, conjunction))
    }

    fn join(&self, other: &Kind, conjunction: bool) -> Kind {
        let extreme = |a: B4, b: B4| if conjunction { a.min(b) } else { a.max(b) };
        let pairs = self.verdicts.iter();
        let pairs = pairs.flat_map(|a| other.verdicts.iter().map(move |b| (a, b)));
        let fates = self.fates.iter();
        let fates = fates.flat_map(|a| other.fates.iter().map(move |b| (*a, *b)));
        let all = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        Kind {
            verdicts: pairs.map(|(a, b)| extreme(a, b)).collect(),
            fates: fates
                .map(|(a, b)| match conjunction {
                    true => (a.0 || b.0, a.1 && b.1),
                    false => (a.0 && b.0, a.1 || b.1),
                })
                .collect(),
            safety: all(self.safety, other.safety),
            co_safety: all(self.co_safety, other.co_safety),
        }
    }

    fn of(shape: &Shape<Kind>) -> Kind {
        let all = |shapes: &[Shape<Kind>], conjunction| {
            let kinds: Vec<Kind> = shapes.iter().map(Kind::of).collect();
            Kind::joined(&kinds, conjunction)
        };
        match shape {
            Shape::Part(kind) => Kind {
                verdicts: kind.verdicts,
                fates: kind.fates.clone(),
                ..*kind
            },
            Shape::Least(shapes) => all(shapes, true),
            Shape::Greatest(shapes) => all(shapes, false),
        }
    }
}

/// For each state whether ⊥ and whether ⊤ can be reached from it.
fn fates(monitor: &Monitor) -> BTreeSet<(bool, bool)> {
    let reaches = |value: B4| {
        let mut found: Vec<bool> = monitor
            .states()
            .map(|state| monitor.certain(state) == Some(value))
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for state in monitor.states() {
                let mut next = monitor.transitions(state).iter();
                if !found[state.index()] && next.any(|(_, target)| found[target.index()]) {
                    found[state.index()] = true;
                    changed = true;
                }
            }
        }
        found
    };
    let (bottom, top) = (reaches(B4::False), reaches(B4::True));
    bottom.into_iter().zip(top).collect()
}

/// The class of a formula, from those of its independent parts. What finite words can tell follows
/// from the parts only if repeating a letter changes no verdict, so that words of one length have
/// all the combinations of verdicts that there are; else it is left open.
pub fn classify_composite(
    composite: &Composite,
    arena: &Arena,
    root: Id,
    constraints: &[Id],
    limits: &Limits,
) -> Class {
    let mut arena = arena.clone();
    let parts = independent(&mut arena, root, constraints);
    let mut monitors = composite.shape.parts().into_iter();
    let mut next_free = true;
    let mut kind = |part: Id| {
        let monitor = monitors.next().ok_or(())?;
        next_free &= monitor.absorbs_stuttering();
        let class = classify_with(Some(monitor), &arena, part, constraints, limits);
        Ok::<Kind, ()>(Kind {
            verdicts: monitor.verdicts(),
            fates: fates(monitor),
            safety: class.safety,
            co_safety: class.co_safety,
        })
    };
    let Ok(shape) = parts.try_map(&mut kind) else {
        return classify_with(None, &arena, root, constraints, limits);
    };
    let whole = Kind::of(&shape);
    Class {
        safety: whole.safety,
        co_safety: whole.co_safety,
        stutter_invariant: next_free.then_some(true),
        words: next_free.then(|| Words {
            verdicts: whole.verdicts,
            unrestricted: constraints.is_empty().then_some(whole.verdicts),
            monitorable: whole.fates.iter().all(|&(bottom, top)| bottom || top),
            horizon: None,
        }),
    }
}
