//! Exclusions between C conditions over the same object.
#![allow(missing_docs, clippy::unwrap_used)]

use automata::conditions::{impossible, CCondition};
use ltl::AtomId;

/// The conjunctions that never hold, as text with `!` before negated conditions.
fn never(conditions: &[&str]) -> Vec<String> {
    with(conditions, None, false)
}

fn with(conditions: &[&str], outside: Option<bool>, integer: bool) -> Vec<String> {
    let all: Vec<CCondition<'_>> = conditions
        .iter()
        .enumerate()
        .map(|(index, text)| CCondition {
            atom: AtomId(index as u32),
            text,
            outside,
        })
        .collect();
    let cubes = impossible(&all, &|_| integer);
    let literal = |&(atom, value): &(AtomId, bool)| {
        let not = if value { "" } else { "!" };
        format!("{not}{}", conditions[atom.0 as usize])
    };
    let shown =
        |cube: &Vec<(AtomId, bool)>| cube.iter().map(literal).collect::<Vec<_>>().join(", ");
    cubes.iter().map(shown).collect()
}

#[test]
fn constants_and_ranges() {
    for (conditions, expected) in [
        (&["x == 1", "x == 2"][..], &["x == 1, x == 2"][..]),
        (
            &["x==1", "2 == x", "(x) == (0x3)"],
            &["x==1, 2 == x", "x==1, (x) == (0x3)", "2 == x, (x) == (0x3)"],
        ),
        (&["x < 3", "x > 5"], &["x < 3, x > 5"]),
        (&["x < 3", "x >= 3"], &["x < 3, x >= 3"]),
        (&["x > 5", "x > 3"], &["x > 5, !x > 3"]),
        (&["x", "!x"], &["!x, !!x", "x, !x"]),
        (&["x", "x == 0"], &["!x, !x == 0", "x, x == 0"]),
        (
            &["x != 1", "x == 1"],
            &["!x != 1, !x == 1", "x != 1, x == 1"],
        ),
        (
            &["x > 1 && x < 4", "x == 7 || x == 9"],
            &["x > 1 && x < 4, x == 7 || x == 9"],
        ),
        (&["x > 3 && x < 2", "x == 1"], &["x > 3 && x < 2"]),
        (&["c == 'a'", "c == 98"], &["c == 'a', c == 98"]),
        (&["x == -1", "x == 1"], &["x == -1, x == 1"]),
        (&["x < -3", "x > -2"], &["x < -3, x > -2"]),
        (
            &["f::s . len == 1", "f :: s.len==2"],
            &["f::s . len == 1, f :: s.len==2"],
        ),
        (
            &["p->q[2] == 1", "p -> q[ 2 ] == 2"],
            &["p->q[2] == 1, p -> q[ 2 ] == 2"],
        ),
        (
            &["x < 2 && y < 2", "x > 3", "y > 3"],
            &["x < 2 && y < 2, x > 3", "x < 2 && y < 2, y > 3"],
        ),
    ] {
        let mut found = never(conditions);
        found.sort();
        let mut expected: Vec<&str> = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{conditions:?}");
    }
}

#[test]
fn nothing_is_said_of_what_is_not_understood_or_depends_on_types() {
    for conditions in [
        &["x == 1", "y == 2"][..],
        &["x == 1", "f(x) == 2"],
        &["x == 1", "x == y"],
        &["x + 1 == 1", "x == 1"],
        &["x == 1", "x = 2"],
        &["x == 1 == 1", "x == 2"],
        &["a[i+1] == 1", "a[i+1] == 2"],
        &["*p == 1", "*p == 2"],
        &["x == 1u", "x == 2u"],
        &["x == 1.5", "x == 2.5"],
        // Equal as float.
        &["x == 16777216", "x == 16777217"],
        // Equal as unsigned int on most machines.
        &["x == -1", "x == 4294967295"],
        // An unsigned -1 is large.
        &["x == -1", "x > 5"],
        &["x < 0", "x > -1"],
        // 3.5
        &["x > 3", "x < 4"],
        &["x == '\\n'", "x == 10"],
        &["x", "x(1)"],
        &["", "x"],
        &["(((", "x"],
    ] {
        assert_eq!(never(conditions), [""; 0], "{conditions:?}");
    }
    // NaN satisfies neither.
    assert_eq!(never(&["x < 3", "x >= 3"]).len(), 1);
    assert_eq!(with(&["x < 3", "x >= 3"], None, true).len(), 2);
    assert_eq!(
        with(&["x > 3", "x < 4"], None, true),
        ["!x > 3, !x < 4", "x > 3, x < 4"]
    );
    // Outside its area a condition is false, whatever `x` is.
    assert_eq!(with(&["x", "!x"], Some(false), true), ["x, !x"]);
    assert_eq!(with(&["x > 5", "x > 3"], Some(false), true), [""; 0]);
    assert_eq!(with(&["x", "!x"], Some(true), true), ["!x, !!x"]);
}

#[test]
fn what_is_excluded_is_excluded_for_every_value() {
    // Brute force over values, for all pairs of simple comparisons.
    let relations = ["==", "!=", "<", "<=", ">", ">="];
    let holds = |relation: &str, x: i64, c: i64| match relation {
        "==" => x == c,
        "!=" => x != c,
        "<" => x < c,
        "<=" => x <= c,
        ">" => x > c,
        _ => x >= c,
    };
    for first in relations {
        for second in relations {
            for constant in 0..4 {
                let texts = [format!("x {first} 2"), format!("{constant} {second} x")];
                let all = [0, 1].map(|i| CCondition {
                    atom: AtomId(i),
                    text: &texts[i as usize],
                    outside: None,
                });
                let cubes = impossible(&all, &|_| true);
                let excluded = |letter: [bool; 2]| {
                    cubes
                        .iter()
                        .any(|cube| cube.iter().all(|(a, v)| letter[a.0 as usize] == *v))
                };
                for letter in [[false, false], [false, true], [true, false], [true, true]] {
                    let occurs =
                        (-3..8).any(|x| [holds(first, x, 2), holds(second, constant, x)] == letter);
                    assert_eq!(excluded(letter), !occurs, "{texts:?} {letter:?}");
                }
            }
        }
    }
}

#[test]
fn many_and_deep_conditions_are_no_trouble() {
    let texts: Vec<String> = (0..60).map(|i| format!("x == {i}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(never(&texts).len(), 60 * 59 / 2);
    let deep = "(".repeat(100_000) + "x" + &")".repeat(100_000);
    let nots = "!".repeat(100_000) + "x";
    assert_eq!(never(&[&deep, &nots, "x"]), [""; 0]);
    let wide: Vec<String> = (0..8)
        .map(|i| format!("a{i} < {i} && b{i} > 3 || c{i}"))
        .collect();
    let joined = wide.join(" || ");
    assert_eq!(never(&[&joined, "a1 < 1", "b2 > 3"]), [""; 0]);
}
