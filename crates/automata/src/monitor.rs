//! The deterministic monitor: exact in the four-valued semantics, and minimal.

use crate::alphabet::Alphabet;
use crate::bits::Bits;
use crate::det::{Fate, Machine};
use crate::guard::Guard;
use crate::levels::by_levels;
use crate::limits::{Limits, TooLarge};
use crate::translate::Translation;
use ltl::lasso::Letter;
use ltl::AtomId;
use ltl::B4;
use std::collections::HashMap;

/// A state of a [`Monitor`]; the states are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u32);

impl StateId {
    /// The number, as an index into tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The facts of a monitor's state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub fate: Fate,
    /// The letters that satisfy the formula from here if they are repeated for ever.
    pub stutter: Guard,
    /// The guards are disjoint; together they are the alphabet.
    pub transitions: Vec<(Guard, StateId)>,
}

/// The minimal deterministic machine that gives, after each letter, the four-valued verdict of the word so far
/// (Bauer, Leucker & Schallhart 2010 for the construction from both polarities, Morse et al. 2015 for the
/// semantics).
///
/// It is a Mealy machine: the verdict depends on the state and on the last letter. Two states are equal exactly
/// if all words over the allowed letters get the same verdicts from both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Monitor {
    pub(crate) atoms: Vec<AtomId>,
    pub(crate) alphabet: Guard,
    pub(crate) states: Vec<State>,
    /// The letters with which a state can be current, see [`Monitor::entered_by`].
    pub(crate) entered: Vec<Guard>,
    stutter_invariant: bool,
    /// Whether steps may count, see [`Monitor::counting`].
    pub(crate) counts: bool,
}

impl Monitor {
    /// The monitor with these states; the first one is initial.
    pub(crate) fn of_states(atoms: Vec<AtomId>, alphabet: Guard, states: Vec<State>) -> Monitor {
        let mut entered = vec![Guard::bottom(); states.len()];
        let mut stutter_invariant = true;
        for (guard, target) in states.iter().flat_map(|state| &state.transitions) {
            let stays = &states[target.index()].transitions;
            let again = stays.iter().find(|(_, t)| t == target);
            stutter_invariant &= again.is_some_and(|(stay, _)| guard.implies(stay));
            entered[target.index()] = entered[target.index()].or(guard);
        }
        Monitor {
            atoms,
            alphabet,
            states,
            entered,
            stutter_invariant,
            counts: false,
        }
    }

    /// The monitor of given automata.
    pub(crate) fn of_translation(
        translation: &Translation,
        limits: &Limits,
    ) -> Result<Monitor, TooLarge> {
        let machine = Machine::new(translation.positive()?, translation.negative()?, limits)?;
        let machine = machine.minimised();
        Ok(Monitor::of_machine(&machine, &translation.alphabet))
    }

    /// The monitor with guards in place of classes of letters.
    pub(crate) fn of_machine(machine: &Machine, alphabet: &Alphabet) -> Monitor {
        let mut guards: HashMap<Bits, Guard> = HashMap::new();
        let mut guard = |set: &Bits| {
            let known = guards.entry(set.clone());
            known.or_insert_with(|| alphabet.guard(set)).clone()
        };
        let mut entered = vec![Bits::empty(machine.letters); machine.next.len()];
        let mut states = Vec::with_capacity(machine.next.len());
        for (state, targets) in machine.next.iter().enumerate() {
            let mut letters: Vec<(u32, Bits)> = Vec::new();
            for (letter, &target) in targets.iter().enumerate() {
                entered[target as usize].insert(letter);
                match letters.iter_mut().find(|(t, _)| *t == target) {
                    Some((_, set)) => set.insert(letter),
                    None => {
                        let mut set = Bits::empty(machine.letters);
                        set.insert(letter);
                        letters.push((target, set));
                    }
                }
            }
            letters.sort_unstable_by_key(|(target, _)| *target);
            let transitions = letters.iter().map(|(t, set)| (guard(set), StateId(*t)));
            let transitions = transitions.collect();
            states.push(State {
                fate: machine.fate[state],
                stutter: guard(&machine.stutter[state]),
                transitions,
            });
        }
        let stutter_invariant = machine.next.iter().all(|targets| {
            (0..machine.letters).all(|a| {
                let once = targets[a];
                machine.next[once as usize][a] == once
            })
        });
        Monitor {
            atoms: alphabet.atoms.clone(),
            alphabet: guard(&Bits::full(machine.letters)),
            entered: entered.iter().map(&mut guard).collect(),
            states,
            stutter_invariant,
            counts: false,
        }
    }

    /// The same monitor with numbers of states and steps that count, where states differ in a number only: those of
    /// a bounded operator. [`Monitor::for_formula`] does so where there are many states.
    #[doc(hidden)]
    pub fn counting(self) -> Monitor {
        let targets: Vec<Vec<u32>> = self
            .states
            .iter()
            .map(|state| state.transitions.iter().map(|(_, to)| to.0).collect())
            .collect();
        let order = by_levels(&targets);
        let mut numbers = vec![StateId(0); order.len()];
        for (new, &old) in order.iter().enumerate() {
            numbers[old as usize] = StateId(new as u32);
        }
        let renumbered = |&old: &u32| {
            let mut state = self.states[old as usize].clone();
            for (_, target) in &mut state.transitions {
                *target = numbers[target.index()];
            }
            state
                .transitions
                .sort_unstable_by_key(|(_, target)| *target);
            state
        };
        let entered = |&old: &u32| self.entered[old as usize].clone();
        Monitor {
            states: order.iter().map(renumbered).collect(),
            entered: order.iter().map(entered).collect(),
            counts: true,
            ..self
        }
    }

    /// The same monitor over other propositions: `rename` renames those of a guard.
    pub(crate) fn mapped<'a>(
        &'a self,
        atoms: Vec<AtomId>,
        mut rename: impl FnMut(&'a Guard) -> Guard,
    ) -> Monitor {
        let mut state = |state: &'a State| {
            let transitions = state.transitions.iter();
            State {
                fate: state.fate,
                stutter: rename(&state.stutter),
                transitions: transitions.map(|(g, to)| (rename(g), *to)).collect(),
            }
        };
        let states = self.states.iter().map(&mut state).collect();
        Monitor {
            atoms,
            states,
            alphabet: rename(&self.alphabet),
            entered: self.entered.iter().map(&mut rename).collect(),
            ..*self
        }
    }

    /// The state before the first letter.
    pub fn initial(&self) -> StateId {
        StateId(0)
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Never: there is always the initial state.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// All states.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + use<> {
        (0..self.states.len() as u32).map(StateId)
    }

    /// The propositions of the formula, ascending.
    pub fn atoms(&self) -> &[AtomId] {
        &self.atoms
    }

    /// The letters that can occur.
    pub fn alphabet(&self) -> &Guard {
        &self.alphabet
    }

    /// The transitions of a state: disjoint guards that together are the alphabet, by ascending target.
    pub fn transitions(&self, state: StateId) -> &[(Guard, StateId)] {
        &self.states[state.index()].transitions
    }

    /// The letters with which the state is entered from a reachable state, itself included: the possible last
    /// letters while the state is current. The initial state is also current before the first letter.
    pub fn entered_by(&self, state: StateId) -> &Guard {
        &self.entered[state.index()]
    }

    /// The state after one more letter; a letter outside the alphabet changes nothing.
    pub fn next(&self, state: StateId, letter: &Letter) -> StateId {
        let transitions = self.transitions(state).iter();
        let mut taken = transitions.filter(|(guard, _)| guard.contains(letter));
        taken.next().map_or(state, |&(_, target)| target)
    }

    /// The value of a word that ended in `state` with `letter` as its last letter.
    pub fn verdict(&self, state: StateId, letter: &Letter) -> B4 {
        let state = &self.states[state.index()];
        match state.fate {
            Fate::Lost => B4::False,
            Fate::Won => B4::True,
            Fate::Open if state.stutter.contains(letter) => B4::PresumablyTrue,
            Fate::Open => B4::PresumablyFalse,
        }
    }

    /// The last letters with which a word that ends in `state` has this value.
    pub fn verdict_guard(&self, state: StateId, value: B4) -> Guard {
        let state = &self.states[state.index()];
        let whole = |is: bool| if is { Guard::top() } else { Guard::bottom() };
        match (state.fate, value) {
            (Fate::Open, B4::PresumablyTrue) => state.stutter.clone(),
            (Fate::Open, B4::PresumablyFalse) => Guard::top().and_not(&state.stutter),
            (fate, B4::False) => whole(fate == Fate::Lost),
            (fate, B4::True) => whole(fate == Fate::Won),
            _ => Guard::bottom(),
        }
    }

    /// ⊥ or ⊤, if no continuation can change the verdict of the state.
    pub fn certain(&self, state: StateId) -> Option<B4> {
        match self.states[state.index()].fate {
            Fate::Lost => Some(B4::False),
            Fate::Won => Some(B4::True),
            Fate::Open => None,
        }
    }

    /// Whether no finite prefix tells anything: the only state is open.
    pub(crate) fn is_suspended(&self) -> bool {
        self.states.len() == 1 && self.states[0].fate == Fate::Open
    }

    /// Whether a repeated letter never changes the state. True for every monitor of a stutter-invariant
    /// formula; then such letters may be dropped.
    pub fn absorbs_stuttering(&self) -> bool {
        self.stutter_invariant
    }

    /// The value of a finite word; `None` for the empty word, which has no value.
    pub fn verdict_of_word(&self, word: &[Letter]) -> Option<B4> {
        let last = word.last()?;
        let end = word
            .iter()
            .fold(self.initial(), |state, letter| self.next(state, letter));
        Some(self.verdict(end, last))
    }
}
