//! Tests with accesses that are not atomic: which have a data race, as RC11 says (Lahav and others, PLDI 2017).

use super::axioms;
use super::shapes::{test, Kind, Op, Test};

/// Shapes as those of `shapes.rs`: `Gy` is an atomic read that ends its thread if it reads 0, `wx` and `rx` are not atomic. Plain accesses
/// are of `x`, all others of `y` and `z`.
const SHAPES: [(&str, &str); 12] = [
    ("MP", "wx1 Wy1 | Gy rx"),
    ("MP-w", "rx Wy1 | Gy wx1"),
    ("MP+X", "wx1 Wy1 | Xy2 | Gy rx"),
    ("MP+G+X", "wx1 Wy1 | Gy Xy2 | Gy rx"),
    ("MP+W", "wx1 Wy1 Wy2 | Gy rx"),
    ("MP+W'", "wx1 Wy1 | Gy Wy2 | Gy rx"),
    ("WRC", "wx1 Wy1 | Gy Wz1 | Gz rx"),
    ("WRC+r", "wx1 Wy1 | Gy rx Wz1 | Gz wx2"),
    ("LB", "Gy rx | Gz wx1 Wy1 | Wz1"),
    ("2MP", "wx1 Wy1 | wx2 Wz1 | Gy Gz rx"),
    ("BACK", "wx1 Wy1 Gz wx2 | Gy rx Wz1"),
    ("TWO", "Wz1 wx1 Wy1 | Gz Gy rx"),
];

const STORES: [i32; 3] = [0, 3, 5];
const LOADS: [i32; 3] = [0, 2, 5];
const FENCES: [i32; 5] = [-2, 2, 3, 4, 5];

/// All tests: each shape with the orders of each thread.
pub fn all() -> Vec<Test> {
    let mut kinds = Vec::new();
    for store in STORES {
        for load in LOADS {
            for fence in FENCES {
                // Fences beside accesses that are sequentially consistent are in `shapes.rs`.
                if fence == -2 || (store, load) == (0, 0) {
                    kinds.push((store, load, fence));
                }
            }
        }
    }
    let mut tests = Vec::new();
    for (name, text) in SHAPES {
        for first in &kinds {
            for second in &kinds {
                let orders = |thread: usize| if thread % 2 == 0 { *first } else { *second };
                tests.push(test(name, text, &orders));
            }
        }
    }
    tests
}

/// Whether some run has a race: threads may end at each guard.
pub fn has_race(test: &Test) -> bool {
    let ends = |ops: &[Op]| -> Vec<usize> {
        let guards = ops
            .iter()
            .enumerate()
            .filter(|(_, op)| op.kind == Kind::Guard);
        guards.map(|(i, _)| i + 1).chain([usize::MAX]).collect()
    };
    let mut cuts: Vec<Vec<usize>> = vec![Vec::new()];
    for ops in &test.threads {
        let longer = cuts.iter().flat_map(|cut| {
            let all = ends(ops).into_iter();
            all.map(|end| [cut.clone(), vec![end]].concat())
        });
        cuts = longer.collect();
    }
    cuts.iter().any(|cut| {
        let threads = test.threads.iter().zip(cut);
        let part = Test {
            name: test.name.clone(),
            threads: threads
                .map(|(ops, &end)| ops[..end.min(ops.len())].to_vec())
                .collect(),
        };
        races_where(&part, cut)
    })
}

/// Whether an execution has a race in which the threads that are cut end at their last guard, and no others do.
fn races_where(part: &Test, cut: &[usize]) -> bool {
    // Three initial stores; then the events of each operation.
    let mut plain = vec![false; 3];
    let mut zero = vec![None; 3];
    for (ops, &end) in part.threads.iter().zip(cut) {
        for (i, op) in ops.iter().enumerate() {
            let is_plain = matches!(op.kind, Kind::PlainRead | Kind::PlainWrite);
            let last = end != usize::MAX && i + 1 == ops.len();
            for _ in 0..1 + usize::from(op.kind == Kind::Exchange) {
                plain.push(is_plain);
                zero.push((op.kind == Kind::Guard).then_some(last));
            }
        }
    }
    axioms::is_race(part, &plain, &|event| zero[event])
}
