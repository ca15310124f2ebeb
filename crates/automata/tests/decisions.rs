//! Specialised steps of a monitor against its transition function.
#![allow(missing_docs, clippy::unwrap_used)]

mod common;

use automata::{Condition, Decision, Limits, Monitor, StateId};
use common::{arena, parse, Random};
use ltl::lasso::Letter;
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
}
