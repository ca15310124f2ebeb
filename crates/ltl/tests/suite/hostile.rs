//! Hostile inputs: deep, long, shared. They have to be read or refused quickly.
#![allow(clippy::unwrap_used)]

use ltl::lasso::Lasso;
use ltl::{parse, print, print_bounded, Arena, Atom, Node, Style, MAX_TEXT};
use std::collections::BTreeSet;

#[test]
fn any_depth_is_read_and_printed() {
    let n = testing::tried(15_000, 150_000);
    for text in [
        format!("{}p{}", "(".repeat(n), ")".repeat(n)),
        format!("{}p", "!".repeat(n)),
        format!("{}p", "G".repeat(n) + " "),
        format!("{}p", "X(F ".repeat(n)) + &")".repeat(n),
        "G".repeat(n) + "p",
        "FX".repeat(n) + "p0 U p0",
        "a U ".repeat(n) + "b",
        "a -> ".repeat(n) + "b",
        "a -> (b && (".repeat(n) + "c" + &"))".repeat(n),
        "(".repeat(n) + "a" + &" <-> b)".repeat(n),
        "a && ".repeat(n) + "b",
        "a || b && ".repeat(n) + "c U d U e",
    ] {
        let parsed = parse(&text).unwrap();
        let printed = print(&parsed.arena, parsed.root, Style::Unicode);
        let again = parse(&printed).unwrap();
        assert_eq!(print(&again.arena, again.root, Style::Unicode), printed);
        assert!(parsed.arena.size(parsed.root) > 0);
        let word = Lasso::new(vec![], vec![BTreeSet::new()]).unwrap();
        word.satisfies(&parsed.arena, parsed.root);
    }
}

#[test]
fn unclosed_and_unopened_nesting_is_refused() {
    let n = testing::tried(100_000, 1_000_000);
    for text in [
        "(".repeat(n),
        ")".repeat(n),
        "{".repeat(n),
        "!".repeat(n),
        "\"".to_owned() + &"\\".repeat(n),
        "{\"".to_owned() + &"\\".repeat(n),
        "{/*".to_owned() + &"*".repeat(n),
        "{'".repeat(n),
        "p ".repeat(n),
        "7".repeat(n),
        "p ".to_owned() + &"é".repeat(n),
        "U".to_owned() + &"U".repeat(n) + " U",
        "p U ".repeat(n),
        "p && (".repeat(n),
        "\u{fffd}".repeat(n),
    ] {
        let error = parse(&text).unwrap_err();
        assert!(error.to_string().len() < 300);
        assert!(error.help.is_none_or(|h| h.len() < 300));
        assert!(text.get(error.span).is_some());
    }
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    let error = parse(&" ".repeat(MAX_TEXT + 1)).unwrap_err();
    assert!(error.to_string().contains("at most"));
}

#[test]
fn warnings_are_few_and_short_even_if_doubts_are_many() {
    let name = "a".repeat(testing::tried(20_000, 100_000));
    let text = format!("({name} U b U c) && ").repeat(200) + "Gx && Gy && d";
    let parsed = parse(&text).unwrap();
    assert!(parsed.warnings.len() <= 20);
    assert!(parsed.warnings.iter().all(|w| w.reading.len() < 3000));
}

#[test]
fn shared_formulas_print_in_bounded_time() {
    let mut arena = Arena::new();
    let atom = arena.atom(Atom::Name("é".to_owned()));
    let mut root = arena.make(Node::Atom(atom));
    for _ in 0..200 {
        root = arena.make(Node::Until(root, root));
    }
    for limit in 0..40 {
        let text = print_bounded(&arena, root, Style::Ascii, limit);
        assert!(text.ends_with('…') && text.len() <= limit + "…".len());
        assert!(parse(&text).is_err());
    }
    assert!(print(&arena, root, Style::Ascii).len() <= MAX_TEXT + 10);
    let word = Lasso::new(vec![], vec![BTreeSet::new()]).unwrap();
    assert!(!word.satisfies(&arena, root));
}
