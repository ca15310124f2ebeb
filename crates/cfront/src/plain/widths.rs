//! Bit-fields that are wider than `int`. gcc computes with them in the width of the field: with `unsigned long a : 40`, `x.a + 1` has
//! 40 bits. Model checkers, as other compilers, compute in the type of the declaration, so what gcc cuts off is cut off in the
//! text: `((x.a + 1) & 0xfffffffffful)`.

use std::collections::HashMap;

use crate::integers::IntKind;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::ExprId;
use crate::tree::{BinaryOp, ExprKind, Tree, UnaryOp};
use crate::types::Type;

pub(super) fn cut(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let records = tree.types.records.iter();
    let mut members = records.flat_map(|(_, record)| record.members.iter().flatten());
    if !members.any(|m| {
        m.bits
            .is_some_and(|bits| bits > u64::from(tree.types.model.int))
    }) {
        return None;
    }
    let mut writer = Writer {
        tree,
        known: HashMap::new(),
        text: Text::of(unit),
    };
    for (id, expr) in tree.exprs.iter() {
        if !expr.unevaluated {
            writer.expression(id);
        }
    }
    writer.text.changed()
}

/// What gcc computes in.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Width {
    bits: u32,
    /// The type that holds it: the field's, or the type itself where it is one of C.
    kind: IntKind,
    /// Whether it is the width of a bit-field and no type of C.
    is_field: bool,
}

impl Width {
    /// What all its bits are, as a constant of its type.
    fn mask(self) -> String {
        let suffix = match self.kind.unsigned() {
            IntKind::ULongLong => "ull",
            _ => "ul",
        };
        format!("{:#x}{suffix}", (1u128 << self.bits) - 1)
    }
}

struct Writer<'a> {
    tree: &'a Tree,
    known: HashMap<ExprId, Option<Width>>,
    text: Text<'a>,
}

impl Writer<'_> {
    /// The width in which gcc has an expression, where that is a bit-field's.
    fn field(&mut self, e: ExprId) -> Option<Width> {
        if let Some(known) = self.known.get(&e) {
            return *known;
        }
        let found = self.computed(e).filter(|width| width.is_field);
        self.known.insert(e, found);
        found
    }

    fn computed(&mut self, e: ExprId) -> Option<Width> {
        let tree = self.tree;
        match &tree.exprs[e].kind {
            ExprKind::Member { .. } => {
                let member = tree.bit_field(e)?;
                let kind = tree.types.int_kind(member.ty)?;
                let bits = u32::try_from(member.bits?).ok()?;
                let model = &tree.types.model;
                let is_field = model.int < bits && bits < model.bits(kind) && bits < 64;
                is_field.then_some(Width {
                    bits,
                    kind,
                    is_field,
                })
            }
            ExprKind::Unary(UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, of) => {
                self.field(*of)
            }
            ExprKind::IncDec { operand, .. } => self.field(*operand),
            ExprKind::Assign { lhs, .. } => self.field(*lhs),
            ExprKind::Comma(parts) => self.field(*parts.last()?),
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, left, _) => self.field(*left),
            ExprKind::Binary(op, a, b) if !op.is_boolean() => self.common(*a, *b),
            ExprKind::Conditional {
                then: Some(then),
                otherwise,
                ..
            } => self.common(*then, *otherwise),
            _ => None,
        }
    }

    /// The width of an operand: a bit-field's, or that of its promoted type.
    fn operand(&mut self, e: ExprId) -> Option<Width> {
        if let Some(width) = self.field(e) {
            return Some(width);
        }
        let types = &self.tree.types;
        let int = types.model.int;
        let kind = match types.get(self.tree.exprs[e].ty) {
            Type::Bool => IntKind::Int,
            _ => types.int_kind(self.tree.exprs[e].ty)?,
        };
        let narrow = self.tree.bit_field(e).and_then(|m| m.bits);
        let kind = match narrow {
            Some(bits) if bits < u64::from(int) => IntKind::Int,
            _ if kind.rank() < IntKind::Int.rank() => types.model.promoted(kind),
            _ => kind,
        };
        Some(Width {
            bits: types.bits(kind),
            kind,
            is_field: false,
        })
    }

    /// The width in which two operands are computed, if one of them has a bit-field's.
    fn common(&mut self, a: ExprId, b: ExprId) -> Option<Width> {
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        if !(a.is_field || b.is_field) {
            return None;
        }
        Some(match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal if a.kind.signed() => b,
            std::cmp::Ordering::Equal => a,
        })
    }

    fn expression(&mut self, e: ExprId) {
        let tree = self.tree;
        match &tree.exprs[e].kind {
            ExprKind::Unary(UnaryOp::Minus | UnaryOp::BitNot, of) => {
                if let Some(width) = self.field(*of) {
                    self.cut_off(e, width);
                }
            }
            ExprKind::Binary(BinaryOp::Shl, left, _) => {
                if let Some(width) = self.field(*left) {
                    self.cut_off(e, width);
                }
            }
            ExprKind::Binary(BinaryOp::Shr | BinaryOp::And | BinaryOp::Or, ..) => {}
            ExprKind::Binary(op, a, b) => {
                let Some(width) = self.common(*a, *b) else {
                    return;
                };
                let by_value = op.is_boolean() || matches!(op, BinaryOp::Div | BinaryOp::Rem);
                self.converted(*a, width, by_value);
                self.converted(*b, width, by_value);
                if !op.is_boolean() && width.is_field {
                    self.cut_off(e, width);
                }
            }
            ExprKind::Conditional {
                then: Some(then),
                otherwise,
                ..
            } => {
                if let Some(width) = self.common(*then, *otherwise) {
                    self.converted(*then, width, true);
                    self.converted(*otherwise, width, true);
                }
            }
            ExprKind::Assign {
                op: Some(BinaryOp::Div | BinaryOp::Rem),
                lhs,
                rhs,
                ..
            } => {
                if let Some(width) = self.field(*lhs).and_then(|_| self.common(*lhs, *rhs)) {
                    self.converted(*rhs, width, true);
                }
            }
            _ => {}
        }
    }

    /// Converts an operand to the width of an operation. `by_value` says that the result does not only rest on the bits that
    /// stay.
    fn converted(&mut self, e: ExprId, width: Width, by_value: bool) {
        let Some(own) = self.operand(e) else {
            return;
        };
        let span = self.tree.exprs[e].span;
        let unsigned = width.kind.unsigned().spelling();
        match (width.kind.signed(), own.kind.signed()) {
            (false, true) if by_value && width.is_field => {
                self.text.around(
                    span,
                    &format!("(({unsigned})("),
                    &format!(") & {})", width.mask()),
                );
            }
            // The type of the declaration would make the other operand unsigned.
            (true, false) => {
                self.text
                    .open(span, &format!("(({})(", width.kind.spelling()));
                self.text.close(span, "))");
            }
            _ => {}
        }
    }

    /// Cuts off what a bit-field's width has no room for.
    fn cut_off(&mut self, e: ExprId, width: Width) {
        let span = self.tree.exprs[e].span;
        match width.kind.signed() {
            false => {
                self.text
                    .around(span, "((", &format!(") & {})", width.mask()));
            }
            true => {
                let (signed, unsigned) = (width.kind.spelling(), width.kind.unsigned().spelling());
                let rest = self.tree.types.bits(width.kind) - width.bits;
                self.text.around(
                    span,
                    &format!("(({signed})(({unsigned})("),
                    &format!(") << {rest}) >> {rest})"),
                );
            }
        }
    }
}
