//! The bounds that a program sets to an input right after the read.

use std::collections::BTreeSet;

use cfront::access::is_pure;
use cfront::consteval::eval;
use cfront::flow::Point;
use cfront::span::{ExprId, FunctionId, Id, ObjectId, StmtId};
use cfront::tree::{
    BinaryOp, BlockItem, Entity, ExprKind, Parent, Resolved, StmtKind, Storage, Tree, UnaryOp,
};
use cfront::Unit;

use super::parts::of_own_function;
use crate::flows::called;
use crate::kinds::{integer, keeps};
use crate::live::Lazy;
use crate::narrow::{is_object, narrow, operands, Bounds};
use crate::text::assumes;

/// A program whose inputs are looked at.
pub(super) struct Program<'a> {
    pub(super) unit: &'a Unit,
    /// The emitted functions that assume their arguments.
    assuming: &'a BTreeSet<String>,
    /// The liveness of its locals, which is asked for at the first `if` behind an input.
    live: &'a Lazy<'a>,
}

impl<'a> Program<'a> {
    /// Computes nothing yet.
    pub(super) fn new(
        unit: &'a Unit,
        assuming: &'a BTreeSet<String>,
        live: &'a Lazy<'a>,
    ) -> Program<'a> {
        Program {
            unit,
            assuming,
            live,
        }
    }
}

/// The bounds of an input that are assumed right after the read; or (`true`) those outside which control
/// leaves, to where nothing reads the value.
pub(super) fn bounded(program: &Program, call: ExprId) -> (Bounds, bool) {
    let Program { unit, assuming, .. } = program;
    let tree = &unit.tree;
    let mut bounds = ((None, None), false);
    // The weaver reads the input in a function of its own, which is called at one place.
    let Some(at) = of_own_function(tree, call) else {
        return bounds;
    };
    let Some((object, place)) = receiver(tree, at) else {
        return bounds;
    };
    // Bounds of a converted value are no bounds of the input.
    let range = |ty| integer(tree, ty);
    if !converts_plainly(range(tree.exprs[call].ty), range(tree.objects[object].ty)) {
        return bounds;
    }
    let mut behind = following(tree, place).into_iter().peekable();
    if let Some(stmt) = behind.peek() {
        let function = function_of(tree, *stmt);
        let kept = thrown_away(program, function, *stmt, object);
        if let Some(kept) = kept.or_else(|| guarded(program, function, *stmt, object)) {
            return (kept, true);
        }
    }
    let mut first = None;
    for stmt in behind {
        let Some((condition, rest)) = demanded(unit, assuming, stmt) else {
            break;
        };
        // One value stands for the rest only if the same happens to all of them.
        if rest != *first.get_or_insert(rest)
            || (rest != Rest::Discarded && is_escaping(tree, object))
        {
            break;
        }
        narrow(tree, condition, object, &mut bounds.0, true);
        bounds.1 = rest != Rest::Discarded;
    }
    bounds
}

/// What becomes of a run in which a demanded condition does not hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// It does not exist.
    Discarded,
    /// It stays in this function.
    Stays(FunctionId),
}

/// For a statement that calls a function which returns only if its argument is not 0: the argument.
fn demanded(unit: &Unit, assuming: &BTreeSet<String>, stmt: StmtId) -> Option<(ExprId, Rest)> {
    let tree = &unit.tree;
    let StmtKind::Expr(Some(e)) = tree.stmts[stmt].kind else {
        return None;
    };
    let ExprKind::Call { callee, args, .. } = &tree.exprs[e].kind else {
        return None;
    };
    let (function, [condition]) = (called(tree, *callee)?, args.as_slice()) else {
        return None;
    };
    let name = &tree.functions[function].name;
    let rest = match assumes(name) || assuming.contains(name) {
        true => Rest::Discarded,
        false if returns_only_if_true(unit, function) => Rest::Stays(function),
        false => return None,
    };
    is_pure(tree, *condition).then_some((*condition, rest))
}

/// Whether a function does nothing but test its only parameter, and does not return if that is 0, as
/// `void check(int holds) { if (!holds) abort(); }`. It cannot jump to a caller: no proof follows such programs.
fn returns_only_if_true(unit: &Unit, function: FunctionId) -> bool {
    let tree = &unit.tree;
    let Some(body) = &tree.functions[function].body else {
        return false;
    };
    let ([param], StmtKind::Compound { items, .. }) =
        (body.params.as_slice(), &tree.stmts[body.block].kind)
    else {
        return false;
    };
    let [BlockItem::Stmt(only)] = items.as_slice() else {
        return false;
    };
    let StmtKind::If { cond, then, .. } = tree.stmts[*only].kind else {
        return false;
    };
    let ExprKind::Unary(UnaryOp::Not, tested) = tree.exprs[cond].kind else {
        return false;
    };
    let Some(flow) = unit.flows.get(&function) else {
        return false;
    };
    let returns = flow
        .first_of(then)
        .is_none_or(|p| flow.reaches(p, flow.exit(), &[]));
    !returns && is_object(tree, tested, *param)
}

fn is_escaping(tree: &Tree, object: ObjectId) -> bool {
    cfront::access::address_taken(tree).contains_key(&object)
}

/// Whether each value of the first integer type is a value of the second.
fn converts_plainly(from: Option<(u32, bool)>, to: Option<(u32, bool)>) -> bool {
    match (from, to) {
        (Some(from), Some(to)) => keeps(from, to),
        _ => false,
    }
}

fn function_of(tree: &Tree, stmt: StmtId) -> Option<FunctionId> {
    tree.stmts[stmt].function
}

/// The operands of a condition joined by an operator, from the first one on up to the first with an effect: that one, and all
/// behind it, are evaluated only if those before did not decide.
fn leading(tree: &Tree, cond: ExprId, joined: BinaryOp) -> Vec<ExprId> {
    let mut all = Vec::new();
    operands(tree, cond, joined, &mut all);
    all.into_iter().take_while(|e| is_pure(tree, *e)).collect()
}

/// For `if (condition) jump;`: the bounds within which control does not jump, if the object is not read after
/// the jump.
fn thrown_away(
    program: &Program,
    function: Option<FunctionId>,
    stmt: StmtId,
    object: ObjectId,
) -> Option<Bounds> {
    let unit = program.unit;
    let tree = &unit.tree;
    let function = function?;
    let StmtKind::If { cond, then, .. } = tree.stmts[stmt].kind else {
        return None;
    };
    let jump = match &tree.stmts[then].kind {
        StmtKind::Compound { items, .. } => match items.as_slice() {
            [BlockItem::Stmt(only)] => *only,
            _ => return None,
        },
        _ => then,
    };
    let leaves = match tree.stmts[jump].kind {
        StmtKind::Return(value) => value.is_none_or(|e| eval(tree, e).is_some()),
        StmtKind::Continue | StmtKind::Break | StmtKind::Goto { .. } => true,
        _ => false,
    };
    let flow = unit.flows.get(&function)?;
    let live = program.live.get();
    let point = flow.at(Point::Stmt(jump))?;
    let mut next = flow.next(point).iter();
    let read = next.any(|p| live.at(function, Some(p.index()), object.index()));
    if !leaves || read {
        return None;
    }
    let mut bounds = (None, None);
    for operand in leading(tree, cond, BinaryOp::Or) {
        narrow(tree, operand, object, &mut bounds, false);
    }
    Some(bounds)
}

/// For `if (condition) …`: the bounds within which the condition holds, if the object is read only in the
/// branch.
fn guarded(
    program: &Program,
    function: Option<FunctionId>,
    stmt: StmtId,
    object: ObjectId,
) -> Option<Bounds> {
    let unit = program.unit;
    let tree = &unit.tree;
    let function = function?;
    let StmtKind::If { cond, then, .. } = tree.stmts[stmt].kind else {
        return None;
    };
    let flow = unit.flows.get(&function)?;
    let live = program.live.get();
    let inside = flow.first_of(then)?;
    let next = flow.next(flow.at(Point::Cond(stmt))?).iter();
    let mut outside = next.filter(|p| **p != inside);
    if outside.any(|p| live.at(function, Some(p.index()), object.index())) {
        return None;
    }
    let mut bounds = (None, None);
    for operand in leading(tree, cond, BinaryOp::And) {
        narrow(tree, operand, object, &mut bounds, true);
    }
    Some(bounds)
}

/// The local that is assigned the value of a call, and the block item of the assignment.
fn receiver(tree: &Tree, call: ExprId) -> Option<(ObjectId, BlockItem)> {
    match tree.exprs[call].parent {
        Parent::Init(init) => match tree.inits[init].parent {
            Parent::Declarator(decl, n) if n + 1 == tree.decls[decl].declared.len() => {
                match tree.decls[decl].declared[n].entity {
                    Entity::Object(object) => Some((object, BlockItem::Decl(decl))),
                    _ => None,
                }
            }
            _ => None,
        },
        Parent::Expr(parent) => match &tree.exprs[parent].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if *rhs == call => {
                let (ExprKind::Ident(Resolved::Object(object)), Parent::Stmt(stmt)) =
                    (&tree.exprs[*lhs].kind, tree.exprs[parent].parent)
                else {
                    return None;
                };
                Some((*object, BlockItem::Stmt(stmt)))
            }
            _ => None,
        },
        _ => None,
    }
    .filter(|(object, _)| {
        let object = &tree.objects[*object];
        object.storage == Storage::Local && !object.ty.quals.is_volatile
    })
}

/// The statements after an item of a block, up to the next declaration.
pub(super) fn following(tree: &Tree, item: BlockItem) -> Vec<StmtId> {
    let parent = match item {
        BlockItem::Decl(decl) => tree.decls[decl].parent,
        BlockItem::Stmt(stmt) => tree.stmts[stmt].parent,
    };
    let Parent::Stmt(block) = parent else {
        return Vec::new();
    };
    let StmtKind::Compound { items, .. } = &tree.stmts[block].kind else {
        return Vec::new();
    };
    let behind = items.iter().skip_while(|i| **i != item).skip(1);
    let statements = behind.map_while(|i| match i {
        BlockItem::Stmt(stmt) => Some(*stmt),
        BlockItem::Decl(_) => None,
    });
    statements.collect()
}
