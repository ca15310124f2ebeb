//! Loops that are blocks: macros write a block with a head as a loop with one iteration (`ATOMIC_BLOCK` of avr-libc).

use crate::access::{usage, Use};
use crate::calls::named_function;
use crate::consteval::eval;
use crate::span::{ExprId, FunctionId, InitId, ObjectId, StmtId};
use crate::tree::{Entity, Expr, ExprKind, ForInit, InitKind, StmtKind, Tree};

/// Whether a loop has at most one iteration: its condition is a local variable that nothing but its head writes, and whose
/// value is 0 after an iteration. O(expressions of the unit) for loops whose step assigns 0, else O(1).
pub fn is_at_most_once(tree: &Tree, stmt: StmtId) -> bool {
    going(tree, stmt).is_some()
}

/// Whether it has exactly one: the variable is not 0 at first.
pub fn is_once(tree: &Tree, stmt: StmtId) -> bool {
    let StmtKind::For {
        init: ForInit::Decl(decl),
        ..
    } = tree.stmts[stmt].kind
    else {
        return false;
    };
    let declared = &tree.decls[decl].declared;
    going(tree, stmt).is_some_and(|going| {
        let named = declared.iter().find(|d| d.entity == Entity::Object(going));
        named
            .and_then(|d| d.init)
            .is_some_and(|init| is_true(tree, init))
    })
}

/// The variable that such a loop goes on by.
fn going(tree: &Tree, stmt: StmtId) -> Option<ObjectId> {
    let StmtKind::For {
        cond: Some(cond),
        step: Some(step),
        body,
        ..
    } = &tree.stmts[stmt].kind
    else {
        return None;
    };
    let going = tree.named(*cond)?;
    let last = match &tree.exprs[*step].kind {
        ExprKind::Comma(list) => *list.last()?,
        _ => *step,
    };
    let ExprKind::Assign {
        op: None, lhs, rhs, ..
    } = tree.exprs[last].kind
    else {
        return None;
    };
    let of = &tree.objects[going];
    let local = !of.is_static_duration() && !of.ty.quals.is_volatile;
    let ends = tree.named(lhs) == Some(going) && eval(tree, rhs) == Some(0);
    let within = tree.stmts[*body].span;
    let untouched = |(id, _): (ExprId, &Expr)| match usage(tree, id) {
        Use::Read => true,
        Use::Address => false,
        _ => id == lhs && !within.encloses(tree.exprs[id].span),
    };
    if !local || !ends {
        return None;
    }
    let mut names = tree
        .exprs
        .iter()
        .filter(|(id, _)| tree.named(*id) == Some(going));
    let assembled = tree.stmts.iter().any(|(_, s)| {
        let mut named = tree.named_by_assembler(s);
        named.any(|(o, _)| o == going)
    });
    (names.all(untouched) && !assembled).then_some(going)
}

/// Whether an initialiser is a constant that is not 0, or the result of a function that returns nothing else.
fn is_true(tree: &Tree, init: InitId) -> bool {
    let InitKind::Expr(value) = tree.inits[init].kind else {
        return false;
    };
    let constant = |e: ExprId| eval(tree, e).is_some_and(|value| value != 0);
    let called = match tree.exprs[value].kind {
        ExprKind::Call { callee, .. } => named_function(tree, callee),
        _ => None,
    };
    constant(value) || called.is_some_and(|f| returns(tree, f, &constant))
}

/// Whether a function has a body, and each value that it returns is of a kind.
fn returns(tree: &Tree, function: FunctionId, is: &dyn Fn(ExprId) -> bool) -> bool {
    let mut some = false;
    let mut all = tree
        .stmts
        .iter()
        .filter(|(_, s)| s.function == Some(function));
    all.all(|(_, s)| match s.kind {
        StmtKind::Return(value) => {
            some = true;
            value.is_some_and(is)
        }
        _ => true,
    }) && some
}
