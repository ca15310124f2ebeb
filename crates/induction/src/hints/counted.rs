//! Loops that seem to count through a few values: they can be unrolled instead of being cut.

use cfront::consteval::eval;
use cfront::span::{ExprId, ObjectId, StmtId};
use cfront::tree::{BinaryOp, Entity, ExprKind, ForInit, Resolved, StmtKind, Tree};

/// The most rounds of such a loop.
const MOST: i128 = 8;

/// A loop that seems to have a constant number of rounds. The model checker has to confirm it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The place of the loop in the text.
    pub range: (usize, usize),
    /// The number of its rounds.
    pub rounds: u32,
}

/// The loops `for (v = a; v < b; v += c)` with constants and few rounds.
pub(super) fn counted(tree: &Tree) -> Vec<Counted> {
    let all = tree.stmts.iter();
    all.filter_map(|(id, stmt)| {
        let rounds = rounds(tree, id)?;
        Some(Counted {
            range: (stmt.span.start, stmt.span.end),
            rounds,
        })
    })
    .collect()
}

fn rounds(tree: &Tree, id: StmtId) -> Option<u32> {
    let StmtKind::For {
        init,
        cond: Some(cond),
        step: Some(step),
        ..
    } = &tree.stmts[id].kind
    else {
        return None;
    };
    let (object, from) = begins(tree, init)?;
    let by = steps(tree, *step, object)?;
    let ExprKind::Binary(op, a, b) = &tree.exprs[*cond].kind else {
        return None;
    };
    let to = eval(tree, *b).filter(|_| is(tree, *a, object))?;
    let holds = |v: i128| match op {
        BinaryOp::Lt => v < to,
        BinaryOp::Le => v <= to,
        BinaryOp::Gt => v > to,
        BinaryOp::Ge => v >= to,
        BinaryOp::Ne => v != to,
        _ => false,
    };
    let count = (0..=MOST).find(|n| !holds(from + n * by))?;
    u32::try_from(count).ok()
}

/// The variable that a loop counts with, and its first value.
fn begins(tree: &Tree, init: &ForInit) -> Option<(ObjectId, i128)> {
    match init {
        ForInit::Expr(e) => match &tree.exprs[*e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => Some((named(tree, *lhs)?, eval(tree, *rhs)?)),
            _ => None,
        },
        ForInit::Decl(decl) => match tree.decls[*decl].declared.as_slice() {
            [one] => {
                let Entity::Object(object) = one.entity else {
                    return None;
                };
                let init = tree.objects[object].init?;
                match tree.inits[init].kind {
                    cfront::tree::InitKind::Expr(e) => Some((object, eval(tree, e)?)),
                    cfront::tree::InitKind::List(_) => None,
                }
            }
            _ => None,
        },
        ForInit::None => None,
    }
}

/// The constant by which a step changes a variable.
fn steps(tree: &Tree, step: ExprId, object: ObjectId) -> Option<i128> {
    match &tree.exprs[step].kind {
        ExprKind::IncDec {
            increment, operand, ..
        } if is(tree, *operand, object) => Some(if *increment { 1 } else { -1 }),
        ExprKind::Assign {
            op: Some(op),
            lhs,
            rhs,
            ..
        } if is(tree, *lhs, object) => match op {
            BinaryOp::Add => eval(tree, *rhs),
            BinaryOp::Sub => eval(tree, *rhs).map(|c| -c),
            _ => None,
        },
        _ => None,
    }
}

fn named(tree: &Tree, e: ExprId) -> Option<ObjectId> {
    match tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(object)) => Some(object),
        _ => None,
    }
}

fn is(tree: &Tree, e: ExprId, object: ObjectId) -> bool {
    named(tree, e) == Some(object)
}
