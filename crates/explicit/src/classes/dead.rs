//! Objects of static storage that no run reads before it writes them, from a head on: states that differ only in them are one.
//!
//! A backward analysis of the emitted text as it is compiled, so what monitors and propositions read is read by the program. Calls
//! are followed: a function has a summary of what it may read before it writes it and of what it surely writes, and what is read
//! behind any call of a function is live at its end. What pointers may lead to is read, and never surely written.

mod cells;
mod effects;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cfront::consteval::eval;
use cfront::flow::{Point, PointId};
use cfront::span::{DeclId, ExprId, FunctionId, StmtId};
use cfront::tree::{Entity, Expr, ExprKind, InitKind, Parent, Resolved, StmtKind, Tree};
use cfront::{Flow, Unit};

use super::poison::Insertions;
use crate::flows::called;
use crate::text::{HEAD, RECORDED, STATICS};
use cells::{Cells, Set};
use effects::{Effect, Effects};

/// The functions that the search itself calls when a step ends: what they read is read at each head.
const CALLED: [&str; 3] = ["ba_x_letter", "ba_x_tells_violation", "ba_clock_now"];

/// Text around what is recorded of objects of static storage: it is not at heads where no run reads the object before it writes it.
pub(super) fn insertions(unit: &Unit) -> Insertions {
    let tree = &unit.tree;
    let mut out = Insertions::default();
    let recorded = recorded(tree, true);
    let cells = Cells::of(tree, recorded.iter().map(|r| r.1));
    if cells.is_empty() {
        return out;
    }
    let dead = Liveness::new(unit, &cells).dead_at_heads(tree);
    for (statement, lvalue) in recorded {
        let Some(cell) = cells.recorded(tree, lvalue) else {
            continue;
        };
        let mut condition = String::new();
        for (head, _) in dead.iter().filter(|(_, dead)| dead.contains(cell)) {
            let and = if condition.is_empty() { "if (" } else { " && " };
            let _ = write!(condition, "{and}ba_head != {head}u");
        }
        if !condition.is_empty() {
            out.between(tree.stmts[statement].span.start, condition + ") ");
        }
    }
    out
}

/// The blocks in which parts of the state are recorded, and the lvalues: objects of static storage at all heads, or locals at one.
pub(super) fn recorded(tree: &Tree, statics: bool) -> Vec<(StmtId, ExprId)> {
    let at_all = tree.function_named(STATICS);
    let all = tree.decls.iter();
    let all = all.filter(|(_, decl)| at_all.is_some() && (decl.function == at_all) == statics);
    all.filter_map(|(id, _)| recorded_by(tree, id)).collect()
}

fn recorded_by(tree: &Tree, decl: DeclId) -> Option<(StmtId, ExprId)> {
    let decl = &tree.decls[decl];
    let [declared] = decl.declared.as_slice() else {
        return None;
    };
    let is_value = matches!(declared.entity, Entity::Object(o) if tree.objects[o].name == RECORDED);
    let InitKind::Expr(value) = tree.inits[declared.init.filter(|_| is_value)?].kind else {
        return None;
    };
    let Parent::Stmt(block) = decl.parent else {
        return None;
    };
    let value = tree.uncast(value);
    Some((block, static_local(tree, value).unwrap_or(value)))
}

/// The part of a static local whose value is that of `ba_static_1_0 ? *ba_static_1_0 : 0`, of a variable of the search that gets
/// the address of that part behind its declaration.
fn static_local(tree: &Tree, value: ExprId) -> Option<ExprId> {
    let ExprKind::Conditional { cond, .. } = tree.exprs[value].kind else {
        return None;
    };
    let ExprKind::Ident(Resolved::Object(pointer)) = tree.exprs[cond].kind else {
        return None;
    };
    let address = |(_, e): (ExprId, &Expr)| match e.kind {
        ExprKind::Assign { lhs, rhs, .. } => {
            let is_pointer = matches!(tree.exprs[lhs].kind, ExprKind::Ident(Resolved::Object(o)) if o == pointer);
            let ExprKind::AddressOf(of) = tree.exprs[tree.uncast(rhs)].kind else {
                return None;
            };
            is_pointer.then_some(of)
        }
        _ => None,
    };
    tree.exprs.iter().find_map(address)
}

/// What each function does, and what is live at its end.
struct Liveness<'a> {
    unit: &'a Unit,
    effects: Effects<'a>,
    /// The effects of the points of each function.
    points: BTreeMap<FunctionId, Vec<Effect>>,
    at_end: BTreeMap<FunctionId, Set>,
}

impl<'a> Liveness<'a> {
    fn new(unit: &'a Unit, cells: &'a Cells) -> Liveness<'a> {
        let mut out = Liveness {
            unit,
            effects: Effects::new(unit, cells),
            points: BTreeMap::new(),
            at_end: BTreeMap::new(),
        };
        for (f, ..) in unit.tree.defined_functions() {
            if !unit.flows.contains_key(&f) {
                out.effects.give_up(f);
            }
        }
        while out.summarise() {}
        while out.live_at_ends() {}
        out
    }

    fn flows(&self) -> impl Iterator<Item = (FunctionId, &'a Flow)> {
        let unit = self.unit;
        let functions = unit.tree.defined_functions();
        functions.filter_map(|(f, ..)| Some((f, unit.flows.get(&f)?)))
    }

    /// Computes the summaries of all functions anew; whether one has changed.
    fn summarise(&mut self) -> bool {
        let mut changed = false;
        for (f, flow) in self.flows() {
            let points = self.effects.points(flow);
            let before = live(flow, &points, &Set::default());
            let mut summary = Effect {
                uses: before[flow.entry().index()].clone(),
                kills: self.killed(flow, &points),
                reads: Set::default(),
            };
            points.iter().for_each(|p| summary.reads.join(&p.reads));
            changed |= self.effects.summary(f) != &summary;
            self.effects.summarise(f, summary);
            self.points.insert(f, points);
        }
        changed
    }

    /// What all ways through a function write: all, if there is none.
    fn killed(&self, flow: &Flow, points: &[Effect]) -> Set {
        let all = self.effects.cells.all();
        let mut entered = vec![None; points.len()];
        entered[flow.entry().index()] = Some(Set::default());
        let mut work = vec![flow.entry()];
        while let Some(at) = work.pop() {
            let mut killed = entered[at.index()].clone().unwrap_or_default();
            killed.join(&points[at.index()].kills);
            for &next in flow.next(at) {
                let known = &mut entered[next.index()];
                let met = match known {
                    Some(known) => known.meet(&killed),
                    None => killed.clone(),
                };
                if known.as_ref() != Some(&met) {
                    *known = Some(met);
                    work.push(next);
                }
            }
        }
        match &entered[flow.exit().index()] {
            Some(killed) => killed.clone(),
            None => all,
        }
    }

    /// Adds what is live behind each call to what is live at the ends of the functions called; whether that is more.
    fn live_at_ends(&mut self) -> bool {
        let mut found: Vec<(FunctionId, Set)> = Vec::new();
        for (f, flow) in self.flows() {
            let Some(points) = self.points.get(&f) else {
                continue;
            };
            let before = live(flow, points, &self.end(f));
            for (id, point) in flow.points() {
                let mut behind = points[id.index()].reads.clone();
                for next in flow.next(id) {
                    behind.join(&before[next.index()]);
                }
                let callees = self.effects.callees(point);
                found.extend(callees.into_iter().map(|callee| (callee, behind.clone())));
            }
        }
        let mut changed = false;
        for (callee, behind) in found {
            changed |= self.at_end.entry(callee).or_default().grow(&behind);
        }
        changed
    }

    fn end(&self, f: FunctionId) -> Set {
        self.at_end.get(&f).cloned().unwrap_or_default()
    }

    /// For the site of each head, what is dead there.
    fn dead_at_heads(&self, tree: &Tree) -> Vec<(i128, Set)> {
        let mut always = Set::default();
        for f in CALLED.iter().filter_map(|name| tree.function_named(name)) {
            always.join(&self.effects.summary(f).reads);
        }
        let mut known: BTreeMap<FunctionId, Vec<Set>> = BTreeMap::new();
        let mut out = Vec::new();
        for (f, at, site) in heads(self.unit) {
            let (Some(flow), Some(points)) = (self.unit.flows.get(&f), self.points.get(&f)) else {
                continue;
            };
            let before = known
                .entry(f)
                .or_insert_with(|| live(flow, points, &self.end(f)));
            let mut dead = self.effects.cells.all();
            dead.remove(&before[at.index()]);
            dead.remove(&always);
            out.push((site, dead));
        }
        out
    }
}

/// What may be read before it is written, from each point of a function on; `end` may be read behind it.
fn live(flow: &Flow, points: &[Effect], end: &Set) -> Vec<Set> {
    let mut earlier: Vec<Vec<usize>> = vec![Vec::new(); points.len()];
    for (id, _) in flow.points() {
        for next in flow.next(id) {
            earlier[next.index()].push(id.index());
        }
    }
    let mut before: Vec<Set> = points.iter().map(|p| p.uses.clone()).collect();
    before[flow.exit().index()].join(end);
    let mut work: Vec<usize> = (0..points.len()).collect();
    while let Some(at) = work.pop() {
        let behind = before[at].clone();
        for &from in &earlier[at] {
            let mut fresh = behind.clone();
            fresh.remove(&points[from].kills);
            if before[from].grow(&fresh) {
                work.push(from);
            }
        }
    }
    before
}

/// Where runs stop at heads and go on there: the function, the point, and the site.
fn heads(unit: &Unit) -> Vec<(FunctionId, PointId, i128)> {
    let tree = &unit.tree;
    let all = tree.exprs.iter().filter(|(_, e)| match e.kind {
        ExprKind::Call { callee, .. } => {
            called(tree, callee).is_some_and(|f| tree.functions[f].name == HEAD)
        }
        _ => false,
    });
    all.filter_map(|(call, _)| head(unit, call)).collect()
}

fn head(unit: &Unit, call: ExprId) -> Option<(FunctionId, PointId, i128)> {
    let tree = &unit.tree;
    let function = tree.function_of(Parent::Expr(call))?;
    let Parent::Stmt(statement) = tree.exprs[call].parent else {
        return None;
    };
    let at = unit.flows.get(&function)?.at(Point::Stmt(statement))?;
    let mut around = tree.stmts[statement].parent;
    while let Parent::Stmt(outer) = around {
        if let StmtKind::If { cond, .. } = tree.stmts[outer].kind {
            let ExprKind::Call { args, .. } = &tree.exprs[cond].kind else {
                return None;
            };
            return Some((function, at, eval(tree, *args.first()?)?));
        }
        around = tree.stmts[outer].parent;
    }
    None
}
