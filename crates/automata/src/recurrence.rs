//! Deterministic Büchi automata of a formula or of its negation, for lassos: the loop of a lasso is judged by
//! whether it visits an accepting state, without any guess.

use crate::buchi::Buchi;
use crate::decision::{self, Decision, Moves};
use crate::guard::Guard;
use crate::limits::{Limits, TooLarge};
use crate::monitor::StateId;
use crate::runs::LONG;
use crate::smallest::by_determinisation;
use crate::translate::{Effort, Translation};
use ltl::lasso::Letter;
use ltl::{Arena, AtomId, Id};

/// A complete deterministic Büchi automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recurrence {
    of_negation: bool,
    atoms: Vec<AtomId>,
    alphabet: Guard,
    initial: StateId,
    accepting: Vec<bool>,
    transitions: Vec<Vec<(Guard, StateId)>>,
    entered: Vec<Guard>,
    /// Whether steps may count, see [`crate::runs`].
    counts: bool,
}

impl Recurrence {
    /// The smallest deterministic automaton found for the formula or its negation; `None` if none is found for
    /// either. The formula has one if it is a recurrence property, such as `G (a -> F b)`; the negation has one
    /// if the formula is a persistence property, such as `F G a`; an obligation has both.
    ///
    /// # Errors
    /// The bound that the formula exceeds.
    pub fn for_formula(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Option<Recurrence>, TooLarge> {
        let translation = Translation::new(arena, root, constraints, limits, Effort::Several)?;
        let mut found = Vec::new();
        for of_negation in [true, false] {
            let automaton = Buchi::of_translation(&translation, !of_negation)?;
            if automaton.is_deterministic() {
                found.push(Recurrence::of(&automaton, of_negation));
            }
        }
        let (positive, negative) = (translation.positive()?, translation.negative()?);
        if let Some(weak) = by_determinisation(negative, positive) {
            let automaton = Buchi::of_tgba(&weak, &translation.alphabet);
            found.push(Recurrence::of(&automaton, true));
        }
        let smallest = found.into_iter().min_by_key(|r| r.transitions.len());
        Ok(smallest.map(|r| Recurrence {
            counts: r.len() >= LONG && arena.counts_letters(root),
            ..r
        }))
    }

    /// Completes a deterministic automaton by a rejecting sink.
    fn of(automaton: &Buchi, of_negation: bool) -> Recurrence {
        let alphabet = automaton.alphabet().clone();
        let dead = StateId(automaton.states().len() as u32);
        let mut accepting: Vec<bool> = automaton.states().iter().map(|s| s.accepting).collect();
        let mut transitions: Vec<Vec<(Guard, StateId)>> = Vec::new();
        let mut incomplete = false;
        for state in automaton.states() {
            let mut row: Vec<(Guard, StateId)> = Vec::new();
            let mut rest = alphabet.clone();
            for edge in &state.edges {
                rest = rest.and_not(&edge.guard);
                row.push((edge.guard.and(&alphabet), StateId(edge.target as u32)));
            }
            if !rest.is_false() {
                incomplete = true;
                row.push((rest, dead));
            }
            transitions.push(row);
        }
        if incomplete {
            transitions.push(vec![(alphabet.clone(), dead)]);
            accepting.push(false);
        }
        let mut entered = vec![Guard::bottom(); transitions.len()];
        for (guard, target) in transitions.iter().flatten() {
            let known = &mut entered[target.index()];
            *known = known.or(guard);
        }
        Recurrence {
            of_negation,
            atoms: automaton.atoms().to_vec(),
            alphabet,
            initial: StateId(automaton.initial() as u32),
            accepting,
            transitions,
            entered,
            counts: false,
        }
    }

    /// Whether it accepts the words that violate the formula, not those that satisfy it.
    pub fn of_negation(&self) -> bool {
        self.of_negation
    }

    /// The propositions that it reads; it may not depend on all of them.
    pub fn atoms(&self) -> &[AtomId] {
        &self.atoms
    }

    /// The state before the first letter.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.transitions.len()
    }

    /// Always false: there is an initial state.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The accepting states: a run that visits one of them infinitely often is accepted.
    pub fn accepting(&self) -> impl Iterator<Item = StateId> + '_ {
        let states = (0..self.len() as u32).map(StateId);
        states.filter(|s| self.accepting[s.index()])
    }

    /// The next state.
    pub fn next(&self, state: StateId, letter: &Letter) -> StateId {
        let moves = self.transitions[state.index()].iter();
        let found = moves.clone().find(|(guard, _)| guard.contains(letter));
        found.map_or(state, |(_, target)| *target)
    }

    /// Whether a repeated letter never changes the state. Then the language is stutter-invariant; the converse
    /// need not hold.
    pub fn absorbs_stuttering(&self) -> bool {
        self.transitions.iter().flatten().all(|(guard, target)| {
            let again = self.transitions[target.index()].iter();
            again
                .filter(|(_, next)| next != target)
                .all(|(next, _)| next.is_disjoint(guard))
        })
    }

    /// Whether every violation shows in a finite prefix: the automaton is one of the negation, and each
    /// accepting state is a sink.
    pub fn is_safety(&self) -> bool {
        self.of_negation && self.stays(|accepting| accepting)
    }

    fn stays(&self, kind: impl Fn(bool) -> bool) -> bool {
        let states = self.transitions.iter().enumerate();
        let mut kept = states.filter(|(s, _)| kind(self.accepting[*s]));
        kept.all(|(s, row)| row.iter().all(|(_, target)| target.index() == s))
    }

    /// The step for a letter in which just this proposition has changed, to this value.
    ///
    /// # Errors
    /// If the step is too large to be written as nested conditions.
    pub fn flip(&self, atom: AtomId, value: bool) -> Result<Decision, TooLarge> {
        decision::flip(self, atom, value)
    }

    /// The step from any state that can be current to any new letter.
    ///
    /// # Errors
    /// If the step is too large to be written as nested conditions.
    pub fn step(&self) -> Result<Decision, TooLarge> {
        decision::step(self)
    }

    /// The step from the initial state to the first letter.
    ///
    /// # Errors
    /// If the step is too large to be written as nested conditions.
    pub fn first(&self) -> Result<Decision, TooLarge> {
        decision::first(self)
    }
}

impl Moves for Recurrence {
    fn start(&self) -> StateId {
        self.initial
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn letters(&self) -> &Guard {
        &self.alphabet
    }

    fn entered(&self, state: StateId) -> &Guard {
        &self.entered[state.index()]
    }

    fn moves(&self, state: StateId) -> &[(Guard, StateId)] {
        &self.transitions[state.index()]
    }

    fn counts(&self) -> bool {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn found(formula: &str) -> Option<Recurrence> {
        let parsed = ltl::parse(formula).unwrap();
        Recurrence::for_formula(&parsed.arena, parsed.root, &[], &Limits::default()).unwrap()
    }

    #[test]
    fn one_polarity_of_most_formulas_is_deterministic() {
        for (formula, safety) in [
            ("G p", true),
            ("F p", false),
            ("G (a -> F b)", false),
            ("F G a", false),
            ("F (a && X b)", false),
            ("G p || F (p && F q)", false),
            ("!a W b", true),
        ] {
            assert_eq!(found(formula).unwrap().is_safety(), safety, "{formula}");
        }
        assert!(found("G F a -> G F b").is_none());
    }

    #[test]
    fn stuttering_is_absorbed_where_next_is_not_used() {
        assert!(found("G (a -> F b)").unwrap().absorbs_stuttering());
        assert!(!found("G (a -> X b)").unwrap().absorbs_stuttering());
    }
}
