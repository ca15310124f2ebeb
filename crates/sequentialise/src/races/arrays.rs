//! Loops that start a thread for each element of an array of handles, and loops that wait for all of
//! them.

use std::collections::{BTreeSet, HashMap};

use cfront::span::{ObjectId, RecordId};
use cfront::tree::{BinaryOp, BlockItem, ExprKind, Parent, StmtKind, UnaryOp};
use cfront::types::Type;
use cfront::{consteval, ExprId, FunctionId, Span, StmtId};

use super::counting::{Bound, Counting};
use crate::facts::Facts;
use crate::library::Call;

/// Handles of threads: the elements of an array, or one member of each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Handles {
    /// The array, or the pointer to its first element.
    pub array: ObjectId,
    /// The member.
    pub member: Option<(RecordId, usize)>,
}

/// Threads that loops start and wait for.
#[derive(Default)]
pub(super) struct Loops {
    /// Calls that start threads whose handles fill an array, which a loop joins all.
    pub filled: HashMap<ExprId, Handles>,
    /// The loops that join all threads of such an array.
    pub joins: HashMap<StmtId, Handles>,
    /// Calls that join such a thread, with the counter, which is the element's index.
    pub joined: HashMap<ExprId, Counting>,
    /// Loops that join all threads whose handles are elements of an array, from one index up to another one, and do no more
    /// about threads.
    pub emptied: HashMap<StmtId, (Handles, i128, i128)>,
    /// Calls that start a thread in each round of a counting loop that happens once.
    pub numbered: HashMap<ExprId, Numbered>,
}

/// Threads that have numbers of their own: the counter of the loop that starts them.
#[derive(Clone, Copy)]
pub(super) struct Numbered {
    /// The loop.
    pub counting: Counting,
    /// Integers of so many bits tell the numbers from each other.
    pub width: u32,
    /// The bit that stands for the call in sets of such calls.
    pub bit: u64,
}

/// A call about the handle of one round of a counting loop.
struct Round {
    call: ExprId,
    handles: Handles,
    counting: Counting,
}

/// The loops of a program about threads.
pub(super) fn loops(facts: &Facts, once: &BTreeSet<FunctionId>) -> Loops {
    let mut out = Loops::default();
    let (mut created, mut joins) = (Vec::new(), Vec::new());
    for (stmt, _) in facts.tree.stmts.iter() {
        let Some(counting) = Counting::of(facts, stmt) else {
            continue;
        };
        let round = |(call, handles)| Round {
            call,
            handles,
            counting,
        };
        let all: Vec<_> = joined_in(facts, &counting).into_iter().map(round).collect();
        for one in &all {
            if let Some((from, to)) = range(facts, &counting).filter(|_| only_joins(facts, stmt)) {
                out.emptied.insert(stmt, (one.handles, from, to));
            }
        }
        let span = |round: &Round| facts.tree.exprs[round.call].span;
        let once = |round: &Round| happens_once(facts, once, stmt, span(round));
        joins.extend(all.into_iter().filter(once));
        let all = created_in(facts, &counting).into_iter().map(round);
        created.extend(all.filter(once));
    }
    for one in &created {
        let of_array = |other: &&Round| other.handles == one.handles;
        let together: Vec<&Round> = created.iter().filter(of_array).collect();
        // One call alone may write a handle.
        let alone = together.iter().all(|other| {
            other.call == one.call
                || (other.counting.stmt == one.counting.stmt
                    && are_alternatives(facts, one.counting.body, one.call, other.call))
        });
        let emptying: Vec<&Round> = joins.iter().filter(of_array).collect();
        let named_here = together.len() + emptying.len();
        if !alone || !is_named_only(facts, one.handles, named_here) {
            continue;
        }
        for join in emptying {
            if covers(facts, &one.counting, &join.counting) {
                out.filled.insert(one.call, one.handles);
                out.joins.insert(join.counting.stmt, join.handles);
                out.joined.insert(join.call, join.counting);
            }
        }
    }
    out.numbered = numbered(facts, once);
    out
}

/// Calls that start a thread in each round of a counting loop that happens once, with the counter: an argument that is the
/// counter is a number that no other thread has which the call starts.
fn numbered(facts: &Facts, once: &BTreeSet<FunctionId>) -> HashMap<ExprId, Numbered> {
    let tree = facts.tree;
    let mut found = HashMap::new();
    for (stmt, _) in tree.stmts.iter() {
        let Some(counting) = Counting::of(facts, stmt) else {
            continue;
        };
        let Some(width) = counting.width(facts) else {
            continue;
        };
        for call in facts.calls_in(tree.stmts[counting.body].span) {
            let starts = matches!(facts.library(call), Some(Call::Create(..)));
            if starts && happens_once(facts, once, stmt, tree.exprs[call].span) {
                let shift = u32::try_from(found.len()).unwrap_or(u32::MAX);
                let bit = 1u64.checked_shl(shift).unwrap_or(0);
                let one = Numbered {
                    counting,
                    width,
                    bit,
                };
                found.insert(call, one);
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
            let around = |l: &cfront::flow::Loop| {
                l.span.encloses(part) && l.stmt != stmt && !is_block(facts, l.stmt)
            };
            flow.computed || flow.loops.iter().any(around)
        });
        once.contains(&f) && !nested
    })
}

/// Whether a loop is `do … while (0)`.
fn is_block(facts: &Facts, stmt: StmtId) -> bool {
    match facts.tree.stmts[stmt].kind {
        StmtKind::DoWhile { cond, .. } => consteval::eval(facts.tree, cond) == Some(0),
        _ => false,
    }
}

/// The numbers that a loop counts, if they are constant.
fn range(facts: &Facts, counting: &Counting) -> Option<(i128, i128)> {
    match counting.to(facts)? {
        Bound::Number(to) => Some((counting.from(facts)?, to)),
        Bound::Variable(_) => None,
    }
}

/// Whether a loop counts at least the numbers that another one before it counts.
fn covers(facts: &Facts, first: &Counting, then: &Counting) -> bool {
    let (Some(a), Some(b)) = (first.from(facts), then.from(facts)) else {
        return false;
    };
    let to = match (first.to(facts), then.to(facts)) {
        (Some(Bound::Number(m)), Some(Bound::Number(n))) => m <= n,
        (Some(Bound::Variable(m)), Some(Bound::Variable(n))) => {
            let spans = [first, then].map(|l| facts.tree.stmts[l.stmt].span);
            let from = spans[0].start.min(spans[1].start);
            let between = Span::new(from, spans[0].end.max(spans[1].end));
            m == n && !facts.writes_in(between).any(|o| o == m)
        }
        _ => false,
    };
    b <= a && to
}

/// Whether two calls stand on different branches of a statement.
fn are_alternatives(facts: &Facts, body: StmtId, one: ExprId, other: ExprId) -> bool {
    let tree = facts.tree;
    let (a, b) = (tree.exprs[one].span, tree.exprs[other].span);
    let within = tree.stmts[body].span;
    tree.stmts.iter().any(|(_, stmt)| match stmt.kind {
        StmtKind::If {
            then,
            otherwise: Some(otherwise),
            ..
        } if within.encloses(stmt.span) => {
            let (x, y) = (tree.stmts[then].span, tree.stmts[otherwise].span);
            (x.encloses(a) && y.encloses(b)) || (x.encloses(b) && y.encloses(a))
        }
        _ => false,
    })
}

/// Whether nothing but so many calls, uses that do not give the handles away, and at most one allocation names the handles.
fn is_named_only(facts: &Facts, handles: Handles, calls: usize) -> bool {
    let tree = facts.tree;
    let array = handles.array;
    let is_array = matches!(tree.type_of(tree.objects[array].ty), Type::Array(..));
    let all = Span::new(0, facts.unit.text().len());
    let fixed = || {
        let written = facts.writes_in(all).filter(|&o| o == array).count();
        written == 1 && !facts.address_taken.contains(&array)
    };
    if !is_array && !fixed() {
        return false;
    }
    match handles.member {
        // An element that is copied as a whole is joined twice, unless its thread is none of the array.
        Some(member) => {
            let is =
                |e: &ExprKind| matches!(e, ExprKind::Member { path, .. } if path.contains(&member));
            let exprs = tree.exprs.iter();
            exprs.filter(|(_, e)| is(&e.kind) && !e.unevaluated).count() == calls
        }
        None => {
            let idents = facts.idents_of(array);
            let allocated = is_array || is_allocated(facts, array);
            allocated && idents.filter(|&e| !is_harmless(facts, e)).count() == calls
        }
    }
}

/// Whether what a pointer gets is allocated.
fn is_allocated(facts: &Facts, pointer: ObjectId) -> bool {
    let tree = facts.tree;
    let makes = |e: ExprId| {
        let name = crate::library::name_of(tree, tree.uncast(e));
        name.is_some_and(|name| {
            let plain = cfront::library::plain_name(name);
            matches!(plain, "malloc" | "calloc" | "alloca" | "aligned_alloc")
        })
    };
    let init = tree.objects[pointer]
        .init
        .map(|init| &tree.inits[init].kind);
    let initial = matches!(init, Some(cfront::tree::InitKind::Expr(e)) if makes(*e));
    initial
        || tree.exprs.iter().any(|(_, e)| match e.kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => facts.tree.named(lhs) == Some(pointer) && makes(rhs),
            _ => false,
        })
}

/// Whether a use of a pointer to an array only asks whether there is one, sets it or frees it.
fn is_harmless(facts: &Facts, e: ExprId) -> bool {
    let tree = facts.tree;
    let mut at = e;
    loop {
        let parent = match tree.exprs[at].parent {
            Parent::Expr(parent) => parent,
            Parent::Stmt(stmt) => return matches!(tree.stmts[stmt].kind, StmtKind::If { .. }),
            _ => return false,
        };
        match &tree.exprs[parent].kind {
            ExprKind::Cast(_) => at = parent,
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne | BinaryOp::And | BinaryOp::Or, ..)
            | ExprKind::Unary(UnaryOp::Not, _) => return true,
            ExprKind::Assign { op: None, lhs, .. } => return *lhs == at,
            ExprKind::Call { .. } => {
                let name = crate::library::name_of(tree, parent);
                return name.map(cfront::library::plain_name) == Some("free");
            }
            _ => return false,
        }
    }
}

/// The calls that start a thread in a round and write its handle to the element that the counter names.
fn created_in(facts: &Facts, counting: &Counting) -> Vec<(ExprId, Handles)> {
    let tree = facts.tree;
    let calls = facts.calls_in(tree.stmts[counting.body].span);
    let found = calls.filter_map(|call| {
        let Some(Call::Create(handle, ..)) = facts.library(call) else {
            return None;
        };
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return None;
        };
        let handles = match tree.exprs[tree.uncast(*args.get(handle)?)].kind {
            ExprKind::AddressOf(of) => element(facts, of, counting)?,
            // `threads + i`
            ExprKind::Binary(BinaryOp::Add, array, index) => {
                (facts.tree.named(index)? == counting.variable).then_some(Handles {
                    array: facts.tree.named(array)?,
                    member: None,
                })?
            }
            _ => return None,
        };
        Some((call, handles))
    });
    found.collect()
}

/// The handles of which an lvalue names one, by the counter of a loop.
fn element(facts: &Facts, lvalue: ExprId, counting: &Counting) -> Option<Handles> {
    let tree = facts.tree;
    match &tree.exprs[tree.uncast(lvalue)].kind {
        ExprKind::Index { base, index } => (facts.tree.named(*index)? == counting.variable)
            .then_some(Handles {
                array: facts.tree.named(*base)?,
                member: None,
            }),
        ExprKind::Member {
            base,
            arrow: false,
            path,
            ..
        } => {
            let [member] = path[..] else { return None };
            let of = element(facts, *base, counting)?;
            of.member.is_none().then_some(Handles {
                member: Some(member),
                ..of
            })
        }
        _ => None,
    }
}

/// The calls that each round makes that is not the last one, to join the thread whose handle is the element that the counter names.
fn joined_in(facts: &Facts, counting: &Counting) -> Vec<(ExprId, Handles)> {
    let tree = facts.tree;
    let span = tree.stmts[counting.body].span;
    let inside = |stmt: &cfront::tree::Stmt| span.encloses(stmt.span);
    let jumps = tree.stmts.iter().any(|(_, stmt)| {
        let jump = matches!(
            stmt.kind,
            StmtKind::Goto { .. } | StmtKind::GotoComputed(_) | StmtKind::Labeled { .. }
        );
        jump && inside(stmt)
    });
    if jumps {
        return Vec::new();
    }
    let mut calls = Vec::new();
    always(facts, counting.body, &mut calls);
    let inner = |at: Span| {
        tree.stmts.iter().any(|(_, stmt)| {
            let ends = matches!(
                stmt.kind,
                StmtKind::Switch { .. }
                    | StmtKind::While { .. }
                    | StmtKind::DoWhile { .. }
                    | StmtKind::For { .. }
            );
            ends && inside(stmt) && stmt.span.encloses(at)
        })
    };
    // A `break` that leaves the loop itself leaves it before its end.
    let skipped = |call: ExprId| {
        tree.stmts.iter().any(|(_, stmt)| {
            let skips = match stmt.kind {
                StmtKind::Continue => true,
                StmtKind::Break => inner(stmt.span),
                _ => false,
            };
            skips && inside(stmt) && stmt.span.start < tree.exprs[call].span.start
        })
    };
    let found = calls.into_iter().filter_map(|call| {
        let joins = facts.library(call) == Some(Call::Join);
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return None;
        };
        let handles = element(facts, *args.first().filter(|_| joins)?, counting)?;
        (!skipped(call)).then_some((call, handles))
    });
    found.collect()
}

/// Whether no call in a loop starts threads or runs a function of the program.
fn only_joins(facts: &Facts, stmt: StmtId) -> bool {
    let mut calls = facts.calls_in(facts.tree.stmts[stmt].span);
    calls.all(|call| {
        let starts = matches!(facts.library(call), Some(Call::Create(..)));
        !starts && facts.targets(call).is_empty()
    })
}

/// The calls that a statement makes whenever it ends.
fn always(facts: &Facts, stmt: StmtId, out: &mut Vec<ExprId>) {
    let tree = facts.tree;
    match &tree.stmts[stmt].kind {
        StmtKind::Compound { items, .. } => {
            for item in items {
                match item {
                    BlockItem::Stmt(stmt) => always(facts, *stmt, out),
                    BlockItem::Decl(decl) => {
                        for init in tree.decls[*decl].declared.iter().filter_map(|d| d.init) {
                            let mut all = Vec::new();
                            tree.init_exprs(init, &mut all);
                            all.iter().for_each(|&e| evaluated(facts, e, out));
                        }
                    }
                }
            }
        }
        StmtKind::Expr(Some(e)) => evaluated(facts, *e, out),
        StmtKind::If { cond, .. }
        | StmtKind::Switch { cond, .. }
        | StmtKind::While { cond, .. } => evaluated(facts, *cond, out),
        StmtKind::DoWhile { body, .. } => always(facts, *body, out),
        _ => {}
    }
}

/// The calls that an expression makes whenever it is evaluated.
fn evaluated(facts: &Facts, e: ExprId, out: &mut Vec<ExprId>) {
    let tree = facts.tree;
    if tree.exprs[e].unevaluated {
        return;
    }
    match &tree.exprs[e].kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _)
        | ExprKind::Conditional { cond: first, .. } => evaluated(facts, *first, out),
        ExprKind::StmtExpr(stmt) => always(facts, *stmt, out),
        ExprKind::SizeofExpr(_) | ExprKind::Generic { .. } => {}
        kind => {
            if let ExprKind::Call { .. } = kind {
                out.push(e);
            }
            for child in tree.children(e) {
                evaluated(facts, child, out);
            }
        }
    }
}
