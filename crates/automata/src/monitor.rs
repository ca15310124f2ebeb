//! The deterministic monitor: exact in the four-valued semantics and minimal.

use crate::alphabet::Alphabet;
use crate::bits::Bits;
use crate::composite::{independent, Composite, Shape};
use crate::det::{Fate, Machine};
use crate::guard::{constant, rename, Guard};
use crate::limits::{Limits, TooLarge};
use crate::nnf::Store;
use crate::product::product;
use crate::translate::{allowed, Effort, Translation};
use ltl::lasso::Letter;
use ltl::B4;
use ltl::{Arena, AtomId, Id};
use std::collections::HashMap;

/// A formula that falls into independent parts gets its monitor from theirs up to this size.
const MOST_PRODUCT_STATES: usize = 512;

/// A state of a [`Monitor`], dense from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(pub u32);

impl StateId {
    /// The number, for tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a monitor knows in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub fate: Fate,
    /// The letters that, repeated for ever, satisfy the formula from here.
    pub stutter: Guard,
    /// Disjoint, together all letters of the alphabet.
    pub transitions: Vec<(Guard, StateId)>,
}

/// The minimal deterministic machine that gives, after each letter, the four-valued verdict of the
/// word so far (`Bauer, Leucker & Schallhart 2010` for the construction with both polarities, Morse
/// et al. 2015 for the semantics).
///
/// It is a Mealy machine: the verdict depends on the state and the last letter. Two states are the
/// same exactly if all words over the allowed letters get the same verdicts from both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Monitor {
    pub(crate) atoms: Vec<AtomId>,
    pub(crate) alphabet: Guard,
    pub(crate) states: Vec<State>,
    /// The letters with which a state can be current; see [`Monitor::entered_by`].
    pub(crate) entered: Vec<Guard>,
    stutter_invariant: bool,
}

impl Monitor {
    /// The monitor of a formula over the letters that satisfy all of `constraints` (propositional
    /// formulas of the same arena).
    ///
    /// If no letter satisfies them there is no word; the monitor then has one state, whose verdict
    /// is ⊥.
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
        if let Some(monitor) = Monitor::of_suspendable(arena, root, constraints, limits)? {
            return Ok(monitor);
        }
        if let Some(monitor) = Monitor::of_parts(arena, root, constraints, limits) {
            return Ok(monitor);
        }
        Monitor::of_whole(arena, root, constraints, limits)
    }

    /// As [`Monitor::for_formula`], without looking for parts of the formula that are independent.
    /// For tests of what those do.
    #[doc(hidden)]
    pub fn of_whole(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Monitor, TooLarge> {
        let translation = Translation::new(arena, root, constraints, limits, Effort::One)?;
        Monitor::of_translation(&translation, limits)
    }

    /// The monitor of a formula that falls into independent parts whose product is small: it needs
    /// no automaton of the whole.
    fn of_parts(arena: &Arena, root: Id, constraints: &[Id], limits: &Limits) -> Option<Monitor> {
        let mut divided = arena.clone();
        if let Shape::Part(_) = independent(&mut divided, root, constraints) {
            return None;
        }
        let alphabet = letters_over(arena, &arena.atoms_of(root), constraints, limits).ok()?;
        let composite = Composite::for_formula(arena, root, constraints, limits).ok()?;
        let small = composite.product_states() <= MOST_PRODUCT_STATES && !alphabet.is_false();
        small.then(|| product(&composite.shape, &alphabet))
    }

    /// The monitor of states, the first of which is the initial one.
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
        }
    }

    /// The monitor of a formula whose value no finite prefix can change, such as `GF a -> GF b`, if
    /// the syntax shows that: it has one state, and needs no automaton.
    fn of_suspendable(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
    ) -> Result<Option<Monitor>, TooLarge> {
        let atoms = arena.atoms_of(root);
        let mut store = Store::new(atoms.clone(), true, true);
        let f = store.convert(arena, root, limits)?;
        if !store.traits(f).suspendable() {
            return Ok(None);
        }
        let alphabet = letters_over(arena, &atoms, constraints, limits)?;
        let repeated = Guard::from_bdd(rename(&store.repeated(f, limits)?, &atoms)).and(&alphabet);
        // If some repeated letter satisfies it and another does not, both are possible for ever.
        if repeated.is_false() || alphabet.implies(&repeated) {
            return Ok(None);
        }
        let state = State {
            fate: Fate::Open,
            stutter: repeated,
            transitions: vec![(alphabet.clone(), StateId(0))],
        };
        Ok(Some(Monitor {
            atoms,
            entered: vec![alphabet.clone()],
            alphabet,
            states: vec![state],
            stutter_invariant: true,
        }))
    }

    /// The monitor of automata that exist already.
    pub(crate) fn of_translation(
        translation: &Translation,
        limits: &Limits,
    ) -> Result<Monitor, TooLarge> {
        let machine = Machine::new(translation.positive()?, translation.negative()?, limits)?;
        let machine = machine.minimised();
        Ok(Monitor::of_machine(&machine, &translation.alphabet))
    }

    /// The monitor with guards instead of classes of letters.
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
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
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

    /// Where each letter leads: disjoint guards, together the whole alphabet, by ascending target.
    pub fn transitions(&self, state: StateId) -> &[(Guard, StateId)] {
        &self.states[state.index()].transitions
    }

    /// The letters with which the state is entered from a state that can be reached, itself
    /// included: what the last letter can have been while the state is current. The initial state
    /// is current before the first letter as well.
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

    /// The letters with which a word that ends in `state` has this value.
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

    /// ⊥ or ⊤ where no continuation can change the verdict any more.
    pub fn certain(&self, state: StateId) -> Option<B4> {
        match self.states[state.index()].fate {
            Fate::Lost => Some(B4::False),
            Fate::Won => Some(B4::True),
            Fate::Open => None,
        }
    }

    /// Whether no finite prefix tells anything: there is one state, in which both are possible.
    pub(crate) fn is_suspended(&self) -> bool {
        self.states.len() == 1 && self.states[0].fate == Fate::Open
    }

    /// Whether a letter equal to the one before never changes the state. True for every monitor of
    /// a stutter-invariant formula; then such letters may be dropped.
    pub fn absorbs_stuttering(&self) -> bool {
        self.stutter_invariant
    }

    /// The value of a finite word; none for the empty word, which has no value.
    pub fn verdict_of_word(&self, word: &[Letter]) -> Option<B4> {
        let last = word.last()?;
        let end = word
            .iter()
            .fold(self.initial(), |state, letter| self.next(state, letter));
        Some(self.verdict(end, last))
    }
}

/// The value of a finite word under a formula; none for the empty word.
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

/// The letters that satisfy all the propositional formulas.
///
/// # Errors
/// As [`Monitor::for_formula`].
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
    }
    Ok(Guard::from_bdd(rename(&all, &atoms)))
}

/// The letters that satisfy all the propositional formulas, as far as these propositions tell: with
/// some values of the others.
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
