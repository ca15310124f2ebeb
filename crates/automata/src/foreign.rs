//! Automata of other translators, in place of our own.

use crate::buchi::{over_classes, translate, Buchi, Options};
use crate::compose::{intersects, union};
use crate::det::Machine;
use crate::letters::letters_over;
use crate::limits::{Limits, TooLarge};
use crate::monitor::Monitor;
use crate::universal::{is_universal, Budget};
use ltl::{Arena, Id};

/// How an automaton differs from one of a formula's negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Mismatch {
    /// It accepts too much.
    #[error(
        "the automaton accepts a word that satisfies the formula: it is not one of the negation"
    )]
    AcceptsModel,
    /// It accepts too little.
    #[error(
        "the automaton rejects a word that violates the formula: it is not one of the negation"
    )]
    RejectsViolation,
}

impl Buchi {
    /// The automaton, restricted to letters that satisfy the constraints.
    ///
    /// # Errors
    /// The restricted automaton exceeds a bound.
    pub fn restricted(
        &self,
        arena: &Arena,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Buchi, TooLarge> {
        let allowed = letters_over(arena, self.atoms(), constraints, limits)?.and(self.alphabet());
        let (mut all, alphabet) = over_classes(&[self], &allowed, limits)?;
        let Some(mut automaton) = all.pop() else {
            return Ok(self.clone());
        };
        automaton.trim();
        Ok(Buchi::of_tgba(&automaton, &alphabet))
    }

    /// How this automaton differs from the set of words over its letters that violate the formula; `None` if it
    /// accepts exactly these. The constraints must be those of [`Buchi::restricted`].
    ///
    /// # Errors
    /// The question cannot be decided within the bounds.
    pub fn mismatch(
        &self,
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Option<Mismatch>, TooLarge> {
        let options = Options {
            limits: *limits,
            constraints: constraints.to_vec(),
        };
        let ours = translate(arena, root, &options)?;
        let (automata, _) = over_classes(
            &[&ours, self],
            &ours.alphabet().and(self.alphabet()),
            limits,
        )?;
        let [ours, theirs] = &automata[..] else {
            return Ok(None);
        };
        let too_large = TooLarge {
            what: "states",
            limit: limits.monitor_states,
        };
        match intersects(ours, theirs, limits.monitor_states) {
            None => return Err(too_large),
            Some(true) => return Ok(Some(Mismatch::AcceptsModel)),
            Some(false) => {}
        }
        let both = union(ours, theirs).ok_or(too_large)?;
        let all = is_universal(&both, both.init as usize, &mut Budget::new(limits))?;
        Ok((!all).then_some(Mismatch::RejectsViolation))
    }
}

impl Monitor {
    /// The monitor of a formula of which only an automaton of the negation is given: as exact and as small as
    /// that of [`Monitor::for_formula`].
    ///
    /// # Errors
    /// The bound that the automaton exceeds.
    pub fn of_negation(negation: &Buchi, limits: &Limits) -> Result<Monitor, TooLarge> {
        let (mut automaton, alphabet) = negation.to_tgba(limits)?;
        automaton.trim();
        let machine = Machine::of_negation(&automaton, limits)?;
        Ok(Monitor::of_machine(&machine.minimised(), &alphabet))
    }
}
