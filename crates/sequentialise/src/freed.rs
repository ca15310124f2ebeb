//! Memory that was freed, where all states are compared: each access through a pointer that may lead to it is checked,
//! and a run in which one fails ends there.
//!
//! An object is given out again only when nothing in the state points to it any more: until then an access through an
//! old pointer would not be told from one through a new pointer.

use std::fmt::Write as _;

use cfront::types::QualType;
use cfront::Span;

use crate::facts::Facts;
use crate::lasso::MOST_ELEMENTS;
use crate::pointers::{pointers, remembered};
use crate::print::Patch;
use crate::written::Emit;

/// What begins a checked pointer in the text.
const BEGINS: &str = "({ __auto_type ba_seq_at = (";

/// What ends it.
const ENDS: &str = "); if (ba_seq_freed(ba_seq_at)) BA_SEQ_STALE(); ba_seq_at; })";

/// The patches that check the pointers in a part of the text, where `patches` replace other parts.
pub(crate) fn checks(facts: &Facts, span: Span, patches: &[Patch]) -> Vec<Patch> {
    let replaced = |at: &Span| {
        // A text of the very pointer may be checked already.
        let around = |p: &Patch| {
            let whole = p.0 != *at || p.1.contains(BEGINS);
            !p.0.is_empty() && p.0.encloses(*at) && whole
        };
        patches.iter().any(around)
    };
    let pointers = facts.checked_in(span).map(|e| facts.tree.exprs[e].span);
    let mut all: Vec<Span> = pointers
        .filter(|at| span.encloses(*at) && !replaced(at))
        .collect();
    all.sort_by_key(|at| at.len());
    let ends = all.iter().map(|at| (Span::empty(at.end), ENDS.to_owned()));
    let begins = all.iter().rev();
    let begins = begins.map(|at| (Span::empty(at.start), BEGINS.to_owned()));
    begins.chain(ends).collect()
}

impl Emit<'_, '_> {
    /// Checks the pointers in a function that stays.
    pub(crate) fn check_pointers(&mut self, body: Span) {
        let facts = self.facts;
        if !self.options.steps {
            return;
        }
        // Those that begin or end at one place are ordered by their length.
        for e in facts.checked_in(body).collect::<Vec<_>>() {
            let at = facts.tree.exprs[e].span;
            let length = i32::try_from(at.len()).unwrap_or(i32::MAX / 2);
            self.insert(at.start, -10 - length, BEGINS);
            self.insert(at.end, length, ENDS);
        }
    }

    /// All pointers of the state that may lead to allocated memory; `None` if some cannot be named.
    fn kept_pointers(&self) -> Option<Vec<String>> {
        let tree = self.facts.tree;
        let mut found: Vec<String> = Vec::new();
        let within = |name: &str, ty: QualType| {
            let ways = pointers(tree, ty)?.into_iter();
            Some(ways.map(|way| format!("{name}{way}")).collect::<Vec<_>>())
        };
        for (object, name) in self.statics() {
            let ty = tree.objects[object].ty;
            found.extend(within(&name, ty)?);
            found.extend(remembered(tree, &name, ty));
        }
        for variable in self.lowered.threads.iter().flat_map(|t| &t.variables) {
            match variable.ty {
                Some(ty) => {
                    found.extend(within(&variable.name, ty)?);
                    found.extend(remembered(tree, &variable.name, ty));
                }
                None if variable.declaration.contains('*') => found.push(variable.name.clone()),
                None => {}
            }
        }
        for thread in 0..self.lowered.threads.len() {
            found.push(format!("ba_seq_result[{thread}]"));
        }
        Some(found)
    }

    /// Whether accesses to freed memory are found.
    pub(crate) fn checks_freed(&self) -> bool {
        self.options.steps
            && self.facts.checked.is_some()
            && !self.uses_keys()
            && self.kept_pointers().is_some()
            && self.parts_of_pools().is_some()
    }

    /// The pointers within the objects of the pools.
    fn parts_of_pools(&self) -> Option<Vec<String>> {
        let tree = self.facts.tree;
        let mut found = Vec::new();
        for pool in self.pools() {
            let ways = pointers(tree, pool.made.ty)?;
            let each: Vec<String> = match pool.made.elements {
                _ if ways.is_empty() => Vec::new(),
                None => vec![String::new()],
                Some(n) if n <= MOST_ELEMENTS / 8 => {
                    (0..n).map(|i| format!(".ba_seq_all[{i}]")).collect()
                }
                Some(_) => return None,
            };
            for i in 0..self.objects() {
                let object = format!("ba_seq_pool_{}[{i}]", pool.number);
                for part in &each {
                    found.extend(ways.iter().map(|way| format!("{object}{part}{way}")));
                }
            }
        }
        Some(found)
    }

    /// The function that gives out what is freed and what nothing points to.
    pub(crate) fn release(&self, out: &mut String) {
        let kept = self.kept_pointers().unwrap_or_default();
        let inner = self.parts_of_pools().unwrap_or_default();
        out.push_str("\n/* Whether a pointer leads to an object. */\nstatic _Bool ba_seq_leads(const volatile void *at, const volatile void *from, unsigned long size) {\n  return (const volatile char *)at >= (const volatile char *)from && (const volatile char *)at < (const volatile char *)from + size;\n}\n");
        out.push_str(
            "\nstatic _Bool ba_seq_pointed(const volatile void *from, unsigned long size) {\n",
        );
        for pointer in kept.iter().chain(&inner) {
            let _ = writeln!(
                out,
                "  if (ba_seq_leads((const volatile void *){pointer}, from, size)) return 1;"
            );
        }
        out.push_str("  return 0;\n}\n\n/* What is freed is given out again when nothing points to it. */\nstatic void ba_seq_release(void) {\n");
        for pool in self.pools() {
            let n = pool.number;
            for i in 0..self.objects() {
                let _ = writeln!(out, "  if (ba_seq_used_{n}[{i}] == 2 && !ba_seq_pointed(&ba_seq_pool_{n}[{i}], sizeof ba_seq_pool_{n}[{i}])) ba_seq_used_{n}[{i}] = 0;");
            }
        }
        out.push_str("}\n");
    }

    /// The function that says whether a pointer leads to freed memory.
    pub(crate) fn freed(&self, out: &mut String) {
        out.push_str("static _Bool ba_seq_freed(const volatile void *at) {\n  const volatile char *to = at;\n");
        for pool in self.pools() {
            let n = pool.number;
            let size = format!("sizeof ba_seq_pool_{n}[0]");
            let first = format!("(const volatile char *)&ba_seq_pool_{n}[0]");
            let _ = writeln!(out, "  if (to >= {first} && to < {first} + sizeof ba_seq_pool_{n}) return ba_seq_used_{n}[(unsigned long)(to - {first}) / {size}] != 1;");
        }
        out.push_str("  return 0;\n}\n");
    }
}
