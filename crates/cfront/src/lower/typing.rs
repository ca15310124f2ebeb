//! The types of expressions (C11 6.3 and 6.5). A type that cannot be determined is unknown.

use super::Lower;
use crate::consteval::{self, size_of};
use crate::data_model::DataModel;
use crate::span::ExprId;
use crate::tree::{BinaryOp, BlockItem, ExprKind, InitKind, StmtKind, UnaryOp};
use crate::types::{ArrayLen, FloatKind, IntKind, QualType, Quals, Type};

impl Lower<'_> {
    fn ty(&self, e: ExprId) -> Type {
        self.tree.types.get(self.tree.exprs[e].ty).clone()
    }

    /// The type after integer promotion.
    pub(super) fn promoted(&mut self, e: ExprId) -> QualType {
        let ty = self.value_type(e);
        match self.tree.types.get(ty) {
            Type::Bool => self.tree.types.int(),
            Type::Int(kind) if kind.rank() < IntKind::Int.rank() => {
                let kind = self.tree.types.model.promoted(*kind);
                self.plain(Type::Int(kind))
            }
            Type::Enum(id) => match self.tree.types.enums[*id].int_kind(&self.tree.types.model) {
                Some(kind) => self.plain(Type::Int(kind)),
                None => self.unknown(),
            },
            _ => ty,
        }
    }

    /// The common type of two arithmetic operands.
    fn common(&mut self, a: ExprId, b: ExprId) -> QualType {
        let (x, y) = (self.promoted(a), self.promoted(b));
        self.common_of(x, y)
    }

    fn common_of(&mut self, x: QualType, y: QualType) -> QualType {
        let (tx, ty) = (
            self.tree.types.get(x).clone(),
            self.tree.types.get(y).clone(),
        );
        let result = match (tx, ty) {
            (Type::Complex(p), Type::Complex(q) | Type::Float(q))
            | (Type::Float(q), Type::Complex(p))
                if p != FloatKind::Other && q != FloatKind::Other =>
            {
                Type::Complex(p.max(q))
            }
            (Type::Complex(p), Type::Int(_)) | (Type::Int(_), Type::Complex(p)) => Type::Complex(p),
            (Type::Float(p), Type::Float(q))
                if p == q || p != FloatKind::Other && q != FloatKind::Other =>
            {
                Type::Float(p.max(q))
            }
            (Type::Float(p), Type::Int(_)) | (Type::Int(_), Type::Float(p)) => Type::Float(p),
            (Type::Int(p), Type::Int(q)) => Type::Int(common_int(&self.tree.types.model, p, q)),
            _ => Type::Unknown,
        };
        self.plain(result)
    }

    pub(super) fn binary_type(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> QualType {
        let (x, y) = (self.value_type(a), self.value_type(b));
        let mut vectors = [x, y].into_iter();
        if let Some(vector) = vectors.find(|ty| matches!(self.tree.types.get(*ty), Type::Vector(_)))
        {
            return self.of_vectors(op, vector);
        }
        if op.is_boolean() {
            return self.tree.types.int();
        }
        let pointer = |l: &Self, t: QualType| matches!(l.tree.types.get(t), Type::Pointer(_));
        match op {
            BinaryOp::Shl | BinaryOp::Shr => self.promoted(a),
            BinaryOp::Add if pointer(self, x) => x,
            BinaryOp::Add if pointer(self, y) => y,
            BinaryOp::Sub if pointer(self, x) && pointer(self, y) => {
                self.plain(Type::Int(self.tree.types.model.difference_type()))
            }
            BinaryOp::Sub if pointer(self, x) => x,
            _ => self.common(a, b),
        }
    }

    /// The type of an operation on vectors of this type, perhaps with a number: a comparison has signed integers as elements.
    fn of_vectors(&mut self, op: BinaryOp, vector: QualType) -> QualType {
        let types = &self.tree.types;
        let Type::Vector(element) = *types.get(vector) else {
            return vector;
        };
        let compares = op.is_boolean() && !matches!(op, BinaryOp::And | BinaryOp::Or);
        let bits = size_of(&self.tree, element).and_then(|bytes| u32::try_from(8 * bytes).ok());
        let signed = bits.and_then(|bits| types.model.unsigned_of(bits));
        match (compares, signed) {
            (false, _) => vector,
            (true, None) => self.unknown(),
            (true, Some(kind)) => {
                let element = self.plain(Type::Int(kind.signed_kind()));
                self.plain(Type::Vector(element))
            }
        }
    }

    pub(super) fn unary_type(&mut self, op: UnaryOp, e: ExprId) -> QualType {
        match op {
            UnaryOp::Not => self.tree.types.int(),
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => self.promoted(e),
            UnaryOp::Real | UnaryOp::Imag => match self.ty(e) {
                Type::Complex(kind) => self.plain(Type::Float(kind)),
                Type::Unknown => self.unknown(),
                _ => self.value_type(e),
            },
        }
    }

    pub(super) fn conditional_type(&mut self, then: ExprId, otherwise: ExprId) -> QualType {
        let (x, y) = (self.value_type(then), self.value_type(otherwise));
        if x == y {
            return x;
        }
        let (tx, ty) = (
            self.tree.types.get(x).clone(),
            self.tree.types.get(y).clone(),
        );
        match (tx, ty) {
            // A null pointer constant takes the other side's type (C11, 6.5.15).
            (Type::Pointer(p), Type::Pointer(q)) => {
                match (
                    self.is_null_constant(otherwise),
                    self.is_null_constant(then),
                ) {
                    (Some(true), _) => x,
                    (Some(false), Some(true)) => y,
                    (Some(false), Some(false)) => self.common_pointer(p, q),
                    _ => self.unknown(),
                }
            }
            // The other side is a null pointer constant.
            (Type::Pointer(_), Type::Int(_)) => x,
            (Type::Int(_), Type::Pointer(_)) => y,
            (Type::Void, _) | (_, Type::Void) => self.plain(Type::Void),
            _ => self.common(then, otherwise),
        }
    }

    /// Whether an expression is `(void *)` of an integer constant expression with the value 0 (C11, 6.3.2.3); `None` if the
    /// value is not computed here.
    fn is_null_constant(&self, e: ExprId) -> Option<bool> {
        let expr = &self.tree.exprs[e];
        let ExprKind::Cast(of) = expr.kind else {
            return Some(false);
        };
        let to_void =
            self.tree.types.pointee(expr.ty).is_some_and(|to| {
                to.quals == Quals::NONE && *self.tree.types.get(to) == Type::Void
            });
        let integer = self.tree.types.is_integer(self.tree.exprs[of].ty);
        if !(to_void && integer && consteval::is_constant(&self.tree, of)) {
            return Some(false);
        }
        consteval::eval(&self.tree, of).map(|value| value == 0)
    }

    fn common_pointer(&mut self, p: QualType, q: QualType) -> QualType {
        let quals = p.quals.union(q.quals);
        let is_void = |l: &Self, t: QualType| *l.tree.types.get(t) == Type::Void;
        let to = match (is_void(self, p), is_void(self, q)) {
            (true, false) | (false, true) => QualType {
                ty: if is_void(self, p) { p.ty } else { q.ty },
                quals,
            },
            _ if p.ty == q.ty => QualType { ty: p.ty, quals },
            _ => return self.unknown(),
        };
        self.tree.types.pointer_to(to)
    }

    /// The type of `({ … })`: the type of its last expression statement, else `void`.
    pub(super) fn block_value(&mut self, block: crate::span::StmtId) -> QualType {
        let StmtKind::Compound { items, .. } = &self.tree.stmts[block].kind else {
            return self.unknown();
        };
        let mut last = match items.last() {
            Some(BlockItem::Stmt(last)) => *last,
            _ => return self.plain(Type::Void),
        };
        while let StmtKind::Labeled { body, .. } = self.tree.stmts[last].kind {
            last = body;
        }
        match self.tree.stmts[last].kind {
            StmtKind::Expr(Some(e)) => self.value_type(e),
            _ => self.plain(Type::Void),
        }
    }

    /// Completes an array type without length by its initializer.
    pub(super) fn completed(&mut self, ty: QualType, init: crate::span::InitId) -> QualType {
        let Type::Array(of, ArrayLen::Unspecified) = *self.tree.types.get(ty) else {
            return ty;
        };
        let len = self
            .init_len(of, init)
            .map_or(ArrayLen::Variable, ArrayLen::Known);
        self.plain(Type::Array(of, len))
    }

    fn init_len(&self, of: QualType, init: crate::span::InitId) -> Option<u64> {
        use crate::tree::{Designator, ExprKind};
        let items = match &self.tree.inits[init].kind {
            InitKind::Expr(e) => {
                return match self.tree.exprs[*e].kind {
                    ExprKind::Str(_) => match self.tree.types.get(self.tree.exprs[*e].ty) {
                        Type::Array(_, ArrayLen::Known(n)) => Some(*n),
                        _ => None,
                    },
                    _ => None,
                }
            }
            InitKind::List(items) => items,
        };
        let scalar = matches!(
            self.tree.types.get(of),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_) | Type::Pointer(_)
        );
        let (mut next, mut len) = (0u64, 0u64);
        for item in items {
            if let InitKind::Expr(e) = self.tree.inits[item.value].kind {
                // `char s[] = {"text"}` and omitted braces have another number of elements.
                if !scalar
                    || matches!(self.tree.exprs[e].kind, ExprKind::Str(_))
                        && !matches!(self.tree.types.get(of), Type::Pointer(_))
                {
                    return None;
                }
            }
            let constant = |e: ExprId| u64::try_from(crate::consteval::eval(&self.tree, e)?).ok();
            match item.designators.first() {
                None => {}
                Some(Designator::Index(e)) => next = constant(*e)?,
                Some(Designator::Range(_, to)) => next = constant(*to)?,
                Some(Designator::Member(_)) => return None,
            }
            next = next.checked_add(1)?;
            len = len.max(next);
        }
        Some(len)
    }

    /// The arm of a generic selection that a controlling expression selects; `None` if a type is
    /// unknown or several arms may be compatible.
    pub(super) fn chosen(
        &mut self,
        control: ExprId,
        arms: &[(Option<QualType>, ExprId)],
    ) -> Option<usize> {
        let ty = self.value_type(control);
        if matches!(self.tree.types.get(ty), Type::Unknown | Type::Vector(_)) {
            return None;
        }
        let mut found = None;
        for (index, (arm, _)) in arms.iter().enumerate() {
            let Some(arm) = arm else { continue };
            match self.tree.types.get(*arm) {
                Type::Unknown | Type::Vector(_) | Type::Enum(_) => return None,
                Type::Array(..) | Type::Function(_) => return None,
                _ if *arm == ty => found = Some(index),
                _ => {}
            }
        }
        if found.is_none() && matches!(self.tree.types.get(ty), Type::Enum(_) | Type::Pointer(_)) {
            // Enumerations are compatible with an integer type, pointers with some others.
            return None;
        }
        found.or_else(|| arms.iter().position(|(arm, _)| arm.is_none()))
    }

    /// Whether a type contains an array of variable length.
    pub(super) fn is_variable(&self, ty: QualType) -> bool {
        let mut at = ty;
        // The nesting of types is bounded like that of the text.
        loop {
            at = match self.tree.types.get(at) {
                Type::Array(_, ArrayLen::Variable) => return true,
                Type::Array(of, _) => *of,
                Type::Pointer(to) => *to,
                _ => return false,
            };
        }
    }

    pub(super) fn unqualified(&self, ty: QualType) -> QualType {
        ty.unqualified()
    }
}

/// The common type of two promoted integers (C17 6.3.1.8).
pub(crate) fn common_int(model: &DataModel, p: IntKind, q: IntKind) -> IntKind {
    if p == q {
        return p;
    }
    if p.signed() == q.signed() {
        return if p.rank() >= q.rank() { p } else { q };
    }
    let (unsigned, signed) = if p.signed() { (q, p) } else { (p, q) };
    if unsigned.rank() >= signed.rank() {
        unsigned
    } else if model.bits(signed) > model.bits(unsigned) {
        signed
    } else {
        signed.unsigned()
    }
}
