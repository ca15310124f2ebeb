//! Formulas with independent parts: the verdicts of their parts' monitors against those of one monitor of the
//! whole.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::common::{arena, Random};
use automata::{
    classify_composite, classify_with, independent, Composite, Guard, Limits, Monitor, Shape,
};
use ltl::{parse_into, print, Arena, AtomId, Id, Node, Style, B4};

const ATOMS: usize = 6;

fn read(arena: &mut Arena, text: &str) -> Id {
    parse_into(arena, text, None).unwrap().root
}

/// A formula over the propositions from `first` on.
fn part(random: &mut Random, arena: &mut Arena, first: usize, atoms: usize) -> Id {
    let mut own = Arena::new();
    let size = 1 + random.below(4);
    let root = random.formula(&mut own, size, atoms);
    let mut text = print(&own, root, Style::Ascii);
    for atom in (0..atoms).rev() {
        text = text.replace(&format!("p{atom}"), &format!("p{}", first + atom));
    }
    read(arena, &text)
}

/// Joins formulas in every way that conjunctions and disjunctions can be written.
fn join(random: &mut Random, arena: &mut Arena, mut parts: Vec<Id>) -> Id {
    while parts.len() > 1 {
        let right = parts.remove(random.below(parts.len()));
        let left = parts.remove(random.below(parts.len()));
        let joined = match random.below(3) {
            0 => Node::And(vec![left, right]),
            1 => Node::Or(vec![left, right]),
            _ => Node::Implies(left, right),
        };
        let joined = arena.make(joined);
        parts.push(match random.below(4) {
            0 => arena.make(Node::Not(joined)),
            _ => joined,
        });
    }
    parts[0]
}

#[test]
fn verdicts_are_those_of_one_monitor() {
    let (mut apart, mut together, mut definitive, mut classified) = (0, 0, 0, 0);
    for seed in 0..600 {
        let mut random = Random(seed);
        let mut arena = arena(ATOMS);
        let groups = [(0, 2), (2, 2), (4, 1), (5, 1), (0, 2)];
        let count = 2 + random.below(4);
        let parts: Vec<Id> = (0..count)
            .map(|i| part(&mut random, &mut arena, groups[i].0, groups[i].1))
            .collect();
        let root = join(&mut random, &mut arena, parts);
        let constraints: Vec<Id> = ["p1 -> p2", "!p3 || !p4"]
            .into_iter()
            .filter(|_| random.below(3) == 0)
            .map(|text| read(&mut arena, text))
            .collect();
        let text = print(&arena, root, Style::Ascii);
        let limits = Limits::default();
        let whole = Monitor::of_whole(&arena, root, &constraints, &limits).unwrap();
        let product = Monitor::for_formula(&arena, root, &constraints, &limits).unwrap();
        assert_eq!(product.len(), whole.len(), "{text}");
        assert_eq!(
            product.absorbs_stuttering(),
            whole.absorbs_stuttering(),
            "{text}"
        );
        for state in product.states() {
            let ways = product.transitions(state).iter();
            let all = ways.fold(Guard::bottom(), |all, (guard, _)| all.or(guard));
            assert_eq!(&all, product.alphabet(), "{text}");
        }
        let composite = Composite::for_formula(&arena, root, &constraints, &limits).unwrap();
        match composite.shape {
            Shape::Part(_) => together += 1,
            _ => apart += 1,
        }
        let class = classify_composite(&composite, &arena, root, &constraints, &limits);
        let exact = classify_with(Some(&whole), &arena, root, &constraints, &limits);
        if let Some(words) = class.words {
            let of_one = exact.words.unwrap();
            assert_eq!(words.verdicts, of_one.verdicts, "{text}");
            assert_eq!(words.monitorable, of_one.monitorable, "{text}");
            classified += 1;
        }
        for (found, expected) in [
            (class.safety, exact.safety),
            (class.co_safety, exact.co_safety),
        ] {
            assert!(
                found.is_none() || expected.is_none() || found == expected,
                "{text}"
            );
        }
        let allowed = automata::letters_of(&arena, &constraints, &limits).unwrap();
        for _ in 0..20 {
            let length = 1 + random.below(6);
            let mut word = random.word(length, ATOMS);
            word.retain(|letter| allowed.contains(letter));
            let expected = whole.verdict_of_word(&word);
            assert_eq!(
                composite.verdict_of_word(&word),
                expected,
                "{text}: {word:?}"
            );
            definitive += usize::from(expected.is_some_and(B4::is_definitive));
        }
    }
    // Both cases are frequent in the sample.
    assert!(apart > 200 && together > 50, "{apart} {together}");
    assert!(definitive > 2_000, "{definitive}");
    assert!(classified > 200, "{classified}");
}

fn shape_of(text: &str, constraints: &[&str]) -> String {
    fn show(arena: &Arena, shape: &Shape<Id>) -> String {
        let all = |shapes: &[Shape<Id>]| {
            let shown: Vec<String> = shapes.iter().map(|s| show(arena, s)).collect();
            shown.join(", ")
        };
        match shape {
            Shape::Part(id) => print(arena, *id, Style::Ascii),
            Shape::Least(shapes) => format!("least({})", all(shapes)),
            Shape::Greatest(shapes) => format!("greatest({})", all(shapes)),
        }
    }
    let mut arena = Arena::new();
    let root = read(&mut arena, text);
    let constraints: Vec<Id> = constraints
        .iter()
        .map(|text| read(&mut arena, text))
        .collect();
    let shape = independent(&mut arena, root, &constraints);
    show(&arena, &shape)
}

#[test]
fn formulas_fall_apart_where_they_share_nothing() {
    assert_eq!(shape_of("G a && F b", &[]), "least(G a, F b)");
    assert_eq!(shape_of("G a && F a", &[]), "G a && F a");
    assert_eq!(shape_of("!(G a -> F b)", &[]), "least(G a, !F b)");
    assert_eq!(
        shape_of("(G a && F b && X a) || G c", &[]),
        "greatest(least(G a && X a, F b), G c)"
    );
    assert_eq!(shape_of("G a && F b", &["a -> b"]), "G a && F b");
    // A proposition outside the formula can connect two of its propositions.
    assert_eq!(shape_of("G a && F b", &["a -> x", "x -> b"]), "G a && F b");
    assert_eq!(shape_of("G (a && b)", &[]), "G(a && b)");
}

#[test]
fn long_lists_of_requirements_are_small() {
    let text: Vec<String> = (0..40).map(|i| format!("G(r{i} -> F a{i})")).collect();
    let mut arena = Arena::new();
    let root = read(&mut arena, &text.join(" && "));
    let composite = Composite::for_formula(&arena, root, &[], &Limits::default()).unwrap();
    let states: usize = composite.shape.parts().iter().map(|m| m.len()).sum();
    assert_eq!(states, 80);
    let request = [AtomId(0)].into_iter().collect();
    assert_eq!(
        composite.verdict_of_word(&[request]),
        Some(B4::PresumablyFalse)
    );
    assert_eq!(
        composite.verdict_of_word(&[Default::default()]),
        Some(B4::PresumablyTrue)
    );
}
