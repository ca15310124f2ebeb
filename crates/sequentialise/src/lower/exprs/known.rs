//! Known values of variables: recorded at assignments, and forgotten where the variables may
//! change.

use cfront::tree::{BinaryOp, ExprKind, Resolved};
use cfront::types::Type;
use cfront::{consteval, ExprId, Span};

use crate::code::Pointer;
use crate::lower::Lower;

impl Lower<'_, '_> {
    /// Forgets the values of variables that a text writes.
    pub(in crate::lower) fn forget_written(&mut self, span: Span) {
        let written: Vec<_> = self.facts.writes_in(span).collect();
        for object in written {
            self.forget(object);
        }
        let written: Vec<_> = self.facts.written_in(span).collect();
        for lvalue in written {
            self.lose_handles_in(lvalue);
        }
    }

    pub(in crate::lower) fn forget(&mut self, object: cfront::ObjectId) {
        if let Some(name) = self.name(object) {
            self.forget_name(&name);
        }
    }

    /// Records the value of a variable that nothing points to.
    pub(in crate::lower) fn know(&mut self, object: cfront::ObjectId, value: Option<i128>) {
        let o = &self.facts.tree.objects[object];
        let automatic = !o.is_static_duration() && !self.facts.address_taken.contains(&object);
        if !automatic || !self.facts.tree.types.is_integer(o.ty) {
            return;
        }
        let Some(name) = self.name(object) else {
            return;
        };
        let fits = value.filter(|&v| self.fits(o.ty, v));
        self.forget_name(&name);
        if let Some(value) = fits {
            self.env.known.insert(name, value);
        }
    }

    pub(in crate::lower) fn fits(&self, ty: cfront::types::QualType, value: i128) -> bool {
        match self.facts.tree.type_of(ty) {
            Type::Bool => value == 0 || value == 1,
            _ => {
                let types = &self.facts.tree.types;
                let range = types.int_kind(ty).and_then(|kind| types.model.range(kind));
                range.is_some_and(|(low, high)| (low..=high).contains(&value))
            }
        }
    }

    /// The value of an integer expression, if it is known here.
    pub(in crate::lower) fn value_of(&self, e: ExprId) -> Option<i128> {
        let value = consteval::eval_where(self.facts.tree, e, &|object| {
            if let Some(&value) = self.facts.constants.get(&object) {
                return Some(value);
            }
            self.env.known.get(&self.name(object)?).copied()
        });
        value.or_else(|| self.number(e))
    }

    /// The variable that a statement assigns, with its value afterwards.
    pub(in crate::lower) fn assigned(&self, e: ExprId) -> Option<(cfront::ObjectId, Option<i128>)> {
        let tree = self.facts.tree;
        let object = |lhs: ExprId| match tree.exprs[lhs].kind {
            ExprKind::Ident(Resolved::Object(object)) => Some(object),
            _ => None,
        };
        match &tree.exprs[e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => Some((object(*lhs)?, self.outcome(*rhs))),
            ExprKind::Assign {
                op: Some(op),
                lhs,
                rhs,
                ..
            } => {
                let (before, by) = (self.value_of(*lhs), self.value_of(*rhs));
                let value = match (op, before, by) {
                    (BinaryOp::Add, Some(a), Some(b)) => a.checked_add(b),
                    (BinaryOp::Sub, Some(a), Some(b)) => a.checked_sub(b),
                    _ => None,
                };
                Some((object(*lhs)?, value))
            }
            ExprKind::IncDec {
                increment, operand, ..
            } => {
                let by = if *increment { 1 } else { -1 };
                Some((object(*operand)?, self.value_of(*operand).map(|v| v + by)))
            }
            _ => None,
        }
    }

    /// The known target of the pointer that a statement assigns.
    pub(in crate::lower) fn assigned_pointer(&mut self, e: ExprId) -> Option<Pointer> {
        match self.facts.tree.exprs[e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => self.made_here(self.facts.tree.exprs[lhs].ty, rhs),
            _ => None,
        }
    }

    pub(in crate::lower) fn forget_root(&mut self, lvalue: ExprId) {
        self.lose_handles_in(lvalue);
        if let (Some(object), false) = self.facts.tree.root(lvalue) {
            self.forget(object);
        }
    }
}
