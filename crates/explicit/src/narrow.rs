//! Bounds that a condition sets to an object.

use cfront::consteval::eval;
use cfront::span::{ExprId, ObjectId};
use cfront::tree::{BinaryOp, ExprKind, Resolved, Tree, UnaryOp};

use crate::kinds::{integer, kind_of, promoted};
use crate::predicates::{self, Predicate};

/// Lower and upper bound, if there are any.
pub type Bounds = (Option<i128>, Option<i128>);

/// Whether an expression is the name of an object.
pub fn is_object(tree: &Tree, e: ExprId, object: ObjectId) -> bool {
    matches!(tree.exprs[e].kind, ExprKind::Ident(Resolved::Object(o)) if o == object)
}

/// Adds the operands of a condition joined by an operator, in the order of their evaluation.
pub fn operands(tree: &Tree, cond: ExprId, joined: BinaryOp, out: &mut Vec<ExprId>) {
    match tree.exprs[cond].kind {
        ExprKind::Binary(op, a, b) if op == joined => {
            operands(tree, a, joined, out);
            operands(tree, b, joined, out);
        }
        _ => out.push(cond),
    }
}

/// Narrows the bounds of an object by a condition that holds, or that does not hold.
pub fn narrow(tree: &Tree, condition: ExprId, object: ObjectId, bounds: &mut Bounds, holds: bool) {
    let is = |e: ExprId| is_object(tree, e, object);
    // The value of an unsigned object stays what it is beside such a constant, whatever the types.
    let both_positive = |object: ExprId, constant: ExprId| {
        let unsigned = integer(tree, tree.exprs[object].ty).is_some_and(|(_, signed)| !signed);
        unsigned && eval(tree, constant).is_some_and(|c| c >= 0)
    };
    let comparable = |a: ExprId, b: ExprId| {
        signs_agree(tree, a, b) || is(a) && both_positive(a, b) || is(b) && both_positive(b, a)
    };
    match tree.exprs[condition].kind {
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            if (op == BinaryOp::And) == holds {
                narrow(tree, a, object, bounds, holds);
                narrow(tree, b, object, bounds, holds);
                return;
            }
            // One of both operands is as it says.
            let (mut one, mut other) = (*bounds, *bounds);
            narrow(tree, a, object, &mut one, holds);
            narrow(tree, b, object, &mut other, holds);
            *bounds = hull(one, other);
        }
        ExprKind::Unary(UnaryOp::Not, inner) => narrow(tree, inner, object, bounds, !holds),
        ExprKind::Binary(op, a, b) if (is(a) || is(b)) && comparable(a, b) => {
            let (constant, op) = match is(a) {
                true => (eval(tree, b), op),
                false => (eval(tree, a), mirrored(op)),
            };
            let Some(c) = constant else { return };
            restrict(if holds { op } else { opposite(op) }, c, bounds);
        }
        ExprKind::Binary(op, a, b) => {
            let mirrored = (mirrored(op), b, a);
            for (op, of, constant) in [(op, a, b), mirrored] {
                let op = if holds { op } else { opposite(op) };
                if let Some(most) = unsigned_most(tree, object, (op, of, constant)) {
                    restrict(BinaryOp::Ge, 0, bounds);
                    restrict(BinaryOp::Le, most, bounds);
                }
            }
        }
        ExprKind::Call { .. } => {
            if let Some((predicate, param)) = predicates::asked(tree, condition, &is) {
                narrow_by(tree, &predicate, param, bounds, holds);
            }
        }
        _ => {}
    }
}

/// Narrows the bounds of a parameter by the answer of a function that only decides about it.
fn narrow_by(
    tree: &Tree,
    predicate: &Predicate,
    param: ObjectId,
    bounds: &mut Bounds,
    holds: bool,
) {
    let mut left = *bounds;
    let mut answered = Vec::new();
    for (condition, returns) in &predicate.conditions {
        if *returns == holds {
            let mut here = left;
            narrow(tree, *condition, param, &mut here, true);
            answered.push(here);
        }
        narrow(tree, *condition, param, &mut left, false);
    }
    match eval(tree, predicate.otherwise) {
        Some(constant) if (constant != 0) != holds => {}
        Some(_) => answered.push(left),
        None => {
            narrow(tree, predicate.otherwise, param, &mut left, holds);
            answered.push(left);
        }
    }
    if let Some(all) = answered.into_iter().reduce(hull) {
        *bounds = all;
    }
}

/// The greatest value of an object that compares so with a constant where both are unsigned: `(unsigned)n < 4`, or `n < sizeof a`.
/// Where it is negative, what is compared is at least half of the values of its type, so that the constant has to be less.
fn unsigned_most(
    tree: &Tree,
    object: ObjectId,
    (op, of, constant): (BinaryOp, ExprId, ExprId),
) -> Option<i128> {
    let c = eval(tree, constant).filter(|c| *c >= 0)?;
    let (one, other) = (kind_of(tree, of)?, kind_of(tree, constant)?);
    let ((bits, signed), (width, positive)) = (promoted(one), promoted(other));
    let is_unsigned = !signed && bits >= width || !positive && width >= bits;
    let mut inner = of;
    let mut least = bits;
    while let ExprKind::Cast(from) = tree.exprs[inner].kind {
        least = least.min(integer(tree, tree.exprs[inner].ty)?.0);
        inner = from;
    }
    let (own, _) = integer(tree, tree.exprs[inner].ty)?;
    let whole = is_object(tree, inner, object) && own <= least;
    let most = match op {
        BinaryOp::Lt => c - 1,
        BinaryOp::Le | BinaryOp::Eq => c,
        _ => return None,
    };
    let half = 1i128 << (own - 1);
    (is_unsigned && whole && (0..half).contains(&most)).then_some(most)
}

/// Whether two operands are compared as what they are: both are signed, or narrower than `int`, or none is.
pub fn signs_agree(tree: &Tree, a: ExprId, b: ExprId) -> bool {
    let sign = |e: ExprId| integer(tree, tree.exprs[e].ty).map(|(bits, s)| s || bits < 32);
    sign(a) == sign(b)
}

/// Restricts bounds to the values that compare so with a constant.
pub fn restrict(op: BinaryOp, c: i128, bounds: &mut Bounds) {
    let above = |v: i128| Some(bounds.0.map_or(v, |o: i128| o.max(v)));
    let below = |v: i128| Some(bounds.1.map_or(v, |o: i128| o.min(v)));
    match op {
        BinaryOp::Lt => bounds.1 = below(c - 1),
        BinaryOp::Le => bounds.1 = below(c),
        BinaryOp::Gt => bounds.0 = above(c + 1),
        BinaryOp::Ge => bounds.0 = above(c),
        BinaryOp::Eq => (bounds.0, bounds.1) = (above(c), below(c)),
        _ => {}
    }
}

/// The least bounds that have all values of both.
fn hull(one: Bounds, other: Bounds) -> Bounds {
    let is_empty = |of: Bounds| matches!(of, (Some(low), Some(high)) if low > high);
    match (is_empty(one), is_empty(other)) {
        (true, _) => other,
        (_, true) => one,
        _ => {
            let low = one.0.zip(other.0).map(|(a, b)| a.min(b));
            (low, one.1.zip(other.1).map(|(a, b)| a.max(b)))
        }
    }
}

fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        other => other,
    }
}

/// The comparison with its operands the other way round.
pub fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}
