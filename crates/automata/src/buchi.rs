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
use ltl::{Arena, AtomId, Id, Node, Signed};
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

/// The most formulas whose automata stand side by side.
const MOST_APART: usize = 64;

/// As [`translate`]; if the automaton is too large, those of several formulas side by side, of which one holds exactly where the
/// formula does. Then these are added to the arena.
///
/// # Errors
/// The bound that the formula exceeds, if one of the others does so, too.
pub fn translate_apart(arena: &mut Arena, root: Id, options: &Options) -> Result<Buchi, TooLarge> {
    let whole = translate(arena, root, options);
    let Err(large) = whole else { return whole };
    let all = alternatives(arena, (root, true));
    let (Some((first, others)), true) = (all.split_first(), all.len() <= MOST_APART) else {
        return Err(large);
    };
    if others.is_empty() {
        return Err(large);
    }
    let mut automaton = translate(arena, *first, options)?;
    for other in others {
        automaton = automaton.or(&translate(arena, *other, options)?);
    }
    Ok(automaton)
}

/// Formulas whose disjunction is a formula: `F(p && (q || r))` is `F(p && q) || F(p && r)`. Where there would be too many, the
/// formula alone.
fn alternatives(arena: &mut Arena, (id, positive): Signed) -> Vec<Id> {
    let whole = (id, positive);
    let found = match arena.node(id).clone() {
        Node::Not(inner) => return alternatives(arena, (inner, !positive)),
        Node::Finally(inner) | Node::Globally(inner)
            if positive == matches!(arena.node(id), Node::Finally(_)) =>
        {
            let inner = alternatives(arena, (inner, positive)).into_iter();
            inner.map(|one| arena.make(Node::Finally(one))).collect()
        }
        Node::And(_) | Node::Or(_) | Node::Implies(..) => {
            let conjunction = positive == matches!(arena.node(id), Node::And(_));
            let operands = arena.signed_operands(whole, conjunction).into_iter();
            let each: Vec<Vec<Id>> = operands.map(|one| alternatives(arena, one)).collect();
            match conjunction {
                false => each.concat(),
                true => chosen(arena, &each).unwrap_or_default(),
            }
        }
        _ => Vec::new(),
    };
    match found.len() {
        1..=MOST_APART => found,
        _ => vec![arena.signed(whole)],
    }
}

/// The conjunctions of one formula of each list; `None` if they are too many.
fn chosen(arena: &mut Arena, each: &[Vec<Id>]) -> Option<Vec<Id>> {
    let mut all: Vec<Vec<Id>> = vec![Vec::new()];
    for choices in each {
        if all.len() * choices.len() > MOST_APART {
            return None;
        }
        let longer = |one: &Vec<Id>, choice: &Id| [one.as_slice(), &[*choice]].concat();
        let with = all
            .iter()
            .flat_map(|one| choices.iter().map(move |choice| longer(one, choice)));
        all = with.collect();
    }
    let joined = all.into_iter().map(|one| match one.as_slice() {
        [only] => *only,
        _ => arena.make(Node::And(one)),
    });
    Some(joined.collect())
}

impl Buchi {
    /// The automaton of the words that one of the two accepts: both side by side.
    fn or(&self, other: &Buchi) -> Buchi {
        let mut atoms = [self.atoms.as_slice(), &other.atoms].concat();
        atoms.sort_unstable();
        atoms.dedup();
        let mut states = self.states.clone();
        let moved = states.len();
        states.extend(other.states.iter().cloned().map(|mut state| {
            state.edges.iter_mut().for_each(|edge| edge.target += moved);
            state
        }));
        let starts = [self.initial, moved + other.initial];
        let edges = starts.iter().flat_map(|&start| states[start].edges.clone());
        let start = BuchiState {
            accepting: false,
            edges: edges.collect(),
        };
        states.push(start);
        Buchi {
            atoms,
            alphabet: self.alphabet.and(&other.alphabet),
            initial: states.len() - 1,
            states,
        }
    }

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use ltl::lasso::Lasso;

    #[test]
    fn what_is_too_large_together_stands_side_by_side() {
        let mut apart = 0;
        for text in [
            "!(G(p -> F[<=3] q) && G(q -> F[<=3] r) && G(r -> F[<=3] p))",
            "!G(p -> (F[1,3] q && G[1,2] r && (q U[1,3] r)))",
            "(p -> X q) || F((q || G[<=2] r) && (p || X[2] r))",
            "!(p || !F(q && X r) || G(F[<=2] p && F[<=2] r))",
        ] {
            let mut parsed = ltl::parse(text).unwrap();
            let root = parsed.root;
            let atoms = parsed.arena.atoms_of(root);
            for edges in [4, 12, 24, 1_000] {
                let limits = Limits {
                    edges,
                    ..Limits::default()
                };
                let options = Options {
                    limits,
                    ..Options::default()
                };
                let whole = translate(&parsed.arena, root, &options).is_ok();
                let Ok(automaton) = translate_apart(&mut parsed.arena, root, &options) else {
                    continue;
                };
                apart += usize::from(!whole);
                // All words of a letter, and two or three letters again and again.
                for word in 0u32..1 << 12 {
                    let letter = |n: usize| -> Letter {
                        let bits = word >> (3 * n);
                        let held = atoms.iter().enumerate();
                        held.filter(|(i, _)| bits >> i & 1 == 1)
                            .map(|(_, a)| *a)
                            .collect()
                    };
                    let (prefix, cycle) = (vec![letter(0)], (1..4).map(letter).collect::<Vec<_>>());
                    let lasso = Lasso::new(prefix.clone(), cycle.clone()).unwrap();
                    let wanted = lasso.satisfies(&parsed.arena, root);
                    assert_eq!(
                        automaton.accepts(&prefix, &cycle),
                        wanted,
                        "{text} {word:b}"
                    );
                }
            }
        }
        assert!(apart >= 3, "{apart}");
    }
}
