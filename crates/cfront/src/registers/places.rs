//! Where a program accesses memory at constant addresses.

use crate::consteval::{eval, size_of};
use crate::span::{ExprId, InitId, Offset, RecordId, TypeId};
use crate::tree::{BinaryOp, ExprKind, InitKind, Parent, Resolved, Tree};
use crate::types::{Class, IntKind, QualType, Quals, Type};

/// What an address points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The address.
    pub address: u64,
    /// The type of what is there.
    pub of: QualType,
}

/// How the text names the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// `*(T *)0x40`, or an element `((T *)0x40)[1]`.
    Object,
    /// `((T *)0x40)->member`.
    Arrow,
    /// The address itself.
    Address,
    /// The address as a number.
    Number,
}

/// An expression that names a place at a constant address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Root {
    /// The expression; of an arrow, the access to the member.
    pub expr: ExprId,
    pub form: Form,
    pub place: Place,
}

/// The place that an expression with a constant address points to.
pub(crate) fn pointed(tree: &Tree, e: ExprId) -> Option<Place> {
    let expr = &tree.exprs[e];
    let of = match tree.types.get(expr.ty) {
        Type::Pointer(of) => *of,
        _ => return None,
    };
    let address = match &expr.kind {
        ExprKind::Cast(inner) if tree.types.is_integer(tree.exprs[*inner].ty) => {
            number(tree, *inner)?
        }
        ExprKind::Cast(inner) => pointed(tree, *inner)?.address,
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let (base, by) = match (pointed(tree, *a), eval(tree, *b)) {
                (Some(base), Some(by)) => (base, by),
                _ => (pointed(tree, *b)?, eval(tree, *a)?),
            };
            let by = if *op == BinaryOp::Sub { -by } else { by };
            moved(tree, base, by)?
        }
        ExprKind::AddressOf(lvalue) => object(tree, *lvalue)?.address,
        ExprKind::Ident(Resolved::Object(o)) => {
            let object = &tree.objects[*o];
            let fixed = object.ty.quals.is_const && object.is_static_duration();
            pointed(tree, initialiser(tree, object.init.filter(|_| fixed)?)?)?.address
        }
        _ => return None,
    };
    Some(Place { address, of })
}

/// The place of an object at a constant address: what a pointer points to, or an element of it.
pub(crate) fn object(tree: &Tree, e: ExprId) -> Option<Place> {
    match &tree.exprs[e].kind {
        ExprKind::Deref(pointer) => pointed(tree, *pointer),
        ExprKind::Index { base, index } => {
            let base = pointed(tree, *base)?;
            let address = moved(tree, base, eval(tree, *index)?)?;
            Some(Place { address, ..base })
        }
        _ => None,
    }
}

fn initialiser(tree: &Tree, init: InitId) -> Option<ExprId> {
    match tree.inits[init].kind {
        InitKind::Expr(e) => Some(e),
        InitKind::List(_) => None,
    }
}

/// A constant other than zero, as an address. Small negative numbers are marks that no object has.
fn number(tree: &Tree, e: ExprId) -> Option<u64> {
    let address = u64::try_from(value(tree, e)?).ok()?;
    let bits = tree.types.model.pointer;
    let end = 1u128 << bits.min(64);
    let usual = address > 0 && u128::from(address) < end - 256;
    usual.then_some(address)
}

/// The value of an integer: a constant, perhaps computed from the number of a constant address.
pub(crate) fn value(tree: &Tree, e: ExprId) -> Option<i128> {
    if let Some(value) = eval(tree, e) {
        return Some(value);
    }
    match &tree.exprs[e].kind {
        ExprKind::Cast(inner) if tree.types.is_integer(tree.exprs[*inner].ty) => {
            value(tree, *inner)
        }
        ExprKind::Cast(inner) => pointed(tree, *inner).map(|place| i128::from(place.address)),
        ExprKind::Binary(BinaryOp::Add, a, b) => value(tree, *a)?.checked_add(value(tree, *b)?),
        ExprKind::Binary(BinaryOp::Sub, a, b) => value(tree, *a)?.checked_sub(value(tree, *b)?),
        _ => None,
    }
}

fn moved(tree: &Tree, base: Place, by: i128) -> Option<u64> {
    let size = i128::from(size(tree, base.of)?);
    u64::try_from(i128::from(base.address).checked_add(by.checked_mul(size)?)?).ok()
}

/// Whether a type is `unsigned char`.
pub(crate) fn is_byte(tree: &Tree, ty: TypeId) -> bool {
    let ty = QualType {
        ty,
        quals: Quals::NONE,
    };
    *tree.types.get(ty) == Type::Int(IntKind::UChar)
}

/// The size of a type in bytes; structures as compilers lay them out, without bit-fields and packing.
pub(crate) fn size(tree: &Tree, ty: QualType) -> Option<u64> {
    match tree.types.get(ty) {
        Type::Record(_) => {
            layout(tree, ty, usize::MAX).map(|(end, align)| end.next_multiple_of(align))
        }
        Type::Array(of, crate::types::ArrayLen::Known(n)) => size(tree, *of)?.checked_mul(*n),
        _ => size_of(tree, ty),
    }
}

/// The end of the members of a record before one, and the alignment of the record.
fn layout(tree: &Tree, ty: QualType, before: usize) -> Option<(u64, u64)> {
    let Type::Record(record) = tree.types.get(ty) else {
        return None;
    };
    let record = &tree.types.records[*record];
    let (mut end, mut greatest) = (0u64, 1);
    for (number, member) in record.members.as_ref()?.iter().enumerate() {
        if member.is_bit_field {
            return None;
        }
        let align = alignment(tree, member.ty)?;
        greatest = greatest.max(align);
        let start = match record.is_union {
            true => 0,
            false => end.next_multiple_of(align),
        };
        if number == before {
            return Some((start, greatest));
        }
        end = end.max(start.checked_add(size(tree, member.ty)?)?);
    }
    Some((end, greatest))
}

fn alignment(tree: &Tree, ty: QualType) -> Option<u64> {
    match tree.types.get(ty) {
        Type::Array(of, _) => alignment(tree, *of),
        Type::Record(_) => layout(tree, ty, usize::MAX).map(|l| l.1),
        _ if tree.types.model.int == 16 => Some(1),
        _ => size_of(tree, ty),
    }
}

/// How far a member is from the beginning of its record, by the path to it.
pub(crate) fn offset(tree: &Tree, e: ExprId) -> Option<u64> {
    let ExprKind::Member {
        base, arrow, path, ..
    } = &tree.exprs[e].kind
    else {
        return None;
    };
    let mut of = tree.exprs[*base].ty;
    if *arrow {
        of = tree.types.pointee(of)?;
    }
    let mut at = 0u64;
    for (record, member) in path {
        at = at.checked_add(layout(tree, of, *member)?.0)?;
        of = tree.types.records[*record]
            .members
            .as_ref()?
            .get(*member)?
            .ty;
    }
    Some(at)
}

/// The type of the record that a type is.
pub(crate) fn record(tree: &Tree, ty: QualType) -> Option<TypeId> {
    matches!(tree.types.get(ty), Type::Record(_)).then_some(ty.ty)
}

/// Adds the records that an object of a type consists of.
pub(crate) fn records(tree: &Tree, ty: QualType, out: &mut Vec<RecordId>) {
    match tree.types.get(ty) {
        Type::Array(of, _) => records(tree, *of, out),
        Type::Record(record) if !out.contains(record) => {
            out.push(*record);
            for member in tree.types.records[*record].members.iter().flatten() {
                records(tree, member.ty, out);
            }
        }
        _ => {}
    }
}

/// All places where a program names objects at constant addresses, outermost first, in the order of the text;
/// none that are only compared, or become numbers. Linear in the program.
pub(crate) fn roots(tree: &Tree) -> Vec<Root> {
    let mut found: Vec<Root> = Vec::new();
    for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
        let root = match &expr.kind {
            ExprKind::Deref(_) | ExprKind::Index { .. } if !is_number(tree, id) => {
                object(tree, id).map(|place| (Form::Object, place))
            }
            ExprKind::Member {
                base, arrow: true, ..
            } => pointed(tree, *base).map(|place| (Form::Arrow, place)),
            ExprKind::Cast(inner) if tree.types.is_integer(expr.ty) => {
                pointed(tree, *inner).map(|place| (Form::Number, place))
            }
            _ if is_address(tree, id) => pointed(tree, id).map(|place| (Form::Address, place)),
            _ => None,
        };
        let Some((form, place)) = root.filter(|(form, place)| is_object(tree, *form, *place))
        else {
            continue;
        };
        found.push(Root {
            expr: id,
            form,
            place,
        });
    }
    let starts = |root: &Root| {
        let span = tree.exprs[root.expr].span;
        (span.start, usize::MAX - span.end)
    };
    found.sort_by_key(starts);
    let mut end: Offset = 0;
    found.retain(|root| {
        let part = replaced(tree, root);
        let fresh = part.0 >= end;
        end = if fresh { part.1 } else { end };
        fresh
    });
    found
}

/// The part of the text that names the object: all of the expression, or what stands before a member.
pub(crate) fn replaced(tree: &Tree, root: &Root) -> (Offset, Offset) {
    let expr = &tree.exprs[root.expr];
    match (&expr.kind, root.form) {
        (ExprKind::Member { base, .. }, Form::Arrow) => {
            let base = tree.exprs[*base].span;
            (base.start, base.end)
        }
        _ => (expr.span.start, expr.span.end),
    }
}

/// Whether a value is a pointer that no expression around it turns into a place or another pointer at a constant
/// address, or into a number.
fn is_address(tree: &Tree, e: ExprId) -> bool {
    if !matches!(tree.exprs[e].kind, ExprKind::Cast(_) | ExprKind::Binary(..)) {
        return false;
    }
    let Parent::Expr(around) = tree.exprs[e].parent else {
        return true;
    };
    match &tree.exprs[around].kind {
        ExprKind::Deref(_) | ExprKind::Index { .. } => object(tree, around).is_none(),
        ExprKind::Member { .. } => false,
        ExprKind::Cast(_) if tree.types.class(tree.exprs[around].ty) != Class::Pointer => false,
        ExprKind::Cast(_) | ExprKind::Binary(..) => pointed(tree, around).is_none(),
        _ => true,
    }
}

/// Whether only the address of an object is taken, as a number.
fn is_number(tree: &Tree, e: ExprId) -> bool {
    let Parent::Expr(around) = tree.exprs[e].parent else {
        return false;
    };
    let Parent::Expr(cast) = tree.exprs[around].parent else {
        return false;
    };
    matches!(tree.exprs[around].kind, ExprKind::AddressOf(_))
        && matches!(tree.exprs[cast].kind, ExprKind::Cast(_))
        && tree.types.is_integer(tree.exprs[cast].ty)
}

/// Whether something of this type can be an object. An address alone names one if it is the address of registers: of
/// a structure, or of something volatile.
fn is_object(tree: &Tree, form: Form, place: Place) -> bool {
    let record = record(tree, place.of).is_some();
    match tree.types.get(place.of) {
        Type::Void | Type::Function(_) => false,
        Type::Unknown | Type::Vector(_) | Type::VaList => false,
        _ if matches!(form, Form::Object | Form::Arrow) => true,
        _ => (record || place.of.quals.is_volatile) && !is_mark(tree, place),
    }
}

/// Whether no object of the pointer's type can be at an address, so that the program only compares it: kernels mark
/// the ends of their structures by `(struct node *)1`.
fn is_mark(tree: &Tree, place: Place) -> bool {
    match tree.types.get(place.of) {
        Type::Record(r) if tree.types.records[*r].members.is_none() => true,
        _ => alignment(tree, place.of).is_some_and(|align| place.address % align.max(1) != 0),
    }
}
