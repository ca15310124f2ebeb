//! Loops that count a local from one constant to another: they end, and their counter is a place in arrays that are long enough.

use crate::access::written;
use crate::consteval::eval;
use crate::span::{ExprId, ObjectId, StmtId};
use crate::tree::{BinaryOp, Entity, ExprKind, ForInit, InitKind, StmtKind, Storage, Tree};
use crate::types::{ArrayLen, Type};

/// A loop that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counting {
    /// What it counts.
    pub counter: ObjectId,
    /// The greatest value in the body.
    pub most: i128,
}

/// The counter of `for (int i = 0; i < 8; i++)`, if nothing else within the loop writes it.
pub(super) fn counting(tree: &Tree, stmt: StmtId) -> Option<Counting> {
    let StmtKind::For {
        init,
        cond: Some(cond),
        step: Some(step),
        body,
        ..
    } = tree.stmts[stmt].kind
    else {
        return None;
    };
    let (counter, first) = begins(tree, init)?;
    let object = &tree.objects[counter];
    let kind = tree.types.int_kind(object.ty)?;
    let ExprKind::Binary(op, left, right) = tree.exprs[cond].kind else {
        return None;
    };
    let bound = eval(tree, right).filter(|_| tree.named(left) == Some(counter))?;
    let most = match op {
        BinaryOp::Lt | BinaryOp::Ne => bound - 1,
        BinaryOp::Le => bound,
        _ => return None,
    };
    let fits = bound < (1 << (tree.types.bits(kind) - 1)) && 0 <= first && first <= most + 1;
    let ups = matches!(tree.exprs[step].kind, ExprKind::IncDec { increment: true, operand, .. }
        if tree.named(operand) == Some(counter));
    let is_plain = object.storage == Storage::Local && !object.ty.quals.is_volatile;
    let inside = tree.stmts[body].span;
    let mut writes = tree.exprs.iter().filter(|(id, expr)| {
        let lvalue = written(tree, *id);
        inside.contains(expr.span.start) && lvalue.is_some_and(|e| tree.root(e).0 == Some(counter))
    });
    let counts = fits && ups && is_plain && writes.next().is_none();
    counts.then_some(Counting { counter, most })
}

/// The counter, and its first value.
fn begins(tree: &Tree, init: ForInit) -> Option<(ObjectId, i128)> {
    let (counter, value) = match init {
        ForInit::Decl(decl) => {
            let [declared] = tree.decls[decl].declared.as_slice() else {
                return None;
            };
            let Entity::Object(object) = declared.entity else {
                return None;
            };
            let InitKind::Expr(value) = tree.inits[declared.init?].kind else {
                return None;
            };
            (object, value)
        }
        ForInit::Expr(e) => match tree.exprs[e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => (tree.named(lhs)?, rhs),
            _ => return None,
        },
        ForInit::None => return None,
    };
    Some((counter, eval(tree, value)?))
}

/// Whether an index lies in an array, within these loops.
pub(super) fn is_inside(tree: &Tree, array: ExprId, index: ExprId, loops: &[Counting]) -> bool {
    let Type::Array(_, ArrayLen::Known(length)) = tree.types.get(tree.exprs[array].ty) else {
        return false;
    };
    let counter = tree.named(index);
    let counted = loops.iter().find(|one| Some(one.counter) == counter);
    let most = counted.map(|one| one.most).or_else(|| eval(tree, index));
    most.is_some_and(|most| 0 <= most && most < i128::from(*length))
}
