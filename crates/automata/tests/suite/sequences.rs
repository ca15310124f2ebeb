//! Sequences and counts: the sizes of their monitors, and the verdicts of some words.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::common::parse;
use automata::{Limits, Monitor};
use ltl::lasso::Letter;

fn monitor(text: &str) -> Monitor {
    let (arena, root) = parse(text);
    Monitor::for_formula(&arena, root, &[], &Limits::default())
        .unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn monitors_have_the_states_that_the_language_needs() {
    let expected = [
        ("G({a} |-> b)", 2),
        ("G({a; b} |-> c)", 3),
        ("G({a; b} |=> c)", 5),
        ("{a; b; c} |-> d", 5),
        ("G({a} |-> {b; c})", 3),
        ("G({a; b[*2:4]; c} |-> F d)", 16),
        ("G(a -> {[*]; b}!)", 2),
        ("G({a} |-> {[*1:20]; b})", 22),
        ("G O[<=1 in <=3] a", 5),
    ];
    let found = expected.map(|(text, _)| (text, monitor(text).len()));
    assert_eq!(found, expected);
}

/// The oldest request has the least time left, and one grant serves all.
#[test]
fn a_long_wait_is_one_counter() {
    let monitor = monitor("G({request} |-> {[*1:1000]; grant})");
    assert_eq!(monitor.len(), 1_002);
}

/// Two conjuncts that ask for the same share a counter.
#[test]
fn deadlines_for_one_goal_are_one_counter() {
    let both = monitor("G(p -> F[<=1000] q) && G(r && !s -> F[<=1000] q)");
    assert_eq!(both.len(), monitor("G(p -> F[<=1000] q)").len());
}

#[test]
fn formulas_that_mean_the_same_have_the_same_monitors() {
    for (one, other) in [
        ("G({a} |-> {[*1:3]; b})", "G(a -> F[1,3] b)"),
        ("G({a} |=> b)", "G(a -> X b)"),
        ("{a[*]; b}!", "a U b"),
        ("{a[*]; b}", "a W b"),
        (
            "{a[->3]} |-> F b",
            "(!a) W (a && X((!a) W (a && X((!a) W (a && F b)))))",
        ),
        ("!{[*]; a; b}!", "G(a -> X !b)"),
        ("{[*]; a; b} <>-> G c", "F(a && X(b && G c))"),
        ("G O[<=1 in <=2] a", "G(a -> X(!a && X !a))"),
        ("G F[>=1 in 1,3] a", "G F[1,3] a"),
        ("G O[>=2 in >=0] a", "false"),
        // Those that begin later bring those that began before, and none may be forgotten.
        ("G({[*]; b; [*]; c}!)", "G F(b && X F c)"),
        ("F({[*]; b; [*]; c} |-> false)", "F G(b -> X G !c)"),
    ] {
        let equal = format!("({one}) <-> ({other})");
        let both = monitor(&equal);
        assert_eq!(both.len(), 1, "{equal}");
        assert_eq!(both.certain(both.initial()), Some(ltl::B4::True), "{equal}");
    }
}

#[test]
fn verdicts_of_words() {
    for (text, word, expected) in [
        ("{a; b; c} |-> d", "a; b", "presumably_true"),
        ("{a; b; c} |-> d", "a; b; c", "false"),
        ("{a; b; c} |-> d", "a; b; c d", "true"),
        ("{a; b; c} |-> d", "b", "true"),
        ("{a[*]; b}!", "a; a", "presumably_false"),
        ("{a[*]; b}", "a; a", "presumably_true"),
        ("G({a; b} |=> F c)", "a; b; ", "presumably_false"),
        ("G({a; b} |=> F c)", "a; b; c", "presumably_true"),
        ("G O[<=2 in <=3] a", "a; a; ; a", "false"),
        ("G O[<=2 in <=3] a", "a; a; ; ; a", "presumably_false"),
    ] {
        let (arena, root) = parse(text);
        let letters: Vec<Letter> = ltl::parse_word(word)
            .unwrap()
            .iter()
            .map(|letter| letter.iter().filter_map(|a| arena.find_atom(a)).collect())
            .collect();
        let monitor = Monitor::for_formula(&arena, root, &[], &Limits::default()).unwrap();
        let found = monitor.verdict_of_word(&letters).unwrap();
        assert_eq!(found.name(), expected, "{text}: {word}");
    }
}

#[test]
fn what_is_too_large_is_refused_with_the_reason() {
    for text in [
        "G({a[*100000]; b} |-> c)",
        "G O[<=5 in <=1000] a",
        "G({a; [*30]; b} |-> c)",
    ] {
        let (arena, root) = parse(text);
        let refused = Monitor::for_formula(&arena, root, &[], &Limits::default());
        assert!(refused.is_err(), "{text}");
    }
}
