//! The integer types of places and values, and the effect of conversions to them.

use std::collections::BTreeSet;

use cfront::consteval::eval;
use cfront::span::ExprId;
use cfront::tree::{ExprKind, Tree};
use cfront::types::{Member, QualType, Type};

/// The width of an integer type in bits, and whether it is signed.
pub fn integer(tree: &Tree, ty: QualType) -> Option<(u32, bool)> {
    match tree.types.get(ty) {
        Type::Bool => Some((1, false)),
        _ => {
            let kind = tree.types.int_kind(ty)?;
            Some((tree.types.bits(kind), tree.types.signed(kind)))
        }
    }
}

/// The width and sign of an integer type; `None` for other or unknown types.
pub type Kind = Option<(u32, bool)>;

/// The kind of the bit-field that an lvalue designates: a stored value wraps around at the bit-field's width,
/// not at that of its type.
pub fn bit_field(tree: &Tree, lvalue: ExprId) -> Option<Kind> {
    field(tree, tree.bit_field(lvalue)?)
}

/// The kind of the values of an expression.
pub fn kind_of(tree: &Tree, e: ExprId) -> Kind {
    let of_type = integer(tree, tree.exprs[e].ty);
    match (bit_field(tree, e), &tree.exprs[e].kind) {
        (Some(Some(kind)), _) => Some(kind),
        (
            _,
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            },
        ) => {
            // A narrow value or a constant is still narrow, although its type is that of both.
            let narrow = either(tree, then.unwrap_or(*cond), *otherwise);
            let fits = |k: &(u32, bool)| of_type.is_some_and(|to| keeps(*k, to));
            narrow.filter(fits).or(of_type)
        }
        _ => of_type,
    }
}

/// The kind of one of two values.
fn either(tree: &Tree, a: ExprId, b: ExprId) -> Kind {
    let (of_a, of_b) = (kind_of(tree, a)?, kind_of(tree, b)?);
    let holds = |(bits, signed): (u32, bool), e: ExprId| {
        let (low, high) = match signed {
            true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            false => (0, (1i128 << bits) - 1),
        };
        eval(tree, e).is_some_and(|c| low <= c && c <= high)
    };
    match (of_a, of_b) {
        (a, b) if a == b => Some(a),
        (kind, _) if holds(kind, b) => Some(kind),
        (_, kind) if holds(kind, a) => Some(kind),
        _ => None,
    }
}

/// Whether each value of a type is one of another type.
pub fn keeps((from, signed): (u32, bool), (bits, sign): (u32, bool)) -> bool {
    (signed == sign && from <= bits) || (!signed && from < bits)
}

/// The kind of a value after integer promotion: a type narrower than `int` becomes `int`.
pub fn promoted((bits, signed): (u32, bool)) -> (u32, bool) {
    match bits < 32 {
        true => (32, true),
        false => (bits, signed),
    }
}

fn field(tree: &Tree, member: &Member) -> Option<Kind> {
    let width = |(_, signed)| Some((u32::try_from(member.bits?).ok()?, signed));
    member
        .is_bit_field
        .then(|| integer(tree, member.ty).and_then(width))
}

/// The kinds of the scalars that a type contains, with the widths of bit-fields; `None` among them for a scalar
/// that is no integer.
pub fn scalars(tree: &Tree, ty: QualType) -> BTreeSet<Kind> {
    match tree.types.get(ty) {
        Type::Array(element, _) => scalars(tree, *element),
        Type::Record(record) => {
            let members = tree.types.records[*record].members.iter().flatten();
            let one = |m: &Member| match field(tree, m) {
                Some(kind) => BTreeSet::from([kind]),
                None => scalars(tree, m.ty),
            };
            members.flat_map(one).collect()
        }
        _ => BTreeSet::from([integer(tree, ty)]),
    }
}

/// Whether a type is, or contains, this integer type. Unions are not decomposed.
pub fn holds(tree: &Tree, ty: QualType, kind: Kind) -> bool {
    match tree.types.get(ty) {
        Type::Array(element, _) => holds(tree, *element, kind),
        Type::Record(record) => {
            let record = &tree.types.records[*record];
            let mut members = record.members.iter().flatten();
            !record.is_union && members.any(|m| holds(tree, m.ty, kind))
        }
        Type::Pointer(_) | Type::Float(_) | Type::Vector(_) | Type::Unknown => false,
        _ => integer(tree, ty) == kind,
    }
}
