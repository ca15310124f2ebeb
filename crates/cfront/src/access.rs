//! What expressions do with objects: which are written, read, or have their address taken.

use std::collections::BTreeMap;

use crate::span::{ExprId, ObjectId};
use crate::tree::{ExprKind, Parent, Resolved, Tree};
use crate::types::{Class, Type};

/// A write that the program text shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Write {
    /// The expression that writes: assignment, `++` or `--`.
    pub expr: ExprId,
    /// What is written: the lvalue.
    pub lvalue: ExprId,
    /// The object that the lvalue's path begins at, if it does not go through a pointer; the
    /// object itself or a part of it is written.
    pub object: Option<ObjectId>,
}

/// The writes in the whole unit that are evaluated, initializers not included.
pub fn writes(tree: &Tree) -> Vec<Write> {
    let mut found = Vec::new();
    for (id, expr) in tree.exprs.iter() {
        if let Some(lvalue) = written(tree, id) {
            if !expr.unevaluated {
                let (root, through_pointer) = tree.root(lvalue);
                let object = root.filter(|_| !through_pointer);
                found.push(Write {
                    expr: id,
                    lvalue,
                    object,
                });
            }
        }
    }
    found
}

/// The lvalue that an expression itself writes, if it is an assignment, `++` or `--`.
pub fn written(tree: &Tree, id: ExprId) -> Option<ExprId> {
    match &tree.exprs[id].kind {
        ExprKind::Assign { lhs, .. } => Some(*lhs),
        ExprKind::IncDec { operand, .. } => Some(*operand),
        _ => None,
    }
}

/// How an identifier's object is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Its value, or a part of it, is read.
    Read,
    /// It, or a part of it, is written.
    Write,
    /// Both: `+=`, `++`.
    ReadWrite,
    /// Its address, or that of a part, becomes a value: `&x`, `&x.m`, `&a[i]`, or an array that
    /// turns into a pointer.
    Address,
    /// Nothing happens to it at run time (`sizeof x`).
    None,
}

/// How the object of an identifier expression is used there.
pub fn usage(tree: &Tree, ident: ExprId) -> Use {
    if tree.exprs[ident].unevaluated {
        return Use::None;
    }
    let mut at = ident;
    loop {
        let Parent::Expr(parent) = tree.exprs[at].parent else {
            return value_use(tree, at);
        };
        match &tree.exprs[parent].kind {
            ExprKind::Member { arrow: false, .. } => at = parent,
            ExprKind::Index { .. } if is_array(tree, at) => at = parent,
            ExprKind::Deref(_) if is_array(tree, at) => at = parent,
            ExprKind::AddressOf(_) => return Use::Address,
            ExprKind::Assign { lhs, op, .. } if *lhs == at => {
                return if op.is_some() {
                    Use::ReadWrite
                } else {
                    Use::Write
                };
            }
            ExprKind::IncDec { .. } => return Use::ReadWrite,
            ExprKind::SizeofExpr(_) => return Use::None,
            _ => return value_use(tree, at),
        }
    }
}

/// A value is used: of an array that is its address.
fn value_use(tree: &Tree, at: ExprId) -> Use {
    match tree.exprs[at].ty {
        ty if matches!(tree.types.class(ty), Class::Array) => Use::Address,
        _ => Use::Read,
    }
}

fn is_array(tree: &Tree, e: ExprId) -> bool {
    matches!(tree.types.get(tree.exprs[e].ty), Type::Array(..))
}

/// The objects whose address is taken, each with the identifiers where that happens. Objects that
/// an assembler statement names are not among them.
pub fn address_taken(tree: &Tree) -> BTreeMap<ObjectId, Vec<ExprId>> {
    let mut found: BTreeMap<ObjectId, Vec<ExprId>> = BTreeMap::new();
    for (id, expr) in tree.exprs.iter() {
        if let ExprKind::Ident(Resolved::Object(object)) = expr.kind {
            if usage(tree, id) == Use::Address {
                found.entry(object).or_default().push(id);
            }
        }
    }
    found
}
