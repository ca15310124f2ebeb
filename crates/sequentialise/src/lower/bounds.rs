//! Bounds of loops: how often their bodies are unrolled.

use cfront::flow::is_at_most_once;
use cfront::tree::{
    BinaryOp, BlockItem, Entity, ExprKind, ForInit, InitKind, StmtKind, Storage, Tree,
};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::{consteval, ExprId, ObjectId, Span, StmtId};

use crate::facts::Facts;
use crate::library::Call;
use crate::options::Options;
use crate::print::Patch;

/// A loop with a constant number of iterations up to this one is not cut.
pub(super) const CONSTANT: u64 = 64;

/// The same for a simple loop before the first thread is started: no other thread can take its turn
/// there, so each iteration costs little.
const ALONE: u64 = 1024;

/// The greatest constant bound of a loop that one step may go round.
const COUNTED: i128 = 1 << 16;

/// The number of iterations up to which a constant loop is not cut. A simple loop has no other loops
/// and calls no functions of the program.
pub(super) fn most(facts: &Facts, stmt: StmtId, alone: bool) -> u64 {
    let (StmtKind::While { body, .. }
    | StmtKind::DoWhile { body, .. }
    | StmtKind::For { body, .. }) = facts.tree.stmts[stmt].kind
    else {
        return CONSTANT;
    };
    let body = facts.tree.stmts[body].span;
    let simple = facts.loops_in(body).next().is_none()
        && facts.calls_in(body).all(|c| facts.targets(c).is_empty());
    match alone && simple {
        true => ALONE,
        false => CONSTANT,
    }
}

/// The bound of a loop or a function, from its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    /// The number of iterations.
    pub limit: u64,
    /// The text of the site number of the cut.
    pub site: String,
}

/// The site number of a cut without a site.
pub(super) const NO_SITE: &str = "(unsigned)-1";

/// The bound of a loop with this body.
pub(super) fn of_body(facts: &Facts, body: StmtId, options: &Options) -> Bound {
    let own = Bound {
        limit: match options.steps {
            true => started(facts, body).unwrap_or(u64::from(options.unwind)),
            false => u64::from(options.unwind),
        },
        site: NO_SITE.to_string(),
    };
    let items: Vec<StmtId> = match &facts.tree.stmts[body].kind {
        StmtKind::Compound { items, .. } => items
            .iter()
            .filter_map(|item| match item {
                BlockItem::Stmt(s) => Some(*s),
                BlockItem::Decl(_) => None,
            })
            .collect(),
        _ => vec![body],
    };
    for item in items {
        let StmtKind::Expr(Some(e)) = facts.tree.stmts[item].kind else {
            continue;
        };
        if let Some(bound) = of_call(facts, e) {
            return bound;
        }
    }
    own
}

/// The most rounds of a loop that starts threads, whose code has a copy for each.
const STARTED: u64 = 8;

/// How many threads a loop with this body seems to start: as many as the array has elements in which it notes them.
fn started(facts: &Facts, body: StmtId) -> Option<u64> {
    let tree = facts.tree;
    let starts = |call: &ExprId| {
        facts
            .library(*call)
            .is_some_and(|c| matches!(c, Call::Create(..)))
    };
    let call = facts.calls_in(tree.stmts[body].span).find(starts)?;
    let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
        return None;
    };
    let array = match &tree.exprs[tree.uncast(*args.first()?)].kind {
        ExprKind::AddressOf(of) => match tree.exprs[*of].kind {
            ExprKind::Index { base, .. } => Some(base),
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Add, left, _) => Some(*left),
        _ => None,
    };
    let length = array.and_then(|array| match tree.types.get(tree.exprs[array].ty) {
        Type::Array(_, ArrayLen::Known(n)) => Some(*n),
        _ => None,
    });
    Some(length.unwrap_or(STARTED / 2).min(STARTED))
}

/// The bound in a call of `__baproduct_bound`.
fn of_call(facts: &Facts, e: ExprId) -> Option<Bound> {
    if facts.library(e) != Some(Call::Bound) {
        return None;
    }
    let ExprKind::Call { args, .. } = &facts.tree.exprs[e].kind else {
        return None;
    };
    let limit = consteval::eval(facts.tree, *args.first()?)?;
    let site = args.get(1).map(|a| facts.tree.exprs[*a].span);
    Some(Bound {
        limit: u64::try_from(limit).unwrap_or(0),
        site: site.map_or(NO_SITE, |s| facts.unit.text_of(s)).to_string(),
    })
}

/// The parts of a `for` loop that counts.
struct Counting {
    ty: QualType,
    from: i128,
    by: i128,
    op: BinaryOp,
    to: i128,
}

/// The number of iterations of a `for` loop that counts from one known number to another; 1 for one that has at most one.
pub(super) fn trips(
    facts: &Facts,
    stmt: StmtId,
    value: &dyn Fn(ExprId) -> Option<i128>,
) -> Option<u64> {
    if is_at_most_once(facts.tree, stmt) {
        return Some(1);
    }
    let c = counting(facts, stmt, value)?;
    let holds = |v: i128| match c.op {
        BinaryOp::Lt => v < c.to,
        BinaryOp::Le => v <= c.to,
        BinaryOp::Gt => v > c.to,
        BinaryOp::Ge => v >= c.to,
        BinaryOp::Ne => v != c.to,
        _ => false,
    };
    let mut at = c.from;
    for trip in 0..=1_000_000u64 {
        if !holds(at) {
            return Some(trip);
        }
        // A counter that wraps around goes on from elsewhere.
        at = Some(at + c.by)
            .filter(|at| consteval::converted(facts.tree, c.ty, *at) == Some(*at))?;
    }
    None
}

/// The value at the end of a chain of assignments.
fn assigned(facts: &Facts, mut e: ExprId) -> ExprId {
    while let ExprKind::Assign { op: None, rhs, .. } = facts.tree.exprs[e].kind {
        e = rhs;
    }
    e
}

/// Whether only one loop writes an object, and at most one thread executes it.
fn is_written_here_only(facts: &Facts, counter: ObjectId, span: Span) -> bool {
    let all = Span::new(0, facts.unit.text().len());
    let writes = |span: Span| facts.writes_in(span).filter(|&o| o == counter).count();
    let around = facts.tree.functions.iter().find(|(_, f)| {
        let body = f.body.as_ref();
        body.is_some_and(|b| b.span.encloses(span))
    });
    let once =
        around.is_some_and(|(f, _)| !facts.graph.is_recursive(f) && facts.is_of_main_alone(f));
    once && writes(all) == writes(span)
}

/// The parts of a loop that counts: the counter's address is not taken, only the loop's head writes
/// the counter and its bound, and no other thread does.
fn counting(
    facts: &Facts,
    stmt: StmtId,
    value: &dyn Fn(ExprId) -> Option<i128>,
) -> Option<Counting> {
    let tree = facts.tree;
    let StmtKind::For {
        init,
        cond,
        step,
        body,
        ..
    } = &tree.stmts[stmt].kind
    else {
        return None;
    };
    let (counter, from) = start(facts, init, value)?;
    let ExprKind::Binary(op, a, b) = tree.exprs[(*cond)?].kind else {
        return None;
    };
    let by = step_of(tree, (*step)?, counter)?;
    let written = facts
        .writes_in(tree.stmts[*body].span)
        .any(|o| o == counter || tree.named(b) == Some(o));
    let own = match tree.objects[counter].is_static_duration() {
        true => is_written_here_only(facts, counter, tree.stmts[stmt].span),
        false => tree.objects[counter].function.is_some(),
    };
    let compared = tree.named(a) == Some(counter);
    if !compared || written || !own || facts.address_taken.contains(&counter) {
        return None;
    }
    Some(Counting {
        ty: tree.objects[counter].ty,
        from,
        by,
        op,
        to: value(b)?,
    })
}

/// The counter that the first part of a `for` head initialises, and its value.
fn start(
    facts: &Facts,
    init: &ForInit,
    value: &dyn Fn(ExprId) -> Option<i128>,
) -> Option<(ObjectId, i128)> {
    let tree = facts.tree;
    match init {
        ForInit::Expr(e) => match &tree.exprs[*e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => Some((tree.named(*lhs)?, value(assigned(facts, *rhs))?)),
            _ => None,
        },
        ForInit::Decl(d) => {
            let declared = tree.decls[*d].declared.first()?;
            let Entity::Object(o) = declared.entity else {
                return None;
            };
            match tree.inits[declared.init?].kind {
                InitKind::Expr(e) => Some((o, value(e)?)),
                InitKind::List(_) => None,
            }
        }
        ForInit::None => None,
    }
}

/// The increment that the last part of a `for` head adds to its counter.
fn step_of(tree: &Tree, step: ExprId, counter: ObjectId) -> Option<i128> {
    match &tree.exprs[step].kind {
        ExprKind::IncDec {
            increment, operand, ..
        } if tree.named(*operand) == Some(counter) => Some(if *increment { 1 } else { -1 }),
        ExprKind::Assign {
            op: Some(op @ (BinaryOp::Add | BinaryOp::Sub)),
            lhs,
            rhs,
            ..
        } if tree.named(*lhs) == Some(counter) => {
            let by = consteval::eval(tree, *rhs).filter(|by| (1..=1_000_000).contains(by))?;
            Some(if *op == BinaryOp::Add { by } else { -by })
        }
        _ => None,
    }
}

/// Whether a loop surely ends: its head counts a local variable up or down to a bound, and leaves the loop before the variable wraps around. A constant
/// bound is no greater than [`COUNTED`]; another one may change in the loop, but is never beyond the greatest value of the counter, which is no
/// narrower than `int`, so that nothing is promoted.
pub(super) fn counts(
    facts: &Facts,
    cond: Option<ExprId>,
    step: Option<ExprId>,
    body: StmtId,
) -> bool {
    let tree = facts.tree;
    let (Some(cond), Some(step)) = (cond, step) else {
        return false;
    };
    let is_counted = |counter: ExprId, to: ExprId, up: bool, strict: bool| {
        let Some(object) = tree.named(counter) else {
            return false;
        };
        let by = step_of(tree, step, object);
        let mut written = facts.writes_in(tree.stmts[body].span);
        let o = &tree.objects[object];
        let own = matches!(o.storage, Storage::Local | Storage::Parameter);
        let size = |ty| consteval::size_of(tree, ty).unwrap_or_default();
        let ends = |by: i128| match consteval::eval(tree, to) {
            Some(to) => {
                let fits = |value: i128| consteval::converted(tree, o.ty, value) == Some(value);
                to.abs() <= COUNTED && fits(to) && fits(to + by)
            }
            None => {
                let wide = size(o.ty) >= size(tree.exprs[to].ty).max(4);
                by.abs() == 1 && strict && wide && tree.types.is_integer(tree.exprs[to].ty)
            }
        };
        by.is_some_and(|by| (by > 0) == up && ends(by))
            && own
            && tree.types.is_integer(o.ty)
            && !facts.address_taken.contains(&object)
            && !written.any(|o| o == object)
    };
    match tree.exprs[cond].kind {
        ExprKind::Binary(BinaryOp::And, a, b) => [a, b]
            .iter()
            .any(|c| counts(facts, Some(*c), Some(step), body)),
        ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Le), a, b) => {
            let strict = op == BinaryOp::Lt;
            is_counted(a, b, true, strict) || is_counted(b, a, false, strict)
        }
        ExprKind::Binary(op @ (BinaryOp::Gt | BinaryOp::Ge), a, b) => {
            let strict = op == BinaryOp::Gt;
            is_counted(a, b, false, strict) || is_counted(b, a, true, strict)
        }
        _ => false,
    }
}

/// Whether a loop has a small constant number of iterations.
pub(super) fn is_short(facts: &Facts, stmt: StmtId) -> bool {
    has_at_most(facts, stmt, CONSTANT)
}

/// Whether a loop that stays a loop has a constant number of iterations up to which it is not cut.
pub(super) fn is_followed(facts: &Facts, stmt: StmtId, alone: bool) -> bool {
    has_at_most(facts, stmt, most(facts, stmt, alone))
}

fn has_at_most(facts: &Facts, stmt: StmtId, most: u64) -> bool {
    constant(facts, stmt).is_some_and(|n| n <= most)
}

/// Whether a loop has a constant number of iterations above its bound.
pub(crate) fn is_long(facts: &Facts, options: &Options, stmt: StmtId) -> bool {
    let (StmtKind::While { body, .. }
    | StmtKind::DoWhile { body, .. }
    | StmtKind::For { body, .. }) = facts.tree.stmts[stmt].kind
    else {
        return false;
    };
    constant(facts, stmt).is_some_and(|n| n > of_body(facts, body, options).limit)
}

/// The number of iterations of a loop, if it is constant.
pub(crate) fn constant(facts: &Facts, stmt: StmtId) -> Option<u64> {
    let value =
        |e: ExprId| consteval::eval_where(facts.tree, e, &|o| facts.constants.get(&o).copied());
    trips(facts, stmt, &value)
}

/// Cuts a loop that stays a loop at its bound: the thread is suspended there, or, if that is
/// impossible, the run is left out.
pub(crate) fn counted(
    facts: &Facts,
    options: &Options,
    stmt: StmtId,
    suspends: bool,
    patches: &mut Vec<Patch>,
) {
    let s = &facts.tree.stmts[stmt];
    let (StmtKind::While { body, .. }
    | StmtKind::DoWhile { body, .. }
    | StmtKind::For { body, .. }) = s.kind
    else {
        return;
    };
    let bound = of_body(facts, body, options);
    let cut = match suspends {
        true => "BA_SEQ_CUT",
        false => "BA_SEQ_LOST",
    };
    let inner = facts.tree.stmts[body].span;
    let at = |offset| Span::empty(offset);
    patches.push((at(s.span.start), "{ unsigned ba_seq_n = 0; ".to_string()));
    patches.push((
        at(inner.start),
        format!(
            "{{ if (ba_seq_n++ >= {}) {cut}({}); ",
            bound.limit, bound.site
        ),
    ));
    patches.push((at(inner.end), " }".to_string()));
    patches.push((at(s.span.end), " }".to_string()));
}
