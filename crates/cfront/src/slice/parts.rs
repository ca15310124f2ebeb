//! The parts of memory that a slice distinguishes.

use std::collections::BTreeSet;

use crate::span::{ExprId, ObjectId, RecordId};
use crate::tree::{ExprKind, Resolved, StmtKind, Tree};
use crate::types::{QualType, Type};

/// A part of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    /// A variable that is no structure; an array as a whole.
    Object(ObjectId),
    /// A member that is no structure, of all structures of a type; an array as a whole.
    Member(RecordId, usize),
}

/// The type of the innermost elements of an array; another type itself.
fn element(tree: &Tree, mut ty: QualType) -> QualType {
    while let Type::Array(of, _) = tree.types.get(ty) {
        ty = *of;
    }
    ty
}

/// Whether values of a type, or of the elements of an array type, are structures.
pub(super) fn is_record(tree: &Tree, ty: QualType) -> bool {
    matches!(tree.types.get(element(tree, ty)), Type::Record(_))
}

/// The part that an expression names. Structures are none: who copies one reads none of its members.
pub(super) fn named_by(tree: &Tree, e: ExprId) -> Option<Part> {
    let expr = &tree.exprs[e];
    if is_record(tree, expr.ty) {
        return None;
    }
    match &expr.kind {
        ExprKind::Ident(Resolved::Object(object)) => Some(Part::Object(*object)),
        ExprKind::Member { path, .. } => path.last().map(|&(record, n)| Part::Member(record, n)),
        _ => None,
    }
}

/// Whether a program looks at a member of a structure whose type is not known.
pub(super) fn are_unknown(tree: &Tree) -> bool {
    let mut all = tree.exprs.iter();
    all.any(|(_, expr)| matches!(&expr.kind, ExprKind::Member { path, .. } if path.is_empty()))
}

/// The expression that names the part in which an lvalue lies: the lvalue without indices of arrays. `None` where it goes through a
/// pointer to anything but a structure.
pub(super) fn root(tree: &Tree, mut e: ExprId) -> Option<ExprId> {
    let is_array = |e: ExprId| matches!(tree.types.get(tree.exprs[e].ty), Type::Array(..));
    loop {
        match &tree.exprs[e].kind {
            ExprKind::Index { base, .. } if is_array(*base) => e = *base,
            ExprKind::Index { index, .. } if is_array(*index) => e = *index,
            ExprKind::Deref(inner) if is_array(*inner) => e = *inner,
            _ => return named_by(tree, e).map(|_| e),
        }
    }
}

/// The parts with some of these names, those that assembler names, and those of others.
pub(super) fn named<'a>(
    tree: &'a Tree,
    names: &BTreeSet<&'a str>,
) -> impl Iterator<Item = Part> + 'a {
    let mut names = names.clone();
    names.extend(tree.assembler_words.iter().map(|(word, _)| word.as_str()));
    for (_, stmt) in tree.stmts.iter() {
        if let StmtKind::Asm { mentions, .. } = &stmt.kind {
            names.extend(mentions.iter().map(|(name, _)| name.as_str()));
        }
    }
    let objects = tree.objects.iter();
    let objects: Vec<Part> = objects
        // The library may look at objects that it defines.
        .filter(|(_, object)| !object.defined || names.contains(object.name.as_str()))
        .map(|(id, _)| Part::Object(id))
        .collect();
    let records = tree.types.records.iter();
    let members = records.flat_map(|(id, record)| {
        let all = record.members.iter().flatten().enumerate();
        all.map(move |(n, member)| (id, n, member.name.as_deref()))
    });
    let members: Vec<Part> = members
        .filter(|(_, _, name)| name.is_some_and(|name| names.contains(name)))
        .map(|(id, n, _)| Part::Member(id, n))
        .collect();
    objects.into_iter().chain(members)
}
