//! Allocated memory where states are compared: each allocating call has a few named objects, and returns the
//! first free one. The heap is then a part of the state, and a run that frees what it allocates returns to a
//! state.
//!
//! In the search for infinite runs, runs with more objects of one call at a time are left out, and allocated
//! memory is zero, one of the values that it may have. In step form such a run ends where it would go further,
//! and a variable tells it; memory has any value in the parts that may be read before they are written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::allocations::{allocated_several, called_name, gives_back, library_name, Allocated};
use cfront::fresh::{filled, Filled};
use cfront::span::Id;
use cfront::tree::{ExprKind, Parent, Tree};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::{Diagnostic, ExprId};

use crate::lasso::{constants, Kept, MOST_ELEMENTS, WHY};
use crate::options::Allocations;
use crate::pointers::Compared;
use crate::pools::{Old, Pool};
use crate::written::Emit;

/// The greatest number of objects of one call at a time in the search for infinite runs.
const OBJECTS: usize = 3;

/// The number of objects of one call in step form, in which the last one is never part of a proof.
const STEPPED: usize = 8;

/// The most objects that a program without threads may have room for, because it counts so far.
const COUNTED: u64 = 16;

/// The most scalars of all objects of one call: each is a part of the state, and larger objects cannot be compared.
const SCALARS: u64 = 1024;

/// The text for the heap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    /// Declarations before the program.
    pub declared: String,
    /// Definitions of the objects and functions.
    pub defined: String,
    /// What the text allows; `None` if nothing is allocated.
    pub allocations: Option<Allocations>,
}

/// The number of scalars of a type; `None` if it is not known.
fn scalars(tree: &Tree, ty: QualType) -> Option<u64> {
    match tree.types.get(ty) {
        Type::Array(element, ArrayLen::Known(n)) => scalars(tree, *element)?.checked_mul(*n),
        Type::Array(..) => None,
        Type::Record(record) => {
            let members = tree.types.records[*record].members.as_ref()?;
            members.iter().try_fold(0u64, |sum, member| {
                sum.checked_add(scalars(tree, member.ty)?)
            })
        }
        _ => Some(1),
    }
}

impl Emit<'_, '_> {
    /// The number of objects of one call.
    pub(crate) fn objects(&self) -> usize {
        match self.options.steps {
            true => STEPPED.max(self.counted()),
            false => OBJECTS,
        }
    }

    /// The number of objects that a program without threads needs which counts what it allocates, and frees it: a list
    /// of at most ten elements has ten, and one is never part of a proof.
    fn counted(&self) -> usize {
        let tree = self.facts.tree;
        let alone = self.lowered.threads.len() == 1;
        if !alone || !self.frees() {
            return 0;
        }
        let limit = self.facts.rooms.counted(tree, COUNTED);
        let count = limit.map_or(0, |limit| limit + 2);
        let fits = |pool: &Pool| {
            let each = scalars(tree, pool.made.ty).zip(Some(pool.made.elements.unwrap_or(1)));
            let all =
                each.and_then(|(one, elements)| one.checked_mul(elements)?.checked_mul(count));
            all.is_some_and(|all| all <= SCALARS)
        };
        match self.pools().iter().all(fits) {
            true => usize::try_from(count).unwrap_or(0),
            false => 0,
        }
    }

    /// The calls that allocate named objects, with their types.
    pub(crate) fn pools(&self) -> Vec<Pool> {
        let tree = self.facts.tree;
        let calls = self.lowered.made.keys();
        let pool = |&call: &ExprId| {
            let made = crate::lower::memory::made(self.facts, self.options, call)?;
            let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
                return None;
            };
            Some(Pool {
                call,
                made,
                number: call.index(),
                arguments: args.len(),
            })
        };
        let mut pools: Vec<_> = calls.filter_map(pool).collect();
        pools.sort_by_key(|pool| pool.call);
        pools
    }

    /// The declarations of the objects of a call, and of one with their first value.
    fn declared(&self, pool: &Pool) -> Option<(String, String)> {
        let (n, count) = (pool.number, self.objects());
        let typed = |name: &str| {
            let types = &self.facts.local_types.types;
            types.declare_where(pool.made.ty, name, &|_| true)
        };
        let (objects, fresh) = (
            format!("ba_seq_pool_{n}[{count}]"),
            format!("ba_seq_fresh_{n}"),
        );
        let Some(elements) = pool.made.elements else {
            return Some((typed(&objects)?, typed(&fresh)?));
        };
        // A structure, so that all elements can be assigned at once.
        let all = typed(&format!("ba_seq_all[{elements}]"))?;
        let block = format!("struct ba_seq_block_{n}");
        Some((
            format!("{block} {{ {all}; }} {objects}"),
            format!("{block} {fresh}"),
        ))
    }

    /// Declarations and definitions of the heap; empty where memory has no names.
    pub(crate) fn heap(&mut self) -> Heap {
        let mut heap = Heap::default();
        if !self.options.turns() {
            return heap;
        }
        heap.declared.push_str("static void ba_seq_free(void *);\n");
        if self.options.steps {
            heap.declared
                .push_str("_Bool ba_seq_full; /* all objects of some call are taken */\n");
        }
        let checks = self.checks_freed();
        let compared = self.compared();
        if compared != Compared::Never {
            let why = "/* a new object may be where an old pointer leads */";
            let _ = writeln!(heap.declared, "_Bool ba_seq_again; {why}");
        }
        let mut pools = self.pools();
        pools.retain(|pool| self.declared(pool).is_some());
        for pool in &pools {
            self.pool(pool, &mut heap);
            heap.allocations = Some(Allocations {
                objects: self.objects() - 1,
                frees: self.frees(),
                checks,
                varies: heap.allocations.is_some_and(|before| before.varies)
                    || self.fits(pool).is_some(),
                compares: compared != Compared::Never,
            });
        }
        for pool in &pools {
            let old = self.old(pool, &pools, compared);
            self.allocate(pool, &old, &mut heap.defined);
        }
        if checks {
            heap.declared.push_str("unsigned char ba_seq_stale; /* freed memory was used */\nstatic _Bool ba_seq_freed(const volatile void *);\nstatic void ba_seq_release(void);\n#define BA_SEQ_STALE() (ba_seq_stale = 1, ba_seq_full = 1, BA_SEQ_OVER())\n");
            self.freed(&mut heap.defined);
        } else if self.options.steps {
            heap.declared.push_str("#define ba_seq_freed(at) 0\n#define BA_SEQ_STALE() ((void)0)\n#define ba_seq_release() ((void)0)\n");
        }
        let free: String = pools.iter().map(|pool| self.free(pool)).collect();
        let _ = writeln!(
            heap.defined,
            "static void ba_seq_free(void *at) {{\n  (void)at;\n{free}}}"
        );
        heap
    }

    /// Whether the program frees memory.
    fn frees(&self) -> bool {
        let mut calls = self.lowered.made.keys();
        calls.any(|&call| gives_back(self.facts.tree, call))
    }

    /// The objects of a call, and the declaration of the function that gives them out.
    fn pool(&self, pool: &Pool, heap: &mut Heap) {
        let Some((objects, fresh)) = self.declared(pool) else {
            return;
        };
        let (n, count) = (pool.number, self.objects());
        let takes = vec!["unsigned long"; pool.arguments].join(", ");
        let _ = writeln!(heap.declared, "static void *ba_seq_allocate_{n}({takes});");
        // Freed memory is kept apart until nothing points to it.
        let state = match self.checks_freed() {
            true => "unsigned char",
            false => "_Bool",
        };
        let _ = writeln!(
            heap.defined,
            "\n/* What one call allocates. */\nstatic {objects};\nstatic {fresh};\nstatic {state} ba_seq_used_{n}[{count}];"
        );
    }

    /// The statements that free an object of a call.
    fn free(&self, pool: &Pool) -> String {
        let n = pool.number;
        // What is left in memory that is free again is no part of the state.
        let reset = |i: usize| match self.options.steps {
            true => format!("ba_seq_pool_{n}[{i}] = ba_seq_fresh_{n}; "),
            false => String::new(),
        };
        let checks = self.checks_freed();
        let twice = |i: usize| match checks {
            true => format!("if (ba_seq_used_{n}[{i}] != 1) BA_SEQ_STALE(); "),
            false => String::new(),
        };
        let freed = if checks { 2 } else { 0 };
        let one = |i| {
            let (twice, reset) = (twice(i), reset(i));
            format!("  if (at == &ba_seq_pool_{n}[{i}]) {{ {twice}{reset}ba_seq_used_{n}[{i}] = {freed}; }}\n")
        };
        (0..self.objects()).map(one).collect()
    }

    /// The function that allocates.
    fn allocate(&mut self, pool: &Pool, old: &Old, out: &mut String) {
        let n = pool.number;
        let sizes = (0..pool.arguments).map(|i| format!("unsigned long ba_seq_size_{i}"));
        let sizes: Vec<String> = sizes.collect();
        let _ = writeln!(
            out,
            "static void *ba_seq_allocate_{n}({}) {{",
            sizes.join(", ")
        );
        let any = match self.options.steps {
            true => self.unknown(pool),
            false => Vec::new(),
        };
        if let Some(fits) = self.fits(pool) {
            let _ = writeln!(
                out,
                "  if (!({fits})) {{ ba_seq_full = 1; BA_SEQ_OVER(); }}"
            );
        }
        let choose = |object: &str| -> String {
            let choices = any.iter().map(|way| {
                // The search of all states knows the variable by its name: what memory contains is any value, not an undefined one.
                format!("{{ __typeof__({object}{way}) ba_seq_any; {object}{way} = ba_seq_any; }} ")
            });
            choices.collect()
        };
        if !old.left_out.is_empty() {
            let _ = writeln!(
                out,
                "  if ({}) {{ ba_seq_again = 1; ba_seq_again = 0; }}",
                old.left_out.join(" || ")
            );
        }
        for (m, i) in &old.given {
            let object = format!("ba_seq_pool_{m}[{i}]");
            let choose = choose(&object);
            let _ = writeln!(out, "  if (ba_seq_used_{m}[{i}] == 2 && nondet_ba_seq() & 1) {{ ba_seq_used_{m}[{i}] = 1; {object} = ba_seq_fresh_{m}; {choose}return &{object}; }}");
        }
        for i in 0..self.objects() {
            let object = format!("ba_seq_pool_{n}[{i}]");
            let choose = choose(&object);
            let last = self.options.steps && i + 1 == self.objects();
            let full = if last { "ba_seq_full = 1; " } else { "" };
            let _ = writeln!(out, "  if (!ba_seq_used_{n}[{i}]) {{ ba_seq_used_{n}[{i}] = 1; {full}{object} = ba_seq_fresh_{n}; {choose}return &{object}; }}");
        }
        out.push_str(match self.options.steps {
            true => "  BA_SEQ_OVER();\n  return (void *)0;\n}\n",
            false => "  BA_SEQ_ASSUME(0);\n  return (void *)0;\n}\n",
        });
    }

    /// The condition that memory of variable size has room enough; `None` if its size is constant.
    fn fits(&self, pool: &Pool) -> Option<String> {
        allocated_several(self.facts.tree, pool.call)?;
        Some(match pool.arguments {
            1 => format!("ba_seq_size_0 <= sizeof ba_seq_pool_{}[0]", pool.number),
            _ => format!("ba_seq_size_0 <= {}", pool.made.elements.unwrap_or(1)),
        })
    }

    /// The paths to the scalar parts that may be read before the program gives them a value.
    fn unknown(&mut self, pool: &Pool) -> Vec<String> {
        let tree = self.facts.tree;
        if library_name(tree, pool.call) == Some("calloc") {
            return Vec::new();
        }
        let filled = filled(tree, &self.facts.unit.flows, &self.facts.graph, pool.call);
        if filled == Filled::Whole {
            return Vec::new();
        }
        let ways = match self.allocated_ways(pool.made) {
            Ok(ways) => ways,
            Err(what) => {
                let span = tree.exprs[pool.call].span;
                let message = format!("what is allocated here is {what}, whose first content has no finite set of values");
                self.errors.push(Diagnostic::error(span, message));
                return Vec::new();
            }
        };
        let read = self.read_members(pool.made);
        let open = ways.into_iter().filter(|way| {
            let member = way.strip_prefix('.').unwrap_or_default();
            let member = member.split(['.', '[']).next().unwrap_or_default();
            // Members of library types are given values by the functions that create the objects.
            let own = way.contains(".ba_seq_") && pool.made.elements.is_none();
            !own && !filled.has(member) && read.as_ref().is_none_or(|read| read.contains(member))
        });
        open.collect()
    }

    /// The members of a structure that the program reads somewhere; `None` if it may read all.
    fn read_members(&self, made: Allocated) -> Option<BTreeSet<&str>> {
        let tree = self.facts.tree;
        if made.elements.is_some() || !matches!(tree.types.get(made.ty), Type::Record(_)) {
            return None;
        }
        let mut read = BTreeSet::new();
        for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            match &expr.kind {
                ExprKind::Member { name, .. } if !self.only_written(id) => {
                    read.insert(name.as_str());
                }
                // A copy of the whole, or a function that sees all its bytes.
                ExprKind::Deref(_) | ExprKind::Index { .. } if expr.ty.ty == made.ty.ty => {
                    let part = matches!(expr.parent, Parent::Expr(p) if matches!(tree.exprs[p].kind, ExprKind::Member { .. } | ExprKind::AddressOf(_)));
                    if !part {
                        return None;
                    }
                }
                ExprKind::Call { args, .. } if self.sees_bytes(id, args, made) => return None,
                _ => {}
            }
        }
        Some(read)
    }

    /// Whether a member expression only gives the member, or a part of it, a value.
    fn only_written(&self, member: ExprId) -> bool {
        let tree = self.facts.tree;
        let mut at = member;
        while let Parent::Expr(parent) = tree.exprs[at].parent {
            match tree.exprs[parent].kind {
                ExprKind::Member { arrow: false, .. } => at = parent,
                ExprKind::Index { base, .. } if base == at => at = parent,
                ExprKind::Assign { op: None, lhs, .. } => {
                    return lhs == at && usage_is_plain(tree, parent)
                }
                _ => return false,
            }
        }
        false
    }

    /// Whether a function without a body gets a pointer to such an object.
    fn sees_bytes(&self, call: ExprId, args: &[ExprId], made: Allocated) -> bool {
        let tree = self.facts.tree;
        let Some(name) = called_name(tree, call) else {
            return true;
        };
        let defined = tree.function_named(name);
        let defined = defined.is_some_and(|f| tree.functions[f].body.is_some());
        let points = |e: &ExprId| {
            let ty = tree.exprs[tree.uncast(*e)].ty;
            tree.types.pointee(ty).is_some_and(|to| to.ty == made.ty.ty)
        };
        let thread = name.starts_with("pthread_") || name.starts_with("thrd_");
        !defined && !gives_back(tree, call) && !thread && args.iter().any(points)
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

    /// The types of the `const` parts of what an allocation makes.
    fn allocated_constants(&self, made: Allocated) -> BTreeMap<String, String> {
        let parts = constants(self.facts, made.ty);
        let elements = made.elements.unwrap_or(0);
        match made.elements {
            None => parts,
            Some(_) => (0..elements)
                .flat_map(|i| {
                    let of = move |way: &str| format!(".ba_seq_all[{i}]{way}");
                    parts.iter().map(move |(way, ty)| (of(way), ty.clone()))
                })
                .collect(),
        }
    }

    /// Adds the heap to the state.
    pub(crate) fn heap_state(&self, kept: &mut Vec<Kept>, errors: &mut Vec<Diagnostic>) {
        let count = self.objects();
        for pool in self.pools() {
            let n = pool.number;
            let ways = match self.allocated_ways(pool.made) {
                Ok(ways) => ways,
                Err(what) => {
                    let message = format!("what is allocated here is {what}: it {WHY}");
                    let span = self.facts.tree.exprs[pool.call].span;
                    errors.push(Diagnostic::error(span, message).help("leave out --lasso"));
                    continue;
                }
            };
            kept.push(Kept {
                name: format!("ba_seq_used_{n}"),
                ways: (0..count).map(|i| format!("[{i}]")).collect(),
                when: None,
                constants: BTreeMap::new(),
            });
            let constants = self.allocated_constants(pool.made);
            kept.extend((0..count).map(|i| Kept {
                name: format!("ba_seq_pool_{n}[{i}]"),
                ways: ways.clone(),
                when: Some(format!("ba_seq_used_{n}[{i}]")),
                constants: constants.clone(),
            }));
        }
    }
}

/// Whether nothing uses the value of an assignment.
fn usage_is_plain(tree: &cfront::tree::Tree, assignment: ExprId) -> bool {
    matches!(tree.exprs[assignment].parent, Parent::Stmt(_))
}
