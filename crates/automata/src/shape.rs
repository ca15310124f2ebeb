//! Independent parts of formulas: parts without common propositions, joined by conjunctions and disjunctions.

use ltl::{Arena, AtomId, Id, Node, Signed, B4};
use std::borrow::Cow;
use std::collections::HashMap;

/// How the verdict of a formula follows from those of its independent parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape<T> {
    /// The part's verdict.
    Part(T),
    /// The least verdict: a conjunction.
    Least(Vec<Shape<T>>),
    /// The greatest verdict: a disjunction.
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

    /// The same shape with other parts, which `make` makes from left to right.
    ///
    /// # Errors
    /// The first error of `make`.
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

    /// The verdict of the whole; `value` gives that of each part, from left to right.
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

/// The independent parts of a formula over letters that satisfy all of `constraints`; their formulas are added
/// to the arena. An indivisible formula is its only part. Linear in the size of the formula, times the
/// alternation depth of the operators at which it is divided.
pub fn independent(arena: &mut Arena, root: Id, constraints: &[Id]) -> Shape<Id> {
    let mut linked: HashMap<AtomId, AtomId> = HashMap::new();
    for &constraint in constraints {
        link(&mut linked, &arena.atoms_of(constraint));
    }
    divide(arena, (root, true), &linked)
}

/// As [`independent`]; the arena is copied only if the formula may have parts.
pub(crate) fn divided<'a>(
    arena: &'a Arena,
    root: Id,
    constraints: &[Id],
) -> (Cow<'a, Arena>, Shape<Id>) {
    let negated = matches!(arena.node(root), Node::Not(_));
    if !negated && joins(arena, (root, true)).is_none() {
        return (Cow::Borrowed(arena), Shape::Part(root));
    }
    let mut arena = arena.clone();
    let shape = independent(&mut arena, root, constraints);
    (Cow::Owned(arena), shape)
}

fn divide(arena: &mut Arena, whole: Signed, constrained: &HashMap<AtomId, AtomId>) -> Shape<Id> {
    let whole = without_negations(arena, whole);
    let Some(conjunction) = joins(arena, whole) else {
        return Shape::Part(arena.signed(whole));
    };
    let mut groups: Vec<(Option<AtomId>, Vec<Signed>)> = Vec::new();
    let operands = arena.signed_operands(whole, conjunction);
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
        return Shape::Part(arena.signed(whole));
    }
    let mut shapes = Vec::with_capacity(groups.len());
    for (_, members) in groups {
        shapes.push(match members.as_slice() {
            [only] => divide(arena, *only, constrained),
            _ => {
                let members = members.into_iter().map(|m| arena.signed(m)).collect();
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

fn without_negations(arena: &Arena, (mut id, mut positive): Signed) -> Signed {
    while let Node::Not(inner) = arena.node(id) {
        (id, positive) = (*inner, !positive);
    }
    (id, positive)
}

/// Whether it is a conjunction (`true`) or a disjunction (`false`); `None` if it is neither.
fn joins(arena: &Arena, (id, positive): Signed) -> Option<bool> {
    match arena.node(id) {
        Node::And(_) => Some(positive),
        Node::Or(_) | Node::Implies(..) => Some(!positive),
        _ => None,
    }
}

/// Joins the groups of these propositions.
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
