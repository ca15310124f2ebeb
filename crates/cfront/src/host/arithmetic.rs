//! Conversions and overflows, made explicit.

use std::ops::RangeInclusive;

use crate::consteval::eval;
use crate::diag::Diagnostic;
use crate::edit::Edits;
use crate::integers::IntKind;
use crate::library::{estimated, is_pure};
use crate::lower::typing::common_int;
use crate::parse::Unit;
use crate::span::{ExprId, Span};
use crate::tree::{BinaryOp, ExprKind, Label, Parent, Resolved, StmtKind, Tree, UnaryOp};
use crate::types::{Class, FloatKind, Type};

use super::{around, refused, specifiers, Program};

/// The compiler's functions that mean the same for all types of their arguments.
const BUILTINS: [&str; 12] = [
    "__builtin_expect",
    "__builtin_unreachable",
    "__builtin_trap",
    "__builtin_constant_p",
    "__builtin_frame_address",
    "__builtin_memcpy",
    "__builtin_memset",
    "__builtin_memcmp",
    "__builtin_memmove",
    "__builtin_add_overflow",
    "__builtin_sub_overflow",
    "__builtin_mul_overflow",
];

/// The half of a number of 32 bits that is not used by one of 16.
const HALF: &str = "65536";

/// Makes the conversions of a program explicit that are others here.
pub(super) fn explicit(of: &Program, edits: &mut Edits) -> Result<(), Diagnostic> {
    let unit = of.unit;
    let writer = Writer {
        unit,
        tree: &unit.tree,
        narrow: unit.tree.types.model.int == 16,
    };
    for (id, _) in unit.tree.exprs.iter().filter(|(id, _)| of.has(*id)) {
        let (before, after) = writer.outer(id)?;
        let span = unit.tree.exprs[id].span;
        if !before.is_empty() {
            around(edits, span, &before, &after);
        }
        writer.inner(id, edits)?;
    }
    writer.labels(edits);
    Ok(())
}

struct Writer<'a> {
    unit: &'a Unit,
    tree: &'a Tree,
    /// Whether `int` has 16 bits.
    narrow: bool,
}

impl Writer<'_> {
    fn kind(&self, e: ExprId) -> Option<IntKind> {
        let ty = self.tree.exprs[e].ty;
        match self.tree.types.get(ty) {
            Type::Bool => Some(IntKind::UChar),
            _ => self.tree.types.int_kind(ty),
        }
    }

    /// The type of a value after promotion.
    fn promoted(&self, e: ExprId) -> Option<IntKind> {
        let (kind, model) = (self.kind(e)?, &self.tree.types.model);
        let bits = self.tree.bit_field(e).and_then(|member| member.bits);
        match bits {
            Some(bits) if bits < u64::from(model.int) && kind.rank() <= IntKind::Int.rank() => {
                Some(IntKind::Int)
            }
            _ if kind.rank() < IntKind::Int.rank() => Some(model.promoted(kind)),
            _ => Some(kind),
        }
    }

    fn is_wide_half(&self, kind: IntKind) -> bool {
        self.narrow && self.tree.types.bits(kind) == 16
    }

    /// The type in which an operator computes; `None` if it computes with no integers.
    fn computes_in(&self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<IntKind> {
        match op {
            BinaryOp::Shl | BinaryOp::Shr => self.promoted(a),
            BinaryOp::And | BinaryOp::Or => None,
            _ => Some(common_int(
                &self.tree.types.model,
                self.promoted(a)?,
                self.promoted(b)?,
            )),
        }
    }

    /// The values that an expression may have.
    fn values(&self, e: ExprId) -> Option<RangeInclusive<i128>> {
        if let Some(value) = eval(self.tree, e) {
            return Some(value..=value);
        }
        let (low, high) = self.tree.types.model.range(self.kind(e)?)?;
        Some(low..=high)
    }

    /// Whether a signed operation never leaves 16 bits.
    fn stays(&self, op: BinaryOp, a: ExprId, b: ExprId) -> bool {
        let (Some(x), Some(y)) = (self.values(a), self.values(b)) else {
            return false;
        };
        let ends = [
            (*x.start(), *y.start()),
            (*x.start(), *y.end()),
            (*x.end(), *y.start()),
            (*x.end(), *y.end()),
        ];
        ends.into_iter().all(|(p, q)| {
            let result = match op {
                BinaryOp::Add => p.checked_add(q),
                BinaryOp::Sub => p.checked_sub(q),
                BinaryOp::Mul => p.checked_mul(q),
                _ => None,
            };
            result.is_some_and(|v| (-32768..=32767).contains(&v))
        })
    }

    /// What stands around an expression because of the operator that takes it.
    fn outer(&self, e: ExprId) -> Result<(String, String), Diagnostic> {
        let none = || Ok((String::new(), String::new()));
        let cast = |ty: &str| Ok((format!("({ty})("), ")".to_owned()));
        if !self.narrow {
            return none();
        }
        let Parent::Expr(parent) = self.tree.exprs[e].parent else {
            return none();
        };
        match &self.tree.exprs[parent].kind {
            ExprKind::Binary(op, a, b) => self.operand(e, *op, (*a, *b)),
            ExprKind::Assign {
                op: Some(op),
                lhs,
                rhs,
                ..
            } if *rhs == e => {
                let Some(of) = self.computes_in(*op, *lhs, *rhs) else {
                    return none();
                };
                if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
                    return Ok(self.count(e, of));
                }
                if !self.is_wide_half(of) || of.signed() {
                    return none();
                }
                // The operand on the other side is in memory: it cannot be converted first.
                let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
                if divides && self.promoted(*lhs).is_some_and(IntKind::signed) {
                    let span = self.tree.exprs[parent].span;
                    return Err(refused(span, "this division"));
                }
                cast("unsigned int)(unsigned short")
            }
            ExprKind::Unary(UnaryOp::Minus, _) => match self.promoted(e) {
                Some(of) if self.is_wide_half(of) && of.signed() && !self.negates_well(e) => {
                    Ok(("((".to_owned(), format!(") * {HALF})")))
                }
                _ => none(),
            },
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } if *then == Some(e) || *otherwise == e => {
                let kinds = self
                    .promoted(then.unwrap_or(*cond))
                    .zip(self.promoted(*otherwise));
                let of = kinds.map(|(a, b)| common_int(&self.tree.types.model, a, b));
                match of {
                    Some(of) if then.is_none() && self.converts(*cond, of) => {
                        Err(refused(self.tree.exprs[parent].span, "this choice"))
                    }
                    Some(of) if self.converts(e, of) => cast("unsigned short"),
                    _ => none(),
                }
            }
            _ => none(),
        }
    }

    /// Whether the conversion of an operand to the common type may change its value.
    fn converts(&self, e: ExprId, to: IntKind) -> bool {
        let negative = self.values(e).is_none_or(|values| *values.start() < 0);
        self.is_wide_half(to) && !to.signed() && negative
    }

    fn negates_well(&self, e: ExprId) -> bool {
        self.values(e).is_some_and(|v| *v.start() > -32768)
    }

    fn operand(
        &self,
        e: ExprId,
        op: BinaryOp,
        (a, b): (ExprId, ExprId),
    ) -> Result<(String, String), Diagnostic> {
        let none = Ok((String::new(), String::new()));
        let Some(of) = self.computes_in(op, a, b) else {
            return none;
        };
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) && e == b {
            return Ok(self.count(e, of));
        }
        if !self.is_wide_half(of) {
            return none;
        }
        if of.signed() {
            let upper = match op {
                BinaryOp::Add | BinaryOp::Sub => !self.stays(op, a, b),
                BinaryOp::Mul => e == a && !self.stays(op, a, b),
                BinaryOp::Div => e == a && self.may_be_minus_one(b),
                _ => false,
            };
            return match upper {
                true => Ok(("((".to_owned(), format!(") * {HALF})"))),
                false => none,
            };
        }
        // Products and shifts of unsigned numbers would overflow in the signed type here.
        let first = e == a && matches!(op, BinaryOp::Mul | BinaryOp::Shl);
        match (self.converts(e, of), first) {
            (true, true) => Ok(("(unsigned int)(unsigned short)(".into(), ")".into())),
            (true, false) => Ok(("(unsigned short)(".into(), ")".into())),
            (false, true) => Ok(("(unsigned int)(".into(), ")".into())),
            (false, false) => none,
        }
    }

    fn may_be_minus_one(&self, e: ExprId) -> bool {
        self.values(e).is_none_or(|values| values.contains(&-1))
    }

    /// What stands around the count of a shift: one that is out of range is so here, too.
    fn count(&self, e: ExprId, of: IntKind) -> (String, String) {
        let bits = self.tree.types.bits(of);
        let inside = self
            .values(e)
            .is_some_and(|v| *v.start() >= 0 && *v.end() < i128::from(bits));
        match self.is_wide_half(of) && !inside {
            true => ("ba_x_count((".into(), format!("), {bits})")),
            false => (String::new(), String::new()),
        }
    }

    /// What stands around an expression because of what it is itself.
    fn inner(&self, e: ExprId, edits: &mut Edits) -> Result<(), Diagnostic> {
        let expr = &self.tree.exprs[e];
        let model = &self.tree.types.model;
        let cast = |kind: IntKind| format!("(({})(", specifiers::here(model, kind));
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Char(_) => {
                let Some(kind) = self.kind(e) else {
                    return Err(refused(expr.span, "this constant"));
                };
                let same = match kind {
                    IntKind::Int => !expr.unevaluated || !self.narrow,
                    IntKind::UInt => !self.narrow,
                    IntKind::LongLong | IntKind::ULongLong => true,
                    _ => false,
                };
                if !same {
                    around(edits, expr.span, &cast(kind), "))");
                }
            }
            ExprKind::Ident(Resolved::EnumConst(..)) if self.narrow && expr.unevaluated => {
                around(edits, expr.span, &cast(IntKind::Int), "))");
            }
            ExprKind::Float => {
                let double = matches!(
                    self.tree.types.get(expr.ty),
                    Type::Float(FloatKind::Double | FloatKind::LongDouble)
                );
                if double && model.double == 32 {
                    around(edits, expr.span, "((float)(", "))");
                }
            }
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => {
                around(edits, expr.span, &cast(model.size_type()), "))");
            }
            ExprKind::Binary(op, a, b) => {
                if !op.is_boolean() {
                    self.refuse_bits(*a).and(self.refuse_bits(*b))?;
                }
                self.binary(e, (*op, *a, *b), edits);
            }
            ExprKind::Unary(op, of) if self.narrow => {
                self.refuse_bits(*of)?;
                self.unary(e, *op, *of, edits);
            }
            ExprKind::Assign {
                op: Some(op),
                op_span,
                lhs,
                rhs,
            } if self.narrow => return self.assigned(e, (*op, *op_span), (*lhs, *rhs), edits),
            ExprKind::IncDec {
                prefix,
                increment,
                operand,
            } if self.narrow => return self.stepped(e, (*prefix, *increment), *operand, edits),
            ExprKind::Call { callee, .. } => return self.called(e, *callee, edits),
            _ => {}
        }
        Ok(())
    }

    /// Refuses an unsigned bit-field in arithmetic, which is signed there.
    fn refuse_bits(&self, e: ExprId) -> Result<(), Diagnostic> {
        let widened = self.tree.bit_field(e).is_some() && self.kind(e) == Some(IntKind::UInt);
        match widened && self.narrow {
            true => Err(refused(self.tree.exprs[e].span, "this bit-field")),
            false => Ok(()),
        }
    }

    fn binary(&self, e: ExprId, (op, a, b): (BinaryOp, ExprId, ExprId), edits: &mut Edits) {
        let (span, model) = (self.tree.exprs[e].span, &self.tree.types.model);
        let pointer = |e| {
            let class = self.tree.types.class(self.tree.exprs[e].ty);
            matches!(class, Class::Pointer | Class::Array)
        };
        if op == BinaryOp::Sub && pointer(a) && pointer(b) {
            let difference = specifiers::here(model, model.difference_type());
            return around(edits, span, &format!("(({difference})("), "))");
        }
        let unevaluated = self.tree.exprs[e].unevaluated;
        if op.is_boolean() {
            if self.narrow && unevaluated {
                around(edits, span, "((short)(", "))");
            }
            return;
        }
        let Some(of) = self
            .computes_in(op, a, b)
            .filter(|of| self.is_wide_half(*of))
        else {
            return;
        };
        if !of.signed() {
            around(edits, span, "((unsigned short)(", "))");
            return;
        }
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if !self.stays(op, a, b) => {
                around(edits, span, "((short)((", ") >> 16))");
            }
            BinaryOp::Div if self.may_be_minus_one(b) => {
                around(edits, span, "((short)((", &format!(") / {HALF}))"));
            }
            BinaryOp::Shl => around(edits, span, "((short)(", "))"),
            _ if unevaluated => around(edits, span, "((short)(", "))"),
            _ => {}
        }
    }

    fn unary(&self, e: ExprId, op: UnaryOp, of: ExprId, edits: &mut Edits) {
        let expr = &self.tree.exprs[e];
        let kind = match op {
            UnaryOp::Not => Some(IntKind::Int).filter(|_| expr.unevaluated),
            _ => self.promoted(of),
        };
        let Some(kind) = kind.filter(|kind| self.is_wide_half(*kind)) else {
            return;
        };
        match (op, kind.signed()) {
            (_, false) => around(edits, expr.span, "((unsigned short)(", "))"),
            (UnaryOp::Minus, true) if !self.negates_well(of) => {
                around(edits, expr.span, "((short)((", ") >> 16))");
            }
            _ if expr.unevaluated => around(edits, expr.span, "((short)(", "))"),
            _ => {}
        }
    }

    /// A compound assignment of 16 bits that may overflow.
    fn assigned(
        &self,
        e: ExprId,
        (op, op_span): (BinaryOp, Span),
        (lhs, rhs): (ExprId, ExprId),
        edits: &mut Edits,
    ) -> Result<(), Diagnostic> {
        let of = self.computes_in(op, lhs, rhs);
        let checked = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => !self.stays(op, lhs, rhs),
            BinaryOp::Div => self.may_be_minus_one(rhs),
            _ => false,
        };
        if !checked || !of.is_some_and(|of| self.is_wide_half(of) && of.signed()) {
            return Ok(());
        }
        let object = self.object(e, lhs)?;
        let value = self.tree.exprs[rhs].span;
        around(edits, op_span, "/*", "*/");
        let (half, back) = match op {
            BinaryOp::Div => (String::new(), format!(") / {HALF}))")),
            BinaryOp::Mul => (String::new(), ") >> 16))".to_owned()),
            _ => (format!(" * {HALF}"), ") >> 16))".to_owned()),
        };
        let before = format!("= ((short)((({object}) * {HALF} {} (", op.spelling());
        around(edits, value, &before, &format!("){half}{back}"));
        Ok(())
    }

    /// `++` and `--` of 16 bits.
    fn stepped(
        &self,
        e: ExprId,
        (prefix, increment): (bool, bool),
        operand: ExprId,
        edits: &mut Edits,
    ) -> Result<(), Diagnostic> {
        let expr = &self.tree.exprs[e];
        let kind = self.kind(operand);
        if !kind.is_some_and(|kind| self.is_wide_half(kind) && kind.signed()) {
            return Ok(());
        }
        if !prefix && self.tree.bit_field(operand).is_some() {
            return Err(refused(expr.span, "this bit-field"));
        }
        let object = self.object(e, operand)?;
        let sign = if increment { '+' } else { '-' };
        let back = if increment { '-' } else { '+' };
        let step = format!("{object} = ((short)((({object}) * {HALF} {sign} {HALF}) >> 16))");
        let text = match prefix {
            true => format!("*/({step})"),
            false => format!("*/(({step}), (short)({object} {back} 1))"),
        };
        around(edits, expr.span, "/*", &text);
        Ok(())
    }

    /// The text of an object that an expression names, which can be repeated.
    fn object(&self, e: ExprId, lhs: ExprId) -> Result<String, Diagnostic> {
        match self.is_plain(lhs) {
            true => {
                let text = self.unit.text_of(self.tree.exprs[lhs].span);
                Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            false => Err(refused(self.tree.exprs[e].span, "this write")),
        }
    }

    fn is_plain(&self, e: ExprId) -> bool {
        match &self.tree.exprs[e].kind {
            ExprKind::Ident(Resolved::Object(_)) => true,
            ExprKind::Deref(of) => self.is_plain(*of),
            ExprKind::Member { base, .. } => self.is_plain(*base),
            ExprKind::Index { base, index } => {
                let constant = match self.tree.exprs[*index].kind {
                    ExprKind::Int(_) => self.kind(*index) == Some(IntKind::Int),
                    _ => self.is_plain(*index),
                };
                constant && self.is_plain(*base)
            }
            _ => false,
        }
    }

    /// A call of the compiler's or the library's functions: those of this machine have other types.
    fn called(&self, e: ExprId, callee: ExprId, edits: &mut Edits) -> Result<(), Diagnostic> {
        let (expr, name) = (&self.tree.exprs[e], &self.tree.exprs[callee]);
        match &name.kind {
            ExprKind::Ident(Resolved::Unknown(builtin)) => {
                let known = !self.narrow || BUILTINS.contains(&builtin.as_str());
                known
                    .then_some(())
                    .ok_or_else(|| refused(name.span, "this function of the compiler"))
            }
            ExprKind::Ident(Resolved::Function(f)) => {
                let function = &self.tree.functions[*f];
                if function.body.is_some() || !is_pure(&function.name) {
                    return Ok(());
                }
                // Libraries differ in the last digits.
                if estimated(&function.name).is_some() {
                    return Err(refused(
                        name.span,
                        "this function of the mathematical library",
                    ));
                }
                around(
                    edits,
                    name.bare,
                    "/*",
                    &format!("*/__builtin_{}", function.name),
                );
                let model = &self.tree.types.model;
                let ty = match (self.kind(e), self.tree.types.get(expr.ty)) {
                    (Some(kind), _) => specifiers::here(model, kind),
                    (None, Type::Float(_)) if model.double == 32 => "float",
                    _ => return Ok(()),
                };
                around(edits, expr.span, &format!("(({ty})("), "))");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Labels of a `switch` are converted to the type of its value.
    fn labels(&self, edits: &mut Edits) {
        if !self.narrow {
            return;
        }
        for (id, stmt) in self.tree.stmts.iter() {
            let StmtKind::Labeled { label, .. } = &stmt.kind else {
                continue;
            };
            let values = match label {
                Label::Case(value) => vec![*value],
                Label::CaseRange(from, to) => vec![*from, *to],
                _ => continue,
            };
            let mut at = Parent::Stmt(id);
            let of = loop {
                let Parent::Stmt(around) = at else { break None };
                match &self.tree.stmts[around].kind {
                    StmtKind::Switch { cond, .. } => break self.promoted(*cond),
                    _ => at = self.tree.stmts[around].parent,
                }
            };
            let Some(of) = of.filter(|of| self.is_wide_half(*of)) else {
                continue;
            };
            let ty = specifiers::here(&self.tree.types.model, of);
            for value in values {
                let span = self.tree.exprs[value].span;
                around(edits, span, &format!("(({ty})("), "))");
            }
        }
    }
}
