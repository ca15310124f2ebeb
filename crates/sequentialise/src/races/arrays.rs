//! Loops that start a thread for each element of an array of handles, and loops that wait for all of
//! them.

use std::collections::{BTreeSet, HashMap};

use cfront::span::ObjectId;
use cfront::tree::{BinaryOp, BlockItem, Entity, ExprKind, ForInit, InitKind, Resolved, StmtKind};
use cfront::{ExprId, FunctionId, Span, StmtId};

use crate::facts::Facts;
use crate::library::Call;

/// A counting loop.
struct Counting {
    variable: ObjectId,
    from: i128,
    to: Bound,
    body: StmtId,
}

/// The end of a counting loop.
#[derive(PartialEq, Eq)]
enum Bound {
    Number(i128),
    /// The value of a variable that is written once, where it is declared.
    Fixed(ObjectId),
}

/// Calls that start threads by the array of their handles, and loops by the array whose threads they all join.
type Joined = (HashMap<ExprId, ObjectId>, HashMap<StmtId, ObjectId>);

/// The arrays of handles that one loop fills and another one with the same bounds empties.
pub(super) fn joined(facts: &Facts, once: &BTreeSet<FunctionId>) -> Joined {
    let tree = facts.tree;
    let mut created: Vec<(ExprId, ObjectId, Counting)> = Vec::new();
    let mut joins: Vec<(StmtId, ObjectId, Counting)> = Vec::new();
    for (stmt, _) in tree.stmts.iter() {
        let outside = happens_once(facts, once, stmt, tree.stmts[stmt].span);
        let Some(counting) = counting(facts, stmt).filter(|_| outside) else {
            continue;
        };
        for (call, known, array) in direct_calls(facts, &counting) {
            match known {
                Call::Create(..) => {
                    let again = Counting { ..copy(&counting) };
                    created.push((call, array, again));
                }
                _ => joins.push((stmt, array, copy(&counting))),
            }
        }
    }
    let mut out = Joined::default();
    for (call, array, loop_of) in &created {
        // One call alone may write the handles.
        let alone = created
            .iter()
            .filter(|(_, other, _)| other == array)
            .count()
            == 1;
        let uses = facts.idents_of(*array).count();
        let joining = joins.iter().filter(|(_, other, _)| other == array);
        let same: Vec<_> = joining
            .filter(|(_, _, l)| l.from == loop_of.from && l.to == loop_of.to)
            .collect();
        // The array is named in these two loops only.
        if alone && !same.is_empty() && uses == 1 + same.len() {
            out.0.insert(*call, *array);
            for (stmt, ..) in same {
                out.1.insert(*stmt, *array);
            }
        }
    }
    out
}

/// The greatest number of threads that [`numbered`] tells from each other: every integer type has as many numbers.
const NUMBERED: i128 = 128;

/// Calls that start a thread in each round of a counting loop that happens once, with the counter: an argument that is the
/// counter is a number that no other thread has which the call starts.
pub(super) fn numbered(facts: &Facts, once: &BTreeSet<FunctionId>) -> HashMap<ExprId, ObjectId> {
    let tree = facts.tree;
    let mut found = HashMap::new();
    for (stmt, _) in tree.stmts.iter() {
        let few = |l: &Counting| l.from >= 0 && matches!(l.to, Bound::Number(n) if n <= NUMBERED);
        let Some(counting) = counting(facts, stmt).filter(few) else {
            continue;
        };
        for call in facts.calls_in(tree.stmts[counting.body].span) {
            let starts = matches!(facts.library(call), Some(Call::Create(..)));
            if starts && happens_once(facts, once, stmt, tree.exprs[call].span) {
                found.insert(call, counting.variable);
            }
        }
    }
    found
}

/// Whether a part of the text of a statement happens once in a run, or once in each round if that is a loop.
fn happens_once(facts: &Facts, once: &BTreeSet<FunctionId>, stmt: StmtId, part: Span) -> bool {
    facts.tree.stmts[stmt].function.is_some_and(|f| {
        let flow = facts.unit.flows.get(&f);
        let nested = flow.is_none_or(|flow| {
            let around = |l: &cfront::flow::Loop| l.span.encloses(part) && l.stmt != stmt;
            flow.computed || flow.loops.iter().any(around)
        });
        once.contains(&f) && !nested
    })
}

fn copy(of: &Counting) -> Counting {
    Counting {
        to: match of.to {
            Bound::Number(n) => Bound::Number(n),
            Bound::Fixed(o) => Bound::Fixed(o),
        },
        ..*of
    }
}

/// `for (i = A; i < B; i++) body`, in which only the header writes `i`.
fn counting(facts: &Facts, stmt: StmtId) -> Option<Counting> {
    let tree = facts.tree;
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
    let (variable, first) = match init {
        ForInit::Expr(e) => match tree.exprs[e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => (object(facts, lhs)?, rhs),
            _ => return None,
        },
        ForInit::Decl(decl) => {
            let [declared] = tree.decls[decl].declared[..] else {
                return None;
            };
            match (declared.entity, &tree.inits[declared.init?].kind) {
                (Entity::Object(o), InitKind::Expr(e)) => (o, *e),
                _ => return None,
            }
        }
        ForInit::None => return None,
    };
    let ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Ne | BinaryOp::Le), left, right) =
        tree.exprs[cond].kind
    else {
        return None;
    };
    let counts = match tree.exprs[step].kind {
        ExprKind::IncDec {
            increment: true,
            operand,
            ..
        } => object(facts, operand) == Some(variable),
        _ => false,
    };
    let span = tree.stmts[body].span;
    let written = facts.writes_in(span).any(|o| o == variable);
    let local =
        !facts.address_taken.contains(&variable) && super::paths::is_automatic(facts, variable);
    let from = constant(facts, first)?;
    let to = bound(facts, right)?;
    let to = match (op, to) {
        (BinaryOp::Le, Bound::Number(n)) => Bound::Number(n + 1),
        (BinaryOp::Le, Bound::Fixed(_)) => return None,
        (_, to) => to,
    };
    let fits = counts && !written && local && object(facts, left) == Some(variable);
    fits.then_some(Counting {
        variable,
        from,
        to,
        body,
    })
}

fn constant(facts: &Facts, e: ExprId) -> Option<i128> {
    cfront::consteval::eval_where(facts.tree, e, &|o| facts.constants.get(&o).copied())
}

fn bound(facts: &Facts, e: ExprId) -> Option<Bound> {
    if let Some(n) = constant(facts, e) {
        return Some(Bound::Number(n));
    }
    let object = object(facts, e)?;
    let all = cfront::Span::new(0, facts.unit.text().len());
    // Its initializer counts as a write.
    let once = facts.writes_in(all).filter(|o| *o == object).count() == 1
        && facts.tree.objects[object].init.is_some();
    let own = !facts.address_taken.contains(&object) && super::paths::is_automatic(facts, object);
    (once && own).then_some(Bound::Fixed(object))
}

fn object(facts: &Facts, e: ExprId) -> Option<ObjectId> {
    match facts.tree.exprs[facts.tree.uncast(e)].kind {
        ExprKind::Ident(Resolved::Object(o)) => Some(o),
        _ => None,
    }
}

/// The calls that each iteration makes, about the element of an array that the counter names.
fn direct_calls(facts: &Facts, counting: &Counting) -> Vec<(ExprId, Call, ObjectId)> {
    let tree = facts.tree;
    let span = tree.stmts[counting.body].span;
    let jumps = tree.stmts.iter().any(|(_, stmt)| {
        let leaves = matches!(
            stmt.kind,
            StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Goto { .. }
                | StmtKind::GotoComputed(_)
                | StmtKind::Return(_)
                | StmtKind::Labeled { .. }
        );
        leaves && span.encloses(stmt.span)
    });
    if jumps {
        return Vec::new();
    }
    let statements: Vec<StmtId> = match &tree.stmts[counting.body].kind {
        StmtKind::Compound { items, .. } => {
            let statement = |item: &BlockItem| match item {
                BlockItem::Stmt(stmt) => Some(*stmt),
                BlockItem::Decl(_) => None,
            };
            items.iter().filter_map(statement).collect()
        }
        _ => vec![counting.body],
    };
    let mut found = Vec::new();
    for stmt in statements {
        let StmtKind::Expr(Some(e)) = tree.stmts[stmt].kind else {
            continue;
        };
        let mut call = tree.uncast(e);
        if let ExprKind::Assign { op: None, rhs, .. } = tree.exprs[call].kind {
            call = tree.uncast(rhs);
        }
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            continue;
        };
        let (known, Some(&handle)) = (facts.library(call), args.first()) else {
            continue;
        };
        let element = match (known, &tree.exprs[tree.uncast(handle)].kind) {
            (Some(Call::Create(..)), ExprKind::AddressOf(of)) => *of,
            (Some(Call::Join), ExprKind::Index { .. }) => tree.uncast(handle),
            // `threads + i`
            (Some(Call::Create(..)), ExprKind::Binary(BinaryOp::Add, array, index)) => {
                if let (Some(array), Some(i)) = (object(facts, *array), object(facts, *index)) {
                    if i == counting.variable {
                        found.extend(known.map(|known| (call, known, array)));
                    }
                }
                continue;
            }
            _ => continue,
        };
        if let ExprKind::Index { base, index } = tree.exprs[element].kind {
            if let (Some(array), Some(i)) = (object(facts, base), object(facts, index)) {
                let whole = matches!(
                    tree.type_of(tree.objects[array].ty),
                    cfront::types::Type::Array(..)
                );
                if i == counting.variable && whole {
                    found.extend(known.map(|known| (call, known, array)));
                }
            }
        }
    }
    found
}
