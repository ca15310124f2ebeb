//! Locals that are live at the head of a loop, and loops that count.

use std::collections::{BTreeSet, HashMap};

use cfront::access::{usage, Use};
use cfront::flow::Point;
use cfront::span::{DeclId, ExprId, FunctionId, Id, StmtId};
use cfront::tree::{Entity, ExprKind, ForInit, Parent, Resolved, Stmt, StmtKind, Tree};
use cfront::Flow;

use crate::analysis::influence::{is_automatic, within};
use crate::facts::ObjectIndex;

/// A set of locals.
type Set = BTreeSet<ObjectIndex>;

/// The locals that a node reads before it writes them, and those that it surely overwrites.
#[derive(Clone, Debug, Default)]
struct Effect {
    uses: Set,
    kills: Set,
}

impl Effect {
    fn then(&mut self, next: Effect) {
        let fresh = next.uses.difference(&self.kills).copied();
        self.uses.extend(fresh.collect::<Vec<_>>());
        self.kills.extend(next.kills);
    }
}

/// The locals that are live at the points of all functions, by a backward analysis. A local whose address is
/// taken counts as live.
#[derive(Clone, Debug, Default)]
pub struct Live {
    before: HashMap<FunctionId, Vec<Set>>,
    ways: HashMap<FunctionId, Ways>,
    /// Locals whose address is taken.
    pub escaping: Set,
}

/// The successors of each point of a function, and the locals that the point surely overwrites.
#[derive(Clone, Debug, Default)]
struct Ways {
    next: Vec<Vec<usize>>,
    kills: Vec<Set>,
}

impl Live {
    /// Analyses all functions. O(points · locals) in practice.
    pub fn new(tree: &Tree, flows: &HashMap<FunctionId, Flow>) -> Live {
        let taken = cfront::access::address_taken(tree);
        let escaping = taken.keys().filter(|&&o| is_automatic(tree, o));
        Live {
            before: flows
                .iter()
                .map(|(f, flow)| (*f, function(tree, flow)))
                .collect(),
            ways: flows
                .iter()
                .map(|(f, flow)| (*f, ways(tree, flow)))
                .collect(),
            escaping: escaping.map(|o| o.index()).collect(),
        }
    }

    /// Whether a local may be read, from a point of a function on, before it is written; true for an unknown
    /// point.
    pub fn at(&self, function: FunctionId, point: Option<usize>, object: ObjectIndex) -> bool {
        self.escaping.contains(&object) || self.fresh_at(function, point, object)
    }

    /// As [`Live::at`], for a local to which no pointer leads at the point, such as behind its declaration: taking its
    /// address counts as a read.
    pub fn fresh_at(
        &self,
        function: FunctionId,
        point: Option<usize>,
        object: ObjectIndex,
    ) -> bool {
        let before = self.before.get(&function);
        let set = before.zip(point).and_then(|(sets, point)| sets.get(point));
        set.is_none_or(|set| set.contains(&object))
    }

    /// Whether control may go from a point to another one before a local is written: then an evaluation there
    /// reads the local's present value. True for unknown points.
    pub fn keeps(
        &self,
        function: FunctionId,
        (from, to): (Option<usize>, usize),
        object: ObjectIndex,
    ) -> bool {
        let (Some(ways), Some(from)) = (self.ways.get(&function), from) else {
            return true;
        };
        if self.escaping.contains(&object) || from >= ways.next.len() {
            return true;
        }
        let (mut seen, mut todo) = (BTreeSet::from([from]), vec![from]);
        while let Some(at) = todo.pop() {
            if at == to {
                return true;
            }
            if !ways.kills[at].contains(&object) {
                let next = ways.next[at].iter().copied();
                todo.extend(next.filter(|&n| seen.insert(n)));
            }
        }
        false
    }
}

fn ways(tree: &Tree, flow: &Flow) -> Ways {
    let next = |id| flow.next(id).iter().map(|n| n.index()).collect();
    Ways {
        next: flow.points().map(|(id, _)| next(id)).collect(),
        kills: flow.points().map(|(_, p)| effect(tree, p).kills).collect(),
    }
}

fn function(tree: &Tree, flow: &Flow) -> Vec<Set> {
    let effects: Vec<Effect> = flow.points().map(|(_, p)| effect(tree, p)).collect();
    let mut earlier: Vec<Vec<usize>> = vec![Vec::new(); effects.len()];
    for (id, _) in flow.points() {
        for next in flow.next(id) {
            earlier[next.index()].push(id.index());
        }
    }
    let mut before: Vec<Set> = effects.iter().map(|e| e.uses.clone()).collect();
    let mut todo: Vec<usize> = (0..effects.len()).collect();
    while let Some(at) = todo.pop() {
        for &from in &earlier[at] {
            let kept = before[at].difference(&effects[from].kills);
            let fresh = kept.filter(|o| !before[from].contains(o)).copied();
            let fresh: Vec<ObjectIndex> = fresh.collect();
            if !fresh.is_empty() {
                before[from].extend(fresh);
                todo.push(from);
            }
        }
    }
    before
}

/// The effect of a point on locals.
fn effect(tree: &Tree, point: Point) -> Effect {
    match point {
        Point::Decl(d) => declaration(tree, d),
        Point::Stmt(s) => match &tree.stmts[s].kind {
            StmtKind::Expr(Some(e)) | StmtKind::Return(Some(e)) | StmtKind::GotoComputed(e) => {
                expression(tree, *e)
            }
            StmtKind::Asm { .. } => assembler(tree, &tree.stmts[s]),
            _ => Effect::default(),
        },
        Point::Cond(s) => match &tree.stmts[s].kind {
            StmtKind::If { cond, .. }
            | StmtKind::Switch { cond, .. }
            | StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. }
            | StmtKind::For {
                cond: Some(cond), ..
            } => expression(tree, *cond),
            _ => Effect::default(),
        },
        Point::ForInit(s) => match &tree.stmts[s].kind {
            StmtKind::For {
                init: ForInit::Expr(e),
                ..
            } => expression(tree, *e),
            _ => Effect::default(),
        },
        Point::ForStep(s) => match &tree.stmts[s].kind {
            StmtKind::For { step: Some(e), .. } => expression(tree, *e),
            _ => Effect::default(),
        },
        Point::Entry | Point::Exit | Point::Label(_) | Point::Enter(_) | Point::NoReturn(_) => {
            Effect::default()
        }
    }
}

/// The effect of an assembler statement: it may read all objects that it names.
fn assembler(tree: &Tree, stmt: &Stmt) -> Effect {
    let named = tree.named_by_assembler(stmt);
    Effect {
        uses: named.map(|(o, _)| o.index()).collect(),
        kills: Set::new(),
    }
}

/// The effect of a declaration: its initialisers are read, and the declared variables get new values.
fn declaration(tree: &Tree, id: DeclId) -> Effect {
    let decl = &tree.decls[id];
    let mut exprs = decl.type_exprs.clone();
    let mut effect = Effect::default();
    for declared in &decl.declared {
        if let Some(init) = declared.init {
            tree.init_exprs(init, &mut exprs);
        }
        if let Entity::Object(object) = declared.entity {
            effect.kills.insert(object.index());
        }
    }
    effect.uses = exprs.into_iter().flat_map(|e| reads(tree, e)).collect();
    effect
}

/// The effect of an expression: only plain assignments, alone or in a comma expression, overwrite.
fn expression(tree: &Tree, e: ExprId) -> Effect {
    match &tree.exprs[e].kind {
        ExprKind::Comma(list) => {
            let mut all = Effect::default();
            list.iter().for_each(|&e| all.then(expression(tree, e)));
            all
        }
        ExprKind::Assign {
            op: None, lhs, rhs, ..
        } => match tree.exprs[*lhs].kind {
            ExprKind::Ident(Resolved::Object(object)) => {
                let mut effect = expression(tree, *rhs);
                effect.kills.insert(object.index());
                effect
            }
            _ => Effect {
                uses: reads(tree, e),
                kills: Set::new(),
            },
        },
        _ => Effect {
            uses: reads(tree, e),
            kills: Set::new(),
        },
    }
}

/// Every local that an expression names other than as the target of an assignment.
fn reads(tree: &Tree, e: ExprId) -> Set {
    let mut found = Set::new();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        if let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[e].kind {
            let read = !matches!(usage(tree, e), Use::Write | Use::None);
            if read && is_automatic(tree, object) {
                found.insert(object.index());
            }
        }
        todo.extend(tree.children(e));
    }
    found
}

/// For the body of each `for` loop that steps a local once per iteration and writes it nowhere else in the
/// loop: that local. Within one execution of the loop, the head never sees the same value of it twice, so no
/// lasso begins there.
pub fn counters(tree: &Tree, escaping: &Set) -> HashMap<usize, ObjectIndex> {
    let mut counters = HashMap::new();
    let writes = cfront::access::writes(tree);
    for (id, stmt) in tree.stmts.iter() {
        let StmtKind::For {
            step: Some(step),
            body,
            ..
        } = stmt.kind
        else {
            continue;
        };
        let ExprKind::IncDec { operand, .. } = tree.exprs[step].kind else {
            continue;
        };
        let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[operand].kind else {
            continue;
        };
        let inside = |e: ExprId| e != step && within(tree, Parent::Expr(e), id);
        let elsewhere = writes.iter().any(|w| {
            // The first part of the header runs before the first iteration.
            w.object == Some(object) && inside(w.expr) && !in_init(tree, id, w.expr)
        });
        let single = is_automatic(tree, object) && !escaping.contains(&object.index());
        if single && !elsewhere {
            counters.insert(body.index(), object.index());
        }
    }
    counters
}

fn in_init(tree: &Tree, id: StmtId, e: ExprId) -> bool {
    match tree.stmts[id].kind {
        StmtKind::For {
            init: ForInit::Expr(init),
            ..
        } => tree.exprs[init].span.encloses(tree.exprs[e].span),
        _ => false,
    }
}
