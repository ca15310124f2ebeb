//! Which C conditions cannot hold together, because they compare the same object with constants:
//! `x == 1` and `x == 2`, `x < 3` and `x > 5` (Morse et al. 2015, section 5.4).
//!
//! The types of the objects are not known. What is found holds for signed and unsigned integers, for
//! floating point with its NaN, and for pointers compared with 0: see [`regions`].

mod expression;
mod regions;

use crate::guard::{Cube, Guard};
use expression::{parse, Expression};
use ltl::{Arena, Atom, AtomId, Id, Node};
use std::collections::BTreeSet;

/// Larger groups of conditions that share objects are looked at in pairs only.
const MAX_GROUP: usize = 8;

/// A proposition that is a C condition.
#[derive(Clone, Debug)]
pub struct CCondition<'a> {
    /// The proposition.
    pub atom: AtomId,
    /// The condition as C. A path such as `g->next[2].v` is taken for one object; equal paths must
    /// mean the same object in all conditions. `@` may stand in names, for those of a tool.
    pub text: &'a str,
    /// The value where the condition is not evaluated; none if it always is.
    pub outside: Option<bool>,
}

/// The conjunctions of literals that never hold, each as short as it can be.
///
/// `is_integer` tells the objects whose values are known to be integers; for others there is
/// something between 2 and 3.
pub fn impossible(conditions: &[CCondition<'_>], is_integer: &dyn Fn(&str) -> bool) -> Vec<Cube> {
    let mut known: Vec<Known> = Vec::new();
    for condition in conditions {
        if let Some(expression) = parse(condition.text) {
            known.push(Known {
                atom: condition.atom,
                objects: expression.objects(),
                expression,
                outside: condition.outside,
            });
        }
    }
    regions::drop_ambiguous(&mut known);
    let mut cubes: Vec<Cube> = Vec::new();
    for group in groups(&known) {
        let members: Vec<&Known> = group.iter().map(|&index| &known[index]).collect();
        if members.len() <= MAX_GROUP {
            if let Some(possible) = regions::possible(&members, is_integer) {
                cubes.extend(Guard::top().and_not(&possible).cubes());
                continue;
            }
        }
        for (i, first) in members.iter().enumerate() {
            for second in &members[i + 1..] {
                if let Some(possible) = regions::possible(&[*first, *second], is_integer) {
                    cubes.extend(Guard::top().and_not(&possible).cubes());
                }
            }
        }
    }
    cubes.sort();
    cubes.dedup();
    cubes
}

/// A condition that is understood.
#[derive(Clone, Debug)]
struct Known {
    atom: AtomId,
    objects: BTreeSet<String>,
    expression: Expression,
    outside: Option<bool>,
}

/// The conditions that share objects, directly or through others.
fn groups(known: &[Known]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(BTreeSet<&str>, Vec<usize>)> = Vec::new();
    for (index, condition) in known.iter().enumerate() {
        let mut objects: BTreeSet<&str> = condition.objects.iter().map(String::as_str).collect();
        let mut members = vec![index];
        let mut apart = Vec::new();
        for (others, group) in groups {
            if others.is_disjoint(&objects) {
                apart.push((others, group));
            } else {
                objects.extend(others);
                members.extend(group);
            }
        }
        members.sort_unstable();
        apart.push((objects, members));
        groups = apart;
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// What the `{C conditions}` among the propositions of a formula exclude, as formulas that hold of
/// every letter. Every object is taken to be evaluated at the same time in all conditions.
pub fn constraints_of(arena: &mut Arena, root: Id) -> Vec<Id> {
    let atoms = arena.atoms().to_vec();
    let conditions: Vec<CCondition<'_>> = arena
        .atoms_of(root)
        .into_iter()
        .filter_map(|atom| match atoms.get(atom.0 as usize) {
            Some(Atom::Condition(text)) => Some(CCondition {
                atom,
                text,
                outside: None,
            }),
            _ => None,
        })
        .collect();
    never(arena, &impossible(&conditions, &|_| false))
}

/// That none of the conjunctions holds, as formulas.
pub fn never(arena: &mut Arena, cubes: &[Cube]) -> Vec<Id> {
    let clause = |cube: &Cube| {
        let literals = cube.iter().map(|&(atom, value)| {
            let id = arena.make(Node::Atom(atom));
            if value {
                arena.make(Node::Not(id))
            } else {
                id
            }
        });
        let literals: Vec<Id> = literals.collect();
        match literals[..] {
            [] => arena.make(Node::False),
            [single] => single,
            _ => arena.make(Node::Or(literals)),
        }
    };
    cubes.iter().map(clause).collect()
}
