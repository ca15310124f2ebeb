//! Formulas that some version of the translation got wrong, by name, and formulas of the literature with their
//! classes.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::common::parse;
use automata::{classify, verdict_of_word, Class, Limits};
use ltl::lasso::Letter;
use ltl::B4;

/// The verdict of a word that is written as on the command line.
fn verdict(formula: &str, word: &str) -> B4 {
    let (arena, root) = parse(formula);
    let letters = ltl::parse_word(word).unwrap();
    let letter = |atoms: &Vec<ltl::Atom>| -> Letter {
        atoms.iter().filter_map(|a| arena.find_atom(a)).collect()
    };
    let word: Vec<Letter> = letters.iter().map(letter).collect();
    verdict_of_word(&arena, root, &word, &Limits::default())
        .unwrap()
        .unwrap()
}

/// A regression: the obligations of a state were simplified as a conjunction, which dropped one that another
/// implied, and with it the promise that fulfils the other.
#[test]
fn promises_are_not_dropped_with_the_obligations_that_imply_them() {
    for (formula, word) in [
        ("G(q U (X p))", "q"),
        ("p R (F X p)", ""),
        ("(F X p) W p", ""),
        ("G F (p && F r)", "p; ; p"),
        ("X G (q U X p)", "q; q"),
        ("G ((q || X p) && F X p)", "q"),
    ] {
        assert_eq!(verdict(formula, word), B4::PresumablyFalse, "{formula}");
        let negation = format!("!({formula})");
        assert_eq!(verdict(&negation, word), B4::PresumablyTrue, "{formula}");
    }
}

fn class(formula: &str) -> Class {
    let (arena, root) = parse(formula);
    classify(&arena, root, &[], &Limits::default())
}

#[test]
fn classes_of_known_formulas() {
    for (formula, described, verdicts) in [
        ("G p", "safety, monitorable, stutter-invariant", "⊥ ⊤ᵖ"),
        ("F p", "co-safety, monitorable, stutter-invariant", "⊥ᵖ ⊤"),
        ("p W q", "safety, monitorable, stutter-invariant", "⊥ ⊤ᵖ ⊤"),
        (
            "p U q",
            "co-safety, monitorable, stutter-invariant",
            "⊥ ⊥ᵖ ⊤",
        ),
        (
            "X p",
            "both safety and co-safety, monitorable, not stutter-invariant",
            "⊥ ⊥ᵖ ⊤ᵖ ⊤",
        ),
        (
            "p && q",
            "both safety and co-safety, monitorable, stutter-invariant",
            "⊥ ⊤",
        ),
        (
            "G F p",
            "liveness, not monitorable, stutter-invariant",
            "⊥ᵖ ⊤ᵖ",
        ),
        (
            "G(p -> F q)",
            "liveness, not monitorable, stutter-invariant",
            "⊥ᵖ ⊤ᵖ",
        ),
        (
            "p && G F q",
            "neither safety nor co-safety, not monitorable, stutter-invariant",
            "⊥ ⊥ᵖ ⊤ᵖ",
        ),
        (
            "p U (q && G F r)",
            "neither safety nor co-safety, not monitorable, stutter-invariant",
            "⊥ ⊥ᵖ ⊤ᵖ",
        ),
        (
            "(p U q) && G r",
            "neither safety nor co-safety, monitorable, stutter-invariant",
            "⊥ ⊥ᵖ ⊤ᵖ",
        ),
        // Two states are universal together though neither is by itself.
        (
            "X p || X !p",
            "both safety and co-safety, monitorable, stutter-invariant",
            "⊤",
        ),
        (
            "p && !p",
            "both safety and co-safety, monitorable, stutter-invariant",
            "⊥",
        ),
        // Morse et al. 2015, section 5.3: a toggle.
        (
            "G((p -> F !p) && (!p -> F p))",
            "liveness, not monitorable, stutter-invariant",
            "⊥ᵖ",
        ),
        // X, but no counting of repetitions.
        (
            "F(p && X !p)",
            "co-safety, monitorable, stutter-invariant",
            "⊥ᵖ ⊤",
        ),
        (
            "G(p -> X F q)",
            "liveness, not monitorable, stutter-invariant",
            "⊥ᵖ ⊤ᵖ",
        ),
        (
            "G(p -> X q)",
            "safety, monitorable, not stutter-invariant",
            "⊥ ⊥ᵖ ⊤ᵖ",
        ),
        (
            "G F(p && X p)",
            "liveness, not monitorable, not stutter-invariant",
            "⊥ᵖ ⊤ᵖ",
        ),
        (
            "G F(p && X !p)",
            "liveness, not monitorable, stutter-invariant",
            "⊥ᵖ",
        ),
    ] {
        let class = class(formula);
        assert_eq!(class.describe(), described, "{formula}");
        let shown: Vec<String> = class
            .words
            .unwrap()
            .verdicts
            .iter()
            .map(|v| v.to_string())
            .collect();
        assert_eq!(shown.join(" "), verdicts, "{formula}");
        // The negation has the dual class.
        let dual = self::class(&format!("!({formula})"));
        assert_eq!(
            (class.safety, class.co_safety),
            (dual.co_safety, dual.safety),
            "{formula}"
        );
        assert_eq!(class.stutter_invariant, dual.stutter_invariant, "{formula}");
    }
}

#[test]
fn explanations_that_a_user_understands() {
    for (formula, part) in [
        ("G((p -> F !p) && (!p -> F p))", "No finite run satisfies or violates this formula whatever follows; ⊥ᵖ is all you will see"),
        ("G F p", "No finite run satisfies or violates this formula whatever follows; the verdict can change between ⊥ᵖ and ⊤ᵖ"),
        ("G p", "A violation always shows in a finite run, as ⊥; none satisfies the formula whatever follows"),
        ("p W q", "A violation always shows in a finite run, as ⊥; some satisfy the formula whatever follows (⊤)"),
        ("F p", "Satisfaction always shows in a finite run, as ⊤; none violates the formula whatever follows"),
        ("X X p", "On every run the first 3 letters decide between ⊤ and ⊥."),
        ("p", "On every run the first letter decides between ⊤ and ⊥."),
        ("true", "Every run satisfies this formula; ⊤ is all you will see."),
        ("p && G F q", "Whatever follows, some finite runs violate this formula (⊥), none satisfies it;"),
        ("p || G F q", "After some runs it is too late"),
    ] {
        let text = class(formula).explain();
        assert!(text.contains(part), "{formula}: {text}");
        assert!(text.matches(". ").count() <= 1, "{formula}: {text}");
    }
}

#[test]
fn a_restricted_alphabet_makes_verdicts_sharper() {
    // Morse et al. 2015, section 5.4: an input that must be 1 and 2 at once.
    let mut parsed = ltl::parse("F(p && q) || G r").unwrap();
    let (arena, root) = (&mut parsed.arena, parsed.root);
    let constraint = ltl::parse_into(arena, "!(p && q)", None).unwrap().root;
    let free = classify(arena, root, &[], &Limits::default());
    let class = classify(arena, root, &[constraint], &Limits::default());
    assert_eq!((free.safety, class.safety), (Some(false), Some(true)));
    let words = class.words.unwrap();
    assert!(words.verdicts.has(B4::False) && !words.verdicts.has(B4::True));
    assert!(words.unrestricted.unwrap().has(B4::True));
    let text = class.explain();
    assert!(
        text.contains("Without the alphabet's restriction"),
        "{text}"
    );
}

#[test]
fn formulas_beyond_the_bounds_have_a_class_as_well() {
    let x15 = "X ".repeat(15);
    let class = class(&format!("F(p && {x15} q)"));
    assert_eq!((class.co_safety, class.words), (Some(true), None));
    assert_eq!(class.describe(), "co-safety, perhaps not stutter-invariant");
    assert!(class
        .explain()
        .contains("too large for a deterministic monitor"));
}

/// Found by the random laws: one wrong rule took this word for a model.
#[test]
fn chains_of_next_are_not_shortened() {
    let (arena, root) = parse("G(p0 & XF(p1 & XF(p2 & XFp3)))");
    let buchi = automata::translate(&arena, root, &automata::Options::default()).unwrap();
    let letter: Letter = [ltl::AtomId(0)].into();
    assert!(!buchi.accepts(&[], &[letter]));
}

/// A bounded conjunct that needs no guess excludes words, also where another conjunct is no safety property: once, the
/// negation forgot it, and such a formula was called true as soon as the other conjunct held.
#[test]
fn a_deadline_is_not_forgotten_beside_an_eventuality() {
    for (formula, word) in [
        ("G(p -> F[0,2] q) && F q", "q"),
        ("G(p -> X[2] q) && F p", "p"),
        ("G(p -> G[1,2] q) && (q U p)", "p"),
    ] {
        let (arena, root) = parse(formula);
        let letters = ltl::parse_word(word).unwrap();
        let letter = |names: &Vec<ltl::Atom>| -> Letter {
            names.iter().map(|n| arena.find_atom(n).unwrap()).collect()
        };
        let word: Vec<Letter> = letters.iter().map(letter).collect();
        let found = automata::verdict_of_word(&arena, root, &word, &Limits::default());
        let found = found.unwrap().unwrap();
        assert!(
            !matches!(found, B4::True | B4::False),
            "{formula}: {found:?}"
        );
        let class = classify(&arena, root, &[], &Limits::default());
        assert_eq!(class.co_safety, Some(false), "{formula}");
    }
}
