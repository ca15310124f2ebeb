//! What was made of a formula before. Large specifications have many formulas of few shapes, which differ only in the
//! names of their propositions, and each formula is asked about several times: for its monitor, its class, its text. So
//! automata and monitors are made once for each shape, and renamed.
//!
//! What is remembered is a function of the question alone, so that answers do not depend on what was asked before.

use crate::class::Class;
use crate::guard::{Guard, VARIABLES};
use crate::limits::{Limits, TooLarge};
use crate::monitor::Monitor;
use crate::places::placed;
use crate::tgba::Tgba;
use crate::translate::{Effort, Translation};
use ltl::{Arena, AtomId, Id};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The most edges and states that are remembered in all; some tens of megabytes.
const MOST: usize = 400_000;

/// A question: all that its answer depends on, with propositions by their places among those of the question.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    root: Id,
    constraints: Vec<Id>,
    limits: Limits,
    /// `None` for a monitor.
    effort: Option<Effort>,
}

/// An answer, and the propositions of the question that it was made for, ascending.
struct Answer<T> {
    atoms: Vec<AtomId>,
    value: Result<T, TooLarge>,
}

/// What is remembered.
#[derive(Default)]
struct Memory {
    /// The formulas of the questions, over places.
    arena: Arena,
    translations: HashMap<Question, Arc<Answer<Translation>>>,
    monitors: HashMap<Question, Arc<Answer<Monitor>>>,
    /// The classes of formulas that have a monitor, and of those that have none.
    classes: [HashMap<Question, Class>; 2],
    size: usize,
}

static MEMORY: LazyLock<Mutex<Memory>> = LazyLock::new(Mutex::default);

/// Something that is made of a formula.
pub(crate) trait Made: Sized {
    /// The same for a formula that has `to[i]` in the place of `from[i]`; both are ascending.
    fn renamed(&self, from: &[AtomId], to: &[AtomId]) -> Self;

    /// The number of its states and edges.
    fn size(&self) -> usize;
}

/// A place in the memory for answers of a kind.
type Answers<T> = fn(&mut Memory) -> &mut HashMap<Question, Arc<Answer<T>>>;

/// What an answer is made of: a formula and its constraints.
type Of<'a> = (&'a Arena, Id, &'a [Id]);

/// The translation of a formula, as `make` makes it.
pub(crate) fn translation(
    of: Of<'_>,
    limits: &Limits,
    effort: Effort,
    make: impl FnOnce(Of<'_>) -> Result<Translation, TooLarge>,
) -> Result<Translation, TooLarge> {
    remembered(of, limits, Some(effort), |m| &mut m.translations, make)
}

/// The monitor of a formula, as `make` makes it.
pub(crate) fn monitor(
    of: Of<'_>,
    limits: &Limits,
    make: impl FnOnce(Of<'_>) -> Result<Monitor, TooLarge>,
) -> Result<Monitor, TooLarge> {
    remembered(of, limits, None, |m| &mut m.monitors, make)
}

/// The class of a formula that has a monitor, or has none, as `make` makes it.
pub(crate) fn class(
    of: (&Arena, Id, &[Id]),
    limits: &Limits,
    has_monitor: bool,
    make: impl FnOnce() -> Class,
) -> Class {
    let Some(atoms) = propositions(of) else {
        return make();
    };
    let kind = usize::from(has_monitor);
    let asked = |memory: &mut Memory| Question::new(memory, of, &atoms, limits, None);
    let known = with_memory(|memory| {
        let question = asked(memory);
        memory.classes[kind].get(&question).copied()
    });
    known.unwrap_or_else(|| {
        // Others may ask meanwhile.
        let class = make();
        with_memory(|memory| {
            memory.grow(1);
            let question = asked(memory);
            memory.classes[kind].insert(question, class);
        });
        class
    })
}

/// The propositions of a question, ascending; `None` if no diagram has one of them.
fn propositions((arena, root, constraints): (&Arena, Id, &[Id])) -> Option<Vec<AtomId>> {
    let all = constraints.iter().chain([&root]);
    let mut atoms: Vec<AtomId> = all.flat_map(|&f| arena.atoms_of(f)).collect();
    atoms.sort_unstable();
    atoms.dedup();
    let most = atoms.last().map_or(0, |last| last.0);
    (most < u32::from(VARIABLES)).then_some(atoms)
}

impl Question {
    /// The question about a formula with these propositions.
    fn new(
        memory: &mut Memory,
        (arena, root, constraints): (&Arena, Id, &[Id]),
        atoms: &[AtomId],
        limits: &Limits,
        effort: Option<Effort>,
    ) -> Question {
        let mut place = |f: Id| placed(&mut memory.arena, arena, f, atoms);
        Question {
            root: place(root),
            constraints: constraints.iter().map(|&c| place(c)).collect(),
            limits: *limits,
            effort,
        }
    }
}

impl Memory {
    /// Takes so many states and edges more; forgets all where they are too many.
    fn grow(&mut self, size: usize) {
        if self.size + size > MOST {
            *self = Memory::default();
        }
        self.size += size;
    }
}

/// The answer to a question. It is made of copies of the formulas in an arena of their own: making it copies the arena
/// again and again, which may have the formulas of a thousand requirements.
fn remembered<T: Made + Clone>(
    of: Of<'_>,
    limits: &Limits,
    effort: Option<Effort>,
    answers: Answers<T>,
    make: impl FnOnce(Of<'_>) -> Result<T, TooLarge>,
) -> Result<T, TooLarge> {
    let Some(atoms) = propositions(of) else {
        return make(of);
    };
    let question = |memory: &mut Memory| Question::new(memory, of, &atoms, limits, effort);
    let known = with_memory(|memory| {
        let question = question(memory);
        answers(memory).get(&question).cloned()
    });
    let known = known.unwrap_or_else(|| {
        // Others may ask meanwhile.
        let answer = Arc::new(Answer::new(of, &atoms, make));
        with_memory(|memory| {
            memory.grow(1 + answer.value.as_ref().map_or(0, Made::size));
            let question = question(memory);
            answers(memory).insert(question, Arc::clone(&answer));
        });
        answer
    });
    let value = known.value.as_ref().map_err(|bound| *bound)?;
    Ok(value.renamed(&known.atoms, &atoms))
}

impl<T> Answer<T> {
    /// The answer for the propositions with the numbers from 0 on.
    fn new(
        (arena, root, constraints): Of<'_>,
        atoms: &[AtomId],
        make: impl FnOnce(Of<'_>) -> Result<T, TooLarge>,
    ) -> Answer<T> {
        let mut own = Arena::new();
        let mut place = |f: Id| placed(&mut own, arena, f, atoms);
        let constraints: Vec<Id> = constraints.iter().map(|&c| place(c)).collect();
        let root = place(root);
        Answer {
            atoms: (0..atoms.len() as u32).map(AtomId).collect(),
            value: make((&own, root, &constraints)),
        }
    }
}

fn with_memory<T>(act: impl FnOnce(&mut Memory) -> T) -> T {
    // Nothing is done while it is locked that could leave it half done.
    act(&mut MEMORY.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The propositions in the place of some of `from`.
fn moved(atoms: &[AtomId], from: &[AtomId], to: &[AtomId]) -> Vec<AtomId> {
    let name = |atom: &AtomId| from.binary_search(atom).map_or(*atom, |place| to[place]);
    atoms.iter().map(name).collect()
}

impl Made for Translation {
    fn renamed(&self, from: &[AtomId], to: &[AtomId]) -> Translation {
        let mut renamed = self.clone();
        renamed.alphabet.atoms = moved(&self.alphabet.atoms, from, to);
        renamed
    }

    fn size(&self) -> usize {
        let all = self.positive.iter().chain(&self.negative);
        all.map(|automaton: &Tgba| automaton.states.len() + automaton.edges())
            .sum()
    }
}

impl Made for Monitor {
    fn renamed(&self, from: &[AtomId], to: &[AtomId]) -> Monitor {
        if from == to {
            return self.clone();
        }
        let mut guards: HashMap<&Guard, Guard> = HashMap::new();
        self.mapped(moved(&self.atoms, from, to), |guard| {
            let known = guards.entry(guard);
            known.or_insert_with(|| guard.moved(from, to)).clone()
        })
    }

    fn size(&self) -> usize {
        let states = self.states.iter();
        states.map(|state| 1 + state.transitions.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use ltl::lasso::Letter;

    #[test]
    fn what_is_remembered_is_renamed() {
        let limits = Limits::default();
        let first = ltl::parse("G(p && !q -> F[<=3] r)").unwrap();
        let second = ltl::parse("G s && G(p && !q -> F[<=3] r)").unwrap();
        // The same shape over other propositions, of which some have other numbers.
        let third = ltl::parse("(x -> y) && G(b && !c -> F[<=3] d)").unwrap();
        let of = |parsed: &ltl::Parsed, root: Id| {
            Monitor::for_formula(&parsed.arena, root, &[], &limits).unwrap()
        };
        let part = |parsed: &ltl::Parsed| match parsed.arena.node(parsed.root) {
            ltl::Node::And(all) => all[1],
            _ => parsed.root,
        };
        let original = of(&first, part(&first));
        for other in [&second, &third] {
            let root = part(other);
            let monitor = of(other, root);
            let atoms = other.arena.atoms_of(root);
            assert_eq!(monitor.atoms(), atoms);
            // All words of four letters over the three propositions.
            for word in 0u32..1 << 12 {
                let letter = |names: &[AtomId], at: usize| -> Letter {
                    let bits = word >> (3 * at);
                    (0..3)
                        .filter(|n| bits >> n & 1 == 1)
                        .map(|n| names[n])
                        .collect()
                };
                let words = [original.atoms(), atoms.as_slice()]
                    .map(|names| (0..4).map(|at| letter(names, at)).collect::<Vec<_>>());
                assert_eq!(
                    original.verdict_of_word(&words[0]),
                    monitor.verdict_of_word(&words[1]),
                    "{word:b}"
                );
            }
        }
    }

    #[test]
    fn the_order_of_propositions_is_part_of_a_shape() {
        let limits = Limits::default();
        let parsed = ltl::parse("(p U q) && (q U p)").unwrap();
        let both: Vec<Id> = parsed.arena.node(parsed.root).operands().collect();
        let [one, other] = [both[0], both[1]]
            .map(|root| Monitor::for_formula(&parsed.arena, root, &[], &limits).unwrap());
        let [p, q] = [0, 1].map(|n| Letter::from([parsed.arena.atoms_of(parsed.root)[n]]));
        assert_eq!(
            one.verdict_of_word(std::slice::from_ref(&q)),
            Some(ltl::B4::True)
        );
        assert_eq!(
            other.verdict_of_word(std::slice::from_ref(&p)),
            Some(ltl::B4::True)
        );
        assert_eq!(one.verdict_of_word(&[p]), Some(ltl::B4::PresumablyFalse));
        assert_eq!(other.verdict_of_word(&[q]), Some(ltl::B4::PresumablyFalse));
    }
}
