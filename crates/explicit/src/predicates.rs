//! Functions that do nothing but decide about their arguments, as `int is_coin(int v) { return v == 5 || v == 10; }`.

use cfront::access::is_pure;
use cfront::consteval::eval;
use cfront::span::{ExprId, ObjectId, StmtId};
use cfront::tree::{BlockItem, ExprKind, StmtKind, Tree};

use crate::flows::called;
use crate::kinds::{integer, keeps};

/// A function that evaluates conditions, one after the other, and returns a constant behind the first one that holds.
pub struct Predicate {
    /// The conditions, and whether what is returned behind them is not zero.
    pub conditions: Vec<(ExprId, bool)>,
    /// What is returned where none holds.
    pub otherwise: ExprId,
}

/// The predicate that a call asks about an object, and the parameter that has the object's value. Nothing in it has an effect.
pub fn asked(
    tree: &Tree,
    call: ExprId,
    is: &dyn Fn(ExprId) -> bool,
) -> Option<(Predicate, ObjectId)> {
    let ExprKind::Call { callee, args, .. } = &tree.exprs[call].kind else {
        return None;
    };
    integer(tree, tree.exprs[call].ty)?;
    let body = tree.functions[called(tree, *callee)?].body.as_ref()?;
    if !args.iter().all(|arg| is_pure(tree, *arg)) {
        return None;
    }
    let (param, arg) = body.params.iter().zip(args).find(|(_, arg)| is(**arg))?;
    let of = integer(tree, tree.exprs[*arg].ty)?;
    let ty = tree.objects[*param].ty;
    let to = integer(tree, ty).filter(|_| !ty.quals.is_volatile)?;
    keeps(of, to).then_some(())?;
    Some((read(tree, body.block)?, *param))
}

/// The predicate that a function's block is.
fn read(tree: &Tree, block: StmtId) -> Option<Predicate> {
    let StmtKind::Compound { items, .. } = &tree.stmts[block].kind else {
        return None;
    };
    let (last, before) = items.split_last()?;
    let mut conditions = Vec::new();
    for item in before {
        let BlockItem::Stmt(stmt) = item else {
            return None;
        };
        let StmtKind::If {
            cond,
            then,
            otherwise: None,
            ..
        } = tree.stmts[*stmt].kind
        else {
            return None;
        };
        let constant = eval(tree, returned(tree, then)?)?;
        is_pure(tree, cond).then_some(())?;
        conditions.push((cond, constant != 0));
    }
    let BlockItem::Stmt(last) = last else {
        return None;
    };
    let otherwise = returned(tree, *last).filter(|e| is_pure(tree, *e))?;
    Some(Predicate {
        conditions,
        otherwise,
    })
}

/// What a statement returns that does nothing else.
fn returned(tree: &Tree, stmt: StmtId) -> Option<ExprId> {
    match &tree.stmts[stmt].kind {
        StmtKind::Return(value) => *value,
        StmtKind::Compound { items, .. } => match items.as_slice() {
            [BlockItem::Stmt(only)] => returned(tree, *only),
            _ => None,
        },
        _ => None,
    }
}
