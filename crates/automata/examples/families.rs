//! Prints sizes and times of families of formulas that are hard for translators:
//! `cargo run --release -p baproduct-automata --example families [NAME]`.
#![allow(clippy::unwrap_used)]

#[path = "../tests/suite/common/families.rs"]
mod families;

use automata::{translate, Limits, Monitor, Options};
use families::families;
use std::time::Instant;

fn main() {
    let only = std::env::args().nth(1);
    for n in [1, 2, 3, 4, 5, 6, 8, 10, 12] {
        for (name, text) in families(n) {
            if only.as_ref().is_some_and(|only| only != name) {
                continue;
            }
            for negate in [false, true] {
                let parsed = ltl::parse(&text).unwrap();
                let mut arena = parsed.arena;
                let root = if negate {
                    arena.negate(parsed.root)
                } else {
                    parsed.root
                };
                let begun = Instant::now();
                let buchi = translate(&arena, root, &Options::default());
                let first = begun.elapsed();
                let begun = Instant::now();
                let monitor = Monitor::for_formula(&arena, root, &[], &Limits::default());
                let second = begun.elapsed();
                let buchi = buchi.map_or_else(
                    |e| e.to_string(),
                    |b| format!("{} {}", b.states().len(), b.edge_count()),
                );
                let monitor = monitor.map_or_else(|e| e.to_string(), |m| m.len().to_string());
                let sign = if negate { '-' } else { '+' };
                println!(
                    "{sign}{name} {n}: {buchi} in {first:.1?}; monitor {monitor} in {second:.1?}"
                );
            }
        }
    }
}
