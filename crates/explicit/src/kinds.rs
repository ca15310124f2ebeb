//! The integer types of places and values: what a conversion to them leaves of a number.

use std::collections::BTreeSet;

use cfront::span::ExprId;
use cfront::tree::Tree;
use cfront::types::{Member, QualType, Type};

/// How wide an integer type is, and whether it has a sign.
pub fn integer(tree: &Tree, ty: QualType) -> Option<(u32, bool)> {
    match tree.types.get(ty) {
        Type::Bool => Some((1, false)),
        _ => {
            let kind = tree.types.int_kind(ty)?;
            Some((kind.bits(), tree.types.signed(kind)))
        }
    }
}

/// Width and sign of an integer type; nothing for what is none, or is not known.
pub type Kind = Option<(u32, bool)>;

/// Of the bit-field that an lvalue means: what is stored there wraps around at its width, not at that of its
/// type.
pub fn bit_field(tree: &Tree, lvalue: ExprId) -> Option<Kind> {
    field(tree, tree.bit_field(lvalue)?)
}

/// Of the values that an expression can have.
pub fn kind_of(tree: &Tree, e: ExprId) -> Kind {
    match bit_field(tree, e) {
        Some(Some(kind)) => Some(kind),
        _ => integer(tree, tree.exprs[e].ty),
    }
}

/// The type in which a value of a type is computed: that of what is narrower than `int` is `int`.
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

/// The types of the scalars that a type has somewhere, with the widths of bit-fields; nothing for what is no integer.
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

/// Whether a type is, or has somewhere, this integer type. Unions are not taken apart.
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
