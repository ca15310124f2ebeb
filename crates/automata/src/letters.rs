//! The letters that propositional formulas allow.

use crate::guard::{constant, rename, variable, Guard, VARIABLES};
use crate::limits::{Limits, TooLarge};
use biodivine_lib_bdd::Bdd;
use ltl::{Arena, AtomId, Id, Node};
use std::collections::HashMap;

/// The letters that satisfy all the propositional formulas.
///
/// # Errors
/// As [`crate::Monitor::for_formula`].
pub fn letters_of(arena: &Arena, constraints: &[Id], limits: &Limits) -> Result<Guard, TooLarge> {
    let mut atoms: Vec<AtomId> = constraints
        .iter()
        .flat_map(|&c| arena.atoms_of(c))
        .collect();
    atoms.sort_unstable();
    atoms.dedup();
    let mut all = constant(true);
    for &constraint in constraints {
        all = all.and(&allowed(arena, constraint, &atoms, limits)?);
        Limits::check("nodes of decision diagrams", all.size(), limits.work)?;
    }
    Ok(Guard::from_bdd(rename(&all, &atoms)))
}

/// The letters over these propositions that satisfy all the propositional formulas for some values of the other
/// propositions.
pub(crate) fn letters_over(
    arena: &Arena,
    atoms: &[AtomId],
    constraints: &[Id],
    limits: &Limits,
) -> Result<Guard, TooLarge> {
    let mut letters = letters_of(arena, constraints, limits)?;
    for other in letters.support() {
        if !atoms.contains(&other) {
            letters = letters.exists(other);
        }
    }
    Ok(letters)
}

/// The letters that satisfy a propositional formula, over the indices of the propositions.
///
/// # Errors
/// A temporal operator in the formula, or a bound that it exceeds.
pub(crate) fn allowed(
    arena: &Arena,
    root: Id,
    atoms: &[AtomId],
    limits: &Limits,
) -> Result<Bdd, TooLarge> {
    let order = arena.postorder(root);
    Limits::check("subformulas", order.len(), limits.subformulas)?;
    let mut known: HashMap<Id, Bdd> = HashMap::with_capacity(order.len());
    let mut work = 0;
    for id in order {
        let of = |id: &Id| &known[id];
        let bdd = match arena.node(id) {
            Node::True => constant(true),
            Node::False => constant(false),
            Node::Atom(atom) => {
                let index = atoms.binary_search(atom).unwrap_or(usize::MAX);
                let most = usize::from(VARIABLES) / 2;
                Limits::check("propositions", index, most)?;
                variable(index as u16, true)
            }
            Node::Not(a) => of(a).not(),
            Node::And(all) => all.iter().fold(constant(true), |d, a| d.and(of(a))),
            Node::Or(all) => all.iter().fold(constant(false), |d, a| d.or(of(a))),
            Node::Implies(a, b) => of(a).imp(of(b)),
            Node::Iff(a, b) => of(a).iff(of(b)),
            _ => {
                return Err(TooLarge {
                    what: "temporal operators in a constraint on letters",
                    limit: 0,
                })
            }
        };
        work += bdd.size();
        Limits::check("nodes of decision diagrams", work, limits.work)?;
        known.insert(id, bdd);
    }
    Ok(known.remove(&root).unwrap_or_else(|| constant(true)))
}
