//! The arguments of the command line: how a program reads `main`'s second parameter.

use crate::access::{usage, Use};
use crate::span::{ExprId, ObjectId};
use crate::tree::{BinaryOp, ExprKind, Parent, Resolved, Tree, UnaryOp};
use crate::types::Class;

/// A read `argv[i]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgumentRead {
    /// The name of the parameter.
    pub name: ExprId,
    /// The whole expression.
    pub whole: ExprId,
    /// The index.
    pub index: ExprId,
}

/// The second parameter of `main`, if it has one.
pub fn parameter(tree: &Tree) -> Option<ObjectId> {
    let main = tree.function_named("main")?;
    tree.functions[main].body.as_ref()?.params.get(1).copied()
}

/// The reads of the arguments, if `names` (all expressions that name `main`'s second parameter) are used for nothing else.
/// `(void)argv` is no use, and `argv == 0` reads no argument.
pub fn reads(tree: &Tree, names: impl Iterator<Item = ExprId>) -> Option<Vec<ArgumentRead>> {
    let looks = |name: &ExprId| match tree.exprs[*name].parent {
        Parent::Expr(around) => match tree.exprs[around].kind {
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Eq | BinaryOp::Ne),
            ExprKind::Unary(op, _) => op == UnaryOp::Not,
            _ => tree.types.class(tree.exprs[around].ty) == Class::Void,
        },
        _ => false,
    };
    let uses = names.filter(|name| !looks(name));
    uses.map(|name| read(tree, name)).collect()
}

fn read(tree: &Tree, name: ExprId) -> Option<ArgumentRead> {
    let Parent::Expr(whole) = tree.exprs[name].parent else {
        return None;
    };
    let ExprKind::Index { base, index } = tree.exprs[whole].kind else {
        return None;
    };
    let first = base == name && tree.exprs[name].bare.end <= tree.exprs[index].span.start;
    (first && usage(tree, whole) == Use::Read).then_some(ArgumentRead { name, whole, index })
}

/// The evaluated expressions that name an object. Linear in the size of the tree.
pub fn names(tree: &Tree, object: ObjectId) -> impl Iterator<Item = ExprId> + '_ {
    let all = tree.exprs.iter();
    all.filter_map(move |(id, e)| match e.kind {
        ExprKind::Ident(Resolved::Object(o)) if o == object && !e.unevaluated => Some(id),
        _ => None,
    })
}
