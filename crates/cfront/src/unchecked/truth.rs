//! Objects of type `_Bool` whose bytes may be written as those of another type: a value that is neither 0 nor 1 is none of the type
//! (C11, 6.2.6.1).

use std::collections::BTreeSet;

use super::Found;
use crate::access::written;
use crate::alias::Memory;
use crate::span::ExprId;
use crate::tree::ExprKind;
use crate::types::{QualType, Type};

/// Whether a function of the compiler writes values of the type that its argument points to.
fn is_typed(name: &str) -> bool {
    let kinds = ["__atomic_", "__sync_", "__c11_atomic_"];
    kinds.iter().any(|kind| name.starts_with(kind))
}

impl Found<'_, '_> {
    /// The first write that may be one, or read of a member of a union.
    pub(super) fn truth(&self) -> Option<(ExprId, String)> {
        self.of_union().or_else(|| self.through_pointer())
    }

    fn is_truth(&self, ty: QualType) -> bool {
        matches!(self.tree.types.get(self.element(ty)), Type::Bool)
    }

    /// A use of a truth value in a union of which another member is used.
    fn of_union(&self) -> Option<(ExprId, String)> {
        let types = &self.tree.types;
        let (mut truths, mut others) = (Vec::new(), BTreeSet::new());
        for (id, kind) in self.running() {
            let ExprKind::Member { path, .. } = kind else {
                continue;
            };
            for &(record, _) in path.iter().filter(|(r, _)| types.records[*r].is_union) {
                match self.is_truth(self.tree.exprs[id].ty) {
                    true => truths.push((record, id)),
                    false => drop(others.insert(record)),
                }
            }
        }
        let (_, id) = truths.into_iter().find(|(r, _)| others.contains(r))?;
        let what =
            "a `_Bool` in a union may have a value of another member that is neither 0 nor 1";
        Some((id, what.to_owned()))
    }

    /// A write through a pointer to another type, or by the library.
    fn through_pointer(&self) -> Option<(ExprId, String)> {
        let mut objects = self.tree.objects.iter();
        if !objects.any(|(_, o)| self.is_truth(o.ty)) {
            return None;
        }
        let truth = |memory: &BTreeSet<Memory>| {
            let mut all = memory.iter().copied();
            all.find(|m| self.type_of(*m).is_some_and(|ty| self.is_truth(ty)))
        };
        let found = self.running().find_map(|(id, kind)| {
            let of = match written(self.tree, id) {
                Some(lvalue) if self.is_truth(self.tree.exprs[lvalue].ty) => None,
                Some(lvalue) => match self.tree.root(lvalue) {
                    (Some(_), false) => None,
                    _ => truth(&self.place(lvalue).0),
                },
                None if self.keeps_truths(kind) => None,
                None => {
                    let to = (self.aliases)().arguments_written(self.tree, id);
                    let typed = self.of_library(kind).is_some_and(is_typed);
                    let mut to = to
                        .into_iter()
                        .filter(|arg| !typed || !self.leads_to_truth(*arg));
                    to.find_map(|arg| truth(&self.memory(arg).0))
                }
            };
            Some((id, of?))
        });
        found.map(|(id, of)| {
            let name = self.name(of);
            (
                id,
                format!(
                    "bytes of `{name}`, which is `_Bool`, may be written that are neither 0 nor 1"
                ),
            )
        })
    }

    /// Whether a pointer is one to truth values, as its type says.
    fn leads_to_truth(&self, pointer: ExprId) -> bool {
        let to = self.pointee(self.tree.exprs[pointer].ty);
        to.is_some_and(|ty| self.is_truth(ty))
    }

    /// Whether what a function of the library writes are truth values: it sets all bytes to 0 or copies truth values.
    fn keeps_truths(&self, call: &ExprKind) -> bool {
        let ExprKind::Call { args, .. } = call else {
            return false;
        };
        match (self.of_library(call), args.as_slice()) {
            (Some("memset"), [_, value, _]) => {
                matches!(self.tree.exprs[*value].kind, ExprKind::Int(Some(0 | 1)))
            }
            // They write 1 and 0.
            (Some("__atomic_test_and_set" | "__atomic_clear"), _) => true,
            (Some("memcpy" | "memmove"), [_, from, _]) => {
                let (memory, anything) = self.memory(*from);
                let truth = |m: &Memory| self.type_of(*m).is_some_and(|ty| self.is_truth(ty));
                !anything && !memory.is_empty() && memory.iter().all(truth)
            }
            _ => false,
        }
    }
}
