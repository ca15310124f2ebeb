//! Allocated memory in the search for infinite runs: each allocating call has a few named objects,
//! and returns the first free one. The heap is then a part of the state that can be compared, and a
//! run that frees what it allocates returns to a state.
//!
//! Runs with more objects of one call at a time are left out. Allocated memory is zero, one of the
//! values that it may have.

use std::fmt::Write as _;

use cfront::span::Id;
use cfront::tree::ExprKind;
use cfront::{Diagnostic, ExprId};

use super::shapes::{Kept, MOST_ELEMENTS};
use crate::written::Emit;
use cfront::allocations::{allocated, Allocated};

/// The greatest number of objects of one call at a time.
const OBJECTS: usize = 3;

/// The text for the heap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    /// Declarations before the program.
    pub declared: String,
    /// Definitions of the objects and functions.
    pub defined: String,
}

impl Emit<'_, '_> {
    /// The calls that allocate named objects, with their types.
    fn pools(&self) -> Vec<(ExprId, Allocated)> {
        let tree = self.facts.tree;
        let calls = self.lowered.made.keys();
        let found = calls.filter_map(|&call| Some((call, allocated(tree, call)?)));
        let mut pools: Vec<_> = found.collect();
        pools.sort_by_key(|(call, _)| *call);
        pools
    }

    /// The declarations of the objects of call `n`, and of one with their first value.
    fn declared(&self, made: Allocated, n: usize) -> Option<(String, String)> {
        let typed = |name: &str| {
            let types = &self.facts.local_types.types;
            types.declare_where(made.ty, name, &|_| true)
        };
        let (pool, fresh) = (
            format!("ba_seq_pool_{n}[{OBJECTS}]"),
            format!("ba_seq_fresh_{n}"),
        );
        let Some(elements) = made.elements else {
            return Some((typed(&pool)?, typed(&fresh)?));
        };
        // A structure, so that all elements can be assigned at once.
        let all = typed(&format!("ba_seq_all[{elements}]"))?;
        let block = format!("struct ba_seq_block_{n}");
        Some((
            format!("{block} {{ {all}; }} {pool}"),
            format!("{block} {fresh}"),
        ))
    }

    /// Declarations and definitions of the heap; empty unless infinite runs are searched.
    pub(crate) fn heap(&self) -> Heap {
        let mut heap = Heap::default();
        if self.options.lasso.is_none() {
            return heap;
        }
        let tree = self.facts.tree;
        let _ = writeln!(heap.declared, "static void ba_seq_free(void *);");
        let mut free = String::new();
        for (call, made) in self.pools() {
            let n = call.index();
            let takes = match &tree.exprs[call].kind {
                ExprKind::Call { args, .. } => vec!["unsigned long"; args.len()].join(", "),
                _ => continue,
            };
            let Some((objects, fresh)) = self.declared(made, n) else {
                continue;
            };
            let _ = writeln!(heap.declared, "static void *ba_seq_allocate_{n}({takes});");
            let _ = writeln!(
                heap.defined,
                "\n/* What one call allocates. */\nstatic {objects};\nstatic {fresh};\nstatic _Bool ba_seq_used_{n}[{OBJECTS}];\nstatic void *ba_seq_allocate_{n}({}) {{",
                takes
                    .split(", ")
                    .enumerate()
                    .map(|(i, t)| format!("{t} ba_seq_size_{i}"))
                    .collect::<Vec<_>>()
                    .join(", ")
            );
            for i in 0..OBJECTS {
                let _ = writeln!(heap.defined, "  if (!ba_seq_used_{n}[{i}]) {{ ba_seq_used_{n}[{i}] = 1; ba_seq_pool_{n}[{i}] = ba_seq_fresh_{n}; return &ba_seq_pool_{n}[{i}]; }}");
                let _ = writeln!(
                    free,
                    "  if (at == &ba_seq_pool_{n}[{i}]) ba_seq_used_{n}[{i}] = 0;"
                );
            }
            heap.defined
                .push_str("  BA_SEQ_ASSUME(0);\n  return (void *)0;\n}\n");
        }
        let _ = writeln!(
            heap.defined,
            "static void ba_seq_free(void *at) {{\n  (void)at;\n{free}}}"
        );
        heap
    }

    /// The paths to the scalar parts of what a call allocates.
    fn allocated_ways(&self, made: Allocated) -> Result<Vec<String>, String> {
        let ways = self.ways(made.ty)?;
        match made.elements {
            None => Ok(ways),
            Some(n) if n > MOST_ELEMENTS => Err(format!("an array of {n} elements")),
            Some(n) => {
                let each = |i: u64| ways.iter().map(move |way| format!(".ba_seq_all[{i}]{way}"));
                Ok((0..n).flat_map(each).collect())
            }
        }
    }

    /// Adds the heap to the state.
    pub(super) fn heap_state(&self, kept: &mut Vec<Kept>, errors: &mut Vec<Diagnostic>) {
        for (call, made) in self.pools() {
            let n = call.index();
            let ways = match self.allocated_ways(made) {
                Ok(ways) => ways,
                Err(what) => {
                    let message = format!("what is allocated here is {what}: it {}", super::WHY);
                    let span = self.facts.tree.exprs[call].span;
                    errors.push(Diagnostic::error(span, message).help("leave out --lasso"));
                    continue;
                }
            };
            kept.push(Kept {
                name: format!("ba_seq_used_{n}"),
                ways: (0..OBJECTS).map(|i| format!("[{i}]")).collect(),
                when: None,
            });
            kept.extend((0..OBJECTS).map(|i| Kept {
                name: format!("ba_seq_pool_{n}[{i}]"),
                ways: ways.clone(),
                when: Some(format!("ba_seq_used_{n}[{i}]")),
            }));
        }
    }
}
