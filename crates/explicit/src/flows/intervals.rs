//! Intervals in which locals lie where they are read, by the conditions with constants that the program has tested before.
//!
//! A data-flow analysis of each local by itself (an interval for each point of its function, joined where paths meet). The ends of
//! intervals are constants of the program, so it terminates. An object of static duration that one function alone writes, such as
//! a local of a thread in step form, has at the function's beginning its first value, or one that it had at an end.

use std::collections::{BTreeMap, BTreeSet};

use cfront::access::{usage, Use};
use cfront::consteval::eval;
use cfront::flow::{Flow, Point, PointId};
use cfront::library;
use cfront::span::{ExprId, FunctionId, ObjectId, StmtId};
use cfront::tree::{
    BinaryOp, ExprKind, InitKind, Parent, Resolved, StmtKind, Storage, Tree, UnaryOp,
};
use cfront::{CallGraph, Unit};

use super::called;
use crate::kinds::integer;
use crate::narrow::{is_object, narrow, operands, Bounds};

/// The least and the greatest value.
pub(super) type Interval = (i128, i128);

/// The interval where only computed values come to; control comes there nevertheless, and may come to further writes.
const COMPUTED: Interval = (1, 0);

/// The values of an integer type.
pub(super) fn range((bits, signed): (u32, bool)) -> Interval {
    match signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    }
}

/// What is known of the reads of objects.
#[derive(Default)]
pub(super) struct Intervals {
    /// The reads at which fewer values are possible than the types have.
    pub values: BTreeMap<ExprId, Interval>,
    /// The same of values that were stored as they were, and of constants: what the program has computed is left out, so that in
    /// `if (n > 30) n = 1; while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2;` what the object had at first is at most 30 in all reads.
    pub copied: BTreeMap<ExprId, Interval>,
}

/// The intervals of all reads. `inputs` are the expressions that give inputs: what is stored of them is a copy, also where they compute
/// a part of what the environment gives, as in `n = input() % 3`.
pub(super) fn intervals(unit: &Unit, inputs: &BTreeSet<ExprId>) -> Intervals {
    let tree = &unit.tree;
    let mut names: BTreeMap<ObjectId, Vec<ExprId>> = BTreeMap::new();
    for (id, expr) in tree.exprs.iter() {
        if let ExprKind::Ident(Resolved::Object(object)) = expr.kind {
            if !expr.unevaluated {
                names.entry(object).or_default().push(id);
            }
        }
    }
    let graph = CallGraph::new(tree);
    // A non-local jump leaves a function anywhere.
    let jumps = |name: &str| library::function(name).is_some_and(|f| f.jump.is_some());
    let leaves = tree.functions.iter().any(|(_, f)| jumps(&f.name));
    let mut out = Intervals::default();
    for (object, names) in &names {
        let function = match tree.objects[*object].is_static_duration() {
            true if leaves => None,
            true => only_writer(tree, &graph, names),
            false => tree.objects[*object].function,
        };
        let flow = function.and_then(|f| unit.flows.get(&f));
        let flow = flow.filter(|f| !f.computed);
        let local = flow.and_then(|flow| Local::new((tree, inputs), flow, *object, names));
        if let Some(mut local) = local {
            local.reads(names, &mut out.values);
            local.copies = true;
            local.reads(names, &mut out.copied);
        }
    }
    out
}

/// The only function that writes an object of static duration, if it does not call itself.
fn only_writer(tree: &Tree, graph: &CallGraph, names: &[ExprId]) -> Option<FunctionId> {
    let of = |name: &ExprId| tree.function_of(Parent::Expr(*name));
    let changed = |name: &&ExprId| !matches!(usage(tree, **name), Use::Read | Use::None);
    let mut writers = names.iter().filter(changed);
    let first = of(writers.next()?)?;
    let alone = writers.all(|name| of(name) == Some(first));
    (alone && !graph.is_recursive(first)).then_some(first)
}

/// A local and where it is written.
struct Local<'a> {
    tree: &'a Tree,
    inputs: &'a BTreeSet<ExprId>,
    flow: &'a Flow,
    object: ObjectId,
    of_type: Interval,
    /// Its value at the beginning of its function, unless it keeps one from an earlier call.
    first: Interval,
    /// Whether it keeps its value from call to call.
    kept: bool,
    /// The points at which it is written, with the names by which this happens.
    writes: BTreeMap<PointId, Vec<ExprId>>,
    /// The expressions in which it is written.
    writing: BTreeSet<ExprId>,
    /// The expressions in which it is named.
    naming: BTreeSet<ExprId>,
    /// Whether only values count that were not computed.
    copies: bool,
}

impl<'a> Local<'a> {
    /// `None` if something else may write the object, or it is no plain integer.
    fn new(
        (tree, inputs): (&'a Tree, &'a BTreeSet<ExprId>),
        flow: &'a Flow,
        object: ObjectId,
        names: &[ExprId],
    ) -> Option<Local<'a>> {
        let o = &tree.objects[object];
        let automatic = matches!(o.storage, Storage::Local | Storage::Parameter);
        let kept = o.is_static_duration() && o.defined && !o.thread_local && !o.ty.quals.is_atomic;
        let plain = (automatic || kept) && !o.ty.quals.is_volatile;
        let kind = integer(tree, o.ty).filter(|(bits, _)| plain && (2..=64).contains(bits))?;
        let first = match o.init.map(|init| &tree.inits[init].kind) {
            None if kept => Some(0),
            Some(InitKind::Expr(e)) if kept => eval(tree, *e),
            _ => None,
        };
        let mut local = Local {
            tree,
            inputs,
            flow,
            object,
            of_type: range(kind),
            first: first.map_or(range(kind), |c| (c, c)),
            kept,
            writes: BTreeMap::new(),
            writing: BTreeSet::new(),
            naming: around(tree, names),
            copies: false,
        };
        let within = |name: &&ExprId| {
            tree.function_of(Parent::Expr(**name)) == Some(flow.function) || automatic
        };
        for name in names.iter().filter(within) {
            let point = local.flow.point_of(local.tree, *name)?;
            match (usage(tree, *name), flow.point(point)) {
                // An operand of an assembler statement may be written.
                (_, Point::Stmt(stmt)) if matches!(tree.stmts[stmt].kind, StmtKind::Asm { .. }) => {
                    return None
                }
                (Use::Read | Use::None, _) => continue,
                (Use::Address, _) if !is_input(tree, *name) => return None,
                _ if outermost(tree, *name).1 => return None,
                (Use::Address | Use::Write | Use::ReadWrite, _) => {}
            }
            local.writes.entry(point).or_default().push(*name);
        }
        local.writing = around(tree, local.writes.values().flatten());
        Some(local)
    }

    /// Whether the order of a read and of the writes is that of their points: points of statements within an expression come before
    /// that of the expression.
    fn is_ordered(&self, read: ExprId) -> bool {
        let (root, nested) = outermost(self.tree, read);
        let same = |name: &ExprId| outermost(self.tree, *name).0 == root;
        !nested || !self.writes.values().flatten().any(same)
    }

    /// Adds the reads for which an interval is known.
    fn reads(&self, names: &[ExprId], out: &mut BTreeMap<ExprId, Interval>) {
        let at_points = self.at_points();
        let is_read = |name: &&ExprId| match usage(self.tree, **name) {
            Use::Read => true,
            Use::ReadWrite => self.copies,
            _ => false,
        };
        let within = |name: &&ExprId| {
            self.tree.function_of(Parent::Expr(**name)) == Some(self.flow.function)
        };
        let all = names.iter().filter(is_read).filter(within);
        for name in all.filter(|n| self.is_ordered(**n)) {
            let known = self.at(*name, &at_points);
            out.extend(known.filter(|i| *i != self.of_type).map(|i| (*name, i)));
        }
    }

    /// The interval before each point; none where no path comes to.
    fn at_points(&self) -> BTreeMap<PointId, Interval> {
        let mut before = BTreeMap::from([(self.flow.entry(), self.first)]);
        let mut open = vec![self.flow.entry()];
        while let Some(point) = open.pop() {
            for (next, interval) in self.behind(point, before[&point]) {
                let joined = match before.get(&next) {
                    Some(known) if interval == COMPUTED => *known,
                    Some(known) if *known != COMPUTED => {
                        (known.0.min(interval.0), known.1.max(interval.1))
                    }
                    _ => interval,
                };
                if before.insert(next, joined) != Some(joined) {
                    open.push(next);
                }
            }
        }
        before
    }

    /// The points that follow a point, each with the interval there. A branch that no value takes is not followed.
    fn behind(&self, point: PointId, before: Interval) -> Vec<(PointId, Interval)> {
        let next = self.flow.next(point);
        if self.kept && next.is_empty() {
            return vec![(self.flow.entry(), before)];
        }
        let after = match (self.writes_at(point), self.flow.point(point)) {
            (true, _) if self.copies && self.computes_at(point) => COMPUTED,
            (true, Point::Stmt(stmt)) => self.assigned(stmt).unwrap_or(self.of_type),
            (true, _) => self.of_type,
            (false, _) => before,
        };
        let branches = match self.flow.point(point) {
            Point::Cond(stmt) if next.len() > 1 => self.branches(stmt),
            _ => None,
        };
        let Some((cond, inside)) = branches else {
            return next.iter().map(|p| (*p, after)).collect();
        };
        let branch = |p: &PointId| Some((*p, self.narrowed(cond, *p == inside, after)?));
        next.iter().filter_map(branch).collect()
    }

    /// Whether the object is written or declared at a point.
    fn writes_at(&self, point: PointId) -> bool {
        self.declares_at(point) || self.writes_beside(point, &[])
    }

    fn declares_at(&self, point: PointId) -> bool {
        match self.flow.point(point) {
            Point::Decl(decl) => self.tree.objects[self.object].decls.contains(&decl),
            _ => false,
        }
    }

    /// The names by which the object is written at a point.
    fn written(&self, point: PointId) -> &[ExprId] {
        self.writes.get(&point).map_or(&[], Vec::as_slice)
    }

    /// Whether the object is written at a point by other names than these.
    fn writes_beside(&self, point: PointId, names: &[ExprId]) -> bool {
        self.written(point).iter().any(|name| !names.contains(name))
    }

    /// Whether a point only stores a value that is computed, as in `n = 3 * n + 1`, `n++` and `while (n-- > 0)`.
    fn computes_at(&self, point: PointId) -> bool {
        let Some(e) = self.surely_evaluated(point) else {
            return false;
        };
        let stored = match &self.tree.exprs[e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if self.is_computed(*rhs) => *lhs,
            ExprKind::Assign {
                op: Some(op), lhs, ..
            } if is_arithmetic(*op) => *lhs,
            ExprKind::IncDec { operand, .. } => *operand,
            _ => return false,
        };
        let here = self.written(point);
        is_object(self.tree, stored, self.object) && here.iter().all(|name| *name == stored)
    }

    /// Whether the value of an expression is no copy of another one, also not one in which some bits are changed.
    fn is_computed(&self, e: ExprId) -> bool {
        match self.tree.exprs[e].kind {
            _ if self.inputs.contains(&e) => false,
            ExprKind::Binary(op, ..) => is_arithmetic(op),
            ExprKind::Unary(op, _) => op == UnaryOp::Minus,
            ExprKind::Cast(inner) => self.is_computed(inner),
            ExprKind::Conditional {
                then: Some(then),
                otherwise,
                ..
            } => self.is_computed(then) && self.is_computed(otherwise),
            _ => false,
        }
    }

    /// The expression of a statement, or the side of a condition that counts: whenever control comes to the point, it is evaluated.
    fn surely_evaluated(&self, point: PointId) -> Option<ExprId> {
        match self.flow.point(point) {
            Point::Stmt(stmt) => match self.tree.stmts[stmt].kind {
                StmtKind::Expr(e) => e,
                _ => None,
            },
            Point::Cond(stmt) => {
                let (cond, _) = self.branches(stmt)?;
                let counts =
                    |e: &ExprId| matches!(self.tree.exprs[*e].kind, ExprKind::IncDec { .. });
                match self.tree.exprs[cond].kind {
                    ExprKind::Binary(op, a, b) if !matches!(op, BinaryOp::And | BinaryOp::Or) => {
                        [a, b].into_iter().find(counts)
                    }
                    _ => Some(cond),
                }
            }
            _ => None,
        }
    }

    /// The condition of a statement, and the point that follows if it holds.
    fn branches(&self, stmt: StmtId) -> Option<(ExprId, PointId)> {
        let (cond, body) = match self.tree.stmts[stmt].kind {
            StmtKind::If { cond, then, .. } => (cond, then),
            StmtKind::While { cond, body, .. } | StmtKind::DoWhile { cond, body, .. } => {
                (cond, body)
            }
            StmtKind::For { cond, body, .. } => (cond?, body),
            _ => return None,
        };
        Some((cond, self.flow.first_of(body)?))
    }

    /// The constant that a statement assigns.
    fn assigned(&self, stmt: StmtId) -> Option<Interval> {
        let StmtKind::Expr(Some(e)) = self.tree.stmts[stmt].kind else {
            return None;
        };
        let ExprKind::Assign {
            op: None, lhs, rhs, ..
        } = self.tree.exprs[e].kind
        else {
            return None;
        };
        let c = eval(self.tree, rhs).filter(|_| is_object(self.tree, lhs, self.object))?;
        (self.of_type.0 <= c && c <= self.of_type.1).then_some((c, c))
    }

    /// The part of an interval for which a condition holds, or does not hold; none if it is empty. Only those operands tell that
    /// are evaluated in any case and behind all writes within the condition.
    fn narrowed(&self, cond: ExprId, holds: bool, interval: Interval) -> Option<Interval> {
        if interval == COMPUTED || !self.naming.contains(&cond) {
            return Some(interval);
        }
        // A branch that no copied value takes is taken with computed ones.
        let none = self.copies.then_some(COMPUTED);
        let joined = if holds { BinaryOp::And } else { BinaryOp::Or };
        let mut all = Vec::new();
        operands(self.tree, cond, joined, &mut all);
        let last = all.iter().rposition(|e| self.writes_in(*e));
        let telling = all.split_off(last.map_or(0, |n| n + 1));
        let mut bounds: Bounds = (Some(interval.0), Some(interval.1));
        for operand in telling {
            narrow(self.tree, operand, self.object, &mut bounds, holds);
        }
        let (low, high) = (bounds.0?, bounds.1?);
        (low <= high).then_some((low, high)).or(none)
    }

    /// Whether an expression writes the object.
    fn writes_in(&self, e: ExprId) -> bool {
        self.writing.contains(&e)
    }

    /// The interval where an expression reads the object, by the conditions to its left and by what is known before its point.
    fn at(&self, name: ExprId, before: &BTreeMap<PointId, Interval>) -> Option<Interval> {
        let point = self.flow.point_of(self.tree, name)?;
        let mut tested = Vec::new();
        let (mut at, mut start) = (name, None);
        // Writes that come behind the read.
        let mut later = vec![name];
        while let (None, Parent::Expr(outer)) = (start, self.tree.exprs[at].parent) {
            let found = match self.tree.exprs[outer].kind {
                ExprKind::Binary(BinaryOp::And, left, right) if right == at => Some((left, true)),
                ExprKind::Binary(BinaryOp::Or, left, right) if right == at => Some((left, false)),
                ExprKind::Conditional {
                    cond,
                    then,
                    otherwise,
                } if cond != at => match (then == Some(at), otherwise == at) {
                    (true, false) => Some((cond, true)),
                    (false, true) => Some((cond, false)),
                    _ => None,
                },
                _ => None,
            };
            if let Some((left, holds)) = found {
                tested.push((left, holds));
                // What was known before no longer matters.
                start = self.writes_in(left).then_some(self.of_type);
            }
            if let ExprKind::Assign {
                op: None, lhs, rhs, ..
            } = self.tree.exprs[outer].kind
            {
                let stores = rhs == at && is_object(self.tree, lhs, self.object);
                later.extend(stores.then_some(lhs));
            }
            let beside = self.tree.children(outer).into_iter();
            let beside = beside.filter(|e| !later.contains(e));
            let mut beside = beside.filter(|e| *e != at && found.is_none_or(|(l, _)| l != *e));
            if beside.any(|e| self.writes_in(e)) {
                return None;
            }
            at = outer;
        }
        let start = match start {
            Some(start) => start,
            // Another initialiser of the declaration may write before.
            None if self.declares_at(point) || self.writes_beside(point, &later) => return None,
            None => *before.get(&point)?,
        };
        let mut tested = tested.into_iter().rev();
        let found = tested.try_fold(start, |known, (e, holds)| self.narrowed(e, holds, known));
        // Any interval will do where no copy comes to.
        found.map(|interval| match interval {
            COMPUTED => (0, 0),
            other => other,
        })
    }
}

fn is_arithmetic(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Rem
            | BinaryOp::Shl
            | BinaryOp::Shr
    )
}

/// The expressions that have some of these in them, apart from those in whose statements they are.
fn around<'e>(tree: &Tree, names: impl IntoIterator<Item = &'e ExprId>) -> BTreeSet<ExprId> {
    let mut out = BTreeSet::new();
    for name in names {
        let mut at = *name;
        // What is around an expression that was met is there already.
        while out.insert(at) {
            match tree.exprs[at].parent {
                Parent::Expr(outer) => at = outer,
                _ => break,
            }
        }
    }
    out
}

/// The outermost expression that an expression is evaluated in, and whether a statement within that one is between them.
fn outermost(tree: &Tree, e: ExprId) -> (ExprId, bool) {
    let (mut root, mut nested) = (e, false);
    let mut at = tree.exprs[e].parent;
    loop {
        at = match at {
            Parent::Expr(outer) => {
                nested |= matches!(tree.exprs[outer].kind, ExprKind::StmtExpr(_));
                root = outer;
                tree.exprs[outer].parent
            }
            Parent::Stmt(stmt) => tree.stmts[stmt].parent,
            Parent::Init(init) => tree.inits[init].parent,
            Parent::Decl(decl) | Parent::Declarator(decl, _) => tree.decls[decl].parent,
            Parent::File | Parent::Function(_) | Parent::Constant | Parent::Fragment => {
                return (root, nested)
            }
        }
    }
}

/// Whether a name is `&name` as an argument of an emitted function that stores an input, and forgets the address.
fn is_input(tree: &Tree, name: ExprId) -> bool {
    let Parent::Expr(address) = tree.exprs[name].parent else {
        return false;
    };
    let Parent::Expr(call) = tree.exprs[address].parent else {
        return false;
    };
    match &tree.exprs[call].kind {
        ExprKind::Call { callee, args, .. } => {
            let function = called(tree, *callee).map(|f| tree.functions[f].name.as_str());
            args.contains(&address) && function.is_some_and(|f| f.starts_with("ba_input_"))
        }
        _ => false,
    }
}
