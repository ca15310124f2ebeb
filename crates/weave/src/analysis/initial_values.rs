//! The initial values of static objects, scalar by scalar.

use std::collections::{BTreeMap, BTreeSet};

use cfront::consteval::eval;
use cfront::span::{InitId, ObjectId};
use cfront::tree::{Designator, InitItem, InitKind, Tree};
use cfront::types::{ArrayLen, Member, QualType, Type};

/// The values of the scalars that an initialiser names, by their paths; all others are 0. `None` if some value
/// is no integer constant, if the initialiser omits braces, or if the object has bit-fields.
pub(crate) fn values(tree: &Tree, object: ObjectId) -> Option<BTreeMap<String, i64>> {
    let object = &tree.objects[object];
    let mut out = BTreeMap::new();
    if has_bit_fields(tree, object.ty) {
        return None;
    }
    if let Some(init) = object.init {
        fill(tree, object.ty, init, String::new(), &mut out)?;
    }
    Some(out)
}

fn has_bit_fields(tree: &Tree, ty: QualType) -> bool {
    match tree.types.get(ty) {
        Type::Array(element, _) => has_bit_fields(tree, *element),
        Type::Record(_) => members(tree, ty).is_none_or(|all| {
            all.iter()
                .any(|m| m.is_bit_field || has_bit_fields(tree, m.ty))
        }),
        _ => false,
    }
}

/// The members of a structure.
fn members(tree: &Tree, ty: QualType) -> Option<&[Member]> {
    match tree.types.get(ty) {
        Type::Record(record) => tree.types.records[*record].members.as_deref(),
        _ => None,
    }
}

fn fill(
    tree: &Tree,
    ty: QualType,
    init: InitId,
    way: String,
    out: &mut BTreeMap<String, i64>,
) -> Option<()> {
    let scalar = matches!(
        tree.types.get(ty),
        Type::Bool | Type::Int(_) | Type::Enum(_)
    );
    match &tree.inits[init].kind {
        InitKind::Expr(value) if scalar => {
            out.insert(way, i64::try_from(eval(tree, *value)?).ok()?);
        }
        InitKind::List(items) if !scalar => {
            let (mut next, mut seen) = (0, BTreeSet::new());
            for item in items {
                let (number, step, ty) = part(tree, ty, item, next)?;
                // A later value for the same part replaces all of the earlier one, which is not followed here.
                seen.insert(number).then_some(())?;
                fill(tree, ty, item.value, way.clone() + &step, out)?;
                next = number + 1;
            }
        }
        _ => return None,
    }
    Some(())
}

/// The part of an array or structure that an element of its initialiser is for: its number, the step to it and
/// its type.
fn part(
    tree: &Tree,
    ty: QualType,
    item: &InitItem,
    next: usize,
) -> Option<(usize, String, QualType)> {
    match (tree.types.get(ty), item.designators.as_slice()) {
        (Type::Array(element, ArrayLen::Known(_)), designators) => {
            let number = match designators {
                [] => next,
                [Designator::Index(index)] => usize::try_from(eval(tree, *index)?).ok()?,
                _ => return None,
            };
            Some((number, format!("[{number}]"), *element))
        }
        (Type::Record(record), designators) if !tree.types.records[*record].is_union => {
            let all = members(tree, ty)?;
            let number = match designators {
                [] => next,
                [Designator::Member(name)] => {
                    all.iter().position(|m| m.name.as_deref() == Some(name))?
                }
                _ => return None,
            };
            let member = all.get(number)?;
            Some((number, format!(".{}", member.name.as_ref()?), member.ty))
        }
        _ => None,
    }
}
