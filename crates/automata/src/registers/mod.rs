//! Past operators and operators that count: deterministic machines beside the automaton of the future.
//!
//! The value of a past operator at a letter is a function of the letter and of what the letters before it leave in
//! a small memory (Havelund & Roşu, *Synthesizing monitors for safety properties*, TACAS 2002), and whether a
//! bounded obligation is met can be watched by a counter. [`eliminate`] replaces such operators by fresh
//! propositions; what remains is a formula of the future. Its automaton runs beside the [`machine`]s, which allow
//! just the letters in which the fresh propositions are right; then these are hidden. A formula of the future
//! under a past operator is guessed by the automaton, and the machines and the automaton itself check the guess.
//!
//! With n past operators the automaton has at most 2^n times the states of the future's. A bounded operator whose
//! interval ends at b has b + 1 states if it begins at zero; if it begins at a, the letters of the last a that
//! count can be any, and there may be 2^a times as many: then the limits tell. The monitor, which is minimised,
//! has no more states than the language needs.

mod anchors;
mod eliminate;
mod machine;
mod making;
mod plans;
mod rising;
mod sequences;
mod tables;

use crate::alphabet::Alphabet;
use crate::bits::Bits;
use crate::guard::{localise, Guard};
use crate::letters::letters_over;
use crate::limits::{Limits, TooLarge};
use crate::memo;
use crate::simulation;
use crate::tgba::{Edge, Tgba};
use crate::translate::{Effort, Translation};
use biodivine_lib_bdd::Bdd;
use eliminate::Future;
use ltl::{Arena, AtomId, Id};
use machine::{Machine, Memory, Move};
use std::collections::HashMap;

/// The largest automaton that is reduced by simulation, which is quadratic.
const REDUCED: usize = 1_000;

impl Translation {
    /// Translates both polarities and reduces each automaton.
    ///
    /// # Errors
    /// The bound that was exceeded.
    pub fn new(
        arena: &Arena,
        root: Id,
        constraints: &[Id],
        limits: &Limits,
        effort: Effort,
    ) -> Result<Translation, TooLarge> {
        if arena.has_time(root) {
            return Err(TooLarge {
                what: "operators with times, which need the clock of a program",
                limit: 0,
            });
        }
        let of = (arena, root, constraints);
        memo::translation(of, limits, effort, |(arena, root, constraints)| {
            if !arena.is_extended(root) {
                return Translation::of_future(arena, root, constraints, limits, effort);
            }
            let joined = rising::joined(arena, root);
            let (arena, root) = joined.as_ref().map_or((arena, root), |(a, r)| (a, *r));
            let limits = limits.counting(arena, root);
            translation(arena, root, constraints, &limits, effort)
        })
    }
}

/// The automata of a formula with past or bounded operators, and of its negation.
fn translation(
    arena: &Arena,
    root: Id,
    constraints: &[Id],
    limits: &Limits,
    effort: Effort,
) -> Result<Translation, TooLarge> {
    let atoms = arena.atoms_of(root);
    let letters = letters_over(arena, &atoms, constraints, limits)?;
    let future = Future::of(arena, root);
    let translate = |future: &Future| {
        Translation::of_future(&future.arena, future.root, constraints, limits, effort)
    };
    let both = translate(&future)?;
    let positive = beside(&future, &both, both.positive()?, &atoms, limits)?;
    let (alphabet, automata) = finish(&[&positive], &atoms, &letters, limits)?;
    if let [only] = automata.as_slice() {
        if let Some(complement) = only.complement_of_safety() {
            return Ok(translation_of(alphabet, only.clone(), complement, limits));
        }
    }
    let negative = match future.excludes {
        false => beside(&future, &both, both.negative()?, &atoms, limits)?,
        true => {
            let mut arena = arena.clone();
            let negation = arena.negate(root);
            let future = Future::of(&arena, negation);
            let one = translate(&future)?;
            beside(&future, &one, one.positive()?, &atoms, limits)?
        }
    };
    let (alphabet, automata) = finish(&[&positive, &negative], &atoms, &letters, limits)?;
    let [positive, negative] = <[Tgba; 2]>::try_from(automata)
        .unwrap_or_else(|_| [(); 2].map(|()| Tgba::empty(alphabet.len())));
    Ok(match negative.complement_of_safety() {
        Some(complement) => translation_of(alphabet, complement, negative, limits),
        None => translation_of(alphabet, positive, negative, limits),
    })
}

fn translation_of(
    alphabet: Alphabet,
    positive: Tgba,
    negative: Tgba,
    limits: &Limits,
) -> Translation {
    Translation {
        alphabet,
        positive: vec![positive],
        negative: vec![negative],
        // Not read: both lists have an automaton.
        error: TooLarge {
            what: "states",
            limit: limits.states,
        },
        work: limits.work / 2,
    }
}

/// An automaton whose letters are guards over the formula's propositions.
struct Product {
    /// For each state: guard, marks and target of its edges.
    states: Vec<Vec<(Guard, u64, u32)>>,
    sets: u32,
}

/// The letters of a guard with which all machines go on, by what they remember then; `moves` are those of each
/// machine.
fn step(moves: &[Vec<Move>], guard: &Guard) -> Vec<(Vec<Memory>, Guard)> {
    let mut found = vec![(Vec::new(), guard.clone())];
    for moves in moves {
        let mut divided = Vec::new();
        for (memories, letters) in found {
            for one in moves {
                let letters = letters.and(&one.letters);
                if !letters.is_false() {
                    let next = std::slice::from_ref(&one.next);
                    divided.push(([memories.as_slice(), next].concat(), letters));
                }
            }
        }
        found = divided;
    }
    found
}

/// The automaton beside the machines, with the fresh propositions hidden.
fn beside(
    future: &Future,
    translation: &Translation,
    automaton: &Tgba,
    atoms: &[AtomId],
    limits: &Limits,
) -> Result<Product, TooLarge> {
    let machines = future.machines(atoms, limits)?;
    let start: Vec<Memory> = machines.iter().map(Machine::initial).collect();
    let start = (automaton.init, start);
    let mut numbers: HashMap<(u32, Vec<Memory>), u32> = HashMap::from([(start.clone(), 0)]);
    let mut order = vec![start];
    let mut states = Vec::new();
    let mut edges = 0;
    // Few conditions come on many edges.
    let mut guards: HashMap<&Bits, Guard> = HashMap::new();
    let mut hidden: HashMap<Guard, Guard> = HashMap::new();
    while let Some((state, memories)) = order.get(states.len()).cloned() {
        let mut row = Vec::new();
        let moves = machines.iter().zip(&memories);
        let moves: Vec<Vec<Move>> = moves.map(|(m, memory)| m.moves(memory)).collect();
        for edge in &automaton.states[state as usize] {
            let guard = guards
                .entry(&edge.guard)
                .or_insert_with(|| translation.alphabet.guard(&edge.guard));
            for (next, letters) in step(&moves, guard) {
                let letters = hidden
                    .entry(letters)
                    .or_insert_with_key(|letters| letters.without(&future.fresh))
                    .clone();
                let target = (edge.dst, next);
                let fresh = numbers.len() as u32;
                let number = *numbers.entry(target.clone()).or_insert(fresh);
                if number == fresh {
                    order.push(target);
                }
                row.push((letters, edge.marks, number));
            }
        }
        edges += row.len();
        Limits::check("edges", edges, limits.edges)?;
        Limits::check("states", order.len(), limits.states)?;
        states.push(row);
    }
    Ok(Product {
        states,
        sets: automaton.sets,
    })
}

/// The automata over common classes of letters, reduced.
fn finish(
    automata: &[&Product],
    atoms: &[AtomId],
    letters: &Guard,
    limits: &Limits,
) -> Result<(Alphabet, Vec<Tgba>), TooLarge> {
    let mut guards: Vec<Bdd> = Vec::new();
    let mut index: HashMap<&Guard, usize> = HashMap::new();
    for (guard, ..) in automata.iter().flat_map(|a| a.states.iter().flatten()) {
        index.entry(guard).or_insert_with(|| {
            guards.push(localise(guard, atoms));
            guards.len() - 1
        });
    }
    let diagrams: Vec<&Bdd> = guards.iter().collect();
    let (alphabet, sets) = Alphabet::new(atoms, &diagrams, &localise(letters, atoms), limits)?;
    let mut work = limits.work / 2;
    let automata = automata.iter().map(|product| {
        let row = |row: &Vec<(Guard, u64, u32)>| {
            let edges = row.iter().map(|(guard, marks, dst)| Edge {
                dst: *dst,
                marks: *marks,
                guard: sets[index[guard]].clone(),
            });
            edges.collect()
        };
        let mut automaton = Tgba {
            states: product.states.iter().map(row).collect(),
            init: 0,
            sets: product.sets,
            letters: alphabet.len(),
            state_based: false,
        };
        automaton.trim();
        if automaton.states.len() <= REDUCED {
            simulation::reduce_fully(&mut automaton, &mut work);
        }
        automaton
    });
    let automata = automata.collect();
    Ok((alphabet, automata))
}
