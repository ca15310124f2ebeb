//! The 94 published benchmark formulas in both polarities (automata, monitors), and some formulas that are hard
//! for translators: `cargo bench -p baproduct-automata`. Prints the shortest and the median time. A benchmark
//! library would be built with every test, so none is used.
#![allow(missing_docs, clippy::unwrap_used)]

use automata::{translate, Limits, Monitor, Options};
use ltl::{Arena, Id};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The formulas and their negations.
fn benchmark() -> Vec<(Arena, Id)> {
    let text = include_str!("../tests/data/ltl-benchmark-sizes.csv");
    let formulas = text
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(2));
    formulas
        .flat_map(|formula| [formula.to_owned(), format!("!({formula})")])
        .map(|formula| {
            let parsed = ltl::parse(&formula).unwrap();
            (parsed.arena, parsed.root)
        })
        .collect()
}

fn automaton((arena, root): &(Arena, Id)) {
    black_box(translate(arena, *root, &Options::default()).unwrap());
}

fn monitor((arena, root): &(Arena, Id)) {
    black_box(Monitor::for_formula(arena, *root, &[], &Limits::default()).unwrap());
}

/// Runs some work several times, and prints how long it took.
fn bench(name: &str, times: usize, work: impl Fn()) {
    let once = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    let mut taken: Vec<Duration> = (0..times).map(once).collect();
    taken.sort();
    println!("{name:<28} {:>12.3?} {:>12.3?}", taken[0], taken[times / 2]);
}

fn main() {
    // `cargo test` runs benchmarks, too, to see that they work.
    let times = if std::env::args().any(|a| a == "--bench") {
        20
    } else {
        1
    };
    println!("{:<28} {:>12} {:>12}", "", "shortest", "median");
    let published = benchmark();
    bench("188 published: automata", times, || {
        published.iter().for_each(automaton)
    });
    bench("188 published: monitors", times, || {
        published.iter().for_each(monitor)
    });
    for (name, text) in HARD {
        let parsed = ltl::parse(text).unwrap();
        let formula = (parsed.arena, parsed.root);
        bench(name, times, || {
            automaton(&formula);
            monitor(&formula);
        });
    }
}

/// Formulas that are hard for translators.
const HARD: [(&str, &str); 4] = [
    ("nested untils", "((((p1 U p2) U p3) U p4) U p5) U p6"),
    (
        "recurrence",
        "GF p1 && GF p2 && GF p3 && GF p4 && GF p5 && GF p6",
    ),
    (
        "fairness",
        "!((GF p1 && GF p2 && GF p3 && GF p4) -> G(q -> F r))",
    ),
    (
        "responses",
        "G(p1 -> F q1) && G(p2 -> F q2) && G(p3 -> F q3)",
    ),
];
