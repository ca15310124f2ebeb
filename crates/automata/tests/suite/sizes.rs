//! The sizes of the automata of the published benchmark formulas, pinned: they may shrink, but not grow.
#![allow(missing_docs, clippy::unwrap_used)]

use automata::{translate, Options};

/// The states and edges of one polarity's automata: ours, those of `ltl2tgba -B`, those of ltl2ba.
fn totals(polarity: usize) -> [(usize, usize); 3] {
    let text = include_str!("../data/ltl-benchmark-sizes.csv");
    let mut totals = [(0, 0); 3];
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let published: Vec<usize> = fields[3 + polarity * 6..9 + polarity * 6]
            .iter()
            .map(|field| field.parse().unwrap())
            .collect();
        let mut parsed = ltl::parse(fields[2]).unwrap();
        let root = match polarity {
            0 => parsed.root,
            _ => parsed.arena.negate(parsed.root),
        };
        let buchi = translate(&parsed.arena, root, &Options::default()).unwrap();
        let ours = (buchi.states().len(), buchi.edge_count());
        assert!(ours.0 <= published[0], "more states than ltl2ba: {line}");
        let all = [
            ours,
            (published[4], published[5]),
            (published[0], published[1]),
        ];
        for (total, one) in totals.iter_mut().zip(all) {
            total.0 += one.0;
            total.1 += one.1;
        }
    }
    totals
}

#[test]
fn formulas_as_published() {
    let [ours, spot, ltl2ba] = totals(0);
    assert_eq!((spot.0, ltl2ba.0), (340, 625));
    assert!(ours.0 <= 337 && ours.1 <= 849, "{ours:?}");
}

#[test]
fn their_negations() {
    let [ours, spot, ltl2ba] = totals(1);
    assert_eq!((spot.0, ltl2ba.0), (354, 478));
    assert!(ours.0 <= 354 && ours.1 <= 763, "{ours:?}");
}

/// The states that past operators need, beside those of a safety property: two bits for each of them at most.
#[test]
fn past_operators_are_a_few_bits() {
    for (operators, text) in [
        (1, "G (p -> O q)"),
        (1, "G (p -> Y q)"),
        (1, "G (p -> H q)"),
        (1, "G (p -> (q S r))"),
        (1, "G (p -> (q B r))"),
        (2, "G (p -> O (q && Y r))"),
        (2, "G (p && Y !p -> (q || Y q))"),
        (2, "G (p -> O (q && O r))"),
        (2, "G (p -> (!q S r) && H !s)"),
        (3, "G (p && Y !p -> O (q && Y !q))"),
        (3, "G (p -> O (q && O (r && O s)))"),
        (3, "G ((p && Y !p) -> ((!q) S (r && Y !r)))"),
        (1, "G (p -> F (q && O r))"),
    ] {
        let parsed = ltl::parse(text).unwrap();
        let limits = automata::Limits::default();
        let monitor =
            automata::Monitor::for_formula(&parsed.arena, parsed.root, &[], &limits).unwrap();
        // One state besides says that the formula is violated.
        let most = (1usize << (2 * operators)) + 1;
        assert!(monitor.len() <= most, "{text}: {} states", monitor.len());
    }
}
