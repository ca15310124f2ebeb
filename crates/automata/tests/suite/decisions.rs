//! Specialised steps of a monitor against its transition function.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::common::{arena, parse, Random};
use automata::{Condition, Decision, Limits, Monitor, StateId};
use ltl::lasso::{Lasso, Letter};
use ltl::B4;
use ltl::{Arena, Atom, AtomId};

fn monitor(text: &str) -> (Arena, Monitor) {
    let (arena, root) = parse(text);
    let monitor = Monitor::for_formula(&arena, root, &[], &Limits::default()).unwrap();
    (arena, monitor)
}

fn atom(arena: &Arena, name: &str) -> AtomId {
    arena.find_atom(&Atom::Name(name.into())).unwrap()
}

#[test]
fn a_disjunction_is_read_only_when_a_part_falls() {
    let (arena, monitor) = monitor("G(r1 || r2)");
    let (r1, r2) = (atom(&arena, "r1"), atom(&arena, "r2"));
    assert_eq!(monitor.rise(r1).unwrap(), Decision::Stay);
    let Decision::Atom { atom, then, els } = monitor.fall(r1).unwrap() else {
        panic!("it reads r2");
    };
    assert_eq!((atom, *then), (r2, Decision::Stay));
    let Decision::Goto(bad) = *els else {
        panic!("it does not read the state");
    };
    assert_eq!(monitor.certain(bad), Some(B4::False));
}

#[test]
fn an_answer_needs_no_read() {
    let (arena, monitor) = monitor("G(r -> F a)");
    assert_eq!(
        monitor.rise(atom(&arena, "a")).unwrap(),
        Decision::Goto(monitor.initial())
    );
    assert_eq!(monitor.fall(atom(&arena, "r")).unwrap(), Decision::Stay);
}

/// A monitor that takes specialised steps, as an instrumented program does.
struct Specialised {
    monitor: Monitor,
    rise: Vec<Decision>,
    fall: Vec<Decision>,
    step: Decision,
    first: Decision,
    is: Vec<Condition>,
}

impl Specialised {
    fn new(monitor: Monitor, atoms: usize) -> Self {
        let all = || (0..atoms as u32).map(AtomId);
        Specialised {
            rise: all().map(|a| monitor.rise(a).unwrap()).collect(),
            fall: all().map(|a| monitor.fall(a).unwrap()).collect(),
            step: monitor.step().unwrap(),
            first: monitor.first().unwrap(),
            is: B4::ALL.map(|v| monitor.verdict_is(v).unwrap()).into(),
            monitor,
        }
    }

    fn next(&self, state: StateId, old: &Letter, new: &Letter) -> StateId {
        let changed: Vec<AtomId> = old.symmetric_difference(new).copied().collect();
        let decision = match changed[..] {
            [one] if new.contains(&one) => &self.rise[one.0 as usize],
            [one] => &self.fall[one.0 as usize],
            _ => &self.step,
        };
        decision.run(state, new)
    }
}

/// Takes random words by specialised steps and by the transition function.
fn check(monitor: Monitor, text: &str, random: &mut Random, atoms: usize) {
    let specialised = Specialised::new(monitor, atoms);
    let monitor = &specialised.monitor;
    for _ in 0..10 {
        let mut letter = random.letter(atoms);
        let mut state = specialised.first.run(monitor.initial(), &letter);
        let mut expected = monitor.next(monitor.initial(), &letter);
        for _ in 0..12 {
            assert_eq!(state, expected, "{text}");
            for (value, is) in B4::ALL.into_iter().zip(&specialised.is) {
                let verdict = monitor.verdict(state, &letter);
                assert_eq!(is.run(state, &letter), value == verdict, "{text} {value}");
            }
            let mut new = letter.clone();
            if random.below(4) > 0 {
                let flipped = AtomId(random.below(atoms) as u32);
                if !new.remove(&flipped) {
                    new.insert(flipped);
                }
            } else {
                new = random.letter(atoms);
            }
            state = specialised.next(state, &letter, &new);
            expected = monitor.next(expected, &new);
            letter = new;
        }
    }
}

#[test]
fn specialised_steps_are_the_monitor() {
    let atoms = 3;
    let mut random = Random(11);
    for _ in 0..400 {
        let mut arena = arena(atoms);
        let size = 1 + random.below(8);
        let root = random.formula(&mut arena, size, atoms);
        let text = ltl::print(&arena, root, ltl::Style::Ascii);
        let monitor = Monitor::for_formula(&arena, root, &[], &Limits::default()).unwrap();
        check(monitor, &text, &mut random, atoms);
    }
}

#[test]
fn steps_that_count_are_the_monitor() {
    let atoms = 3;
    let mut random = Random(12);
    for _ in 0..400 {
        let mut arena = arena(atoms);
        let size = 1 + random.below(8);
        let root = match random.below(2) {
            0 => random.bounded_formula(&mut arena, size, atoms),
            _ => random.requirements(&mut arena, size, atoms),
        };
        let text = ltl::print(&arena, root, ltl::Style::Ascii);
        let Ok(monitor) = Monitor::for_formula(&arena, root, &[], &Limits::default()) else {
            continue;
        };
        let counting = monitor.clone().counting();
        for _ in 0..10 {
            let length = 1 + random.below(12);
            let word = random.word(length, atoms);
            let expected = monitor.verdict_of_word(&word);
            assert_eq!(counting.verdict_of_word(&word), expected, "{text}");
            // The definition of the operators decides between the presumable values.
            let holds = Lasso::stutter(&word).unwrap().satisfies(&arena, root);
            assert_eq!(expected >= Some(B4::PresumablyTrue), holds, "{text}");
        }
        check(counting, &text, &mut random, atoms);
    }
}

/// The number of reads and outcomes in a step.
fn size(decision: &Decision) -> usize {
    1 + match decision {
        Decision::Stay | Decision::Goto(_) | Decision::Count(_) => 0,
        Decision::Atom { then, els, .. } => size(then) + size(els),
        Decision::State { cases, otherwise } => {
            let cases = cases.iter().map(|(_, decision)| size(decision));
            cases.sum::<usize>() + size(otherwise)
        }
    }
}

#[test]
fn a_deadline_is_one_counter() {
    for text in [
        "G (p -> F[<=1000] q)",
        "G (p -> G[<=1000] q)",
        "G (p && Y !p -> F[<=1000] q)",
        "G (p -> r U[<=1000] q)",
        "F[<=1000] p",
        "G (p -> O[<=1000] q)",
    ] {
        let (_, monitor) = monitor(text);
        assert!(monitor.len() > 1000, "{text}");
        let sizes = [monitor.step().unwrap(), monitor.first().unwrap()].map(|step| size(&step));
        assert!(sizes.iter().all(|size| *size < 40), "{text} {sizes:?}");
    }
}
