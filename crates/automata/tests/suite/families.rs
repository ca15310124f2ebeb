//! Hard formulas of the literature: their translation ends quickly, with a result or with the bound that it
//! exceeds.
#![allow(missing_docs, clippy::unwrap_used)]

use crate::common::families::families;
use automata::{translate, Limits, Monitor, Options, TooLarge};
use std::time::{Duration, Instant};

/// The most time for one formula, on a slow and busy machine without optimisation. The work bound keeps it far
/// below that.
const PATIENCE: Duration = Duration::from_secs(300);

struct Outcome {
    /// The states of the automaton.
    automaton: Result<usize, TooLarge>,
    /// The states of the monitor.
    monitor: Result<usize, TooLarge>,
}

fn outcome(text: &str, negate: bool) -> Outcome {
    let mut parsed = ltl::parse(text).unwrap();
    let root = match negate {
        true => parsed.arena.negate(parsed.root),
        false => parsed.root,
    };
    let begun = Instant::now();
    let outcome = Outcome {
        automaton: translate(&parsed.arena, root, &Options::default()).map(|b| b.states().len()),
        monitor: Monitor::for_formula(&parsed.arena, root, &[], &Limits::default())
            .map(|m| m.len()),
    };
    assert!(begun.elapsed() < PATIENCE, "{text}: {:?}", begun.elapsed());
    outcome
}

fn family(name: &str, n: usize) -> String {
    let found = families(n).into_iter().find(|(other, _)| *other == name);
    found.unwrap().1
}

/// The largest size up to which automaton and monitor exist, for both polarities.
#[test]
fn families_that_stay_within_the_bounds() {
    let rows: [(&str, usize); 20] = [
        ("u-right", 10),
        ("u-left", 8),
        ("r-right", 10),
        ("r-left", 8),
        ("gf-and", 8),
        ("gf-or", 10),
        ("fg-and", 10),
        ("f-and", 8),
        ("g-or", 8),
        ("gh-q", 6),
        ("gh-r", 4),
        ("fair-theta", 8),
        ("go-fair", 8),
        ("responses", 5),
        ("strong-fair", 4),
        ("x-chain", 8),
        ("ccj-beta", 6),
        ("counter", 2),
        ("sejk-f", 4),
        ("invariant", 10),
    ];
    // A quick run asks for sizes of a tenth of the work.
    let smaller = testing::tried(2, 0);
    for (name, largest) in rows {
        let largest = largest.saturating_sub(smaller).max(2);
        for negate in [false, true] {
            let outcome = outcome(&family(name, largest), negate);
            let text = format!("{name} {largest} {negate}");
            assert!(outcome.automaton.is_ok(), "{text}: {:?}", outcome.automaton);
            assert!(outcome.monitor.is_ok(), "{text}: {:?}", outcome.monitor);
        }
    }
}

#[test]
fn every_family_ends_at_every_size() {
    for n in [3, 6] {
        // At the larger size most reach a bound, after the same work.
        let step = if n == 3 { 1 } else { testing::tried(6, 1) };
        for (name, text) in families(n).into_iter().step_by(step) {
            // Formulas that take long do the same work at each size; one polarity suffices.
            let outcome = outcome(&text, n == 6);
            if let (Ok(states), Ok(_)) = (outcome.automaton, outcome.monitor) {
                assert!(states <= Limits::default().states, "{name} {n}");
            }
        }
    }
}
