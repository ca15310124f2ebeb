//! Sequences of letters: their syntax, and their meaning by the definition, stretch by stretch.
#![allow(clippy::unwrap_used)]

use ltl::lasso::{Lasso, Letter};
use ltl::{parse, parse_into, print, print_parenthesised, words, Arena, Atom, AtomId, Style};
use proptest::collection::vec;
use proptest::prelude::*;

/// The reading of a text.
fn reading(text: &str) -> String {
    let parsed = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let printed = print(&parsed.arena, parsed.root, Style::Ascii);
    let again = parse(&printed).unwrap_or_else(|e| panic!("{printed}: {e}"));
    assert_eq!(print(&again.arena, again.root, Style::Ascii), printed);
    print_parenthesised(&parsed.arena, parsed.root, Style::Ascii, 1000)
}

#[test]
fn sequences_are_read() {
    for (text, expected) in [
        ("{a; b[*2:4]; c} |-> F d", "{a; b[*2:4]; c} |-> F d"),
        ("G {a;b} |=> c || d", "G({a; b} |=> (c || d))"),
        ("a -> {b[+]} |-> c && d", "a -> ({b[*1:]} |-> (c && d))"),
        ("({a;b} |-> c) && d", "({a; b} |-> c) && d"),
        ("{a} |-> {b;c} |-> d", "{a} |-> {b; c} |-> d"),
        ("{a;b}! && {c[=2]}", "{a; b}! && {c[=2]}"),
        ("!{a;b}!", "!{a; b}!"),
        (
            "{a || b; !c[*]} <>-> d U e",
            "{(a || b); !c[*]} <>-> (d U e)",
        ),
        (
            "{a | b; c : d && e} <>=> f",
            "{(a || b); (c : (d && e))} <>=> f",
        ),
        ("{(a;b) | c & d[->2]}!", "{(a; b) | (c & d[->2])}!"),
        ("{(a;b) && [*3]}!", "{(a; b) && true[*3]}!"),
        ("{[*]; {a;b}[*2]}!", "{true[*]; (a; b)[*2]}!"),
        ("{a[->]; b[=1:3]; c[->0:]}!", "{a[->1]; b[=1:3]; c[->0:]}!"),
        (
            "{a[*2..3]; b[*1:$]; c[*2,3]}!",
            "{a[*2:3]; b[*1:]; c[*2:3]}!",
        ),
        (
            "{ {x > 1}; {y[i] == 2} } |-> {z}",
            "{{x > 1}; {y[i] == 2}} |-> {z}",
        ),
        ("{O p; a S b; Y c} []-> d", "{O p; (a S b); Y c} |-> d"),
        ("{a; b; c}", "{a; b; c}"),
        ("{x > 1}", "{x > 1}"),
        ("{m::x ? a : b}", "{m::x ? a : b}"),
        ("{f(a[*p], \"; \") /* ; */ }", "{f(a[*p], \"; \") /* ; */}"),
        ("G {x != 0} -> q", "G {x != 0} -> q"),
    ] {
        assert_eq!(reading(text), expected, "{text}");
    }
}

#[test]
fn counts_are_read() {
    for (text, expected) in [
        ("G O[<=2 in <=9] p", "G O[<=2 in <=9] p"),
        ("O[3 in 1,4] !p", "O[=3 in 1,4] !p"),
        ("O[<3 in >=1](p || q) && r", "O[<=2 in >=1](p || q) && r"),
        ("GO[=1 in <=3] p", "GO"),
        ("GF[>=2 in <=3] p", "G {p[=2:] && true[*4]}!"),
        ("F[1,2 in 2,5] p", "{true[*2]; (p[=1:2] && true[*4])}!"),
        ("F[>=2 in >=0] p", "{p[=2:]}!"),
    ] {
        match parse(text) {
            Ok(_) => assert_eq!(reading(text), expected, "{text}"),
            // Only the letters of the future can be glued together.
            Err(error) => assert_eq!(&text[error.span], "[=1 in <=3]", "{text}"),
        }
    }
    for (text, help) in [
        ("G[<=2 in <=9] p", "F (from here on) and O (up to here)"),
        ("F[<=2 in >=9] p", "never over"),
        ("O[<=2 in x] p", "how often within which letters"),
        ("O[3,2 in <=9] p", "the first number is the smaller one"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.help.unwrap_or_default().contains(help), "{text}");
    }
}

#[test]
fn the_propositions_of_a_sequence_are_found_with_their_places() {
    let text = "{a; {x > 1}; \"b c\"} |-> a";
    let parsed = parse(text).unwrap();
    let places: Vec<&str> = parsed
        .occurrences
        .iter()
        .map(|(_, span)| &text[span.clone()])
        .collect();
    assert_eq!(places, ["a", "{x > 1}", "\"b c\"", "a"]);
}

#[test]
fn what_is_no_sequence_is_refused_with_its_place() {
    for (text, message, place, help) in [
        (
            "{a; F b} |-> c",
            "expected a formula about one letter, found an operator of the future",
            "F b",
            "stands behind `|->`",
        ),
        (
            "{a; b[*2:1]} |-> c",
            "expected a repetition, found `[*2:1]`",
            "[*2:1]",
            "the first number is the smaller one",
        ),
        (
            "{a; b[*x]} |-> c",
            "expected a repetition, found `[*x]`",
            "[*x]",
            "`[*2:4]`",
        ),
        (
            "{(a; b)[->2]} |-> c",
            "expected a formula about one letter, found a sequence",
            "(a; b)",
            "`[*n]` repeats a sequence",
        ),
        (
            "{!(a; b)} |-> c",
            "expected a formula about one letter, found a sequence",
            "(a; b)",
            "join sequences",
        ),
        (
            "{a; (b; c} |-> d",
            "expected an operator or `)`, found `}`",
            "}",
            "",
        ),
        ("{a;} |-> d", "expected a formula, found `}`", "}", ""),
        (
            "{a; b} |->",
            "expected a formula, found the end of the formula",
            "",
            "",
        ),
        (
            "a |-> b",
            "expected an operator, found `|->`",
            "|->",
            "is in braces",
        ),
        (
            "a[*2]",
            "expected an operator, found `[*2]`",
            "[*2]",
            "stand in sequences",
        ),
        (
            "{a; b} -> {x > 1",
            "expected a closing `}`, found the end of the formula",
            "",
            "",
        ),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
        assert_eq!(&text[error.span.clone()], place, "{text}");
        assert!(error.help.unwrap_or_default().contains(help), "{text}");
    }
    let long = format!("{{{}a}} |-> b", "a; ".repeat(1_001));
    assert!(parse(&long)
        .unwrap_err()
        .to_string()
        .contains("at most 1000"));
}

#[test]
fn deep_nests_of_braces_are_read_in_time() {
    for text in ["{".repeat(50_000), "{a;".repeat(50_000)] {
        assert!(parse(&text).is_err());
        let closed = format!("{text}a{}", "}".repeat(50_000));
        assert!(parse(&closed).is_err());
    }
}

/// A pattern as a tree. Literals are propositions 0 to 2 with a value.
#[derive(Clone, Debug)]
enum Tree {
    Literal(u32, bool),
    Any,
    Then(Box<Tree>, Box<Tree>),
    Fusion(Box<Tree>, Box<Tree>),
    Either(Box<Tree>, Box<Tree>),
    Both(Box<Tree>, Box<Tree>),
    Along(Box<Tree>, Box<Tree>),
    Repeat(Box<Tree>, usize, Option<usize>),
    Goto(u32, usize, Option<usize>),
    Times(u32, usize, Option<usize>),
}

const NAMES: [&str; 3] = ["a", "b", "c"];

fn times(from: usize, to: Option<usize>) -> String {
    to.map_or(format!("{from}:"), |to| format!("{from}:{to}"))
}

impl Tree {
    fn text(&self) -> String {
        let infix = |a: &Tree, sign: &str, b: &Tree| format!("({} {sign} {})", a.text(), b.text());
        match self {
            Tree::Literal(p, true) => NAMES[*p as usize].to_owned(),
            Tree::Literal(p, false) => format!("!{}", NAMES[*p as usize]),
            Tree::Any => "true".to_owned(),
            Tree::Then(a, b) => infix(a, ";", b),
            Tree::Fusion(a, b) => infix(a, ":", b),
            Tree::Either(a, b) => infix(a, "|", b),
            Tree::Both(a, b) => infix(a, "&&", b),
            Tree::Along(a, b) => infix(a, "&", b),
            Tree::Repeat(a, n, m) => format!("({})[*{}]", a.text(), times(*n, *m)),
            Tree::Goto(p, n, m) => format!("{}[->{}]", NAMES[*p as usize], times(*n, *m)),
            Tree::Times(p, n, m) => format!("{}[={}]", NAMES[*p as usize], times(*n, *m)),
        }
    }

    /// A bound of the places in the pattern.
    fn places(&self) -> usize {
        match self {
            Tree::Literal(..) | Tree::Any => 2,
            Tree::Then(a, b) | Tree::Fusion(a, b) | Tree::Either(a, b) => a.places() + b.places(),
            Tree::Both(a, b) => a.places() * b.places(),
            Tree::Along(a, b) => 2 * (a.places() + 1) * (b.places() + 1),
            Tree::Repeat(a, n, m) => a.places() * m.unwrap_or(*n).max(1) + 1,
            Tree::Goto(_, n, m) | Tree::Times(_, n, m) => 2 * m.unwrap_or(*n).max(1) + 1,
        }
    }
}

/// For each position, the positions at which a stretch that begins there may end, as bits: the letters from one up to,
/// but without, the other.
type Table = Vec<u128>;

/// A letter of a word: the values of the propositions, or one that satisfies whatever is asked.
type Read = Option<Letter>;

fn holds(read: &Read, p: u32, value: bool) -> bool {
    read.as_ref()
        .is_none_or(|letter| letter.contains(&AtomId(p)) == value)
}

/// The one after the other.
fn joined(a: &Table, b: &Table) -> Table {
    let row = |ends: &u128| {
        let ends = (0..b.len()).filter(|k| ends >> k & 1 == 1);
        ends.fold(0, |all, k| all | b[k])
    };
    a.iter().map(row).collect()
}

/// With one common letter, so that neither is empty.
fn fused(a: &Table, b: &Table) -> Table {
    let row = |(i, ends): (usize, &u128)| {
        let ends = (i + 1..b.len()).filter(|k| ends >> k & 1 == 1);
        ends.fold(0, |all, k| all | b[k - 1] & !(1 << (k - 1)))
    };
    a.iter().enumerate().map(row).collect()
}

fn identity(size: usize) -> Table {
    (0..size).map(|i| 1 << i).collect()
}

/// The stretches of a word in which a proposition holds so often; `last`: the last letter is one of them.
fn counted(word: &[Read], p: u32, (n, m): (usize, Option<usize>), last: bool) -> Table {
    let row = |i: usize| {
        let mut ends = 0u128;
        let (mut surely, mut perhaps) = (0, 0);
        if n == 0 {
            ends |= 1 << i;
        }
        for (j, read) in word.iter().enumerate().skip(i) {
            let before = (surely, perhaps);
            surely += usize::from(!holds(read, p, false));
            perhaps += usize::from(holds(read, p, true));
            let (least, most) = match last {
                true if !holds(read, p, true) => continue,
                true => (before.0 + 1, before.1 + 1),
                false => (surely, perhaps),
            };
            if most >= n && m.is_none_or(|m| least <= m) {
                ends |= 1 << (j + 1);
            }
        }
        ends
    };
    (0..=word.len()).map(row).collect()
}

/// The stretches of a word that fit.
fn fits(tree: &Tree, word: &[Read]) -> Table {
    let size = word.len() + 1;
    let one = |is: &dyn Fn(&Read) -> bool| -> Table {
        let row = |i| match word.get(i) {
            Some(read) if is(read) => 1u128 << (i + 1),
            _ => 0,
        };
        (0..size).map(row).collect()
    };
    let zip = |a: &Table, b: &Table, of: fn(u128, u128) -> u128| -> Table {
        a.iter().zip(b).map(|(a, b)| of(*a, *b)).collect()
    };
    match tree {
        Tree::Any => one(&|_| true),
        Tree::Literal(p, value) => one(&|read| holds(read, *p, *value)),
        Tree::Then(a, b) => joined(&fits(a, word), &fits(b, word)),
        Tree::Fusion(a, b) => fused(&fits(a, word), &fits(b, word)),
        Tree::Either(a, b) => zip(&fits(a, word), &fits(b, word), |a, b| a | b),
        Tree::Both(a, b) => zip(&fits(a, word), &fits(b, word), |a, b| a & b),
        // The longer one tells where both end.
        Tree::Along(a, b) => {
            let (a, b) = (fits(a, word), fits(b, word));
            let reached = |ends: u128| match ends {
                0 => 0,
                _ => u128::MAX << ends.trailing_zeros(),
            };
            (0..size)
                .map(|i| a[i] & reached(b[i]) | b[i] & reached(a[i]))
                .collect()
        }
        Tree::Repeat(a, n, m) => {
            let a = fits(a, word);
            let mut all = identity(size);
            for _ in 0..*n {
                all = joined(&all, &a);
            }
            // Without an end, nothing new comes after so many rounds as there are letters.
            let mut once = all.clone();
            for _ in *n..m.unwrap_or(n + size) {
                once = joined(&once, &a);
                all = zip(&all, &once, |a, b| a | b);
            }
            all
        }
        Tree::Goto(p, n, m) => counted(word, *p, (*n, *m), true),
        Tree::Times(p, n, m) => counted(word, *p, (*n, *m), false),
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let number = || (0..3usize, prop::option::weighted(0.7, 0..2usize));
    let range = |(n, more): (usize, Option<usize>)| (n, more.map(|more| n + more));
    let leaf = prop_oneof![
        6 => (0..3u32, any::<bool>()).prop_map(|(p, v)| Tree::Literal(p, v)),
        1 => Just(Tree::Any),
        1 => (0..3u32, number()).prop_map(move |(p, r)| {
            let (n, m) = range(r);
            Tree::Goto(p, n, m)
        }),
        1 => (0..3u32, number()).prop_map(move |(p, r)| {
            let (n, m) = range(r);
            Tree::Times(p, n, m)
        }),
    ];
    leaf.prop_recursive(3, 8, 2, move |inner| {
        let one = || inner.clone().prop_map(Box::new);
        prop_oneof![
            4 => (one(), one()).prop_map(|(a, b)| Tree::Then(a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Tree::Fusion(a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Tree::Either(a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Tree::Both(a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Tree::Along(a, b)),
            3 => (one(), number()).prop_map(move |(a, r)| {
                let (n, m) = range(r);
                Tree::Repeat(a, n, m)
            }),
        ]
    })
    .prop_filter("small", |tree| tree.places() <= 14)
}

fn letters() -> impl Strategy<Value = Letter> {
    (0u32..8).prop_map(|bits| (0..3).filter(|i| bits >> i & 1 == 1).map(AtomId).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(testing::tried(400, 1_000) as u32))]

    #[test]
    fn sequences_mean_what_the_definition_says(
        tree in trees(),
        behind in prop::sample::select(vec!["a", "!b", "F c", "G a", "X b"]),
        (u, v) in (vec(letters(), 0..4), vec(letters(), 1..4)),
    ) {
        let mut arena = Arena::new();
        for name in NAMES {
            arena.atom(Atom::Name(name.into()));
        }
        let word = Lasso::new(u.clone(), v.clone()).unwrap();
        let len = u.len() + v.len();
        // Stretches that are longer than this end at places where shorter ones end, too.
        let longest = (v.len() + 1) * (tree.places() + 2);
        let letter = |i: usize| if i < u.len() { &u[i] } else { &v[(i - u.len()) % v.len()] };
        let all: Vec<Read> = (0..len + longest).map(|i| Some(letter(i).clone())).collect();
        prop_assume!(all.len() < 127);
        let table = fits(&tree, &all);
        let mut values = |text: &str| {
            let root = parse_into(&mut arena, text, None).unwrap().root;
            let printed = print(&arena, root, Style::Ascii);
            assert_eq!(parse_into(&mut arena, &printed, None).unwrap().root, root, "{printed}");
            assert!(!words(&arena, root).is_empty());
            word.values(&arena, root)
        };
        let pattern = tree.text();
        let of_behind = values(behind);
        let [every, next, some, after, strong] = ["|-> F", "|=> F", "<>-> F", "<>=> F", "!"].map(|sign| {
            values(&format!("{{{pattern}}} {}", sign.replace('F', behind)))
        });
        let weak = values(&format!("!!{{[*0]; {pattern}}}"));
        let folded = |i: usize| if i < len { i } else { u.len() + (i - u.len()) % v.len() };
        for start in 0..len {
            let ends: Vec<usize> = (start..all.len()).filter(|e| table[start] >> (e + 1) & 1 == 1).collect();
            let at = |e: &usize| of_behind[folded(*e)];
            let mut later: Vec<usize> = ends.iter().map(|e| e + 1).collect();
            later.extend((table[start] >> start & 1 == 1).then_some(start));
            let context = format!("{pattern} {behind} at {start}");
            prop_assert_eq!(every[start], ends.iter().all(at), "every {}", &context);
            prop_assert_eq!(some[start], ends.iter().any(at), "some {}", &context);
            prop_assert_eq!(next[start], later.iter().all(at), "next {}", &context);
            prop_assert_eq!(after[start], later.iter().any(at), "after {}", &context);
            prop_assert_eq!(strong[start], !ends.is_empty(), "strong {}", &context);
        }
        // The first letters as they are, and then such that satisfy whatever is asked.
        let room = tree.places() + 1;
        let open = (1..all.len() - room).all(|known| {
            let mut all = all.clone();
            all.truncate(known + room);
            all.iter_mut().skip(known).for_each(|read| *read = None);
            fits(&tree, &all)[0] >> 1 != 0
        });
        prop_assert_eq!(weak[0], open, "weak {}", &pattern);
    }
}
