//! Büchi automata with state-based acceptance.

use crate::alphabet::Alphabet;
use crate::bits::Bits;
use crate::guard::{localise, Guard};
use crate::limits::{Limits, TooLarge};
use crate::smallest::smallest;
use crate::tgba::{components, Edge, Tgba};
use crate::translate::{Effort, Translation};
use biodivine_lib_bdd::Bdd;
use ltl::lasso::Letter;
use ltl::{Arena, AtomId, Id};
use std::collections::HashMap;

/// Options of [`translate`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The bounds.
    pub limits: Limits,
    /// Propositional formulas that hold in every letter.
    pub constraints: Vec<Id>,
}

/// An edge of a [`Buchi`] automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuchiEdge {
    /// The letters; never empty.
    pub guard: Guard,
    /// The next state.
    pub target: usize,
}

/// A state of a [`Buchi`] automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuchiState {
    /// Whether a run that visits the state infinitely often is accepted.
    pub accepting: bool,
    /// The outgoing edges, at most one for each target.
    pub edges: Vec<BuchiEdge>,
}

/// A non-deterministic Büchi automaton with one initial state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buchi {
    pub(crate) atoms: Vec<AtomId>,
    pub(crate) alphabet: Guard,
    pub(crate) initial: usize,
    pub(crate) states: Vec<BuchiState>,
}

/// The automaton of a formula: it accepts the infinite words over the allowed letters that satisfy
/// the formula. Each state accepts some word, except the only state of an empty automaton.
///
/// # Errors
/// The bound that the formula exceeds.
pub fn translate(arena: &Arena, root: Id, options: &Options) -> Result<Buchi, TooLarge> {
    let limits = &options.limits;
    let translation = Translation::new(arena, root, &options.constraints, limits, Effort::Several)?;
    Buchi::of_translation(&translation, true)
}

impl Buchi {
    /// The automaton of the formula, or of its negation.
    pub(crate) fn of_translation(
        translation: &Translation,
        positive: bool,
    ) -> Result<Buchi, TooLarge> {
        let work = translation.work;
        let (this, other) = (&translation.positive, &translation.negative);
        let automaton = match positive {
            true => smallest(translation.positive()?, this, other, work),
            false => smallest(translation.negative()?, other, this, work),
        };
        Ok(Buchi::of_tgba(&automaton, &translation.alphabet))
    }

    /// The automaton with guards in place of classes of letters.
    pub(crate) fn of_tgba(automaton: &Tgba, alphabet: &Alphabet) -> Buchi {
        let mut guards: HashMap<Bits, Guard> = HashMap::new();
        let mut guard = |set: &Bits| {
            let known = guards.entry(set.clone());
            known.or_insert_with(|| alphabet.guard(set)).clone()
        };
        let states = automaton.states.iter().enumerate().map(|(state, edges)| {
            let edges = edges.iter().map(|edge| BuchiEdge {
                guard: guard(&edge.guard),
                target: edge.dst as usize,
            });
            BuchiState {
                edges: edges.collect(),
                accepting: automaton.accepts(state),
            }
        });
        let states = states.collect();
        Buchi {
            atoms: alphabet.atoms.clone(),
            alphabet: guard(&Bits::full(automaton.letters)),
            initial: automaton.init as usize,
            states,
        }
    }

    /// The propositions of the formula, ascending.
    pub fn atoms(&self) -> &[AtomId] {
        &self.atoms
    }

    /// The letters that can occur.
    pub fn alphabet(&self) -> &Guard {
        &self.alphabet
    }

    /// The initial state.
    pub fn initial(&self) -> usize {
        self.initial
    }

    /// All states.
    pub fn states(&self) -> &[BuchiState] {
        &self.states
    }

    /// The number of edges; letters that lead to the same state are one edge.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(|state| state.edges.len()).sum()
    }

    /// The number of accepting states.
    pub fn accepting_count(&self) -> usize {
        self.states.iter().filter(|state| state.accepting).count()
    }

    /// Whether no letter has two successors in any state.
    pub fn is_deterministic(&self) -> bool {
        self.states.iter().all(|state| {
            let mut seen = Guard::bottom();
            state.edges.iter().all(|edge| {
                let fresh = seen.is_disjoint(&edge.guard);
                seen = seen.or(&edge.guard);
                fresh
            })
        })
    }
}

impl Buchi {
    /// Whether it accepts the infinite word `prefix · cycle^ω`; false for an empty cycle, which gives no
    /// infinite word.
    pub fn accepts(&self, prefix: &[Letter], cycle: &[Letter]) -> bool {
        let (length, states) = (prefix.len() + cycle.len(), self.states.len());
        if cycle.is_empty() {
            return false;
        }
        let letter = |at: usize| match at.checked_sub(prefix.len()) {
            None => &prefix[at],
            Some(in_cycle) => &cycle[in_cycle],
        };
        let step = |node: usize| {
            let (state, at) = (node / length, node % length);
            let after = if at + 1 < length {
                at + 1
            } else {
                prefix.len()
            };
            let edges = self.states[state].edges.iter();
            let edges = edges.filter(move |edge| edge.guard.contains(letter(at)));
            edges.map(move |edge| edge.target * length + after)
        };
        let of = components(states * length, step);
        let mut seen = vec![false; states * length];
        let mut stack = vec![self.initial * length];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            let good = |n: usize| of[n] == of[node] && self.states[n / length].accepting;
            let loops = || step(node).any(|target| of[target] == of[node]);
            if good(node) && loops() {
                return true;
            }
            stack.extend(step(node));
        }
        false
    }
}

impl Buchi {
    /// The automaton over classes of letters, with acceptance on the edges of accepting states.
    pub(crate) fn to_tgba(&self, limits: &Limits) -> Result<(Tgba, Alphabet), TooLarge> {
        let (mut all, alphabet) = over_classes(&[self], &self.alphabet, limits)?;
        let automaton = all.pop().unwrap_or_else(|| Tgba::empty(alphabet.len()));
        Ok((automaton, alphabet))
    }
}

/// Automata over common classes of the letters in `allowed`, with acceptance on the edges of accepting states.
pub(crate) fn over_classes(
    automata: &[&Buchi],
    allowed: &Guard,
    limits: &Limits,
) -> Result<(Vec<Tgba>, Alphabet), TooLarge> {
    let mut atoms: Vec<AtomId> = automata.iter().flat_map(|a| a.atoms.clone()).collect();
    atoms.extend(allowed.support());
    atoms.sort_unstable();
    atoms.dedup();
    let states = automata.iter().flat_map(|automaton| &automaton.states);
    let mut guards: Vec<&Guard> = Vec::new();
    let mut index: HashMap<&Guard, usize> = HashMap::new();
    for edge in states.flat_map(|state| &state.edges) {
        index.entry(&edge.guard).or_insert_with(|| {
            guards.push(&edge.guard);
            guards.len() - 1
        });
    }
    let local: Vec<Bdd> = guards.iter().map(|g| localise(g, &atoms)).collect();
    let local: Vec<&Bdd> = local.iter().collect();
    let (alphabet, sets) = Alphabet::new(&atoms, &local, &localise(allowed, &atoms), limits)?;
    let row = |state: &BuchiState| -> Vec<Edge> {
        let edges = state.edges.iter().map(|edge| Edge {
            dst: edge.target as u32,
            marks: u64::from(state.accepting),
            guard: sets[index[&edge.guard]].clone(),
        });
        edges.filter(|edge| !edge.guard.is_empty()).collect()
    };
    let automata = automata.iter().map(|automaton| Tgba {
        states: automaton.states.iter().map(row).collect(),
        init: automaton.initial as u32,
        sets: 1,
        letters: alphabet.len(),
        state_based: true,
    });
    let automata = automata.collect();
    Ok((automata, alphabet))
}
