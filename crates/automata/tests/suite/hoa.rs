//! The Hanoi format: write and read back, every acceptance condition, hostile input.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::common::{arena, parse, Random};
use automata::{translate, Buchi, HoaError, Limits, Mismatch, Monitor, Options};
use ltl::{Arena, Atom, AtomId};

fn read(text: &str) -> Result<Buchi, HoaError> {
    Buchi::from_hoa(text, &mut arena(3), &Limits::default())
}

#[test]
fn what_is_written_is_read_back_and_other_readers_take_it() {
    let mut random = Random(21);
    for round in 0..300 {
        let mut arena = arena(3);
        let size = 1 + random.below(8);
        let root = random.formula(&mut arena, size, 3);
        let buchi = translate(&arena, root, &Options::default()).unwrap();
        let text = buchi.to_hoa(&arena, "a \"quoted\" \\ name");
        if round < 60 {
            // hoars does not know backslashes in names.
            hoars::parse_hoa_automata(&text.replace("\\\"", "").replace("\\\\", ""))
                .first()
                .unwrap_or_else(|| panic!("hoars refuses {text}"));
        }
        // On one line, the text gives the same automaton.
        let again =
            Buchi::from_hoa(&text.replace('\n', " "), &mut arena, &Limits::default()).unwrap();
        assert_eq!(again.states().len(), buchi.states().len(), "{text}");
        assert_eq!(again.edge_count(), buchi.edge_count(), "{text}");
        assert_eq!(again.accepting_count(), buchi.accepting_count(), "{text}");
        for _ in 0..10 {
            let (p, c) = (random.below(4), 1 + random.below(3));
            let (prefix, cycle) = (random.word(p, 3), random.word(c, 3));
            assert_eq!(
                again.accepts(&prefix, &cycle),
                buchi.accepts(&prefix, &cycle),
                "{text}"
            );
        }
    }
}

/// An acceptance condition with its meaning: whether a run that meets exactly these sets infinitely often is
/// accepted.
struct Condition {
    text: String,
    accepts: Box<dyn Fn(u64) -> bool>,
}

fn condition(random: &mut Random, sets: usize, depth: usize) -> Condition {
    let set = random.below(sets);
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0 => Condition {
            text: format!("Fin({set})"),
            accepts: Box::new(move |met| met >> set & 1 == 0),
        },
        1 | 2 => Condition {
            text: format!("Inf({set})"),
            accepts: Box::new(move |met| met >> set & 1 == 1),
        },
        3 => match random.below(6) {
            0 => Condition {
                text: "t".to_owned(),
                accepts: Box::new(|_| true),
            },
            1 => Condition {
                text: "f".to_owned(),
                accepts: Box::new(|_| false),
            },
            _ => Condition {
                text: format!("Inf({set})"),
                accepts: Box::new(move |met| met >> set & 1 == 1),
            },
        },
        kind => {
            let left = condition(random, sets, depth - 1);
            let right = condition(random, sets, depth - 1);
            let sign = if kind < 6 { '&' } else { '|' };
            Condition {
                text: format!("({}) {sign} ({})", left.text, right.text),
                accepts: Box::new(move |met| match sign {
                    '&' => (left.accepts)(met) && (right.accepts)(met),
                    _ => (left.accepts)(met) || (right.accepts)(met),
                }),
            }
        }
    }
}

#[test]
fn every_acceptance_condition_is_brought_to_buchi() {
    let mut random = Random(4);
    for _ in 0..500 {
        let (states, sets) = (1 + random.below(4), 1 + random.below(3));
        let condition = condition(&mut random, sets, 2);
        // Deterministic and complete over one proposition, labels implicit.
        let table: Vec<[(usize, u64); 2]> = (0..states)
            .map(|_| [0; 2].map(|_| (random.below(states), random.next() % (1 << sets))))
            .collect();
        let shown = |marks: u64| -> String {
            let numbers = (0..sets).filter(|s| marks >> s & 1 == 1);
            numbers.map(|s| format!(" {s}")).collect()
        };
        let mut text = format!(
            "HOA: v1 States: {states} Start: 0 AP: 1 \"p0\" Acceptance: {sets} {} --BODY--\n",
            condition.text
        );
        for (number, row) in table.iter().enumerate() {
            text += &format!("State: {number}\n");
            for (target, marks) in row {
                text += &format!("  {target} {{{} }}\n", shown(*marks));
            }
        }
        text += "--END--";
        let buchi = read(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        for _ in 0..10 {
            let (p, c) = (random.below(3), 1 + random.below(4));
            let (prefix, cycle) = (random.word(p, 1), random.word(c, 1));
            let bit = |letter: &ltl::lasso::Letter| usize::from(letter.contains(&AtomId(0)));
            let mut state = 0;
            for letter in &prefix {
                state = table[state][bit(letter)].0;
            }
            // After as many rounds as there are states, the run repeats itself.
            let mut met = 0;
            for round in 0..2 * states {
                for letter in &cycle {
                    let (target, marks) = table[state][bit(letter)];
                    met |= if round >= states { marks } else { 0 };
                    state = target;
                }
            }
            assert_eq!(
                buchi.accepts(&prefix, &cycle),
                (condition.accepts)(met),
                "{text} {prefix:?} {cycle:?}"
            );
        }
    }
}

#[test]
fn labels_aliases_and_marks_of_other_tools() {
    // Features of the output of Spot, Owl and ltl3ba: aliases, state labels, marks of states, several initial
    // states.
    let text = r#"HOA: v1 /* a /* nested */ comment */
        tool: "x" "1.0" name: "F p" properties: trans-labels explicit-labels
        Alias: @a 0 Alias: @b !@a & (1 | f)
        AP: 2 "p0" "p1" States: 3 Start: 0 Start: 2
        acc-name: Buchi Acceptance: 1 Inf(0) owl-extra: 17 "text"
        --BODY--
        State: 0 "wait" [@a] 1 [@b | !0] 0
        State: [t] 1 {0} 1
        State: 2 [f] 2 {0}
        --END--"#;
    let buchi = read(text).unwrap();
    let p0: ltl::lasso::Letter = [AtomId(0)].into();
    let none = ltl::lasso::Letter::new();
    assert!(buchi.accepts(&[none.clone(), p0], std::slice::from_ref(&none)));
    assert!(!buchi.accepts(&[], &[none]));
    let text =
        r#"HOA: v1 AP: 1 "{x > 1}" Start: 0 Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--"#;
    let mut arena = Arena::new();
    Buchi::from_hoa(text, &mut arena, &Limits::default()).unwrap();
    assert_eq!(arena.atoms(), [Atom::Condition("x > 1".to_owned())]);
    let empty = read("HOA: v1 Acceptance: 0 f --BODY-- --END--").unwrap();
    assert_eq!((empty.states().len(), empty.edge_count()), (1, 0));
}

#[test]
fn what_cannot_be_used_is_refused_with_its_place() {
    let with = |header: &str, body: &str| {
        format!("HOA: v1 AP: 2 \"a\" \"b\" {header} --BODY-- {body} --END--")
    };
    let state = "State: 0 [0] 0";
    for (text, message) in [
        (String::new(), "there is no `--BODY--`"),
        ("never { T0: skip }".to_owned(), "there is no `--BODY--`"),
        (
            "HOA: v1 ; --BODY-- --END--".to_owned(),
            "does not belong into an automaton",
        ),
        (with("Start: 0", state), "there is no `Acceptance:`"),
        (
            with("Acceptance: 1 Inf(0) Start: 0&1", state),
            "the automaton is alternating",
        ),
        (
            with("Acceptance: 1 Inf(0) Start: 0", "State: 0 [0] 0&1"),
            "the automaton is alternating",
        ),
        (
            with("Acceptance: 1 Inf(1) Start: 0", state),
            "expected the number of an acceptance set",
        ),
        (with("Acceptance: 1 Inf(0", state), "expected `)`"),
        (
            with("Acceptance: 1 Inf(0) & ", state),
            "expected an acceptance condition",
        ),
        (
            with("Acceptance: 99 Inf(0)", state),
            "more than 60 acceptance sets are not supported",
        ),
        (
            with("Acceptance: 1 Inf(0) Start: 0", "State: 0 [2] 0"),
            "there is no proposition 2",
        ),
        (
            with("Acceptance: 1 Inf(0) Start: 0", "State: 0 [@x] 0"),
            "`@x` is not defined",
        ),
        (
            with("Acceptance: 1 Inf(0) Start: 0", "State: 0 [0 0"),
            "expected `]`, found `0`",
        ),
        (
            with("Acceptance: 1 Inf(0) Start: 0", "State: 0 [(0] 0"),
            "expected `&`, `|` or `)`",
        ),
        (
            with("Acceptance: 1 Inf(0) Start: 0", "State: 0 0 0"),
            "one edge for each letter",
        ),
        (
            with("Acceptance: 1 Inf(0) Start: 0", "State: 0 {1}"),
            "there is no acceptance set 1",
        ),
        (
            with("Acceptance: 1 Inf(0) States: 1 Start: 3", state),
            "there is no state 3",
        ),
        (
            with("Acceptance: 1 Inf(0) States: 1 Start: 0", "State: 0 [0] 7"),
            "there are only 1 states",
        ),
        (
            with("Acceptance: 1 Inf(0) Start: 0", "State: 0 [0] 0 State: 0"),
            "defined twice",
        ),
        (
            with("Acceptance: 1 Inf(0) Controllable-AP: 0", state),
            "`Controllable-AP:` is not supported",
        ),
        (
            with("Acceptance: 1 Inf(0) Start: 0", state) + " HOA: v1",
            "a second automaton begins here",
        ),
        (
            with("Acceptance: 1 Inf(0) Start: 0", "State: 0 --ABORT--"),
            "the other tool gave up",
        ),
        (
            with("Acceptance: 1 Inf(0) AP: 1 \"a\"", state),
            "stands here for the second time",
        ),
        (
            "HOA: v1 AP: 2 \"a\" \"a\" Acceptance: 0 t --BODY-- --END--".to_owned(),
            "declared twice",
        ),
        (
            "HOA: v1 AP: 2 \"a\" Acceptance: 0 t --BODY-- --END--".to_owned(),
            "announces 2 names, and 1 follow",
        ),
        (
            "HOA: v2 Acceptance: 0 t --BODY-- --END--".to_owned(),
            "begins with `HOA: v1`",
        ),
        (
            "HOA: v1 Acceptance: 0 t --BODY-- State: 0".to_owned(),
            "found the end of the text",
        ),
        ("HOA: v1 /* ".to_owned(), "the comment is not closed"),
        (
            "HOA: v1 name: \"x".to_owned(),
            "the quoted text is not closed",
        ),
        (
            "HOA: v1 States: 99999999999999".to_owned(),
            "the number is too large",
        ),
    ] {
        let error = match read(&text) {
            Ok(_) => panic!("{text} is accepted"),
            Err(error) => error,
        };
        assert!(error.message.contains(message), "{text}: {error}");
        assert!(text.get(error.span).is_some(), "{text}");
    }
}

#[test]
fn hostile_texts_are_read_or_refused_quickly() {
    let n = 200_000;
    let wrap = |acceptance: &str, label: &str| {
        format!("HOA: v1 AP: 3 \"a\" \"b\" \"c\" Start: 0 Acceptance: 3 {acceptance} --BODY-- State: 0 [{label}] 0 --END--")
    };
    let deep = |open: &str, inner: &str, close: &str| open.repeat(n) + inner + &close.repeat(n);
    let mut wide = "HOA: v1 Start: 0 Acceptance: 1 Inf(0) AP: 900".to_owned();
    (0..900).for_each(|i| wide += &format!(" \"p{i}\""));
    let product: Vec<String> = (0..450).map(|i| format!("({i} | {})", i + 450)).collect();
    wide += &format!(" --BODY-- State: 0 [{}] 0 --END--", product.join(" & "));
    let streett: Vec<String> = (0..20)
        .map(|i| format!("(Fin({}) | Inf({}))", 2 * i, 2 * i + 1))
        .collect();
    for text in [
        wrap(&deep("(", "Inf(0)", ")"), "t"),
        wrap("t", &deep("(", "0", ")")),
        wrap("t", &deep("!", "0", "")),
        wrap("t", &("0 & 1 | ".repeat(n) + "2")),
        wrap("t", &"(".repeat(n)),
        wrap(&"(".repeat(n), "t"),
        wrap("Fin(0) | Inf(1)", "t").replace("[t]", &"[t] 0 ".repeat(n)),
        wide,
        format!(
            "HOA: v1 AP: 0 Start: 0 Acceptance: 40 {} --BODY-- State: 0 [t] 0 --END--",
            streett.join(" & ")
        ),
        "/*".repeat(n),
        "HOA: v1 ".to_owned() + &"State: ".repeat(n),
        format!(
            "HOA: v1 Acceptance: 0 t --BODY-- {}",
            "State: 0 0 ".repeat(n)
        ),
        "HOA: v1 States: 1000000000 Start: 999999999 Acceptance: 0 t --BODY-- --END--".to_owned(),
        "\u{0}\u{ffff}é".repeat(n),
    ] {
        let begun = std::time::Instant::now();
        if let Err(error) = read(&text) {
            assert!(text.get(error.span).is_some());
            assert!(error.message.len() < 300);
        }
        assert!(begun.elapsed().as_secs() < 300, "{}", &text[..40]);
    }
}

#[test]
fn damaged_texts_do_not_make_it_panic() {
    let (arena, root) = parse("G(a -> F(b && X c)) || (a U b)");
    let text = translate(&arena, root, &Options::default())
        .unwrap()
        .to_hoa(&arena, "f");
    let mut random = Random(77);
    let words = [
        "[", "]", "{0}", "--END--", "--BODY--", "State:", "7", "&", "|", "!", "(", ")", "\"",
        "Start:", "@a", "t", "Inf(0)", "AP: 3",
    ];
    let mut fine = 0;
    for _ in 0..2000 {
        let mut damaged = text.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(damaged.len());
            let end = (at + random.below(12)).min(damaged.len());
            damaged.replace_range(at..end, words[random.below(words.len())]);
        }
        fine += usize::from(read(&damaged).is_ok());
    }
    assert!(fine > 0);
}

#[test]
fn an_automaton_that_is_not_the_negation_is_found_out() {
    let limits = Limits::default();
    for (formula, automaton, expected) in [
        ("G p", "F !p", None),
        ("G F p", "F G !p", None),
        (
            "p U q",
            "!q R (!p && !q) || G !q || (!q U (!p && !q))",
            None,
        ),
        ("G p", "F p", Some(Mismatch::AcceptsModel)),
        ("G p", "!p", Some(Mismatch::RejectsViolation)),
        ("G F p", "G !p", Some(Mismatch::RejectsViolation)),
        ("X p || X !p", "false", None),
        ("F p", "G !p && X q", Some(Mismatch::RejectsViolation)),
    ] {
        let mut parsed = ltl::parse(formula).unwrap();
        let other = ltl::parse_into(&mut parsed.arena, automaton, None)
            .unwrap()
            .root;
        let buchi = translate(&parsed.arena, other, &Options::default()).unwrap();
        let found = buchi
            .mismatch(&parsed.arena, parsed.root, &[], &limits)
            .unwrap();
        assert_eq!(found, expected, "{formula} {automaton}");
    }
}

#[test]
fn the_monitor_of_the_negation_alone_is_the_same() {
    let mut random = Random(99);
    let limits = Limits::default();
    let mut compared = 0;
    for _ in 0..400 {
        let mut arena = arena(3);
        let size = 1 + random.below(7);
        let root = random.formula(&mut arena, size, 3);
        let negation = arena.negate(root);
        let buchi = translate(&arena, negation, &Options::default()).unwrap();
        let Ok(monitor) = Monitor::of_negation(&buchi, &limits) else {
            continue;
        };
        let expected = Monitor::for_formula(&arena, root, &[], &limits).unwrap();
        assert_eq!(
            monitor.len(),
            expected.len(),
            "{}",
            ltl::print(&arena, root, ltl::Style::Ascii)
        );
        for _ in 0..10 {
            let n = 1 + random.below(5);
            let word = random.word(n, 3);
            assert_eq!(
                monitor.verdict_of_word(&word),
                expected.verdict_of_word(&word)
            );
        }
        compared += 1;
    }
    assert!(compared > 390, "{compared}");
}
