//! Loops that seem to count through a few values: they can be unrolled instead of being cut.

use std::collections::BTreeSet;

use cfront::consteval::eval;
use cfront::span::{ExprId, ObjectId, StmtId};
use cfront::tree::{BinaryOp, Entity, ExprKind, ForInit, StmtKind, Tree};
use cfront::types::{ArrayLen, Type};

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
    having(tree, rounds)
}

/// The loops that step a variable by one and index an array of few elements with it. They call nothing, so that their rounds are
/// short.
pub(super) fn indexing(tree: &Tree) -> Vec<Counted> {
    having(tree, elements)
}

/// The statements of which something tells the number of rounds.
fn having(tree: &Tree, rounds: fn(&Tree, StmtId) -> Option<u32>) -> Vec<Counted> {
    let all = tree.stmts.iter();
    all.filter_map(|(id, stmt)| {
        Some(Counted {
            range: (stmt.span.start, stmt.span.end),
            rounds: rounds(tree, id)?,
        })
    })
    .collect()
}

/// The most elements of the arrays that a loop indexes with a variable of its condition that it steps.
fn elements(tree: &Tree, id: StmtId) -> Option<u32> {
    let (StmtKind::For {
        cond: Some(cond), ..
    }
    | StmtKind::While { cond, .. }) = &tree.stmts[id].kind
    else {
        return None;
    };
    let span = tree.stmts[id].span;
    let inside = |e: &ExprId| {
        let own = tree.exprs[*e].span;
        span.start <= own.start && own.end <= span.end
    };
    let all: Vec<ExprId> = tree.exprs.iter().map(|(e, _)| e).filter(inside).collect();
    let calls = |e: &ExprId| matches!(tree.exprs[*e].kind, ExprKind::Call { .. });
    if all.iter().any(calls) {
        return None;
    }
    let stepped: BTreeSet<ObjectId> = all.iter().filter_map(|e| stepped(tree, *e)).collect();
    let tested = reads(tree, *cond);
    let counts = |o: &ObjectId| stepped.contains(o) && tested.contains(o);
    let lengths = all.iter().filter_map(|e| match tree.exprs[*e].kind {
        ExprKind::Index { base, index } => {
            let indexed = reads(tree, index).iter().any(counts);
            let length = length(tree, base).or_else(|| longest(tree, base));
            length.filter(|_| indexed)
        }
        _ => None,
    });
    let most = lengths.max()?;
    u32::try_from(most).ok().filter(|n| i128::from(*n) <= MOST)
}

/// The number of elements of an array.
fn length(tree: &Tree, array: ExprId) -> Option<u64> {
    match tree.types.get(tree.exprs[array].ty) {
        Type::Array(_, ArrayLen::Known(length)) => Some(*length),
        _ => None,
    }
}

/// The number of elements of the longest array to which a pointer to elements may lead.
fn longest(tree: &Tree, pointer: ExprId) -> Option<u64> {
    let to = tree.types.pointee(tree.exprs[pointer].ty)?.ty;
    let lengths = tree
        .objects
        .iter()
        .filter_map(|(_, object)| match tree.types.get(object.ty) {
            Type::Array(of, ArrayLen::Known(length)) if of.ty == to => Some(*length),
            _ => None,
        });
    lengths.max()
}

/// The object that an expression changes by one.
fn stepped(tree: &Tree, id: ExprId) -> Option<ObjectId> {
    let object = match &tree.exprs[id].kind {
        ExprKind::IncDec { operand, .. } => tree.named(*operand)?,
        ExprKind::Assign { lhs, .. } => tree.named(*lhs)?,
        _ => return None,
    };
    steps(tree, id, object).filter(|by| by.abs() == 1)?;
    Some(object)
}

/// The objects that an expression names.
fn reads(tree: &Tree, id: ExprId) -> BTreeSet<ObjectId> {
    let (mut open, mut out) = (vec![id], BTreeSet::new());
    while let Some(e) = open.pop() {
        out.extend(tree.named(e));
        open.extend(tree.children(e));
    }
    out
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
            } => Some((tree.named(*lhs)?, eval(tree, *rhs)?)),
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

fn is(tree: &Tree, e: ExprId, object: ObjectId) -> bool {
    tree.named(e) == Some(object)
}
