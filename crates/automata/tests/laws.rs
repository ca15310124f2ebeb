//! Monitors against the definition of the four values.
#![allow(missing_docs)]
#![allow(clippy::unwrap_used)]
mod common;

use automata::{Limits, Monitor, B4};
use common::{arena, Random};
use ltl::lasso::Lasso;

#[test]
fn monitors_follow_the_definition() {
    let atoms = 3;
    let mut random = Random(7);
    for _ in 0..1000 {
        let mut arena = arena(atoms);
        let size = 1 + random.below(9);
        let root = random.formula(&mut arena, size, atoms);
        let text = ltl::print(&arena, root, ltl::Style::Ascii);
        let monitor = match Monitor::for_formula(&arena, root, &[], &Limits::default()) {
            Ok(m) => m,
            Err(e) => panic!("{text}: {e}"),
        };
        for _ in 0..20 {
            let n = 1 + random.below(5);
            let word = random.word(n, atoms);
            let verdict = monitor.verdict_of_word(&word).unwrap();
            let stutter = Lasso::stutter(&word).unwrap().satisfies(&arena, root);
            assert_eq!(verdict >= B4::PresumablyTrue, stutter, "{text} {word:?}");
            for _ in 0..4 {
                let len = random.below(4);
                let mut prefix = word.clone();
                prefix.extend(random.word(len, atoms));
                let n = 1 + random.below(3);
                let lasso = Lasso::new(prefix, random.word(n, atoms)).unwrap();
                let holds = lasso.satisfies(&arena, root);
                assert!(!holds || verdict != B4::False, "{text} {word:?}");
                assert!(holds || verdict != B4::True, "{text} {word:?}");
            }
        }
    }
}

#[test]
fn automata_accept_what_satisfies() {
    let atoms = 3;
    let mut random = Random(5);
    for round in 0..1500 {
        let mut arena = arena(atoms);
        let size = 1 + random.below(9);
        let root = random.formula(&mut arena, size, atoms);
        let text = ltl::print(&arena, root, ltl::Style::Ascii);
        let buchi = automata::translate(&arena, root, &automata::Options::default()).unwrap();
        for _ in 0..25 {
            let (p, c) = (random.below(4), 1 + random.below(4));
            let (prefix, cycle) = (random.word(p, atoms), random.word(c, atoms));
            let holds = Lasso::new(prefix.clone(), cycle.clone())
                .unwrap()
                .satisfies(&arena, root);
            assert_eq!(
                buchi.accepts(&prefix, &cycle),
                holds,
                "{round} {text} {prefix:?} {cycle:?}"
            );
        }
    }
}

#[test]
fn eh9() {
    let (arena, root) = common::parse("G(p0 & XF(p1 & XF(p2 & XFp3)))");
    let buchi = automata::translate(&arena, root, &automata::Options::default()).unwrap();
    let l: ltl::lasso::Letter = [ltl::AtomId(0)].into();
    assert!(!buchi.accepts(&[], &[l]));
}
