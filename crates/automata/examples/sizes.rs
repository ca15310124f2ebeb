//! Prints the sizes of the automata of the published benchmark formulas beside those of other
//! translators: `cargo run --release --example sizes [FILE.csv]`.
#![allow(clippy::unwrap_used)]

use automata::{translate, Limits, Monitor, Options};
use std::time::Instant;

fn main() {
    let default = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/ltl-benchmark-sizes.csv"
    );
    let path = std::env::args().nth(1).unwrap_or_else(|| default.into());
    let text = std::fs::read_to_string(path).unwrap();
    let mut totals = [[0usize; 4]; 2];
    let mut worst = Vec::new();
    let mut larger = 0;
    let start = Instant::now();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        for (polarity, totals) in totals.iter_mut().enumerate() {
            let published: Vec<usize> = fields[3 + polarity * 6..9 + polarity * 6]
                .iter()
                .map(|f| f.parse().unwrap())
                .collect();
            let parsed = ltl::parse(fields[2]).unwrap();
            let mut arena = parsed.arena;
            let root = match polarity {
                0 => parsed.root,
                _ => arena.negate(parsed.root),
            };
            let begun = Instant::now();
            let buchi = translate(&arena, root, &Options::default()).unwrap();
            let took = begun.elapsed();
            let monitor = Monitor::for_formula(&arena, root, &[], &Limits::default()).unwrap();
            let (states, edges) = (buchi.states().len(), buchi.edge_count());
            totals[0] += states;
            totals[1] += edges;
            totals[2] += published[4];
            totals[3] += published[5];
            if states > published[0] {
                larger += 1;
                println!("LARGER THAN LTL2BA: {} {}", fields[0], fields[1]);
            }
            if (states, edges) != (published[4], published[5]) {
                let sign = if polarity == 0 { '+' } else { '-' };
                println!(
                    "{sign}{} {}: {states} {edges}, ltl2tgba {} {}, ltl3ba {} {}, monitor {}, {took:?}: {}",
                    fields[0], fields[1], published[4], published[5], published[2], published[3],
                    monitor.len(), fields[2]
                );
            }
            worst.push((took, format!("{polarity} {} {}", fields[0], fields[1])));
        }
    }
    let elapsed = start.elapsed();
    worst.sort();
    println!("[states, edges, ltl2tgba's states, edges]: {totals:?}; larger than ltl2ba: {larger}");
    println!("median {:?}, slowest {:?}", worst[94], &worst[184..]);
    println!("{elapsed:?} for everything");
}
