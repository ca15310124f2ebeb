//! The 94 published benchmark formulas, both polarities: automata alone, monitors alone, both; and
//! some formulas that are hard for translators. `cargo bench -p baproduct-automata`.
#![allow(missing_docs, clippy::unwrap_used)]

use automata::{translate, Limits, Monitor, Options};
use criterion::{criterion_group, criterion_main, Criterion};
use ltl::{Arena, Id};
use std::hint::black_box;

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

fn published(c: &mut Criterion) {
    let formulas = benchmark();
    let mut group = c.benchmark_group("188 published formulas");
    group.sample_size(20);
    group.bench_function("automata", |b| {
        b.iter(|| formulas.iter().for_each(automaton))
    });
    group.bench_function("monitors", |b| b.iter(|| formulas.iter().for_each(monitor)));
    group.bench_function("both", |b| {
        b.iter(|| {
            formulas.iter().for_each(automaton);
            formulas.iter().for_each(monitor);
        });
    });
    group.finish();
}

fn hard(c: &mut Criterion) {
    let mut group = c.benchmark_group("hard formulas");
    group.sample_size(10);
    for (name, text) in [
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
    ] {
        let parsed = ltl::parse(text).unwrap();
        let formula = (parsed.arena, parsed.root);
        group.bench_function(name, |b| {
            b.iter(|| {
                automaton(&formula);
                monitor(&formula);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, published, hard);
criterion_main!(benches);
