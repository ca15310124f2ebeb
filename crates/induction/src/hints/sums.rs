//! Sums of variables that keep their value when the program moves an amount from one variable to another.

use std::collections::{BTreeMap, BTreeSet};

use cfront::span::{ExprId, FunctionId};
use cfront::tree::{BinaryOp, ExprKind, Parent};

use super::Walk;

/// A sum: names of variables, each with its factor, 1 or -1.
pub type Sum = Vec<(String, i64)>;

/// The most variables that change by steps among which all sums are taken.
const MOVED: usize = 5;
/// The most variables of such a sum.
const LONGEST: usize = 4;
/// The most sums.
const MOST: usize = 40;

/// A variable changes by an amount.
pub(super) struct Move {
    pub(super) name: String,
    factor: i64,
    pub(super) amount: String,
}

/// The sums of the first `own` expressions: those of two variables that one function changes by the same amount, those that an
/// assignment equates with a variable, and sums of a few variables that change by steps.
pub(super) fn sums(walk: &Walk, own: usize) -> Vec<Sum> {
    let mut moves: BTreeMap<FunctionId, Vec<Move>> = BTreeMap::new();
    let mut out = Vec::new();
    let mut names = BTreeSet::new();
    for (id, _) in walk.tree.exprs.iter().take(own) {
        out.extend(equated(walk, id));
        let function = walk.tree.function_of(Parent::Expr(id));
        if let (Some(function), Some(found)) = (function, moved(walk, id)) {
            names.insert(found.name.clone());
            moves.entry(function).or_default().push(found);
        }
    }
    for all in moves.values() {
        for (i, a) in all.iter().enumerate() {
            let same = |b: &&Move| b.amount == a.amount && b.name != a.name;
            let with = all[i + 1..].iter().filter(same);
            let sum = |b: &Move| vec![(a.name.clone(), 1), (b.name.clone(), -a.factor * b.factor)];
            out.extend(with.map(sum));
        }
    }
    if names.len() <= MOVED {
        out.extend(subsets(&names.into_iter().collect::<Vec<_>>()));
    }
    let mut known = BTreeSet::new();
    out.retain(|sum| {
        let mut sorted = sum.clone();
        sorted.sort();
        sum.len() > 1 && known.insert(sorted)
    });
    out.truncate(MOST);
    out
}

/// All sums of two to [`LONGEST`] of these variables.
fn subsets(names: &[String]) -> Vec<Sum> {
    let of = |set: u32| {
        let chosen = names.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        let sum: Sum = chosen.map(|(_, name)| (name.clone(), 1)).collect();
        sum
    };
    let all = (0..1u32 << names.len()).map(of);
    let mut all: Vec<Sum> = all.filter(|s| (2..=LONGEST).contains(&s.len())).collect();
    all.sort_by_key(Vec::len);
    all
}

/// The variable that an expression changes by an amount: `v += e`, `v = v - e`, `v++`.
pub(super) fn moved(walk: &Walk, id: ExprId) -> Option<Move> {
    let sign = |op: &BinaryOp| match op {
        BinaryOp::Add => Some(1),
        BinaryOp::Sub => Some(-1),
        _ => None,
    };
    let (at, factor, amount) = match &walk.tree.exprs[id].kind {
        ExprKind::IncDec {
            increment, operand, ..
        } => (*operand, if *increment { 1 } else { -1 }, None),
        ExprKind::Assign {
            op: Some(op),
            lhs,
            rhs,
            ..
        } => (*lhs, sign(op)?, Some(*rhs)),
        ExprKind::Assign {
            op: None, lhs, rhs, ..
        } => match &walk.tree.exprs[*rhs].kind {
            ExprKind::Binary(op, a, b) if walk.lvalue(*a) == walk.lvalue(*lhs) => {
                (*lhs, sign(op)?, Some(*b))
            }
            _ => return None,
        },
        _ => return None,
    };
    let amount = match amount {
        Some(e) => {
            let span = walk.tree.exprs[e].bare;
            walk.text.get(span.start..span.end)?.to_string()
        }
        None => "1".to_string(),
    };
    let name = walk.lvalue(at)?;
    Some(Move {
        name,
        factor,
        amount,
    })
}

/// The sum that an assignment `v = a + b` or `v = a - b` of other variables makes 0.
fn equated(walk: &Walk, id: ExprId) -> Option<Sum> {
    let ExprKind::Assign {
        op: None, lhs, rhs, ..
    } = &walk.tree.exprs[id].kind
    else {
        return None;
    };
    let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = &walk.tree.exprs[*rhs].kind
    else {
        return None;
    };
    let (v, a, b) = (walk.lvalue(*lhs)?, walk.lvalue(*a)?, walk.lvalue(*b)?);
    let second = if *op == BinaryOp::Add { -1 } else { 1 };
    let differ = v != a && v != b && a != b;
    differ.then(|| vec![(v, 1), (a, -1), (b, second)])
}
