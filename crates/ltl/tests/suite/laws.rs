//! Laws of parser, printer and evaluation, on random formulas and words.
#![allow(clippy::unwrap_used)]

use ltl::lasso::{Lasso, Letter};
use ltl::{parse, parse_into, print, print_parenthesised, Arena, Atom, Id, Node, Style};
use proptest::collection::vec;
use proptest::prelude::*;

/// A formula as a tree, since an id has no meaning outside its arena.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(u8),
    Name(String),
    Condition(String),
    Unary(u8, Box<Tree>),
    Binary(u8, Box<Tree>, Box<Tree>),
    Many(bool, Vec<Tree>),
}

fn build(arena: &mut Arena, tree: &Tree) -> Id {
    let node = match tree {
        Tree::Leaf(0) => Node::True,
        Tree::Leaf(_) => Node::False,
        Tree::Name(name) => Node::Atom(arena.atom(Atom::Name(name.clone()))),
        Tree::Condition(text) => Node::Atom(arena.atom(Atom::Condition(text.clone()))),
        Tree::Unary(op, a) => {
            let a = build(arena, a);
            [
                Node::Not(a),
                Node::Next(a),
                Node::Finally(a),
                Node::Globally(a),
                Node::Previous(a),
                Node::WeakPrevious(a),
                Node::Once(a),
                Node::Historically(a),
            ][*op as usize]
                .clone()
        }
        Tree::Binary(op, a, b) => {
            let (a, b) = (build(arena, a), build(arena, b));
            [
                Node::Implies(a, b),
                Node::Iff(a, b),
                Node::Until(a, b),
                Node::Release(a, b),
                Node::WeakUntil(a, b),
                Node::StrongRelease(a, b),
                Node::Since(a, b),
                Node::BackTo(a, b),
            ][*op as usize]
                .clone()
        }
        Tree::Many(and, all) => {
            let all = all.iter().map(|t| build(arena, t)).collect();
            if *and {
                Node::And(all)
            } else {
                Node::Or(all)
            }
        }
    };
    arena.make(node)
}

fn names() -> impl Strategy<Value = Tree> {
    prop_oneof![
        4 => prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned),
        3 => prop::sample::select(vec![
            "p0", "Fp0", "GFa", "Go", "o", "F1", "F", "GF", "U", "WU", "FU", "or", "not", "and", "true", "Ftrue",
            "S", "B", "Y", "Z", "O", "H", "HO", "YS", "x y", "q\"", "\\", "\\\"", "1", "0", "12", "é", "Gé", "{", "(", "_", "G_", "X_1", "\n", "\0", "→",
        ])
        .prop_map(str::to_owned),
        1 => "[ -~]{1,4}",
        1 => "\\PC{1,3}",
    ]
    .prop_map(Tree::Name)
}

fn trees(leaf: impl Strategy<Value = Tree> + 'static) -> impl Strategy<Value = Tree> {
    leaf.prop_recursive(6, 40, 4, |inner| {
        let one = inner.clone().prop_map(Box::new);
        prop_oneof![
            (0..8u8, one.clone()).prop_map(|(op, a)| Tree::Unary(op, a)),
            (0..8u8, one.clone(), one).prop_map(|(op, a, b)| Tree::Binary(op, a, b)),
            (any::<bool>(), vec(inner, 2..4)).prop_map(|(and, all)| Tree::Many(and, all)),
        ]
    })
}

fn any_tree() -> impl Strategy<Value = Tree> {
    let condition =
        prop::sample::select(vec!["x > 1", "a[{0}]", "c == '}'", "s == \"{\"", "f(1, 2)"]);
    trees(prop_oneof![
        1 => (0..2u8).prop_map(Tree::Leaf),
        8 => names(),
        2 => condition.prop_map(|c| Tree::Condition(c.to_owned())),
    ])
}

fn letters() -> impl Strategy<Value = Letter> {
    (0u32..8).prop_map(|bits| {
        (0..3)
            .filter(|i| bits >> i & 1 == 1)
            .map(ltl::AtomId)
            .collect()
    })
}

fn words() -> impl Strategy<Value = Lasso> {
    (vec(letters(), 0..5), vec(letters(), 1..5)).prop_map(|(u, v)| Lasso::new(u, v).unwrap())
}

/// A formula over the propositions 0, 1 and 2 of an arena.
fn over_three() -> impl Strategy<Value = (Arena, Id)> {
    let leaf = prop_oneof![
        1 => (0..2u8).prop_map(Tree::Leaf),
        6 => prop::sample::select(vec!["a", "b", "c"]).prop_map(|n| Tree::Name(n.to_owned())),
    ];
    trees(leaf).prop_map(|tree| {
        let mut arena = Arena::new();
        for name in ["a", "b", "c"] {
            arena.atom(Atom::Name(name.to_owned()));
        }
        let root = build(&mut arena, &tree);
        (arena, root)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::tried(500, 1500) as u32))]

    #[test]
    fn printing_and_parsing_give_the_formula_back(tree in any_tree()) {
        let mut arena = Arena::new();
        let root = build(&mut arena, &tree);
        for style in [Style::Ascii, Style::Spin, Style::Unicode] {
            let text = print(&arena, root, style);
            let read = parse_into(&mut arena, &text, None);
            let read = read.map_err(|e| TestCaseError::fail(format!("{text:?}: {e}")))?;
            prop_assert_eq!(read.root, root, "{}", text);
            prop_assert_eq!(read.warnings, vec![], "{}", text);
            let full = print_parenthesised(&arena, root, style, 1 << 20);
            prop_assert_eq!(parse_into(&mut arena, &full, None).unwrap().root, root, "{}", full);
            prop_assert!(full.len() >= text.len());
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,40}", ascii in "[ -~]{0,40}") {
        let _ = (parse(&text), parse(&ascii));
    }

    #[test]
    fn tokens_in_any_order_are_read_or_refused_with_a_span(
        words in vec(prop::sample::select(vec![
            "a", "Fa", "GFb", "F1", "U", "W", "S", "B", "Y", "H", "(", ")", "!", "[]", "&&", "|", "->", "<->", "not", "or", "{x}", "\"y\"", "1",
        ]), 0..12),
    ) {
        let text = words.join(" ");
        match parse(&text) {
            Ok(parsed) => {
                let again = print(&parsed.arena, parsed.root, Style::Ascii);
                prop_assert!(parse(&again).is_ok());
                for (_, span) in parsed.occurrences {
                    prop_assert!(text.get(span).is_some_and(|s| !s.is_empty()));
                }
            }
            Err(error) => prop_assert!(text.get(error.span).is_some()),
        }
    }

    #[test]
    fn operators_mean_the_same_as_their_definitions((mut arena, f) in over_three(), word in words()) {
        let mut make = |node| arena.make(node);
        let (a, truth) = (make(Node::Atom(ltl::AtomId(0))), make(Node::True));
        let (not_a, not_f) = (make(Node::Not(a)), make(Node::Not(f)));
        let until = make(Node::Until(a, f));
        let dual_until = make(Node::Until(not_a, not_f));
        let dual_weak = make(Node::WeakUntil(not_a, not_f));
        let always_a = make(Node::Globally(a));
        let finally_not = make(Node::Finally(not_f));
        let both = make(Node::And(vec![f, a]));
        let dual_since = make(Node::Since(not_a, not_f));
        let once_not = make(Node::Once(not_f));
        let previous_not = make(Node::Previous(not_f));
        let since = make(Node::Since(a, f));
        let before = make(Node::Previous(since));
        let kept = make(Node::And(vec![a, before]));
        for (left, right) in [
            (Node::Release(a, f), Node::Not(dual_until)),
            (Node::StrongRelease(a, f), Node::Not(dual_weak)),
            (Node::StrongRelease(a, f), Node::Until(f, both)),
            (Node::WeakUntil(a, f), Node::Or(vec![until, always_a])),
            (Node::Finally(f), Node::Until(truth, f)),
            (Node::Globally(f), Node::Not(finally_not)),
            (Node::BackTo(a, f), Node::Not(dual_since)),
            (Node::Once(f), Node::Since(truth, f)),
            (Node::Historically(f), Node::Not(once_not)),
            (Node::WeakPrevious(f), Node::Not(previous_not)),
            (Node::Since(a, f), Node::Or(vec![f, kept])),
        ] {
            let (left, right) = (arena.make(left), arena.make(right));
            prop_assert_eq!(word.values(&arena, left), word.values(&arena, right));
        }
    }

    #[test]
    fn until_is_found_by_walking(
        (mut arena, f) in over_three(),
        (u, v) in (vec(letters(), 0..5), vec(letters(), 1..5)),
    ) {
        // Hétier & Boucheneb 2018, 2.2, equation 3 (with the usual i < k): searches k in the word, written out
        // long enough to pass every position.
        let a = arena.make(Node::Atom(ltl::AtomId(0)));
        let until = arena.make(Node::Until(a, f));
        // What has past operators repeats only some rounds later.
        let word = Lasso::new(u, v.clone()).unwrap().unrolled(&arena, f);
        let u = vec![(); word.values(&arena, a).len() - v.len()];
        let (left, right) = (word.values(&arena, a), word.values(&arena, f));
        let cycle = u.len()..u.len() + v.len();
        let mut path = (0..u.len()).chain(std::iter::repeat_n(cycle, 2).flatten());
        let end = path.find(|&i| right[i] || !left[i]);
        prop_assert_eq!(word.satisfies(&arena, until), end.is_some_and(|i| right[i]));
    }

    #[test]
    fn since_is_found_by_walking_back(
        (mut arena, f) in over_three(),
        (u, v) in (vec(letters(), 0..5), vec(letters(), 1..5)),
        rounds in 1usize..4,
    ) {
        // The word with some rounds of its cycle in the prefix has every position of these rounds.
        let a = arena.make(Node::Atom(ltl::AtomId(0)));
        let since = arena.make(Node::Since(a, f));
        let prefix: Vec<Letter> = u.iter().chain(std::iter::repeat_n(&v, rounds).flatten()).cloned().collect();
        let word = Lasso::new(prefix, v).unwrap();
        let (left, right) = (word.values(&arena, a), word.values(&arena, f));
        for (at, value) in word.values(&arena, since).into_iter().enumerate() {
            let start = (0..=at).rev().find(|&i| right[i] || !left[i]);
            prop_assert_eq!(value, start.is_some_and(|i| right[i]), "{}", at);
        }
    }

    #[test]
    fn a_cycle_may_be_unrolled(
        (arena, f) in over_three(),
        (u, v) in (vec(letters(), 0..5), vec(letters(), 1..5)),
    ) {
        let unrolled = Lasso::new([u.clone(), v.clone()].concat(), [v.clone(), v.clone()].concat());
        let values = Lasso::new(u.clone(), v.clone()).unwrap().values(&arena, f);
        prop_assert_eq!(&unrolled.unwrap().values(&arena, f)[..values.len()], &values[..]);
        // The value at the next position is the value of the word without its first letter.
        let rest = if u.is_empty() { [&v[1..], &v[..1]].concat() } else { v };
        let tail = Lasso::new(u.get(1..).unwrap_or_default().to_vec(), rest).unwrap();
        if values.len() > 1 && !arena.has_past(f) {
            prop_assert_eq!(values[1], tail.satisfies(&arena, f));
        }
    }

    #[test]
    fn formulas_without_next_do_not_count_repetitions((arena, f) in over_three(), once in vec(letters(), 1..5)) {
        prop_assume!(arena.is_next_free(f));
        let twice: Vec<Letter> = once.iter().flat_map(|l| [l.clone(), l.clone()]).collect();
        let value = |w: &[Letter]| Lasso::stutter(w).unwrap().satisfies(&arena, f);
        prop_assert_eq!(value(&once), value(&twice));
    }
}

/// `B` is an operator here, which the parser also takes for a word of the formula.
#[test]
fn a_name_that_ends_with_the_letter_of_a_past_operator_is_quoted() {
    let mut arena = Arena::new();
    let name = Box::new(Tree::Name("FB".into()));
    let root = build(&mut arena, &Tree::Binary(7, Box::new(Tree::Leaf(0)), name));
    let text = print(&arena, root, Style::Ascii);
    assert_eq!(
        parse_into(&mut arena, &text, None).unwrap().root,
        root,
        "{text}"
    );
}
