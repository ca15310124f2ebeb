//! The tables with which the paper's monitor judges a word by the states of a Büchi automaton
//! (Hétier & Boucheneb 2018, section 4, after Morse et al. 2015, section 4).

use crate::buchi::Buchi;
use crate::guard::Guard;
use crate::limits::{Limits, TooLarge};
use crate::tgba::components;
use crate::universal::{is_universal, Budget};

/// Facts about each state of a [`Buchi`] automaton. A run of the automaton is one guess: a word is surely
/// rejected only if every run has ended or is in a state that surely rejects, and surely accepted if one run is
/// in a state that surely accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tables {
    /// For each state, the letters that are accepted from it if they are repeated for ever.
    pub stutter_accept: Vec<Guard>,
    /// For each state, whether it accepts no word over the allowed letters.
    pub surely_reject: Vec<bool>,
    /// For each state, whether it accepts every word over the allowed letters: decided exactly, where the
    /// original tool approximates.
    pub surely_accept: Vec<bool>,
}

impl Buchi {
    /// The tables of the automaton.
    ///
    /// # Errors
    /// The universality of a state cannot be decided within the bounds.
    pub fn tables(&self, limits: &Limits) -> Result<Tables, TooLarge> {
        let automaton = self.to_tgba(limits)?;
        let (automaton, alphabet) = (&automaton.0, &automaton.1);
        let accepted = crate::stutter::stutter_accepted(automaton);
        let live = automaton.live(&automaton.components());
        let mut budget = Budget::new(limits);
        let mut surely_accept = Vec::with_capacity(self.states.len());
        for (state, accepted) in accepted.iter().enumerate() {
            // A letter whose repetition is not accepted is the quickest counterexample.
            let plausible = accepted.len() == automaton.letters;
            surely_accept.push(plausible && is_universal(automaton, state, &mut budget)?);
        }
        Ok(Tables {
            stutter_accept: accepted.iter().map(|set| alphabet.guard(set)).collect(),
            surely_reject: live.into_iter().map(|live| !live).collect(),
            surely_accept,
        })
    }

    /// For each state, the letters that are accepted from it if they are repeated for ever.
    ///
    /// # Errors
    /// There are too many classes of letters.
    pub fn stutter_accept(&self, limits: &Limits) -> Result<Vec<Guard>, TooLarge> {
        let (automaton, alphabet) = self.to_tgba(limits)?;
        let accepted = crate::stutter::stutter_accepted(&automaton);
        Ok(accepted.iter().map(|set| alphabet.guard(set)).collect())
    }

    /// The strongly connected component of each state; a successor's number is never higher.
    pub fn components(&self) -> Vec<u32> {
        components(self.states.len(), |s| {
            self.states[s].edges.iter().map(|edge| edge.target)
        })
    }
}
