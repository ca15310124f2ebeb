//! Objects that an expression changes by name and uses through a pointer, or the other way round, without an order between both (C11,
//! 6.5, paragraph 2): `*p + i++` where `p` leads to `i`.

use std::collections::BTreeSet;

use super::Found;
use crate::access::{address_taken, written};
use crate::alias::Memory;
use crate::span::{ExprId, ObjectId};
use crate::tree::{BinaryOp, ExprKind, Resolved};
use crate::types::{Class, Type};

/// An access of a number or a pointer.
struct Access {
    lvalue: ExprId,
    /// The object, if the expression names it; otherwise a pointer leads to it.
    named: Option<ObjectId>,
    writes: bool,
}

impl Found<'_, '_> {
    /// The first expression that may do so. Two accesses through pointers are taken to be of different objects.
    pub(super) fn aliased(&self) -> Option<(ExprId, String)> {
        let taken: BTreeSet<ObjectId> = address_taken(self.tree).into_keys().collect();
        if taken.is_empty() {
            return None;
        }
        let found = self.running().filter_map(|(id, _)| {
            let object = self.clash(id, &taken)?;
            let name = &self.tree.objects[object].name;
            let what = format!(
                "an expression changes `{name}`, and uses what a pointer leads to, perhaps the same, without an order"
            );
            Some((id, what))
        });
        found.min_by_key(|(id, _)| self.tree.exprs[*id].span.start)
    }

    /// The object of a named access and one through a pointer, in different operands.
    fn clash(&self, e: ExprId, taken: &BTreeSet<ObjectId>) -> Option<ObjectId> {
        let operands = self.tree.unordered_operands(e);
        let mut all: Vec<Vec<Access>> = Vec::new();
        for &operand in &operands {
            let mut accesses = Vec::new();
            let is_target = written(self.tree, e) == Some(operand);
            self.accesses(operand, is_target, &mut accesses);
            all.push(accesses);
        }
        if let ExprKind::Assign { lhs, rhs, .. } = &self.tree.exprs[e].kind {
            // The write itself comes after the values of both operands, but not after what they change.
            let mut late = Vec::new();
            self.pending(*rhs, &mut late);
            let own = self.access(*lhs, true);
            let found = own.and_then(|own| late.iter().find_map(|b| self.same(&own, b, taken)));
            if found.is_some() {
                return found;
            }
        }
        let pairs = (0..all.len()).flat_map(|a| (a + 1..all.len()).map(move |b| (a, b)));
        let mut each = pairs.flat_map(|(a, b)| {
            all[a]
                .iter()
                .flat_map(|x| all[b].iter().map(move |y| (x, y)))
                .collect::<Vec<_>>()
        });
        each.find_map(|(x, y)| self.same(x, y, taken))
    }

    /// The object that two accesses may share, of which one goes through a pointer and one writes.
    fn same(&self, a: &Access, b: &Access, taken: &BTreeSet<ObjectId>) -> Option<ObjectId> {
        let (object, through) = match (a.named, b.named) {
            (Some(object), None) => (object, b.lvalue),
            (None, Some(object)) => (object, a.lvalue),
            _ => return None,
        };
        if !(a.writes || b.writes) || !taken.contains(&object) {
            return None;
        }
        let (memory, anything) = self.place(through);
        (anything || memory.contains(&Memory::Object(object))).then_some(object)
    }

    /// An access, if it is of a number or a pointer.
    fn access(&self, e: ExprId, writes: bool) -> Option<Access> {
        let tree = self.tree;
        let class = tree.types.class(tree.exprs[e].ty);
        if !matches!(class, Class::Scalar | Class::Pointer) {
            return None;
        }
        let named = match &tree.exprs[e].kind {
            ExprKind::Ident(Resolved::Object(object)) => Some(*object),
            ExprKind::Deref(_) | ExprKind::Member { arrow: true, .. } => None,
            ExprKind::Index { base, index } => {
                let pointer =
                    |e: ExprId| matches!(tree.types.get(tree.exprs[e].ty), Type::Pointer(..));
                (pointer(*base) || pointer(*index)).then_some(())?;
                None
            }
            _ => return None,
        };
        Some(Access {
            lvalue: e,
            named,
            writes,
        })
    }

    /// The accesses of an operand itself; one that is assigned to is not read.
    fn accesses(&self, e: ExprId, is_target: bool, all: &mut Vec<Access>) {
        let tree = self.tree;
        if tree.exprs[e].unevaluated {
            return;
        }
        let target = written(tree, e);
        match &tree.exprs[e].kind {
            // Of what its statements do, only their order is known.
            ExprKind::StmtExpr(_) => return,
            ExprKind::AddressOf(inner) => {
                return self.accesses(*inner, true, all);
            }
            _ if target.is_some() => all.extend(target.and_then(|t| self.access(t, true))),
            _ if !is_target => all.extend(self.access(e, false)),
            _ => {}
        }
        for child in tree.children(e) {
            self.accesses(child, target == Some(child), all);
        }
    }

    /// What an expression may still have to change when its value is known.
    fn pending(&self, e: ExprId, all: &mut Vec<Access>) {
        let tree = self.tree;
        if tree.exprs[e].unevaluated {
            return;
        }
        all.extend(written(tree, e).and_then(|t| self.access(t, true)));
        match &tree.exprs[e].kind {
            ExprKind::Call { .. } | ExprKind::StmtExpr(_) => {}
            ExprKind::Comma(list) => list.last().into_iter().for_each(|&e| self.pending(e, all)),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, _, second) => self.pending(*second, all),
            ExprKind::Conditional { cond, .. } => {
                let branches = tree.children(e).into_iter().filter(|child| child != cond);
                branches.for_each(|child| self.pending(child, all));
            }
            _ => tree
                .children(e)
                .into_iter()
                .for_each(|child| self.pending(child, all)),
        }
    }
}
