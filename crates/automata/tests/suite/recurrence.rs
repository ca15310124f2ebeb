//! Deterministic Büchi automata against the definition of formulas on lasso words.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::common::{arena, Random};
use automata::{Limits, Recurrence, StateId};
use ltl::lasso::{Lasso, Letter};
use ltl::AtomId;

/// Whether the word violates the formula, found as in the woven program: letter by letter, until the state at
/// the start of the loop is one that occurred there before.
fn violates(automaton: &Recurrence, stem: &[Letter], cycle: &[Letter]) -> bool {
    let mut state = automaton.initial();
    for letter in stem {
        state = automaton.next(state, letter);
    }
    let accepting: Vec<StateId> = automaton.accepting().collect();
    let mut rounds: Vec<(StateId, bool)> = Vec::new();
    loop {
        let begin = state;
        let mut met = false;
        for letter in cycle {
            state = automaton.next(state, letter);
            met |= accepting.contains(&state);
        }
        let known = rounds.iter().position(|(s, _)| *s == begin);
        if let Some(first) = known {
            let met = rounds[first..].iter().any(|(_, met)| *met);
            return met == automaton.of_negation();
        }
        rounds.push((begin, met));
    }
}

#[test]
fn a_loop_is_judged_as_the_definition_says() {
    let mut random = Random(20);
    let (mut judged, mut guessed) = (0, 0);
    while judged < 600 {
        let mut arena = arena(2);
        let size = 1 + random.below(7);
        let root = random.formula(&mut arena, size, 2);
        let limits = Limits::default();
        let Some(automaton) = Recurrence::for_formula(&arena, root, &[], &limits).unwrap() else {
            guessed += 1;
            continue;
        };
        judged += 1;
        let steps: Vec<_> = (0..2)
            .map(AtomId)
            .map(|a| {
                [
                    automaton.flip(a, false).unwrap(),
                    automaton.flip(a, true).unwrap(),
                ]
            })
            .collect();
        let (step, first) = (automaton.step().unwrap(), automaton.first().unwrap());
        for _ in 0..30 {
            let mut word =
                |length: usize| -> Vec<Letter> { (0..length).map(|_| random.letter(2)).collect() };
            let (stem, cycle) = (word(3), word(1 + judged % 3));
            let lasso = Lasso::new(stem.clone(), cycle.clone()).unwrap();
            assert_eq!(
                violates(&automaton, &stem, &cycle),
                !lasso.satisfies(&arena, root),
                "{}",
                ltl::print_bounded(&arena, root, ltl::Style::Ascii, 1000)
            );
            let mut state = automaton.initial();
            let mut before: Option<Letter> = None;
            for letter in stem.iter().chain(&cycle) {
                let next = automaton.next(state, letter);
                let decision = if before.is_some() { &step } else { &first };
                assert_eq!(decision.run(state, letter), next);
                if let Some(before) = &before {
                    let changed: Vec<_> = before.symmetric_difference(letter).copied().collect();
                    if let [atom] = changed[..] {
                        let way = usize::from(letter.contains(&atom));
                        assert_eq!(steps[atom.0 as usize][way].run(state, letter), next);
                    }
                }
                (state, before) = (next, Some(letter.clone()));
            }
        }
    }
    assert!(
        guessed < judged / 4,
        "{guessed} of {judged} formulas need a guess"
    );
}
