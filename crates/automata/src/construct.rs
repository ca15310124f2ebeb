//! The monitor of a formula: from its independent parts, from its syntax alone, or from automata of the whole.

use crate::det::Fate;
use crate::guard::{rename, Guard};
use crate::letters::letters_over;
use crate::limits::{Limits, TooLarge};
use crate::memo;
use crate::monitor::{Monitor, State, StateId};
use crate::nnf::Store;
use crate::product::{most_states, product};
use crate::runs::LONG;
use crate::shape::{divided, Shape};
use crate::translate::{Effort, Translation};
use ltl::lasso::Letter;
use ltl::{Arena, Id, B4};

/// The largest product of parts' monitors that is built instead of the monitor of the whole.
const MOST_PRODUCT_STATES: usize = 512;

impl Monitor {
    /// The monitor of a formula over the letters that satisfy all of `constraints` (propositional
    /// formulas of the same arena).
    ///
    /// If no letter satisfies them, there is no word; the monitor then has one state with the verdict ⊥.
    ///
    /// # Errors
    /// The bound that the formula exceeds, or that a constraint is not propositional (reported as
    /// more than 0 temporal operators in a constraint).
    pub fn for_formula(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Monitor, TooLarge> {
        memo::monitor(
            (arena, root, constraints),
            limits,
            |(arena, root, constraints)| {
                if let Some(monitor) = Monitor::of_suspendable(arena, root, constraints, limits)? {
                    return Ok(monitor);
                }
                let monitor = match Monitor::of_parts(arena, root, constraints, limits) {
                    Some(monitor) => monitor,
                    None => Monitor::of_whole(arena, root, constraints, limits)?,
                };
                let long = monitor.len() >= LONG && arena.counts_letters(root);
                Ok(if long { monitor.counting() } else { monitor })
            },
        )
    }

    /// Like [`Monitor::for_formula`], without a search for independent parts; for tests of that search.
    #[doc(hidden)]
    pub fn of_whole(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Monitor, TooLarge> {
        let translation = Translation::new(arena, root, constraints, limits, Effort::One)?;
        Monitor::of_translation(&translation, &limits.counting(arena, root))
    }

    /// The monitor of a formula with independent parts whose product is small: it needs no automaton of the
    /// whole.
    fn of_parts(arena: &Arena, root: Id, constraints: &[Id], limits: &Limits) -> Option<Monitor> {
        let (divided, shape) = divided(arena, root, constraints);
        if let Shape::Part(_) = shape {
            return None;
        }
        let alphabet = letters_over(arena, &arena.atoms_of(root), constraints, limits).ok()?;
        let mut of = |part| Monitor::for_formula(&divided, part, constraints, limits);
        let shape = shape.try_map(&mut of).ok()?;
        let small = most_states(&shape) <= MOST_PRODUCT_STATES && !alphabet.is_false();
        small.then(|| product(&shape, &alphabet))
    }

    /// The monitor of a formula whose value no finite prefix can change, such as `GF a -> GF b`, if the syntax
    /// shows that: it has one state, and needs no automaton.
    fn of_suspendable(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Option<Monitor>, TooLarge> {
        if arena.is_extended(root) {
            return Ok(None);
        }
        let atoms = arena.atoms_of(root);
        let mut store = Store::new(atoms.clone(), true, true);
        let f = store.convert(arena, root, limits)?;
        if !store.traits(f).suspendable() {
            return Ok(None);
        }
        let alphabet = letters_over(arena, &atoms, constraints, limits)?;
        let repeated = Guard::from_bdd(rename(&store.repeated(f, limits)?, &atoms)).and(&alphabet);
        // If some repeated letter satisfies the formula and another does not, both stay possible for ever.
        if repeated.is_false() || alphabet.implies(&repeated) {
            return Ok(None);
        }
        let state = State {
            fate: Fate::Open,
            stutter: repeated,
            transitions: vec![(alphabet.clone(), StateId(0))],
        };
        Ok(Some(Monitor::of_states(atoms, alphabet, vec![state])))
    }
}

/// The value of a finite word under a formula; `None` for the empty word.
///
/// # Errors
/// As [`Monitor::for_formula`].
pub fn verdict_of_word(
    arena: &Arena,
    root: Id,
    word: &[Letter],
    limits: &Limits,
) -> Result<Option<B4>, TooLarge> {
    Ok(Monitor::for_formula(arena, root, &[], limits)?.verdict_of_word(word))
}
