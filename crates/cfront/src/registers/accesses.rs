//! What a program does with an object: reads, writes, updates, or takes its address.

use crate::span::{ExprId, Span};
use crate::tree::{ExprKind, Parent, Tree};
use crate::types::{QualType, Type};

use super::places;

/// What an expression does with an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum How {
    Read,
    Write,
    /// `x op= value`
    Update {
        op: &'static str,
        op_span: Span,
        value: ExprId,
    },
    /// `x++` and the like; whether the value is used.
    Step {
        around: ExprId,
        op: &'static str,
        used: bool,
    },
    /// The address goes elsewhere.
    Address,
}

/// An access of an object or of a part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    /// The expression that names the accessed part.
    pub whole: ExprId,
    /// The members on the way to it.
    pub path: Vec<String>,
    /// How far it is from the beginning of the object, without the indices of elements; `None` if that is not known.
    pub offset: Option<u64>,
    pub ty: QualType,
    /// Whether the program says that it only reads it.
    pub constant: bool,
    pub how: How,
}

/// What the program does with the object that an expression names, or with the part of it that is accessed.
pub(crate) fn access(tree: &Tree, root: ExprId) -> Access {
    let (mut whole, mut path, mut offset) = (root, Vec::new(), Some(0));
    let member = |e: ExprId, path: &mut Vec<String>, offset: &mut Option<u64>| {
        if let ExprKind::Member { name, .. } = &tree.exprs[e].kind {
            path.push(name.clone());
            *offset =
                places::offset(tree, e).and_then(|by| offset.and_then(|at| at.checked_add(by)));
        }
    };
    member(root, &mut path, &mut offset);
    while let Parent::Expr(around) = tree.exprs[whole].parent {
        match &tree.exprs[around].kind {
            ExprKind::Member {
                base, arrow: false, ..
            } if *base == whole => member(around, &mut path, &mut offset),
            ExprKind::Index { base, .. }
                if *base == whole
                    && matches!(tree.types.get(tree.exprs[whole].ty), Type::Array(..)) => {}
            ExprKind::Deref(_)
                if matches!(tree.types.get(tree.exprs[whole].ty), Type::Array(..)) => {}
            _ => break,
        }
        whole = around;
    }
    let ty = tree.exprs[whole].ty;
    Access {
        whole,
        path,
        offset,
        ty,
        constant: ty.quals.is_const,
        how: how(tree, whole),
    }
}

fn how(tree: &Tree, whole: ExprId) -> How {
    if matches!(tree.types.get(tree.exprs[whole].ty), Type::Array(..)) {
        return How::Address;
    }
    let Parent::Expr(around) = tree.exprs[whole].parent else {
        return How::Read;
    };
    match &tree.exprs[around].kind {
        ExprKind::AddressOf(_) => How::Address,
        ExprKind::Assign {
            op,
            op_span,
            lhs,
            rhs,
        } if *lhs == whole => match op {
            None => How::Write,
            Some(op) => How::Update {
                op: op.spelling(),
                op_span: *op_span,
                value: *rhs,
            },
        },
        ExprKind::IncDec { increment, .. } => How::Step {
            around,
            op: if *increment { "+" } else { "-" },
            used: tree.is_used(around),
        },
        _ => How::Read,
    }
}
