//! Obligations inside a formula: each is translated to its own minimal deterministic automaton, whose states
//! then stand for it in the construction. So a disjunction such as `(a R b) | (c U d)` needs no guess.

use crate::alphabet::Alphabet;
use crate::guard::constant;
use crate::limits::{Limits, TooLarge};
use crate::nnf::{Store, F};
use crate::pool::{Pool, D};
use crate::simulation;
use crate::smallest::weak_of;
use crate::tableau::{Raw, StateEdge, Tableau};
use crate::tgba::{components, Tgba};
use crate::weak::Weak;
use biodivine_lib_bdd::Bdd;
use std::collections::HashMap;

/// The most obligations of one formula that are replaced.
const MAX_PARTS: usize = 6;

/// The formula with its largest proper obligations replaced by states of automata, if these are deterministic
/// and the construction would not be.
pub(crate) fn determinise_parts(tableau: &mut Tableau<'_>, root: F) -> Result<F, TooLarge> {
    let mut replaced = HashMap::new();
    if tableau.store.traits(root).obligation {
        return Ok(root);
    }
    for f in obligations(tableau.store, root) {
        if let Some(state) = state_for(tableau, f)? {
            replaced.insert(f, state);
        }
    }
    if replaced.is_empty() {
        return Ok(root);
    }
    Ok(tableau.store.substitute(root, &replaced))
}

/// The obligations with temporal operators that are not part of a larger obligation.
fn obligations(store: &Store, root: F) -> Vec<F> {
    let mut found = Vec::new();
    let mut stack = vec![root];
    while let Some(f) = stack.pop() {
        let traits = store.traits(f);
        if !traits.obligation {
            stack.extend(store.op(f).operands());
        } else if !traits.boolean && !found.contains(&f) {
            found.push(f);
        }
    }
    found.truncate(MAX_PARTS);
    found
}

/// The state that stands for an obligation; `None` if it would not help.
fn state_for(tableau: &mut Tableau<'_>, f: F) -> Result<Option<F>, TooLarge> {
    let negation = tableau.store.negate(f);
    let raws = [tableau.build(f)?, tableau.build(negation)?];
    let mut guards: Vec<D> = raws.iter().flat_map(Raw::guards).collect();
    guards.sort_unstable();
    guards.dedup();
    let diagrams: Vec<&Bdd> = guards.iter().map(|&d| tableau.pool.bdd(d)).collect();
    let atoms = &tableau.store.atoms;
    let limits = tableau.limits;
    let (alphabet, members) = Alphabet::new(atoms, &diagrams, &constant(true), limits)?;
    let classes: HashMap<D, _> = guards.into_iter().zip(members).collect();
    let [positive, negative] = raws
        .each_ref()
        .map(|raw| -> Tgba { raw.finish(&alphabet, |d| classes[&d].clone()) });
    if positive.is_deterministic() {
        return Ok(None);
    }
    let states = raws[0].len();
    let mut work = limits.work / 16;
    let [positive, negative] = [positive, negative].map(|mut automaton| {
        simulation::reduce_fully(&mut automaton, &mut work);
        automaton
    });
    let weak = weak_of(&positive, &negative).filter(|weak| weak.next.len() <= states + 2);
    Ok(weak.and_then(|weak| install(tableau, &weak, &alphabet)))
}

/// Adds the automaton's states to the construction. Every rejecting component must be a single state: then runs
/// in the same rejecting state leave it together, so that one promise suffices for all of them.
fn install(tableau: &mut Tableau<'_>, weak: &Weak, alphabet: &Alphabet) -> Option<F> {
    let of = components(weak.next.len(), |s| {
        weak.next[s].iter().map(|&t| t as usize)
    });
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    for &c in &of {
        *sizes.entry(c).or_insert(0) += 1;
    }
    if (0..of.len()).any(|s| !weak.accepting[s] && sizes[&of[s]] > 1) {
        return None;
    }
    let first = tableau.add_states(weak.next.len());
    let formulas: Vec<F> = (0..weak.next.len())
        .map(|s| match weak.next[s].iter().all(|&t| t as usize == s) {
            true if weak.accepting[s] => Store::TRUE,
            true => Store::FALSE,
            false => tableau.store.state(first + s as u32),
        })
        .collect();
    for (s, targets) in weak.next.iter().enumerate() {
        let mut edges: Vec<StateEdge> = Vec::new();
        for (letter, &t) in targets.iter().enumerate() {
            let guard = tableau.pool.intern(alphabet.class(letter));
            let target = formulas[t as usize];
            match edges.iter_mut().find(|edge| edge.target == target) {
                Some(edge) => edge.guard = tableau.pool.or(edge.guard, guard),
                None => edges.push(StateEdge {
                    guard,
                    target,
                    put_off: t as usize == s && !weak.accepting[s],
                }),
            }
        }
        edges.retain(|edge| edge.target != Store::FALSE);
        tableau.set_state(first + s as u32, edges);
    }
    debug_assert!(Pool::FALSE < Pool::TRUE);
    Some(formulas[weak.init as usize])
}

/// Whether the limits allow an attempt.
pub(crate) fn worthwhile(store: &Store, root: F, limits: &Limits) -> bool {
    store.subformulas(root).len() < limits.subformulas.min(200)
}
