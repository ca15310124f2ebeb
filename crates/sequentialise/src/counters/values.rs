//! Expressions: which classes their values have.

use cfront::consteval::eval;
use cfront::tree::{BinaryOp, BlockItem, ExprKind, Resolved, StmtKind, UnaryOp};
use cfront::types::{QualType, Type};
use cfront::ExprId;

use super::classes::{width, Key};
use super::flow::{Value, Walk};

impl Walk<'_> {
    /// The class of the place that an expression names.
    pub(super) fn place(&mut self, id: ExprId) -> Option<usize> {
        let tree = self.tree;
        let e = &tree.exprs[id];
        match &e.kind {
            ExprKind::Ident(Resolved::Object(object)) => {
                Some(self.classes.of(tree, Key::Object(*object)))
            }
            ExprKind::Member {
                base, arrow, path, ..
            } => {
                let (record, number) = *path.last()?;
                match arrow {
                    true => {
                        let value = self.expr(*base)?;
                        let target = value.to.unwrap_or_else(|| self.unknown());
                        if let Some(ty) = tree.types.pointee(tree.exprs[*base].ty) {
                            self.classes.shape(tree, target, ty);
                        }
                    }
                    false => drop(self.whole(*base)?),
                }
                for &(record, _) in path {
                    if tree.types.records[record].is_union {
                        let count = tree.types.records[record].members.as_ref();
                        for number in 0..count.map_or(0, Vec::len) {
                            let member = self.classes.of(tree, Key::Member(record, number));
                            self.classes.expose(member);
                        }
                    }
                }
                Some(self.classes.of(tree, Key::Member(record, number)))
            }
            ExprKind::Index { base, index } => {
                let (a, b) = (self.expr(*base)?, self.expr(*index)?);
                self.fix(a);
                self.fix(b);
                let node = a.to.or(b.to).unwrap_or_else(|| self.unknown());
                self.classes.shape(tree, node, e.ty);
                Some(node)
            }
            ExprKind::Deref(pointer) => {
                let value = self.expr(*pointer)?;
                let node = value.to.unwrap_or_else(|| self.unknown());
                self.classes.shape(tree, node, e.ty);
                Some(node)
            }
            _ => {
                self.expr(id)?;
                Some(self.unknown())
            }
        }
    }

    /// A place of which nothing is known.
    fn unknown(&mut self) -> usize {
        let node = self.classes.fresh();
        self.classes.expose(node);
        node
    }

    /// The structure that a member belongs to: a place, or the result of an expression.
    fn whole(&mut self, id: ExprId) -> Option<usize> {
        self.place(id)
    }

    /// The value of an expression; `None` if something is not followed.
    pub(super) fn expr(&mut self, id: ExprId) -> Option<Value> {
        let tree = self.tree;
        let e = &tree.exprs[id];
        let plain = Some(Value::default());
        match &e.kind {
            ExprKind::Ident(Resolved::Function(function)) => {
                self.address_of(*function);
                plain
            }
            ExprKind::Ident(Resolved::Object(_))
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => {
                if let ExprKind::Deref(pointer) = &e.kind {
                    if matches!(tree.type_of(e.ty), Type::Function(_)) {
                        return self.expr(*pointer);
                    }
                }
                let node = self.place(id)?;
                Some(self.load(node, e.ty))
            }
            ExprKind::Ident(_)
            | ExprKind::Int(_)
            | ExprKind::Float
            | ExprKind::Char(_)
            | ExprKind::Str(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::Alignof(_)
            | ExprKind::OffsetOf(_)
            | ExprKind::TypeBuiltin => plain,
            ExprKind::Assign { op, lhs, rhs, .. } => self.assignment(*op, *lhs, *rhs),
            ExprKind::IncDec { operand, .. } => {
                let node = self.place(*operand)?;
                self.classes.grows(node);
                Some(self.load(node, tree.exprs[*operand].ty))
            }
            ExprKind::Unary(op, operand) => {
                let value = self.expr(*operand)?;
                if *op == UnaryOp::Plus {
                    return Some(value);
                }
                self.fix(value);
                plain
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, e.ty),
            ExprKind::Call { callee, args, .. } => self.call(*callee, args, e.ty),
            ExprKind::AddressOf(operand) => {
                if self.function_of(*operand).is_some() {
                    return self.expr(*operand);
                }
                let node = self.place(*operand)?;
                Some(Value {
                    class: None,
                    to: Some(node),
                })
            }
            ExprKind::Cast(operand) => {
                let value = self.expr(*operand)?;
                Some(self.cast(value, e.ty))
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                let condition = self.expr(*cond)?;
                self.fix(condition);
                let one = match then {
                    Some(then) => self.expr(*then)?,
                    None => condition,
                };
                let other = self.expr(*otherwise)?;
                self.join(one, other);
                let one = self.cast(one, e.ty);
                let other = self.cast(other, e.ty);
                Some(Value {
                    class: one.class.or(other.class),
                    to: one.to.or(other.to),
                })
            }
            ExprKind::Comma(all) => {
                let mut last = Value::default();
                for id in all {
                    last = self.expr(*id)?;
                }
                Some(last)
            }
            ExprKind::StmtExpr(block) => {
                let StmtKind::Compound { items, .. } = &tree.stmts[*block].kind else {
                    return None;
                };
                let last = items.last().and_then(|item| match item {
                    BlockItem::Stmt(id) => match &tree.stmts[*id].kind {
                        StmtKind::Expr(Some(e)) => Some(*e),
                        _ => None,
                    },
                    BlockItem::Decl(_) => None,
                });
                self.stmt(*block)?;
                // Walking twice adds nothing.
                last.map_or(plain, |last| self.expr(last))
            }
            ExprKind::Generic { arms, chosen, .. } => {
                let (_, arm) = arms.get((*chosen)?)?;
                self.expr(*arm)
            }
            ExprKind::CompoundLiteral(init) => {
                self.any_values(*init)?;
                let node = self.unknown();
                self.classes.shape(tree, node, e.ty);
                Some(self.load(node, e.ty))
            }
            ExprKind::LabelAddress(_) | ExprKind::VaArg(_) | ExprKind::Opaque => None,
        }
    }

    /// A value of another type.
    fn cast(&mut self, value: Value, ty: QualType) -> Value {
        let mut cast = Value::default();
        if let Some((class, bits)) = value.class {
            match width(self.tree, ty) == Some(bits) {
                true => cast.class = Some((class, bits)),
                false if matches!(self.tree.type_of(ty), Type::Void) => {}
                false => self.fix(value),
            }
        }
        if let Some(to) = value.to {
            match self.tree.type_of(ty) {
                Type::Pointer(_) | Type::Array(..) => cast.to = Some(to),
                Type::Void | Type::Bool => {}
                // A pointer that becomes a number may come back.
                _ => self.classes.expose(to),
            }
        }
        cast
    }

    fn assignment(&mut self, op: Option<BinaryOp>, lhs: ExprId, rhs: ExprId) -> Option<Value> {
        let ty = self.tree.exprs[lhs].ty;
        let value = self.expr(rhs)?;
        let node = self.place(lhs)?;
        match op {
            None => self.assign(node, ty, value),
            Some(BinaryOp::Add | BinaryOp::Sub) => self.add(node, value),
            Some(_) => {
                let old = self.load(node, ty);
                self.fix(old);
                self.fix(value);
            }
        }
        Some(self.load(node, ty))
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: QualType) -> Option<Value> {
        let (one, other) = (self.expr(a)?, self.expr(b)?);
        match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                // Comparing pointers tells nothing of what they lead to.
                let numbers = |v: Value| Value { to: None, ..v };
                self.join(numbers(one), numbers(other));
                return Some(Value::default());
            }
            BinaryOp::Add | BinaryOp::Sub => {}
            BinaryOp::BitAnd | BinaryOp::Rem => {
                self.remainder(op, a, b, (one, other));
                return Some(Value::default());
            }
            _ => {
                self.fix(one);
                self.fix(other);
                return Some(Value::default());
            }
        }
        let to = one.to.or(other.to);
        let is_difference = op == BinaryOp::Sub;
        match (one.class, other.class) {
            _ if to.is_some() => {
                self.fix(one);
                self.fix(other);
            }
            (Some(_), Some(_)) if is_difference => self.join(one, other),
            (Some(_), None) => return Some(self.sum(one, ty)),
            (None, Some(_)) if !is_difference => return Some(self.sum(other, ty)),
            _ => {
                self.fix(one);
                self.fix(other);
            }
        }
        let is_pointer = matches!(self.tree.type_of(ty), Type::Pointer(_));
        Some(Value {
            class: None,
            to: to.filter(|_| is_pointer),
        })
    }

    /// The sum of a counter and something that is none.
    fn sum(&mut self, value: Value, ty: QualType) -> Value {
        let value = self.cast(value, ty);
        if let Some((class, _)) = value.class {
            self.classes.grows(class);
        }
        value
    }

    /// `a & 7` and `a % 8u`.
    fn remainder(&mut self, op: BinaryOp, a: ExprId, b: ExprId, (one, other): (Value, Value)) {
        let constant = |id| eval(self.tree, id).and_then(|n| u64::try_from(n).ok());
        let (value, number) = match (one.class, other.class) {
            (Some(_), None) => (one, constant(b)),
            (None, Some(_)) if op == BinaryOp::BitAnd => (other, constant(a)),
            _ => (one, None),
        };
        let power = match op {
            BinaryOp::BitAnd => number.and_then(|n| n.checked_add(1)),
            _ => number.filter(|_| self.is_unsigned(a)),
        };
        let power = power.filter(|n| n.is_power_of_two() && *n < 1 << 31);
        match (value.class, power) {
            (Some((class, _)), Some(power)) => self.classes.remainder(class, power),
            _ => {
                self.fix(one);
                self.fix(other);
            }
        }
    }

    fn is_unsigned(&self, id: ExprId) -> bool {
        match self.tree.type_of(self.tree.exprs[id].ty) {
            Type::Int(kind) => !self.tree.types.signed(*kind),
            _ => false,
        }
    }
}
