//! The integer types of places and values, and the effect of conversions to them.

use std::collections::BTreeSet;

use cfront::span::ExprId;
use cfront::tree::Tree;
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
    match bit_field(tree, e) {
        Some(Some(kind)) => Some(kind),
        _ => integer(tree, tree.exprs[e].ty),
    }
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
        Type::Pointer(_) | Type::Float(_) | Type::Unknown => false,
        _ => integer(tree, ty) == kind,
    }
}
