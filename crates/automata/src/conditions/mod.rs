//! C conditions that cannot hold together because they compare the same object with constants: `x == 1` and
//! `x == 2`, `x < 3` and `x > 5` (Morse et al. 2015, section 5.4).
//!
//! The types of the objects are unknown. The results hold for signed and unsigned integers, for floating point
//! with NaN, and for pointers compared with 0 (see `regions`).

mod expression;
mod regions;

use crate::guard::{Cube, Guard};
use expression::{parse, Expression};
use ltl::{Arena, Atom, AtomId, Id, Node};
use std::collections::BTreeSet;

/// The largest group of conditions with common objects that is analysed as a whole; larger groups are analysed
/// in pairs.
const MAX_GROUP: usize = 8;

/// A proposition that is a C condition.
#[derive(Clone, Debug)]
pub struct CCondition<'a> {
    /// The proposition.
    pub atom: AtomId,
    /// The condition as C. A path such as `g->next[2].v` counts as one object; equal paths must denote the same
    /// object in all conditions. Names may contain `@`, for names that a tool makes.
    pub text: &'a str,
    /// The value where the condition is not evaluated; `None` if it always is.
    pub outside: Option<bool>,
}

/// The conjunctions of literals that never hold, each minimal.
///
/// `is_integer` tells which objects surely have integer values; others may have values between 2 and 3.
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

/// A condition that the parser understands.
#[derive(Clone, Debug)]
struct Known {
    atom: AtomId,
    objects: BTreeSet<String>,
    expression: Expression,
    outside: Option<bool>,
}

/// The conditions grouped by common objects, direct or indirect.
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

/// The constraints that the `{C conditions}` among a formula's propositions imply, as formulas that hold in
/// every letter. Assumes that all conditions are evaluated at the same time.
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

/// Formulas that say that none of the conjunctions holds.
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
