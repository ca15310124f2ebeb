//! Loops whose headers count from one constant to another: how often their bodies run at most.

use crate::facts::loops::Iterations;
use cfront::consteval;
use cfront::span::{ExprId, Id, ObjectId, StmtId};
use cfront::tree::{BinaryOp, Entity, ExprKind, ForInit, InitKind, Resolved, StmtKind, Tree};

/// The greatest number of iterations of `for (i = a; i < b; i++)` and the like, where `b` is a constant or an
/// object; `None` for every other loop. A `break` only lowers the number. Writes to the counter in the body are
/// not looked for, so the number serves as an estimate of sizes; no verdict may depend on it.
pub fn iterations(tree: &Tree, id: StmtId) -> Option<Iterations> {
    let StmtKind::For {
        init, cond, step, ..
    } = &tree.stmts[id].kind
    else {
        return None;
    };
    let (counter, from) = start(tree, init)?;
    let ExprKind::Binary(op, left, right) = tree.exprs[(*cond)?].kind else {
        return None;
    };
    if named(tree, left) != Some(counter) || !steps_by_one(tree, (*step)?, counter) {
        return None;
    }
    let more = match op {
        BinaryOp::Lt | BinaryOp::Ne => from.checked_neg()?,
        BinaryOp::Le => 1i128.checked_sub(from)?,
        _ => return None,
    };
    if let Some(to) = consteval::eval(tree, right) {
        let count = to.checked_add(more)?;
        return u64::try_from(count).ok().map(Iterations::Times);
    }
    let object = named(tree, right)?;
    Some(Iterations::Above(object.index(), more))
}

fn start(tree: &Tree, init: &ForInit) -> Option<(ObjectId, i128)> {
    match init {
        ForInit::Expr(e) => match tree.exprs[*e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => Some((named(tree, lhs)?, consteval::eval(tree, rhs)?)),
            _ => None,
        },
        ForInit::Decl(d) => {
            let [declared] = &tree.decls[*d].declared[..] else {
                return None;
            };
            let (Entity::Object(object), Some(init)) = (declared.entity, declared.init) else {
                return None;
            };
            match tree.inits[init].kind {
                InitKind::Expr(e) => Some((object, consteval::eval(tree, e)?)),
                InitKind::List(_) => None,
            }
        }
        ForInit::None => None,
    }
}

fn named(tree: &Tree, e: ExprId) -> Option<ObjectId> {
    match tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(object)) => Some(object),
        _ => None,
    }
}

fn steps_by_one(tree: &Tree, step: ExprId, counter: ObjectId) -> bool {
    match tree.exprs[step].kind {
        ExprKind::IncDec {
            increment: true,
            operand,
            ..
        } => named(tree, operand) == Some(counter),
        ExprKind::Assign {
            op: Some(BinaryOp::Add),
            lhs,
            rhs,
            ..
        } => named(tree, lhs) == Some(counter) && consteval::eval(tree, rhs) == Some(1),
        _ => false,
    }
}
